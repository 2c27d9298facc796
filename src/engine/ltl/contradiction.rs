//! Does NuSMV warn of a tableau without initial states?
//!
//! It builds a machine for the tableau alone, and its warning on empty sets of initial states then
//! speaks of that machine: it appears when the negated formula is false whatever the state and
//! whatever is claimed of other states. `X f` and `X(a U b)` count as independent variables, so do
//! atoms that read inputs or next values; nothing has been before the first state.

use super::formula::{Form, FormId, Translator};
use crate::base::deep;
use crate::dd::Bdd;
use crate::encode::BddFsm;
use crate::encode::error::Result;
use crate::model::{ExprId, Node};
use rustc_hash::FxHashMap;

/// Whether the negation of `e` is a contradiction in that sense.
pub fn is_contradiction(fsm: &BddFsm, e: ExprId) -> Result<bool> {
    let mut translator = Translator::literal(&fsm.model, |atom| {
        let known = super::constant(fsm, atom);
        known.filter(|_| is_constant_to_nusmv(fsm, atom))
    });
    let negated = translator.form(e, false);
    let mut initial = Initial {
        fsm,
        translator,
        bits: FxHashMap::default(),
        values: FxHashMap::default(),
    };
    Ok(initial.value(negated)?.is_zero())
}

/// Constants to NuSMV are expressions without variables and comparisons of something with itself.
fn is_constant_to_nusmv(fsm: &BddFsm, atom: ExprId) -> bool {
    match fsm.model.pool.node(atom) {
        _ if fsm.model.reads_step(atom) => false,
        Node::Binary(_, a, b) if a == b => true,
        _ => !fsm.model.any_node(atom, |n| matches!(n, Node::Var(_))),
    }
}

struct Initial<'a> {
    fsm: &'a BddFsm,
    translator: Translator<'a>,
    bits: FxHashMap<FormId, Bdd>,
    values: FxHashMap<FormId, Bdd>,
}

impl Initial<'_> {
    /// An independent variable for a formula; its negation is that of the negated formula.
    fn free(&mut self, f: FormId) -> Result<Bdd> {
        let dual = self.translator.forms.dual(f);
        let i = self.bits.len();
        let bit = match self.bits.get(&f.min(dual)) {
            Some(known) => known.clone(),
            None => self.fsm.manager.var(self.fsm.extra_bit(i)?.current),
        };
        self.bits.insert(f.min(dual), bit.clone());
        Ok(if f < dual { bit } else { bit.not() })
    }

    fn value(&mut self, f: FormId) -> Result<Bdd> {
        if let Some(known) = self.values.get(&f) {
            return Ok(known.clone());
        }
        let value = deep(|| self.compute(f))?;
        self.values.insert(f, value.clone());
        Ok(value)
    }

    fn compute(&mut self, f: FormId) -> Result<Bdd> {
        Ok(match self.translator.forms.node(f) {
            Form::Const(value) => self.fsm.manager.constant(value),
            Form::Atom(e, _) if self.fsm.model.reads_step(e) => self.free(f)?,
            Form::Atom(e, true) => self.fsm.boolean(e)?,
            Form::Atom(e, false) => self.fsm.boolean(e)?.not(),
            Form::And(a, b) => self.value(a)?.and(&self.value(b)?)?,
            Form::Or(a, b) => self.value(a)?.or(&self.value(b)?)?,
            Form::X(_) => self.free(f)?,
            Form::Y(_) => self.fsm.manager.zero(),
            Form::Z(_) => self.fsm.manager.one(),
            Form::U(a, b) => self.value(b)?.or(&self.value(a)?.and(&self.free(f)?)?)?,
            Form::R(..) => {
                let dual = self.translator.forms.dual(f);
                self.value(dual)?.not()
            }
            Form::S(_, b) | Form::T(_, b) => self.value(b)?,
        })
    }
}
