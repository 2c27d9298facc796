//! The answers to queries: lines ([`Report::lines`]), table rows (`csv`), and an object of the document (`json`).
//!
//! ```text
//! -- query EF ?{x} has 1 solution in all initial states, 2 in some
//! --   in all: x = 1
//! --   1: x = 0 (from 3 initial states)
//! --   2: x in 1..2 (from 4 initial states)
//! ```
//! A cube is a product of sets of values; a variable that may have any value is left out.

mod csv;
mod json;
mod lines;

pub use csv::CSV_HEAD;

use crate::engine::query::cubes::{size, value_at};
use crate::engine::query::refine::{PASSES, Skip};
use crate::engine::query::{Answer, Cube, Listing, Values};
use crate::model::{FlatModel, Query, Var, VarId, VarType};
use crate::trace::Cell;
use num_bigint::BigUint;

/// A query with its answer.
pub struct Report<'a> {
    /// For names and types of variables.
    pub model: &'a FlatModel,
    /// What was asked.
    pub query: &'a Query,
    /// What was found.
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
            } else if *hi == lo + 1u32 || matches!(ty, VarType::Enum(_)) {
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

    /// The variables of a cube that it says something of, with the intervals of their values.
    fn told<'a>(&self, cube: &'a Cube) -> impl Iterator<Item = (&Var, &'a Values, Vec<String>)> {
        let one = BigUint::from(1u32);
        cube.values.iter().filter_map(move |(v, values)| {
            let var = self.model.var(*v);
            let any = values.is_all(&var.ty) && size(&var.ty) > one;
            (!any).then(|| (var, values, self.intervals(*v, values)))
        })
    }

    fn cube(&self, cube: &Cube, and: &str) -> String {
        let told = self
            .told(cube)
            .map(|(var, values, texts)| match &texts[..] {
                [one] if values.0[0].0 == values.0[0].1 => format!("{} = {one}", var.name),
                [one] => format!("{} in {one}", var.name),
                several => format!("{} in {{{}}}", var.name, several.join(", ")),
            });
        let parts: Vec<String> = told.collect();
        if parts.is_empty() {
            return "any values".to_owned();
        }
        parts.join(and)
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
