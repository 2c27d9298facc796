//! Operations that end early: interrupted by the token, or over their budget of work.
//!
//! Work is measured in lookups in the computed table, which are the same on every machine.

use std::cell::Cell;
use std::ffi::{c_int, c_void};

use super::error::{DdError, DdResult};
use super::ffi::{self, DdManager, cudd};
use super::manager::{Inner, Manager};
use crate::base::CancelToken;

/// What CUDD's termination callback gets.
pub(super) struct Interruption {
    /// Whoever fires it stops operations.
    pub token: CancelToken,
    dd: *mut DdManager,
    /// Lookups in the computed table after which operations fail.
    budget: Cell<f64>,
}

impl Interruption {
    /// The termination callback of a manager that was just made; to be dropped after it.
    pub fn install(dd: *mut DdManager, token: CancelToken) -> Box<Interruption> {
        let interruption = Box::new(Interruption {
            token,
            dd,
            budget: Cell::new(f64::INFINITY),
        });
        let argument = std::ptr::from_ref(&*interruption).cast_mut();
        // SAFETY: live manager; the box outlives it (Inner::drop quits the manager before its fields go).
        unsafe {
            cudd::Cudd_RegisterTerminationCallback(dd, Some(give_up), argument.cast::<c_void>());
        }
        interruption
    }

    pub fn over_budget(&self) -> bool {
        let budget = self.budget.get();
        // SAFETY: lives no longer than its manager.
        budget.is_finite() && unsafe { cudd::Cudd_ReadCacheLookUps(self.dd) } > budget
    }
}

/// Called by CUDD in the middle of operations: nonzero to give up.
unsafe extern "C" fn give_up(argument: *const c_void) -> c_int {
    // SAFETY: registered with the box of an `Inner`, which outlives its manager.
    let interruption = unsafe { &*argument.cast::<Interruption>() };
    let stop = interruption.token.reason().is_some() || interruption.over_budget();
    // SAFETY: CUDD calls this from within the live manager.
    c_int::from(stop || unsafe { ffi::cmv_exhausted(interruption.dd) } != 0)
}

impl Inner {
    /// Interrupted, or over the budget?
    pub fn check_token(&self) -> DdResult<()> {
        match self.interruption.token.reason() {
            Some(why) => Err(DdError::Cancelled(why)),
            None if self.interruption.over_budget() => Err(DdError::Budget),
            None => Ok(()),
        }
    }
}

impl Manager {
    /// The token that interrupts operations of this manager.
    pub fn token(&self) -> &CancelToken {
        &self.0.interruption.token
    }

    /// Runs `search`, but gives it up once its operations have looked up the computed table so many
    /// times. None if it was given up. Within another such call the tighter budget counts; where that
    /// is the outer one, the error goes on to the outer call.
    pub fn with_budget<T, E>(
        &self,
        lookups: u64,
        search: impl FnOnce() -> Result<T, E>,
    ) -> Result<Option<T>, E> {
        let interruption = &self.0.interruption;
        let outer = interruption.budget.get();
        let own = self.lookups() + lookups as f64;
        interruption.budget.set(own.min(outer));
        let result = search();
        let over = result.is_err() && interruption.over_budget();
        // Work outside of all budgets has moved this one.
        let moved = interruption.budget.get() - own.min(outer);
        interruption.budget.set(outer + moved);
        if over && !interruption.over_budget() {
            return Ok(None);
        }
        result.map(Some)
    }

    /// Runs something whose results are kept in any case, so that it counts for no budget.
    pub fn outside_budget<R>(&self, work: impl FnOnce() -> R) -> R {
        let budget = &self.0.interruption.budget;
        let (outer, before) = (budget.replace(f64::INFINITY), self.lookups());
        let result = work();
        budget.set(outer + (self.lookups() - before));
        result
    }
}
