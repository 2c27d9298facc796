//! PSL properties. Until they have an engine they are kept as text, blanks folded.

/// A PSL property in a [`PslArena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PslId(pub u32);

/// The PSL properties of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PslArena {
    texts: Vec<String>,
}

impl PslArena {
    /// Keeps a property.
    pub fn add(&mut self, text: &str) -> PslId {
        self.texts
            .push(text.split_whitespace().collect::<Vec<_>>().join(" "));
        PslId(self.texts.len() as u32 - 1)
    }

    pub fn text(&self, id: PslId) -> &str {
        &self.texts[id.0 as usize]
    }
}

/// Length of the comment that starts at `at`, 0 if none does. `a--b` is a name.
fn comment_length(text: &[u8], at: usize) -> usize {
    let in_name = at > 0 && {
        let before = text[at - 1];
        before.is_ascii_alphanumeric() || matches!(before, b'_' | b'$' | b'#' | b'-')
    };
    if in_name || !text[at..].starts_with(b"--") {
        return 0;
    }
    let rest = &text[at..];
    rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len())
}

/// Where the semicolon is that ends a property: outside braces and comments.
pub fn end_of_property(text: &[u8]) -> Option<usize> {
    let mut braces = 0usize;
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'-' => at += comment_length(text, at),
            b'{' => braces += 1,
            b'}' => braces = braces.saturating_sub(1),
            b';' if braces == 0 => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// The text with its comments made blanks.
pub fn without_comments(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        match comment_length(text, at) {
            0 => {
                out.push(text[at]);
                at += 1;
            }
            length => {
                out.push(b' ');
                at += length;
            }
        }
    }
    out
}

/// Whether every bracket of the text is closed by its like, in order.
pub fn is_balanced(text: &str) -> bool {
    let mut open = Vec::new();
    for c in text.chars() {
        match c {
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            ')' | ']' | '}' if open.pop() != Some(c) => return false,
            _ => {}
        }
    }
    open.is_empty()
}

/// Splits `NAME n := rest` into name and rest.
pub fn split_name(text: &str) -> (Option<&str>, &str) {
    let trimmed = text.trim_start();
    let Some(rest) = trimmed.strip_prefix("NAME") else {
        return (None, trimmed);
    };
    match rest.split_once(":=") {
        Some((name, rest)) if rest.len() < trimmed.len() && !name.trim().is_empty() => {
            (Some(name.trim()), rest)
        }
        _ => (None, trimmed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_brackets() {
        assert_eq!(split_name(" NAME q := always a"), (Some("q"), " always a"));
        assert_eq!(split_name(" always a"), (None, "always a"));
        assert!(is_balanced("{a;b} |=> (c[1])"));
        assert!(!is_balanced("always (x"));
    }

    #[test]
    fn semicolons_in_comments_and_braces_end_nothing() {
        let text = b" -- all; of {\n {a;b}; c";
        assert_eq!(end_of_property(text), Some(20));
        assert_eq!(without_comments(text), b"  \n {a;b}; c");
        assert_eq!(without_comments(b"a--b"), b"a--b");
        assert_eq!(end_of_property(b" x -- ;"), None);
    }
}
