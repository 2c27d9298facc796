//! What an obligation asks of a node below it, as long as nothing else changes.
//!
//! "`f` is top on S" goes down through Boolean connectives: `a | b` is top on S iff `a` is top on
//! `S \ b`, with `b` the kept value of the sibling. So a changed value need not be carried up
//! further, and only as much of it need be computed as tells the answer ([`Need`]).

use crate::dd::{Bdd, DdResult};
use crate::engine::fixpoint::Need;
use smv_grammar::ops::BinOp;

/// When an obligation holds, by the value of one node.
#[derive(Clone, Debug)]
pub enum Demand {
    /// Iff it is top on these states.
    Top(Bdd),
    /// Iff it is bottom on these states.
    Bottom(Bdd),
    /// Never.
    Lost,
    /// Not known.
    Open,
}

impl Demand {
    pub fn need(&self) -> Option<Need<'_>> {
        match self {
            Demand::Top(s) => Some(Need::Top(s)),
            Demand::Bottom(s) => Some(Need::Bottom(s)),
            Demand::Lost | Demand::Open => None,
        }
    }

    /// That of the operand of a negation.
    pub fn negated(self) -> Demand {
        match self {
            Demand::Top(s) => Demand::Bottom(s),
            Demand::Bottom(s) => Demand::Top(s),
            other => other,
        }
    }

    /// That of an operand of a conjunction.
    fn conjunct(self, sibling: &Bdd) -> DdResult<Demand> {
        Ok(match self {
            Demand::Top(s) if s.leq(sibling) => Demand::Top(s),
            Demand::Top(_) => Demand::Lost,
            Demand::Bottom(s) => Demand::Bottom(s.and(sibling)?),
            other => other,
        })
    }

    /// That of an operand of `op`, the left one or the right one, beside a sibling.
    pub fn operand(self, op: BinOp, left: bool, sibling: &Bdd) -> DdResult<Demand> {
        match (op, left) {
            (BinOp::And, _) => self.conjunct(sibling),
            // a | b = !(!a & !b)
            (BinOp::Or, _) => Ok(self.negated().conjunct(&sibling.not())?.negated()),
            (BinOp::Implies, true) => self.negated().conjunct(&sibling.not()),
            (BinOp::Implies, false) => Ok(self.negated().conjunct(sibling)?.negated()),
            _ => Ok(Demand::Open),
        }
    }
}
