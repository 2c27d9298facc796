//! Files with variable orders (`-i`, `-t`): names of variables or of their bits, separated by
//! white space; `--` begins a comment.

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
        for word in line.split_whitespace() {
            if word.starts_with("--") {
                break;
            }
            let plain = |c: char| c.is_ascii_alphanumeric() || "_$#\\-.[]".contains(c);
            if !word.chars().all(plain) {
                return Err(OrderFileError::Illegal);
            }
            names.push(word.to_owned());
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_comments() {
        assert_eq!(
            parse("b x.0\n\n-- c\na[1] -- d\n").unwrap(),
            ["b", "x.0", "a[1]"]
        );
        assert!(parse("next(x)").is_err());
    }
}
