"""The patterns by which other programs read NuSMV's output, applied to ours.

Usage: patterns.py DIR, where DIR holds the program under the names NuSMV and nusmv."""

import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

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


def session(names, commands, arguments=("-int",), text=MODEL, files=()):
    """A shell fed through a pipe; its two streams and the files it wrote."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "model.smv"), "w") as file:
            file.write(text)
        with open(os.path.join(folder, "script"), "w") as file:
            file.write(commands)
        done = subprocess.run(
            [os.path.abspath(os.path.join(names, "NuSMV")), *arguments],
            cwd=folder,
            input=commands if "-int" in arguments else "",
            capture_output=True,
            text=True,
            timeout=60,
        )
        contents = {}
        for name in files:
            with open(os.path.join(folder, name)) as file:
                contents[name] = file.read()
        return done, contents


def kieler(names):
    """KIELER talks to the shell through a pipe, with both streams merged."""
    done, _ = session(names, "go\ncheck_property -n 0\nquit\n", ("-int", "model.smv"))
    out = done.stdout + done.stderr
    assert re.search(r".*-- (Property|LTL specification|specification|invariant) (.*) is (true|false).*", out), out
    assert re.search(r".*-> State:(.*)<-", out)


def documents(text):
    """FRET strips the declarations and reads what is left as elements."""
    parts = re.split(r"<\?xml[^>]*\?>", text)
    return [xml.fromstring(part) for part in parts if part.strip()]


def fret(names):
    """FRET's test generation: a script, XML traces, exit code 0."""
    script = (
        "set on_failure_script_quits 1\nread_model -i model.smv\nflatten_hierarchy\nencode_variables\nbuild_model\n"
        "check_ltlspec\ncheck_invar\nshow_traces -a -v -p 4 -o out.xml\nquit\n"
    )
    done, files = session(names, script, ("-s", "-source", "script"), files=["out.xml"])
    assert done.returncode == 0, done
    traces = documents(files["out.xml"])
    assert len(traces) == 2, files
    for trace in traces:
        assert set(trace.attrib) == {"type", "id", "desc"}
        for node in trace.findall("node"):
            (state,) = node.findall("state")
            assert [v.get("variable") for v in state.findall("value")] == ["run", "load", "mode"]
    assert traces[1].findall("node")[-1].find("state").findall("value")[1].text == "2"


def smvis(names):
    """smvis strips the prompts and takes the loops from the XML."""
    commands = "go; check_ctlspec; check_ltlspec; check_invar; show_traces -a -p 4; quit\n"
    done, _ = session(names, commands, ("-int", "model.smv"))
    out = re.sub(r"^(NuSMV > )+", "", done.stdout, flags=re.M)
    elements = re.findall(r"<counter-example.*?</counter-example>", out, re.S)
    assert len(elements) == 3, out
    loops = [xml.fromstring(e).find("loops").text.split() for e in elements]
    assert any(loops) and not all(loops), loops
    for bad in (r"cannot assign value .+ to variable .+", r"A model must be built before", r"type error"):
        assert not re.search(bad, done.stdout + done.stderr)


def verifaps(names):
    """VerifAPS wants XML elements straight from the checks."""
    commands = (
        "set default_trace_plugin 6\nread_model\nflatten_hierarchy\nshow_vars\nencode_variables\n"
        "build_model\ncheck_invar\nquit\n"
    )
    done, _ = session(names, commands, ("-int", "model.smv"))
    start = done.stdout.index("<counter-example")
    end = done.stdout.index("</counter-example>") + len("</counter-example>")
    element = xml.fromstring(done.stdout[start:end])
    assert element.find("node/state/value").get("variable") == "run"
    for word in ("error", "undefined", "aborting", "multiple declaration of identifier"):
        assert word not in done.stdout + done.stderr, word


def gamma(names):
    """Gamma: complete states from plugin 1."""
    script = 'set on_failure_script_quits\nset input_file "model.smv"\ngo\nset default_trace_plugin 1\ncheck_invar -p "load < 2"\nquit\n'
    done, _ = session(names, script, ("-source", "script"))
    assert done.returncode == 0, done
    blocks = done.stdout.split("-> State:")[1:]
    assert len(blocks) == 3 and all(b.count(" = ") == 3 for b in blocks), done.stdout


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
    for client in (kieler, fret, smvis, verifaps, gamma):
        client(names)
    print("patterns: ok")


main()
