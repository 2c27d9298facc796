//! The property list (`-lp`, and the message about properties over inputs).

use super::verdict::text;
use crate::model::{PropKind, Property};
use std::fmt::Write;

/// The name of a kind in the list.
pub fn kind_name(kind: PropKind) -> &'static str {
    match kind {
        PropKind::Ctl => "CTL",
        PropKind::Compute => "Quantitative",
        PropKind::Ltl => "LTL",
        PropKind::Psl => "PSL",
        PropKind::Invar => "Invar",
    }
}

/// What stands above the list.
pub const HEADER: &str = "**** PROPERTY LIST [ Type, Status, Counter-example Number, Name ] ****\n\
     --------------------------  PROPERTY LIST  -------------------------\n";

/// The list before anything is checked, with its header.
pub fn list<'a>(properties: impl IntoIterator<Item = &'a Property>) -> String {
    let mut out = HEADER.to_owned();
    let header = out.len();
    for p in properties {
        out.push_str(&entry(p));
    }
    if out.len() == header {
        out.push_str("The properties DB is empty.\n");
    }
    out
}

/// One property that has not been checked.
pub fn entry(p: &Property) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{:03} :{}", p.index, text(p));
    let name = p.name.as_deref().unwrap_or("N/A");
    let _ = writeln!(
        out,
        "  [{:<15}{:<15}{:<7}{name}]",
        kind_name(p.kind),
        "Unchecked",
        "N/A"
    );
    out
}
