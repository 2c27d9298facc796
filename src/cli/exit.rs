//! Exit codes. NuSMV's own: 0, 1, 2, 255; the others name what NuSMV has no code for.

use crate::engine::outcome::Unknown;

/// How a run ended. When several apply the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Exit {
    /// Every property was evaluated, whatever the verdicts.
    #[default]
    Evaluated,
    /// Some property has no engine here yet.
    NotChecked,
    /// `--timeout`
    Timeout,
    /// Memory or node limit.
    OutOfMemory,
    /// ^C, or SIGTERM.
    Interrupted,
    /// The model or another file is wrong.
    Model,
    /// `-h`, or the input cannot be read at all.
    Help,
    /// An option or its value is wrong; nothing was read.
    BadCommandLine,
    /// A script failed under `on_failure_script_quits`.
    Script,
    /// A bug of ours: a trace that does not replay, a panic.
    Internal,
}

impl Exit {
    /// The process's exit code.
    pub fn code(self) -> i32 {
        match self {
            Exit::Evaluated => 0,
            Exit::Model => 1,
            Exit::Help => 2,
            Exit::NotChecked => 3,
            Exit::OutOfMemory => 4,
            Exit::Timeout => 5,
            Exit::Internal => 6,
            Exit::Interrupted => 130,
            Exit::BadCommandLine | Exit::Script => 255,
        }
    }

    /// A word for the JSON document.
    pub fn word(self) -> &'static str {
        match self {
            Exit::Evaluated => "evaluated",
            Exit::Model => "model",
            Exit::Help => "input",
            Exit::NotChecked => "not-checked",
            Exit::OutOfMemory => "out-of-memory",
            Exit::Timeout => "timeout",
            Exit::Internal => "internal",
            Exit::Interrupted => "interrupted",
            Exit::BadCommandLine => "command-line",
            Exit::Script => "script",
        }
    }
}

impl From<&Unknown> for Exit {
    fn from(why: &Unknown) -> Self {
        match why {
            Unknown::Interrupted => Exit::Interrupted,
            Unknown::Timeout => Exit::Timeout,
            Unknown::OutOfMemory | Unknown::NodeLimit => Exit::OutOfMemory,
            Unknown::NotSupported(_) => Exit::NotChecked,
        }
    }
}
