//! Random formulas × random small models: the tableau beside explicit truth assignments.

use super::emptiness::{Search, Way};
use super::formula::Translator;
use super::{Config, check, lasso, tableau};
use crate::encode::BddFsm;
use crate::encode::testing::machine;
use crate::engine::Checker;
use crate::engine::outcome::Verdict;
use crate::engine::reach::Reach;
use crate::model::explicit::{Answer, Explicit};
use crate::model::testing::{Random, flat};
use crate::model::{FlatModel, Node, PropFormula};
use crate::trace::TraceKind;
use crate::trace::replay::replay;
use smv_grammar::ops::{BinOp, UnOp};
use std::rc::Rc;

impl Random {
    fn formula(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(8) == 0 {
            return self
                .pick(&["p", "q", "x = 1", "x > 0", "!p", "i", "next(p)"])
                .to_owned();
        }
        let mut a = || self.formula(depth - 1);
        let (a, b) = (a(), a());
        match self.below(3) {
            0 => {
                let op = self.pick(&["X", "F", "G", "F", "G", "Y", "Z", "O", "H", "!"]);
                format!("{op} ({a})")
            }
            1 => {
                let op = self.pick(&["U", "V", "S", "T"]);
                format!("({a}) {op} ({b})")
            }
            _ => {
                let op = self.pick(&["&", "|", "->", "xor", "<->"]);
                format!("({a}) {op} ({b})")
            }
        }
    }

    fn model(&mut self) -> String {
        let mut text = String::from("VAR p : boolean; q : boolean; x : 0..2; IVAR i : boolean;\n");
        let set = ["{TRUE, FALSE}", "q", "!p", "x = 0", "i", "p xor i", "p"];
        for (var, values) in [("p", &set[..]), ("q", &set[..])] {
            if self.below(4) > 0 {
                text += &format!("ASSIGN next({var}) := {};\n", self.pick(values));
            }
            if self.below(3) > 0 {
                text += &format!("ASSIGN init({var}) := {};\n", self.pick(&["TRUE", "FALSE"]));
            }
        }
        let steps = [
            "(x + 1) mod 3",
            "p ? (x + 1) mod 3 : x",
            "{x, 0}",
            "i ? x : 2",
        ];
        text += &format!("ASSIGN init(x) := 0; next(x) := {};\n", self.pick(&steps));
        if self.below(4) == 0 {
            text += &format!(
                "TRANS {};\n",
                self.pick(&["p -> next(q)", "x = 2 -> next(p)", "q | i"])
            );
        }
        for _ in 0..self.below(3) {
            text += &format!(
                "JUSTICE {};\n",
                self.pick(&["p", "x = 2", "i", "q | p", "!q"])
            );
        }
        if self.below(2) == 0 {
            let (p, q) = (
                self.pick(&["p", "x = 0", "i"]),
                self.pick(&["q", "x = 1", "!i"]),
            );
            text += &format!("COMPASSION({p}, {q});\n");
        }
        text
    }
}

fn fsm(model: FlatModel) -> (BddFsm, Reach) {
    let model = Rc::new(model);
    let fsm = machine(&model);
    let mut reach = Reach::new(&fsm);
    reach.finish(&fsm).expect("no limits");
    (fsm, reach)
}

#[test]
fn random_pairs_agree_with_truth_assignments() {
    let mut random = Random(5);
    let (mut yes, mut no) = (0, 0);
    for round in 0..400 {
        let mut text = random.model();
        for _ in 0..5 {
            let depth = 1 + random.below(3) as u32;
            text += &format!("LTLSPEC {};\n", random.formula(depth));
        }
        // The premises need no bits of the tableau.
        let (a, b, c) = (random.formula(1), random.formula(1), random.formula(2));
        text += &format!("LTLSPEC G F ({a}) & G ({b}) -> ({c});\n");
        let (fsm, reach) = fsm(flat(&text));
        let model = Rc::clone(&fsm.model);
        let explicit = Explicit::new(&model, 100).expect("a small model");
        let checker = Checker::new(&fsm, Some(reach)).expect("no limits");
        for p in &model.properties {
            let PropFormula::Ltl(e) = p.formula else {
                continue;
            };
            let Ok(Answer::Holds(expected)) = explicit.check(p) else {
                continue;
            };
            let config = Config {
                trace: Some(TraceKind::LtlCounterexample),
                reach_product: round % 2 == 0,
                forward: false,
            };
            let verdict = check(&checker, e, &config).expect("no limits").verdict;
            let what = || format!("{} on\n{text}", p.text);
            match verdict {
                Verdict::True => assert!(expected, "{}", what()),
                Verdict::False(Some(trace)) => {
                    assert!(!expected, "{}", what());
                    let stem = explicit.shortest_stem(e).expect("a small model");
                    assert!(trace.loop_to <= stem, "{stem:?}: {trace:?}\n{}", what());
                    let past = |n: &Node| {
                        matches!(
                            n,
                            Node::Unary(UnOp::Y | UnOp::Z | UnOp::O | UnOp::H, _)
                                | Node::Binary(BinOp::S, ..)
                        )
                    };
                    if !model.any_node(e, past) {
                        assert_eq!(trace.loop_to, stem, "{trace:?}\n{}", what());
                    }
                    assert_eq!(replay(&model, p, &trace, false), Ok(()), "{}", what());
                }
                other => panic!("{other:?}: {}", what()),
            }
            let forward = Config {
                forward: true,
                ..Config::default()
            };
            let verdict = check(&checker, e, &forward).expect("no limits").verdict;
            assert_eq!(
                matches!(verdict, Verdict::True),
                expected,
                "forward: {}",
                what()
            );
            if expected {
                yes += 1;
            } else {
                no += 1;
            }
        }
    }
    assert!(yes > 400 && no > 400, "{yes} true, {no} false");
}

#[test]
fn compassion_is_heeded() {
    let cases = [
        ("COMPASSION(x = 0, b & x = 0);", "G F x = 1", false),
        ("COMPASSION(x = 0, b & x = 0);", "F x = 1", true),
        ("COMPASSION(TRUE, b);", "G F x = 2", true),
        ("COMPASSION(TRUE, i);", "G F b", false),
    ];
    for (fairness, formula, expected) in cases {
        let text = format!(
            "VAR x : 0..2; b : boolean; IVAR i : boolean; ASSIGN init(x) := 0; \
             next(x) := b ? (x + 1) mod 3 : x; {fairness} LTLSPEC {formula};"
        );
        let (fsm, reach) = fsm(flat(&text));
        let checker = Checker::new(&fsm, Some(reach)).expect("no limits");
        let PropFormula::Ltl(e) = fsm.model.properties[0].formula else {
            unreachable!("an LTLSPEC")
        };
        let verdict = check(&checker, e, &Config::default())
            .expect("no limits")
            .verdict;
        assert_eq!(matches!(verdict, Verdict::True), expected, "{text}");
    }
}

/// Each way to find the fair states leads to the same lasso.
#[test]
fn ways_agree() {
    let mut random = Random(11);
    let mut lassos = 0;
    for _ in 0..150 {
        let mut text = random.model();
        for _ in 0..3 {
            let depth = 1 + random.below(3) as u32;
            text += &format!("LTLSPEC {};\n", random.formula(depth));
        }
        let (fsm, reach) = fsm(flat(&text));
        let checker = Checker::new(&fsm, Some(reach)).expect("no limits");
        for p in &fsm.model.properties {
            let PropFormula::Ltl(e) = p.formula else {
                continue;
            };
            let mut translator = Translator::new(&fsm.model, |_| None);
            let negated = translator.form(e, false);
            let mut forms = translator.finish().expect("no limits");
            let observer = tableau::observer(&fsm, &mut forms, negated).expect("no limits");
            let product = fsm.product(&observer).expect("no limits");
            let search = Search::new(&checker, &product, &observer, &Config::default());
            let mut found = Vec::new();
            for way in [
                Way::Forward,
                Way::BackwardInProduct,
                Way::BackwardInModel,
                Way::Backward,
            ] {
                let fair = search.attempt(way).expect("no limits");
                let kind = TraceKind::LtlCounterexample;
                found.push(fair.map(|c| lasso(&c, kind).expect("no limits").steps));
            }
            assert!(
                found.windows(2).all(|w| w[0] == w[1]),
                "{} on\n{text}",
                p.text
            );
            lassos += usize::from(found[0].is_some());
        }
    }
    assert!(lassos > 100, "{lassos} lassos");
}
