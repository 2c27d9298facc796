//! The model file → source tree.
//!
//! Reads bytes (through preprocessors if asked), parses them. Failures are NuSMV's messages, each
//! with the way NuSMV ends after it.

use super::options::Options;
use super::preprocess;
use crate::model::Source;
use smv_grammar::ast::Ast;
use smv_grammar::{ParseOptions, SyntaxError, parse};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

/// Why there is no source tree.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// No file was named.
    #[error("Input file is (null). You must set the input file before.")]
    NoInput,
    #[error("cannot open input file {0}")]
    Open(String),
    /// The file is a directory, or reading it fails half-way.
    #[error("input in flex scanner failed")]
    Read,
    /// Two modules have one name.
    #[error("multiple declaration of identifier: {name}")]
    ModuleTwice { file: String, name: String },
    #[error(transparent)]
    Preprocess(#[from] preprocess::PreprocessError),
    #[error("{}", .errors.first().map(SyntaxError::message).unwrap_or_default())]
    Syntax {
        file: String,
        text: Arc<str>,
        errors: Vec<SyntaxError>,
    },
}

/// Reads and parses the input file.
pub fn load(options: &Options) -> Result<Source, LoadError> {
    let Some(path) = &options.input else {
        return Err(LoadError::NoInput);
    };
    let file = path.to_string_lossy().into_owned();
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == ErrorKind::IsADirectory || Path::new(path).is_dir() => {
            return Err(LoadError::Read);
        }
        Err(_) => return Err(LoadError::Open(file)),
    };
    let bytes = if options.preprocessors.is_empty() {
        bytes
    } else {
        preprocess::run(&options.preprocessors, &options.programs, path)?
    };
    let text: Arc<str> = readable(&bytes).into();
    match parse(
        &bytes,
        &ParseOptions {
            old: options.old_syntax,
            lax: options.lax,
        },
    ) {
        Ok(ast) => match module_twice(&ast) {
            Some(name) => Err(LoadError::ModuleTwice { file, name }),
            None => Ok(Source { file, text, ast }),
        },
        Err(errors) => Err(LoadError::Syntax { file, text, errors }),
    }
}

/// The first module name that is taken already.
fn module_twice(ast: &Ast) -> Option<String> {
    let mut seen = rustc_hash::FxHashSet::default();
    let twice = ast.modules.iter().find(|m| !seen.insert(m.name))?;
    Some(ast.name(twice.name).to_owned())
}

/// The text for messages: bytes that are not UTF-8 become `?`, so that offsets stay what they are.
fn readable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(std::iter::repeat_n('?', chunk.invalid().len()));
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn offsets_survive_latin1() {
        let text = super::readable(b"-- caf\xe9\nMODULE main\n");
        assert_eq!(text, "-- caf?\nMODULE main\n");
    }
}
