"""The patterns by which other programs read NuSMV's output, applied to ours.

Usage: patterns.py DIR, where DIR holds the program under the names NuSMV and nusmv."""

import os
import re
import subprocess
import sys
import tempfile

MODEL = """MODULE main
VAR
  run : boolean;
  load : 0..3;
  mode : {idle, busy};
ASSIGN
  init(load) := 0;
  next(load) := run & load < 3 ? load + 1 : load;
  next(run) := mode = busy ? TRUE : {TRUE, FALSE};
  next(mode) := load = 3 ? idle : {idle, busy};
CTLSPEC AG load < 3
CTLSPEC EF load = 3
LTLSPEC G (load = 0 -> F load = 3)
LTLSPEC G (load = 2 -> X load >= 2)
INVARSPEC load < 2
INVARSPEC load <= 3
"""
BROKEN = MODEL + "CTLSPEC nowhere = 1\n"
VERDICTS = [False, True, False, True, False, True]


def run(names, arguments, text=MODEL):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.smv")
        with open(path, "w") as file:
            file.write(text)
        return subprocess.run([os.path.join(names, "NuSMV"), *arguments, path], capture_output=True, text=True, timeout=60)


def program_names(names):
    """FRET's simulator asks each name for its help text; pyboolnet gives it a model on stdin."""
    for name in ("NuSMV", "nusmv"):
        done = subprocess.run([os.path.join(names, name), "-h"], capture_output=True, text=True)
        assert "This is NuSMV" in done.stdout + done.stderr
        done = subprocess.run([os.path.join(names, name)], input="MODULE main", capture_output=True, text=True)
        assert "NuSMV" in done.stdout
        assert done.stdout.splitlines()[0].startswith("*** This is NuSMV")


def verdict_lines(out, _err):
    """FRET, Gamma, KIELER, HOL4, ByMC: how a verdict is found."""
    fret = re.findall(r"-- specification[ ]+(.*)[ ]+is[ ]+(true|false)[ ]*", out)
    assert [v == "true" for _, v in fret] == [False, True, False, True], fret
    kieler = re.findall(r".*-- (Property|LTL specification|specification|invariant) (.*) is (true|false).*", out)
    assert sorted(v == "true" for *_, v in kieler) == sorted(VERDICTS), kieler
    gamma = [l for l in out.splitlines() if re.fullmatch(r"(.*invariant.*is.*)|(.*specification.*is.*)", l)]
    assert len(gamma) == 6 and all(l.endswith(("true", "false")) for l in gamma), gamma
    for line in out.splitlines(keepends=True):
        if line.endswith("true\n"):
            assert line.startswith("-- "), line
    # One blank more than elsewhere before "is", in specifications of main.
    assert len(re.findall(r"^-- specification (.*)  is (\w+)$", out, re.M)) == 4
    assert "specification" not in "".join(l for l in out.splitlines() if l.startswith("***"))


def strict_lines(out, _err):
    """FOAM knows these lines and takes any other for an error; so does Buzhinsky's visualizer."""
    known = [
        r"\*\*\*.*",
        r"",
        r"-- specification (.*)  is (\w+)",
        r"-- invariant (.*)  is (\w+)",
        r"-- as demonstrated by the following execution sequence",
        r"Trace Description: (.*)",
        r"Trace Type: (.*)",
        r"  -- Loop starts here",
        r"  -> State: ((\d+)\.(\d+)) <-",
        r"    (\S+) = (\S+)",
    ]
    for line in out.splitlines():
        assert any(re.fullmatch(k, line) for k in known), line
    for line in out.splitlines():
        if line.startswith("  -> "):
            assert line.endswith(" <-"), line


def states(out, _err):
    """KIELER, AsmetaSMV, pyboolnet, smvis: states and assignments."""
    assert re.findall(r".*-> State:(.*)<-", out)
    assert re.findall(r" *-> State: [0-9]+.[0-9]+ <-", out)
    pairs = re.findall(r"-> State: (\d+)\.(\d+) <-", out)
    assert pairs[0] == ("1", "1") and ("2", "1") in pairs and ("3", "1") in pairs, pairs
    first = out.split("Trace Type: Counterexample")[1].split("\n-- ")[0].split("-> ")
    values = {}
    for block in first[1:]:
        for line in block.split("\n"):
            if " = " in line:
                name, value = line.strip().split(" = ")
                values[name] = value
    assert values["load"] == "3" and set(values) == {"run", "load", "mode"}, values
    kieler = re.findall(r"([a-zA-Z_][a-zA-Z_0-9]*)\s*=\s*([a-zA-Z_0-9.-]*)", first[1])
    assert ("load", "0") in kieler and ("mode", "idle") in kieler, kieler
    assert "-- Loop starts here" in out


def quiet_stderr(_out, err):
    """AsmetaSMV and VerifAPS take these words for an error."""
    assert "Aborting batch mode" not in err
    for word in ("error", "TYPE ERROR", "undefined", "aborting", "too few actual parameters"):
        assert word not in err, err


def errors(names):
    done = run(names, ["-dcx"], BROKEN)
    assert done.returncode == 1 and "Aborting batch mode" in done.stderr, done
    assert re.search(r"undefined", done.stderr)
    done = run(names, [], MODEL.replace("VAR", "VAR VAR"))
    assert done.returncode == 1 and "Aborting batch mode" in done.stderr, done
    # KIELER goes to the line.
    assert re.search(r"(.*)file(.*): line (\d+):(.*)", done.stderr), done.stderr


def main():
    names = sys.argv[1]
    program_names(names)
    # Options as the clients write them.
    plain = run(names, [])
    for arguments in (["-dynamic", "-coi"], ["-df", "-dynamic"], ["-dcx", "-coi"], ["-dcx", "-dynamic", "-df", "-coi"]):
        done = run(names, arguments)
        assert done.returncode == 0, done
        verdict_lines(done.stdout, done.stderr)
    assert plain.returncode == 0, plain
    for check in (verdict_lines, strict_lines, states, quiet_stderr):
        check(plain.stdout, plain.stderr)
    asmeta = run(names, ["-dynamic", "-coi", "-quiet"])
    assert not asmeta.stdout.startswith("***") and asmeta.returncode == 0
    errors(names)
    print("patterns: ok")


main()
