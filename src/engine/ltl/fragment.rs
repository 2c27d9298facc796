//! Formulas that need no tableau.
//!
//! "Some fair path satisfies f" is a CTL question where f is built from state formulas p by
//!
//! ```text
//! E(p ∧ f) = p ∧ E f     E(f ∨ g) = E f ∨ E g     E X f = EX E f     E(p U f) = E[p U E f]     E(p R q)
//! ```
//!
//! (after Maidl, "The common fragment of CTL and LTL", FOCS 2000). Most properties in use are of this kind
//! once negated: `G p`, `G (p -> F q)`, `F G p`. They are decided on the machine itself, an `F` at the top by
//! looking at the reachable states only. Counterexamples come from the tableau all the same.

use super::formula::{Form, FormId, Forms};
use crate::base::deep;
use crate::dd::Bdd;
use crate::encode::error::Result;
use crate::engine::Checker;
use crate::engine::algebra::{Algebra, Machine, TwoValued};
use crate::engine::fixpoint::{Hint, apply};
use crate::logic::CtlOp;
use rustc_hash::FxHashMap;
use smv_grammar::ops::{BinOp, UnOp};

/// The states from which some fair path satisfies a formula.
#[derive(Clone)]
struct Sat {
    states: Bdd,
    /// The formula is one about states.
    of_state: bool,
}

/// Decides formulas of the fragment.
pub struct Fragment<'a, 'f> {
    checker: &'a Checker<'f>,
    forms: &'a Forms,
    memo: FxHashMap<FormId, Option<Sat>>,
    /// What is known of membership in the fragment.
    members: FxHashMap<FormId, bool>,
}

impl<'a, 'f> Fragment<'a, 'f> {
    pub fn new(checker: &'a Checker<'f>, forms: &'a Forms) -> Self {
        Fragment {
            checker,
            forms,
            memo: FxHashMap::default(),
            members: FxHashMap::default(),
        }
    }

    /// Whether a fair path from an initial state satisfies `f`; none if `f` is not in the fragment.
    pub fn has_path(&mut self, f: FormId) -> Result<Option<bool>> {
        if !self.contains(f) {
            return Ok(None);
        }
        let from = self.checker.fair_init()?;
        self.holds_from(from, f)
    }

    fn holds_from(&mut self, from: Bdd, f: FormId) -> Result<Option<bool>> {
        if let Some(g) = self.eventually(f) {
            return self.holds_from(self.checker.fair().clone(), g);
        }
        if let Form::Or(a, b) = self.forms.node(f) {
            return Ok(match self.holds_from(from.clone(), a)? {
                Some(false) => self.holds_from(from, b)?,
                other => other,
            });
        }
        Ok(self.sat(f)?.map(|sat| from.intersects(&sat.states)))
    }

    /// The operand of an `F`, where it can be looked for among the reachable states.
    fn eventually(&self, f: FormId) -> Option<FormId> {
        match self.forms.node(f) {
            Form::U(a, b)
                if self.forms.node(a) == Form::Const(true) && self.checker.reach().is_some() =>
            {
                Some(b)
            }
            _ => None,
        }
    }

    /// Whether `f` is in the fragment.
    fn contains(&mut self, f: FormId) -> bool {
        if let Some(&known) = self.members.get(&f) {
            return known;
        }
        let (a, b) = match self.forms.node(f) {
            Form::And(a, b) | Form::Or(a, b) | Form::U(a, b) | Form::R(a, b) => (a, b),
            Form::X(a) => (a, a),
            _ => (f, f),
        };
        let found = self.is_state(f)
            || deep(|| match self.forms.node(f) {
                Form::And(..) if self.is_state(a) => self.contains(b),
                Form::And(..) if self.is_state(b) => self.contains(a),
                Form::Or(..) => self.contains(a) && self.contains(b),
                Form::X(_) => self.contains(a),
                Form::U(..) => self.is_state(a) && self.contains(b),
                Form::R(..) => self.is_state(a) && self.is_state(b),
                _ => false,
            });
        self.members.insert(f, found);
        found
    }

    fn is_state(&self, f: FormId) -> bool {
        deep(|| match self.forms.node(f) {
            Form::Const(_) => true,
            Form::Atom(e, _) => !self.checker.fsm.model.reads_step(e),
            Form::And(a, b) | Form::Or(a, b) => self.is_state(a) && self.is_state(b),
            _ => false,
        })
    }

    fn sat(&mut self, f: FormId) -> Result<Option<Sat>> {
        if let Some(known) = self.memo.get(&f) {
            return Ok(known.clone());
        }
        let value = deep(|| self.compute(f))?;
        self.memo.insert(f, value.clone());
        Ok(value)
    }

    fn compute(&mut self, f: FormId) -> Result<Option<Sat>> {
        let algebra = TwoValued(self.checker);
        let path = |states| {
            Ok(Some(Sat {
                states,
                of_state: false,
            }))
        };
        let ctl = |op, a: &Bdd, b: Option<&Bdd>| apply(&algebra, op, a, b, Hint::NONE);
        let (a, b) = match self.forms.node(f) {
            Form::Const(value) => {
                let states = if value {
                    self.checker.care().clone()
                } else {
                    algebra.bottom()?
                };
                return Ok(Some(Sat {
                    states,
                    of_state: true,
                }));
            }
            Form::Atom(e, positive) => {
                let states = self.checker.leaf(e)?;
                let states = if positive {
                    states
                } else {
                    algebra.not(&states)?
                };
                return Ok(Some(Sat {
                    states,
                    of_state: true,
                }));
            }
            Form::X(a) => {
                let Some(a) = self.sat(a)? else {
                    return Ok(None);
                };
                return path(ctl(CtlOp::Temporal(UnOp::Ex), &a.states, None)?);
            }
            Form::And(a, b) | Form::Or(a, b) | Form::U(a, b) | Form::R(a, b) => (a, b),
            _ => return Ok(None),
        };
        let (Some(a), Some(b)) = (self.sat(a)?, self.sat(b)?) else {
            return Ok(None);
        };
        let of_state = a.of_state && b.of_state;
        match self.forms.node(f) {
            Form::And(..) if a.of_state || b.of_state => Ok(Some(Sat {
                states: a.states.and(&b.states)?,
                of_state,
            })),
            Form::Or(..) => Ok(Some(Sat {
                states: a.states.or(&b.states)?,
                of_state,
            })),
            Form::U(..) if a.of_state => {
                path(ctl(CtlOp::Until(BinOp::Eu), &a.states, Some(&b.states))?)
            }
            Form::R(..) if of_state => {
                let both = a.states.and(&b.states)?;
                let until = ctl(CtlOp::Until(BinOp::Eu), &b.states, Some(&both))?;
                let always = ctl(CtlOp::Temporal(UnOp::Eg), &b.states, None)?;
                path(until.or(&always)?)
            }
            _ => Ok(None),
        }
    }
}
