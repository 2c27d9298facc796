//! PSL properties: text → tree → formula of LTL or CTL.
//!
//! The text behind `PSLSPEC` has a language of its own ([`token`], [`mod@parse`]). Its Boolean layer lives
//! in the arena of the source tree; what is above it (FL, OBE, SEREs, `forall`) is a tree of
//! [`Kind`]s, which [`mod@print`] shows as NuSMV does and [`logic`] turns into an expression of LTL or CTL
//! (the Property Specification Language, IEEE 1850-2005; NuSMV has a subset).

mod constructors;
mod demand;
mod forall;
mod logic;
mod parse;
mod print;
mod refusal;
mod sere;
mod token;

use crate::ast::{Ast, ExprId, Name};
use crate::ops::BinOp;
pub use parse::{Read, parse};

/// A PSL property in a [`PslArena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PslId(pub u32);

/// A node of the tree of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node(u32);

/// Operators of one temporal operand, written in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as in the language or the field")]
pub enum Prefix {
    Always,
    Never,
    Eventually,
    Next { strong: bool },
    X { strong: bool },
    F,
    G,
    Ax,
    Af,
    Ag,
    Ex,
    Ef,
    Eg,
}

/// Operators of two temporal operands, written between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as in the language or the field")]
pub enum Infix {
    Until {
        strong: bool,
        inclusive: bool,
    },
    Before {
        strong: bool,
        inclusive: bool,
    },
    /// `[a U b]` and `[a W b]`
    U {
        weak: bool,
    },
    Abort,
    /// `A [a U b]` and `E [a U b]`
    CtlU {
        all: bool,
    },
}

/// Which steps an extended `next` speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The only one, or the last of `[n]`.
    One,
    /// `_a`: all of a range.
    All,
    /// `_e`: some of a range.
    Some,
}

/// `n`, `low:high`; the bounds are expressions, of which only numbers have a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as in the language or the field")]
pub enum Count {
    Number(ExprId),
    /// No high bound: `inf`.
    Range(ExprId, Option<ExprId>),
}

/// What repeats a SERE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// `[*]`, `[*n]`
    Star(Option<Count>),
    /// `[+]`
    Plus,
    /// `[=n]`
    Equal(Count),
    /// `[->]`, `[->n]`
    Goto(Option<Count>),
}

/// Operators on two SEREs in braces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as in the language or the field")]
pub enum Compound {
    Or,
    /// `&`: of any lengths
    And,
    /// `&&`: of equal lengths
    Both,
    Fusion,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// Without temporal operators.
    Value(ExprId),
    /// `{a, b}`, last element first (NuSMV prints it so).
    List(Vec<Node>),
    Not(Node),
    Connective(BinOp, Node, Node),
    Prefix(Prefix, Node),
    Infix(Infix, Node, Node),
    /// `next[n](p)`, `next_a[i:j](p)`, `next_event(b)[n](p)`, ...
    Steps {
        /// The word with its `_a`, `_e` and `!`.
        word: &'static str,
        which: Which,
        event: Option<Node>,
        count: Option<Count>,
        body: Node,
    },
    /// `{r} |-> {s}`, `{r} |=> {s}!`, `{r}(p)`
    Suffix {
        overlap: bool,
        strong: bool,
        premise: Node,
        then: Node,
    },
    /// `within (a, b) {s}`, `whilenot (a) {s}`: read and refused.
    Window {
        word: &'static str,
        from: Option<Node>,
        until: Node,
        body: Node,
    },
    Forall {
        var: Name,
        /// `i[0:3]`: read and refused
        index: Option<Count>,
        /// None for `boolean`; last first.
        values: Option<Vec<ForallValue>>,
        body: Node,
    },
    /// A SERE of one step.
    Step(Node),
    Concat(Node, Node),
    Compound(Compound, Node, Node),
    /// No operand for `[*]` and `[+]` alone.
    Repeat(Option<Node>, Repeat),
}

#[derive(Clone, Debug, PartialEq)]
enum ForallValue {
    One(Node),
    Range(ExprId, Option<ExprId>),
}

/// Whether a formula speaks of paths or of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as in the language or the field")]
pub enum Logic {
    Ltl,
    Ctl,
}

/// What a property means.
#[derive(Clone, Debug, PartialEq)]
pub enum Meaning {
    /// An LTL or CTL formula that says the same.
    Formula(Logic, ExprId),
    /// NuSMV refuses to check it; with the lines it says before.
    Unsupported(Vec<String>),
    /// NuSMV ends at it.
    Wrong(Fault),
}

/// Why NuSMV ends at a property.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the variants tell what their fields are")]
pub enum Fault {
    /// In this expression stands no number.
    NoNumber(String),
    /// A range of `forall` whose low bound is the higher one.
    EmptyRange { low: i64, high: i64 },
    /// Two nested `forall` with one name.
    NestedForall,
}

/// An operator whose operands must be Boolean.
#[derive(Clone, Debug, PartialEq)]
pub struct Demand {
    /// The message up to the types: `illegal operand types of "next" :`
    pub lead: String,
    /// Each operand's type stands behind a text.
    pub operands: Vec<(&'static str, Operand)>,
    /// Words behind the type.
    pub end: &'static str,
}

/// What an operator is applied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the variants tell what their fields are")]
pub enum Operand {
    /// Of the type of an expression.
    Value(ExprId),
    /// A temporal formula, which is Boolean.
    Formula,
    /// A number or a range, and whether it may be that.
    Count { range: bool, fits: bool },
}

/// A property.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    text: String,
    /// Its translation.
    pub meaning: Meaning,
    /// In the order in which NuSMV types them.
    pub demands: Vec<Demand>,
    /// The expressions in it.
    pub leaves: Vec<ExprId>,
    /// The variables of its `forall`s.
    pub variables: Vec<Name>,
    /// All of it is one expression, which must be Boolean.
    pub value: Option<ExprId>,
}

/// The PSL properties of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PslArena {
    properties: Vec<Property>,
}

impl PslArena {
    /// The property of an id.
    pub fn property(&self, id: PslId) -> &Property {
        &self.properties[id.0 as usize]
    }

    /// The property as it was written.
    pub fn text(&self, id: PslId) -> &str {
        &self.property(id).text
    }
}

/// The trees of a property while it is read.
struct Tree {
    kinds: Vec<Kind>,
}

impl Tree {
    fn kind(&self, n: Node) -> &Kind {
        &self.kinds[n.0 as usize]
    }

    fn add(&mut self, kind: Kind) -> Node {
        self.kinds.push(kind);
        Node(self.kinds.len() as u32 - 1)
    }
}

/// Enters a property that was read.
fn enter(ast: &mut Ast, tree: &Tree, root: Node, line: u32) -> PslId {
    let text = print::property(ast, tree, root);
    let property = logic::property(ast, tree, root, text, line);
    ast.psl.properties.push(property);
    PslId(ast.psl.properties.len() as u32 - 1)
}

/// Length of the comment that starts at `at`, 0 if none does. `a--b` is a name.
fn comment_length(text: &[u8], at: usize) -> usize {
    let in_name = at > 0 && {
        let before = text[at - 1];
        before.is_ascii_alphanumeric() || matches!(before, b'_' | b'$' | b'#' | b'-')
    };
    if in_name || !text[at..].starts_with(b"--") {
        return 0;
    }
    let rest = &text[at..];
    rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len())
}

/// Where the semicolon is that ends a property: outside braces and comments, and not in a `case`.
pub fn end_of_property(text: &[u8]) -> Option<usize> {
    let mut braces = 0usize;
    let mut cases = 0usize;
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'-' => at += comment_length(text, at),
            b'{' => braces += 1,
            b'}' => braces = braces.saturating_sub(1),
            b';' if braces == 0 && cases == 0 => return Some(at),
            b'c' if word_at(text, at, b"case") => cases += 1,
            b'e' if word_at(text, at, b"esac") => cases = cases.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    None
}

fn word_at(text: &[u8], at: usize, word: &[u8]) -> bool {
    let part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'#' | b'-');
    text[at..].starts_with(word)
        && !text.get(at + word.len()).is_some_and(part)
        && (at == 0 || !part(&text[at - 1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn semicolons_in_comments_and_braces_end_nothing() {
        let text = b" -- all; of {\n {a;b}; c";
        assert_eq!(end_of_property(text), Some(20));
        assert_eq!(end_of_property(b" x -- ;"), None);
        assert_eq!(end_of_property(b"case a : b; esac; c"), Some(16));
    }
}
