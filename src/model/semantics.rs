//! What the model means, decided by the explicit evaluator: is this an initial state, a state, a transition?
//!
//! Values may be missing (cone of influence): what would need them is an error if nothing else decides.

use super::arith::{self, EvalError};
use super::eval::{Env, Evaluator};
use super::{AssignKind, Constraint, FlatModel, Node, Value, VarKind};

type Result<T> = std::result::Result<T, EvalError>;

/// The verdict on several conditions: one that fails outweighs one that has no value.
#[derive(Default)]
struct All {
    failed: bool,
    error: Option<EvalError>,
}

impl All {
    fn add(&mut self, r: Result<bool>) {
        match r {
            Ok(ok) => self.failed |= !ok,
            Err(e) => self.error = self.error.take().or(Some(e)),
        }
    }

    fn verdict(self) -> Result<bool> {
        match self.error {
            Some(e) if !self.failed => Err(e),
            _ => Ok(!self.failed),
        }
    }
}

impl FlatModel {
    /// Is `state` initial: INIT, `init` assignments, and what holds in every state?
    pub fn is_initial(&self, state: &[Option<Value>]) -> Result<bool> {
        let mut ev = Evaluator::new(self, Env::state(state));
        let mut all = All::default();
        self.constraints(&self.init, &mut ev, &mut all);
        self.assignments(AssignKind::Init, &mut ev, state, &mut all);
        all.add(self.satisfies_invar(state));
        all.verdict()
    }

    /// Adds what the constraints say. Where variables have no value (outside of a cone of
    /// influence), a constraint that reads one says nothing, whatever its other parts are: the
    /// cone left it out.
    fn constraints(&self, list: &[Constraint], ev: &mut Evaluator, all: &mut All) {
        let cur = ev.env().cur;
        let partial = cur.iter().zip(&self.vars);
        let partial = partial
            .filter(|(_, var)| var.kind != VarKind::Input)
            .any(|(value, _)| value.is_none());
        for c in list {
            let missing = |node: &Node| match node {
                Node::Var(v) if self.var(*v).kind != VarKind::Input => {
                    cur.get(v.0 as usize).is_none_or(Option::is_none)
                }
                _ => false,
            };
            if partial && self.any_node(c.expr, missing) {
                all.add(Err(EvalError::NoValue(String::new())));
            } else {
                all.add(ev.holds(c.expr));
            }
        }
    }

    /// Does `state` satisfy INVAR, its `x := e` and the ranges of its variables?
    pub fn satisfies_invar(&self, state: &[Option<Value>]) -> Result<bool> {
        let mut ev = Evaluator::new(self, Env::state(state));
        let mut all = All::default();
        for (var, value) in self.vars.iter().zip(state) {
            all.add(Ok(value.as_ref().is_none_or(|v| var.ty.contains(v))));
        }
        self.constraints(&self.invar, &mut ev, &mut all);
        self.assignments(AssignKind::Current, &mut ev, state, &mut all);
        all.verdict()
    }

    /// Is there a step from `state` under `input` to `next`? Looks at TRANS, `next` assignments and
    /// frozen variables, and at what must hold in `next`; `state` is taken as it is.
    pub fn is_transition(
        &self,
        state: &[Option<Value>],
        input: &[Option<Value>],
        next: &[Option<Value>],
    ) -> Result<bool> {
        let env = Env {
            cur: state,
            input,
            next: Some(next),
        };
        let mut ev = Evaluator::new(self, env);
        let mut all = All::default();
        self.constraints(&self.trans, &mut ev, &mut all);
        self.assignments(AssignKind::Next, &mut ev, next, &mut all);
        for v in self.vars_of(VarKind::Frozen) {
            let i = v.0 as usize;
            if let (Some(Some(a)), Some(Some(b))) = (state.get(i), next.get(i)) {
                all.add(Ok(a == b));
            }
        }
        for v in self.vars_of(VarKind::Input) {
            let value = input.get(v.0 as usize).and_then(Option::as_ref);
            all.add(Ok(value.is_none_or(|value| self.var(v).ty.contains(value))));
        }
        all.add(self.satisfies_invar(next));
        all.verdict()
    }

    /// Each assigned variable has one of the values its assignment allows.
    fn assignments(
        &self,
        kind: AssignKind,
        ev: &mut Evaluator<'_>,
        values: &[Option<Value>],
        all: &mut All,
    ) {
        for a in self.assigns.iter().filter(|a| a.kind == kind) {
            let name = || EvalError::NoValue(self.var(a.var).name.clone());
            let value = values.get(a.var.0 as usize).and_then(Option::as_ref);
            all.add(ev.eval(a.rhs).and_then(|set| {
                let value = value.ok_or_else(name)?;
                Ok(arith::members(&set).contains(value))
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::flat;

    #[test]
    fn steps_follow_assignments_and_constraints() {
        let m = flat(
            "VAR x : 0..3; FROZENVAR f : boolean; IVAR i : boolean;
             ASSIGN init(x) := {0, 1}; next(x) := i ? (x + 1) mod 4 : {x, 0};
             TRANS f -> next(x) >= x; INVAR x != 3;",
        );
        let s = |x: i64, f: bool| vec![Some(Value::Int(x)), Some(Value::Bool(f)), None];
        let i = |b: bool| vec![None, None, Some(Value::Bool(b))];
        assert_eq!(m.is_initial(&s(1, true)), Ok(true));
        assert_eq!(m.is_initial(&s(2, true)), Ok(false));
        assert_eq!(m.satisfies_invar(&s(3, true)), Ok(false));
        assert_eq!(
            m.is_transition(&s(1, true), &i(true), &s(2, true)),
            Ok(true)
        );
        assert_eq!(
            m.is_transition(&s(1, true), &i(true), &s(2, false)),
            Ok(false)
        );
        assert_eq!(
            m.is_transition(&s(2, true), &i(false), &s(0, true)),
            Ok(false)
        );
        assert_eq!(
            m.is_transition(&s(2, false), &i(false), &s(0, false)),
            Ok(true)
        );
    }

    #[test]
    fn nothing_is_decided_without_values() {
        let m = flat("VAR x : 0..3; y : boolean; ASSIGN next(x) := x;");
        assert!(m.is_transition(&[], &[], &[]).is_err());
    }
}
