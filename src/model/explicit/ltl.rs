//! LTL with past over listed states, by truth assignments.
//!
//! Nodes are steps of the model with a guess of all elementary subformulas (`X f`, `X (f U g)`, and
//! what `Y`, `Z` and `S` remember); a guess must agree with the next step's, and each until is fulfilled
//! (Lichtenstein and Pnueli, "Checking that finite state concurrent programs satisfy their linear
//! specification", POPL 1985). A formula fails if a fair cycle can be reached from an initial step at
//! which it is false. Intervals are not listed.

use super::fair::FairGraph;
use super::{Explicit, ExplicitError, Result};
use crate::model::eval::{Env, Evaluator};
use crate::model::{ExprId, Node};
use smv_grammar::ops::{BinOp, UnOp};

/// A subformula; operands are indices of earlier ones.
enum Part {
    Atom(ExprId),
    Not(usize),
    Connective(BinOp, usize, usize),
    /// Elementary bit: X f, Y f, Z f.
    Unary(UnOp, usize),
    /// U or S with an elementary bit: X (f U g), Y (f S g).
    Binary(BinOp, usize, usize),
}

impl Part {
    fn elementary(&self) -> bool {
        matches!(self, Part::Unary(..) | Part::Binary(..))
    }

    fn looks_back(&self) -> bool {
        matches!(
            self,
            Part::Unary(UnOp::Y | UnOp::Z, _) | Part::Binary(BinOp::S, ..)
        )
    }
}

/// A step of the model with values of all subformulas and the guessed bits.
struct Moment {
    from: usize,
    to: usize,
    input: usize,
    values: Vec<bool>,
    /// By subformula; false where it is not elementary.
    guess: Vec<bool>,
}

impl Explicit<'_> {
    /// Does every fair path from an initial state satisfy `e`?
    pub fn ltl(&self, e: ExprId) -> Result<bool> {
        Ok(self.shortest_stem(e)?.is_none())
    }

    /// The smallest number of states before the loop of a fair lasso on which `e` is false. Where `e` looks
    /// back, the loop must repeat what has been as well, so that there may be lassos with shorter stems.
    pub fn shortest_stem(&self, e: ExprId) -> Result<Option<usize>> {
        let mut subs = Vec::new();
        let root = self.subformulas(e, &mut subs)?;
        let moments = self.moments(&subs)?;
        let graph = self.graph(&subs, &moments);
        let mut alive = vec![false; moments.len()];
        let mut front: Vec<u32> = (0..moments.len() as u32)
            .filter(|&m| {
                let m = &moments[m as usize];
                let fresh = subs.iter().zip(&m.guess).all(|(sub, &bit)| match sub {
                    Part::Unary(UnOp::Z, _) => bit,
                    _ => !(sub.looks_back() && bit),
                });
                self.initial[m.from] && fresh && !m.values[root]
            })
            .collect();
        let mut rings = Vec::new();
        while !front.is_empty() {
            front.retain(|&m| !std::mem::replace(&mut alive[m as usize], true));
            let onward = front.iter().flat_map(|&m| &graph.successors[m as usize]);
            let next = onward.copied().collect();
            rings.push(std::mem::replace(&mut front, next));
        }
        let recurring = graph.recurring(&alive);
        let recurs = |ring: &Vec<u32>| ring.iter().any(|&m| recurring[m as usize]);
        Ok(rings.iter().position(recurs))
    }

    fn subformulas(&self, e: ExprId, subs: &mut Vec<Part>) -> Result<usize> {
        use BinOp::*;
        let temporal = self.model.pool.is_temporal(e);
        let constant = |value: bool, subs: &mut Vec<Part>| {
            // TRUE is an atom's tautology: `p | !p` of the first subformula.
            let last = subs.len() - 1;
            subs.push(Part::Not(last));
            let op = if value { Or } else { And };
            subs.push(Part::Connective(op, last, last + 1));
            subs.len() - 1
        };
        let sub = match *self.model.pool.node(e) {
            _ if !temporal => Part::Atom(e),
            Node::Unary(UnOp::Not, a) => Part::Not(self.subformulas(a, subs)?),
            Node::Unary(op @ (UnOp::X | UnOp::Y | UnOp::Z), a) => {
                Part::Unary(op, self.subformulas(a, subs)?)
            }
            Node::Unary(op, a) => {
                let a = self.subformulas(a, subs)?;
                let always = constant(true, subs);
                let until = match op {
                    UnOp::F | UnOp::G => U,
                    _ => S,
                };
                if matches!(op, UnOp::F | UnOp::O) {
                    Part::Binary(until, always, a)
                } else {
                    subs.push(Part::Not(a));
                    subs.push(Part::Binary(until, always, subs.len() - 1));
                    Part::Not(subs.len() - 1)
                }
            }
            Node::Binary(op @ (U | S), a, b) => {
                let (a, b) = (self.subformulas(a, subs)?, self.subformulas(b, subs)?);
                Part::Binary(op, a, b)
            }
            Node::Binary(op @ (And | Or | Xor | Xnor | Implies | Iff), a, b) => {
                let (a, b) = (self.subformulas(a, subs)?, self.subformulas(b, subs)?);
                Part::Connective(op, a, b)
            }
            _ => return Err(ExplicitError::NotSupported),
        };
        subs.push(sub);
        Ok(subs.len() - 1)
    }

    fn moments(&self, subs: &[Part]) -> Result<Vec<Moment>> {
        let elementary: Vec<usize> = (0..subs.len()).filter(|&i| subs[i].elementary()).collect();
        if elementary.len() > 12 {
            return Err(ExplicitError::TooLarge(1 << 12));
        }
        let mut all = Vec::new();
        for (from, steps) in self
            .steps
            .iter()
            .enumerate()
            .filter(|(s, _)| self.reachable[*s])
        {
            for &(input, to) in steps {
                let (input, to) = (input as usize, to as usize);
                let env = Env {
                    cur: &self.states[from],
                    input: &self.inputs[input],
                    next: Some(&self.states[to]),
                };
                let mut evaluator = Evaluator::new(self.model, env);
                let mut atoms = vec![false; subs.len()];
                for (value, sub) in atoms.iter_mut().zip(subs) {
                    if let Part::Atom(e) = sub {
                        *value = evaluator.holds(*e)?;
                    }
                }
                for code in 0..1u32 << elementary.len() {
                    let mut guess = vec![false; subs.len()];
                    for (k, &i) in elementary.iter().enumerate() {
                        guess[i] = code >> k & 1 == 1;
                    }
                    let values = values(subs, &atoms, &guess);
                    all.push(Moment {
                        from,
                        to,
                        input,
                        values,
                        guess,
                    });
                }
            }
        }
        Ok(all)
    }

    fn graph(&self, subs: &[Part], moments: &[Moment]) -> FairGraph {
        let mut by_state = vec![Vec::new(); self.states.len()];
        for (i, m) in moments.iter().enumerate() {
            by_state[m.from].push(i as u32);
        }
        let agrees = |now: &Moment, then: &Moment| {
            subs.iter().enumerate().all(|(i, sub)| match sub {
                Part::Unary(UnOp::X, a) => now.guess[i] == then.values[*a],
                Part::Unary(_, a) => then.guess[i] == now.values[*a],
                Part::Binary(BinOp::U, ..) => now.guess[i] == then.values[i],
                Part::Binary(..) => then.guess[i] == now.values[i],
                _ => true,
            })
        };
        let successors = moments
            .iter()
            .map(|now| {
                let next = by_state[now.to].iter().copied();
                next.filter(|&t| agrees(now, &moments[t as usize]))
                    .collect()
            })
            .collect();
        let step = |set: &Vec<Vec<bool>>| moments.iter().map(|m| set[m.from][m.input]).collect();
        let mut justice: Vec<Vec<bool>> = self.justice.iter().map(step).collect();
        for (i, sub) in subs.iter().enumerate() {
            if let Part::Binary(BinOp::U, _, b) = sub {
                justice.push(
                    moments
                        .iter()
                        .map(|m| m.values[*b] || !m.values[i])
                        .collect(),
                );
            }
        }
        FairGraph {
            successors,
            justice,
            compassion: self
                .compassion
                .iter()
                .map(|(p, q)| (step(p), step(q)))
                .collect(),
        }
    }
}

fn values(subs: &[Part], atoms: &[bool], guess: &[bool]) -> Vec<bool> {
    let mut values = vec![false; subs.len()];
    for (i, sub) in subs.iter().enumerate() {
        values[i] = match *sub {
            Part::Atom(_) => atoms[i],
            Part::Not(a) => !values[a],
            Part::Connective(op, a, b) => match op {
                BinOp::And => values[a] && values[b],
                BinOp::Or => values[a] || values[b],
                BinOp::Implies => !values[a] || values[b],
                BinOp::Xor => values[a] != values[b],
                _ => values[a] == values[b],
            },
            Part::Unary(..) => guess[i],
            Part::Binary(_, a, b) => values[b] || (values[a] && guess[i]),
        };
    }
    values
}
