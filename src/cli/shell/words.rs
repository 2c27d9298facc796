//! A line → words of its commands.
//!
//! White space separates words, `;` ends a command, `#` begins a comment. Within quotes, single or
//! double, these mean themselves; the quotes themselves go, those within others stay. `$name` stands for a
//! variable's value.

/// One command of a line and what follows it.
#[derive(Debug, PartialEq, Eq)]
pub struct Split<'a> {
    pub words: Vec<String>,
    pub rest: &'a str,
    /// A quote that does not end: the warning is the caller's.
    pub unbalanced: bool,
}

/// Takes the first command off `line`.
pub fn split(line: &str) -> Split<'_> {
    let mut words = Vec::new();
    let mut rest = line;
    let mut unbalanced = false;
    loop {
        rest = rest.trim_start();
        let mut quote = None;
        let mut end = rest.len();
        for (i, c) in rest.char_indices() {
            if (c == ';' || c == '#' || c.is_whitespace()) && quote.is_none() {
                end = i;
                break;
            }
            quote = within(quote, c);
        }
        unbalanced |= quote.is_some();
        if end == 0 {
            break;
        }
        words.push(plain(&rest[..end]));
        rest = &rest[end..];
    }
    rest = rest.strip_prefix(';').unwrap_or_default();
    Split {
        words,
        rest,
        unbalanced,
    }
}

/// The quote that is open behind `c`.
fn within(quote: Option<char>, c: char) -> Option<char> {
    match quote {
        None if matches!(c, '\'' | '"') => Some(c),
        Some(q) if q == c => None,
        other => other,
    }
}

/// A word without its quotes; all white space is single blanks.
fn plain(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    let mut quote = None;
    for c in word.chars() {
        let before = quote;
        quote = within(quote, c);
        if quote != before {
            continue;
        }
        if !c.is_whitespace() {
            out.push(c);
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    }
    out
}

/// Replaces `$name` by the variable's value; a name that is no variable stays as it is, a dollar at the end goes.
pub fn expand<'v>(word: &str, value: impl Fn(&str) -> Option<&'v str>) -> String {
    let mut out = String::with_capacity(word.len());
    let mut rest = word;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let end = after
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .unwrap_or(after.len());
        match value(&after[..end]) {
            Some(text) => out.push_str(text),
            None if after.is_empty() => {}
            None => out.push_str(&rest[at..at + 1 + end]),
        }
        rest = &after[end..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> (Vec<String>, &str) {
        let s = split(line);
        (s.words, s.rest)
    }

    #[test]
    fn quotes_semicolons_comments() {
        assert_eq!(
            words("check -p \"AG (a;b)\"; go # no"),
            (
                ["check", "-p", "AG (a;b)"].map(String::from).to_vec(),
                " go # no"
            )
        );
        assert_eq!(words("go # no; yes").0, ["go"]);
        assert_eq!(words("go # no; yes").1, "");
        assert_eq!(words("  ; x"), (vec![], " x"));
        assert_eq!(words("a'b c'd").0, ["ab cd"]);
        assert_eq!(words("a\"b'c\"d'e\"f'").0, ["ab'cde\"f"]);
        assert_eq!(words("a#b").0, ["a"]);
        assert_eq!(words("# only"), (vec![], ""));
    }

    #[test]
    fn unbalanced_quotes_are_told() {
        let s = split("echo \"a b; c");
        assert!(s.unbalanced);
        assert_eq!(s.words, ["echo", "a b; c"]);
        assert!(!split("echo 'a'").unbalanced);
    }

    #[test]
    fn variables() {
        let value = |n: &str| (n == "x").then_some("1 2");
        assert_eq!(expand("a$x.$y$", value), "a1 2.$y");
    }
}
