//! Is there a fair path? The forward answer (`-ojeba EL_fwd`).
//!
//! Of the reachable states of the product, the largest set `Z` is kept in which every state has a
//! predecessor, and has behind it each justice constraint, and the second set of each compassion
//! constraint or itself not the first:
//!
//! ```text
//! Z ⊑ EY Z     Z ⊑ reached within Z from the steps of Z under j     Z ⊑ ¬p ⊔ reached within Z from Z ⊓ q
//! ```
//!
//! A component of `Z` that nothing else in `Z` leads to is then a fair one, and what a fair path does
//! infinitely often never leaves `Z`; so there is a fair path iff `Z` is not empty (the mirror of
//! Emerson and Lei; Somenzi, Ravi, Bloem, "Analysis of symbolic SCC hull algorithms", FMCAD 2002).

use crate::dd::{Bdd, DdResult};
use crate::encode::BddFsm;
use crate::engine::reach::closure;

/// The largest such set within `reached`, the reachable states of a product: it is empty where no fair
/// path starts in an initial state, else all fair components lie in it.
pub fn hull(product: &BddFsm, reached: Bdd) -> DdResult<Bdd> {
    let mut z = reached;
    loop {
        let before = z.clone();
        for j in &product.justice {
            let first = product.image(&z.and(&j.set)?)?.and(&z)?;
            z = onward(product, first, &z)?;
        }
        for (p, q) in &product.compassion {
            let fulfilled = onward(product, z.and(&q.set)?, &z)?;
            z = z.diff(&p.set)?.or(&fulfilled)?;
        }
        loop {
            let next = product.image(&z)?.and(&z)?;
            if next == z {
                break;
            }
            z = next;
        }
        if z == before || z.is_zero() {
            return Ok(z);
        }
    }
}

/// What is reached from `from` within `within`.
fn onward(product: &BddFsm, from: Bdd, within: &Bdd) -> DdResult<Bdd> {
    closure(from, |front| product.image(front)?.and(within))
}
