//! Tokens of a PSL property → its tree, by precedence climbing.
//!
//! Levels, weakest first: `always never G`; `-> <->`; `eventually! next`; `before`; `until`; `abort`;
//! `X F` and OBE operators, `forall`; `in union`; `?:`; `|`; `xor xnor`; `&`; `= !=`; `< <= > >=`;
//! shifts; `+ -`; `* / mod ::`. All binary ones associate to the left. `! - +` take what stands in
//! brackets or is a name or a number. As in NuSMV operands are checked for their [`Class`] while
//! reading; what passes may still have a wrong type.

mod class;
mod operators;
mod primary;
mod sequence;
mod table;
mod temporal;

use super::token::{BadCharacter, Placed, Token, tokens};
use super::{
    Compound, Count, ForallValue, Infix, Kind, Node, Prefix, PslId, Repeat, Tree, Which, enter,
};
use crate::ast::{Ast, CaseArm, ExprId, ExprKind, Span};
use crate::error::{Abort, SyntaxErrorKind};
use crate::ops::{BinOp, Func, UnOp};
use crate::word;
use class::Class;
use table::*;

/// A property that was read.
pub struct Read {
    /// In the arena.
    pub id: PslId,
    /// `NAME n :=`
    pub name: Option<ExprId>,
    /// `IN context`
    pub context: Option<ExprId>,
}

type Parsed<T> = Result<T, Abort>;

/// Reads the text of a property, which begins at byte `offset` of the file, in line `line`.
pub fn parse(ast: &mut Ast, text: &[u8], offset: u32, line: u32) -> Parsed<Read> {
    let tokens = tokens(text, offset, line).map_err(|BadCharacter { byte, line, span }| {
        Abort::new(SyntaxErrorKind::PslCharacter(byte), line, span)
    })?;
    let mut p = Parser {
        ast,
        text,
        offset,
        line,
        tokens,
        at: 0,
        tree: Tree { kinds: Vec::new() },
        classes: Vec::new(),
    };
    let name = p.name_clause()?;
    let root = p.expr(0)?;
    if p.class(root) == Class::LIST {
        return Err(p.unexpected());
    }
    let context = match p.context_clause()? {
        true => Some(p.path()?),
        false => None,
    };
    // In a file it has ended the text already.
    p.eat(";");
    if p.peek() != Token::End {
        return Err(p.unexpected());
    }
    let Parser { ast, tree, .. } = p;
    let id = enter(ast, &tree, root, line);
    Ok(Read { id, name, context })
}

struct Parser<'a> {
    ast: &'a mut Ast,
    text: &'a [u8],
    offset: u32,
    /// Of the whole property; NuSMV names no other.
    line: u32,
    tokens: Vec<Placed>,
    at: usize,
    tree: Tree,
    classes: Vec<Class>,
}

impl Parser<'_> {
    fn peek(&self) -> Token {
        self.tokens[self.at].token
    }

    fn is(&self, sign: &'static str) -> bool {
        self.peek() == Token::Sign(sign)
    }

    fn advance(&mut self) -> Placed {
        let now = self.tokens[self.at];
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        now
    }

    fn eat(&mut self, sign: &'static str) -> bool {
        let found = self.is(sign);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, sign: &'static str) -> Parsed<()> {
        match self.eat(sign) {
            true => Ok(()),
            false => Err(self.unexpected()),
        }
    }

    fn unexpected(&self) -> Abort {
        let now = self.tokens[self.at];
        let kind = SyntaxErrorKind::Psl("syntax error".to_owned());
        Abort::new(kind, now.line, now.span)
    }

    fn slice(&self, span: Span) -> &str {
        let range = (span.start - self.offset) as usize..(span.end - self.offset) as usize;
        std::str::from_utf8(&self.text[range]).unwrap_or("?")
    }

    fn add(&mut self, kind: Kind, class: Class) -> Node {
        self.classes.push(class);
        self.tree.add(kind)
    }

    fn class(&self, n: Node) -> Class {
        self.classes[n.0 as usize]
    }

    fn push(&mut self, kind: ExprKind) -> ExprId {
        let span = self.tokens[self.at].span;
        self.ast.push(kind, span, self.line)
    }

    fn value(&mut self, kind: ExprKind, class: Class) -> Node {
        let e = self.push(kind);
        self.add(Kind::Value(e), class)
    }

    /// The expression of a node without temporal operators.
    fn plain(&self, n: Node) -> Parsed<ExprId> {
        match self.tree.kind(n) {
            Kind::Value(e) => Ok(*e),
            _ => Err(self.wrong_type("Boolean", self.class(n))),
        }
    }

    fn wrong_type(&self, expected: &str, got: Class) -> Abort {
        let text = format!("expected '{expected}', got '{}' instead.", got.text());
        let now = self.tokens[self.at];
        Abort::new(
            SyntaxErrorKind::PslType(text, self.line),
            now.line,
            now.span,
        )
    }

    fn demand(&self, n: Node, wanted: Class) -> Parsed<()> {
        let class = self.class(n);
        if class == Class::NAME || class.0 & wanted.0 != 0 {
            return Ok(());
        }
        let wanted = match wanted.0 {
            // Boolean expressions are properties of both kinds.
            18 => Class::FL,
            34 => Class::OBE,
            _ => wanted,
        };
        Err(self.wrong_type(&wanted.text(), class))
    }

    fn demand_fl(&self, n: Node) -> Parsed<()> {
        self.demand(n, Class(Class::FL.0 | Class::BOOLEAN.0))
    }

    /// `NAME n :=`
    fn name_clause(&mut self) -> Parsed<Option<ExprId>> {
        match self.peek() {
            Token::Name(span) if self.slice(span) == "NAME" => {}
            _ => return Ok(None),
        }
        self.advance();
        let name = self.path()?;
        self.expect(":=")?;
        Ok(Some(name))
    }

    /// `IN`
    fn context_clause(&mut self) -> Parsed<bool> {
        match self.peek() {
            Token::Name(span) if self.slice(span) == "IN" => {
                self.advance();
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}
