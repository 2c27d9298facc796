//! Small models for unit tests.

use super::{FlatModel, FlattenOptions, Source, flatten};
use crate::diag::Diagnostics;

/// Numbers of a linear congruence (Knuth's MMIX), high bits.
pub struct Random(pub u64);

impl Random {
    /// A number from 0 to `n - 1`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    /// One of them, each with the same chance.
    pub fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }

    /// A disjunction of some cells of a table over `names`, each with one chance in `n`.
    pub fn table(&mut self, names: &[&str], n: u64) -> String {
        let mut cells = vec!["FALSE".to_owned()];
        for cell in 0..1u32 << names.len() {
            if self.below(n) == 0 {
                let literal = |(k, name): (usize, &&str)| {
                    let sign = if cell >> k & 1 == 0 { "!" } else { "" };
                    format!("{sign}{name}")
                };
                let literals: Vec<_> = names.iter().enumerate().map(literal).collect();
                cells.push(literals.join(" & "));
            }
        }
        cells.join(" | ")
    }
}

/// Parses a file; `body` without MODULE gets a `main`.
pub fn source(body: &str) -> Source {
    let text = if body.contains("MODULE main") {
        body.into()
    } else {
        format!("MODULE main {body}")
    };
    let parsed = smv_grammar::parse(text.as_bytes(), &smv_grammar::ParseOptions::default());
    let ast = parsed.expect("the test's model is well formed");
    Source {
        file: "F".into(),
        text: text.into(),
        ast,
    }
}

/// Flattens a model that has no errors.
pub fn flat(body: &str) -> FlatModel {
    match flatten(&source(body), &FlattenOptions::default()) {
        Ok(m) => m,
        Err(d) => panic!("{}", nusmv(&d)),
    }
}

/// The messages on a model that has errors.
pub fn errors(body: &str) -> String {
    match flatten(&source(body), &FlattenOptions::default()) {
        Ok(_) => String::new(),
        Err(d) => nusmv(&d),
    }
}

fn nusmv(messages: &Diagnostics) -> String {
    messages.items.iter().map(|d| d.nusmv("F")).collect()
}
