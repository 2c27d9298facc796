//! `hrc_dump_model`: the modules as they were written, before flattening, in SMV or XML.
//!
//! Source tree → text in NuSMV's layout: `main` first, then every module that is instantiated, in the order
//! in which instances are met. A module's declarations are sorted by kind; within a kind they keep their
//! order (DEFINEs and CONSTANTS are reversed, as there).

use smv_grammar::ast::{
    AssignKind, Ast, ExprId, ExprKind, Item, MinMax, Module, Spec, SpecKind, TypeExpr, VarDecl,
    VarKind,
};
use smv_grammar::print;
use std::fmt::Write;

/// How the text is written.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub indent: bool,
    /// Names of modules, `main` apart, get the suffix `_hrc`.
    pub rename: bool,
}

/// The modules that `main` needs, itself first.
fn needed(ast: &Ast) -> Vec<&Module> {
    let find = |name: &str| ast.modules.iter().find(|m| ast.name(m.name) == name);
    let mut found: Vec<&Module> = Vec::new();
    let mut todo: Vec<&Module> = find("main").into_iter().collect();
    while let Some(module) = todo.pop() {
        if found.iter().any(|m| m.name == module.name) {
            continue;
        }
        found.push(module);
        let used = instances(module).filter_map(|(_, name, _)| find(ast.name(name)));
        let used: Vec<&Module> = used.collect();
        todo.extend(used.into_iter().rev());
    }
    found
}

/// Instances of a module: declaration, module, parameters.
fn instances(
    module: &Module,
) -> impl Iterator<Item = (&VarDecl, smv_grammar::ast::Name, &[ExprId])> {
    module.items.iter().filter_map(|item| match item {
        Item::Var(v) => match &v.ty {
            TypeExpr::Instance { module, args, .. } => Some((v, *module, args.as_slice())),
            _ => None,
        },
        _ => None,
    })
}

/// Variables of a kind that are no instances.
fn variables(module: &Module, kind: VarKind) -> impl Iterator<Item = &VarDecl> {
    module.items.iter().filter_map(move |item| match item {
        Item::Var(v) if v.kind == kind && !matches!(v.ty, TypeExpr::Instance { .. }) => Some(v),
        _ => None,
    })
}

/// DEFINEs, of arrays or of anything else: name, body, line.
fn defines(ast: &Ast, module: &Module, arrays: bool) -> Vec<(smv_grammar::ast::Name, ExprId, u32)> {
    let of = |item: &Item| match item {
        Item::Define {
            name, body, line, ..
        } if matches!(ast.expr(*body).kind, ExprKind::ArrayLit(_)) == arrays => {
            Some((*name, *body, *line))
        }
        _ => None,
    };
    // The last one comes first.
    module.items.iter().rev().filter_map(of).collect()
}

fn constants(module: &Module) -> Vec<ExprId> {
    let all = module.items.iter().filter_map(|item| match item {
        Item::Constants(names) => Some(names),
        _ => None,
    });
    let mut all: Vec<ExprId> = all.flatten().copied().collect();
    all.reverse();
    all
}

/// Assignments of a kind: target, right side, line.
fn assigns(module: &Module, wanted: AssignKind) -> impl Iterator<Item = (ExprId, ExprId, u32)> {
    module.items.iter().filter_map(move |item| match item {
        Item::Assign {
            kind,
            target,
            rhs,
            line,
            ..
        } if *kind == wanted => Some((*target, *rhs, *line)),
        _ => None,
    })
}

/// The kinds of constraints in the order of the text: keyword, element of the XML.
const CONSTRAINTS: [(&str, &str); 4] = [
    ("INIT", "Init"),
    ("INVAR", "Invar"),
    ("TRANS", "Trans"),
    ("JUSTICE", "Justice"),
];

fn constraints(module: &Module, keyword: &str) -> Vec<(ExprId, u32)> {
    let of = |item: &Item| match (item, keyword) {
        (Item::Init(e, line), "INIT")
        | (Item::Invar(e, line), "INVAR")
        | (Item::Trans(e, line), "TRANS")
        | (Item::Justice(e, line), "JUSTICE") => Some((*e, *line)),
        _ => None,
    };
    module.items.iter().filter_map(of).collect()
}

fn compassion(module: &Module) -> impl Iterator<Item = (ExprId, ExprId, u32)> {
    module.items.iter().filter_map(|item| match item {
        Item::Compassion(p, q, line) => Some((*p, *q, *line)),
        _ => None,
    })
}

/// Specifications by kind: keyword, name in the XML, specification.
fn specs(module: &Module) -> Vec<(&'static str, &'static str, &Spec)> {
    let kind = |s: &Spec| {
        Some(match s.kind {
            SpecKind::Ctl(_) => (0, "CTLSPEC", "CTL"),
            SpecKind::Ltl(_) => (1, "LTLSPEC", "LTL"),
            SpecKind::Psl(_) => (2, "PSLSPEC", "PSL"),
            SpecKind::Invar(_) => (3, "INVARSPEC", "INVAR"),
            SpecKind::Compute(..) => (4, "COMPUTE", "COMPUTE"),
            SpecKind::Query(..) => return None,
        })
    };
    let mut all: Vec<_> = module
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Spec(s) => kind(s).map(|k| (k, s)),
            _ => None,
        })
        .collect();
    all.sort_by_key(|((rank, ..), _)| *rank);
    all.into_iter().map(|((_, k, x), s)| (k, x, s)).collect()
}

fn spec_text(ast: &Ast, spec: &Spec) -> String {
    if let SpecKind::Compute(which, a, b) = spec.kind {
        let which = if which == MinMax::Min { "MIN" } else { "MAX" };
        let [a, b] = [a, b].map(|e| print::expr(ast, e));
        return format!("{which} [ {a} , {b} ] ");
    }
    let text = print::spec(ast, spec);
    text.strip_suffix(' ').unwrap_or(&text).to_owned()
}

fn type_text(ast: &Ast, ty: &TypeExpr) -> String {
    match ty {
        TypeExpr::Boolean => "boolean".to_owned(),
        TypeExpr::Range { lo, hi, .. } => {
            format!("{} .. {}", print::expr(ast, *lo), print::expr(ast, *hi))
        }
        TypeExpr::Enum { values, .. } => {
            let values: Vec<String> = values.iter().map(|&v| print::expr(ast, v)).collect();
            format!("{{{}}}", values.join(", "))
        }
        TypeExpr::Word { signed, width, .. } => {
            let sign = if *signed { "signed" } else { "unsigned" };
            format!("{sign} word[{}]", print::expr(ast, *width))
        }
        TypeExpr::Array(lo, hi, of) => format!(
            "array {} .. {} of {}",
            print::expr(ast, *lo),
            print::expr(ast, *hi),
            type_text(ast, of)
        ),
        TypeExpr::WordArray { width, element } => format!(
            "array word[{}] of {}",
            print::expr(ast, *width),
            type_text(ast, element)
        ),
        TypeExpr::Instance { module, .. } => ast.name(*module).to_owned(),
    }
}

fn module_name(ast: &Ast, name: smv_grammar::ast::Name, style: Style) -> String {
    let name = ast.name(name);
    if style.rename && name != "main" {
        format!("{name}_hrc")
    } else {
        name.to_owned()
    }
}

const RULE: &str =
    "-- ===============================================================================\n";

/// The modules as SMV text.
pub fn smv(ast: &Ast, style: Style) -> String {
    let mut out = String::new();
    for module in needed(ast) {
        smv_module(&mut out, ast, module, style);
    }
    out
}

fn smv_module(out: &mut String, ast: &Ast, module: &Module, style: Style) {
    let (one, two) = if style.indent {
        ("    ", "        ")
    } else {
        ("", "")
    };
    let expr = |e: ExprId| print::expr(ast, e);
    let params: Vec<&str> = module.params.iter().map(|&p| ast.name(p)).collect();
    let params = match params.as_slice() {
        [] => String::new(),
        all => format!("({})", all.join(", ")),
    };
    let name = module_name(ast, module.name, style);
    let _ = write!(out, "\n{RULE}MODULE {name}{params}\n");
    let section = |out: &mut String, keyword: &str, lines: Vec<String>, blank: bool| {
        if lines.is_empty() {
            return;
        }
        let _ = writeln!(out, "{one}{keyword}");
        for line in lines {
            let _ = writeln!(out, "{two}{line};");
        }
        if blank {
            out.push('\n');
        }
    };
    let lines = instances(module).map(|(v, of, args)| {
        let args: Vec<String> = args.iter().map(|&a| expr(a)).collect();
        let args = match args.as_slice() {
            [] => String::new(),
            all => format!("({})", all.join(", ")),
        };
        let of = module_name(ast, of, style);
        format!("{} : {of}{args}", ast.name(v.name))
    });
    section(out, "VAR", lines.collect(), false);
    let kinds = [
        (VarKind::State, "VAR"),
        (VarKind::Input, "IVAR"),
        (VarKind::Frozen, "FROZENVAR"),
    ];
    for (kind, keyword) in kinds {
        let lines = variables(module, kind)
            .map(|v| format!("{} : {}", ast.name(v.name), type_text(ast, &v.ty)));
        section(out, keyword, lines.collect(), true);
    }
    for arrays in [false, true] {
        let lines = defines(ast, module, arrays);
        let lines = lines
            .iter()
            .map(|&(n, e, _)| format!("{} := {}", ast.name(n), expr(e)));
        section(out, "DEFINE", lines.collect(), true);
    }
    let names: Vec<String> = constants(module).into_iter().map(expr).collect();
    if !names.is_empty() {
        let _ = write!(out, "{one}CONSTANTS {};\n\n", names.join(", "));
    }
    let kinds = [
        (AssignKind::Init, "init(", ")"),
        (AssignKind::Current, "", ""),
        (AssignKind::Next, "next(", ")"),
    ];
    let lines = kinds.iter().flat_map(|(kind, open, close)| {
        assigns(module, *kind)
            .map(move |(x, e, _)| format!("{open}{}{close} := {}", expr(x), expr(e)))
    });
    section(out, "ASSIGN", lines.collect(), true);
    for (keyword, _) in CONSTRAINTS {
        for (e, _) in constraints(module, keyword) {
            let _ = write!(out, "{one}{keyword} {};\n\n", expr(e));
        }
    }
    for (p, q, _) in compassion(module) {
        let _ = write!(out, "{one}COMPASSION ({}, {});\n\n", expr(p), expr(q));
    }
    for (keyword, _, spec) in specs(module) {
        let name = match spec.name {
            Some(name) => format!("NAME {} := ", expr(name)),
            None => String::new(),
        };
        let _ = write!(out, "{one}{keyword} {name}{};\n\n", spec_text(ast, spec));
    }
    let _ = write!(
        out,
        "\n{RULE}--                               End of module\n{RULE}"
    );
}

/// XML in NuSMV's form: a line ends behind each closing tag.
struct Xml {
    out: String,
    indent: bool,
    level: usize,
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

    fn expr(&mut self, tag: &str, text: &str) {
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

/// The modules as XML.
pub fn xml(ast: &Ast, style: Style) -> String {
    let mut x = Xml {
        out: String::new(),
        indent: style.indent,
        level: 0,
        fresh: false,
    };
    x.open("SmvHRC xmlns=\"http://es.fbk.eu/xsd\"");
    x.list("Modules", 0, needed(ast), |x, m| {
        xml_module(x, ast, m, style)
    });
    x.close("SmvHRC");
    x.out
}

fn xml_module(x: &mut Xml, ast: &Ast, module: &Module, style: Style) {
    let expr = |e: ExprId| print::expr(ast, e);
    x.open_at("Module", ast.pos(module.span.start).line);
    x.leaf("name", &module_name(ast, module.name, style));
    x.level = 1;
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
            x.expr("value", &expr(a))
        });
        x.close("ModInstance");
    });
    let kinds = [
        (VarKind::State, "StateVars"),
        (VarKind::Input, "InputVars"),
        (VarKind::Frozen, "FrozenVars"),
    ];
    for (kind, tag) in kinds {
        x.list(tag, 1, variables(module, kind), |x, v| {
            x.open_at("Var", v.line);
            x.leaf("name", ast.name(v.name));
            x.leaf("type", &type_text(ast, &v.ty));
            x.close("Var");
        });
    }
    for arrays in [false, true] {
        x.list(
            "Defines",
            1,
            defines(ast, module, arrays),
            |x, (n, e, line)| {
                x.open_at("Define", line);
                x.leaf("name", ast.name(n));
                x.expr("body", &expr(e));
                x.close("Define");
            },
        );
    }
    x.list("Constants", 1, constants(module), |x, e| {
        x.open_at("Constant", ast.expr(e).line);
        x.leaf("name", &expr(e));
        x.close("Constant");
    });
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
        x.expr("value", &expr(rhs));
        x.close(tag);
    });
    let of = |part: &'static [(&'static str, &'static str)]| {
        part.iter().flat_map(|(keyword, tag)| {
            let all = constraints(module, keyword);
            all.into_iter().map(move |(e, line)| (*tag, e, line))
        })
    };
    x.list(
        "Constraints",
        0,
        of(&CONSTRAINTS[..3]),
        |x, (tag, e, line)| {
            x.open_at(tag, line);
            x.expr("expr", &expr(e));
            x.close(tag);
        },
    );
    let justice = of(&CONSTRAINTS[3..]).map(|(tag, e, line)| (tag, vec![e], line));
    let pairs = compassion(module).map(|(p, q, line)| ("Compassion", vec![p, q], line));
    x.list("Fairness", 0, justice.chain(pairs), |x, (tag, es, line)| {
        x.open_at(tag, line);
        match es.as_slice() {
            [p, q] => {
                x.expr("expr1", &expr(*p));
                x.expr("expr2", &expr(*q));
            }
            es => es.iter().for_each(|&e| x.expr("expr", &expr(e))),
        }
        x.close(tag);
    });
    x.list("Specs", 0, specs(module), |x, (_, kind, spec)| {
        x.open_at("Spec", spec.line);
        x.leaf("name", &spec.name.map_or(String::new(), &expr));
        x.leaf("proptype", kind);
        x.expr("expr", &spec_text(ast, spec));
        x.close("Spec");
    });
    x.level = 0;
    x.close("Module");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_come_as_instances_are_met() {
        let text = "MODULE c VAR x : boolean; MODULE b VAR y : c; MODULE unused VAR u : boolean;\n\
                    MODULE main VAR p : b; q : c; z : 0..1; INIT z = 0";
        let ast = smv_grammar::parse(text.as_bytes(), &Default::default()).expect("it can be read");
        let names: Vec<&str> = needed(&ast).iter().map(|m| ast.name(m.name)).collect();
        assert_eq!(names, ["main", "b", "c"]);
        let style = Style {
            indent: true,
            rename: true,
        };
        let text = smv(&ast, style);
        assert!(text.contains("MODULE main\n    VAR\n        p : b_hrc;\n        q : c_hrc;\n"));
        assert!(text.contains("        z : 0 .. 1;\n\n    INIT z = 0;\n\n"));
        let text = xml(
            &ast,
            Style {
                indent: false,
                ..style
            },
        );
        assert!(text.contains("<Init lineno=\"2\"><expr>z&#032;=&#032;0</expr></Init>"));
        assert_eq!(escape("!a & b"), "&#033;a&#032;&amp;&#032;b");
    }
}
