//! The source tree: what the user wrote, with spans, before any name is resolved.
//!
//! Expressions live in one arena ([`Ast::exprs`]) and refer to each other by [`ExprId`], so that
//! trees of any depth are built, walked and dropped without recursion on the Rust stack being
//! forced on anyone. The parser desugars what NuSMV desugars while parsing (and therefore prints
//! desugared): `a V b`, `a T b`, `min`, `max`, `abs`, `{a, b}` as `a union b`.

use crate::ops::{BinOp, BoundedOp, Func, UnOp};
use num_bigint::BigUint;

/// Bytes `start..end` of the source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// Of the first byte, from 0.
    pub start: u32,
    /// Behind the last byte.
    pub end: u32,
}

/// Where something stands, for messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// Its text.
    pub span: Span,
    /// The line that NuSMV tells of it: often not that of its first letter, but of what its parser had just
    /// read. 0: none.
    pub line: u32,
}

impl Site {
    /// A text with its line.
    pub fn new(span: Span, line: u32) -> Self {
        Site { span, line }
    }

    /// A line (0: none) without a text.
    pub fn of_line(line: u32) -> Self {
        Site::new(Span::default(), line)
    }
}

/// A line and a column, both counted from 1; columns count bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pos {
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

/// An interned identifier; see [`Ast::name`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(pub u32);

/// An expression in [`Ast::exprs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// A word constant; `value` holds the `width` bits (two's complement when `signed`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct WordLit {
    /// Written with `s`.
    pub signed: bool,
    /// In bits, at least 1.
    pub width: u32,
    /// Below 2^width.
    pub value: BigUint,
}

/// One node of the expression arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// Operator and operands.
    pub kind: ExprKind,
    /// Of the whole subexpression.
    pub span: Span,
    /// The line NuSMV reports for this node (the line its lexer stood at when the node was built).
    pub line: u32,
}

impl Expr {
    /// Where it stands.
    pub fn site(&self) -> Site {
        Site::new(self.span, self.line)
    }
}

/// What an expression is. Operands come before it in the arena.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as in the language or the field")]
pub enum ExprKind {
    Bool(bool),
    Int(i64),
    Word(Box<WordLit>),
    Ident(Name),
    SelfRef,
    /// `left.name`
    Dot(ExprId, Name),
    /// `left[index]`
    Index(ExprId, ExprId),
    /// `word[high : low]`
    BitSelect(ExprId, ExprId, ExprId),
    Unary(UnOp, ExprId),
    Binary(BinOp, ExprId, ExprId),
    /// `op lo..hi a [b]`; `hi` is absent only where the syntax allows an open interval.
    Bounded {
        op: BoundedOp,
        lo: ExprId,
        hi: ExprId,
        a: ExprId,
        b: Option<ExprId>,
    },
    /// `c ? a : b` (prints as such; `min`, `max` and `abs` desugar to it)
    Ite(ExprId, ExprId, ExprId),
    /// `case c1 : e1; ... esac`
    Case(Vec<CaseArm>),
    /// `lo .. hi`
    Range(ExprId, ExprId),
    Call(Func, Vec<ExprId>),
    /// `[e1, ..., en]` in an array DEFINE
    ArrayLit(Vec<ExprId>),
    /// `?`, or `?{x, y}` with its names; in queries only.
    Placeholder(Vec<ExprId>),
}

impl ExprKind {
    /// A name or a literal, as opposed to an operation?
    pub fn is_operand(&self) -> bool {
        use ExprKind::*;
        matches!(
            self,
            Bool(_) | Int(_) | Word(_) | Ident(_) | SelfRef | Dot(..)
        )
    }

    /// The nodes below, left to right.
    pub fn operands(&self) -> Vec<ExprId> {
        use ExprKind::*;
        match self {
            Bool(_) | Int(_) | Word(_) | Ident(_) | SelfRef => Vec::new(),
            Dot(a, _) | Unary(_, a) => vec![*a],
            Index(a, b) | Binary(_, a, b) | Range(a, b) => vec![*a, *b],
            BitSelect(a, b, c) | Ite(a, b, c) => vec![*a, *b, *c],
            Bounded { lo, hi, a, b, .. } => [*lo, *hi, *a].into_iter().chain(*b).collect(),
            Case(arms) => arms.iter().flat_map(|arm| [arm.cond, arm.value]).collect(),
            Call(_, list) | ArrayLit(list) | Placeholder(list) => list.clone(),
        }
    }
}

/// `cond : value;` in a `case`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaseArm {
    /// Before the colon.
    pub cond: ExprId,
    /// Behind it.
    pub value: ExprId,
    /// The line NuSMV reports for this arm.
    pub line: u32,
}

/// A type as written.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "named as in the language or the field")]
pub enum TypeExpr {
    Boolean,
    Range {
        lo: ExprId,
        hi: ExprId,
        line: u32,
    },
    /// The constants of an enumeration, each an identifier (maybe dotted), an integer or TRUE/FALSE.
    Enum {
        values: Vec<ExprId>,
        line: u32,
    },
    /// `word[N]`, `unsigned word[N]` (both unsigned) or `signed word[N]`
    Word {
        signed: bool,
        width: ExprId,
        line: u32,
    },
    /// `array lo..hi of T`
    Array(ExprId, ExprId, Box<TypeExpr>),
    /// `array word[N] of T`, which only `READ` and `WRITE` access
    WordArray {
        width: ExprId,
        element: Box<TypeExpr>,
    },
    /// `[process] M(args)`
    Instance {
        process: bool,
        module: Name,
        args: Vec<ExprId>,
        span: Span,
        line: u32,
    },
}

/// Which kind of variable a section declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "named as in the language or the field")]
pub enum VarKind {
    State,
    Input,
    Frozen,
}

/// A variable or an instance.
#[derive(Clone, Debug, PartialEq)]
pub struct VarDecl {
    /// State, input or frozen.
    pub kind: VarKind,
    /// May be dotted or indexed (`VAR a.b : boolean`), as written without blanks.
    pub name: Name,
    /// Also the module of an instance.
    pub ty: TypeExpr,
    /// Of the name.
    pub span: Span,
    /// As in [`Site`].
    pub line: u32,
}

impl VarDecl {
    /// Where it stands.
    pub fn site(&self) -> Site {
        Site::new(self.span, self.line)
    }
}

/// When an assignment counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssignKind {
    /// `x := e`
    Current,
    /// `init(x) := e`
    Init,
    /// `next(x) := e`
    Next,
}

/// Which distance COMPUTE asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "named as in the language or the field")]
pub enum MinMax {
    Min,
    Max,
}

/// A specification's formula.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "named as in the language or the field")]
pub enum SpecKind {
    /// SPEC, CTLSPEC
    Ctl(ExprId),
    Ltl(ExprId),
    Invar(ExprId),
    /// `COMPUTE MIN [start, target]`
    Compute(MinMax, ExprId, ExprId),
    Psl(crate::psl::PslId),
    /// `QUERYSPEC`: CTL with placeholders; the formula and its text as written, on one line
    Query(ExprId, Name),
}

/// A specification or a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// Which logic, and the formula.
    pub kind: SpecKind,
    /// `NAME n :=`; names may be dotted.
    pub name: Option<ExprId>,
    /// `IN context`: an instance, named from the root of the model.
    pub context: Option<ExprId>,
    /// From the keyword to the end of the formula.
    pub span: Span,
    /// Of the keyword.
    pub line: u32,
    /// Of the word MIN or MAX; otherwise `line`.
    pub kind_line: u32,
}

impl Spec {
    /// Where it stands.
    pub fn site(&self) -> Site {
        Site::new(self.span, self.line)
    }
}

/// One declaration of a module body, in source order.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "named as in the language or the field")]
pub enum Item {
    Var(VarDecl),
    Define {
        name: Name,
        body: ExprId,
        /// First of its DEFINE section?
        first: bool,
        span: Span,
        line: u32,
    },
    /// CONSTANTS c1, c2 (each an identifier or dotted name)
    Constants(Vec<ExprId>),
    Assign {
        kind: AssignKind,
        target: ExprId,
        rhs: ExprId,
        span: Span,
        line: u32,
    },
    Init(ExprId, u32),
    Trans(ExprId, u32),
    Invar(ExprId, u32),
    /// FAIRNESS, JUSTICE
    Justice(ExprId, u32),
    Compassion(ExprId, ExprId, u32),
    Spec(Spec),
    Isa(Name, u32),
}

/// A module as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Module {
    /// `main`, or what instances name.
    pub name: Name,
    /// Formal parameters.
    pub params: Vec<Name>,
    /// In the order of the file.
    pub items: Vec<Item>,
    /// From the name to the end of the module.
    pub span: Span,
    /// Of the keyword.
    pub line: u32,
}

/// A parsed file.
#[derive(Clone, Debug, Default)]
pub struct Ast {
    /// Operands before what holds them.
    pub exprs: Vec<Expr>,
    /// Interned identifiers; see [`Self::name`].
    pub names: indexmap::IndexSet<String, rustc_hash::FxBuildHasher>,
    /// In the order of the file.
    pub modules: Vec<Module>,
    /// PSL properties, which [`SpecKind::Psl`] refers to.
    pub psl: crate::psl::PslArena,
    /// Byte offset of the start of each line, first line first.
    pub line_starts: Vec<u32>,
    /// What was passed over, if the file was read so.
    pub errors: Vec<crate::SyntaxError>,
}

impl Ast {
    /// The node of an expression.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    /// The text of a name.
    pub fn name(&self, name: Name) -> &str {
        &self.names[name.0 as usize]
    }

    /// Interns `text`.
    pub fn intern(&mut self, text: &str) -> Name {
        if let Some(i) = self.names.get_index_of(text) {
            return Name(i as u32);
        }
        Name(self.names.insert_full(text.to_owned()).0 as u32)
    }

    /// Adds a node.
    pub fn push(&mut self, kind: ExprKind, span: Span, line: u32) -> ExprId {
        self.exprs.push(Expr { kind, span, line });
        ExprId(self.exprs.len() as u32 - 1)
    }

    /// Where an expression stands.
    pub fn site(&self, id: ExprId) -> Site {
        self.expr(id).site()
    }

    /// Whether a node is what `min`, `max` or `abs` was parsed to: the name, and the operands, which the
    /// node mentions more than once.
    pub fn choice(&self, id: ExprId) -> Option<(&'static str, Vec<ExprId>)> {
        let ExprKind::Ite(c, a, b) = self.expr(id).kind else {
            return None;
        };
        let ExprKind::Binary(op, x, y) = self.expr(c).kind else {
            return None;
        };
        match op {
            BinOp::Lt if (a, b) == (x, y) => Some(("min", vec![x, y])),
            BinOp::Lt if (a, b) == (y, x) => Some(("max", vec![x, y])),
            BinOp::Ge
                if a == x
                    && self.expr(y).kind == ExprKind::Int(0)
                    && self.expr(b).kind == ExprKind::Unary(UnOp::Neg, x) =>
            {
                Some(("abs", vec![x]))
            }
            _ => None,
        }
    }

    /// Line and column of a byte offset.
    pub fn pos(&self, offset: u32) -> Pos {
        let line = self.line_starts.partition_point(|&s| s <= offset).max(1);
        let start = self.line_starts.get(line - 1).copied().unwrap_or(0);
        Pos {
            line: line as u32,
            column: offset - start + 1,
        }
    }
}
