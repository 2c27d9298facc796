//! What option arguments mean: text → value, each with the spellings NuSMV accepts.

use crate::dd::Method;
use crate::encode::{Inputs, OrderType, StaticOrder};
use crate::engine::vacuity::Engine;
use crate::trace::Plugin;

/// `-pre`: the program that is run over the model text before it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preprocessor {
    /// The program named by `CPP`, or `cc -E -x c`.
    Cpp,
    /// `m4`
    M4,
}

impl Preprocessor {
    /// Its name in lists.
    pub fn name(self) -> &'static str {
        match self {
            Preprocessor::Cpp => "cpp",
            Preprocessor::M4 => "m4",
        }
    }
}

/// `--format`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// As NuSMV prints.
    Text,
    /// One document at the end.
    Json,
    /// The answers to queries as a table.
    Csv,
}

/// `--color`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorChoice {
    /// Colour when stderr is a terminal and `NO_COLOR` is not set.
    Auto,
    /// Also where nobody reads along.
    Always,
    /// Not even at a terminal.
    Never,
}

/// The value cannot be used; the option's name and the value are the caller's to report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadValue {
    /// A line printed before the common "Cannot set value" line.
    pub note: Option<&'static str>,
}

const BAD: BadValue = BadValue { note: None };

/// A number as C's `strtol` in base 10 reads it: leading blanks, a sign, digits, nothing after.
/// Empty text is 0. Values beyond 32 bits are cut to them.
pub fn integer(text: &str) -> Result<i32, BadValue> {
    let t = text.trim_start_matches([' ', '\t', '\n', '\r', '\x0b', '\x0c']);
    if text.is_empty() {
        return Ok(0);
    }
    let digits = t.strip_prefix(['+', '-']).unwrap_or(t);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(BAD);
    }
    let magnitude = digits
        .parse::<i64>()
        .unwrap_or(i64::MAX)
        .min(i64::from(i32::MAX)) as i32;
    Ok(if t.starts_with('-') {
        -magnitude
    } else {
        magnitude
    })
}

/// A number as commands read it that cut it to 32 bits; nothing is 0.
pub fn cut_integer(text: &str) -> Option<i32> {
    let t = text.trim_start();
    let digits = t.strip_prefix(['+', '-']).unwrap_or(t);
    if text.is_empty() {
        return Some(0);
    }
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let magnitude = digits.parse::<i64>().unwrap_or(i64::MAX);
    Some(if t.starts_with('-') {
        -magnitude
    } else {
        magnitude
    } as i32)
}

/// The number that a text begins with, blanks aside (empty without one), and what follows it.
pub fn split_number(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let sign = usize::from(text.starts_with(['-', '+']));
    let digits = text[sign..].bytes().take_while(u8::is_ascii_digit).count();
    text.split_at(sign + digits)
}

/// The number that a text begins with, cut to 32 bits, and what follows it.
pub fn leading_integer(text: &str) -> Option<(i32, &str)> {
    let (number, rest) = split_number(text);
    let n = cut_integer(number).filter(|_| !number.is_empty())?;
    Some((n, rest))
}

/// `on` or `off`
pub fn on_off(text: &str) -> Result<bool, BadValue> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(BAD),
    }
}

/// `--trace-plugin`: a number or a name.
pub fn trace_plugin(text: &str) -> Result<Plugin, BadValue> {
    let named = Plugin::ALL.into_iter().find(|p| p.name() == text);
    let numbered = || text.parse().ok().and_then(Plugin::from_number);
    named.or_else(numbered).ok_or(BAD)
}

/// A list of preprocessors with one blank between them; may be empty.
pub fn preprocessors(text: &str) -> Result<Vec<Preprocessor>, BadValue> {
    let unknown = BadValue {
        note: Some("Some of the specified preprocessors does not exist"),
    };
    let mut list = Vec::new();
    if text.is_empty() {
        return Ok(list);
    }
    for word in text.split(' ') {
        list.push(match word {
            "cpp" => Preprocessor::Cpp,
            "m4" => Preprocessor::M4,
            _ => return Err(unknown),
        });
    }
    Ok(list)
}

/// A method of reordering, by NuSMV's name of it.
pub fn reorder_method(text: &str) -> Result<Method, BadValue> {
    Method::all().find(|m| m.name() == text).ok_or(BAD)
}

/// The shell's `vars_order_type`.
pub fn order_type(text: &str) -> OrderType {
    let (place, interleave) = match text.strip_suffix("_bi") {
        Some(place) => (place, true),
        None => (text, false),
    };
    let inputs = match place {
        "inputs_after" => Inputs::Last,
        "inputs_before" => Inputs::First,
        _ => Inputs::AsDeclared,
    };
    OrderType { inputs, interleave }
}

/// `-bdd_soh`
pub fn static_order(text: &str) -> Result<StaticOrder, BadValue> {
    match text {
        "none" => Ok(StaticOrder::None),
        "basic" => Ok(StaticOrder::Basic),
        _ => Err(BAD),
    }
}

/// `-sat_solver`: checked although no solver is used yet.
pub fn sat_solver(text: &str) -> Result<(), BadValue> {
    if text == "MiniSat" {
        Ok(())
    } else {
        Err(BadValue {
            note: Some("The available SAT solvers are: MiniSat "),
        })
    }
}

/// `-bmc_length`: checked although nothing is unrolled yet.
pub fn bmc_length(text: &str) -> Result<(), BadValue> {
    let bad = BadValue {
        note: Some("Given value is not compatible with current loopback value set to *."),
    };
    if integer(text).is_ok_and(|k| k >= 0) {
        Ok(())
    } else {
        Err(bad)
    }
}

/// `-ojeba`: whether the search for fair paths goes forward.
pub fn emptiness_algorithm(text: &str) -> Result<bool, BadValue> {
    match text {
        "EL_fwd" => Ok(true),
        "EL_bwd" => Ok(false),
        _ => Err(BAD),
    }
}

/// A cluster size: anything that is no positive number means no limit worth the name, as in NuSMV.
pub fn cluster_size(text: &str) -> Result<usize, BadValue> {
    integer(text).map(|n| n.max(0) as usize)
}

/// Seconds, with a fraction if wished; more than zero.
pub fn seconds(text: &str) -> Result<f64, BadValue> {
    match text.parse::<f64>() {
        Ok(s) if s > 0.0 && s <= 1e9 => Ok(s),
        _ => Err(BAD),
    }
}

/// A size: bits, nodes.
pub fn size(text: &str) -> Result<usize, BadValue> {
    text.parse().map_err(|_| BAD)
}

/// How many at the same time, at least 1.
pub fn jobs(text: &str) -> Result<usize, BadValue> {
    match text.parse() {
        Ok(n) if (1..=1024).contains(&n) => Ok(n),
        _ => Err(BAD),
    }
}

/// Mebibytes, at least 1.
pub fn megabytes(text: &str) -> Result<u64, BadValue> {
    match text.parse::<u64>() {
        Ok(n) if (1..=1 << 40).contains(&n) => Ok(n),
        _ => Err(BAD),
    }
}

/// `--format`
pub fn format(text: &str) -> Result<Format, BadValue> {
    match text {
        "text" => Ok(Format::Text),
        "json" => Ok(Format::Json),
        "csv" => Ok(Format::Csv),
        _ => Err(BAD),
    }
}

/// A number of things.
pub fn count(text: &str) -> Result<u64, BadValue> {
    text.parse().map_err(|_| BAD)
}

/// `-vacuity_word`
pub fn word_bits(text: &str) -> Result<u32, BadValue> {
    match text {
        "32" => Ok(32),
        "64" => Ok(64),
        _ => Err(BadValue {
            note: Some("Words have 32 or 64 bits."),
        }),
    }
}

/// `-vacuity_engine`
pub fn vacuity_engine(text: &str) -> Result<Engine, BadValue> {
    match text {
        "words" => Ok(Engine::Words),
        "selectors" => Ok(Engine::Selectors),
        _ => Err(BadValue {
            note: Some("The available engines are: words selectors"),
        }),
    }
}

/// `--color`
pub fn color(text: &str) -> Result<ColorChoice, BadValue> {
    match text {
        "auto" => Ok(ColorChoice::Auto),
        "always" => Ok(ColorChoice::Always),
        "never" => Ok(ColorChoice::Never),
        _ => Err(BAD),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_strtol_does() {
        let ok = |s| integer(s).ok();
        assert_eq!(ok(""), Some(0));
        assert_eq!(ok(" 12"), Some(12));
        assert_eq!(ok("+7"), Some(7));
        assert_eq!(ok("-3"), Some(-3));
        assert_eq!(ok("99999999999999999999"), Some(i32::MAX));
        for bad in ["x", "1x", "1.5", "0x1", "1 ", "-", " "] {
            assert_eq!(ok(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn lists_of_preprocessors() {
        assert_eq!(preprocessors(""), Ok(vec![]));
        assert_eq!(
            preprocessors("cpp m4"),
            Ok(vec![Preprocessor::Cpp, Preprocessor::M4])
        );
        assert!(preprocessors("cpp foo").is_err());
        assert!(preprocessors("cpp  m4").is_err());
    }
}
