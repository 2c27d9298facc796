//! Array DEFINEs that depend on themselves.
//!
//! NuSMV takes an array DEFINE as one definition, so `d := [b, d[0]]` is defined by itself although
//! no cell is. Input: the source trees of all definitions, of which the cells of an array are one node of a
//! graph. Depth-first search, from the properties and then in the order of declaration, for a circle through an array; those of scalars
//! alone are met while definitions are flattened.

use super::scope::DefId;
use super::{Body, Fallible, Flattener};
use crate::diag::Diagnostic;
use rustc_hash::FxHashMap;

/// The array that a definition called `name` is a cell of: `x.d` for `x.d[1][0]`.
pub(super) fn array_of(name: &str) -> Option<&str> {
    let last = name.rfind('.').map_or(0, |dot| dot + 1);
    let bracket = name[last..].find('[')? + last;
    name.ends_with(']').then(|| &name[..bracket])
}

/// A definition, or the cells of an array.
struct Unit {
    name: String,
    array: bool,
    members: Vec<DefId>,
}

#[derive(Clone, Copy, PartialEq)]
enum Color {
    New,
    /// On the path, at this place.
    Open(usize),
    Done,
}

/// A step of the search: a unit and what remains to be looked at, last first: who names what.
struct Step {
    unit: usize,
    rest: Vec<(DefId, DefId)>,
}

impl Flattener<'_> {
    /// Refuses circles through arrays.
    pub(super) fn forbid_circular_arrays(&mut self) -> Fallible<()> {
        let (units, unit_of) = self.units();
        if units.iter().all(|u| !u.array) {
            return Ok(());
        }
        let mut color = vec![Color::New; units.len()];
        let mut roots = self.used_in_properties();
        roots.extend((0..self.defs.len()).map(|i| DefId(i as u32)));
        for root in roots {
            let root = unit_of[root.0 as usize];
            if color[root] != Color::New {
                continue;
            }
            color[root] = Color::Open(0);
            let rest = self.uses(&units[root]);
            let mut path = vec![Step { unit: root, rest }];
            while let Some(step) = path.last_mut() {
                let Some((user, used)) = step.rest.pop() else {
                    color[step.unit] = Color::Done;
                    path.pop();
                    continue;
                };
                let unit = unit_of[used.0 as usize];
                match color[unit] {
                    Color::Done => {}
                    Color::New => {
                        color[unit] = Color::Open(path.len());
                        let rest = self.uses(&units[unit]);
                        path.push(Step { unit, rest });
                    }
                    Color::Open(from) if path[from..].iter().any(|s| units[s.unit].array) => {
                        let full = &units[unit].name;
                        let name = full.rsplit('.').next().unwrap_or(full);
                        let text = format!("recursively defined: {name}");
                        let user = &self.defs[user.0 as usize];
                        return Err(Box::new(Diagnostic::model(user.site, text)));
                    }
                    Color::Open(_) => {}
                }
            }
        }
        Ok(())
    }

    /// What the properties name, which NuSMV looks at first.
    fn used_in_properties(&mut self) -> Vec<DefId> {
        let mut all = Vec::new();
        for i in 0..self.sections.specs.len() {
            let (outer, spec) = self.sections.specs[i];
            if let Some(e) = Self::first_expr(spec) {
                let context = self.property_context(outer, spec);
                all.extend(self.definitions_in(e, context));
            }
        }
        all
    }

    /// The nodes of the graph, and the node of each definition.
    fn units(&self) -> (Vec<Unit>, Vec<usize>) {
        let mut arrays: FxHashMap<&str, usize> = FxHashMap::default();
        let mut units: Vec<Unit> = Vec::new();
        let mut unit_of = Vec::with_capacity(self.defs.len());
        for (i, def) in self.defs.iter().enumerate() {
            let array = array_of(&def.name);
            let known = array.and_then(|a| arrays.get(a).copied());
            let unit = known.unwrap_or(units.len());
            if known.is_none() {
                units.push(Unit {
                    name: array.unwrap_or(&def.name).to_owned(),
                    array: array.is_some(),
                    members: Vec::new(),
                });
            }
            if let Some(array) = array {
                arrays.insert(array, unit);
            }
            units[unit].members.push(DefId(i as u32));
            unit_of.push(unit);
        }
        (units, unit_of)
    }

    /// What the members of a unit name, the last first.
    fn uses(&mut self, unit: &Unit) -> Vec<(DefId, DefId)> {
        let mut all = Vec::new();
        for &d in &unit.members {
            if let Body::Expr(e, context) = self.defs[d.0 as usize].body {
                all.extend(self.definitions_in(e, context).into_iter().map(|b| (d, b)));
            }
        }
        all.reverse();
        all
    }
}
