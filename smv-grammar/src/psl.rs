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
}
