//! The lines of `-a`: formulas and numbers of initial, accepting, and initial and accepting states.

use super::verdict;
use crate::base::cformat::g_digits;
use crate::engine::accepting::{Accepting, Described};
use crate::model::Property;
use serde_json::{Value, json};

/// What follows a verdict on standard output under `-a print`.
pub fn block(found: &Accepting) -> String {
    let rows = [
        ("initial", &found.initial),
        ("accepting", &found.accepting),
        ("initial and accepting", &found.initial_accepting),
    ];
    let mut out = String::from("\n");
    for (what, Described { formula, count }) in rows {
        out += &format!("{what} states: {formula}\n");
        out += &format!("number of {what} states: {}\n", g_digits(count, 20));
    }
    out + "\n"
}

/// What a property adds to the file of `-a FILE`.
pub fn file_block(property: &Property, found: &Accepting, holds: bool) -> String {
    let rows = [
        ("INIT", &found.initial),
        ("ACCEPTING", &found.accepting),
        ("INITACCEPTING", &found.initial_accepting),
    ];
    let mut out = row("CTLSPEC", verdict::text(property).trim_end());
    for (what, Described { formula, count }) in rows {
        out += &row(what, formula);
        out += &row(&format!("{what}_SIZE"), &g_digits(count, 20));
    }
    out + &row("ANSWER", if holds { "TRUE" } else { "FALSE" }) + "\n"
}

fn row(key: &str, value: &str) -> String {
    format!("{:<22}{value}\n", format!("{key}:"))
}

/// For the document; numbers as strings, since they may be larger than JSON readers bear.
pub fn json(found: &Accepting) -> Value {
    let set = |d: &Described| json!({"formula": d.formula, "count": d.count.to_string()});
    json!({
        "initial": set(&found.initial),
        "accepting": set(&found.accepting),
        "initial_accepting": set(&found.initial_accepting),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::flat;

    fn set(formula: &str, count: u32) -> Described {
        Described {
            formula: formula.to_owned(),
            count: count.into(),
        }
    }

    #[test]
    fn the_file_has_the_layout_of_nusmv_a() {
        let model = flat("VAR x : 0..1; SPEC AG x = 0");
        let found = Accepting {
            initial: set("TRUE", 2),
            accepting: set("FALSE", 0),
            initial_accepting: set("FALSE", 0),
        };
        let expected = "CTLSPEC:              AG x = 0\n\
            INIT:                 TRUE\n\
            INIT_SIZE:            2\n\
            ACCEPTING:            FALSE\n\
            ACCEPTING_SIZE:       0\n\
            INITACCEPTING:        FALSE\n\
            INITACCEPTING_SIZE:   0\n\
            ANSWER:               FALSE\n\n";
        assert_eq!(file_block(&model.properties[0], &found, false), expected);
    }
}
