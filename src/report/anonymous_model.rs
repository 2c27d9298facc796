//! A model with other names (`write_flat_model -A`): to show its structure without showing what it is about.
//!
//! Flat model → the same with variables and DEFINEs named as in anonymous traces ([`Names`]) and symbolic
//! constants `c_0`, `c_1`, ..., numbered in the order in which the text shows them; and the list
//! `original:other`, where the parts of a name stand behind as many dots.

use super::flat_model::split;
use crate::model::{FlatModel, Value, VarKind, VarType};
use crate::trace::anonymous::Names;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Symbolic constants with their new names.
#[derive(Default)]
struct Constants(BTreeMap<String, String>);

impl Constants {
    /// The new name; a constant met for the first time is added to the list.
    fn of(&mut self, name: &str, key: &mut String) -> String {
        let next = self.0.len();
        let new = self.0.entry(name.to_owned()).or_insert_with(|| {
            let new = format!("c_{next}");
            let _ = writeln!(key, "{name}:{new}");
            new
        });
        new.clone()
    }
}

/// The model with other names, and the list of all names.
pub fn rename(model: &FlatModel) -> (FlatModel, String) {
    let mut renamed = model.clone();
    let mut names = Names::new(model);
    let mut constants = Constants::default();
    let mut key = String::from("ORIGINAL ID : ANONYMOUS ID\n");
    let mut last = "";
    for kind in [VarKind::Input, VarKind::State, VarKind::Frozen] {
        for id in model.vars_of(kind) {
            let var = model.var(id);
            let new = names.variable(&var.name);
            // An array is listed once.
            let (base, indices) = split(&var.name);
            if indices.is_empty() || base != last {
                list(&mut key, base, split(&new).0);
            }
            last = base;
            renamed.vars[id.0 as usize].name = new;
            if let VarType::Enum(values) = &var.ty {
                for value in values {
                    if let Value::Sym(symbol) = value {
                        constants.of(model.pool.symbol_name(*symbol), &mut key);
                    }
                }
            }
        }
    }
    let (mut whole, mut arrays) = ("", 0);
    for (define, new) in model.defines.iter().zip(&mut renamed.defines) {
        let (base, indices) = split(&define.name);
        if indices.is_empty() {
            new.name = names.define(&define.name);
            list(&mut key, base, &new.name);
            continue;
        }
        if base != whole {
            whole = base;
            list(&mut key, base, &format!("m{arrays}"));
            arrays += 1;
        }
        new.name = format!("m{}{}", arrays - 1, &define.name[base.len()..]);
    }
    for name in &mut renamed.constants {
        *name = constants.of(name, &mut key);
    }
    renamed
        .pool
        .rename_symbols(|name| constants.of(name, &mut key));
    (renamed, key)
}

/// `..,a,b:sb_0`
fn list(key: &mut String, name: &str, new: &str) {
    let parts: Vec<&str> = name.split('.').collect();
    let dots = ".".repeat(parts.len());
    let _ = writeln!(key, "{dots},{}:{new}", parts.join(","));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::flat;

    #[test]
    fn names_and_their_list() {
        let model = flat(
            "VAR b : boolean; t : array 0..1 of {p, q}; IVAR i : {q, r}; DEFINE d := i = r; SPEC AG b",
        );
        let (renamed, key) = rename(&model);
        let names: Vec<&str> = renamed.vars.iter().map(|v| v.name.as_str()).collect();
        assert_eq!(names, ["sb_0", "a0[0]", "a0[1]", "is_0"]);
        assert_eq!(renamed.defines[0].name, "db_0");
        assert_eq!(
            key,
            "ORIGINAL ID : ANONYMOUS ID\n.,i:is_0\nq:c_0\nr:c_1\n.,b:sb_0\n.,t:a0\np:c_2\n.,d:db_0\n"
        );
    }
}
