//! Pool expressions as text, through the printer of the grammar.

use super::{ExprId, FailKind, FlatModel, Node, Value, Word};
use rustc_hash::FxHashMap;
use smv_grammar::ast::{self, Ast, CaseArm, ExprKind, Span, WordLit};
use smv_grammar::ops::{BinOp, Func};
use smv_grammar::print;

impl FlatModel {
    /// The text of an expression with full names, as NuSMV prints it.
    pub fn text(&self, e: ExprId) -> String {
        let mut b = AstBuilder::new(self);
        let e = b.expr(e);
        print::expr(&b.ast, e)
    }
}

/// Rebuilds source trees from pool expressions; shared nodes stay shared.
pub(super) struct AstBuilder<'a> {
    model: &'a FlatModel,
    pub ast: Ast,
    done: FxHashMap<ExprId, ast::ExprId>,
}

impl<'a> AstBuilder<'a> {
    pub fn new(model: &'a FlatModel) -> Self {
        AstBuilder {
            model,
            ast: Ast::default(),
            done: FxHashMap::default(),
        }
    }

    fn push(&mut self, kind: ExprKind) -> ast::ExprId {
        self.ast.push(kind, Span::default(), 0)
    }

    pub fn ident(&mut self, name: &str) -> ast::ExprId {
        let name = self.ast.intern(name);
        self.push(ExprKind::Ident(name))
    }

    pub fn int(&mut self, i: i64) -> ast::ExprId {
        self.push(ExprKind::Int(i))
    }

    /// The tree of a constant; sets become ranges or unions.
    pub fn value(&mut self, v: &Value) -> ast::ExprId {
        match v {
            Value::Bool(b) => self.push(ExprKind::Bool(*b)),
            Value::Int(i) => self.int(*i),
            Value::Sym(s) => self.ident(self.model.pool.symbol_name(*s)),
            Value::Word(Word {
                signed,
                width,
                bits,
            }) => self.push(ExprKind::Word(Box::new(WordLit {
                signed: *signed,
                width: *width,
                value: bits.clone(),
            }))),
            Value::Set(members) => {
                if let (Some(Value::Int(lo)), Some(Value::Int(hi))) =
                    (members.first(), members.last())
                    && hi - lo + 1 == members.len() as i64
                {
                    let (lo, hi) = (self.int(*lo), self.int(*hi));
                    return self.push(ExprKind::Range(lo, hi));
                }
                let members: Vec<_> = members.iter().map(|m| self.value(m)).collect();
                let union = |a, b| self.push(ExprKind::Binary(BinOp::Union, a, b));
                members.into_iter().reduce(union).unwrap_or(ast::ExprId(0))
            }
        }
    }

    pub fn expr(&mut self, e: ExprId) -> ast::ExprId {
        if let Some(&known) = self.done.get(&e) {
            return known;
        }
        let out = crate::base::deep(|| self.build(e));
        self.done.insert(e, out);
        out
    }

    fn call(&mut self, func: Func, args: Vec<ast::ExprId>) -> ast::ExprId {
        self.push(ExprKind::Call(func, args))
    }

    fn build(&mut self, e: ExprId) -> ast::ExprId {
        let model = self.model;
        match model.pool.node(e) {
            Node::Const(v) => self.value(v),
            Node::Var(v) => self.ident(&model.var(*v).name),
            Node::Define(d) => self.ident(&model.define(*d).name),
            Node::Unary(op, a) => {
                let a = self.expr(*a);
                self.push(ExprKind::Unary(*op, a))
            }
            Node::Binary(op, a, b) | Node::Division { op, a, b, .. } => {
                let (a, b) = (self.expr(*a), self.expr(*b));
                self.push(ExprKind::Binary(*op, a, b))
            }
            Node::Bounded { op, lo, hi, a, b } => {
                let (lo, hi) = (self.int((*lo).into()), self.int((*hi).into()));
                let a = self.expr(*a);
                let b = b.map(|b| self.expr(b));
                self.push(ExprKind::Bounded {
                    op: *op,
                    lo,
                    hi,
                    a,
                    b,
                })
            }
            Node::Ite(..) if model.pool.is_case(e) => self.case(e),
            Node::Ite(c, a, b) => {
                let (c, a, b) = (self.expr(*c), self.expr(*a), self.expr(*b));
                self.push(ExprKind::Ite(c, a, b))
            }
            // Nothing in the language fails by itself but an inexhaustive case.
            Node::Fail {
                kind:
                    FailKind::CaseNotExhaustive
                    | FailKind::ArrayOutOfBounds
                    | FailKind::DivisionByZero
                    | FailKind::ShiftRange { .. },
                ..
            } => {
                let cond = self.push(ExprKind::Bool(false));
                let value = self.push(ExprKind::Bool(false));
                self.push(ExprKind::Case(vec![CaseArm {
                    cond,
                    value,
                    line: 0,
                }]))
            }
            Node::Placeholder => self.ident("?"),
            Node::BitSelect { word, hi, lo } => {
                let word = self.expr(*word);
                let (hi, lo) = (self.int((*hi).into()), self.int((*lo).into()));
                self.push(ExprKind::BitSelect(word, hi, lo))
            }
            Node::Bool(a) => self.unary_call(Func::Bool, *a),
            Node::Word1(a) => self.unary_call(Func::Word1, *a),
            Node::ToInt(a) => self.unary_call(Func::ToInt, *a),
            Node::Signed(a) => self.unary_call(Func::Signed, *a),
            Node::Unsigned(a) => self.unary_call(Func::Unsigned, *a),
            Node::Extend { word, by } => {
                let args = vec![self.expr(*word), self.int((*by).into())];
                self.call(Func::Extend, args)
            }
            Node::Resize { word, width } => {
                let args = vec![self.expr(*word), self.int((*width).into())];
                self.call(Func::Resize, args)
            }
            Node::Count(all) => {
                let args = all.iter().map(|&a| self.expr(a)).collect();
                self.call(Func::Count, args)
            }
            Node::Array { cells, .. } => {
                let cells = cells.iter().map(|&c| self.expr(c)).collect();
                self.push(ExprKind::ArrayLit(cells))
            }
        }
    }

    fn unary_call(&mut self, func: Func, a: ExprId) -> ast::ExprId {
        let a = self.expr(a);
        self.call(func, vec![a])
    }

    /// A chain of `Ite` written as `case`.
    fn case(&mut self, mut e: ExprId) -> ast::ExprId {
        let model = self.model;
        let mut arms = Vec::new();
        while let Node::Ite(c, a, b) = model.pool.node(e) {
            if !model.pool.is_case(e) {
                break;
            }
            let (cond, value) = (self.expr(*c), self.expr(*a));
            arms.push(CaseArm {
                cond,
                value,
                line: 0,
            });
            e = *b;
        }
        if !matches!(model.pool.node(e), Node::Fail { .. }) {
            let cond = self.push(ExprKind::Bool(true));
            let value = self.expr(e);
            arms.push(CaseArm {
                cond,
                value,
                line: 0,
            });
        }
        self.push(ExprKind::Case(arms))
    }
}
