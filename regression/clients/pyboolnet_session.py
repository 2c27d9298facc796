"""Calls the public functions of pyboolnet on networks of its repository and prints what they answer,
as one JSON object; with the argument "full" on more of them. Which model checker they run is what
pyboolnet's settings say."""

import json
import logging
import random
import sys

logging.disable(logging.CRITICAL)

from pyboolnet import attractors, basins_of_attraction, commitment_diagrams, phenotypes
from pyboolnet.model_checking import model_checking
from pyboolnet.repository import get_primes
from pyboolnet.state_transition_graphs import random_state
from pyboolnet.temporal_logic import exists_finally_one_of_subspaces
from pyboolnet.trap_spaces import compute_trap_spaces

UPDATES = ["synchronous", "asynchronous", "mixed"]
CHECKED = ["raf", "n6s1c2", "tournier_apoptosis", "davidich_yeast"]
ATTRACTORS = ["raf", "n3s1c1a", "n7s3", "xiao_wnt5a"]
DIAGRAMS = ["raf", "n3s1c1b", "n7s3"]
ROUNDS = 2
if "full" in sys.argv:
    CHECKED += ["n5s3", "xiao_wnt5a", "faure_cellcycle", "saadatpour_guardcell", "irons_yeast"]
    ATTRACTORS += ["n6s1c2", "tournier_apoptosis", "dahlhaus_neuroplastoma", "arellano_rootstem"]
    DIAGRAMS += ["xiao_wnt5a", "randomnet_n7k3", "n5s3", "tournier_apoptosis"]
    ROUNDS = 4


def graph(diagram, identity):
    """A diagram without the numbers of its nodes, which depend on the order in which they are found, and
    without the questions asked on the way, which hold formulas."""

    def plain(data):
        return {k: v for k, v in data.items() if k not in ("init", "spec", "attractors")}

    name = {n: json.dumps(data[identity], sort_keys=True, default=str) for n, data in diagram.nodes(data=True)}
    return {
        "nodes": {name[n]: plain(data) for n, data in diagram.nodes(data=True)},
        "edges": {name[a] + " -> " + name[b]: plain(data) for a, b, data in diagram.edges(data=True)},
    }


def check(name):
    """Model checking: random CTL and LTL formulas, with and without the options."""
    primes = get_primes(name)
    rng = random.Random(name)
    names = sorted(primes)

    def literal():
        return rng.choice(["", "!"]) + rng.choice(names)

    def state():
        return "(%s %s %s)" % (literal(), rng.choice("&|"), literal())

    found = {}
    for update in UPDATES:
        for _ in range(ROUNDS):
            init = "INIT " + rng.choice(["TRUE", literal(), state()])
            a, b, c = state(), state(), literal()
            ctl = rng.choice(["AG(EF(%s))", "EF(AG(%s))", "EX(%s)", "AF(EG(%s))", "AG(%s)"]) % a
            ctl = "CTLSPEC " + rng.choice(["%s", "(%%s) & EF(%s)" % b, "(%%s) | E[%s U %s]" % (b, c)]) % ctl
            ltl = "LTLSPEC " + rng.choice(["F(G(%s))", "G(F(%s))", "(%%s) U (%s)" % c, "X(%s)"]) % b
            key = " ".join([update, init, ctl, ltl])
            run = lambda spec, **options: model_checking(primes, update, init, spec, **options)
            found[key] = {
                "ctl": run(ctl),
                "ltl": run(ltl),
                "accepting": run(ctl, enable_accepting_states=True),
                "reachable": run(ctl, disable_reachable_states=False, dynamic_reorder=False),
                "ctl trace": run(ctl, enable_counterexample=True),
                "ltl trace": run(ltl, enable_counterexample=True),
                "both": run(ctl, enable_counterexample=True, enable_accepting_states=True),
            }
    return found


def traps(name):
    """Univocality, faithfulness, completeness, attractors."""
    primes = get_primes(name)
    found = {}
    for update in UPDATES:
        random.seed(1)
        mine = found[update] = {}
        for space in compute_trap_spaces(primes, "min")[:3]:
            key = str(sorted(space.items()))
            mine["univocal " + key] = attractors.univocality(primes, update, space)
            mine["faithful " + key] = attractors.faithfulness(primes, update, space)
            mine["univocal trace " + key] = attractors.univocality_with_counterexample(primes, update, space)
            mine["faithful trace " + key] = attractors.faithfulness_with_counterexample(primes, update, space)
        if update != "mixed":
            mine["complete"] = attractors.completeness(primes, update)
            found[update]["attractors"] = {
                k: v for k, v in attractors.compute_attractors(primes, update).items() if k != "primes"
            }
        mine["walk"] = attractors.find_attractor_state_by_randomwalk_and_ctl(primes, update)
    return found


def diagrams(name):
    """Basins, commitment diagrams, phenotypes."""
    primes = get_primes(name)
    found = {}
    for update in UPDATES[:2]:
        random.seed(2)
        known = attractors.compute_attractors(primes, update)
        if known["is_complete"] != "yes" or not all(
            a["min_trap_space"]["is_univocal"] and a["min_trap_space"]["is_faithful"] for a in known["attractors"]
        ):
            found[update] = "not complete, univocal and faithful"
            continue
        mine = found[update] = {}
        space = known["attractors"][0]["min_trap_space"]["dict"]
        for basin in (
            basins_of_attraction.weak_basin,
            basins_of_attraction.strong_basin,
            basins_of_attraction.cycle_free_basin,
        ):
            mine[basin.__name__] = basin(primes, update, space)
        diagram = commitment_diagrams.compute_commitment_diagram(known, edge_data=True)
        mine["commitment"] = graph(diagram, "attractors")
        markers = sorted(primes)[:2]
        pheno = phenotypes.compute_phenotypes(known, markers)
        diagram = phenotypes.compute_phenotype_diagram(pheno)
        mine["phenotypes"] = pheno["phenotypes"]
        mine["phenotype diagram"] = graph(diagram, "names")
    return found


def main():
    result = {
        "check": {name: check(name) for name in CHECKED},
        "attractors": {name: traps(name) for name in ATTRACTORS},
        "diagrams": {name: diagrams(name) for name in DIAGRAMS},
    }
    json.dump(result, sys.stdout, indent=1, sort_keys=True, default=str)


main()
