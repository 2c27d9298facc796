//! The answers to queries: lines, table rows, and an object of the document.
//!
//! ```text
//! -- query EF ?{x} has 1 solution in all initial states, 2 in some
//! --   in all: x = 1
//! --   1: x = 0 (from 3 initial states)
//! --   2: x in 1..2 (from 4 initial states)
//! ```
//! A cube is a product of sets of values; a variable that may have any value is left out.

use crate::engine::query::answer::{Refined, Strongest};
use crate::engine::query::cubes::{size, value_at};
use crate::engine::query::{Answer, Cube, Listing, Values};
use crate::model::{FlatModel, Query, VarId};
use crate::trace::Cell;
use num_bigint::BigUint;
use serde_json::{Map, Value, json};

/// The head of the table of `--format csv`.
pub const CSV_HEAD: &str = "query,text,answer,solutions,number,values,initial_states\n";

/// A query with its answer.
pub struct Report<'a> {
    pub model: &'a FlatModel,
    pub query: &'a Query,
    pub answer: &'a Answer,
}

impl Report<'_> {
    /// The text of the query, with its instance.
    fn text(&self) -> String {
        let Query { text, context, .. } = self.query;
        match context.as_str() {
            "" => text.clone(),
            context => format!("{text} IN {context}"),
        }
    }

    /// The intervals of a set of values as text: `3` or `0..2` each.
    fn intervals(&self, v: VarId, values: &Values) -> Vec<String> {
        let ty = &self.model.var(v).ty;
        let text = |position: &BigUint| {
            let value = value_at(ty, position);
            Cell::new(&value, &self.model.pool).to_string()
        };
        let mut out = Vec::new();
        for (lo, hi) in &values.0 {
            if lo == hi {
                out.push(text(lo));
            } else if *hi == lo + 1u32 || matches!(ty, crate::model::VarType::Enum(_)) {
                let mut at = lo.clone();
                while at <= *hi {
                    out.push(text(&at));
                    at += 1u32;
                }
            } else {
                out.push(format!("{}..{}", text(lo), text(hi)));
            }
        }
        out
    }

    fn cube(&self, cube: &Cube, and: &str) -> String {
        let mut parts = Vec::new();
        for (v, values) in &cube.values {
            let var = self.model.var(*v);
            if values.is_all(&var.ty) && size(&var.ty) > BigUint::from(1u32) {
                continue;
            }
            let texts = self.intervals(*v, values);
            parts.push(match &texts[..] {
                [one] if values.0[0].0 == values.0[0].1 => format!("{} = {one}", var.name),
                [one] => format!("{} in {one}", var.name),
                several => format!("{} in {{{}}}", var.name, several.join(", ")),
            });
        }
        if parts.is_empty() {
            return "any values".to_owned();
        }
        parts.join(and)
    }

    /// The lines of the answer.
    pub fn lines(&self) -> String {
        let a = self.answer;
        let mut out = format!("-- query {} has {}", self.text(), solutions(&a.count));
        // With one initial state both answers are one.
        let same = a.count == a.count_some && a.initial.iter().all(|n| *n == BigUint::from(1u32));
        if same {
            out.push('\n');
        } else {
            out += &format!(" in all initial states, {} in some\n", a.count_some);
            for cube in &a.all.cubes {
                out += &format!("--   in all: {}\n", self.cube(cube, ", "));
            }
            out += cut(&a.all);
        }
        for (i, (cube, n)) in a.some.cubes.iter().zip(&a.initial).enumerate() {
            out += &format!("--   {}: {}", i + 1, self.cube(cube, ", "));
            if !same {
                let plural = if *n == BigUint::from(1u32) { "" } else { "s" };
                out += &format!(" (from {n} initial state{plural})");
            }
            out.push('\n');
            for start in a.starts.iter().flat_map(|s| &s[i].cubes) {
                out += &format!("--      from {}\n", self.cube(start, ", "));
            }
            out += a.starts.as_ref().map_or("", |s| cut(&s[i]));
        }
        out += cut(&a.some);
        out + &self.further_lines()
    }

    fn further_lines(&self) -> String {
        let a = self.answer;
        let mut out = String::new();
        match &a.refined {
            None => {}
            Some(Refined::NotPositive) => {
                out += "--   not refined: the placeholder stands under a negation\n";
            }
            Some(Refined::Levels(levels)) => {
                for groups in levels {
                    let parts: Vec<String> = groups
                        .iter()
                        .map(|g| format!("{{{}}} {}", self.names(&g.over).join(", "), g.some))
                        .collect();
                    out += &format!("--   refined: {}\n", parts.join("; "));
                }
            }
        }
        match &a.strongest {
            None => {}
            Some(Strongest::NotPositive) => {
                out += "--   no strongest solutions: the placeholder stands under a negation\n";
            }
            Some(Strongest::TooMany(n)) => {
                out += &format!("--   strongest solutions not sought: {n} minterms, at most 16\n");
            }
            Some(Strongest::Found(all)) => {
                for formula in all {
                    out += &format!("--   strongest: {}\n", self.formula(formula));
                }
                if all.is_empty() {
                    out += "--   strongest: none\n";
                }
            }
        }
        if let Some(n) = &a.naive {
            let (pass, all) = (a.time.as_secs_f64(), n.extrapolated_s());
            out += &format!(
                "--   naive: {} of {} minterms checked, {}; {:.3} s, all would take {all:.1} s; \
                 one pass {pass:.3} s, {:.0} times faster\n",
                n.checked,
                n.minterms,
                match n.differ {
                    0 => "same answers".to_owned(),
                    d => format!("{d} OTHER ANSWERS: this is a bug, please report it"),
                },
                n.time.as_secs_f64(),
                all / pass.max(1e-9),
            );
        }
        out
    }

    /// A set of minterms as a disjunction.
    fn formula(&self, minterms: &Listing) -> String {
        let parts: Vec<String> = minterms.cubes.iter().map(|c| self.cube(c, " & ")).collect();
        match parts.len() {
            0 => "FALSE".to_owned(),
            1 => parts[0].clone(),
            _ => format!("({})", parts.join(") | (")),
        }
    }

    fn names(&self, over: &[VarId]) -> Vec<String> {
        over.iter()
            .map(|&v| self.model.var(v).name.clone())
            .collect()
    }

    /// The rows of the table; `index` is the number of the query, from 0.
    pub fn csv(&self, index: usize) -> String {
        let a = self.answer;
        let text = quoted(&self.text());
        let row = |answer: &str, count: &BigUint, rest: &str| {
            format!("{index},{text},{answer},{count},{rest}\n")
        };
        let mut out = String::new();
        for (answer, count, listing) in
            [("all", &a.count, &a.all), ("some", &a.count_some, &a.some)]
        {
            if listing.cubes.is_empty() {
                out += &row(answer, count, ",,");
            }
            for (i, cube) in listing.cubes.iter().enumerate() {
                let values = quoted(&self.cube(cube, ", "));
                let initial = match answer {
                    "some" => a.initial[i].to_string(),
                    _ => String::new(),
                };
                out += &row(answer, count, &format!("{},{values},{initial}", i + 1));
            }
        }
        out
    }

    fn cube_json(&self, cube: &Cube) -> Value {
        let mut values = Map::new();
        for (v, set) in &cube.values {
            let var = self.model.var(*v);
            if !set.is_all(&var.ty) || size(&var.ty) == BigUint::from(1u32) {
                values.insert(var.name.clone(), json!(self.intervals(*v, set)));
            }
        }
        json!({ "values": values })
    }

    fn listing_json(&self, listing: &Listing) -> Vec<Value> {
        listing.cubes.iter().map(|c| self.cube_json(c)).collect()
    }

    /// The object in the list `queries` of the document.
    pub fn json(&self) -> Value {
        let a = self.answer;
        let mut some = self.listing_json(&a.some);
        for (i, cube) in some.iter_mut().enumerate() {
            cube["initial_states"] = json!(a.initial[i].to_string());
            if let Some(starts) = &a.starts {
                cube["initial_cubes"] = self.listing_json(&starts[i]).into();
            }
        }
        let mut entry = json!({
            "text": self.text(),
            "name": self.query.name,
            "variables": self.names(&self.query.over),
            "count": a.count.to_string(),
            "count_some": a.count_some.to_string(),
            "cubes": self.listing_json(&a.all),
            "cubes_some": some,
            "complete": !(a.all.cut || a.some.cut),
            "time_ms": a.time.as_secs_f64() * 1e3,
        });
        match &a.refined {
            None => {}
            Some(Refined::NotPositive) => entry["refined"] = Value::Null,
            Some(Refined::Levels(levels)) => {
                let group = |g: &crate::engine::query::refine::Group| {
                    json!({
                        "variables": self.names(&g.over), "count_some": g.some.to_string(),
                    })
                };
                let level = |l: &Vec<_>| l.iter().map(group).collect::<Vec<_>>();
                entry["refined"] = json!(levels.iter().map(level).collect::<Vec<_>>());
            }
        }
        match &a.strongest {
            None => {}
            Some(Strongest::Found(all)) => {
                let texts: Vec<String> = all.iter().map(|l| self.formula(l)).collect();
                entry["strongest"] = json!(texts);
            }
            Some(_) => entry["strongest"] = Value::Null,
        }
        if let Some(n) = &a.naive {
            entry["naive"] = json!({
                "checked": n.checked,
                "minterms": n.minterms.to_string(),
                "differ": n.differ,
                "time_ms": n.time.as_secs_f64() * 1e3,
            });
        }
        entry
    }
}

fn solutions(n: &BigUint) -> String {
    let plural = if *n == BigUint::from(1u32) { "" } else { "s" };
    format!("{n} solution{plural}")
}

fn cut(listing: &Listing) -> &'static str {
    if listing.cut {
        "--   (there are more; -query_limit says how many are listed)\n"
    } else {
        ""
    }
}

/// A field of the table.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
