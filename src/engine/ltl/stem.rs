//! Lassos with a shortest stem.
//!
//! `(checker of the product, length to beat) → fair lasso with a shorter stem, the shortest there is`. The
//! fair states are reached ring by ring from the initial ones. A ring is thinned to the states `S` to
//! which paths from it return through each justice constraint,
//!
//! ```text
//! S ← S ∩ after(S)     S ← S ∩ after(after(S) ∩ J_j)      until it stays
//! ```
//!
//! and of what is left, states are taken one by one: is the component of this one a fair one? If not, no
//! state of that component can start a fair loop. The search is given up when it costs too much, measured by
//! the sizes of the diagrams, so that the result does not depend on the machine.

use crate::dd::{Bdd, DdResult};
use crate::encode::error::Result;
use crate::engine::Checker;
use crate::engine::algebra::{Machine, TwoValued};
use crate::engine::compassion::recurring;
use crate::engine::paths::{Path, along_rings};
use std::cell::Cell;

/// How many components are looked at at most.
const COMPONENTS: usize = 200;
/// How many loops of the shortest stem are tried.
const LOOPS: usize = 4;
/// Nodes of all sets that are looked at.
const NODES: usize = 200_000;

/// Fair lassos whose stem is as short as can be and shorter than `bound`; none if there are none, or it
/// would cost too much to know.
pub fn shortest(checker: &Checker, bound: usize) -> Result<Vec<Path>> {
    let mut found = Vec::new();
    if bound == 0 {
        return Ok(found);
    }
    let mut fair = checker.fair().clone();
    if !checker.compassion().is_empty() {
        fair = recurring(&TwoValued(checker), &fair, Some(&fair))?.states;
    }
    let search = Search {
        checker,
        fair,
        left: Cell::new(NODES),
    };
    let mut looked_at = 0;
    let mut rings = vec![checker.fair_init()?];
    let mut reached = rings[0].clone();
    while found.is_empty() && rings.len() <= bound {
        let ring = rings.last().expect("there is a first ring");
        let Some(mut candidates) = search.returning(ring)? else {
            break;
        };
        while found.len() < LOOPS && looked_at < COMPONENTS {
            let Some(state) = checker.fsm.pick_state(&candidates)? else {
                break;
            };
            looked_at += 1;
            let Some((component, excluded)) = search.component(&state)? else {
                return Ok(found);
            };
            candidates = candidates.diff(&excluded.or(&state)?)?;
            if component.is_zero() {
                continue;
            }
            if let Some(mut path) = along_rings(checker.fsm, &rings, &state)?
                && checker.close_within(&mut path, &component, None)?
            {
                found.push(path);
            }
        }
        let next = checker.fsm.image(ring)?.and(checker.fair())?;
        let next = next.diff(&reached)?;
        if next.is_zero() || !search.pays(&next) {
            break;
        }
        reached = reached.or(&next)?;
        rings.push(next);
    }
    Ok(found)
}

struct Search<'a, 'f> {
    checker: &'a Checker<'f>,
    /// Holds all fair loops.
    fair: Bdd,
    /// Nodes that may still be spent.
    left: Cell<usize>,
}

impl Search<'_, '_> {
    /// Pays for a set; whether that was possible.
    fn pays(&self, set: &Bdd) -> bool {
        let left = self.left.get().checked_sub(set.size());
        self.left.set(left.unwrap_or(0));
        left.is_some()
    }

    /// What one or more steps lead to from `from` within `within`.
    fn beyond(
        &self,
        from: &Bdd,
        within: &Bdd,
        step: impl Fn(&Bdd) -> DdResult<Bdd>,
    ) -> DdResult<Option<Bdd>> {
        let mut reached = step(from)?.and(within)?;
        let mut front = reached.clone();
        while !front.is_zero() {
            if !(self.pays(&front) && self.pays(&reached)) {
                return Ok(None);
            }
            front = step(&front)?.and(within)?.diff(&reached)?;
            reached = reached.or(&front)?;
        }
        Ok(Some(reached))
    }

    fn after(&self, from: &Bdd, within: &Bdd) -> DdResult<Option<Bdd>> {
        self.beyond(from, within, |s| self.checker.fsm.image(s))
    }

    /// The states of `ring` to which fair paths may return.
    fn returning(&self, ring: &Bdd) -> DdResult<Option<Bdd>> {
        let fair = &self.fair;
        let mut set = ring.and(fair)?;
        loop {
            let before = set.clone();
            let Some(ahead) = self.after(&set, fair)? else {
                return Ok(None);
            };
            set = set.and(&ahead)?;
            for justice in &self.checker.fsm.justice {
                if set.is_zero() {
                    break;
                }
                // Steps, where the constraint reads inputs; the states themselves where it does not.
                let there = set.or(&ahead)?.and(&justice.set)?;
                let (first, from) = if justice.reads_inputs {
                    let first = self.checker.fsm.image(&there)?.and(fair)?;
                    (first.clone(), first)
                } else {
                    (self.checker.fsm.manager.zero(), there)
                };
                let Some(later) = self.after(&from, fair)? else {
                    return Ok(None);
                };
                set = set.and(&first.or(&later)?)?;
            }
            if set == before || set.is_zero() {
                return Ok(Some(set));
            }
        }
    }

    /// The component of a state, cut down to what fulfils compassion, if a fair loop through the state
    /// lies in it (else nothing); and states that are on no fair loop.
    fn component(&self, state: &Bdd) -> DdResult<Option<(Bdd, Bdd)>> {
        let around = |within: &Bdd| {
            let Some(ahead) = self.after(state, within)? else {
                return Ok(None);
            };
            self.beyond(state, &ahead, |s| self.checker.fsm.preimage(s))
        };
        let nothing = self.checker.fsm.manager.zero();
        let mut excluded = nothing.clone();
        let Some(mut component) = around(&self.fair)? else {
            return Ok(None);
        };
        while state.leq(&component) {
            let lasting = self.lasting(&component)?;
            if lasting == component {
                return Ok(Some((component, excluded)));
            }
            excluded = excluded.or(&component.diff(&lasting)?)?;
            let Some(smaller) = around(&lasting)? else {
                return Ok(None);
            };
            component = smaller;
        }
        Ok(Some((nothing, excluded)))
    }

    /// The states of a component from which a fair path stays in it.
    fn lasting(&self, component: &Bdd) -> DdResult<Bdd> {
        let checker = self.checker;
        if !checker.compassion().is_empty() {
            return Ok(recurring(&TwoValued(checker), component, Some(component))?.states);
        }
        for j in checker.justice() {
            if !checker.pre_under(j, component)?.intersects(component) {
                return Ok(checker.fsm.manager.zero());
            }
        }
        Ok(component.clone())
    }
}
