//! Traces as value change dumps (IEEE 1364, clause 18) for waveform viewers.
//!
//! Step i is at time i, from 1. A symbol of the state has its value from there on; inputs and what
//! reads them stand at the step they lead out of, where hardware would show them, and are undefined
//! in the last one. Dots in names open scopes. Booleans are wires, words vectors of their width,
//! integers integers; all else is a string, an extension that viewers know. The wire `loop_start` is
//! high in the steps that the last one repeats.

use super::plugin::Steps;
use super::table::{Cell, Column, Table};
use num_bigint::BigUint;
use smv_grammar::ast::WordLit;
use smv_grammar::word;
use std::collections::BTreeMap;
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Wire,
    Integer,
    Vector(usize),
    Text,
}

/// One signal.
struct Signal<'a> {
    id: String,
    form: Form,
    column: &'a Column,
    /// By how many steps the values stand later in the column.
    later: usize,
}

impl<'a> Signal<'a> {
    fn value(&self, step: usize) -> Option<&'a Cell> {
        self.column.cells.get(step + self.later)?.as_ref()
    }

    /// The line that sets the signal to its value at a step.
    fn change(&self, step: usize) -> String {
        let id = &self.id;
        let Some(value) = self.value(step) else {
            return match self.form {
                Form::Wire => format!("x{id}\n"),
                Form::Integer | Form::Vector(_) => format!("bx {id}\n"),
                Form::Text => format!("s- {id}\n"),
            };
        };
        match (self.form, value) {
            (Form::Wire, Cell::Bool(b)) => format!("{}{id}\n", u8::from(*b)),
            (Form::Integer, Cell::Int(n)) => format!("b{n:b} {id}\n"),
            (Form::Vector(width), Cell::Word(w)) => match bits(w, width) {
                Some(bits) => format!("b{bits} {id}\n"),
                None => format!("bx {id}\n"),
            },
            _ => {
                // A string must not contain blanks.
                let text: String = value.to_string().split(' ').collect();
                format!("s{text} {id}\n")
            }
        }
    }
}

/// Names of signals and scopes within a scope, in the order of declaration.
#[derive(Default)]
struct Scope<'a> {
    signals: Vec<(&'a str, usize)>,
    order: Vec<&'a str>,
    inner: BTreeMap<&'a str, Scope<'a>>,
}

impl<'a> Scope<'a> {
    fn add(&mut self, name: &'a str, signal: usize) {
        let mut scope = self;
        let mut rest = name;
        while let Some((instance, own)) = rest.split_once('.') {
            if !scope.inner.contains_key(instance) {
                scope.order.push(instance);
            }
            scope = scope.inner.entry(instance).or_default();
            rest = own;
        }
        scope.signals.push((rest, signal));
    }

    fn write(&self, out: &mut String, signals: &[Signal]) {
        for &(name, i) in &self.signals {
            let signal = &signals[i];
            let (kind, width) = match signal.form {
                Form::Wire => ("wire", 1),
                Form::Integer => ("integer", 64),
                Form::Vector(width) => ("reg", width),
                Form::Text => ("string", 1),
            };
            let _ = writeln!(out, "$var {kind} {width} {} {name} $end", signal.id);
        }
        for &instance in &self.order {
            let _ = writeln!(out, "$scope module {instance} $end");
            self.inner[instance].write(out, signals);
            out.push_str("$upscope $end\n");
        }
    }
}

/// The whole file.
pub fn write(table: &Table, number: usize, steps: Steps) -> String {
    let mut signals = Vec::new();
    let mut main = Scope::default();
    for (columns, later) in [
        (&table.state, 0),
        (&table.input, 1),
        (&table.combinatorial, 0),
    ] {
        for column in columns {
            main.add(&column.name, signals.len());
            signals.push(Signal {
                id: identifier(signals.len() + 1),
                form: form(column),
                column,
                later,
            });
        }
    }
    let mut out = format!(
        "$comment trace {number}: {} $end\n$version nusmv-rs $end\n$timescale 1 ns $end\n",
        table.description()
    );
    let marker = identifier(0);
    let _ = write!(
        out,
        "$scope module main $end\n$var wire 1 {marker} loop_start $end\n"
    );
    main.write(&mut out, &signals);
    out.push_str("$upscope $end\n$enddefinitions $end\n");
    let (first, last) = (*steps.start(), *steps.end());
    for step in steps {
        let begins = step == first;
        let _ = writeln!(out, "#{}", step + 1);
        if begins {
            out.push_str("$dumpvars\n");
        }
        if begins || table.marked[step] != table.marked[step - 1] {
            let _ = writeln!(out, "{}{marker}", u8::from(table.marked[step]));
        }
        for s in &signals {
            if begins || s.value(step) != s.value(step - 1) {
                out.push_str(&s.change(step));
            }
        }
        if begins {
            out.push_str("$end\n");
        }
    }
    let _ = writeln!(out, "#{}", last + 2);
    out
}

/// The form that suits all values of a column.
fn form(column: &Column) -> Form {
    let mut forms = column.cells.iter().flatten().map(|c| match c {
        Cell::Bool(_) => Form::Wire,
        Cell::Int(_) => Form::Integer,
        Cell::Word(w) => width(w).map_or(Form::Text, Form::Vector),
        Cell::Symbol(_) | Cell::Set(_) => Form::Text,
    });
    let Some(first) = forms.next() else {
        return Form::Text;
    };
    if forms.all(|f| f == first) {
        first
    } else {
        Form::Text
    }
}

/// A word in NuSMV's notation, `-0sd8_5`.
fn word(text: &str) -> Option<WordLit> {
    let (negative, body) = match text.strip_prefix('-') {
        Some(body) => (true, body),
        None => (false, text),
    };
    let mut word = word::parse(body.as_bytes()).ok()?;
    if negative {
        word.value = (BigUint::from(1u32) << word.width) - word.value;
    }
    Some(word)
}

/// Width of such a word.
fn width(text: &str) -> Option<usize> {
    Some(word(text)?.width as usize)
}

/// Bits of such a word, most significant first.
fn bits(text: &str, width: usize) -> Option<String> {
    Some(format!("{:0>width$}", word(text)?.value.to_str_radix(2)))
}

/// Short identifiers from printable characters.
fn identifier(mut n: usize) -> String {
    let mut id = String::new();
    loop {
        id.push(char::from(b'!' + (n % 94) as u8));
        n /= 94;
        if n == 0 {
            return id;
        }
        n -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::table::ColumnKind;
    use crate::trace::testing::{BOTH, with_inputs};

    #[test]
    fn inputs_stand_where_they_lead_on() {
        let mut table = with_inputs();
        table.state.push(Column {
            name: "c.w".to_owned(),
            kind: ColumnKind::Variable,
            cells: vec![
                Some(Cell::Word("-0sd4_1".to_owned())),
                Some(Cell::Word("0sd4_5".to_owned())),
            ],
        });
        let text = write(&table, 1, BOTH);
        let body = text.split_once("$enddefinitions $end\n").unwrap().1;
        let expected = "#1\n$dumpvars\n0!\nb0 \"\ns1,2 #\nb1111 $\nsp %\n1&\n0'\n$end\n\
            #2\nb1 \"\nb0101 $\ns- %\nx&\nx'\n#3\n";
        assert_eq!(body, expected);
        assert!(text.contains("$scope module c $end\n$var reg 4 $ w $end\n$upscope $end\n"));
    }

    #[test]
    fn identifiers_differ() {
        let all: std::collections::BTreeSet<String> = (0..20_000).map(identifier).collect();
        assert_eq!(all.len(), 20_000);
    }
}
