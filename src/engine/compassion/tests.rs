//! Random graphs with conditions over states and inputs: verdicts and lassos beside listed graphs.

use crate::dd::WordDd;
use crate::encode::testing::machine;
use crate::engine::Checker;
use crate::engine::algebra::{Algebra, Words};
use crate::engine::ctl::operator;
use crate::engine::fixpoint::{Hint, apply};
use crate::engine::ltl;
use crate::engine::outcome::Verdict;
use crate::engine::reach::Reach;
use crate::model::explicit::{Answer, Explicit};
use crate::model::testing::{Random, flat};
use crate::model::{ExprId, PropFormula};
use crate::trace::TraceKind;
use crate::trace::replay::replay;
use std::rc::Rc;

/// Formulas that say the same in CTL and LTL, or have no LTL counterpart.
const FORMULAS: [(&str, Option<&str>); 10] = [
    ("AG p", Some("G p")),
    ("AF p", Some("F p")),
    ("AG AF q", Some("G F q")),
    ("A [p U q]", Some("p U q")),
    ("AG (p -> AF q)", Some("G (p -> F q)")),
    ("AX q", Some("X q")),
    ("EG p", None),
    ("EF EG !q", None),
    ("AG EF p", None),
    ("AG (q -> EX EG (p | q))", None),
];

impl Random {
    fn graph(&mut self) -> String {
        let mut text = String::from("VAR p : boolean; q : boolean; IVAR i : boolean;\n");
        let step = ["p", "q", "i", "next(p)", "next(q)"];
        let density = 2 + self.below(3);
        text += &format!("TRANS {};\n", self.table(&step, density));
        if self.below(2) == 0 {
            text += &format!("INIT {};\n", self.table(&["p", "q"], 2));
        }
        for _ in 0..1 + self.below(2) {
            let mut side = || {
                let names: &[&str] = if self.below(4) == 0 {
                    &["p", "q"]
                } else {
                    &["p", "q", "i"]
                };
                self.table(names, 2)
            };
            let (p, q) = (side(), side());
            text += &format!("COMPASSION ({p}, {q});\n");
        }
        if self.below(3) == 0 {
            text += &format!("JUSTICE {};\n", self.table(&["p", "q", "i"], 2));
        }
        for (ctl, ltl) in FORMULAS {
            text += &format!("SPEC {ctl};\n");
            if let Some(ltl) = ltl {
                text += &format!("LTLSPEC {ltl};\n");
            }
        }
        text
    }
}

/// The value of a formula among words that are 0 or 1 throughout.
fn word_of(checker: &Checker, words: &Words, e: ExprId) -> WordDd {
    match operator(&checker.fsm.model, e) {
        Some((op, a, b)) if checker.fsm.model.pool.is_temporal(e) => {
            let a = word_of(checker, words, a);
            let b = b.map(|b| word_of(checker, words, b));
            apply(words, op, &a, b.as_ref(), Hint::NONE).expect("no limits")
        }
        _ => {
            let leaf = checker.leaf(e).expect("a state formula");
            words.embed(&leaf).expect("no limits")
        }
    }
}

#[test]
fn conditions_over_inputs_agree_with_listed_graphs() {
    let mut random = Random(41);
    let (mut yes, mut no, mut lassos) = (0, 0, 0);
    for _ in 0..400 {
        let text = random.graph();
        let model = Rc::new(flat(&text));
        let fsm = machine(&model);
        let mut reach = Reach::new(&fsm);
        reach.finish(&fsm).expect("no limits");
        let checker = Checker::new(&fsm, Some(reach)).expect("no limits");
        let explicit = Explicit::new(&model, 100).expect("a small model");
        let words = Words {
            machine: &checker,
            mask: 0,
            bottom: WordDd::from_bdd(&fsm.manager.zero()).expect("no limits"),
            top: WordDd::from_bdd(&fsm.manager.one()).expect("no limits"),
        };
        for p in &model.properties {
            let what = || format!("{} on\n{text}", p.text);
            let expected = explicit.check(p);
            let trace = match p.formula {
                PropFormula::Ctl(e) => {
                    let holds = checker.holds(e).expect("no limits");
                    assert_eq!(expected, Ok(Answer::Holds(holds)), "{}", what());
                    let value = words.embed(&checker.sat(e).expect("no limits"));
                    assert!(value == Ok(word_of(&checker, &words, e)), "{}", what());
                    let kind = TraceKind::CtlCounterexample;
                    (!holds).then(|| checker.counterexample(e, kind).expect("no limits"))
                }
                PropFormula::Ltl(e) => {
                    let config = ltl::Config {
                        trace: Some(TraceKind::LtlCounterexample),
                        ..ltl::Config::default()
                    };
                    let verdict = ltl::check(&checker, e, &config).expect("no limits").verdict;
                    let holds = matches!(verdict, Verdict::True);
                    assert_eq!(expected, Ok(Answer::Holds(holds)), "{}", what());
                    match verdict {
                        Verdict::False(trace) => trace,
                        _ => None,
                    }
                }
                _ => unreachable!("only these two"),
            };
            if let Some(trace) = trace {
                assert_eq!(replay(&model, p, &trace, false), Ok(()), "{}", what());
                lassos += usize::from(trace.loop_to.is_some());
                no += 1;
            } else {
                yes += 1;
            }
        }
    }
    assert!(yes > 400 && no > 400 && lassos > 300, "{yes} {no} {lassos}");
}
