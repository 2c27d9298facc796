//! Models as the generator builds them and the shrinker cuts them: trees of typed templates.
//!
//! An expression is a template text whose `@` are filled with its arguments, so that a new operator
//! needs no new node here; its [`Kind`] says where it may stand.

use std::fmt::{self, Display, Write};

/// Where an expression may stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Bool,
    /// Integer whose value is known to lie in `lo..=hi`.
    Int(i64, i64),
    /// One of these symbolic (or mixed) constants.
    Enum(Vec<String>),
    Word {
        signed: bool,
        width: u32,
    },
    /// A set for the right side of an assignment; the elements fit the kind inside.
    Choice(Box<Kind>),
    Ctl,
    Ltl,
    /// PSL over paths.
    Fl,
    /// PSL over states.
    Obe,
    Sere,
}

impl Kind {
    /// Whether an expression of this kind may stand where `wanted` is asked for.
    pub fn fits(&self, wanted: &Kind) -> bool {
        match (self, wanted) {
            (Kind::Int(a, b), Kind::Int(lo, hi)) => lo <= a && b <= hi,
            (Kind::Enum(mine), Kind::Enum(other)) => mine.iter().all(|v| other.contains(v)),
            (Kind::Choice(a), Kind::Choice(b)) => a.fits(b),
            (a, Kind::Choice(b)) => a.fits(b),
            (Kind::Bool, Kind::Ctl | Kind::Ltl | Kind::Fl | Kind::Obe) => true,
            (a, b) => a == b,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    pub kind: Kind,
    /// Each `@` stands for the next argument.
    pub form: String,
    pub args: Vec<Expr>,
}

impl Expr {
    pub fn new(kind: Kind, form: impl Into<String>, args: Vec<Expr>) -> Self {
        Expr {
            kind,
            form: form.into(),
            args,
        }
    }

    pub fn leaf(kind: Kind, text: impl Into<String>) -> Self {
        Expr::new(kind, text, Vec::new())
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut args = self.args.iter();
        for c in self.form.chars() {
            match c {
                '@' => args.next().expect("as many arguments as places").fmt(f)?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `VAR x : boolean`, with the section word.
    Var {
        section: &'static str,
        name: String,
        ty: String,
    },
    Instance {
        name: String,
        module: String,
        args: Vec<Expr>,
        process: bool,
    },
    Define {
        name: String,
        body: Expr,
    },
    /// `left` is `x`, `init(x)` or `next(x)`.
    Assign {
        left: String,
        right: Expr,
    },
    /// INIT, INVAR, TRANS, JUSTICE, and the property sections (with the word or words before the
    /// formula).
    Section {
        word: &'static str,
        body: Expr,
    },
    /// `COMPASSION (p, q)`, `COMPUTE MIN [ p , q ]`: two expressions in a template.
    Pair {
        form: &'static str,
        a: Expr,
        b: Expr,
    },
}

impl Item {
    pub fn is_property(&self) -> bool {
        match self {
            Item::Section { word, .. } => word.contains("SPEC"),
            Item::Pair { form, .. } => form.starts_with("COMPUTE"),
            _ => false,
        }
    }

    /// The expressions inside, for the shrinker.
    pub fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Item::Var { .. } => Vec::new(),
            Item::Instance { args, .. } => args.iter_mut().collect(),
            Item::Define { body: e, .. } | Item::Assign { right: e, .. } => vec![e],
            Item::Section { body, .. } => vec![body],
            Item::Pair { a, b, .. } => vec![a, b],
        }
    }
}

impl Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Var { section, name, ty } => write!(f, "{section} {name} : {ty};"),
            Item::Instance {
                name,
                module,
                args,
                process,
            } => {
                let process = if *process { "process " } else { "" };
                write!(f, "VAR {name} : {process}{module}")?;
                let args: Vec<_> = args.iter().map(Expr::to_string).collect();
                match args.is_empty() {
                    true => f.write_str(";"),
                    false => write!(f, "({});", args.join(", ")),
                }
            }
            Item::Define { name, body } => write!(f, "DEFINE {name} := {body};"),
            Item::Assign { left, right } => write!(f, "ASSIGN {left} := {right};"),
            Item::Section { word, body } => write!(f, "{word} {body};"),
            Item::Pair { form, a, b } => {
                let both = Expr::new(Kind::Bool, *form, vec![a.clone(), b.clone()]);
                write!(f, "{both};")
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    pub name: String,
    pub params: Vec<String>,
    pub items: Vec<Item>,
}

/// A whole file; the first module is `main`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    pub modules: Vec<Module>,
}

impl Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for module in &self.modules {
            write!(f, "MODULE {}", module.name)?;
            if !module.params.is_empty() {
                write!(f, "({})", module.params.join(", "))?;
            }
            f.write_char('\n')?;
            for item in &module.items {
                writeln!(f, "{item}")?;
            }
        }
        Ok(())
    }
}
