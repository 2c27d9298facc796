//! Files with variable orders (`-i`, `-o`, `-t`): names of variables or of their bits, separated by
//! white space, which may stand in a quoted part of a name; `--` begins a comment. Bit 0 of `x` is `x.0`, its last one.

use crate::dd::Manager;
use crate::encode::{Layout, OrderName, layout};
use crate::model::{FlatModel, VarId, VarType};
use crate::report::warning;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ffi::OsStr;

/// Why a file gives no order.
#[derive(Debug, thiserror::Error)]
pub enum OrderFileError {
    #[error("Error: file '{0}' not found.")]
    NotFound(String),
    #[error("While parsing variable ordering: illegal character")]
    Illegal,
}

/// The names in the file, in order, as often as they occur.
pub fn read(file: &OsStr) -> Result<Vec<String>, OrderFileError> {
    let bytes = std::fs::read(file)
        .map_err(|_| OrderFileError::NotFound(file.to_string_lossy().into_owned()))?;
    parse(&String::from_utf8_lossy(&bytes))
}

fn parse(text: &str) -> Result<Vec<String>, OrderFileError> {
    let mut names = Vec::new();
    for line in text.lines() {
        let mut rest = line.trim_start();
        while !rest.is_empty() && !rest.starts_with("--") {
            let (name, after) = rest.split_at(name_length(rest)?);
            names.push(name.to_owned());
            rest = after.trim_start();
        }
    }
    Ok(names)
}

/// The length of the name that the text begins with.
fn name_length(text: &str) -> Result<usize, OrderFileError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_$#\\-.[]".contains(c);
    let mut quoted = false;
    for (i, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            _ if quoted || plain(c) => {}
            c if c.is_whitespace() => return Ok(i),
            _ => return Err(OrderFileError::Illegal),
        }
    }
    (!quoted)
        .then_some(text.len())
        .ok_or(OrderFileError::Illegal)
}

/// The model's variables and bits with these names; unknown and repeated ones are reported to `warn`. Of
/// repeated ones the last place counts.
pub fn resolve(
    model: &FlatModel,
    names: &[String],
    warn: &mut dyn FnMut(String),
) -> Vec<OrderName> {
    let ids = (0..model.vars.len() as u32).map(VarId);
    let known: FxHashMap<&str, VarId> = ids.map(|v| (model.var(v).name.as_str(), v)).collect();
    let find = |name: &str| {
        if let Some(&v) = known.get(name) {
            return Some(OrderName::Var(v));
        }
        let (var, bit) = name.rsplit_once('.')?;
        let (&v, bit) = (known.get(var)?, bit.parse::<u32>().ok()?);
        let ty = &model.var(v).ty;
        (*ty != VarType::Bool && bit < layout::width(ty)).then_some(OrderName::Bit(v, bit))
    };
    let mut seen = FxHashSet::default();
    let mut order = Vec::new();
    for name in names {
        match find(name) {
            None => warn(warning::block(&[
                &format!("The variable: {name}"),
                "has not been declared in the source file,",
                "but it appear in the input ordering file.",
                "Ignoring it.",
            ])),
            Some(item) => {
                order.push(item);
                if !seen.insert(item) {
                    warn(format!(
                        "\n********   WARNING   ********\nvariable appears twice in order file:{name}"
                    ));
                }
            }
        }
    }
    order.reverse();
    order.retain(|item| seen.remove(item));
    order.reverse();
    order
}

/// The order of the machine's bits, one name a line.
pub fn text(model: &FlatModel, layout: &Layout, manager: &Manager) -> String {
    let mut bits: Vec<(u32, String)> = (layout.names(model).into_iter())
        .map(|(bit, name)| (manager.level_of(bit), name))
        .collect();
    bits.sort();
    bits.into_iter().map(|(_, name)| name + "\n").collect()
}

/// The order of the machine's variables, by their first bits, one name a line.
pub fn variables(model: &FlatModel, layout: &Layout, manager: &Manager) -> String {
    let top = |v: VarId| {
        let levels = layout.bits(v).current.iter();
        levels.map(|&b| manager.level_of(b)).min()
    };
    let mut order: Vec<_> = layout.encoded().iter().map(|&v| (top(v), v)).collect();
    order.sort();
    order
        .into_iter()
        .map(|(_, v)| model.var(v).name.clone() + "\n")
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::flat;

    #[test]
    fn names_and_comments() {
        assert_eq!(
            parse("b x.0\n\n-- c\na[1] -- d\n").unwrap(),
            ["b", "x.0", "a[1]"]
        );
        assert_eq!(
            parse("m.\"a -- b\"[1].0 \"$x:1\"\n").unwrap(),
            ["m.\"a -- b\"[1].0", "\"$x:1\""]
        );
        assert!(parse("next(x)").is_err());
        assert!(parse("\"x").is_err());
    }

    #[test]
    fn bits_are_known_and_others_reported() {
        let m = flat("VAR x : 0..3; b : boolean;");
        let names = ["b", "x.1", "b", "x.7", "b.0"].map(str::to_owned);
        let mut warnings = 0;
        let order = resolve(&m, &names, &mut |_| warnings += 1);
        assert_eq!(
            order,
            [OrderName::Bit(VarId(0), 1), OrderName::Var(VarId(1))]
        );
        assert_eq!(warnings, 3);
    }
}
