//! The block of `-ctt`: is the transition relation total, is there a reachable deadlock?

const RULE: &str = "##########################################################\n";

/// What the check found. States are `name = value` lines, one per variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Totality {
    /// Every state has a successor.
    Total,
    /// Some state has none.
    NotTotal {
        /// One of these states.
        without_successor: String,
        /// What is known of reachable ones.
        deadlock: Deadlock,
    },
}

/// Whether one of the states without successor can be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deadlock {
    /// As the text of a state.
    Reachable(String),
    /// States without successors are not reachable.
    Unreachable,
    /// Reachable states are not computed (`-df`).
    NotKnown,
}

impl Totality {
    /// Whether a reachable state has no successor, as far as is known.
    pub fn deadlock(&self) -> bool {
        matches!(
            self,
            Totality::NotTotal {
                deadlock: Deadlock::Reachable(_),
                ..
            }
        )
    }
}

/// The whole block; a blank line comes first.
pub fn block(t: &Totality) -> String {
    let mut out = format!("\n{RULE}");
    match t {
        Totality::Total => {
            out.push_str("The transition relation is total: No deadlock state exists\n");
        }
        Totality::NotTotal {
            without_successor,
            deadlock,
        } => {
            out.push_str("The transition relation is not total. A state without\nsuccessors is:\n");
            out.push_str(without_successor);
            match deadlock {
                Deadlock::Reachable(state) => {
                    out.push_str("The transition relation is not deadlock-free.\n");
                    out.push_str("A deadlock state is:\n");
                    out.push_str(state);
                }
                Deadlock::Unreachable => {
                    out.push_str("However, all the states without successors are\n");
                    out.push_str("non-reachable, so the machine is deadlock-free.\n");
                }
                Deadlock::NotKnown => {
                    out.push_str("NOTE: No-successor states could be non-reachable, so\n");
                    out.push_str("      the machine could still be deadlock-free.\n");
                    out.push_str("      Reachable states have to be computed to check this.\n");
                }
            }
        }
    }
    out.push_str(RULE);
    out
}
