//! Traces in NuSMV's XML, read.
//!
//! Text → elements ([`read`]) → [`Trace`] of a model ([`resolve`]). The reader takes any XML that holds
//! a `counter-example`, as forgiving as NuSMV's: elements it does not know are passed over, and the end may
//! be missing. Values of DEFINEs are not kept: they are computed from the variables.

use super::table::Cell;
use super::{Label, Step, Trace, TraceKind};
use crate::model::{FlatModel, Value, Var, VarId, VarKind, VarType, Word};
use num_bigint::BigUint;
use num_traits::Num;
use std::collections::{BTreeMap, BTreeSet};

/// Why a file is no trace of the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages tell")]
pub enum XmlError {
    #[error("At line 1: Document is empty")]
    NoXml,
    #[error("At line {0}: this is no XML")]
    Malformed(usize),
    #[error("Error: the document holds no counter-example")]
    NoTrace,
    #[error("Error: the step numbers have a gap before {0}")]
    Gap(usize),
    #[error("Error: value {value} does not fit variable '{name}' (time {time}).")]
    Value {
        name: String,
        value: String,
        time: usize,
    },
    #[error("Error: the loop starts at {0}, where there is no state")]
    Loop(usize),
}

/// The part of a step that a value stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// Values of state and frozen variables.
    State,
    /// DEFINEs over state and input.
    Combinatorial,
    /// Values of inputs.
    Input,
}

impl Section {
    fn of(tag: &str) -> Option<Section> {
        match tag {
            "state" => Some(Section::State),
            "combinatorial" => Some(Section::Combinatorial),
            "input" => Some(Section::Input),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Section::State => "state",
            Section::Combinatorial => "combinatorial",
            Section::Input => "input",
        }
    }
}

/// `<value variable="name">text</value>`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where it stands.
    pub section: Section,
    /// The section's number, from 1.
    pub time: usize,
    /// With its instance.
    pub name: String,
    /// As text, escapes undone.
    pub value: String,
}

/// What a file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// Text of the attribute `desc`.
    pub description: String,
    /// Number of the attribute `type`.
    pub code: u8,
    /// In the order of the file.
    pub entries: Vec<Entry>,
    /// From 1.
    pub loops: Vec<usize>,
    /// The largest number of a state.
    pub len: usize,
}

/// A symbol that is not where it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misplaced {
    /// `undefined symbol`, `input variable`, `state variable`
    pub what: &'static str,
    /// The symbol.
    pub name: String,
    /// The section it stands in, by its tag.
    pub section: &'static str,
    /// The section's number, from 1.
    pub time: usize,
}

/// A piece of XML.
enum Piece<'a> {
    Open(&'a str, &'a str),
    Close(&'a str),
    Text(&'a str),
}

/// Cuts the text at tags; what `<?` and `<!` begin is left out.
fn pieces(text: &str) -> Result<Vec<Piece<'_>>, XmlError> {
    let mut pieces = Vec::new();
    let mut rest = text;
    let line = |rest: &str| text[..text.len() - rest.len()].matches('\n').count() + 1;
    while let Some(at) = rest.find('<') {
        pieces.push(Piece::Text(&rest[..at]));
        let after = &rest[at + 1..];
        let (end, skip) = if after.starts_with("!--") {
            ("-->", true)
        } else {
            (">", after.starts_with(['?', '!']))
        };
        let Some(stop) = after.find(end) else {
            return Err(XmlError::Malformed(line(&rest[at..])));
        };
        let tag = &after[..stop];
        rest = &after[stop + end.len()..];
        if skip {
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            pieces.push(Piece::Close(name.trim()));
            continue;
        }
        let body = tag.strip_suffix('/').unwrap_or(tag).trim();
        let (name, attributes) = body
            .split_once(|c: char| c.is_whitespace())
            .unwrap_or((body, ""));
        pieces.push(Piece::Open(name, attributes));
        if tag.ends_with('/') {
            pieces.push(Piece::Close(name));
        }
    }
    pieces.push(Piece::Text(rest));
    Ok(pieces)
}

/// The value of `name="…"`.
fn attribute(attributes: &str, name: &str) -> Option<String> {
    let mut rest = attributes;
    loop {
        let (key, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|q| matches!(q, '"' | '\''))?;
        let (value, more) = after[1..].split_once(quote)?;
        if key.trim() == name {
            return Some(unescape(value));
        }
        rest = more;
    }
}

fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let known = rest.find(';').and_then(|end| {
            let name = &rest[1..end];
            let code = match name.strip_prefix('#') {
                Some(hex) if hex.starts_with(['x', 'X']) => u32::from_str_radix(&hex[1..], 16).ok(),
                Some(decimal) => decimal.parse().ok(),
                None => None,
            };
            let c = match name {
                "lt" => '<',
                "gt" => '>',
                "amp" => '&',
                "quot" => '"',
                "apos" => '\'',
                _ => char::from_u32(code?)?,
            };
            Some((c, end + 1))
        });
        match known {
            Some((c, length)) => {
                out.push(c);
                rest = &rest[length..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out + rest
}

/// The first counter-example of a document.
pub fn read(text: &str) -> Result<Document, XmlError> {
    if !text.trim_start().starts_with('<') {
        return Err(XmlError::NoXml);
    }
    let mut found: Option<Document> = None;
    let mut section: Option<(Section, usize)> = None;
    let mut name: Option<String> = None;
    let mut content = String::new();
    for piece in pieces(text)? {
        match piece {
            Piece::Open("counter-example", attributes) if found.is_none() => {
                let number = attribute(attributes, "type").and_then(|t| t.parse().ok());
                found = Some(Document {
                    description: attribute(attributes, "desc").unwrap_or_default(),
                    code: number.filter(|&n| n <= 2).unwrap_or(0),
                    ..Document::default()
                });
            }
            Piece::Open(tag, attributes) => {
                content.clear();
                if let Some(kind) = Section::of(tag) {
                    let id = attribute(attributes, "id").and_then(|i| i.trim().parse().ok());
                    let time: usize = id.unwrap_or(0);
                    section = Some((kind, time));
                    if let (Section::State, Some(d)) = (kind, &mut found) {
                        if time > d.len.max(1) + 1 || time == 0 {
                            return Err(XmlError::Gap(time));
                        }
                        d.len = d.len.max(time);
                    }
                } else if tag == "value" {
                    name = attribute(attributes, "variable");
                }
            }
            Piece::Text(t) => content.push_str(t),
            Piece::Close("counter-example") => break,
            Piece::Close("value") => {
                if let (Some(d), Some((section, time)), Some(name)) =
                    (&mut found, section, name.take())
                {
                    d.entries.push(Entry {
                        section,
                        time,
                        name,
                        value: unescape(&content).trim().to_owned(),
                    });
                }
            }
            Piece::Close("loops") => {
                if let Some(d) = &mut found {
                    let numbers = content
                        .split(',')
                        .filter_map(|n| n.trim().parse::<usize>().ok());
                    d.loops.extend(numbers);
                }
            }
            Piece::Close(tag) if Section::of(tag).is_some() => section = None,
            Piece::Close(_) => {}
        }
    }
    found.filter(|d| d.len > 0).ok_or(XmlError::NoTrace)
}

/// A trace of the model, and what was not where it should be: values of unknown symbols are left out,
/// those in the wrong section go where they belong.
pub fn resolve(
    model: &FlatModel,
    document: &Document,
) -> Result<(Trace, Vec<Misplaced>), XmlError> {
    let vars: BTreeMap<&str, VarId> = (0..)
        .map(VarId)
        .zip(&model.vars)
        .map(|(v, var)| (var.name.as_str(), v))
        .collect();
    let defines: BTreeSet<&str> = model.defines.iter().map(|d| d.name.as_str()).collect();
    let empty = || vec![None; model.vars.len()];
    let mut steps: Vec<Step> = (0..document.len)
        .map(|_| Step {
            state: empty(),
            input: empty(),
        })
        .collect();
    let mut misplaced: Vec<Misplaced> = Vec::new();
    for entry in &document.entries {
        let mut note = |what: &'static str| {
            if !misplaced.iter().any(|m| m.name == entry.name) {
                misplaced.push(Misplaced {
                    what,
                    name: entry.name.clone(),
                    section: entry.section.name(),
                    time: entry.time,
                });
            }
        };
        let Some(&v) = vars.get(entry.name.as_str()) else {
            if !defines.contains(entry.name.as_str()) {
                note("undefined symbol");
            }
            continue;
        };
        let var = model.var(v);
        let at_home = match entry.section {
            Section::State => var.kind != VarKind::Input,
            Section::Input => var.kind == VarKind::Input,
            Section::Combinatorial => false,
        };
        if !at_home {
            note(match var.kind {
                VarKind::Input => "input variable",
                VarKind::Frozen => "frozen variable",
                VarKind::State => "state variable",
            });
        }
        let value = value(model, var, &entry.value).ok_or_else(|| XmlError::Value {
            name: entry.name.clone(),
            value: entry.value.clone(),
            time: entry.time,
        })?;
        // A transition's number is that of the state it leads to.
        let state = match entry.section {
            Section::State => entry.time,
            Section::Input | Section::Combinatorial => entry.time.saturating_sub(1),
        };
        if var.kind == VarKind::Frozen {
            for step in &mut steps {
                step.state[v.0 as usize] = Some(value.clone());
            }
        } else if var.kind == VarKind::State {
            if let Some(step) = state.checked_sub(1).and_then(|i| steps.get_mut(i)) {
                step.state[v.0 as usize] = Some(value);
            }
        } else if let Some(step) = steps.get_mut(state) {
            step.input[v.0 as usize] = Some(value);
        }
    }
    let mut loops = Vec::new();
    for &l in &document.loops {
        if l == 0 || l >= document.len {
            return Err(XmlError::Loop(l));
        }
        loops.push(l - 1);
    }
    let trace = Trace {
        kind: match document.code {
            0 => TraceKind::CtlCounterexample,
            1 => TraceKind::Simulation,
            _ => TraceKind::Execution,
        },
        steps,
        loop_to: loops.first().copied(),
        repeats: Vec::new(),
        label: Some(Label {
            description: document.description.clone(),
            code: document.code,
            loops,
        }),
    };
    Ok((trace, misplaced))
}

/// The value of a variable that a text stands for.
fn value(model: &FlatModel, var: &Var, text: &str) -> Option<Value> {
    match &var.ty {
        VarType::Bool => match text {
            "TRUE" | "1" => Some(Value::Bool(true)),
            "FALSE" | "0" => Some(Value::Bool(false)),
            _ => None,
        },
        VarType::Range { lo, hi } => {
            let n: i64 = text.parse().ok()?;
            (*lo <= n && n <= *hi).then_some(Value::Int(n))
        }
        VarType::Enum(values) => {
            let is = |v: &&Value| Cell::new(v, &model.pool).to_string() == text;
            values.iter().find(is).cloned()
        }
        VarType::Word { signed, width } => word(text, *signed, *width).map(Value::Word),
    }
}

/// `0ud4_15`, `-0sd4_1`, `0b4_0110`, `0h_f`
fn word(text: &str, signed: bool, width: u32) -> Option<Word> {
    let (negative, body) = match text.strip_prefix('-') {
        Some(body) => (true, body),
        None => (false, text),
    };
    let (head, digits) = body.strip_prefix('0')?.split_once('_')?;
    let sign = head.starts_with('s');
    let head = head.trim_start_matches(['u', 's']);
    let radix = match head.chars().next()?.to_ascii_lowercase() {
        'b' => 2,
        'o' => 8,
        'd' => 10,
        'h' => 16,
        _ => return None,
    };
    if sign != signed || (head.len() > 1 && head[1..].parse() != Ok(width)) {
        return None;
    }
    let magnitude = BigUint::from_str_radix(&digits.replace('_', ""), radix).ok()?;
    let all = BigUint::from(1u32) << width;
    if magnitude >= all {
        return None;
    }
    let bits = if negative && magnitude != BigUint::ZERO {
        all - magnitude
    } else {
        magnitude
    };
    Some(Word {
        signed,
        width,
        bits,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::flat;
    use crate::trace::build;
    use crate::trace::plugin::Plugin;

    const MODEL: &str = "VAR x : 0..3; w : signed word[4]; m : {a, b, 7}; IVAR i : boolean; \
        FROZENVAR f : boolean; DEFINE d := {x, 1, 2}; e := i & x = 1;";

    fn model() -> FlatModel {
        flat(MODEL)
    }

    fn text(x: &str) -> String {
        format!(
            "<?xml version=\"1.0\"?>\n<!-- x --><counter-example type=\"1\" id=\"9\" desc=\"a &amp; b\" >\
             <node><state id=\"1\"><value variable=\"f\">TRUE</value><value variable=\"x\">{x}</value>\
             <value variable=\"w\">-0sd4_3</value><value variable=\"m\">7</value></state>\
             <input id=\"2\"><value variable=\"i\">TRUE</value></input></node>\
             <node><state id=\"2\"><value variable=\"x\"> 3 </value></state></node>\
             <loops> 1 ,1 </loops></counter-example>"
        )
    }

    #[test]
    fn what_is_written_is_read() {
        let m = model();
        let (trace, misplaced) = resolve(&m, &read(&text("2")).unwrap()).unwrap();
        assert!(misplaced.is_empty());
        assert_eq!(trace.loop_to, Some(0));
        let written = Plugin::Xml.write(&build::table(&m, &trace), 1);
        assert!(written.contains("desc=\"a &amp; b\""));
        let (again, _) = resolve(&m, &read(&written).unwrap()).unwrap();
        assert_eq!(again.steps, trace.steps);
        let value = |name: &str| {
            let at = m.vars.iter().position(|v| v.name == name).unwrap();
            trace.steps[0].state[at].clone()
        };
        assert_eq!(value("m"), Some(Value::Int(7)));
        assert_eq!(value("f"), Some(Value::Bool(true)));
        let Some(Value::Word(w)) = value("w") else {
            panic!("a word")
        };
        assert_eq!(w.bits, BigUint::from(13u32));
    }

    #[test]
    fn faults_are_told() {
        let m = model();
        assert_eq!(read("hello"), Err(XmlError::NoXml));
        assert_eq!(read("<a>\n<b"), Err(XmlError::Malformed(2)));
        assert_eq!(read("<a></a>"), Err(XmlError::NoTrace));
        assert_eq!(
            read("<counter-example><state id=\"9999999999\">"),
            Err(XmlError::Gap(9_999_999_999))
        );
        let wrong = resolve(&m, &read(&text("4")).unwrap());
        assert!(matches!(wrong, Err(XmlError::Value { time: 1, .. })));
        let far = text("1").replace(" 1 ,1 ", " 2 ");
        assert_eq!(
            resolve(&m, &read(&far).unwrap()).map(|_| ()),
            Err(XmlError::Loop(2))
        );
        let moved = text("1").replace("variable=\"x\"> 3", "variable=\"i\">FALSE");
        let (_, misplaced) = resolve(&m, &read(&moved).unwrap()).unwrap();
        assert_eq!(misplaced[0].what, "input variable");
        let unknown = text("1").replace("variable=\"m\"", "variable=\"z\"");
        let (_, misplaced) = resolve(&m, &read(&unknown).unwrap()).unwrap();
        assert_eq!(
            (misplaced[0].what, misplaced[0].time),
            ("undefined symbol", 1)
        );
    }

    #[test]
    fn entities() {
        assert_eq!(unescape("a&#032;b&lt;&#x41;&no;&"), "a b<A&no;&");
    }
}
