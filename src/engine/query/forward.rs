//! Answers of sets of states, from the top of the formula downwards.
//!
//! `some(f, R)` is the set of minterms for which *some* state of R satisfies f. Where the formula
//! allows, the set of states moves forward instead of the pairs moving backward:
//!
//! ```text
//! some(EX f, R) = some(f, image(R) ∩ fair)       some(f | g, R) = some(f, R) ∪ some(g, R)
//! some(EF f, R) = some(f, reach(R) ∩ fair)       some(f & c, R) = some(f, R ∩ c)     c without ?
//! some(?, R)    = ∃ states. R ∧ placeholder      some(E[c U f], R) = some(f, reach_c(R) ∩ fair)
//! ```
//! and dually for AX, AG under a negation. A single state moreover distributes over everything:
//! `some(!f, {s}) = complement of some(f, {s})`. So reachable states (`EF ?`) cost no diagram of
//! pairs, which could be exponential (the transitive closure of the relation).
//!
//! Elsewhere sets of states still give [`Bounds`], which often meet. R being fair states:
//!
//! ```text
//! some(f, R) ⊆ some(AF f, R) ⊆ some(f, reach(R) ∩ fair), for one state with any path of its own for reach
//! some(AG f, R) ⊆ some(f, R)                        some(EG f, R) ⊆ some(f, R)
//! {AG f at s} ⊆ some(AG f, R) ⊆ ⋃_i {AG f at c_i}   s ∈ R, each state of R reaching some c_i
//! ```
//! What is open between the bounds is answered by the bottom-up pass.

use super::pass::Pass;
use crate::base::deep;
use crate::dd::{Bdd, DdResult};
use crate::encode::error::Result;
use crate::engine::algebra::{Algebra, Machine, TwoValued};
use crate::engine::ctl::operator;
use crate::engine::reach::closure;
use crate::logic::CtlOp;
use crate::model::{ExprId, Node};
use smv_grammar::ops::{BinOp, UnOp};

/// Steps of a path that bounds AF.
const PATH: usize = 200;

/// States c_i tried in the rule for AG.
const PARTS: usize = 16;

/// A set of minterms, between two others.
#[derive(Clone)]
pub struct Bounds {
    /// Solutions for sure.
    pub lower: Bdd,
    /// What may be a solution.
    pub upper: Bdd,
}

impl Bounds {
    fn exact(set: Bdd) -> Bounds {
        Bounds {
            lower: set.clone(),
            upper: set,
        }
    }

    fn below(upper: Bdd) -> Bounds {
        Bounds {
            lower: upper.manager().zero(),
            upper,
        }
    }

    fn complement(&self) -> Bounds {
        Bounds {
            lower: self.upper.not(),
            upper: self.lower.not(),
        }
    }

    fn and(&self, other: &Bounds) -> DdResult<Bounds> {
        Ok(Bounds {
            lower: self.lower.and(&other.lower)?,
            upper: self.upper.and(&other.upper)?,
        })
    }

    fn or(&self, other: &Bounds) -> DdResult<Bounds> {
        Ok(Bounds {
            lower: self.lower.or(&other.lower)?,
            upper: self.upper.or(&other.upper)?,
        })
    }

    /// The minterms between.
    pub fn open(&self) -> DdResult<Bdd> {
        self.upper.diff(&self.lower)
    }

    /// Whether the bounds meet.
    pub fn is_exact(&self) -> bool {
        self.lower == self.upper
    }
}

/// An operator with its operands.
#[derive(Clone, Copy)]
struct Operation {
    op: CtlOp,
    a: ExprId,
    b: Option<ExprId>,
}

/// How a region is asked: for the formula, or for its negation.
#[derive(Clone, Copy)]
struct Asked<'r> {
    region: &'r Bdd,
    negated: bool,
    single: bool,
}

impl Pass<'_, '_> {
    /// The minterms for which some state of `region` (within the care set) satisfies `e`, or does not
    /// if `negated`; bottom-up where nothing else helps.
    pub fn some(&self, e: ExprId, region: &Bdd, negated: bool) -> Result<Bdd> {
        Ok(self.walk(e, region, negated, true)?.lower)
    }

    /// Bounds of the same, without any diagram of pairs.
    pub fn bounds(&self, e: ExprId, region: &Bdd, negated: bool) -> Result<Bounds> {
        self.walk(e, region, negated, false)
    }

    /// Bounds, which are the same set if `exact`.
    fn walk(&self, e: ExprId, region: &Bdd, negated: bool, exact: bool) -> Result<Bounds> {
        deep(|| self.walk_inner(e, region, negated, exact))
    }

    fn walk_inner(&self, e: ExprId, region: &Bdd, negated: bool, exact: bool) -> Result<Bounds> {
        let fsm = self.checker.fsm;
        if region.is_zero() {
            return Ok(Bounds::exact(fsm.manager.zero()));
        }
        if !self.shape.holds_placeholder(e) {
            let set = self.checker.sat(e)?;
            let found = if negated {
                !region.leq(&set)
            } else {
                region.intersects(&set)
            };
            return Ok(Bounds::exact(fsm.manager.constant(found)));
        }
        if *fsm.model.pool.node(e) == Node::Placeholder {
            let set = if negated {
                self.placeholder.not()
            } else {
                self.placeholder.clone()
            };
            return Ok(Bounds::exact(self.project(region, &set)?));
        }
        let asked = Asked {
            region,
            negated,
            single: fsm.is_single(region)?,
        };
        let found = match operator(&fsm.model, e) {
            Some((CtlOp::Not, a, _)) => return self.walk(a, region, !negated, exact),
            Some((CtlOp::Bool(op), a, Some(b))) => self.connective(op, a, b, asked, exact)?,
            Some((op, a, b)) => self.temporal(Operation { op, a, b }, asked, exact)?,
            None => None,
        };
        match found {
            Some(found) => Ok(found),
            None if exact => {
                let pairs = self.sat(e)?;
                let pairs = if negated { pairs.not() } else { pairs };
                Ok(Bounds::exact(self.project(region, &pairs)?))
            }
            None => Ok(Bounds::below(fsm.manager.one())),
        }
    }

    /// `∃ states. region ∧ pairs`
    pub fn project(&self, region: &Bdd, pairs: &Bdd) -> Result<Bdd> {
        let fsm = self.checker.fsm;
        Ok(pairs.and_exists(region, &fsm.manager.cube(&fsm.state_bits)?)?)
    }

    /// By the rules above; `None` if none applies.
    fn temporal(&self, f: Operation, asked: Asked, exact: bool) -> Result<Option<Bounds>> {
        if let Some(found) = self.moving(f, asked, exact)? {
            return Ok(Some(found));
        }
        let dual = Asked {
            negated: !asked.negated,
            ..asked
        };
        if asked.single
            && let Some(found) = self.moving(f, dual, exact)?
        {
            return Ok(Some(found.complement()));
        }
        if exact || !asked.region.leq(self.checker.fair()) {
            return Ok(None);
        }
        if let Some(found) = self.rough(f, asked)? {
            return Ok(Some(found));
        }
        if asked.single {
            let found = self.rough(f, dual)?;
            return Ok(found.map(|f| f.complement()));
        }
        match f.op {
            CtlOp::Temporal(UnOp::Eg | UnOp::Af) | CtlOp::Until(_) => {
                let above = self.walk(f.b.unwrap_or(f.a), asked.region, asked.negated, false)?;
                Ok(Some(Bounds::below(above.upper)))
            }
            _ => Ok(None),
        }
    }

    /// The operators that move the region.
    fn moving(&self, f: Operation, asked: Asked, exact: bool) -> Result<Option<Bounds>> {
        let Operation { op, a, b } = f;
        let Asked {
            region, negated, ..
        } = asked;
        let (goal, target) = match (op, negated) {
            (CtlOp::Temporal(UnOp::Ex), false) | (CtlOp::Temporal(UnOp::Ax), true) => {
                (a, self.image(region)?)
            }
            (CtlOp::Temporal(UnOp::Ef), false) | (CtlOp::Temporal(UnOp::Ag), true) => {
                (a, self.reach(region)?)
            }
            (CtlOp::Until(BinOp::Eu), false) if !self.shape.holds_placeholder(a) => {
                let through = self.checker.sat(a)?;
                let step = |front: &Bdd| self.image(&front.and(&through)?);
                (b.unwrap_or(a), closure(region.clone(), step)?)
            }
            _ => return Ok(None),
        };
        let target = target.and(self.checker.fair())?;
        self.walk(goal, &target, negated, exact).map(Some)
    }

    /// The rules that give bounds only; the region is fair.
    fn rough(&self, f: Operation, asked: Asked) -> Result<Option<Bounds>> {
        let Operation { op, a, b } = f;
        match (op, asked.negated) {
            (CtlOp::Temporal(UnOp::Af), false) | (CtlOp::Temporal(UnOp::Eg), true) => {
                self.met(a, asked, true).map(Some)
            }
            (CtlOp::Until(op), false) => self.met(b.unwrap_or(a), asked, op == BinOp::Au).map(Some),
            (CtlOp::Temporal(UnOp::Ag), false) | (CtlOp::Temporal(UnOp::Ef), true) => {
                self.always(a, asked).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// What comes about at some time, on some path or on all of them: AF, and untils.
    fn met(&self, e: ExprId, asked: Asked, on_all: bool) -> Result<Bounds> {
        let Asked {
            region, negated, ..
        } = asked;
        let fair = self.checker.fair();
        let now = self.walk(e, region, negated, false)?;
        let met = if asked.single && on_all {
            self.path(region)?
        } else {
            self.reach(region)?
        };
        let ever = self.walk(e, &met.and(fair)?, negated, false)?;
        Ok(Bounds {
            lower: now.lower,
            upper: ever.upper,
        })
    }

    /// The states of some fair path from a fair state, and perhaps more: once it is long, all that its
    /// last state reaches.
    fn path(&self, start: &Bdd) -> Result<Bdd> {
        let fsm = self.checker.fsm;
        let any_path_is_fair =
            self.checker.justice().is_empty() && self.checker.compassion().is_empty();
        let (mut met, mut last) = (start.clone(), start.clone());
        for _ in 0..PATH {
            let next = self.image(&last)?.and(self.checker.fair())?;
            let closed = next.intersects(&met);
            match fsm.pick_state(&next)? {
                _ if closed && any_path_is_fair => return Ok(met),
                Some(state) if !closed => last = state,
                _ => break,
            }
            met = met.or(&last)?;
        }
        Ok(met.or(&self.reach(&last)?)?)
    }

    /// AG, for some of several states.
    fn always(&self, e: ExprId, asked: Asked) -> Result<Bounds> {
        let Asked {
            region, negated, ..
        } = asked;
        let fsm = self.checker.fsm;
        let fair = self.checker.fair();
        let algebra = TwoValued(self.checker);
        let mut found = Bounds::below(self.walk(e, region, negated, false)?.upper);
        let mut above = fsm.manager.zero();
        let mut rest = region.clone();
        for _ in 0..PARTS {
            let Some(state) = fsm.pick_state(&rest)? else {
                found.upper = found.upper.and(&above)?;
                break;
            };
            let (all, end) = self.rings(&state)?;
            let at_state = self.walk(e, &all.and(fair)?, !negated, false)?.complement();
            found.lower = found.lower.or(&at_state.lower)?;
            if found.upper.leq(&found.lower) {
                break;
            }
            // Towards a component that is not left again.
            let end = if end.is_zero() { state } else { end };
            let (behind, _) = self.rings(&end)?;
            let at_end = self
                .walk(e, &behind.and(fair)?, !negated, false)?
                .complement();
            above = above.or(&at_end.upper)?;
            let back = closure(end, |front| algebra.pre(front))?;
            rest = rest.diff(&back)?;
        }
        found.upper = found.upper.or(&found.lower)?;
        Ok(found)
    }

    /// Boolean connectives; `None` for `<->` and the like.
    fn connective(
        &self,
        op: BinOp,
        a: ExprId,
        b: ExprId,
        asked: Asked,
        exact: bool,
    ) -> Result<Option<Bounds>> {
        let Asked {
            region, negated, ..
        } = asked;
        // As a disjunction or conjunction of operands, each negated or not.
        let (disjunction, x, y) = match op {
            BinOp::And => (negated, negated, negated),
            BinOp::Or => (!negated, negated, negated),
            BinOp::Implies => (!negated, !negated, negated),
            _ => return Ok(None),
        };
        if disjunction {
            let first = self.walk(a, region, x, exact)?;
            return Ok(Some(first.or(&self.walk(b, region, y, exact)?)?));
        }
        for (fixed, not_fixed, rest, not_rest) in [(a, x, b, y), (b, y, a, x)] {
            if !self.shape.holds_placeholder(fixed) {
                let set = self.checker.sat(fixed)?;
                let inside = if not_fixed {
                    region.diff(&set)?
                } else {
                    region.and(&set)?
                };
                return self.walk(rest, &inside, not_rest, exact).map(Some);
            }
        }
        if exact && !asked.single {
            return Ok(None);
        }
        let first = self.walk(a, region, x, exact)?;
        let both = first.and(&self.walk(b, region, y, exact)?)?;
        Ok(Some(if asked.single {
            both
        } else {
            Bounds::below(both.upper)
        }))
    }

    /// Successors within the care set.
    fn image(&self, states: &Bdd) -> DdResult<Bdd> {
        self.checker.fsm.image(states)?.and(self.checker.care())
    }

    /// `region` and what can be reached from it.
    fn reach(&self, region: &Bdd) -> Result<Bdd> {
        Ok(self.rings(region)?.0)
    }

    /// `region` with what can be reached from it, and a fair state that is among the last to be
    /// reached (no state if there is none).
    fn rings(&self, region: &Bdd) -> Result<(Bdd, Bdd)> {
        if let Some(known) = self.reached.borrow().get(region) {
            return Ok(known.clone());
        }
        let fsm = self.checker.fsm;
        let known = match self.checker.reach() {
            Some(reach) if fsm.init.leq(region) => (reach.states().clone(), fsm.manager.zero()),
            _ => {
                let (mut reached, mut front) = (region.clone(), region.clone());
                let mut last = region.clone();
                while !front.is_zero() {
                    let fair = front.and(self.checker.fair())?;
                    if !fair.is_zero() {
                        last = fair;
                    }
                    front = self.image(&front)?.diff(&reached)?;
                    reached = reached.or(&front)?;
                }
                let end = fsm.pick_state(&last.and(self.checker.fair())?)?;
                (reached, end.unwrap_or_else(|| fsm.manager.zero()))
            }
        };
        self.reached
            .borrow_mut()
            .insert(region.clone(), known.clone());
        Ok(known)
    }
}
