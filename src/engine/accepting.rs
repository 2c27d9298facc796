//! The accepting states of a CTL formula, as NuSMV-a shows them (`-a`).
//!
//! They are the states that NuSMV's evaluation ends with: Boolean operators and leaves are taken
//! over all codes, and only the existential temporal operators lead into the care set. So outside
//! the care set `AG p` holds, being the negation of an `EF`, and `EF p` does not. With `care` for the
//! care set and `⟦·⟧` for the values of [`Checker::sat`], which are within it:
//!
//! ```text
//! A(leaf) = all its codes      A(!f) = ¬A(f)      A(f ∘ g) = A(f) ∘ A(g)
//! A(E…) = ⟦E…⟧                 A(A…) = ⟦A…⟧ ∪ ¬care
//! ```

use super::algebra::Machine;
use super::checker::Checker;
use super::ctl::operator;
use crate::base::deep;
use crate::dd::Bdd;
use crate::encode::error::Result;
use crate::logic::CtlOp;
use crate::model::{ExprId, Node};
use num_bigint::BigUint;
use smv_grammar::ops::{BinOp, BoundedOp, UnOp};
use std::collections::HashMap;

/// A set of states with what is written of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// Factored form, over the names of bits.
    pub formula: String,
    /// Codes over all state bits of the model.
    pub count: BigUint,
}

/// What `-a` tells of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepting {
    /// What INIT and `init(x) := e` allow.
    pub initial: Described,
    /// The states that satisfy the formula.
    pub accepting: Described,
    /// Those of both.
    pub initial_accepting: Described,
}

impl Checker<'_> {
    /// The accepting states of a formula, and which of them are initial.
    pub fn accepting(&self, e: ExprId) -> Result<Accepting> {
        let initial = &self.fsm.declared_init;
        let accepting = self.all_codes(e, &mut HashMap::new())?;
        let both = initial.and(&accepting)?;
        let names: HashMap<_, _> = self.fsm.layout.names(&self.fsm.model).into_iter().collect();
        let name = |bit| names.get(&bit).cloned().unwrap_or_default();
        let describe = |set: &Bdd| Described {
            formula: set.factored_form(&name),
            count: self.fsm.count_codes(set),
        };
        Ok(Accepting {
            initial: describe(initial),
            accepting: describe(&accepting),
            initial_accepting: describe(&both),
        })
    }

    fn all_codes(&self, e: ExprId, memo: &mut HashMap<ExprId, Bdd>) -> Result<Bdd> {
        if let Some(known) = memo.get(&e) {
            return Ok(known.clone());
        }
        let value = deep(|| self.compute_codes(e, memo))?;
        memo.insert(e, value.clone());
        Ok(value)
    }

    fn compute_codes(&self, e: ExprId, memo: &mut HashMap<ExprId, Bdd>) -> Result<Bdd> {
        if !self.fsm.model.pool.is_temporal(e) {
            return self.fsm.boolean(e);
        }
        let universal = match operator(&self.fsm.model, e) {
            Some((CtlOp::Not, a, _)) => return Ok(self.all_codes(a, memo)?.not()),
            Some((CtlOp::Bool(op), a, Some(b))) => {
                let (a, b) = (self.all_codes(a, memo)?, self.all_codes(b, memo)?);
                return Ok(match op {
                    BinOp::And => a.and(&b)?,
                    BinOp::Or => a.or(&b)?,
                    BinOp::Implies => a.not().or(&b)?,
                    BinOp::Xor => a.xor(&b)?,
                    _ => a.xor(&b)?.not(),
                });
            }
            Some((CtlOp::Temporal(op), ..)) => matches!(op, UnOp::Ax | UnOp::Ag | UnOp::Af),
            Some((CtlOp::Until(op), ..)) => op == BinOp::Au,
            Some((CtlOp::Bounded { op, .. }, ..)) => {
                matches!(op, BoundedOp::Abf | BoundedOp::Abg | BoundedOp::Abu)
            }
            _ => match *self.fsm.model.pool.node(e) {
                Node::Ite(c, a, b) => {
                    let c = self.all_codes(c, memo)?;
                    let (a, b) = (self.all_codes(a, memo)?, self.all_codes(b, memo)?);
                    return Ok(c.ite(&a, &b)?);
                }
                _ => return self.fsm.boolean(e),
            },
        };
        let within = self.sat(e)?;
        Ok(if universal {
            within.or(&self.care().not())?
        } else {
            within
        })
    }
}
