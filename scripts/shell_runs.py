"""One run of the shell with given commands, its output cut command by command: shared by scripts/sessions and
scripts/shell-fuzz."""

import os
import re
import subprocess
import tempfile

# Stands for a command in the output.
MARK = "@@ %d @@"


def script(commands):
    lines = []
    for i, line in enumerate(commands):
        lines.append("!echo '%s'; echo '%s' >&2" % (MARK % i, MARK % i))
        lines.append(line)
    return "\n".join(lines) + "\n"


def pieces(stream):
    text = stream.decode("utf-8", "replace")
    found = re.split(r"@@ \d+ @@\n", text)
    return found[1:]


def session(program, model, commands, limit, prepare=None):
    """(exit code or None, [(output, messages)] by command)"""
    with tempfile.TemporaryDirectory() as folder:
        # The messages name the file as it was given; settings of the user are not read.
        link = os.path.join(folder, "model.smv")
        os.symlink(model, link)
        if prepare:
            prepare(folder)
        environment = dict(os.environ, NO_COLOR="1", HOME=folder)
        child = subprocess.Popen(
            [program, "-int", "-s", "model.smv"], cwd=folder, env=environment, start_new_session=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            out, err = child.communicate(script(commands).encode(), timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, 9)
            child.communicate()
            return None, []
    return child.returncode, list(zip(pieces(out), pieces(err)))


def known(text):
    """Lines without what COMPATIBILITY.md names."""
    lines = [l for l in text.splitlines() if not l.startswith("open_path ")]
    # The real one sorts types anew in each run.
    summary = "Number of Input Variables" in text or "Number of all selected variables" in text
    return sorted(lines) if summary else lines


def plain(text):
    """Without the steps of counterexamples, which may go another way."""
    lines, inside = [], False
    for line in text:
        if line.startswith("Trace Type: Counterexample"):
            inside = True
            lines.append(line)
            continue
        if inside and (line.startswith("    ") or line.startswith(("  -> ", "  -- Loop"))):
            continue
        inside = False
        lines.append(line)
    return lines
