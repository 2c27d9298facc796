"""Running model checkers and reading their output: shared by the scripts that compare them."""

import math
import os
import platform
import re
import resource
import signal
import statistics
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHARED = os.path.join(os.path.dirname(ROOT), "shared")


def machine():
    """What tables say of where they were made."""
    return "%d cores, %s" % (os.cpu_count(), platform.machine())


class Run:
    """One finished run: code (None: time limit), out, err, wall and cpu seconds, peak rss in MB.

    The limit is one of wall time; with cpu=True of CPU time, and of wall time ten times as long.
    """

    def __init__(self, argv, folder, limit, cpu=False):
        seconds = int(limit) or 1

        def bound():
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))

        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            start = time.monotonic()
            child = subprocess.Popen(
                argv, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                start_new_session=True, env=dict(os.environ, NO_COLOR="1"),
                preexec_fn=bound if cpu else None)
            usage = self._wait(child, start + (10 * limit if cpu else limit))
            self.wall = time.monotonic() - start
            out.seek(0)
            err.seek(0)
            self.out = out.read().decode("utf-8", "replace")
            self.err = err.read().decode("utf-8", "replace")
        self.cpu = usage.ru_utime + usage.ru_stime
        # What the system counts includes this interpreter, of which the child was a copy for a moment.
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        self.rss = (usage.ru_maxrss if usage.ru_maxrss > own else self.seen) / 1024

    def _look(self, pid):
        """Remembers the peak of a child that still runs, in KB."""
        try:
            with open("/proc/%d/status" % pid) as status:
                found = re.search(r"^VmHWM:\s*(\d+)", status.read(), re.M)
                self.seen = int(found[1]) if found else self.seen
        except OSError:
            pass

    def _wait(self, child, deadline):
        self.code, self.seen = None, 0
        killed = False
        pause = 0.0005
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                child.returncode = os.waitstatus_to_exitcode(status)
                if not killed and child.returncode != -signal.SIGXCPU:
                    self.code = child.returncode
                return usage
            if not killed and time.monotonic() > deadline:
                os.killpg(child.pid, signal.SIGKILL)
                killed = True
            self._look(child.pid)
            time.sleep(pause)
            pause = min(pause * 1.5, 0.02)

    def crashed(self):
        return (self.code is not None and self.code < 0) or "panicked at" in self.err

    def verdicts(self):
        """T, F or C (a COMPUTE result) for each verdict line, in order."""
        return "".join(v[0] for v in self.lines())

    def lines(self):
        """(letter, line) for each verdict; the text of a property may span lines."""
        found, text = [], None
        for line in self.out.splitlines():
            if line.startswith(("-- specification ", "-- invariant ", "-- the result of ")):
                text = line
            elif text is not None:
                text += "\n" + line
            if text is None:
                continue
            if re.search(r" is true$", text):
                found.append(("T", text))
            elif re.search(r" is false$", text):
                found.append(("F", text))
            elif text.startswith("-- the result of ") and re.search(r"is (\d+|infinity|undefined)$", text):
                found.append(("C", text))
            else:
                continue
            text = None
        return found

    def message(self):
        """The first error line that names a place, without blanks around."""
        lines = [l.strip() for l in self.err.splitlines() if l.strip()]
        return next((l for l in lines if re.search(r"file .*: line \d+|file .*:", l)), lines[0] if lines else "")


def median(runs, what):
    return statistics.median(getattr(r, what) for r in runs)


def geometric_mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def product():
    """The binary under test: NUSMV_RS_BIN, else a release build of this tree."""
    named = os.environ.get("NUSMV_RS_BIN")
    if named:
        return os.path.abspath(named)
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
    return os.path.join(target, "release", "nusmv-rs")


def peer():
    """The real NuSMV, or None with the reason printed."""
    named = os.environ.get("NUSMV_PEER")
    if named:
        return named
    found = subprocess.run([os.path.join(ROOT, "scripts", "peer")], capture_output=True, text=True)
    if found.returncode == 0:
        return found.stdout.strip()
    print(found.stderr.strip())
    return None


def replace_section(path, title, text):
    """Puts a section into a page, in place of the one with its title if there is one."""
    page = "# Benchmarks against NuSMV 2.6.0\n"
    if os.path.exists(path):
        with open(path) as old:
            page = old.read()
    sections = re.split(r"^(?=## )", page, flags=re.M)
    section = "## %s\n\n%s" % (title, text)
    places = [i for i, s in enumerate(sections) if s.startswith("## %s\n" % title)]
    if places:
        last = places[0] == len(sections) - 1
        sections[places[0]] = section + ("" if last else "\n")
    else:
        sections[-1] = sections[-1].rstrip("\n") + "\n\n"
        sections.append(section)
    with open(path, "w") as new:
        new.write("".join(sections))


def kinds(program, folder, options, model):
    """Number of properties of each kind in the order of output, from -lp; None if rejected."""
    run = Run([program, *options, "-lp", model], folder, 60)
    if run.code != 0:
        return None
    words = re.findall(r"^  \[(CTL|Quantitative|LTL|PSL|Invar) ", run.out, re.M)
    return {k: words.count(k) for k in ("CTL", "Quantitative", "LTL", "PSL", "Invar")}
