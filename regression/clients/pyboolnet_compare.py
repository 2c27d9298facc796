"""Compares two answers of pyboolnet_session.py, file by file: OWN with pyboolnet's own model checker,
OURS with nusmv-rs.

Everything is equal except that formulas need only be equivalent (the order of variables may
differ) and that a counterexample may be another path of the same network."""

import json
import random
import re
import sys

from pyboolnet.repository import get_primes
from pyboolnet.state_transition_graphs import successor_synchronous, successors_asynchronous

differences = []
counted = {"formulas": 0, "in other words": 0, "traces": 0, "other paths": 0, "values": 0}
FORMULAS = {"INIT", "ACCEPTING", "INITACCEPTING", "formula", "EX_formula", "EF_formula", "initaccepting"}


def as_python(text):
    """A factored form as a Python function of a dictionary of variables."""
    names = {}
    def name(match):
        word = match.group(0)
        if word in ("TRUE", "FALSE"):
            return word.capitalize()
        return "s[%r]" % names.setdefault(word, word)
    body = re.sub(r"[A-Za-z_][\w.\[\]]*", name, text)
    body = body.replace("!", " not ").replace("&", " and ").replace("|", " or ")
    return sorted(names), eval("lambda s: " + body.strip())


def equivalent(own, ours):
    if own == ours:
        return True
    (names_own, f), (names_ours, g) = as_python(own), as_python(ours)
    names = sorted(set(names_own) | set(names_ours))
    if len(names) <= 12:
        codes = range(2 ** len(names))
    else:
        rng = random.Random(own)
        codes = [rng.getrandbits(len(names)) for _ in range(4096)]
    for code in codes:
        state = {n: bool(code >> i & 1) for i, n in enumerate(names)}
        if bool(f(state)) != bool(g(state)):
            return False
    return True


def is_step(primes, update, before, after):
    changed = {n for n in before if before[n] != after[n]}
    image = successor_synchronous(primes, before)
    if update == "synchronous":
        return after == image
    wanted = {n for n in before if before[n] != image[n]}
    if update == "asynchronous":
        return len(changed) == min(1, len(wanted)) and changed <= wanted
    return changed <= wanted and (bool(changed) or not wanted)


def is_path(name, update, states):
    primes = get_primes(name)
    return all(is_step(primes, update, a, b) for a, b in zip(states, states[1:]))


def is_trace(value):
    return isinstance(value, list) and value and all(
        isinstance(s, dict) and s and all(v in (0, 1) for v in s.values()) for s in value
    )


def compare(path, own, ours):
    where = " / ".join(path)
    if path[-1] in FORMULAS and isinstance(own, str) and isinstance(ours, str):
        counted["formulas"] += 1
        counted["in other words"] += own != ours
        if not equivalent(own, ours):
            differences.append("%s: %s is not equivalent to %s" % (where, own, ours))
    elif is_trace(own) and is_trace(ours) and len(own[0]) == len(get_primes(path[1])):
        counted["traces"] += 1
        if own == ours:
            return
        counted["other paths"] += 1
        update = path[2].split()[0]
        # A steady state repeats itself in synchronous and asynchronous networks alike.
        if not is_path(path[1], update, own):
            print("note: not a path by pyboolnet's own checker:", where)
        elif not is_path(path[1], update, ours):
            differences.append("%s: not a path: %s" % (where, ours))
    elif isinstance(own, dict) and isinstance(ours, dict) and own.keys() == ours.keys():
        for key in own:
            compare(path + [key], own[key], ours[key])
    elif isinstance(own, list) and isinstance(ours, list) and len(own) == len(ours):
        for i, (a, b) in enumerate(zip(own, ours)):
            compare(path + [str(i)], a, b)
    else:
        counted["values"] += 1
        if own != ours:
            differences.append("%s: %s, by its own checker %s" % (where, ours, own))


def main():
    own, ours = (json.load(open(f)) for f in sys.argv[1:3])
    for part in own:
        compare([part], own[part], ours[part])
    print("pyboolnet: " + ", ".join("%d %s" % (n, what) for what, n in counted.items()))
    for line in differences[:20]:
        print("different: " + line[:600])
    if differences or not counted["formulas"] or not counted["traces"]:
        sys.exit("pyboolnet: %d differences" % len(differences))


main()
