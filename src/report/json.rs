//! The document of `--format json`: one object, written when the run ends, however it ends.
//!
//! `{"schema":1,"model":…,"properties":[…],"warnings":[…]}`; `queries`,
//! `totality`, `reachable` and `error` are there only when they have something to say. Keys may be added later, none is renamed.

use super::Warning;
use super::totality::{Deadlock, Totality};
use crate::engine::outcome::{Quantity, Verdict};
use crate::model::{PropKind, Property};
use num_bigint::BigUint;
use serde_json::{Map, Value, json};
use smv_grammar::ast::Pos;
use std::time::Duration;

/// The name of a kind in the document.
pub fn kind_name(kind: PropKind) -> &'static str {
    match kind {
        PropKind::Ctl => "CTL",
        PropKind::Compute => "COMPUTE",
        PropKind::Ltl => "LTL",
        PropKind::Psl => "PSL",
        PropKind::Invar => "INVARSPEC",
    }
}

/// Collects the parts.
#[derive(Clone, Debug, Default)]
pub struct Document {
    model: Option<String>,
    properties: Vec<Value>,
    warnings: Vec<Value>,
    queries: Vec<Value>,
    extra: Map<String, Value>,
}

impl Document {
    /// Names the file of the model.
    pub fn set_model(&mut self, file: &str) {
        self.model = Some(file.to_owned());
    }

    /// A property with its verdict, and its place in the file. `trace` is the value `trace::json::write` made.
    pub fn property(
        &mut self,
        property: &Property,
        place: Pos,
        verdict: &Verdict,
        trace: Option<Value>,
        time: Duration,
    ) {
        let (word, reason) = match verdict {
            Verdict::True => (json!("true"), Value::Null),
            Verdict::False(_) => (json!("false"), Value::Null),
            Verdict::Quantity(_) => (Value::Null, Value::Null),
            Verdict::Unknown(why) => (json!("unknown"), json!(why.to_string())),
        };
        let mut entry = head(property, place);
        entry.insert("verdict".to_owned(), word);
        entry.insert("reason".to_owned(), reason);
        if property.kind == PropKind::Compute {
            entry.insert("value".to_owned(), quantity(verdict));
        }
        entry.insert("time_ms".to_owned(), json!(millis(time)));
        entry.insert("trace".to_owned(), trace.unwrap_or(Value::Null));
        self.properties.push(Value::Object(entry));
    }

    /// Adds a key to the property that came last.
    pub fn attach(&mut self, key: &str, value: Value) {
        if let Some(Value::Object(last)) = self.properties.last_mut() {
            last.insert(key.to_owned(), value);
        }
    }

    /// Adds a key to the document.
    pub fn extra(&mut self, key: &str, value: Value) {
        self.extra.insert(key.to_owned(), value);
    }

    /// The answer to a query.
    pub fn query(&mut self, entry: Value) {
        self.queries.push(entry);
    }

    /// A trace to a solution of the query that came last.
    pub fn query_trace(&mut self, trace: Value) {
        if let Some(last) = self.queries.last_mut() {
            last["trace"] = trace;
        }
    }

    /// A property that is only listed (`-lp`).
    pub fn listed(&mut self, property: &Property, place: Pos) {
        let mut entry = head(property, place);
        entry.insert("verdict".to_owned(), json!("unknown"));
        entry.insert("reason".to_owned(), json!("not checked: only listed"));
        entry.insert("time_ms".to_owned(), json!(0));
        entry.insert("trace".to_owned(), Value::Null);
        self.properties.push(Value::Object(entry));
    }

    /// A remark on the model; each is listed once.
    pub fn warning(&mut self, w: Warning) {
        self.remark(w.code(), w.message(), None);
    }

    /// Any other remark; `place` is line and column.
    pub fn remark(&mut self, code: &str, message: &str, place: Option<(u32, u32)>) {
        let mut entry = json!({"code": code, "message": message});
        if let Some((line, column)) = place {
            entry["line"] = json!(line);
            entry["column"] = json!(column);
        }
        if !self.warnings.contains(&entry) {
            self.warnings.push(entry);
        }
    }

    /// Why the run failed. A later error does not replace the first.
    pub fn error(&mut self, code: &str, message: &str, place: Option<(u32, u32)>) {
        if self.extra.contains_key("error") {
            return;
        }
        let (line, column) = place.map_or((None, None), |(l, c)| (Some(l), Some(c)));
        let entry = json!({"code": code, "message": message, "line": line, "column": column});
        self.extra.insert("error".to_owned(), entry);
    }

    /// The answer of `-ctt`; `deadlock_free` is null where reachable states are not computed.
    pub fn totality(&mut self, answer: &Totality) {
        let (total, deadlock_free) = match answer {
            Totality::Total => (true, Some(true)),
            Totality::NotTotal { deadlock, .. } => match deadlock {
                Deadlock::Reachable(_) => (false, Some(false)),
                Deadlock::Unreachable => (false, Some(true)),
                Deadlock::NotKnown => (false, None),
            },
        };
        let entry = json!({"total": total, "deadlock_free": deadlock_free});
        self.extra.insert("totality".to_owned(), entry);
    }

    /// The answer of `-r`. Counts are strings: they exceed what JSON numbers hold.
    pub fn reachable(&mut self, diameter: Option<usize>, reachable: &BigUint, all: &BigUint) {
        let entry = json!({
            "diameter": diameter,
            "reachable_states": reachable.to_string(),
            "all_states": all.to_string(),
        });
        self.extra.insert("reachable".to_owned(), entry);
    }

    /// The document on one line.
    pub fn text(&self) -> String {
        let mut document = Map::new();
        document.insert("schema".to_owned(), json!(1));
        document.insert("model".to_owned(), json!(self.model));
        document.insert("properties".to_owned(), json!(self.properties));
        document.insert("warnings".to_owned(), json!(self.warnings));
        if !self.queries.is_empty() {
            document.insert("queries".to_owned(), json!(self.queries));
        }
        document.extend(self.extra.clone());
        Value::Object(document).to_string() + "\n"
    }
}

fn head(property: &Property, place: Pos) -> Map<String, Value> {
    let mut entry = Map::new();
    entry.insert("index".to_owned(), json!(property.index));
    entry.insert("name".to_owned(), json!(property.name));
    entry.insert("kind".to_owned(), json!(kind_name(property.kind)));
    entry.insert("text".to_owned(), json!(property.text.trim()));
    if !property.context.is_empty() {
        entry.insert("instance".to_owned(), json!(property.context));
    }
    entry.insert("line".to_owned(), json!(place.line));
    entry.insert("column".to_owned(), json!(place.column));
    entry
}

fn quantity(verdict: &Verdict) -> Value {
    match verdict {
        Verdict::Quantity(Quantity::Finite(n)) => json!(n),
        Verdict::Quantity(q) => json!(super::verdict::value(*q)),
        _ => Value::Null,
    }
}

/// Milliseconds with three digits behind the point.
fn millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_run() {
        let mut d = Document::default();
        d.set_model("m.smv");
        d.warning(Warning::Deadlock);
        d.warning(Warning::Deadlock);
        d.error("syntax", "syntax error", Some((3, 7)));
        let text = d.text();
        assert!(text.starts_with(r#"{"schema":1,"model":"m.smv","properties":[],"warnings":[{"#));
        assert_eq!(text.matches("deadlock").count(), 1);
        assert!(text.ends_with(
            "\"error\":{\"code\":\"syntax\",\"message\":\"syntax error\",\"line\":3,\"column\":7}}\n"
        ));
    }
}
