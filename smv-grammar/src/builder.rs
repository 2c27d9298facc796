//! The actions of the grammar: they build the [`Ast`] and refuse what parses but may not stand.
//!
//! Lines: NuSMV gives an operator's node the line of the operator's token (kept by the lexer),
//! a `case` the line of its `esac`, an operand its own.

use crate::ast::*;
use crate::context::{self, Place};
use crate::error::{Abort, SyntaxErrorKind};
use crate::lexer::Marks;
use crate::ops::{BinOp, BoundedOp, Func, UnOp};
use crate::psl;
use crate::token::{At, Tok};
use crate::word;
use lalrpop_util::ParseError;

/// How the generated parser fails.
pub type Failure = ParseError<u32, Tok, Abort>;

/// An expression on the parser's stack.
#[derive(Clone, Copy, Debug)]
pub struct E {
    pub id: ExprId,
    pub span: Span,
}

/// A module whose sections are being read.
pub struct Body {
    name: Name,
    params: Vec<Name>,
    items: Vec<Item>,
    start: u32,
    line: u32,
}

/// What a text that is not a whole file was read as.
#[derive(Debug)]
pub enum Parsed {
    Nothing,
    Spec(Spec),
    Expr(ExprId, Option<ExprId>),
    Queries(Vec<Spec>),
}

/// State of one parse.
pub struct Builder<'a> {
    pub ast: &'a mut Ast,
    text: &'a [u8],
    marks: &'a Marks,
    body: Option<Body>,
    /// Has a DEFINE section begun of which nothing was read yet?
    new_section: bool,
    pub result: Parsed,
}

impl<'a> Builder<'a> {
    pub fn new(ast: &'a mut Ast, text: &'a [u8], marks: &'a Marks) -> Builder<'a> {
        Builder {
            ast,
            text,
            marks,
            body: None,
            new_section: false,
            result: Parsed::Nothing,
        }
    }

    /// The line of the lookahead token.
    pub fn here(&self) -> u32 {
        self.marks.line.get()
    }

    /// The line of the last token consumed.
    pub fn last(&self) -> u32 {
        self.marks.last_line.get()
    }

    fn end(&self) -> u32 {
        self.marks.last_span.get().end
    }

    fn slice(&self, span: Span) -> &'a [u8] {
        &self.text[span.start as usize..span.end as usize]
    }

    /// Interns the text of a token. Quoted identifiers may hold any bytes: Latin-1 is assumed
    /// where they are not UTF-8.
    pub fn name(&mut self, span: Span) -> Name {
        let bytes = self.slice(span);
        match std::str::from_utf8(bytes) {
            Ok(text) => self.ast.intern(text),
            Err(_) => {
                let text: String = bytes.iter().map(|&b| b as char).collect();
                self.ast.intern(&text)
            }
        }
    }

    // ------------------------------------------------------------------ errors

    /// `at token "X": message`, X being the last token consumed.
    pub fn unsupported_last<T>(&self, message: &str) -> Result<T, Failure> {
        let span = self.marks.last_span.get();
        let mut token = self.slice(span).to_vec();
        if token.starts_with(b"F'") {
            token[0] = b'f';
        }
        let kind = SyntaxErrorKind::Token {
            token,
            message: message.to_owned(),
        };
        Err(Abort::new(kind, self.last(), span).into())
    }

    /// `: message` at `at`.
    pub fn misplaced<T>(&self, at: At, message: &str) -> Result<T, Failure> {
        let kind = SyntaxErrorKind::Context(message.to_owned());
        Err(Abort::new(kind, at.line, self.span_from(at)).into())
    }

    fn check(&mut self, e: E, place: Place) -> Result<E, Failure> {
        match context::check(self.ast, e.id, place) {
            None => Ok(e),
            Some((id, message)) => {
                let expr = self.ast.expr(id);
                let kind = SyntaxErrorKind::Context(message.to_owned());
                Err(Abort::new(kind, expr.line, expr.span).into())
            }
        }
    }

    pub fn check_simple(&mut self, e: E) -> Result<E, Failure> {
        self.check(e, Place::Simple)
    }

    pub fn check_next(&mut self, e: E) -> Result<E, Failure> {
        self.check(e, Place::Next)
    }

    pub fn check_ctl(&mut self, e: E) -> Result<E, Failure> {
        self.check(e, Place::Ctl)
    }

    pub fn check_ltl(&mut self, e: E) -> Result<E, Failure> {
        self.check(e, Place::Ltl)
    }

    // ------------------------------------------------------------------ modules

    pub fn begin_module(&mut self, name: Span, params: Vec<Span>) {
        let body = Body {
            name: self.name(name),
            params: params.into_iter().map(|p| self.name(p)).collect(),
            items: Vec::new(),
            start: name.start,
            line: self.here(),
        };
        self.body = Some(body);
    }

    pub fn end_module(&mut self) {
        if let Some(Body {
            name,
            params,
            items,
            start,
            line,
        }) = self.body.take()
        {
            let span = Span {
                start,
                end: self.end(),
            };
            self.ast.modules.push(Module {
                name,
                params,
                items,
                span,
                line,
            });
        }
    }

    pub fn item(&mut self, item: Item) {
        if let Some(body) = &mut self.body {
            body.items.push(item);
        }
    }

    pub fn var(&mut self, kind: VarKind, (id, line): (E, u32), mut ty: TypeExpr) {
        let name = self.path_name(id.id);
        if let TypeExpr::Instance {
            process: false,
            line: instance_line,
            ..
        } = &mut ty
        {
            *instance_line = line;
        }
        let span = id.span;
        self.item(Item::Var(VarDecl {
            kind,
            name,
            ty,
            span,
            line,
        }));
    }

    /// The text of a (dotted, indexed) name, interned.
    fn path_name(&mut self, id: ExprId) -> Name {
        if let ExprKind::Ident(name) = self.ast.expr(id).kind {
            return name;
        }
        let text = crate::print::expr(self.ast, id);
        self.ast.intern(&text)
    }

    pub fn word_type(&mut self, at: At, signed: bool, width: E) -> TypeExpr {
        TypeExpr::Word {
            signed,
            width: width.id,
            line: at.line,
        }
    }

    pub fn enumeration(&mut self, at: At, values: Vec<E>) -> TypeExpr {
        TypeExpr::Enum {
            values: ids(values),
            line: at.line,
        }
    }

    pub fn instance(&mut self, module: Span, line: u32, args: Vec<E>) -> TypeExpr {
        TypeExpr::Instance {
            process: false,
            module: self.name(module),
            args: ids(args),
            span: Span {
                start: module.start,
                end: self.end(),
            },
            line,
        }
    }

    pub fn process(&mut self, mut instance: TypeExpr) -> TypeExpr {
        if let TypeExpr::Instance { process, .. } = &mut instance {
            *process = true;
        }
        instance
    }

    /// At the word DEFINE.
    pub fn define_section(&mut self) {
        self.new_section = true;
    }

    pub fn define(&mut self, (id, line): (E, u32), body: E) {
        let name = self.path_name(id.id);
        let first = std::mem::take(&mut self.new_section);
        self.item(Item::Define {
            name,
            body: body.id,
            first,
            span: id.span,
            line,
        });
    }

    pub fn assign(&mut self, at: At, kind: AssignKind, target: E, rhs: E) {
        self.item(Item::Assign {
            kind,
            target: target.id,
            rhs: rhs.id,
            span: target.span,
            line: at.line,
        });
    }

    pub fn isa(&mut self, module: Span) {
        let name = self.name(module);
        let line = self.last();
        self.item(Item::Isa(name, line));
    }

    pub fn spec(
        &mut self,
        at: At,
        (kind, kind_line): (SpecKind, u32),
        name: Option<ExprId>,
        context: Option<ExprId>,
    ) {
        let span = self.span_from(at);
        self.item(Item::Spec(Spec {
            kind,
            name,
            context,
            span,
            line: at.line,
            kind_line,
        }));
    }

    /// A PSL property, from its text.
    pub fn psl_spec(&mut self, span: Span) -> Result<(), Failure> {
        let text = self.slice(span);
        let line = self.last();
        let read = psl::parse(self.ast, text, span.start, line)?;
        let spec = Spec {
            kind: SpecKind::Psl(read.id),
            name: read.name,
            context: read.context,
            span,
            line,
            kind_line: line,
        };
        self.item(Item::Spec(spec));
        Ok(())
    }

    pub fn spec_result(&mut self, (kind, line): (SpecKind, u32), context: Option<ExprId>) {
        self.result = Parsed::Spec(Spec {
            kind,
            name: None,
            context,
            span: Span {
                start: 0,
                end: self.end(),
            },
            line,
            kind_line: line,
        });
    }

    pub fn query(&mut self, e: E) -> SpecKind {
        let written = String::from_utf8_lossy(self.slice(e.span));
        let text = if written.contains("--") {
            crate::print::expr(self.ast, e.id)
        } else {
            written
                .split_ascii_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
        };
        SpecKind::Query(e.id, self.ast.intern(&text))
    }

    /// One more query of a text of queries.
    pub fn query_result(&mut self, e: E, name: Option<ExprId>, context: Option<ExprId>) {
        let line = self.ast.expr(e.id).line;
        let spec = Spec {
            kind: self.query(e),
            name,
            context,
            span: e.span,
            line,
            kind_line: line,
        };
        match &mut self.result {
            Parsed::Queries(all) => all.push(spec),
            other => *other = Parsed::Queries(vec![spec]),
        }
    }

    pub fn expr_result(&mut self, e: E, context: Option<ExprId>) {
        self.result = Parsed::Expr(e.id, context);
    }

    // ------------------------------------------------------------------ expressions

    /// From `at` to the end of the last token.
    fn span_from(&self, at: At) -> Span {
        Span {
            start: at.offset,
            end: self.end(),
        }
    }

    fn push(&mut self, at: At, kind: ExprKind, span: Span) -> E {
        let id = self.ast.push(kind, span, at.line);
        E { id, span }
    }

    /// A one-token operand that starts at `start`.
    pub fn leaf(&mut self, kind: ExprKind, start: u32) -> E {
        let at = At {
            offset: start,
            line: self.last(),
        };
        let span = self.span_from(at);
        self.push(at, kind, span)
    }

    pub fn ident(&mut self, name: Span) -> E {
        let name_id = self.name(name);
        self.leaf(ExprKind::Ident(name_id), name.start)
    }

    pub fn word(&mut self, span: Span) -> E {
        // The lexer has accepted the constant.
        let lit = word::parse(self.slice(span)).unwrap_or_default();
        self.leaf(ExprKind::Word(Box::new(lit)), span.start)
    }

    /// `n` or `-n`, the text beginning at `start`.
    pub fn int(&mut self, start: u32, n: i32, negative: bool) -> E {
        let n = i64::from(n);
        self.leaf(ExprKind::Int(if negative { -n } else { n }), start)
    }

    pub fn dot(&mut self, at: At, left: E, name: Span) -> E {
        let name_id = self.name(name);
        self.push(at, ExprKind::Dot(left.id, name_id), hull(left.span, name))
    }

    /// Only names have members.
    pub fn checked_dot(&mut self, at: At, left: E, name: Span) -> Result<E, Failure> {
        if context::is_path(self.ast, left.id) {
            return Ok(self.dot(at, left, name));
        }
        let kind = SyntaxErrorKind::Context("incorrect DOT expression".to_owned());
        Err(Abort::new(kind, at.line, hull(left.span, name)).into())
    }

    /// NuSMV has no functions, though its grammar has calls. In `!f(x)` it takes `!f` for the
    /// function, whose name then is none.
    pub fn refuse_call(&self, at: At, callee: E) -> Result<E, Failure> {
        use ExprKind::{Dot, Ident, SelfRef};
        let before = &self.text[..callee.span.start as usize];
        let negated = before.trim_ascii_end().ends_with(b"!");
        let name = &self.ast.expr(callee.id).kind;
        if !negated && matches!(name, Ident(_) | SelfRef | Dot(..)) {
            return self.unsupported_last("functions are not supported.");
        }
        let kind = SyntaxErrorKind::Context("incorrect DOT expression".to_owned());
        Err(Abort::new(kind, at.line, callee.span).into())
    }

    pub fn index(&mut self, at: At, left: E, index: E) -> E {
        let span = self.span_from(At {
            offset: left.span.start,
            ..at
        });
        self.push(at, ExprKind::Index(left.id, index.id), span)
    }

    pub fn bit_select(&mut self, at: At, word: E, high: E, low: E) -> E {
        let span = self.span_from(At {
            offset: word.span.start,
            ..at
        });
        self.push(at, ExprKind::BitSelect(word.id, high.id, low.id), span)
    }

    /// `e` in the parentheses or braces that open at `at`.
    pub fn group(&mut self, at: At, e: E) -> E {
        E {
            id: e.id,
            span: self.span_from(at),
        }
    }

    pub fn binary(&mut self, at: At, op: BinOp, x: E, y: E) -> E {
        let span = hull(x.span, y.span);
        self.push(at, ExprKind::Binary(op, x.id, y.id), span)
    }

    pub fn prefix(&mut self, at: At, op: UnOp, x: E) -> E {
        let span = Span {
            start: at.offset,
            end: x.span.end,
        };
        self.push(at, ExprKind::Unary(op, x.id), span)
    }

    pub fn next(&mut self, at: At, x: E) -> E {
        let span = self.span_from(at);
        self.push(at, ExprKind::Unary(UnOp::Next, x.id), span)
    }

    /// `x V y` and `x T y`, which NuSMV reads as `!(!x op !y)`.
    pub fn dual(&mut self, at: At, op: BinOp, x: E, y: E) -> E {
        let span = hull(x.span, y.span);
        let [x, y] = [x, y].map(|e| {
            let line = self.ast.expr(e.id).line;
            self.push(At { line, ..at }, ExprKind::Unary(UnOp::Not, e.id), e.span)
        });
        let inner = self.push(at, ExprKind::Binary(op, x.id, y.id), span);
        self.push(at, ExprKind::Unary(UnOp::Not, inner.id), span)
    }

    pub fn until(&mut self, at: At, op: BinOp, x: E, y: E) -> E {
        let span = self.span_from(at);
        self.push(at, ExprKind::Binary(op, x.id, y.id), span)
    }

    pub fn bounded_until(&mut self, at: At, op: BoundedOp, x: E, range: (E, At, E), y: E) -> E {
        let span = self.span_from(at);
        let (lo, hi) = (range.0.id, range.2.id);
        let (a, b) = (x.id, Some(y.id));
        self.push(at, ExprKind::Bounded { op, lo, hi, a, b }, span)
    }

    pub fn bounded(&mut self, at: At, op: BoundedOp, range: (E, At, E), x: E) -> E {
        let span = Span {
            start: at.offset,
            end: x.span.end,
        };
        let (lo, hi) = (range.0.id, range.2.id);
        let (a, b) = (x.id, None);
        self.push(at, ExprKind::Bounded { op, lo, hi, a, b }, span)
    }

    pub fn ite(&mut self, at: At, cond: E, then: E, otherwise: E) -> E {
        let span = hull(cond.span, otherwise.span);
        let kind = ExprKind::Ite(cond.id, then.id, otherwise.id);
        self.push(at, kind, span)
    }

    pub fn range(&mut self, (low, at, high): (E, At, E)) -> E {
        let span = hull(low.span, high.span);
        self.push(at, ExprKind::Range(low.id, high.id), span)
    }

    /// `?` or `?{names}`
    pub fn placeholder(&mut self, at: At, names: Vec<E>) -> E {
        let span = self.span_from(at);
        self.push(at, ExprKind::Placeholder(ids(names)), span)
    }

    pub fn array(&mut self, at: At, elements: Vec<E>) -> E {
        let span = self.span_from(at);
        self.push(at, ExprKind::ArrayLit(ids(elements)), span)
    }

    /// `case` at `start`, `esac` at `at`.
    pub fn case(&mut self, start: At, arms: Vec<CaseArm>, at: At) -> E {
        let span = self.span_from(start);
        self.push(at, ExprKind::Case(arms), span)
    }

    pub fn call(&mut self, at: At, func: Func, args: impl IntoIterator<Item = E>) -> E {
        let span = self.span_from(at);
        self.push(at, ExprKind::Call(func, ids(args)), span)
    }

    /// `count` is reported at its parenthesis, `paren`.
    pub fn count(&mut self, at: At, paren: At, args: Vec<E>) -> E {
        let span = self.span_from(at);
        self.push(paren, ExprKind::Call(Func::Count, ids(args)), span)
    }

    /// `abs(x)`, which NuSMV reads as `x >= 0 ? x : -x`.
    pub fn abs(&mut self, at: At, x: E) -> E {
        let span = self.span_from(at);
        let zero = self.push(at, ExprKind::Int(0), span);
        let cond = self.push(at, ExprKind::Binary(BinOp::Ge, x.id, zero.id), span);
        let neg = self.push(at, ExprKind::Unary(UnOp::Neg, x.id), span);
        self.push(at, ExprKind::Ite(cond.id, x.id, neg.id), span)
    }

    /// `min(x, y)` and `max(x, y)`, which NuSMV reads as `x < y ? x : y` and `x < y ? y : x`.
    pub fn min_max(&mut self, at: At, min: bool, x: E, y: E) -> E {
        let span = self.span_from(at);
        let cond = self.push(at, ExprKind::Binary(BinOp::Lt, x.id, y.id), span);
        let (then, otherwise) = if min { (x, y) } else { (y, x) };
        self.push(at, ExprKind::Ite(cond.id, then.id, otherwise.id), span)
    }
}

fn ids(list: impl IntoIterator<Item = E>) -> Vec<ExprId> {
    list.into_iter().map(|e| e.id).collect()
}

fn hull(first: Span, last: Span) -> Span {
    Span {
        start: first.start,
        end: last.end,
    }
}
