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
use crate::engine::query::refine::{Group, PASSES, Skip};
use crate::engine::query::{Answer, Cube, Listing, Values};
use crate::model::{FlatModel, Query, VarId};
use crate::trace::Cell;
use num_bigint::BigUint;
use serde_json::{Map, Value, json};

/// The head of the table of `--format csv`.
pub const CSV_HEAD: &str = "query,text,answer,solutions,number,values,initial_states\n";

/// Groups of a level of refinement that are printed.
const GROUPS: usize = 20;

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
            if a.starts.as_ref().is_some_and(|s| s[i].cut) {
                out += "--      and from more\n";
            }
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
            Some(Refined::Levels(levels, skip)) => {
                for (i, groups) in levels.iter().enumerate() {
                    if let Some(skip) = skip
                        && i + 1 == levels.len()
                    {
                        let why = skipped(skip);
                        out += &format!("--   refined: {why}; all variables next\n");
                    }
                    out += &self.level(groups);
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
            let cold = n.extrapolated_cold_s();
            out += &format!(
                "--   naive: {} of {} minterms checked, {}; {:.3} s, all would take {all:.1} s \
                 ({cold:.1} s each from empty tables); one pass {pass:.3} s, {:.0} ({:.0}) times faster\n",
                n.checked,
                n.minterms,
                match n.differ {
                    0 => "same answers".to_owned(),
                    d => format!("{d} OTHER ANSWERS: this is a bug, please report it"),
                },
                n.time.as_secs_f64(),
                all / pass.max(1e-9),
                cold / pass.max(1e-9),
            );
        }
        out
    }

    /// A level of refinement.
    fn level(&self, groups: &[Group]) -> String {
        let group = |g: &Group| format!("{{{}}} {}", self.names(&g.over).join(", "), g.some);
        let mut parts: Vec<String> = groups.iter().take(GROUPS).map(group).collect();
        if groups.len() > GROUPS {
            parts.push(format!("and {} more groups", groups.len() - GROUPS));
        }
        format!("--   refined: {}\n", parts.join("; "))
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
            "initial_ms": a.initial_time.as_secs_f64() * 1e3,
        });
        match &a.refined {
            None => {}
            Some(Refined::NotPositive) => entry["refined"] = Value::Null,
            Some(Refined::Levels(levels, skip)) => {
                if let Some(skip) = skip {
                    entry["refined_skipped"] = json!(skipped(skip));
                }
                let group = |g: &Group| {
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
                "cold_checked": n.cold,
                "cold_time_ms": n.cold_time.as_secs_f64() * 1e3,
            });
        }
        entry
    }
}

/// Why levels of refinement are missing.
fn skipped(skip: &Skip) -> String {
    match skip {
        Skip::Candidates(n) if *n == BigUint::from(1u32) => "1 candidate left".to_owned(),
        Skip::Candidates(n) => format!("{n} candidates left"),
        Skip::Passes { variables, groups } => {
            format!(
                "{groups} groups of {variables} variables are beyond the bound of {PASSES} passes"
            )
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::query::testing::ask_all;
    use crate::engine::query::{Config, answer};
    use crate::model::testing::{errors, flat};
    use std::rc::Rc;

    /// The lines for the queries of a model.
    fn lines(body: &str, config: &Config) -> String {
        let model = Rc::new(flat(body));
        let mut out = String::new();
        ask_all(&model, |query, question| {
            let found = answer(question, config, &mut |_, _| ()).unwrap();
            let report = Report {
                model: &model,
                query,
                answer: &found,
            };
            out += &report.lines();
        });
        out
    }

    #[test]
    fn values_of_all_types() {
        let body = "VAR w : signed word[40]; e : {a, b, 7}; r : 0..1000; x : array 0..1 of 1..3;
            ASSIGN init(w) := -0sd40_2; next(w) := w = 0sd40_1 ? w : w + 0sd40_1;
              init(e) := a; next(e) := {a, 7};
              init(x[0]) := 2; next(x[0]) := 3; init(x[1]) := 1; next(x[1]) := x[1];
            INIT r = 0 TRANS next(r) = 5 | next(r) >= 7 & next(r) <= 900
            QUERYSPEC EF ?{w} QUERYSPEC EF ?{e} QUERYSPEC EF ?{r} QUERYSPEC EF ?{x}";
        assert_eq!(
            lines(body, &Config::default()),
            "-- query EF ?{w} has 4 solutions\n\
             --   1: w in -0sd40_2..0sd40_1\n\
             -- query EF ?{e} has 2 solutions\n\
             --   1: e in {a, 7}\n\
             -- query EF ?{r} has 896 solutions\n\
             --   1: r in {0, 5, 7..900}\n\
             -- query EF ?{x} has 2 solutions\n\
             --   1: x[0] in {2, 3}, x[1] = 1\n"
        );
    }

    #[test]
    fn lists_are_cut_and_counts_exact() {
        let body = "FROZENVAR r : 0..1000000; w : word[64];
            QUERYSPEC AG ?{r} QUERYSPEC AG ? QUERYSPEC EF !?{w}";
        let config = Config {
            limit: 2,
            ..Config::default()
        };
        assert_eq!(
            lines(body, &config),
            "-- query AG ?{r} has 0 solutions in all initial states, 1000001 in some\n\
             --   1: r = 0 (from 18446744073709551616 initial states)\n\
             --   2: r = 1 (from 18446744073709551616 initial states)\n\
             --   (there are more; -query_limit says how many are listed)\n\
             -- query AG ? has 0 solutions in all initial states, 18446762520453625325551616 in some\n\
             --   1: r = 0, w = 0ud64_0 (from 1 initial state)\n\
             --   2: r = 0, w = 0ud64_1 (from 1 initial state)\n\
             --   (there are more; -query_limit says how many are listed)\n\
             -- query EF !?{w} has 0 solutions in all initial states, 18446744073709551616 in some\n\
             --   1: w = 0ud64_0 (from 18446762520453625324551615 initial states)\n\
             --   2: w = 0ud64_1 (from 18446762520453625324551615 initial states)\n\
             --   (there are more; -query_limit says how many are listed)\n"
        );
    }

    #[test]
    fn strongest_solutions_of_figure_4_4() {
        let body = "VAR p : boolean; q : boolean; r : boolean;
            ASSIGN init(p) := TRUE; next(p) := q ? p : {TRUE, FALSE};
              init(q) := FALSE; next(q) := TRUE; init(r) := TRUE; next(r) := TRUE;
            QUERYSPEC AF ? QUERYSPEC AG ? QUERYSPEC AF !?";
        let config = Config {
            strongest: true,
            refine: true,
            ..Config::default()
        };
        assert_eq!(
            lines(body, &config),
            "-- query AF ? has 1 solution\n\
             --   1: p = TRUE, q = FALSE, r = TRUE\n\
             --   refined: {p} 1; {q} 2; {r} 1\n\
             --   refined: 2 candidates left; all variables next\n\
             --   refined: {p, q, r} 1\n\
             --   strongest: p = TRUE & q = FALSE & r = TRUE\n\
             --   strongest: q = TRUE & r = TRUE\n\
             -- query AG ? has 0 solutions\n\
             --   refined: {p} 0\n\
             --   strongest: (p = FALSE & q = TRUE & r = TRUE) | (p = TRUE & r = TRUE)\n\
             -- query AF !? has 8 solutions\n\
             --   1: any values\n\
             --   not refined: the placeholder stands under a negation\n\
             --   no strongest solutions: the placeholder stands under a negation\n"
        );
    }

    #[test]
    fn no_fair_initial_state() {
        let body =
            "VAR x : 0..2; ASSIGN next(x) := x; JUSTICE x = 3; QUERYSPEC EF ? QUERYSPEC AG !?";
        let expected =
            "has 3 solutions in all initial states, 0 in some\n--   in all: any values\n";
        let found = lines(body, &Config::default());
        assert_eq!(
            found,
            format!("-- query EF ? {expected}-- query AG !? {expected}")
        );
    }

    #[test]
    fn names_in_placeholders() {
        let body = |names: &str| {
            format!(
                "MODULE m(y) VAR z : boolean; t : {{only}}; QUERYSPEC EF ?{{y}}
                 MODULE main VAR x : boolean; n : m(x); IVAR i : boolean;
                 DEFINE d := x; e := !x; QUERYSPEC EF ?{{{names}}}"
            )
        };
        let over = |names: &str| {
            let model = flat(&body(names));
            let names = |q: &Query| {
                let name = |&v: &VarId| model.var(v).name.as_str();
                q.over.iter().map(name).collect::<Vec<_>>().join(" ")
            };
            model
                .queries
                .iter()
                .map(names)
                .collect::<Vec<_>>()
                .join("; ")
        };
        assert_eq!(over("n.z, x"), "x; x n.z");
        assert_eq!(over("n, d, n.t"), "x; x n.z");
        for (names, complaint) in [
            ("i", "is an input variable"),
            ("e", "is no variable"),
            ("zz", "undefined identifier 'zz'"),
        ] {
            let found = errors(&body(names));
            assert!(found.contains(complaint), "{names}: {found}");
        }
        for (query, complaint) in [
            ("EF x", "needs a placeholder"),
            ("EF ?{x} & ?{n.z}", "of one kind"),
            ("EF (x & ?) & i", "input variables"),
            ("EF ?{z} IN k", "undefined"),
            ("EF ? IN k", "no instance 'k'"),
        ] {
            let found = errors(&(body("x") + " QUERYSPEC " + query));
            assert!(found.contains(complaint), "{query}: {found}");
        }
    }
}
