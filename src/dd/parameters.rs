//! CUDD's own parameters and its own report of them.

use super::ffi::{DdManager, cudd};
use super::manager::Manager;

/// A parameter that can be set, under the name CUDD's report gives it.
struct Parameter {
    name: &'static str,
    set: Set,
}

enum Set {
    Unsigned(unsafe extern "C" fn(*mut DdManager, u32)),
    Int(unsafe extern "C" fn(*mut DdManager, i32)),
    Number(unsafe extern "C" fn(*mut DdManager, f64)),
    /// On and off.
    Switch(
        unsafe extern "C" fn(*mut DdManager),
        unsafe extern "C" fn(*mut DdManager),
    ),
    /// Changes nothing here: there are no zero-suppressed diagrams, or another option has the say.
    Nothing {
        switch: bool,
    },
}

/// Why a value does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages tell")]
pub enum ParameterError {
    #[error("not recognized")]
    Unknown,
    #[error("a number was expected")]
    NoNumber,
    #[error("(yes,no) expected")]
    NoSwitch,
}

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "Hard limit for cache size",
        set: Set::Unsigned(cudd::Cudd_SetMaxCacheHard),
    },
    Parameter {
        name: "Cache hit threshold for resizing",
        set: Set::Unsigned(cudd::Cudd_SetMinHit),
    },
    Parameter {
        name: "Garbage collection enabled",
        set: Set::Switch(
            cudd::Cudd_EnableGarbageCollection,
            cudd::Cudd_DisableGarbageCollection,
        ),
    },
    Parameter {
        name: "Limit for fast unique table growth",
        set: Set::Unsigned(cudd::Cudd_SetLooseUpTo),
    },
    Parameter {
        name: "Maximum number of variables sifted per reordering",
        set: Set::Int(cudd::Cudd_SetSiftMaxVar),
    },
    Parameter {
        name: "Maximum number of variable swaps per reordering",
        set: Set::Int(cudd::Cudd_SetSiftMaxSwap),
    },
    Parameter {
        name: "Maximum growth while sifting a variable",
        set: Set::Number(cudd::Cudd_SetMaxGrowth),
    },
    // dynamic_var_ordering decides these two, in NuSMV as well.
    Parameter {
        name: "Dynamic reordering of BDDs enabled",
        set: Set::Nothing { switch: true },
    },
    Parameter {
        name: "Default BDD reordering method",
        set: Set::Nothing { switch: false },
    },
    Parameter {
        name: "Dynamic reordering of ZDDs enabled",
        set: Set::Nothing { switch: true },
    },
    Parameter {
        name: "Default ZDD reordering method",
        set: Set::Nothing { switch: false },
    },
    Parameter {
        name: "Realignment of ZDDs to BDDs enabled",
        set: Set::Nothing { switch: true },
    },
    Parameter {
        name: "Realignment of BDDs to ZDDs enabled",
        set: Set::Nothing { switch: true },
    },
    Parameter {
        name: "Dead nodes counted in triggering reordering",
        set: Set::Switch(cudd::Cudd_TurnOnCountDead, cudd::Cudd_TurnOffCountDead),
    },
    Parameter {
        name: "Group checking criterion",
        set: Set::Unsigned(cudd::Cudd_SetGroupcheck),
    },
    Parameter {
        name: "Recombination threshold",
        set: Set::Int(cudd::Cudd_SetRecomb),
    },
    Parameter {
        name: "Symmetry violation threshold",
        set: Set::Int(cudd::Cudd_SetSymmviolation),
    },
    Parameter {
        name: "Arc violation threshold",
        set: Set::Int(cudd::Cudd_SetArcviolation),
    },
    Parameter {
        name: "GA population size",
        set: Set::Int(cudd::Cudd_SetPopulationSize),
    },
    Parameter {
        name: "Number of crossovers for GA",
        set: Set::Int(cudd::Cudd_SetNumberXovers),
    },
];

impl Manager {
    /// Sets a parameter of CUDD by the name its report gives it.
    pub fn set_parameter(&self, name: &str, value: &str) -> Result<(), ParameterError> {
        let found = PARAMETERS.iter().find(|p| p.name == name);
        let parameter = found.ok_or(ParameterError::Unknown)?;
        let dd = self.0.dd;
        let number = || {
            value
                .trim()
                .parse::<f64>()
                .map_err(|_| ParameterError::NoNumber)
        };
        let switch = || match value {
            "yes" => Ok(true),
            "no" => Ok(false),
            _ => Err(ParameterError::NoSwitch),
        };
        // SAFETY (all calls): live manager, no operation under way; setters of plain fields.
        match parameter.set {
            Set::Unsigned(set) => {
                let value = number()? as u32;
                unsafe { set(dd, value) }
            }
            Set::Int(set) => {
                let value = number()? as i32;
                unsafe { set(dd, value) }
            }
            Set::Number(set) => {
                let value = number()?;
                unsafe { set(dd, value) }
            }
            Set::Switch(on, off) => {
                let value = switch()?;
                unsafe { if value { on(dd) } else { off(dd) } }
            }
            Set::Nothing { switch: true } => {
                switch()?;
            }
            Set::Nothing { switch: false } => {}
        }
        Ok(())
    }

    /// CUDD's report on its parameters and statistics.
    pub fn report(&self) -> String {
        let mut text: *mut libc::c_char = std::ptr::null_mut();
        let mut length: libc::size_t = 0;
        // SAFETY: the stream is opened, written, closed and its buffer freed here; the buffer holds
        // `length` bytes after fclose; live manager, readers only.
        unsafe {
            let stream = libc::open_memstream(&raw mut text, &raw mut length);
            if stream.is_null() {
                return String::new();
            }
            cudd::Cudd_PrintInfo(self.0.dd, stream.cast());
            libc::fclose(stream);
            if text.is_null() {
                return String::new();
            }
            let bytes = std::slice::from_raw_parts(text.cast::<u8>(), length);
            let report = String::from_utf8_lossy(bytes).into_owned();
            libc::free(text.cast());
            report
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::CancelToken;
    use crate::dd::Config;

    #[test]
    fn parameters_are_in_the_report() {
        let m = Manager::new(&Config::default(), CancelToken::default()).unwrap();
        let set = |name, value| m.set_parameter(name, value);
        assert_eq!(
            set("Maximum growth while sifting a variable", "1.5"),
            Ok(())
        );
        assert_eq!(set("Garbage collection enabled", "no"), Ok(()));
        assert_eq!(
            set("GA population size", "x"),
            Err(ParameterError::NoNumber)
        );
        assert_eq!(
            set("Garbage collection enabled", "1"),
            Err(ParameterError::NoSwitch)
        );
        assert_eq!(set("Bogus", "1"), Err(ParameterError::Unknown));
        let report = m.report();
        assert!(report.starts_with("**** CUDD modifiable parameters ****\n"));
        for p in PARAMETERS {
            assert!(report.contains(&format!("{}: ", p.name)), "{}", p.name);
        }
        assert!(report.contains("Maximum growth while sifting a variable: 1.5\n"));
        assert!(report.contains("Garbage collection enabled: no\n"));
    }
}
