//! The constraints of assignments.
//!
//! Those to variables of many values need no diagrams over values:
//! `x := c ? y : {0, 1, 2}` is `c ? (x = y) : (x in {0, 1, 2})`, where comparing variables of the same type
//! takes a few nodes per bit, and a pair of diagrams over values as many leaves as there are pairs.

use super::*;
use crate::model::VarKind;
use std::collections::BTreeSet;

/// Values from which on this pays.
const MANY: u64 = 16;

impl Encoder {
    /// The constraint of an assignment: the variable has (one of) the value(s) of the right side.
    pub fn assignment(&mut self, a: &Assign) -> Result<Bdd> {
        if let Some(constraint) = self.structural(a)? {
            return Ok(constraint);
        }
        let coded = self.encode(a.rhs, false)?;
        self.raise(&coded)?;
        let next = a.kind == AssignKind::Next;
        let target = self.variable(a.var, next)?;
        match (&target, &coded.value) {
            (Encoded::Bool(x), Encoded::Bool(v)) => Ok(x.xnor(v)?),
            (Encoded::Word(x), Encoded::Word(v)) if x.len() == v.len() => {
                Ok(words::equal(&self.manager, x, v)?)
            }
            (_, value) => {
                let rhs = self.scalar_of(value)?;
                self.check_range(a, &rhs)?;
                let target = self.scalar_of(&target)?;
                self.member(&target, &rhs)
            }
        }
    }

    /// `next(v) = v`
    pub fn stays(&mut self, v: VarId) -> Result<Bdd> {
        let (now, then) = (self.variable(v, false)?, self.variable(v, true)?);
        match (&then, &now) {
            (Encoded::Bool(x), Encoded::Bool(v)) => Ok(x.xnor(v)?),
            (Encoded::Word(x), Encoded::Word(v)) => Ok(words::equal(&self.manager, x, v)?),
            _ => {
                let (then, now) = (self.scalar_of(&then)?, self.scalar_of(&now)?);
                self.member(&then, &now)
            }
        }
    }

    /// Every value of the right side must be one of the variable's.
    fn check_range(&self, a: &Assign, rhs: &Add) -> Result<()> {
        let var = self.model.var(a.var);
        for leaf in rhs.leaves() {
            if leaf == ValueTable::ERROR {
                continue;
            }
            for value in arith::members(self.values.get(leaf)) {
                // Under `-old` a Boolean may be assigned a number, but never has that value.
                if var.ty != VarType::Bool && !var.ty.contains(value) {
                    return Err(EncodeError::Range {
                        line: a.line,
                        value: self.value_text(value),
                        name: var.name.clone(),
                        var: a.var,
                    });
                }
            }
        }
        Ok(())
    }

    /// The constraint of an assignment whose right side chooses between variables of the same type,
    /// constants that the variable can have, and other expressions with values in its range. `None` for
    /// all others, wrong ones among them.
    pub(super) fn structural(&mut self, a: &Assign) -> Result<Option<Bdd>> {
        let model = Rc::clone(&self.model);
        let var = model.var(a.var);
        let next = a.kind == AssignKind::Next;
        if matches!(var.ty, VarType::Bool | VarType::Word { .. })
            || var.ty.size().is_none_or(|n| n < MANY)
            || var.kind == VarKind::Input
        {
            return Ok(None);
        }
        if matches!(model.pool.node(a.rhs), Node::Const(_)) {
            return Ok(None);
        }
        let target = self.literals(a.var, next);
        self.chosen(a, &target, a.rhs)
    }

    /// The same for a part of the right side.
    fn chosen(&mut self, a: &Assign, target: &[Bdd], e: ExprId) -> Result<Option<Bdd>> {
        let model = Rc::clone(&self.model);
        let mut chain = Vec::new();
        let mut at = e;
        loop {
            match *model.pool.node(at) {
                Node::Define(d) => at = model.define(d).body,
                Node::Ite(c, x, rest) => {
                    if model.type_of(c) != crate::model::Type::Bool {
                        return Ok(None);
                    }
                    let cond = self.encode(c, false)?;
                    match cond.constant() {
                        Some(true) => {
                            at = x;
                            continue;
                        }
                        Some(false) => {}
                        None if cond.failures.is_empty() => {
                            chain.push((self.truth_of(&cond.value)?, x))
                        }
                        None => return Ok(None),
                    }
                    at = rest;
                }
                _ => break,
            }
        }
        let Some(mut result) = self.one_of(a, target, at)? else {
            return Ok(None);
        };
        for (cond, x) in chain.into_iter().rev() {
            let Some(then) = deep(|| self.part(a, target, x))? else {
                return Ok(None);
            };
            result = cond.ite(&then, &result)?;
        }
        Ok(Some(result))
    }

    /// [`Self::chosen`] where there is something to choose.
    fn part(&mut self, a: &Assign, target: &[Bdd], e: ExprId) -> Result<Option<Bdd>> {
        match *self.model.pool.node(e) {
            Node::Define(_) | Node::Ite(..) => self.chosen(a, target, e),
            _ => self.one_of(a, target, e),
        }
    }

    /// The bits `target` hold one of the values of `e`; `None` if that may be none of the variable's.
    fn one_of(&mut self, a: &Assign, target: &[Bdd], e: ExprId) -> Result<Option<Bdd>> {
        let model = Rc::clone(&self.model);
        let ty = &model.var(a.var).ty;
        let size = ty.size().unwrap_or(0);
        if let Some((w, next)) = self.as_variable(e, false)
            && model.var(w).ty == *ty
        {
            let other = self.literals(w, next);
            return self.same_position(target, &other, size).map(Some);
        }
        match model.pool.node(e) {
            Node::Const(Value::Set(all)) if all.iter().all(|v| ty.contains(v)) => {
                let Some(positions) = all
                    .iter()
                    .map(|v| layout::position(ty, v))
                    .collect::<Option<BTreeSet<u64>>>()
                else {
                    return Ok(None);
                };
                if positions.len() as u64 == size {
                    return Ok(Some(self.manager.one()));
                }
                let mut any = self.manager.zero();
                for position in positions {
                    any = any.or(&self.at_position(target, position, size)?)?;
                }
                Ok(Some(any))
            }
            Node::Const(v @ (Value::Int(_) | Value::Sym(_))) => match layout::position(ty, v) {
                Some(position) => self.at_position(target, position, size).map(Some),
                None => Ok(None),
            },
            _ => {
                let coded = self.encode(e, false)?;
                if !coded.failures.is_empty() || matches!(coded.value, Encoded::Nothing) {
                    return Ok(None);
                }
                let rhs = self.scalar_of(&coded.value)?;
                if self.check_range(a, &rhs).is_err() {
                    return Ok(None);
                }
                let next = a.kind == AssignKind::Next;
                let target = self.variable(a.var, next)?;
                let target = self.scalar_of(&target)?;
                self.member(&target, &rhs).map(Some)
            }
        }
    }
}
