//! Built-in functions. Their sizes and the arguments of word constants must be constant.

use super::scope::PathId;
use super::{Fallible, Flat, Flattener};
use crate::model::types::Type;
use crate::model::{ExprId, MAX_WORD_WIDTH, Node, Value, arith};
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
        match func {
            Func::SwConst | Func::UwConst => {
                let value = self.word_constant(id, func, args, context)?;
                return self.value(id, Node::Const(value));
            }
            // Without word arrays these have no operands; with them the model is refused anyhow.
            Func::Read | Func::Write | Func::ConstArray | Func::TypeOf if self.infinite => {
                return self.no_value(id);
            }
            Func::Read | Func::Write | Func::ConstArray | Func::TypeOf => {
                return self.word_array(id, func, args, context);
            }
            _ => {}
        }
        let Some(&first) = args.first() else {
            return self.error(id, format!("{} needs an argument", func.text()));
        };
        let a = self.scalar(first, context)?;
        let node = match func {
            Func::Word1 => Node::Word1(a),
            Func::Signed => Node::Signed(a),
            Func::Unsigned => Node::Unsigned(a),
            Func::Bool => return self.bool_cast(id, a),
            Func::ToInt => return self.int_cast(id, a),
            Func::SizeOf => return self.size_of(id, a),
            Func::Extend | Func::Resize => return self.resized(id, func, a, args.get(1), context),
            Func::Count => return self.count(id, a, &args[1..], context),
            Func::SwConst | Func::UwConst => unreachable!("constants have returned"),
            Func::Read | Func::Write | Func::ConstArray | Func::TypeOf => {
                unreachable!("word arrays have returned")
            }
        };
        self.value(id, node)
    }

    fn bool_cast(&mut self, id: ast::ExprId, a: ExprId) -> Fallible<Flat> {
        let ty = self.type_of(a).clone();
        let fits = matches!(
            ty,
            Type::Bool | Type::Int | Type::Word { width: 1, .. } | Type::Error
        );
        if !fits {
            let text = format!(
                "Invalid boolean cast (Expected word1, boolean or integer expression): {}",
                self.model.text(a)
            );
            return self.cast_error(id, "bool", &ty, text);
        }
        self.value(id, Node::Bool(a))
    }

    fn int_cast(&mut self, id: ast::ExprId, a: ExprId) -> Fallible<Flat> {
        let ty = self.type_of(a).clone();
        let text = match ty {
            Type::Bool | Type::Int | Type::Error => None,
            Type::Word { signed, width } if width <= 31 + u32::from(signed) => None,
            Type::Word { .. } => Some(
                "Invalid word to int cast. (Max word width is 32 for signed words, 31 for \
                 unsigned words): ",
            ),
            _ => Some("Invalid integer cast (Expected word, boolean or integer expression): "),
        };
        if let Some(text) = text {
            let text = format!("{text}{}", self.model.text(a));
            return self.cast_error(id, "toint", &ty, text);
        }
        self.value(id, Node::ToInt(a))
    }

    fn size_of(&mut self, id: ast::ExprId, a: ExprId) -> Fallible<Flat> {
        let ty = self.type_of(a).clone();
        if let Some(width) = ty.width() {
            return self.value(id, Node::Const(Value::Int(width.into())));
        }
        if self.in_property {
            return self.cast_error(id, "sizeof", &ty, String::new());
        }
        let complaints = std::mem::take(&mut self.complaints);
        self.report_complaints(complaints);
        let text = "sizeof operator applied to a non-word operand: ";
        self.error(id, format!("{text}{}", self.model.text(a)))
    }

    /// `extend(a, n)` and `resize(a, n)`.
    fn resized(
        &mut self,
        id: ast::ExprId,
        func: Func,
        a: ExprId,
        size: Option<&ast::ExprId>,
        context: PathId,
    ) -> Fallible<Flat> {
        let Some(n) = size.and_then(|&size| self.constant_int(size, context)) else {
            let size = size.map_or(Ok(a), |&size| self.scalar(size, context))?;
            let text = format!(
                "{} expression with non constant size specifier: {}",
                func.text(),
                self.model.text(size)
            );
            return self.error(id, text);
        };
        let width = self.type_of(a).width().map_or(0, i64::from);
        let (least, total) = match func {
            Func::Extend => (0, n + width),
            _ => (1, n),
        };
        if n < least || total > i64::from(MAX_WORD_WIDTH) {
            let op = func.text();
            self.complain(
                id,
                format!("word width is out of range [1..64] ('{op}' operator)"),
            );
            return self.no_value(id);
        }
        let n = n as u32;
        let node = match func {
            Func::Extend => Node::Extend { word: a, by: n },
            _ => Node::Resize { word: a, width: n },
        };
        self.value(id, node)
    }

    /// `count(a, ...)`.
    fn count(
        &mut self,
        id: ast::ExprId,
        a: ExprId,
        others: &[ast::ExprId],
        context: PathId,
    ) -> Fallible<Flat> {
        let mut all = vec![a];
        for &arg in others {
            all.push(self.scalar(arg, context)?);
        }
        let wrong = |f: &Self, &arg: &ExprId| !matches!(f.type_of(arg), Type::Bool | Type::Error);
        match all.iter().find(|&arg| wrong(self, arg)) {
            Some(_) if self.in_property => {
                let text = "illegal non-boolean expressions for \"count\" operator";
                self.complain(id, text.to_owned());
                self.no_value(id)
            }
            Some(&arg) => {
                let text = "Expected boolean expressions in count operator: ";
                self.error(id, format!("{text}{}", self.model.text(arg)))
            }
            None => self.value(id, Node::Count(all)),
        }
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
        self.no_value(id)
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
            return self.no_value(id);
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
