//! Options of commands: letters after a dash, as C's `getopt` takes them. One table per command yields
//! parsing and usage text.

/// An option of a command.
#[derive(Clone, Copy)]
pub struct Opt {
    pub letter: char,
    /// Name of its argument, if it takes one.
    pub argument: Option<&'static str>,
    pub help: &'static str,
}

/// An option without argument.
pub const fn flag(letter: char, help: &'static str) -> Opt {
    Opt {
        letter,
        argument: None,
        help,
    }
}

/// An option with an argument.
pub const fn with(letter: char, argument: &'static str, help: &'static str) -> Opt {
    Opt {
        letter,
        argument: Some(argument),
        help,
    }
}

/// What a command was given.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Given {
    options: Vec<(char, String)>,
    /// Words that are no options.
    pub rest: Vec<String>,
}

impl Given {
    pub fn has(&self, letter: char) -> bool {
        self.options.iter().any(|(l, _)| *l == letter)
    }

    /// The argument of an option; the last one counts.
    pub fn value(&self, letter: char) -> Option<&str> {
        let mut found = self.options.iter().rev();
        found.find(|(l, _)| *l == letter).map(|(_, v)| v.as_str())
    }

    /// Letters and their arguments in the order given.
    pub fn options(&self) -> impl Iterator<Item = (char, &str)> {
        self.options.iter().map(|(l, v)| (*l, v.as_str()))
    }

    /// Letters in the order given.
    pub fn letters(&self) -> impl Iterator<Item = char> + '_ {
        self.options.iter().map(|(l, _)| *l)
    }
}

/// Why the words are no options.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// `-h`
    #[error("")]
    Help,
    #[error("unknown option {0}")]
    Unknown(char),
    #[error("{0} requires an argument")]
    NoArgument(char),
}

/// Reads the words behind a command's name. Options end at the first other word or at `--`, which is one of the
/// words itself, as in NuSMV.
pub fn parse(words: &[String], table: &[Opt]) -> Result<Given, OptionError> {
    let mut given = Given::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let Some(letters) = word.strip_prefix('-').filter(|l| !l.is_empty()) else {
            given.rest.push(word.clone());
            break;
        };
        if letters == "-" {
            given.rest.push(word.clone());
            break;
        }
        let mut at = letters.chars();
        while let Some(letter) = at.next() {
            let opt = table.iter().find(|o| o.letter == letter);
            let argument = match opt {
                None if letter == 'h' => return Err(OptionError::Help),
                None => return Err(OptionError::Unknown(letter)),
                Some(opt) => opt.argument,
            };
            if argument.is_none() {
                given.options.push((letter, String::new()));
                continue;
            }
            let value = match at.as_str() {
                "" => words
                    .next()
                    .cloned()
                    .ok_or(OptionError::NoArgument(letter))?,
                joined => joined.to_owned(),
            };
            given.options.push((letter, value));
            break;
        }
    }
    given.rest.extend(words.cloned());
    Ok(given)
}

/// The usage text of a command.
pub fn usage(name: &str, synopsis: &str, table: &[Opt]) -> String {
    let mut out = format!("usage: {name} {synopsis}\n   -h \t\tshows this text\n");
    for o in table {
        let argument = o.argument.map_or(" \t".to_owned(), |a| {
            let tab = if a.len() > 8 { "" } else { "\t" };
            format!(" {a}{tab}")
        });
        out += &format!(
            "   -{}{argument}\t{}\n",
            o.letter,
            o.help.replace('\n', "\n\t\t\t")
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[Opt] = &[flag('v', ""), with('n', "number", "")];

    fn run(line: &str) -> Result<Given, OptionError> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        parse(&words, TABLE)
    }

    #[test]
    fn options_and_words() {
        let g = run("-vn3 -n 4 file -v").unwrap();
        assert!(g.has('v'));
        assert_eq!(g.value('n'), Some("4"));
        assert_eq!(g.rest, ["file", "-v"]);
        assert_eq!(run("-n -v").unwrap().value('n'), Some("-v"));
        assert_eq!(run("-- -v").unwrap().rest, ["--", "-v"]);
    }

    #[test]
    fn faults() {
        assert_eq!(run("-z"), Err(OptionError::Unknown('z')));
        assert_eq!(run("-n"), Err(OptionError::NoArgument('n')));
        assert_eq!(run("-vh"), Err(OptionError::Help));
    }
}
