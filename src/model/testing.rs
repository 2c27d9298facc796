//! Small models for unit tests.

use super::{FlatModel, FlattenOptions, Source, flatten};

/// Numbers of a linear congruence (Knuth's MMIX), high bits.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    pub fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
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
        Err(d) => panic!("{}", d.nusmv("F")),
    }
}

/// The messages on a model that has errors.
pub fn errors(body: &str) -> String {
    match flatten(&source(body), &FlattenOptions::default()) {
        Ok(_) => String::new(),
        Err(d) => d.nusmv("F"),
    }
}
