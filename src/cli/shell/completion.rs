//! What Tab offers at a terminal.
//!
//! The words before the cursor, since the last `;`, say what fits: a command; behind an option what its
//! argument is (a file, the name of a property, a formula over the model's symbols); else what the
//! command works on. A word that fits nothing is taken for the beginning of a file's name.

use super::registry;
use super::session::Session;
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::{Context, Helper, Highlighter, Hinter, Validator};

/// Names that are not fixed, as of the last prompt.
#[derive(Default, Helper, Hinter, Highlighter, Validator)]
pub struct Words {
    /// Variables and DEFINEs of the model.
    symbols: Vec<String>,
    /// Names of properties.
    properties: Vec<String>,
    settings: Vec<String>,
    aliases: Vec<String>,
    files: FilenameCompleter,
}

/// What may stand at the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Command,
    File,
    /// Of the command of this name.
    Option(&'static str),
    Property,
    Setting,
    Symbol,
    Value,
}

impl Words {
    /// Takes over the names that there are now.
    pub fn learn(&mut self, session: &Session) {
        (self.symbols, self.properties) =
            session.model.as_ref().map_or_else(Default::default, |m| {
                let vars = m.vars.iter().map(|v| v.name.clone());
                let defines = m.defines.iter().map(|d| d.name.clone());
                let properties = m.properties.iter().filter_map(|p| p.name.clone());
                (vars.chain(defines).collect(), properties.collect())
            });
        self.settings = session
            .variables
            .iter()
            .map(|(n, _)| n.to_owned())
            .collect();
        self.aliases = session.aliases.keys().cloned().collect();
    }

    fn names(&self, wanted: Wanted) -> Vec<String> {
        match wanted {
            Wanted::Command => {
                let commands = registry::names(false).into_iter().map(str::to_owned);
                commands.chain(self.aliases.iter().cloned()).collect()
            }
            Wanted::Option(command) => {
                let options = registry::find(command).map_or(&[][..], |c| c.options);
                options.iter().map(|o| format!("-{}", o.letter)).collect()
            }
            Wanted::Property => self.properties.clone(),
            Wanted::Setting => self.settings.clone(),
            Wanted::Symbol => self.symbols.clone(),
            Wanted::File | Wanted::Value => Vec::new(),
        }
    }
}

/// The word at the end of `before` and what may stand there.
fn at_cursor(before: &str) -> (&str, Wanted) {
    let part = |c: char| c.is_alphanumeric() || "_$#-.[]/~".contains(c);
    let start = before.rfind(|c| !part(c)).map_or(0, |i| {
        i + before[i..].chars().next().map_or(1, char::len_utf8)
    });
    let word = &before[start..];
    let command = before[..start].rsplit(';').next().unwrap_or_default();
    let mut earlier = command.split_whitespace();
    let Some(name) = earlier.next() else {
        return (word, Wanted::Command);
    };
    // Within quotes, as in a formula, the option is not the last word.
    let quoted = command.matches('"').count() % 2 == 1;
    let last = if quoted {
        command
            .rsplit_once('"')
            .and_then(|(c, _)| c.split_whitespace().next_back())
    } else {
        earlier.next_back()
    };
    let Some(found) = registry::find(name) else {
        return (word, Wanted::File);
    };
    let option = last.and_then(|l| l.strip_prefix('-')?.chars().next_back());
    let option = option.and_then(|l| found.options.iter().find(|o| o.letter == l));
    let wanted = match option.and_then(|o| o.argument) {
        Some("file") => Wanted::File,
        Some("name") => Wanted::Property,
        Some("formula" | "expression" | "constraint" | "query") => Wanted::Symbol,
        Some(_) => Wanted::Value,
        None if quoted => Wanted::Symbol,
        None if word.starts_with('-') => Wanted::Option(found.name),
        None => match name {
            "help" | "explain" | "alias" | "unalias" | "time" => Wanted::Command,
            "set" | "unset" => Wanted::Setting,
            "source" | "read_trace" | "execute_traces" | "execute_partial_traces" => Wanted::File,
            _ => Wanted::Symbol,
        },
    };
    (word, wanted)
}

impl Completer for Words {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (word, wanted) = at_cursor(&line[..pos]);
        let names = self.names(wanted);
        let fit = names.into_iter().filter(|n| n.starts_with(word));
        // The blank is what would be typed next.
        let found: Vec<Pair> = fit
            .map(|name| Pair {
                replacement: format!("{name} "),
                display: name,
            })
            .collect();
        let nothing = wanted != Wanted::Command && found.is_empty();
        if wanted == Wanted::File || (nothing && wanted != Wanted::Value) {
            return self.files.complete(line, pos, context);
        }
        Ok((pos - word.len(), found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_before_say_what_fits() {
        let cases = [
            ("che", "che", Wanted::Command),
            ("go; che", "che", Wanted::Command),
            ("read_model -i ex/a", "ex/a", Wanted::File),
            ("source a", "a", Wanted::File),
            ("check_property -P na", "na", Wanted::Property),
            ("check_ctlspec -p \"AG (x.b", "x.b", Wanted::Symbol),
            ("check_ctlspec -p \"AG x -> y", "y", Wanted::Symbol),
            ("print_formula ", "", Wanted::Symbol),
            ("set on", "on", Wanted::Setting),
            ("simulate -k 4", "4", Wanted::Value),
            ("help sh", "sh", Wanted::Command),
            ("nonsense fi", "fi", Wanted::File),
            ("show_traces -", "-", Wanted::Option("show_traces")),
        ];
        for (line, word, wanted) in cases {
            assert_eq!(at_cursor(line), (word, wanted), "{line}");
        }
    }
}
