//! Does NuSMV warn of a tableau without initial states?
//!
//! It builds a machine for the tableau alone, and its warning on empty sets of initial states then
//! speaks of that machine: it appears when the negated formula is false whatever the state and
//! whatever is claimed of other states. `X f` and `X(a U b)` count as independent variables, as they are
//! written (`X !p` is not `!X p`), so do atoms that read inputs or next values; nothing has been
//! before the first state.

use crate::base::deep;
use crate::dd::Bdd;
use crate::encode::BddFsm;
use crate::encode::error::Result;
use crate::model::{ExprId, Node, Type};
use rustc_hash::FxHashMap;
use smv_grammar::ops::{BinOp, BoundedOp, UnOp};

/// Whether the negation of `e` is a contradiction in that sense.
pub fn is_contradiction(fsm: &BddFsm, e: ExprId) -> Result<bool> {
    let mut initial = Initial {
        fsm,
        claims: FxHashMap::default(),
        values: FxHashMap::default(),
        expanded: FxHashMap::default(),
        alike: FxHashMap::default(),
    };
    Ok(initial.value(e)?.is_one())
}

/// A formula without the negations around it, and whether they leave it as it is; no formula for
/// constants.
type Signed = (Option<ExprId>, bool);

/// What is claimed of other states.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Claim {
    Next(Signed),
    /// The first operand is missing for TRUE.
    Until(Option<Signed>, Signed),
    Step(ExprId),
    Interval(ExprId),
}

struct Initial<'a> {
    fsm: &'a BddFsm,
    claims: FxHashMap<Claim, Bdd>,
    values: FxHashMap<ExprId, Bdd>,
    /// See [`Self::expanded`].
    expanded: FxHashMap<ExprId, ExprId>,
    /// The first expression that is written so, its operands being such first ones.
    alike: FxHashMap<Node, ExprId>,
}

impl Initial<'_> {
    fn free(&mut self, claim: Claim) -> Result<Bdd> {
        if let Some(known) = self.claims.get(&claim) {
            return Ok(known.clone());
        }
        let bit = self.fsm.extra_bit(self.claims.len())?;
        let bit = self.fsm.manager.var(bit.current);
        self.claims.insert(claim, bit.clone());
        Ok(bit)
    }

    /// One expression for all that are written alike once DEFINEs are expanded, as NuSMV does.
    fn expanded(&mut self, e: ExprId) -> ExprId {
        let e = self.fsm.model.meant(e);
        if let Some(&known) = self.expanded.get(&e) {
            return known;
        }
        let mut node = self.fsm.model.pool.node(e).clone();
        deep(|| node.map_operands(|o| self.expanded(o)));
        let first = *self.alike.entry(node).or_insert(e);
        self.expanded.insert(e, first);
        first
    }

    /// Takes the negations off `e`, or off its negation, and folds constants as NuSMV does.
    fn signed(&mut self, e: ExprId, mut positive: bool) -> Signed {
        let fsm = self.fsm;
        let model = &fsm.model;
        let mut e = self.expanded(e);
        while let Node::Unary(UnOp::Not, a) = *model.pool.node(e)
            && model.type_of(a) == Type::Bool
        {
            e = self.expanded(a);
            positive = !positive;
        }
        match model.folded(e) {
            Some(value) if !model.reads_step(e) => (None, value == positive),
            _ => (Some(e), positive),
        }
    }

    fn value(&mut self, e: ExprId) -> Result<Bdd> {
        if let Some(known) = self.values.get(&e) {
            return Ok(known.clone());
        }
        let value = deep(|| self.compute(e))?;
        self.values.insert(e, value.clone());
        Ok(value)
    }

    fn compute(&mut self, e: ExprId) -> Result<Bdd> {
        use BinOp::*;
        let fsm = self.fsm;
        if !fsm.model.pool.is_temporal(e) {
            return self.atom(e);
        }
        Ok(match *fsm.model.pool.node(e) {
            Node::Unary(UnOp::Not, a) => self.value(a)?.not(),
            Node::Unary(UnOp::X, a) => {
                let claim = Claim::Next(self.signed(a, true));
                self.free(claim)?
            }
            Node::Unary(UnOp::F, a) => {
                let claim = Claim::Until(None, self.signed(a, true));
                let later = self.free(claim)?;
                self.value(a)?.or(&later)?
            }
            Node::Unary(UnOp::G, a) => {
                let claim = Claim::Until(None, self.signed(a, false));
                let later = self.free(claim)?;
                self.value(a)?.diff(&later)?
            }
            Node::Unary(UnOp::Y, _) => fsm.manager.zero(),
            Node::Unary(UnOp::Z, _) => fsm.manager.one(),
            Node::Unary(_, a) | Node::Binary(S, _, a) => self.value(a)?,
            Node::Binary(U, a, b) => {
                let claim = Claim::Until(Some(self.signed(a, true)), self.signed(b, true));
                let later = self.free(claim)?;
                self.value(b)?.or(&self.value(a)?.and(&later)?)?
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                match op {
                    And => a.and(&b)?,
                    Or => a.or(&b)?,
                    Implies => a.implies(&b)?,
                    Xor | Neq => a.xor(&b)?,
                    _ => a.xnor(&b)?,
                }
            }
            Node::Ite(c, a, b) => self.value(c)?.ite(&self.value(a)?, &self.value(b)?)?,
            Node::Bounded { op, lo, hi, a, .. } => {
                let now = self.value(a)?;
                let e = self.expanded(e);
                match (op, lo, hi) {
                    (_, 0, 0) => now,
                    (BoundedOp::LtlF, 0, _) => now.or(&self.free(Claim::Interval(e))?)?,
                    (BoundedOp::LtlG, 0, _) => now.and(&self.free(Claim::Interval(e))?)?,
                    (BoundedOp::LtlF | BoundedOp::LtlG, ..) => self.free(Claim::Interval(e))?,
                    (BoundedOp::LtlO, 0, _) => now,
                    _ => fsm.manager.zero(),
                }
            }
            _ => self.atom(e)?,
        })
    }

    /// What reads a step is a variable to NuSMV, whatever it says.
    fn atom(&mut self, e: ExprId) -> Result<Bdd> {
        if self.fsm.model.reads_step(e) {
            let e = self.expanded(e);
            return self.free(Claim::Step(e));
        }
        match self.fsm.model.folded(e) {
            Some(value) => Ok(self.fsm.manager.constant(value)),
            None => self.fsm.boolean(e),
        }
    }
}
