//! The way out of an error, for people: never part of NuSMV's bytes.
//!
//! A diagnostic, the source text and what the source declares → one sentence, where there is one
//! that helps. What NuSMV says is the key, since its wording tells one kind of error from another.

use super::Diagnostic;
use crate::base::nearest;
use smv_grammar::ast::{Ast, ExprKind, Item, TypeExpr};

/// Advice for a diagnostic; `ast` knows the lines only where the text has no tree.
pub fn advice(d: &Diagnostic, text: &str, ast: &Ast) -> Option<String> {
    let said = d.text.lines().next().unwrap_or_default();
    if let Some(name) = between(said, "\"", "\" undefined") {
        return undefined(name, ast);
    }
    if let Some(name) = between(said, "undefined identifier '", "'") {
        return undefined(name, ast);
    }
    if let Some(token) = between(said, "at token \"", "\": syntax error") {
        return syntax(token, d, text, ast);
    }
    if said.starts_with("case conditions are not exhaustive") {
        return Some("end the case with a line for all that is left: `TRUE : value;`".into());
    }
    if let Some(name) = said.strip_prefix("cannot assign value ") {
        let name = name.rsplit(' ').next().unwrap_or_default();
        return Some(format!(
            "widen the type of `{name}`, or keep the value within it (with `mod`, `min`, `max` or a case)"
        ));
    }
    if said.contains("Division by zero") {
        return Some("guard the division: `divisor = 0 ? value : a / divisor`".into());
    }
    if said.starts_with("illegal ") {
        return types(said);
    }
    None
}

/// What stands between two texts.
fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    let rest = &text[text.find(before)? + before.len()..];
    Some(&rest[..rest.find(after)?])
}

/// An identifier without declaration: a similar one, or the constant in NuSMV's letters.
fn undefined(name: &str, ast: &Ast) -> Option<String> {
    if name == "main" {
        return Some("a model needs a module of this name: `MODULE main`".into());
    }
    let last = name.rsplit('.').next().unwrap_or(name);
    let similar = nearest(last, declared(ast))?;
    Some(format!("did you mean `{similar}`?"))
}

/// All that the source declares, in its order.
fn declared(ast: &Ast) -> Vec<&str> {
    let mut names = vec!["TRUE", "FALSE"];
    for module in &ast.modules {
        names.push(ast.name(module.name));
        names.extend(module.params.iter().map(|&p| ast.name(p)));
        for item in &module.items {
            match item {
                Item::Var(decl) => {
                    names.push(ast.name(decl.name));
                    names.extend(constants(&decl.ty, ast));
                }
                Item::Define { name, .. } => names.push(ast.name(*name)),
                Item::Constants(all) => names.extend(all.iter().filter_map(|&e| ident(ast, e))),
                _ => {}
            }
        }
    }
    names
}

fn constants<'a>(ty: &TypeExpr, ast: &'a Ast) -> Vec<&'a str> {
    match ty {
        TypeExpr::Enum { values, .. } => values.iter().filter_map(|&e| ident(ast, e)).collect(),
        TypeExpr::Array(_, _, element) | TypeExpr::WordArray { element, .. } => {
            constants(element, ast)
        }
        _ => Vec::new(),
    }
}

fn ident(ast: &Ast, e: smv_grammar::ast::ExprId) -> Option<&str> {
    match ast.expr(e).kind {
        ExprKind::Ident(name) => Some(ast.name(name)),
        _ => None,
    }
}

/// A token where none of its kind may stand.
fn syntax(token: &str, d: &Diagnostic, text: &str, ast: &Ast) -> Option<String> {
    let start = d.span?.start as usize;
    let before = text.get(..start)?;
    let after = text.get(start + token.len()..).unwrap_or_default();
    let next = after.trim_start();
    let previous = last_code(before);
    let touching = before.ends_with(token);
    match token {
        "=" if touching => return Some("equality is written `=`".into()),
        "&" | "|" if touching => return Some(format!("write `{token}` once")),
        "=" => return Some("an assignment is written `:=`".into()),
        ":=" => {
            return Some(
                "`:=` belongs to ASSIGN and DEFINE; a constraint says that two values are equal with `=`"
                    .into(),
            );
        }
        _ => {}
    }
    let reserved = smv_grammar::is_reserved(token);
    let is_name = token.starts_with(|c: char| c.is_alphabetic() || c == '_');
    // A name that begins a line, behind a line that does not end: the end is missing there.
    if let Some((at, last)) = previous
        && is_name
        && before[at..].contains('\n')
        && (last.is_alphanumeric() || matches!(last, ')' | ']' | '}' | '_'))
    {
        let line = ast.pos(at as u32).line;
        return Some(format!("a `;` may be missing at the end of line {line}"));
    }
    if reserved && (next.starts_with(':') || matches!(previous, Some((_, '(' | ',' | '{')))) {
        return Some(format!(
            "`{token}` is a word of the language: choose another name"
        ));
    }
    None
}

/// The last character that is neither blank nor within a comment, and where.
fn last_code(text: &str) -> Option<(usize, char)> {
    let mut end = text.len();
    loop {
        let start = text[..end].rfind('\n').map_or(0, |i| i + 1);
        let line = &text[start..end];
        let code = line.find("--").map_or(line, |i| &line[..i]).trim_end();
        if let Some((i, c)) = code.char_indices().next_back() {
            return Some((start + i, c));
        }
        end = start.checked_sub(1)?;
    }
}

/// Operands that do not fit.
fn types(said: &str) -> Option<String> {
    let boolean = said.contains("boolean");
    let integer = said.contains("integer");
    let operator = between(said, "\"", "\"").unwrap_or_default();
    if said.contains("INIT expression")
        || said.contains("INVAR expression")
        || said.contains("TRANS expression")
    {
        return Some("a constraint is a Boolean: compare the value with something".into());
    }
    if boolean && integer {
        return Some(match operator {
            "+" | "-" | "*" | "/" | "mod" | "<" | "<=" | ">" | ">=" => {
                "a Boolean becomes a number with `toint(...)`".into()
            }
            _ => "the Booleans are TRUE and FALSE, not 1 and 0 (or use -old); \
                  `toint(...)` and `bool(...)` convert"
                .into(),
        });
    }
    if said.contains("word[") && integer {
        return Some(
            "write the number as a word (`0ud8_5` is 5 in eight bits), or convert with `toint(...)`".into(),
        );
    }
    if said.matches("word[").count() == 2 {
        return Some(
            "both words must have the same width and sign: `extend`, `resize`, `signed` and `unsigned` convert"
                .into(),
        );
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use smv_grammar::ast::Site;
    use smv_grammar::{ParseOptions, parse};

    /// Advice for a message about a model.
    fn help(model: &str, d: Diagnostic) -> Option<String> {
        let ast = parse(model.as_bytes(), &ParseOptions::default()).expect("a model");
        advice(&d, model, &ast)
    }

    /// Advice for the first syntax error of a text.
    fn syntax_help(text: &str) -> String {
        let errors = parse(text.as_bytes(), &ParseOptions::default()).expect_err("no model");
        let e = &errors[0];
        let breaks = text.bytes().enumerate().filter(|&(_, b)| b == b'\n');
        let ast = Ast {
            line_starts: std::iter::once(0)
                .chain(breaks.map(|(i, _)| i as u32 + 1))
                .collect(),
            ..Ast::default()
        };
        let d = Diagnostic::model(Site::new(e.span, e.line), e.message());
        advice(&d, text, &ast).unwrap_or_default()
    }

    #[test]
    fn undefined_names_have_neighbours() {
        let model = "MODULE main\nVAR request : boolean; door : {open, shut};\n";
        let of = |name: &str| {
            help(
                model,
                Diagnostic::bare(
                    super::super::Severity::Error,
                    format!("\"{name}\" undefined"),
                ),
            )
        };
        assert_eq!(of("p.reqest").as_deref(), Some("did you mean `request`?"));
        assert_eq!(of("opne").as_deref(), Some("did you mean `open`?"));
        assert_eq!(of("true").as_deref(), Some("did you mean `TRUE`?"));
        assert_eq!(of("grant"), None);
    }

    #[test]
    fn types_and_cases_have_a_way_out() {
        let of = |text: &str| {
            help(
                "MODULE main",
                Diagnostic::bare(super::super::Severity::Error, text),
            )
            .unwrap_or_default()
        };
        assert!(
            of("illegal operand types of \"=\" : boolean and integer").contains("TRUE and FALSE")
        );
        assert!(of("illegal operand types of \"+\" : boolean and integer").contains("toint"));
        assert!(
            of("illegal operand types of \"=\" : unsigned word[4] and integer").contains("0ud8_5")
        );
        assert!(
            of("illegal operand types of \"=\" : unsigned word[4] and unsigned word[5]")
                .contains("resize")
        );
        assert!(of("case conditions are not exhaustive").contains("TRUE : value;"));
        assert!(of("cannot assign value 4 to variable c").contains("`c`"));
        assert_eq!(of("too many actual parameters"), "");
    }

    #[test]
    fn syntax_errors_have_a_way_out() {
        for (text, part) in [
            (
                "MODULE main\nVAR a : boolean -- no end\n  b : boolean;\n",
                "`;` may be missing at the end of line 2",
            ),
            (
                "MODULE main\nVAR a : boolean;\nASSIGN next(a) = TRUE;\n",
                "`:=`",
            ),
            ("MODULE main\nVAR a : boolean;\nINIT a := TRUE;\n", "ASSIGN"),
            (
                "MODULE main\nVAR a : boolean;\nINIT a && a;\n",
                "write `&` once",
            ),
            (
                "MODULE main\nVAR a : boolean;\nINIT a == a;\n",
                "equality is written `=`",
            ),
            ("MODULE main\nVAR count : boolean;\n", "choose another name"),
        ] {
            let help = syntax_help(text);
            assert!(help.contains(part), "{text}{help}");
        }
    }
}
