//! What makes every verdict mean little: empty sets of states and deadlocks.

use serde::{Deserialize, Serialize};

/// A remark on the model as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Warning {
    /// No initial state.
    InitialEmpty,
    /// No state satisfies the invariant.
    StatesEmpty,
    /// No state starts a fair path.
    FairEmpty,
    /// A reachable state has no successor.
    Deadlock,
}

impl Warning {
    /// A word for programs.
    pub fn code(self) -> &'static str {
        match self {
            Warning::InitialEmpty => "initial-states-empty",
            Warning::StatesEmpty => "states-empty",
            Warning::FairEmpty => "fair-states-empty",
            Warning::Deadlock => "deadlock",
        }
    }

    /// A sentence for people.
    pub fn message(self) -> &'static str {
        match self {
            Warning::InitialEmpty => "There are no initial states: every property holds vacuously.",
            Warning::StatesEmpty => "No state satisfies INVAR: every property holds vacuously.",
            Warning::FairEmpty => {
                "There are no fair states: CTL and LTL properties hold vacuously."
            }
            Warning::Deadlock => {
                "A reachable state has no successor: paths that end there count for nothing in \
                 CTL and LTL properties."
            }
        }
    }

    /// The block that NuSMV prints for it, if it prints one.
    pub fn nusmv(self) -> Option<String> {
        let what = match self {
            Warning::InitialEmpty => "The initial states set",
            Warning::StatesEmpty => "The states set",
            Warning::FairEmpty => "Fair states set",
            Warning::Deadlock => return None,
        };
        Some(block(&[
            &format!("{what} of the finite state machine is empty."),
            "This might make results of model checking not trustable.",
        ]))
    }
}

pub use crate::diag::block;

/// The note on models with processes or ISA: what goes to stdout.
pub const PROCESS_NOTE: &str = "\
WARNING *** The model contains PROCESSes or ISAs. ***
WARNING *** The HRC hierarchy will not be usable. ***
";

/// The note on models with COMPASSION: what goes to stdout.
pub const COMPASSION_NOTE: &str = "\
WARNING *** The model contains COMPASSION declarations.        ***
WARNING *** Full fairness is not yet fully supported in NuSMV. ***
WARNING *** Currently, COMPASSION declarations are only        ***
WARNING *** supported for BDD-based LTL Model Checking.        ***
WARNING *** Results of CTL Model Checking and of Bounded       ***
WARNING *** Model Checking may be wrong.                       ***
";

/// `-disable_syntactic_checks`: for the model, and for each formula of LTL.
pub const UNCHECKED_NOTE: &str = "WARNING *** Input model well-formance check skipped ***\n";

/// For `-ofm` ("flattening") and `-obm` ("booleanization") of a model with PSL properties.
pub fn psl_as_comments(work: &str) -> String {
    let first = format!("This version does not support the {work} of PSL properties.");
    let lines = [
        &first,
        "However, for user's convenience all the PSL properties will be dumped",
        "as comments in the output file.",
    ];
    block(&lines) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_layout() {
        assert_eq!(
            Warning::FairEmpty.nusmv().unwrap(),
            "\n********   WARNING   ********\nFair states set of the finite state machine is \
             empty.\nThis might make results of model checking not trustable.\n******** END \
             WARNING ********\n"
        );
        assert_eq!(Warning::Deadlock.nusmv(), None);
    }
}
