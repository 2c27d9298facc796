//! The actions of the grammar: they build the [`Ast`] and refuse what parses but may not stand.
//!
//! Lines: NuSMV gives an operator's node the line of the operator's token ([`Builder::line_at`]),
//! a `case` the line of its `esac`, an operand its own.

use crate::ast::*;
use crate::context::{self, Place};
use crate::error::{Abort, SyntaxErrorKind};
use crate::lexer::Marks;
use crate::ops::{BinOp, BoundedOp, Func, UnOp};
use crate::psl;
use crate::token::Tok;
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
    Spec(Spec, Option<ExprId>),
    Expr(ExprId, Option<ExprId>),
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

    /// `: message` at the lookahead token.
    pub fn misplaced<T>(&self, message: &str) -> Result<T, Failure> {
        let kind = SyntaxErrorKind::Context(message.to_owned());
        Err(Abort::new(kind, self.here(), self.marks.last_span.get()).into())
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

    pub fn var(&mut self, kind: VarKind, id: E, ty: TypeExpr) {
        let name = self.path_name(id.id);
        let line = self.type_line(id.span, &ty);
        let span = id.span;
        self.item(Item::Var(VarDecl {
            kind,
            name,
            ty,
            span,
            line,
        }));
    }

    /// The line of a declaration: that of its type's token, or of the name.
    fn type_line(&self, name: Span, ty: &TypeExpr) -> u32 {
        let span = |e: ExprId| self.ast.expr(e).span;
        match ty {
            TypeExpr::Range(lo, hi) => self.line_between(span(*lo), "..", span(*hi)),
            TypeExpr::Enum(values) if !values.is_empty() => {
                self.line_between(name, "{", span(values[0]))
            }
            TypeExpr::Word { width, .. } => self.line_between(name, "word", span(*width)),
            TypeExpr::Array(lo, ..) => self.line_between(name, "array", span(*lo)),
            _ => self.line_at(name.start),
        }
    }

    /// The text of a (dotted, indexed) name, interned.
    fn path_name(&mut self, id: ExprId) -> Name {
        if let ExprKind::Ident(name) = self.ast.expr(id).kind {
            return name;
        }
        let text = crate::print::expr(self.ast, id);
        self.ast.intern(&text)
    }

    pub fn instance(&mut self, module: Span, args: Vec<E>) -> TypeExpr {
        TypeExpr::Instance {
            process: false,
            module: self.name(module),
            args: args.iter().map(|e| e.id).collect(),
            span: Span {
                start: module.start,
                end: self.end(),
            },
            line: self.here(),
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

    pub fn define(&mut self, id: E, body: E) {
        let name = self.path_name(id.id);
        let first = std::mem::take(&mut self.new_section);
        let line = self.last();
        self.item(Item::Define {
            name,
            body: body.id,
            first,
            span: id.span,
            line,
        });
    }

    pub fn assign(&mut self, kind: AssignKind, target: E, rhs: E) {
        let span = target.span;
        let line = self.line_between(target.span, ":=", rhs.span);
        self.item(Item::Assign {
            kind,
            target: target.id,
            rhs: rhs.id,
            span,
            line,
        });
    }

    pub fn spec(&mut self, kind: SpecKind, name: Option<ExprId>) {
        let spec = self.make_spec(kind, name);
        self.item(Item::Spec(spec));
    }

    fn make_spec(&self, kind: SpecKind, name: Option<ExprId>) -> Spec {
        let (span, line) = match kind {
            SpecKind::Ctl(e) | SpecKind::Ltl(e) | SpecKind::Invar(e) => {
                (self.ast.expr(e).span, self.here())
            }
            SpecKind::Compute(_, p, q) => (
                hull(self.ast.expr(p).span, self.ast.expr(q).span),
                self.here(),
            ),
            SpecKind::Psl(_) => (self.marks.last_span.get(), self.last()),
        };
        Spec {
            kind,
            name,
            span,
            line,
        }
    }

    /// A PSL property, as text.
    pub fn psl_spec(&mut self, span: Span) -> Result<(), Failure> {
        let bytes = self.slice(span);
        let text = String::from_utf8_lossy(bytes).into_owned();
        let (name, body) = psl::split_name(&text);
        if body.trim().is_empty() || !psl::is_balanced(body) {
            let kind = SyntaxErrorKind::Psl("syntax error".to_owned());
            return Err(Abort::new(kind, self.last(), span).into());
        }
        let line = self.last();
        let name = name.map(|n| {
            let n = self.ast.intern(n);
            self.ast.push(ExprKind::Ident(n), span, line)
        });
        let id = self.ast.psl.add(body);
        let spec = Spec {
            kind: SpecKind::Psl(id),
            name,
            span,
            line,
        };
        self.item(Item::Spec(spec));
        Ok(())
    }

    pub fn spec_result(&mut self, kind: SpecKind, context: Option<ExprId>) {
        let spec = self.make_spec(kind, None);
        self.result = Parsed::Spec(spec, context);
    }

    pub fn expr_result(&mut self, e: E, context: Option<ExprId>) {
        self.result = Parsed::Expr(e.id, context);
    }

    // ------------------------------------------------------------------ expressions

    fn push(&mut self, kind: ExprKind, span: Span) -> E {
        let line = self.last();
        self.push_at(kind, span, line)
    }

    fn push_at(&mut self, kind: ExprKind, span: Span, line: u32) -> E {
        let id = self.ast.push(kind, span, line);
        E { id, span }
    }

    /// The line, as the lexer counts it, of a byte it has passed.
    fn line_at(&self, offset: u32) -> u32 {
        let stands = self.ast.pos(self.marks.span.get().end).line;
        let behind = stands.saturating_sub(self.ast.pos(offset).line);
        self.here().saturating_sub(behind).max(1)
    }

    /// The line of the token `text` between two operands.
    fn line_between(&self, x: Span, text: &str, y: Span) -> u32 {
        let mut at = x.end as usize;
        let end = y.start as usize;
        while at < end {
            let rest = &self.text[at..end];
            if rest.starts_with(text.as_bytes()) {
                return self.line_at(at as u32);
            }
            let comment = if rest.starts_with(b"/--") {
                rest[3..]
                    .windows(3)
                    .position(|w| w == b"--/")
                    .map(|i| i + 6)
            } else if rest.starts_with(b"--") {
                rest.iter().position(|&b| b == b'\n')
            } else {
                Some(1)
            };
            at += comment.unwrap_or(rest.len());
        }
        self.line_at(y.start)
    }

    /// A one-token operand that starts at `start`.
    pub fn leaf(&mut self, kind: ExprKind, start: u32) -> E {
        let span = Span {
            start,
            end: self.end(),
        };
        self.push(kind, span)
    }

    pub fn ident(&mut self, name: Span) -> E {
        let name_id = self.name(name);
        self.push(ExprKind::Ident(name_id), name)
    }

    pub fn word(&mut self, span: Span) -> E {
        // The lexer has accepted the constant.
        let lit = word::parse(self.slice(span)).unwrap_or_default();
        self.push(ExprKind::Word(Box::new(lit)), span)
    }

    /// `n` or `-n`, the text beginning at `start`.
    pub fn signed_int(&mut self, start: u32, n: i32, negative: bool) -> E {
        let n = i64::from(n);
        self.leaf(ExprKind::Int(if negative { -n } else { n }), start)
    }

    pub fn dot(&mut self, left: E, name: Span) -> E {
        let name_id = self.name(name);
        let line = self.line_between(left.span, ".", name);
        let kind = ExprKind::Dot(left.id, name_id);
        self.push_at(kind, hull(left.span, name), line)
    }

    /// Only names have members.
    pub fn checked_dot(&mut self, left: E, name: Span) -> Result<E, Failure> {
        if context::is_path(self.ast, left.id) {
            Ok(self.dot(left, name))
        } else {
            let kind = SyntaxErrorKind::Context("incorrect DOT expression".to_owned());
            let line = self.line_between(left.span, ".", name);
            Err(Abort::new(kind, line, hull(left.span, name)).into())
        }
    }

    pub fn index(&mut self, left: E, index: E) -> E {
        let span = Span {
            start: left.span.start,
            end: self.end(),
        };
        let line = self.line_between(left.span, "[", index.span);
        self.push_at(ExprKind::Index(left.id, index.id), span, line)
    }

    pub fn bit_select(&mut self, word: E, high: E, low: E) -> E {
        let span = Span {
            start: word.span.start,
            end: self.end(),
        };
        let line = self.line_between(word.span, "[", high.span);
        self.push_at(ExprKind::BitSelect(word.id, high.id, low.id), span, line)
    }

    pub fn paren(&mut self, start: u32, e: E) -> E {
        E {
            id: e.id,
            span: Span {
                start,
                end: self.end(),
            },
        }
    }

    pub fn binary(&mut self, op: BinOp, x: E, y: E) -> E {
        self.operation(op, op.text(), x, y)
    }

    /// `x op y`, `op` being spelled `text`.
    fn operation(&mut self, op: BinOp, text: &str, x: E, y: E) -> E {
        let line = self.line_between(x.span, text, y.span);
        self.push_at(ExprKind::Binary(op, x.id, y.id), hull(x.span, y.span), line)
    }

    pub fn prefix(&mut self, op: UnOp, start: u32, x: E) -> E {
        let span = Span {
            start,
            end: x.span.end,
        };
        let line = self.line_at(start);
        self.push_at(ExprKind::Unary(op, x.id), span, line)
    }

    pub fn next(&mut self, start: u32, x: E) -> E {
        let span = Span {
            start,
            end: self.end(),
        };
        let line = self.line_at(start);
        self.push_at(ExprKind::Unary(UnOp::Next, x.id), span, line)
    }

    /// `x V y` and `x T y`, which NuSMV reads as `!(!x op !y)`.
    pub fn dual(&mut self, op: BinOp, x: E, y: E) -> E {
        let span = hull(x.span, y.span);
        let token = if op == BinOp::U { "V" } else { "T" };
        let line = self.line_between(x.span, token, y.span);
        let not_x = self.push_at(ExprKind::Unary(UnOp::Not, x.id), x.span, line);
        let not_y = self.push_at(ExprKind::Unary(UnOp::Not, y.id), y.span, line);
        let inner = self.push_at(ExprKind::Binary(op, not_x.id, not_y.id), span, line);
        self.push_at(ExprKind::Unary(UnOp::Not, inner.id), span, line)
    }

    pub fn until(&mut self, op: BinOp, start: u32, x: E, y: E) -> E {
        let span = Span {
            start,
            end: self.end(),
        };
        let line = self.line_at(start);
        self.push_at(ExprKind::Binary(op, x.id, y.id), span, line)
    }

    pub fn bounded_until(&mut self, op: BoundedOp, start: u32, x: E, (lo, hi): (E, E), y: E) -> E {
        let span = Span {
            start,
            end: self.end(),
        };
        let kind = ExprKind::Bounded {
            op,
            lo: lo.id,
            hi: hi.id,
            a: x.id,
            b: Some(y.id),
        };
        let line = self.line_at(start);
        self.push_at(kind, span, line)
    }

    pub fn bounded(&mut self, op: BoundedOp, start: u32, (lo, hi): (E, E), x: E) -> E {
        let span = Span {
            start,
            end: x.span.end,
        };
        let kind = ExprKind::Bounded {
            op,
            lo: lo.id,
            hi: hi.id,
            a: x.id,
            b: None,
        };
        let line = self.line_at(start);
        self.push_at(kind, span, line)
    }

    pub fn ite(&mut self, cond: E, then: E, otherwise: E) -> E {
        let span = hull(cond.span, otherwise.span);
        let line = self.line_between(cond.span, "?", then.span);
        self.push_at(ExprKind::Ite(cond.id, then.id, otherwise.id), span, line)
    }

    pub fn range(&mut self, (low, high): (E, E)) -> E {
        let span = hull(low.span, high.span);
        self.push(ExprKind::Range(low.id, high.id), span)
    }

    /// `{a, b, c}`, which NuSMV reads as `(a union b) union c`.
    pub fn set(&mut self, start: u32, elements: Vec<E>) -> E {
        let span = Span {
            start,
            end: self.end(),
        };
        let union = elements
            .into_iter()
            .reduce(|x, y| self.operation(BinOp::Union, ",", x, y));
        match union {
            Some(e) => E { span, ..e },
            None => self.push(ExprKind::Bool(false), span),
        }
    }

    pub fn list(&mut self, start: u32, elements: Vec<E>, kind: fn(Vec<ExprId>) -> ExprKind) -> E {
        let span = Span {
            start,
            end: self.end(),
        };
        self.push(kind(elements.iter().map(|e| e.id).collect()), span)
    }

    pub fn arm(&mut self, cond: E, value: E) -> CaseArm {
        CaseArm {
            cond: cond.id,
            value: value.id,
            line: self.last(),
        }
    }

    pub fn case(&mut self, start: u32, arms: Vec<CaseArm>) -> E {
        let span = Span {
            start,
            end: self.end(),
        };
        self.push(ExprKind::Case(arms), span)
    }

    pub fn call(&mut self, start: u32, func: Func, args: impl IntoIterator<Item = E>) -> E {
        let span = Span {
            start,
            end: self.end(),
        };
        let args: Vec<ExprId> = args.into_iter().map(|e| e.id).collect();
        let line = match (func, args.first()) {
            (Func::Count, Some(&first)) => {
                let word = Span { start, end: start };
                self.line_between(word, "(", self.ast.expr(first).span)
            }
            _ => self.line_at(start),
        };
        self.push_at(ExprKind::Call(func, args), span, line)
    }

    /// `abs(x)`, which NuSMV reads as `x >= 0 ? x : -x`.
    pub fn abs(&mut self, start: u32, x: E) -> E {
        let span = Span {
            start,
            end: self.end(),
        };
        let line = self.line_at(start);
        let zero = self.push_at(ExprKind::Int(0), span, line);
        let cond = self.push_at(ExprKind::Binary(BinOp::Ge, x.id, zero.id), span, line);
        let neg = self.push_at(ExprKind::Unary(UnOp::Neg, x.id), span, line);
        self.push_at(ExprKind::Ite(cond.id, x.id, neg.id), span, line)
    }

    /// `min(x, y)` and `max(x, y)`, which NuSMV reads as `x < y ? x : y` and `x < y ? y : x`.
    pub fn min_max(&mut self, start: u32, min: bool, x: E, y: E) -> E {
        let span = Span {
            start,
            end: self.end(),
        };
        let line = self.line_at(start);
        let cond = self.push_at(ExprKind::Binary(BinOp::Lt, x.id, y.id), span, line);
        let (then, otherwise) = if min { (x, y) } else { (y, x) };
        self.push_at(ExprKind::Ite(cond.id, then.id, otherwise.id), span, line)
    }
}

fn hull(first: Span, last: Span) -> Span {
    Span {
        start: first.start,
        end: last.end,
    }
}
