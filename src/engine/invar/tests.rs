//! Counterexamples of each strategy and of `-AG` beside distances in listed random graphs.

use super::*;
use crate::encode::testing::machine;
use crate::engine::ag_only;
use crate::model::explicit::{Explicit, Length};
use crate::model::testing::{Random, flat};
use crate::model::{Node, PropFormula};
use crate::trace::replay::replay;
use std::rc::Rc;

impl Random {
    /// Eight states, few steps; invariants over states and over steps.
    fn sparse(&mut self) -> String {
        let state = ["p", "q", "r"];
        let step = ["p", "q", "r", "i", "next(p)", "next(q)", "next(r)"];
        let rarity = 6 + self.below(8);
        let mut text = format!(
            "VAR p : boolean; q : boolean; r : boolean; IVAR i : boolean;\n\
             TRANS {};\nINIT {};\nJUSTICE p & i;\n",
            self.table(&step, rarity),
            self.table(&state, 4),
        );
        if self.below(3) == 0 {
            text += &format!("INVAR !({});\n", self.table(&state, 8));
        }
        for _ in 0..3 {
            let bad = self.table(&state, 6);
            text += &format!("INVARSPEC !({bad});\nSPEC AG !({bad});\n");
        }
        text + &format!(
            "INVARSPEC !({});\n",
            self.table(&["i", "q", "next(p)", "r"], 6)
        )
    }
}

#[test]
fn counterexamples_are_as_short_as_distances() {
    let mut random = Random(23);
    let mut lengths = [0; 8];
    for _ in 0..200 {
        let text = random.sparse();
        let model = Rc::new(flat(&text));
        let fsm = machine(&model);
        let explicit = Explicit::new(&model, 100).expect("a small model");
        for p in &model.properties {
            // Where the violation lies, and how many steps show it.
            let (verdicts, e) = match p.formula {
                PropFormula::Invar(e) => {
                    let strategies = [
                        Strategy::Forward,
                        Strategy::Backward,
                        Strategy::ForwardBackward,
                    ];
                    let all = strategies.map(|s| {
                        let mut reach = Reach::new(&fsm);
                        check(&fsm, &mut reach, e, true, s).expect("no limits")
                    });
                    (Vec::from(all), e)
                }
                PropFormula::Ctl(e) => {
                    let Node::Unary(_, inner) = *model.pool.node(e) else {
                        unreachable!("an AG")
                    };
                    let mut reach = Reach::new(&fsm);
                    let verdict = ag_only::check(&fsm, &mut reach, e, true).expect("no limits");
                    (vec![verdict.expect("only AG")], inner)
                }
                _ => unreachable!("only these two"),
            };
            let shown = usize::from(model.reads_step(e));
            let expected = match explicit.distance_to_violation(e).expect("a small model") {
                Length::Finite(n) => Some(n as usize + shown),
                _ => None,
            };
            for verdict in verdicts {
                let what = || format!("{} on\n{text}", p.text);
                let length = match &verdict {
                    Verdict::True => None,
                    Verdict::False(Some(trace)) => {
                        assert_eq!(replay(&model, p, trace, false), Ok(()), "{}", what());
                        Some(trace.steps.len() - 1)
                    }
                    other => panic!("{other:?}: {}", what()),
                };
                assert_eq!(length, expected, "{}", what());
                lengths[length.map_or(0, |n| 1 + n.min(6))] += 1;
            }
        }
    }
    // True, then lengths 0 to 3.
    assert!(lengths[..5].iter().all(|&n| n > 20), "{lengths:?}");
}
