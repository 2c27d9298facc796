//! The tableau of a formula: an observer that guesses what will hold and remembers what held.
//!
//! `(machine, formula) → Observer`, whose fair paths from its initial states are the fair paths of
//! the machine on which the formula holds. One bit for each elementary formula:
//!
//! ```text
//! X f          bit → f'                     f is claimed for the next state
//! Y f          bit' → f, ¬bit at first      f held (↔ where f looks back only)
//! Z f          bit' → f
//! step atom    bit ↔ atom                   atoms over inputs and `next`
//! a U b = b ∨ (a ∧ X(a U b))                a R b = b ∧ (a ∨ X(a R b))
//! a S b = b ∨ (a ∧ Y(a S b))                a T b = b ∧ (a ∨ Z(a T b))
//! ```
//!
//! and a justice constraint `¬X(a U b) ∨ b` for each until. Of the conjuncts at the top, `G f` needs no bit of
//! its own, since f is to hold at every step, and `G F f` is the justice constraint f. Formulas are in negation normal form, so
//! that a claim need not be exact: a path satisfies what it claims and maybe more (Clarke, Grumberg
//! and Hamaguchi, "Another look at LTL model checking", FMSD 1997; implications instead of
//! equivalences as in the "sloppy" encoding of Rozier and Vardi, FM 2011). Formulas that only look
//! back are exact, so that a formula and its negation share their bits.

use super::formula::{Form, FormId, Forms};
use crate::base::deep;
use crate::dd::Bdd;
use crate::encode::error::Result;
use crate::encode::fsm::Justice;
use crate::encode::{BddFsm, ExtraBit, Observer};
use crate::model::ExprId;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// What a bit stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Elementary {
    Next(FormId),
    Before(FormId),
    WeaklyBefore(FormId),
    Step(ExprId),
}

struct Tableau<'t, 'f> {
    fsm: &'f BddFsm,
    forms: &'t mut Forms,
    bits: IndexMap<Elementary, ExtraBit, FxBuildHasher>,
    values: FxHashMap<FormId, Bdd>,
    /// Right operand of an until, and the claim that it is still to come.
    untils: Vec<(Bdd, Bdd)>,
    /// What holds at every step: over current bits, or inputs and next bits as well.
    always: Vec<Bdd>,
    /// What holds again and again, over current bits and inputs.
    often: Vec<Justice>,
}

/// The observer of `root`.
pub fn observer(fsm: &BddFsm, forms: &mut Forms, root: FormId) -> Result<Observer> {
    let mut tableau = Tableau {
        fsm,
        forms,
        bits: IndexMap::default(),
        values: FxHashMap::default(),
        untils: Vec::new(),
        always: Vec::new(),
        often: Vec::new(),
    };
    let mut value = fsm.manager.one();
    let mut todo = vec![root];
    while let Some(f) = todo.pop() {
        match tableau.forms.node(f) {
            Form::And(a, b) => todo.extend([b, a]),
            Form::R(a, b) if tableau.forms.node(a) == Form::Const(false) => tableau.globally(b)?,
            _ => value = value.and(&tableau.value(f)?)?,
        }
    }
    let mut compassion = Vec::new();
    for (p, q) in &fsm.model.compassion {
        compassion.push((tableau.atom(p.expr)?, tableau.atom(q.expr)?));
    }
    tableau.finish(value, compassion)
}

impl Tableau<'_, '_> {
    /// The bit of an elementary formula, as a function.
    fn bit(&mut self, of: Elementary) -> Result<Bdd> {
        let bit = match self.bits.get(&of) {
            Some(&known) => known,
            None => {
                let new = self.fsm.extra_bit(self.bits.len())?;
                self.bits.insert(of, new);
                new
            }
        };
        Ok(self.fsm.manager.var(bit.current))
    }

    /// The states in which a formula is claimed.
    fn value(&mut self, f: FormId) -> Result<Bdd> {
        if let Some(known) = self.values.get(&f) {
            return Ok(known.clone());
        }
        let value = deep(|| self.compute(f))?;
        self.values.insert(f, value.clone());
        Ok(value)
    }

    fn compute(&mut self, f: FormId) -> Result<Bdd> {
        let node = self.forms.node(f);
        if !self.forms.looks_ahead(f) && matches!(node, Form::Z(_) | Form::T(..)) {
            let dual = self.forms.dual(f);
            return Ok(self.value(dual)?.not());
        }
        Ok(match node {
            Form::Const(value) => self.fsm.manager.constant(value),
            Form::Atom(e, positive) => {
                let value = self.atom(e)?;
                if positive { value } else { value.not() }
            }
            Form::And(a, b) => self.value(a)?.and(&self.value(b)?)?,
            Form::Or(a, b) => self.value(a)?.or(&self.value(b)?)?,
            Form::X(a) => self.bit(Elementary::Next(a))?,
            Form::Y(a) => self.bit(Elementary::Before(a))?,
            Form::Z(a) => self.bit(Elementary::WeaklyBefore(a))?,
            Form::U(a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                let later = self.bit(Elementary::Next(f))?;
                self.untils.push((b.clone(), later.clone()));
                b.or(&a.and(&later)?)?
            }
            Form::R(a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                b.and(&a.or(&self.bit(Elementary::Next(f))?)?)?
            }
            Form::S(a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                b.or(&a.and(&self.bit(Elementary::Before(f))?)?)?
            }
            Form::T(a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                b.and(&a.or(&self.bit(Elementary::WeaklyBefore(f))?)?)?
            }
        })
    }

    /// Takes up that `f` holds at every step.
    fn globally(&mut self, f: FormId) -> Result<()> {
        let mut todo = vec![f];
        while let Some(f) = todo.pop() {
            let is = |f, value| self.forms.node(f) == Form::Const(value);
            match self.forms.node(f) {
                Form::And(a, b) => todo.extend([b, a]),
                Form::R(a, b) if is(a, false) => todo.push(b),
                Form::U(a, b) if is(a, true) => {
                    let condition = match self.present(b)?.map(|set| self.condition(set)) {
                        Some(Some(condition)) => condition,
                        _ => Justice {
                            set: self.value(b)?,
                            reads_inputs: false,
                        },
                    };
                    self.often.push(condition);
                }
                _ => {
                    let value = match self.present(f)? {
                        Some(value) => value,
                        None => self.value(f)?,
                    };
                    self.always.push(value);
                }
            }
        }
        Ok(())
    }

    /// The steps in which a formula without temporal operators holds.
    fn present(&self, f: FormId) -> Result<Option<Bdd>> {
        let both = |a, b| -> Result<Option<(Bdd, Bdd)>> {
            let a = deep(|| self.present(a))?;
            let b = deep(|| self.present(b))?;
            Ok(a.zip(b))
        };
        Ok(match self.forms.node(f) {
            Form::Const(value) => Some(self.fsm.manager.constant(value)),
            Form::Atom(e, true) => Some(self.fsm.boolean(e)?),
            Form::Atom(e, false) => Some(self.fsm.boolean(e)?.not()),
            Form::And(a, b) => both(a, b)?.map(|(a, b)| a.and(&b)).transpose()?,
            Form::Or(a, b) => both(a, b)?.map(|(a, b)| a.or(&b)).transpose()?,
            _ => None,
        })
    }

    /// A set of states and inputs as a condition; none if it reads next states.
    fn condition(&self, set: Bdd) -> Option<Justice> {
        let layout = &self.fsm.layout;
        let reads_inputs = layout.reads_inputs(&set);
        (!layout.reads_next(&set)).then_some(Justice { set, reads_inputs })
    }

    /// Whether a set is one of steps, not of states.
    fn is_of_step(&self, set: &Bdd) -> bool {
        let layout = &self.fsm.layout;
        layout.reads_next(set) || layout.reads_inputs(set)
    }

    fn atom(&mut self, e: ExprId) -> Result<Bdd> {
        let value = self.fsm.boolean(e)?;
        if self.is_of_step(&value) {
            self.bit(Elementary::Step(e))
        } else {
            Ok(value)
        }
    }

    /// The constraints, once all bits are known; a constraint may need further bits.
    fn finish(mut self, init: Bdd, compassion: Vec<(Bdd, Bdd)>) -> Result<Observer> {
        let mut targets = Vec::new();
        while targets.len() < self.bits.len() {
            let (&of, &bit) = self
                .bits
                .get_index(targets.len())
                .expect("there are more bits");
            let target = match of {
                Elementary::Step(e) => self.fsm.boolean(e)?,
                Elementary::Next(f) | Elementary::Before(f) | Elementary::WeaklyBefore(f) => {
                    self.value(f)?
                }
            };
            targets.push((of, bit, target));
        }
        let manager = &self.fsm.manager;
        let bits: Vec<ExtraBit> = self.bits.values().copied().collect();
        let swap = self.fsm.swap_with(&bits);
        let mut observer = Observer {
            bits,
            init,
            trans: Vec::new(),
            justice: Vec::new(),
            compassion,
        };
        for (of, bit, target) in targets {
            let (now, then) = (manager.var(bit.current), manager.var(bit.next));
            observer.trans.push(match of {
                Elementary::Next(_) => now.implies(&target.swap(&swap)?)?,
                Elementary::Before(f) if !self.forms.looks_ahead(f) => then.xnor(&target)?,
                Elementary::Before(_) | Elementary::WeaklyBefore(_) => then.implies(&target)?,
                Elementary::Step(_) => now.xnor(&target)?,
            });
            if let Elementary::Before(_) = of {
                observer.init = observer.init.diff(&now)?;
            }
        }
        for value in std::mem::take(&mut self.always) {
            observer.trans.push(value.clone());
            if !self.is_of_step(&value) {
                observer.trans.push(value.swap(&swap)?);
                observer.init = observer.init.and(&value)?;
            }
        }
        observer.justice = std::mem::take(&mut self.often);
        for (b, later) in &self.untils {
            observer.justice.push(Justice {
                set: b.or(&later.not())?,
                reads_inputs: false,
            });
        }
        Ok(observer)
    }
}
