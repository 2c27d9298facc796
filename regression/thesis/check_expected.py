#!/usr/bin/env python3
"""Truth generator for vacuity: recomputes expected.csv and models.csv with a real NuSMV 2.6.0.

    check_expected.py [--nusmv CMD] [--write] [--split] [--reachable] [--summary] [MODEL.smv ...]

For every CTL specification f of a model and every atom occurrence i of f it makes f[i:=TRUE] and
f[i:=FALSE] by substitution in the source text, has NuSMV check all of them in one session, and calls
atom i vacuous iff the three formulas have the same truth value (../../docs: Kupferman and Vardi).
Nothing of nusmv-rs is used, so the answer is an independent one.

Without MODEL all models beside this script are checked. Three sources must agree, else exit code 1:
  1. what NuSMV says,
  2. the verdict written by hand above each specification, with its argument:
         -- true, vacuous in 1, 3 of 4: because ...      (or: vacuous in none of 4, vacuous in all of 4)
  3. expected.csv (rows of that model) and models.csv.
--write takes 1 for 3. --reachable also counts reachable states and the diameter. --split treats the
conjuncts of a specification as specifications. --summary prints one line per model and compares
nothing (for models from elsewhere). --options "-dynamic" adds NuSMV options for such models.

The name of the peer is NuSMV-peer unless given by --nusmv or the environment variable NUSMV_PEER.
"""

import argparse
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import ctl_atoms

HERE = pathlib.Path(__file__).resolve().parent
EXPECTED = HERE / "expected.csv"
MODELS = HERE / "models.csv"
EXPECTED_COLUMNS = ["model", "index", "truth", "atoms", "vacuity", "polarity", "formula"]
MODEL_COLUMNS = [
    "model", "options", "formulas", "vacuous", "atoms", "naive", "reachable", "diameter",
]  # fmt: skip
CLAIM = re.compile(r"^\s*--\s*(true|false), vacuous in (none|all|[\d, ]+) of (\d+):")


def one_line(text):
    return " ".join(re.sub(r"--[^\n]*", " ", text).split())


def options_of(text):
    """The NuSMV options a model asks for in a comment `-- options: ...`."""
    found = re.search(r"^-- options: *(.*)$", text, re.M)
    return found.group(1).split() if found else []


def formulas_of(text, split):
    """[(text, [replaced text pairs], polarities, spec)] for the specifications or their conjuncts."""
    result = []
    for spec in ctl_atoms.specs(text):
        if spec.module != "main":
            print(f"note: specification in module {spec.module} left out", file=sys.stderr)
            continue
        roots = ctl_atoms.conjuncts(spec.root) if split else [spec.root]
        for root in roots:
            start, end = (spec.start, spec.end) if len(roots) == 1 else root.outer
            atoms = ctl_atoms.atoms(root)
            pairs = []
            for atom in atoms:
                before, after = text[start : atom.start], text[atom.end : end]
                pairs.append([one_line(f"{before} {c} {after}") for c in ("TRUE", "FALSE")])
            result.append((one_line(text[start:end]), pairs, [a.polarity for a in atoms], spec))
    return result


def ask_nusmv(command, options, model, formulas, reachable):
    """Truth of each formula, in order, and the text NuSMV prints on reachable states."""
    script = ["set counter_examples 0", "go"]
    for number, formula in enumerate(formulas):
        script += [f"echo ask {number}", f'check_ctlspec -p "{formula}"']
    script += ["echo ask reach"] + (["print_reachable_states"] if reachable else []) + ["quit"]
    with tempfile.NamedTemporaryFile("w", suffix=".cmd") as file:
        file.write("\n".join(script) + "\n")
        file.flush()
        run = subprocess.run(
            [command, *options, "-source", file.name, str(model)], capture_output=True, text=True
        )
    parts = re.split(r"^ask (\w+) *$", run.stdout, flags=re.M)
    answers = dict(zip(parts[1::2], parts[2::2]))
    truth = []
    for number, formula in enumerate(formulas):
        verdict = re.search(r"^-- specification .* is (true|false)$", answers.get(str(number), ""), re.M)
        if not verdict:
            sys.exit(f"{model}: no verdict for {formula}\n{run.stdout[-2000:]}{run.stderr[-2000:]}")
        truth.append(verdict.group(1) == "true")
    return truth, answers.get("reach", "")


def claims_of(text):
    """The hand-written verdicts, by the offset of the specification that follows."""
    claims, pending = {}, None
    starts = sorted(spec.start for spec in ctl_atoms.specs(text))
    offset = 0
    for line in text.splitlines(keepends=True):
        found = CLAIM.match(line)
        if found:
            pending = found
        offset += len(line)
        while starts and starts[0] < offset:
            claims[starts.pop(0)] = pending
            pending = None
    return claims


def claim_to_vacuity(claim):
    truth, which, count = claim.groups()
    count = int(count)
    if which in ("none", "all"):
        return truth, ("N" if which == "none" else "V") * count
    numbers = {int(n) for n in re.findall(r"\d+", which)}
    return truth, "".join("V" if i + 1 in numbers else "N" for i in range(count))


def analyse(command, model, split, reachable, extra_options):
    text = model.read_text(encoding="latin-1")
    options = options_of(text) + extra_options
    items = formulas_of(text, split)
    wanted = list(dict.fromkeys(f for item in items for f in [item[0], *sum(item[1], [])]))
    values, reach = ask_nusmv(command, options, model, wanted, reachable)
    if reachable and "-coi" in options:  # under -coi the whole machine is not built
        rest = [option for option in options if option != "-coi"]
        _, reach = ask_nusmv(command, rest, model, [], reachable)
    truth = dict(zip(wanted, values))
    rows = []
    for index, (formula, pairs, polarity, _) in enumerate(items):
        value = truth[formula]
        vacuity = "".join(
            "V" if truth[a] == value and truth[b] == value else "N" for a, b in pairs
        )
        rows.append(
            [model.name, str(index), str(value).lower(), str(len(pairs)), vacuity, "".join(polarity), formula]
        )  # fmt: skip
    atoms = sum(len(item[1]) for item in items)
    vacuous = sum("V" in row[4] for row in rows)
    states = re.search(r"reachable states: (\S+)", reach)
    diameter = re.search(r"system diameter: (\S+)", reach)
    summary = [
        model.name, " ".join(options), str(len(rows)), str(vacuous), str(atoms),
        str(len(rows) + 2 * atoms), states.group(1) if states else "", diameter.group(1) if diameter else "",
    ]  # fmt: skip
    return text, items, rows, summary


def read_csv(path):
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))[1:]


def write_csv(path, columns, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([columns, *rows])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--nusmv", default=os.environ.get("NUSMV_PEER", "NuSMV-peer"))
    parser.add_argument("--options", default="")
    for flag in ("--write", "--split", "--reachable", "--summary"):
        parser.add_argument(flag, action="store_true")
    args = parser.parse_args()
    expected, models, bad = read_csv(EXPECTED), read_csv(MODELS), 0
    for model in args.models or sorted(HERE.glob("*.smv")):
        began = time.monotonic()
        text, items, rows, summary = analyse(
            args.nusmv, model, args.split, args.reachable or args.write, args.options.split()
        )
        names = "formulas {2}, vacuous {3}, atoms {4}, naive {5}, reachable {6}, diameter {7}"
        print(f"{model.name}: {names.format(*summary)} ({time.monotonic() - began:.1f} s)")
        if args.summary:
            continue
        claims = claims_of(text)
        for row, item in zip(rows, items):
            claim = claims.get(item[3].start)
            said = claim_to_vacuity(claim) if claim else None
            if said != (row[2], row[4]):
                bad += 1
                print(f"  {row[1]}: NuSMV {row[2]} {row[4]}, comment {said}: {row[6]}")
        if args.write:
            expected = [row for row in expected if row[0] != model.name] + rows
            models = [row for row in models if row[0] != model.name] + [summary]
            expected.sort(key=lambda row: (row[0], int(row[1])))
            write_csv(EXPECTED, EXPECTED_COLUMNS, expected)
            write_csv(MODELS, MODEL_COLUMNS, sorted(models))
            continue
        if [row for row in expected if row[0] == model.name] != rows:
            bad += 1
            print("  differs from expected.csv")
        known = [row for row in models if row[0] == model.name]
        shown = 8 if args.reachable else 6
        if [row[:shown] for row in known] != [summary[:shown]]:
            bad += 1
            print("  differs from models.csv")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
