//! Modules as SMV text, in NuSMV's layout.

use super::{
    CONSTRAINTS, Style, assigns, compassion, constants, constraints, defines, errors, instances,
    module_name, needed, spec_text, specs, type_text, variables,
};
use smv_grammar::ast::{AssignKind, Ast, ExprId, Module, VarKind};
use smv_grammar::print;
use std::fmt::Write;

const RULE: &str =
    "-- ===============================================================================\n";

/// The modules as SMV text.
pub fn smv(ast: &Ast, style: Style) -> String {
    let mut writer = Writer {
        out: String::new(),
        ast,
        style,
    };
    for module in needed(ast) {
        writer.module(module);
    }
    writer.errors();
    writer.out
}

/// `(a, b)`, or nothing for an empty list.
fn parenthesised(list: &[String]) -> String {
    match list {
        [] => String::new(),
        all => format!("({})", all.join(", ")),
    }
}

struct Writer<'a> {
    out: String,
    ast: &'a Ast,
    style: Style<'a>,
}

impl Writer<'_> {
    fn expr(&self, e: ExprId) -> String {
        print::expr(self.ast, e)
    }

    /// What stands before keywords and before what they list.
    fn indents(&self) -> (&'static str, &'static str) {
        if self.style.indent {
            ("    ", "        ")
        } else {
            ("", "")
        }
    }

    /// A keyword with a line for each of its declarations, left out when there are none.
    fn section(&mut self, keyword: &str, lines: &[String]) {
        if lines.is_empty() {
            return;
        }
        let (one, two) = self.indents();
        let _ = writeln!(self.out, "{one}{keyword}");
        for line in lines {
            let _ = writeln!(self.out, "{two}{line};");
        }
    }

    /// A section that an empty line follows.
    fn section_apart(&mut self, keyword: &str, lines: &[String]) {
        self.section(keyword, lines);
        if !lines.is_empty() {
            self.out.push('\n');
        }
    }

    /// A section of one line.
    fn statement(&mut self, text: &str) {
        let indent = if self.style.indent { "    " } else { "" };
        let _ = write!(self.out, "{indent}{text};\n\n");
    }

    fn module(&mut self, module: &Module) {
        let name = module_name(self.ast, module.name, self.style);
        let params = module.params.iter().map(|&p| self.ast.name(p).to_owned());
        let params = parenthesised(&params.collect::<Vec<_>>());
        let _ = write!(self.out, "\n{RULE}MODULE {name}{params}\n");
        self.declarations(module);
        self.definitions(module);
        self.constraints(module);
        self.specifications(module);
        let _ = write!(
            self.out,
            "\n{RULE}--                               End of module\n{RULE}"
        );
    }

    /// What was passed over when the file was read.
    fn errors(&mut self) {
        if self.ast.errors.is_empty() {
            return;
        }
        let (one, two) = self.indents();
        let title = |blanks: usize, title: &str| {
            format!("\n{one}{RULE}{one}--{:blanks$}{title}\n{one}{RULE}", "")
        };
        self.out += &title(30, "Syntactic Errors");
        for (e, ..) in errors(self.ast) {
            let (file, line, message) = (self.style.file, e.line, e.message());
            let _ = writeln!(self.out, "{two}-- File {file}: line {line}: {message}");
        }
        self.out += &title(26, "End of Syntactic Errors");
    }

    fn declarations(&mut self, module: &Module) {
        let lines = instances(module).map(|(v, of, args)| {
            let args: Vec<String> = args.iter().map(|&a| self.expr(a)).collect();
            let of = module_name(self.ast, of, self.style);
            format!("{} : {of}{}", self.ast.name(v.name), parenthesised(&args))
        });
        let lines: Vec<String> = lines.collect();
        self.section("VAR", &lines);
        for (kind, keyword) in [
            (VarKind::State, "VAR"),
            (VarKind::Input, "IVAR"),
            (VarKind::Frozen, "FROZENVAR"),
        ] {
            let lines = variables(module, kind)
                .map(|v| format!("{} : {}", self.ast.name(v.name), type_text(self.ast, &v.ty)));
            let lines: Vec<String> = lines.collect();
            self.section_apart(keyword, &lines);
        }
    }

    fn definitions(&mut self, module: &Module) {
        for arrays in [false, true] {
            let lines = defines(self.ast, module, arrays).into_iter();
            let lines = lines.map(|(n, e, _)| format!("{} := {}", self.ast.name(n), self.expr(e)));
            let lines: Vec<String> = lines.collect();
            self.section_apart("DEFINE", &lines);
        }
        let names: Vec<String> = constants(module)
            .into_iter()
            .map(|e| self.expr(e))
            .collect();
        if !names.is_empty() {
            self.statement(&format!("CONSTANTS {}", names.join(", ")));
        }
    }

    fn constraints(&mut self, module: &Module) {
        let (one, two) = self.indents();
        let mut lines = Vec::new();
        for (kind, open, close) in [
            (AssignKind::Init, "init(", ")"),
            (AssignKind::Current, "", ""),
            (AssignKind::Next, "next(", ")"),
        ] {
            for (target, rhs, _) in assigns(module, kind) {
                let (target, rhs) = (self.expr(target), self.expr(rhs));
                let apart = if kind == AssignKind::Next { "\n" } else { "" };
                lines.push(format!("{two}{open}{target}{close} := {rhs};\n{apart}"));
            }
        }
        if !lines.is_empty() {
            let _ = write!(self.out, "{one}ASSIGN\n{}", lines.concat());
        }
        for (keyword, _) in CONSTRAINTS {
            for (e, _) in constraints(module, keyword) {
                self.statement(&format!("{keyword} {}", self.expr(e)));
            }
        }
        for (p, q, _) in compassion(module) {
            let (p, q) = (self.expr(p), self.expr(q));
            self.statement(&format!("COMPASSION ({p}, {q})"));
        }
    }

    fn specifications(&mut self, module: &Module) {
        for (keyword, _, spec) in specs(module) {
            let name = match spec.name {
                Some(name) => format!("NAME {} := ", self.expr(name)),
                None => String::new(),
            };
            self.statement(&format!("{keyword} {name}{}", spec_text(self.ast, spec)));
        }
    }
}
