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
//! state of that component can start a fair loop.

use crate::dd::{Bdd, DdResult};
use crate::encode::error::Result;
use crate::engine::Checker;
use crate::engine::algebra::{Machine, TwoValued};
use crate::engine::fixpoint::recurring;
use crate::engine::paths::{Path, along_rings, beyond};

/// How many components are looked at at most.
const COMPONENTS: usize = 200;
/// How many loops of the shortest stem are tried.
const LOOPS: usize = 4;

/// Fair lassos whose stem is as short as can be and shorter than `bound`; none if there are none.
pub fn shortest(checker: &Checker, bound: usize) -> Result<Vec<Path>> {
    let mut found = Vec::new();
    let mut looked_at = 0;
    let mut fair = checker.fair().clone();
    if !checker.compassion().is_empty() {
        fair = recurring(&TwoValued(checker), &fair, Some(&fair))?;
    }
    let mut rings = vec![checker.fair_init()?];
    let mut reached = rings[0].clone();
    while found.is_empty() && rings.len() <= bound {
        let ring = rings.last().expect("there is a first ring");
        let mut candidates = returning(checker, &fair, &ring.and(&fair)?)?;
        while found.len() < LOOPS && looked_at < COMPONENTS {
            let Some(state) = checker.fsm.pick_state(&candidates)? else {
                break;
            };
            looked_at += 1;
            let (component, excluded) = component(checker, &fair, &state)?;
            candidates = candidates.diff(&excluded.or(&state)?)?;
            if component.is_zero() {
                continue;
            }
            if let Some(mut path) = along_rings(checker.fsm, &rings, &state)?
                && checker.close_within(&mut path, &component)?
            {
                found.push(path);
            }
        }
        let next = checker.fsm.image(ring)?.and(checker.fair())?;
        let next = next.diff(&reached)?;
        if next.is_zero() {
            break;
        }
        reached = reached.or(&next)?;
        rings.push(next);
    }
    Ok(found)
}

/// The states of `set` to which fair paths may return without leaving `fair`.
fn returning(checker: &Checker, fair: &Bdd, set: &Bdd) -> DdResult<Bdd> {
    let after = |from: &Bdd| beyond(from, fair, |s| checker.fsm.image(s));
    let mut set = set.clone();
    loop {
        let before = set.clone();
        let ahead = after(&set)?;
        set = set.and(&ahead)?;
        for justice in &checker.fsm.justice {
            if set.is_zero() {
                return Ok(set);
            }
            // Steps, where the constraint reads inputs; the states themselves where it does not.
            let there = set.or(&ahead)?.and(&justice.set)?;
            set = if justice.reads_inputs {
                let first = checker.fsm.image(&there)?.and(fair)?;
                set.and(&first.or(&after(&first)?)?)?
            } else {
                set.and(&after(&there)?)?
            };
        }
        if set == before {
            return Ok(set);
        }
    }
}

/// The component of a state among `fair` ones, cut down to what fulfils compassion, if a fair loop through
/// the state lies in it (else nothing); and states that are on no fair loop.
fn component(checker: &Checker, fair: &Bdd, state: &Bdd) -> DdResult<(Bdd, Bdd)> {
    let around = |within: &Bdd| {
        let ahead = beyond(state, within, |s| checker.fsm.image(s))?;
        beyond(state, &ahead, |s| checker.fsm.preimage(s))
    };
    let nothing = checker.fsm.manager.zero();
    let mut excluded = nothing.clone();
    let mut component = around(fair)?;
    while state.leq(&component) {
        let lasting = recurring(&TwoValued(checker), &component, Some(&component))?;
        if lasting == component {
            return Ok((component, excluded));
        }
        excluded = excluded.or(&component.diff(&lasting)?)?;
        component = around(&lasting)?;
    }
    Ok((nothing, excluded))
}
