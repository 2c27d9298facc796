#!/usr/bin/env python3
"""Truth generator for queries: solves the QUERYSPECs of the small models here with a real NuSMV.

    check_queries.py [--nusmv CMD] [--write] [MODEL.smv ...]

The naive method of the thesis (section 4.7.1): each minterm is put for the placeholder and the
formula checked. A minterm solves the query for all initial states if the formula is true; the number
of initial states for which it does is found by checking `state -> formula` for each of them.
Nothing of nusmv-rs is used. The answers are compared with expected.csv (--write replaces them):
    model, index, formula, all, some, solutions
where `all` and `some` are the numbers of solutions and `solutions` lists, for each solution for some
initial states, its values in declaration order and that number ("a=1 b=TRUE:4"; ";" between).

A model with too many minterms (many_solutions.smv) is left out: its answers are known by argument and
stand in expected.csv by hand, with no list.
"""

import argparse
import csv
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
EXPECTED = HERE / "expected.csv"
COLUMNS = ["model", "index", "formula", "all", "some", "solutions"]
BY_ARGUMENT = {"many_solutions.smv"}
PLACEHOLDER = re.compile(r"\?(\{[^}]*\})?")


def run(command, model_text, script):
    with tempfile.TemporaryDirectory() as folder:
        model, source = pathlib.Path(folder, "m.smv"), pathlib.Path(folder, "s.cmd")
        model.write_text(model_text)
        source.write_text("\n".join(["set counter_examples 0", "go", *script, "quit"]) + "\n")
        done = subprocess.run([command, "-source", source, model], capture_output=True, text=True)
    return done.stdout + done.stderr


def values_of(kind):
    if kind == "boolean":
        return ["FALSE", "TRUE"]
    span = re.fullmatch(r"(-?\d+) *\.\. *(-?\d+)", kind)
    if span:
        return [str(n) for n in range(int(span.group(1)), int(span.group(2)) + 1)]
    return [value.strip() for value in kind.strip("{}").split(",")]


def state_variables(command, model_text):
    """[(name, values)] in declaration order."""
    output = run(command, model_text, ["show_vars -v"])
    inputs = int(re.search(r"Number of Input Variables: (\d+)", output).group(1))
    pairs = re.findall(r"^  (\S+) : (.+?) *$", output.split("Frozen Variables")[1], re.M)
    return [(name, values_of(kind)) for name, kind in pairs[inputs:]]


def minterms(variables):
    return list(itertools.product(*(values for _, values in variables)))


def text_of(variables, minterm):
    return "(" + " & ".join(f"{n} = {v}" for (n, _), v in zip(variables, minterm)) + ")"


def verdicts(command, model_text, formulas):
    output = run(command, model_text, [f'check_ctlspec -p "{formula}"' for formula in formulas])
    found = re.findall(r"^-- specification .* is (true|false)$", output, re.M)
    if len(found) != len(formulas):
        sys.exit(f"{len(formulas)} formulas, {len(found)} verdicts\n{output[-2000:]}")
    return [verdict == "true" for verdict in found]


def solve(command, model_text, variables, initial, query):
    over = PLACEHOLDER.search(query).group(1)
    if over:
        names = [name.strip() for name in over.strip("{}").split(",")]
        chosen = [pair for pair in variables if pair[0] in names]
    else:
        chosen = variables
    candidates = minterms(chosen)
    asked = [PLACEHOLDER.sub(lambda _: text_of(chosen, m), query) for m in candidates]
    states = [text_of(variables, state) for state in initial]
    every = [f"{state} -> ({formula})" for formula in asked for state in states]
    answers = verdicts(command, model_text, asked + every)
    all_count, some = 0, []
    for number, minterm in enumerate(candidates):
        start = len(asked) + number * len(states)
        holds = sum(answers[start : start + len(states)])
        if answers[number] != (holds == len(states)):
            sys.exit(f"contradiction at {asked[number]}")
        all_count += answers[number]
        if holds:
            values = " ".join(f"{n}={v}" for (n, _), v in zip(chosen, minterm))
            some.append(f"{values}:{holds}")
    return [query, str(all_count), str(len(some)), ";".join(some)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    parser.add_argument("--nusmv", default=os.environ.get("NUSMV_PEER", "NuSMV-peer"))
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    expected = []
    if EXPECTED.exists():
        with open(EXPECTED, newline="", encoding="utf-8") as file:
            expected = list(csv.reader(file))[1:]
    bad = 0
    for model in args.models or sorted(HERE.glob("*.smv")):
        if model.name in BY_ARGUMENT:
            continue
        text = model.read_text(encoding="utf-8")
        queries = re.findall(r"^QUERYSPEC ([^;]*);", text, re.M)
        plain = re.sub(r"^QUERYSPEC [^;]*;", "", text, flags=re.M)
        variables = state_variables(args.nusmv, plain)
        states = minterms(variables)
        outside = verdicts(args.nusmv, plain, ["!" + text_of(variables, s) for s in states])
        initial = [state for state, out in zip(states, outside) if not out]
        rows = []
        for index, query in enumerate(queries):
            answer = solve(args.nusmv, plain, variables, initial, query)
            rows.append([model.name, str(index), *answer])
            print(f"{model.name} {index} {query}: all {answer[1]}, some {answer[2]}  {answer[3][:150]}")
        known = [row for row in expected if row[0] == model.name]
        if args.write:
            expected = [row for row in expected if row[0] != model.name] + rows
        elif known != rows:
            bad += 1
            print(f"{model.name}: differs from expected.csv")
    if args.write:
        with open(EXPECTED, "w", newline="", encoding="utf-8") as file:
            expected.sort(key=lambda row: (row[0], int(row[1])))
            csv.writer(file, lineterminator="\n").writerows([COLUMNS, *expected])
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
