//! Cone of influence: the variables that can matter to an expression.
//!
//! The least set that holds the variables of the expression and of all fairness conditions and,
//! with a variable, those of its assignments and of every conjunct of INIT, INVAR and TRANS that
//! mentions it. As in NuSMV conjunctions are split, those hidden in DEFINEs are not. Sizes decide
//! the order in which properties are checked; `-coi` restricts the model to the cone.

use crate::model::{ExprId, FlatModel, Node, PropFormula, Property, Query, VarId};
use smv_grammar::ops::BinOp;

/// A set of variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarSet {
    member: Vec<bool>,
    len: usize,
}

impl VarSet {
    /// The empty set over `n` variables.
    pub fn new(n: usize) -> Self {
        VarSet {
            member: vec![false; n],
            len: 0,
        }
    }

    /// Whether the variable is in the set.
    pub fn contains(&self, v: VarId) -> bool {
        self.member.get(v.0 as usize).copied().unwrap_or(false)
    }

    /// Adds `v`; whether it was new.
    pub fn insert(&mut self, v: VarId) -> bool {
        let new = !std::mem::replace(&mut self.member[v.0 as usize], true);
        self.len += usize::from(new);
        new
    }

    /// The number of variables.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no variable in the set.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The members in order of declaration.
    pub fn iter(&self) -> impl Iterator<Item = VarId> + '_ {
        (0..self.member.len() as u32)
            .map(VarId)
            .filter(|&v| self.contains(v))
    }
}

/// Marks of a walk over expressions.
struct Walk<'a> {
    model: &'a FlatModel,
    seen: rustc_hash::FxHashSet<ExprId>,
}

impl Walk<'_> {
    /// Calls `f` for the variables in `e` that no earlier call has met, definitions included.
    fn variables(&mut self, e: ExprId, mut f: impl FnMut(VarId)) {
        let mut todo = vec![e];
        while let Some(e) = todo.pop() {
            if !self.seen.insert(e) {
                continue;
            }
            match self.model.pool.node(e) {
                Node::Var(v) => f(*v),
                Node::Define(d) => todo.push(self.model.define(*d).body),
                node => {
                    let first = todo.len();
                    node.for_each_operand(|a| todo.push(a));
                    todo[first..].reverse();
                }
            }
        }
    }
}

/// The variables of one expression, from left to right.
pub fn variables(model: &FlatModel, e: ExprId) -> Vec<VarId> {
    let mut out = Vec::new();
    let seen = rustc_hash::FxHashSet::default();
    Walk { model, seen }.variables(e, |v| out.push(v));
    out
}

/// The conjuncts of a constraint.
pub fn conjuncts(model: &FlatModel, e: ExprId) -> Vec<ExprId> {
    let mut out = Vec::new();
    let mut todo = vec![e];
    while let Some(e) = todo.pop() {
        match model.pool.node(e) {
            Node::Binary(BinOp::And, a, b) if model.type_of(*a) == crate::model::Type::Bool => {
                todo.extend([*b, *a]);
            }
            _ => out.push(e),
        }
    }
    out
}

/// The expressions of a property.
pub fn formulas(p: &Property) -> Vec<ExprId> {
    match &p.formula {
        PropFormula::Ctl(e) | PropFormula::Ltl(e) | PropFormula::Invar(e) => vec![*e],
        PropFormula::Compute { start, target, .. } => vec![*start, *target],
        PropFormula::Psl { values, .. } => values.clone(),
    }
}

/// The conjuncts of a constraint whose variables are all in `cone`.
pub fn conjuncts_within(model: &FlatModel, e: ExprId, cone: &VarSet) -> Vec<ExprId> {
    let mut parts = conjuncts(model, e);
    parts.retain(|&part| within(model, part, cone));
    parts
}

/// Whether all variables of an expression are in `cone`.
pub fn within(model: &FlatModel, e: ExprId, cone: &VarSet) -> bool {
    variables(model, e).iter().all(|&v| cone.contains(v))
}

/// What depends on what in a model, ready to be asked for cones.
pub struct Cones<'a> {
    model: &'a FlatModel,
    /// Right sides of the assignments to each variable.
    assigns: Vec<Vec<ExprId>>,
    /// Variables of each conjunct.
    conjuncts: Vec<Vec<VarId>>,
    /// Conjuncts that mention each variable.
    mentions: Vec<Vec<u32>>,
}

impl<'a> Cones<'a> {
    /// The dependencies of all variables.
    pub fn new(model: &'a FlatModel) -> Self {
        let n = model.vars.len();
        let mut assigns = vec![Vec::new(); n];
        for a in &model.assigns {
            assigns[a.var.0 as usize].push(a.rhs);
        }
        let mut parts = Vec::new();
        for c in model.init.iter().chain(&model.invar).chain(&model.trans) {
            parts.extend(conjuncts(model, c.expr));
        }
        let conjuncts: Vec<Vec<VarId>> = parts.iter().map(|&e| variables(model, e)).collect();
        let mut mentions = vec![Vec::new(); n];
        for (i, vars) in conjuncts.iter().enumerate() {
            for v in vars {
                mentions[v.0 as usize].push(i as u32);
            }
        }
        Cones {
            model,
            assigns,
            conjuncts,
            mentions,
        }
    }

    /// The cone of some expressions and of the fairness conditions.
    pub fn cone(&self, roots: impl IntoIterator<Item = ExprId>) -> VarSet {
        self.cone_with(roots, &[])
    }

    /// The cone of a query: what its formula reads and what its placeholder ranges over.
    pub fn query_cone(&self, q: &Query) -> VarSet {
        self.cone_with([q.formula], &q.over)
    }

    fn cone_with(&self, roots: impl IntoIterator<Item = ExprId>, vars: &[VarId]) -> VarSet {
        let seen = rustc_hash::FxHashSet::default();
        let model = self.model;
        let mut walk = Walk { model, seen };
        let mut cone = VarSet::new(model.vars.len());
        let mut todo = vars.to_vec();
        for e in roots.into_iter().chain(self.fairness()) {
            walk.variables(e, |v| todo.push(v));
        }
        let mut used = vec![false; self.conjuncts.len()];
        while let Some(v) = todo.pop() {
            if !cone.insert(v) {
                continue;
            }
            for &rhs in &self.assigns[v.0 as usize] {
                walk.variables(rhs, |w| todo.push(w));
            }
            for &c in &self.mentions[v.0 as usize] {
                if !std::mem::replace(&mut used[c as usize], true) {
                    todo.extend(&self.conjuncts[c as usize]);
                }
            }
        }
        cone
    }

    /// The cone of a property in the order in which NuSMV finds it: the variables that it and the fairness
    /// conditions read, then what the first of these depends on, from near to far, then the second.
    pub fn found_from_property(&self, p: &Property) -> Vec<VarId> {
        let roots = formulas(p).into_iter().chain(self.fairness());
        let mut found = self.found_from(roots, Some(0));
        // Whatever a reached variable depends on is found.
        let mut reached = VarSet::new(self.model.vars.len());
        for root in found.clone() {
            found.extend(self.spread(vec![root], &mut reached, None));
        }
        let mut listed = VarSet::new(self.model.vars.len());
        found.retain(|&v| listed.insert(v));
        found
    }

    /// The fairness conditions, which every cone holds.
    fn fairness(&self) -> impl Iterator<Item = ExprId> + 'a {
        let pairs = self.model.compassion.iter().flat_map(|(p, q)| [p, q]);
        self.model.justice.iter().chain(pairs).map(|c| c.expr)
    }

    /// The variables that expressions read, those on which these depend, and so on, at most so many
    /// times; in the order in which they are found.
    pub fn found_from(
        &self,
        roots: impl IntoIterator<Item = ExprId>,
        times: Option<u64>,
    ) -> Vec<VarId> {
        let roots = roots.into_iter();
        let ring = roots.flat_map(|e| variables(self.model, e)).collect();
        self.spread(ring, &mut VarSet::new(self.model.vars.len()), times)
    }

    /// From a ring of variables outwards to those not seen before.
    fn spread(&self, mut ring: Vec<VarId>, seen: &mut VarSet, times: Option<u64>) -> Vec<VarId> {
        let mut found = Vec::new();
        let mut left = times;
        loop {
            ring.retain(|&v| seen.insert(v));
            if ring.is_empty() {
                return found;
            }
            found.extend(&ring);
            match &mut left {
                Some(0) => return found,
                Some(n) => *n -= 1,
                None => {}
            }
            ring = ring.iter().flat_map(|&v| self.next_to(v)).collect();
        }
    }

    /// What a variable depends on.
    fn next_to(&self, v: VarId) -> Vec<VarId> {
        let mut found = Vec::new();
        for &rhs in &self.assigns[v.0 as usize] {
            found.extend(variables(self.model, rhs));
        }
        for &c in &self.mentions[v.0 as usize] {
            found.extend(&self.conjuncts[c as usize]);
        }
        found
    }

    /// The cone of a property.
    pub fn property_cone(&self, p: &Property) -> VarSet {
        self.cone(formulas(p))
    }
}

/// Indices of the properties in the order in which they are checked: by kind, then by size of the
/// cone (unless not wanted), then as numbered.
pub fn checking_order(model: &FlatModel, small_first: bool) -> Vec<u32> {
    let mut order = if small_first {
        by_cone(model)
    } else {
        model.properties.iter().map(|p| p.index).collect()
    };
    order.sort_by_key(|&i| model.properties[i as usize].kind);
    order
}

/// Indices of the properties by size of the cone, then as numbered.
pub fn by_cone(model: &FlatModel) -> Vec<u32> {
    let cones = Cones::new(model);
    let mut order: Vec<u32> = model.properties.iter().map(|p| p.index).collect();
    order.sort_by_cached_key(|&i| cones.property_cone(&model.properties[i as usize]).len());
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::flat;

    /// Names in the cone of the first property.
    fn cone(body: &str) -> Vec<String> {
        let m = flat(&format!(
            "VAR x : boolean; y : boolean; z : boolean; w : boolean; {body}"
        ));
        let cone = Cones::new(&m).property_cone(&m.properties[0]);
        assert_eq!(cone.len(), cone.iter().count());
        cone.iter().map(|v| m.var(v).name.clone()).collect()
    }

    #[test]
    fn constraints_couple_and_conjuncts_do_not() {
        assert_eq!(
            cone("TRANS next(x) = y & next(z) = w; SPEC AG x"),
            ["x", "y"]
        );
        assert_eq!(cone("INVAR z -> x; SPEC AG x"), ["x", "z"]);
        assert_eq!(
            cone("DEFINE d := (x | z) & y; TRANS d; SPEC AG x"),
            ["x", "y", "z"]
        );
    }

    #[test]
    fn assignments_lead_one_way_and_fairness_always_counts() {
        assert_eq!(cone("ASSIGN next(y) := x; SPEC AG x"), ["x"]);
        assert_eq!(
            cone("ASSIGN next(x) := y; init(y) := z; SPEC AG x"),
            ["x", "y", "z"]
        );
        assert_eq!(cone("JUSTICE w; INVARSPEC x"), ["x", "w"]);
    }

    #[test]
    fn placeholders_count() {
        let m = flat(
            "VAR x : boolean; y : boolean; z : boolean; w : boolean;
             ASSIGN next(x) := y; JUSTICE w; QUERYSPEC EF ?{x} QUERYSPEC EF (z & ?{w})",
        );
        let cones = Cones::new(&m);
        let names = |q: &Query| {
            let cone = cones.query_cone(q);
            cone.iter()
                .map(|v| m.var(v).name.as_str())
                .collect::<String>()
        };
        assert_eq!(
            m.queries.iter().map(names).collect::<Vec<_>>(),
            ["xyw", "zw"]
        );
    }

    #[test]
    fn properties_are_ordered_by_kind_and_size() {
        let m = flat(
            "VAR x : boolean; y : boolean;
             INVARSPEC x SPEC AG (x -> y) SPEC AG y LTLSPEC G y SPEC AG x",
        );
        assert_eq!(checking_order(&m, true), [1, 2, 0, 3, 4]);
    }
}
