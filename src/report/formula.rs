//! Sets of states (and inputs) as formulas over the model's variables.
//!
//! Variable by variable down the order: values with the same rest go together. A rest that is needed twice
//! gets a name of its own, so that the text is not larger than the diagram.

use crate::base::deep;
use crate::dd::{Bdd, DdResult, VarIndex};
use crate::encode::BddFsm;
use crate::model::{Value, VarId, VarType, Word};
use crate::trace::Cell;
use std::collections::HashMap;
use std::fmt::Write;

/// What NuSMV prints under `FORMULA =`.
pub fn text(fsm: &BddFsm, set: &Bdd) -> DdResult<String> {
    let mut writer = Writer::new(fsm);
    writer.count(set)?;
    let formula = writer.expr(set)?;
    let mut out = formula + "\n\n";
    if !writer.names.is_empty() {
        out += "-- Symbols introduced by the dumper:\n";
        for (name, body) in &writer.definitions {
            let _ = writeln!(out, "DEFINE {name} := {body} ;");
        }
        out.push('\n');
    }
    Ok(out)
}

/// The members of a set as lines of `name = value`, each ended by a tab; what does not matter is left out.
pub fn models(fsm: &BddFsm, set: &Bdd, line: &mut dyn FnMut(String)) -> DdResult<()> {
    if set.is_zero() {
        line("-- The BDD is the constant 0\n".to_owned());
        return Ok(());
    }
    Writer::new(fsm).models(set, String::new(), line)
}

struct Writer<'f> {
    fsm: &'f BddFsm,
    /// The variable of each bit.
    variables: HashMap<VarIndex, VarId>,
    /// How often a set is needed.
    uses: HashMap<Bdd, u32>,
    names: HashMap<Bdd, String>,
    definitions: Vec<(String, String)>,
}

impl<'f> Writer<'f> {
    fn new(fsm: &'f BddFsm) -> Self {
        let mut variables = HashMap::new();
        for &v in fsm.layout.encoded() {
            let bits = fsm.layout.bits(v).current.iter();
            variables.extend(bits.map(|&bit| (bit, v)));
        }
        Writer {
            fsm,
            variables,
            uses: HashMap::new(),
            names: HashMap::new(),
            definitions: Vec::new(),
        }
    }

    /// What is left of the set for the values of its topmost variable, those with the same rest together;
    /// nothing for a constant set. Wide words go bit by bit.
    fn split(&self, set: &Bdd) -> DdResult<Vec<Group>> {
        let (Some(bit), Some((low, high))) = (set.top(), set.cofactors()) else {
            return Ok(Vec::new());
        };
        let Some(&v) = self.variables.get(&bit) else {
            return Ok(Vec::new());
        };
        let var = self.fsm.model.var(v);
        if let VarType::Word { width, .. } = var.ty
            && width > WIDE
        {
            let bits = &self.fsm.layout.bits(v).current;
            let place = bits.iter().position(|&b| b == bit).unwrap_or(0);
            let i = bits.len() - 1 - place;
            let group = |value: u32, rest| {
                let text = format!("{}[{i}:{i}] = 0ud1_{value}", var.name);
                Group {
                    conditions: vec![text.clone()],
                    pairs: vec![text],
                    rest,
                }
            };
            return Ok(vec![group(1, high), group(0, low)]);
        }
        let mut groups: Vec<Group> = Vec::new();
        for value in values(&var.ty) {
            let mut all = vec![None; self.fsm.model.vars.len()];
            all[v.0 as usize] = Some(value.clone());
            let rest = set.cofactor(&self.fsm.cube(&all)?)?;
            let pair = format!("{} = {}", var.name, Cell::new(&value, &self.fsm.model.pool));
            let condition = match value {
                Value::Bool(true) => var.name.clone(),
                Value::Bool(false) => format!("!{}", var.name),
                _ => pair.clone(),
            };
            match groups.iter_mut().find(|g| g.rest == rest) {
                Some(group) => {
                    group.conditions.push(condition);
                    group.pairs.push(pair);
                }
                None => groups.push(Group {
                    conditions: vec![condition],
                    pairs: vec![pair],
                    rest,
                }),
            }
        }
        Ok(groups)
    }

    fn count(&mut self, set: &Bdd) -> DdResult<()> {
        let uses = self.uses.entry(set.clone()).or_insert(0);
        *uses += 1;
        if *uses > 1 {
            return Ok(());
        }
        for group in self.split(set)? {
            deep(|| self.count(&group.rest))?;
        }
        Ok(())
    }

    fn expr(&mut self, set: &Bdd) -> DdResult<String> {
        if let Some(name) = self.names.get(set) {
            return Ok(name.clone());
        }
        let groups = self.split(set)?;
        if groups.is_empty() {
            return Ok(if set.is_zero() { "FALSE" } else { "TRUE" }.to_owned());
        }
        // Where all other values are fine, a rest needs no condition.
        let bare = groups.len() == 2 && groups.iter().any(|g| g.rest.is_one());
        let mut terms = Vec::new();
        let mut others = Vec::new();
        for group in groups.iter().filter(|g| !g.rest.is_zero()) {
            let condition = match group.conditions.as_slice() {
                [one] => one.clone(),
                all => format!("({})", all.join(" | ")),
            };
            if group.rest.is_one() {
                terms.push(condition);
                continue;
            }
            let rest = deep(|| self.expr(&group.rest))?;
            others.push(match bare {
                true => rest,
                false => format!("({condition} & {rest})"),
            });
        }
        terms.append(&mut others);
        let text = match terms.as_slice() {
            [one] => one.clone(),
            all => format!("({})", all.join(" | ")),
        };
        if self.uses.get(set).is_some_and(|&n| n > 1) && text.len() > LONG {
            let name = format!("__expr{}", self.definitions.len());
            self.names.insert(set.clone(), name.clone());
            self.definitions.push((name.clone(), text));
            return Ok(name);
        }
        Ok(text)
    }

    fn models(&self, set: &Bdd, before: String, line: &mut dyn FnMut(String)) -> DdResult<()> {
        if set.is_one() {
            line(before + "\n");
            return Ok(());
        }
        for group in self.split(set)? {
            for pair in group.pairs {
                let before = format!("{before}{pair}\t");
                deep(|| self.models(&group.rest, before, line))?;
            }
        }
        Ok(())
    }
}

/// Values of a variable for which the same is left of a set.
struct Group {
    /// `b`, `!b`, `x = 3`
    conditions: Vec<String>,
    /// `b = TRUE`, `b = FALSE`, `x = 3`
    pairs: Vec<String>,
    rest: Bdd,
}

/// Words of more bits go bit by bit.
const WIDE: u32 = 8;

/// Shorter texts get no name.
const LONG: usize = 24;

/// All values of a type, true before false.
fn values(ty: &VarType) -> Vec<Value> {
    match ty {
        VarType::Bool => vec![Value::Bool(true), Value::Bool(false)],
        VarType::Range { lo, hi } => (*lo..=*hi).map(Value::Int).collect(),
        VarType::Enum(values) => values.clone(),
        VarType::Word { signed, width } => (0..1u64 << (*width).min(WIDE))
            .map(|bits| {
                Value::Word(Word {
                    signed: *signed,
                    width: *width,
                    bits: bits.into(),
                })
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::testing::machine;
    use crate::model::testing::flat;
    use std::rc::Rc;

    #[test]
    fn formulas_and_models() {
        let m = Rc::new(flat("VAR b : boolean; x : 0..2; INVAR b -> x != 1;"));
        let fsm = machine(&m);
        let formula = text(&fsm, &fsm.invar).unwrap();
        assert_eq!(formula, "(!b | (x = 0 | x = 2))\n\n");
        assert_eq!(text(&fsm, &fsm.manager.one()).unwrap(), "TRUE\n\n");
        let mut lines = Vec::new();
        models(&fsm, &fsm.invar, &mut |l| lines.push(l)).unwrap();
        assert_eq!(
            lines,
            [
                "b = TRUE\tx = 0\t\n",
                "b = TRUE\tx = 2\t\n",
                "b = FALSE\t\n"
            ]
        );
    }
}
