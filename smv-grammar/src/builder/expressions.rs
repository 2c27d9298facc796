//! Nodes of expressions.

use super::*;

impl Builder<'_> {
    /// From `at` to the end of the last token.
    pub(super) fn span_from(&self, at: At) -> Span {
        Span {
            start: at.offset,
            end: self.end(),
        }
    }

    pub(super) fn push(&mut self, at: At, kind: ExprKind, span: Span) -> E {
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
