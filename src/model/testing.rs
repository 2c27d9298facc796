//! Small models for unit tests.

use super::{FlatModel, FlattenOptions, Source, flatten};

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
