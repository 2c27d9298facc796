//! Modules as XML, in NuSMV's form.

use super::{
    CONSTRAINTS, Style, assigns, compassion, constants, constraints, defines, errors, instances,
    module_name, needed, spec_text, specs, type_text, variables,
};
use smv_grammar::ast::{AssignKind, Ast, ExprId, Module, VarKind};
use smv_grammar::print;
use std::fmt::Write;

/// The modules as XML.
pub fn xml(ast: &Ast, style: Style) -> String {
    let mut x = Xml {
        out: String::new(),
        indent: style.indent,
        level: 0,
        fresh: false,
    };
    x.open("SmvHRC xmlns=\"http://es.fbk.eu/xsd\"");
    x.list("Modules", 0, needed(ast), |x, module| {
        x.open_at("Module", ast.pos(module.span.start).line);
        x.leaf("name", &module_name(ast, module.name, style));
        x.level = 1;
        interface(x, ast, module, style);
        declarations(x, ast, module);
        constraints_of(x, ast, module);
        specifications(x, ast, module);
        x.level = 0;
        x.close("Module");
    });
    if !ast.errors.is_empty() {
        x.open("CompilerInfo");
        x.level = 1;
        x.list("SyntaxErrors", 1, errors(ast), |x, (e, token, message)| {
            x.open("Error");
            x.text("filename", style.file);
            x.leaf("lineno", &e.line.to_string());
            x.leaf("token", &token);
            x.leaf("message", message);
            x.close("Error");
        });
        x.level = 0;
        x.close("CompilerInfo");
    }
    x.close("SmvHRC");
    x.out
}

/// Parameters and instances.
fn interface(x: &mut Xml, ast: &Ast, module: &Module, style: Style) {
    x.list("FormalParameters", 0, &module.params, |x, &p| {
        x.open("FormalParameter");
        x.leaf("name", ast.name(p));
        x.leaf("type", "");
        x.close("FormalParameter");
    });
    x.list("ModInstances", 1, instances(module), |x, (v, of, args)| {
        x.open_at("ModInstance", v.line);
        x.leaf("name", ast.name(v.name));
        x.leaf("type", &module_name(ast, of, style));
        x.list("ActualParameters", 0, args, |x, &a| {
            x.text("value", &print::expr(ast, a))
        });
        x.close("ModInstance");
    });
}

/// Variables, DEFINEs, CONSTANTS.
fn declarations(x: &mut Xml, ast: &Ast, module: &Module) {
    for (kind, tag) in [
        (VarKind::State, "StateVars"),
        (VarKind::Input, "InputVars"),
        (VarKind::Frozen, "FrozenVars"),
    ] {
        x.list(tag, 1, variables(module, kind), |x, v| {
            x.open_at("Var", v.line);
            x.leaf("name", ast.name(v.name));
            x.leaf("type", &type_text(ast, &v.ty));
            x.close("Var");
        });
    }
    for arrays in [false, true] {
        let all = defines(ast, module, arrays);
        x.list("Defines", 1, all, |x, (name, body, line)| {
            x.open_at("Define", line);
            x.leaf("name", ast.name(name));
            x.text("body", &print::expr(ast, body));
            x.close("Define");
        });
    }
    x.list("Constants", 1, constants(module), |x, e| {
        x.open_at("Constant", ast.expr(e).line);
        x.leaf("name", &print::expr(ast, e));
        x.close("Constant");
    });
}

/// Assignments, constraints, fairness.
fn constraints_of(x: &mut Xml, ast: &Ast, module: &Module) {
    let expr = |e: ExprId| print::expr(ast, e);
    let kinds = [
        (AssignKind::Init, "InitAssign"),
        (AssignKind::Current, "InvarAssign"),
        (AssignKind::Next, "NextAssign"),
    ];
    let all = kinds
        .iter()
        .flat_map(|(kind, tag)| assigns(module, *kind).map(move |a| (*tag, a)));
    x.list("Assigns", 1, all, |x, (tag, (target, rhs, line))| {
        x.open_at(tag, line);
        x.leaf("name", &expr(target));
        x.text("value", &expr(rhs));
        x.close(tag);
    });
    let of = |part: &'static [(&'static str, &'static str)]| {
        part.iter().flat_map(|(keyword, tag)| {
            let all = constraints(module, keyword);
            all.into_iter().map(move |(e, line)| (*tag, e, line))
        })
    };
    let all = of(&CONSTRAINTS[..3]);
    x.list("Constraints", 0, all, |x, (tag, e, line)| {
        x.open_at(tag, line);
        x.text("expr", &expr(e));
        x.close(tag);
    });
    let justice = of(&CONSTRAINTS[3..]).map(|(tag, e, line)| (tag, vec![e], line));
    let pairs = compassion(module).map(|(p, q, line)| ("Compassion", vec![p, q], line));
    x.list("Fairness", 0, justice.chain(pairs), |x, (tag, es, line)| {
        x.open_at(tag, line);
        match es.as_slice() {
            [p, q] => {
                x.text("expr1", &expr(*p));
                x.text("expr2", &expr(*q));
            }
            es => es.iter().for_each(|&e| x.text("expr", &expr(e))),
        }
        x.close(tag);
    });
}

fn specifications(x: &mut Xml, ast: &Ast, module: &Module) {
    x.list("Specs", 0, specs(module), |x, (_, kind, spec)| {
        x.open_at("Spec", spec.line);
        let name = spec.name.map(|name| print::expr(ast, name));
        x.leaf("name", &name.unwrap_or_default());
        x.leaf("proptype", kind);
        x.text("expr", &spec_text(ast, spec));
        x.close("Spec");
    });
}

/// XML in NuSMV's form: a line ends behind each closing tag.
struct Xml {
    out: String,
    indent: bool,
    level: usize,
    /// At the beginning of a line.
    fresh: bool,
}

impl Xml {
    fn begin(&mut self) {
        if std::mem::take(&mut self.fresh) && self.indent {
            self.out.push_str(&"    ".repeat(self.level));
        }
    }

    fn open(&mut self, tag: &str) {
        self.begin();
        let _ = write!(self.out, "<{tag}>");
    }

    /// An element of a list, with the line it was declared in.
    fn open_at(&mut self, tag: &str, line: u32) {
        self.open(&format!("{tag} lineno=\"{line}\""));
    }

    fn close(&mut self, tag: &str) {
        self.begin();
        let _ = write!(self.out, "</{tag}>");
        if self.indent {
            self.out.push('\n');
            self.fresh = true;
        }
    }

    fn leaf(&mut self, tag: &str, text: &str) {
        self.open(tag);
        self.out.push_str(text);
        self.close(tag);
    }

    /// A leaf whose text may hold anything.
    fn text(&mut self, tag: &str, text: &str) {
        self.leaf(tag, &escape(text));
    }

    /// A list that is left out when it is empty; its elements stand `deeper`.
    fn list<T>(
        &mut self,
        tag: &str,
        deeper: usize,
        items: impl IntoIterator<Item = T>,
        mut each: impl FnMut(&mut Xml, T),
    ) {
        let mut items = items.into_iter().peekable();
        if items.peek().is_none() {
            return;
        }
        self.open(tag);
        self.level += deeper;
        for item in items {
            each(self, item);
        }
        self.level -= deeper;
        self.close(tag);
    }
}

fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            ' ' | '!' | '\n' => {
                let _ = write!(out, "&#{:03};", c as u32);
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_blanks_and_exclamation_marks_are_escaped() {
        assert_eq!(escape("!a & b"), "&#033;a&#032;&amp;&#032;b");
    }
}
