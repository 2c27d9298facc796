//! Built-in functions. Their sizes and the arguments of word constants must be constant.

use super::scope::PathId;
use super::{Fallible, Flat, Flattener};
use crate::model::types::Type;
use crate::model::{MAX_WORD_WIDTH, Node, Value, arith};
use smv_grammar::ast;
use smv_grammar::ops::Func;

impl Flattener<'_> {
    /// Built-in functions.
    pub(super) fn call(
        &mut self,
        id: ast::ExprId,
        func: Func,
        args: &[ast::ExprId],
        context: PathId,
    ) -> Fallible<Flat> {
        let site = self.ast.site(id);
        if matches!(func, Func::SwConst | Func::UwConst) {
            let value = self.word_constant(id, func, args, context)?;
            return Ok(Flat::Scalar(self.mk(Node::Const(value), site)));
        }
        if matches!(
            func,
            Func::Read | Func::Write | Func::ConstArray | Func::TypeOf
        ) {
            // Without word arrays these have no operands; with them the model is refused anyhow.
            if self.infinite {
                return Ok(Flat::Scalar(self.poison(site)));
            }
            return self.word_array(id, func, args, context);
        }
        let Some(&first) = args.first() else {
            return self.error(id, format!("{} needs an argument", func.text()));
        };
        let a = self.scalar(first, context)?;
        let ty = self.type_of(a).clone();
        let shown = |f: &Self| f.model.text(a);
        let node = match func {
            Func::Word1 => Node::Word1(a),
            Func::Signed => Node::Signed(a),
            Func::Unsigned => Node::Unsigned(a),
            Func::Bool => {
                let ok = matches!(ty, Type::Bool | Type::Int | Type::Word { width: 1, .. });
                if !ok && ty != Type::Error {
                    let text =
                        "Invalid boolean cast (Expected word1, boolean or integer expression): ";
                    let what = format!("{text}{}", shown(self));
                    return self.cast_error(id, "bool", &ty, what);
                }
                Node::Bool(a)
            }
            Func::ToInt => {
                let text = match ty {
                    Type::Bool | Type::Int | Type::Error => None,
                    Type::Word {
                        signed: true,
                        width,
                    } if width <= 32 => None,
                    Type::Word {
                        signed: false,
                        width,
                    } if width <= 31 => None,
                    Type::Word { .. } => Some(
                        "Invalid word to int cast. (Max word width is 32 for signed words, 31 for \
                         unsigned words): ",
                    ),
                    _ => Some(
                        "Invalid integer cast (Expected word, boolean or integer expression): ",
                    ),
                };
                if let Some(text) = text {
                    let what = format!("{text}{}", shown(self));
                    return self.cast_error(id, "toint", &ty, what);
                }
                Node::ToInt(a)
            }
            Func::SizeOf => match ty.width() {
                Some(width) => Node::Const(Value::Int(width.into())),
                None if self.in_property => {
                    return self.cast_error(id, "sizeof", &ty, String::new());
                }
                None => {
                    let complaints = std::mem::take(&mut self.complaints);
                    self.report_complaints(complaints);
                    let text = "sizeof operator applied to a non-word operand: ";
                    return self.error(id, format!("{text}{}", shown(self)));
                }
            },
            Func::Extend | Func::Resize => {
                let n = args.get(1).and_then(|&n| self.constant_int(n, context));
                let Some(n) = n else {
                    let n = args.get(1).map_or(Ok(a), |&n| self.scalar(n, context))?;
                    let text = format!(
                        "{} expression with non constant size specifier: {}",
                        func.text(),
                        self.model.text(n)
                    );
                    return self.error(id, text);
                };
                let least = i64::from(func == Func::Resize);
                let total = n + ty
                    .width()
                    .filter(|_| func == Func::Extend)
                    .map_or(0, i64::from);
                if n < least || total > i64::from(MAX_WORD_WIDTH) {
                    let op = func.text();
                    self.complain(
                        id,
                        format!("word width is out of range [1..64] ('{op}' operator)"),
                    );
                    return Ok(Flat::Scalar(self.poison(site)));
                }
                match func {
                    Func::Extend => Node::Extend {
                        word: a,
                        by: n as u32,
                    },
                    _ => Node::Resize {
                        word: a,
                        width: n as u32,
                    },
                }
            }
            Func::Count => {
                let mut all = vec![a];
                for &arg in &args[1..] {
                    all.push(self.scalar(arg, context)?);
                }
                for &arg in &all {
                    let ty = self.type_of(arg).clone();
                    if ty != Type::Bool && ty != Type::Error {
                        if self.in_property {
                            let text = "illegal non-boolean expressions for \"count\" operator";
                            self.complain(id, text.to_owned());
                            return Ok(Flat::Scalar(self.poison(site)));
                        }
                        let text = "Expected boolean expressions in count operator: ";
                        return self.error(id, format!("{text}{}", self.model.text(arg)));
                    }
                }
                Node::Count(all)
            }
            _ => Node::Const(Value::Bool(false)),
        };
        Ok(Flat::Scalar(self.mk(node, site)))
    }

    /// `READ` and `WRITE` of what is no word array, there being none.
    fn word_array(
        &mut self,
        id: ast::ExprId,
        func: Func,
        args: &[ast::ExprId],
        context: PathId,
    ) -> Fallible<Flat> {
        if !matches!(func, Func::Read | Func::Write) {
            return self.error(
                id,
                format!("{}: word arrays are not supported", func.text()),
            );
        }
        if func == Func::Write && !self.in_property {
            return self.error(id, "left hand side of index sub-scripting is not an array");
        }
        let mut types = Vec::new();
        for &arg in args {
            let arg = self.scalar(arg, context)?;
            types.push(self.type_of(arg).to_string());
        }
        let last = types.pop().unwrap_or_default();
        let types = types.join(", ");
        let text = format!(
            "illegal operand types of \"{}\" : {types} and {last}",
            func.text()
        );
        self.complain(id, text);
        let site = self.ast.site(id);
        Ok(Flat::Scalar(self.poison(site)))
    }

    pub(super) fn cast_error(
        &mut self,
        id: ast::ExprId,
        op: &str,
        ty: &Type,
        text: String,
    ) -> Fallible<Flat> {
        if self.in_property {
            self.complain(id, format!("illegal operand type of \"{op}\" : {ty}"));
            let site = self.ast.site(id);
            return Ok(Flat::Scalar(self.poison(site)));
        }
        self.error(id, text)
    }

    pub(super) fn word_constant(
        &mut self,
        id: ast::ExprId,
        func: Func,
        args: &[ast::ExprId],
        context: PathId,
    ) -> Fallible<Value> {
        let int = |f: &mut Self, i: usize| args.get(i).and_then(|&a| f.constant_int(a, context));
        let Some(value) = int(self, 0) else {
            return self.error(
                id,
                "value specifier of swconst/uwconst operator is not an integer constant",
            );
        };
        let Some(width) = int(self, 1) else {
            let text = "width specifier of swconst/uwconst operator is not a constant";
            return self.error(id, text);
        };
        if width < 1 || width > i64::from(MAX_WORD_WIDTH) {
            return self.error(id, "width specifier is out of range [0, 64]");
        }
        let signed = func == Func::SwConst;
        let half = num_bigint::BigInt::from(1) << (width - 1);
        let limit = if signed { half.clone() } else { &half * 2 };
        let big = num_bigint::BigInt::from(value);
        if big < -half || big >= limit {
            let text = "value specifier of swconst/uwconst operator is not representable with \
                        provided width";
            return self.error(id, text);
        }
        Ok(Value::Word(arith::word(signed, width as u32, &big)))
    }
}
