//! References to earlier lines: `%%` the last one, `%4` the fourth, `%-2` the last but one, `%go` the last that
//! begins so; `^old^new` the last one with a text replaced; `%:2` the second word behind the command of the last
//! line, `%$` its last word, `%*` all words but the first.

use super::session::Session;
use super::words::split;

/// Why a reference means nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum RecallError {
    #[error("Event not found: {0}")]
    Event(String),
    #[error("Event {0} not found")]
    Number(i64),
    #[error("Modifier failed")]
    Modifier,
    #[error("Bad % arg selector")]
    Word,
}

impl Session {
    /// The line with references replaced, which are shown then; it becomes part of the history.
    pub fn recall(&mut self, line: &str) -> Option<String> {
        match replace(&self.history, line) {
            Ok(None) => {
                self.history.push(line.to_owned());
                Some(line.to_owned())
            }
            Ok(Some(full)) => {
                self.out(&format!("{full}\n"));
                self.history.push(full.clone());
                Some(full)
            }
            Err(error) => {
                self.err(&format!("{error}\n"));
                None
            }
        }
    }
}

fn replace(history: &[String], line: &str) -> Result<Option<String>, RecallError> {
    let last = || {
        let nothing = || RecallError::Event(String::new());
        history.last().ok_or_else(nothing)
    };
    if let Some(edit) = line.strip_prefix('^') {
        let (old, new) = edit.split_once('^').ok_or(RecallError::Modifier)?;
        let new = new.trim_end_matches('\n').trim_end_matches('^');
        let before = last()?;
        if !before.contains(old) {
            return Err(RecallError::Modifier);
        }
        return Ok(Some(before.replacen(old, new, 1) + "\n"));
    }
    let Some(mut at) = line.find('%') else {
        return Ok(None);
    };
    let mut out = String::new();
    let mut rest = line;
    loop {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('%') {
            out.push_str(last()?);
            rest = after;
        } else if let Some(after) = rest.strip_prefix([':', '$', '*']) {
            let words = words(last()?);
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            if rest.starts_with(':') {
                let n: usize = after[..digits].parse().unwrap_or(0);
                out.push_str(words.get(n).ok_or(RecallError::Word)?);
                rest = &after[digits..];
            } else {
                let first = if rest.starts_with('*') {
                    1
                } else {
                    words.len().saturating_sub(1)
                };
                out.push_str(&words.get(first..).unwrap_or_default().join(" "));
                // The line break is part of the last word.
                out.push('\n');
                rest = after;
            }
        } else {
            let end = rest.find(|c: char| c.is_whitespace() || c == ';' || c == '%');
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
            out.push_str(event(history, word)?);
            rest = after;
        }
        match rest.find('%') {
            Some(next) => at = next,
            None => break,
        }
    }
    Ok(Some(out + rest))
}

/// The words of all commands of a line.
fn words(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        let s = split(rest);
        found.extend(s.words);
        rest = s.rest;
    }
    found
}

fn event<'h>(history: &'h [String], word: &str) -> Result<&'h String, RecallError> {
    if let Ok(n) = word.parse::<i64>() {
        let index = if n < 0 {
            history.len() as i64 + n
        } else {
            n - 1
        };
        let found = usize::try_from(index).ok().and_then(|i| history.get(i));
        return found.ok_or(RecallError::Number(n));
    }
    let found = history.iter().rev().find(|h| h.starts_with(word));
    found.ok_or_else(|| RecallError::Event(word.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events() {
        let history = ["go\n", "check_ctlspec -n 0\n", "quit\n"].map(str::to_owned);
        let run = |line: &str| replace(&history, line);
        assert_eq!(run("echo a\n"), Ok(None));
        assert_eq!(run("%%\n"), Ok(Some("quit\n\n".into())));
        assert_eq!(run("%1\n"), Ok(Some("go\n\n".into())));
        assert_eq!(run("%-1\n"), Ok(Some("quit\n\n".into())));
        assert_eq!(run("%ch\n"), Ok(Some("check_ctlspec -n 0\n\n".into())));
        assert_eq!(run("^qu^ex\n"), Ok(Some("exit\n\n".into())));
        assert_eq!(run("%9\n"), Err(RecallError::Number(9)));
        assert_eq!(run("%zz\n"), Err(RecallError::Event("zz".into())));
        assert_eq!(run("^zz^y\n"), Err(RecallError::Modifier));
        let history = ["echo a b; go\n".to_owned()];
        let run = |line: &str| replace(&history, line);
        assert_eq!(run("x %:1 %:3y\n"), Ok(Some("x a goy\n".into())));
        assert_eq!(
            run("x %*\n"),
            Ok(Some("x a b echo\n\n".replace("echo", "go")))
        );
        assert_eq!(run("%$\n"), Ok(Some("go\n\n".into())));
        assert_eq!(run("%:7\n"), Err(RecallError::Word));
    }
}
