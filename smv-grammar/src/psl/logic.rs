//! The tree of a PSL property → an expression of LTL or CTL, as on infinite paths.
//!
//! Weak and strong `next` are one there. `a until b` is `!(!b U !(a | b))`, `a before b` is
//! `!b until (a & !b)`; `next_event` searches its event by an until; `{r} |-> {s}!` says that no word of
//! `r` begins without one of `s` from its last step on. `forall` becomes a conjunction. A property is
//! of LTL or of CTL; one that mixes both is refused, as are the operators that NuSMV only reads.

use super::sere::{MAX_STEPS, has_star, is_handled, number};
use super::{
    Count, Demand, Fault, ForallValue, Infix, Kind, Logic, Meaning, Node, Operand, Prefix,
    Property, Tree, Which, print,
};
use crate::ast::{Ast, CaseArm, ExprId, ExprKind, Name, Span};
use crate::ops::{BinOp, UnOp};
use rustc_hash::FxHashMap;

/// Translates a property that was read.
pub fn property(ast: &mut Ast, tree: &Tree, root: Node, text: String, line: u32) -> Property {
    let value = match tree.kind(root) {
        Kind::Value(e) => Some(*e),
        _ => None,
    };
    let mut builder = Builder {
        ast,
        tree,
        line,
        values: Vec::new(),
        demands: Vec::new(),
        too_large: false,
    };
    let meaning = builder.meaning(root);
    let leaves = builder.preorder(root).into_iter();
    let leaves = leaves.filter_map(|n| match tree.kind(n) {
        Kind::Value(e) => Some(*e),
        _ => None,
    });
    let leaves = leaves.collect();
    let variables = builder.preorder(root).into_iter();
    let variables = variables.filter_map(|n| match tree.kind(n) {
        Kind::Forall { var, .. } => Some(*var),
        _ => None,
    });
    let variables = variables.collect();
    let demands = builder.demands;
    Property {
        text,
        meaning,
        demands,
        leaves,
        variables,
        value,
    }
}

/// Makes formulas in the arena of the source tree.
pub struct Builder<'a> {
    pub ast: &'a mut Ast,
    pub tree: &'a Tree,
    line: u32,
    /// What the variables of `forall` stand for, innermost last.
    values: Vec<(Name, ExprId)>,
    demands: Vec<Demand>,
    /// A SERE has more words than can be listed.
    pub too_large: bool,
}

/// Which logic the operators of a tree belong to.
#[derive(Clone, Copy, Default)]
struct Operators {
    fl: bool,
    obe: bool,
    xnor: bool,
}

impl Builder<'_> {
    fn meaning(&mut self, root: Node) -> Meaning {
        if let Err(fault) = self.fault(root, &mut Vec::new()) {
            return Meaning::Wrong(fault);
        }
        if let Some(lines) = self.refusal(root) {
            return Meaning::Unsupported(lines);
        }
        let mut found = Operators::default();
        self.operators(root, &mut found);
        if found.obe && (found.fl || found.xnor) {
            return Meaning::Unsupported(Vec::new());
        }
        let formula = self.formula(root);
        self.demand(root);
        if self.too_large {
            return Meaning::Unsupported(Vec::new());
        }
        let logic = if found.obe { Logic::Ctl } else { Logic::Ltl };
        Meaning::Formula(logic, formula)
    }

    pub fn unary(&mut self, op: UnOp, x: ExprId) -> ExprId {
        match (op, self.truth(x)) {
            (UnOp::Not, Some(value)) => self.constant(!value),
            _ => self.push(ExprKind::Unary(op, x)),
        }
    }

    /// `X x` behind a step of a SERE, where NuSMV knows that `X TRUE` is true.
    pub fn later(&mut self, x: ExprId) -> ExprId {
        match self.truth(x) {
            Some(_) => x,
            None => self.unary(UnOp::X, x),
        }
    }

    /// An operator; `&` and `|` with constants vanish.
    pub fn binary(&mut self, op: BinOp, x: ExprId, y: ExprId) -> ExprId {
        match (op, self.truth(x), self.truth(y)) {
            (BinOp::And, Some(true), _) | (BinOp::Or, Some(false), _) => y,
            (BinOp::And, _, Some(true)) | (BinOp::Or, _, Some(false)) => x,
            (BinOp::And, Some(false), _) | (BinOp::Or, Some(true), _) => x,
            (BinOp::And, _, Some(false)) | (BinOp::Or, _, Some(true)) => y,
            (BinOp::And, ..) if self.excludes(x, y) || self.excludes(y, x) => self.constant(false),
            _ => self.push(ExprKind::Binary(op, x, y)),
        }
    }

    /// `y` is the negation of `x`, or of a disjunction with `x`, as they are written.
    fn excludes(&self, x: ExprId, y: ExprId) -> bool {
        let ExprKind::Unary(UnOp::Not, y) = self.ast.expr(y).kind else {
            return false;
        };
        let mut todo = vec![y];
        while let Some(y) = todo.pop() {
            if self.same(x, y, &mut 50) {
                return true;
            }
            if let ExprKind::Binary(BinOp::Or, a, b) = self.ast.expr(y).kind {
                todo.extend([a, b]);
            }
        }
        false
    }

    /// Whether two expressions are written alike; large ones are not looked at.
    fn same(&self, x: ExprId, y: ExprId, fuel: &mut u32) -> bool {
        use ExprKind::*;
        if x == y || *fuel == 0 {
            return x == y;
        }
        *fuel -= 1;
        match (&self.ast.expr(x).kind, &self.ast.expr(y).kind) {
            (Unary(op, x), Unary(other, y)) => op == other && self.same(*x, *y, fuel),
            (Binary(op, a, b), Binary(other, c, d)) => {
                op == other && self.same(*a, *c, fuel) && self.same(*b, *d, fuel)
            }
            (Index(a, b), Index(c, d)) => self.same(*a, *c, fuel) && self.same(*b, *d, fuel),
            (Dot(x, name), Dot(y, other)) => name == other && self.same(*x, *y, fuel),
            (x, y) => x.is_operand() && x == y,
        }
    }

    fn truth(&self, e: ExprId) -> Option<bool> {
        match self.ast.expr(e).kind {
            ExprKind::Bool(value) => Some(value),
            _ => None,
        }
    }

    pub fn constant(&mut self, value: bool) -> ExprId {
        self.push(ExprKind::Bool(value))
    }

    fn push(&mut self, kind: ExprKind) -> ExprId {
        self.ast.push(kind, Span::default(), self.line)
    }

    fn not(&mut self, x: ExprId) -> ExprId {
        self.unary(UnOp::Not, x)
    }

    /// `x U y`, or its weak form.
    fn until(&mut self, strong: bool, x: ExprId, y: ExprId) -> ExprId {
        if strong {
            return self.binary(BinOp::U, x, y);
        }
        let both = self.binary(BinOp::Or, x, y);
        let (none, end) = (self.not(both), self.not(y));
        let broken = self.binary(BinOp::U, end, none);
        self.not(broken)
    }

    fn next(&mut self, steps: i64, x: ExprId) -> ExprId {
        (0..steps).fold(x, |x, _| self.unary(UnOp::X, x))
    }

    /// Parts of a node that are formulas, left to right.
    fn parts(&self, n: Node) -> Vec<Node> {
        match self.tree.kind(n) {
            Kind::Value(_) | Kind::List(_) | Kind::Repeat(None, _) => vec![],
            Kind::Not(x) | Kind::Prefix(_, x) | Kind::Step(x) | Kind::Repeat(Some(x), _) => {
                vec![*x]
            }
            Kind::Connective(_, x, y)
            | Kind::Infix(_, x, y)
            | Kind::Concat(x, y)
            | Kind::Compound(_, x, y) => vec![*x, *y],
            Kind::Steps { event, body, .. } => event.iter().copied().chain([*body]).collect(),
            Kind::Suffix { premise, then, .. } => vec![*premise, *then],
            Kind::Window {
                from, until, body, ..
            } => from.iter().copied().chain([*until, *body]).collect(),
            Kind::Forall { body, .. } => vec![*body],
        }
    }

    /// All nodes of a tree, each before its parts.
    fn preorder(&self, root: Node) -> Vec<Node> {
        let mut todo = vec![root];
        let mut out = Vec::new();
        while let Some(n) = todo.pop() {
            out.push(n);
            todo.extend(self.parts(n).into_iter().rev());
        }
        out
    }

    fn operators(&self, root: Node, found: &mut Operators) {
        for n in self.preorder(root) {
            match self.tree.kind(n) {
                Kind::Prefix(op, _) => match op {
                    Prefix::Ax | Prefix::Af | Prefix::Ag => found.obe = true,
                    Prefix::Ex | Prefix::Ef | Prefix::Eg => found.obe = true,
                    _ => found.fl = true,
                },
                Kind::Infix(Infix::CtlU { .. }, ..) => found.obe = true,
                Kind::Infix(..) | Kind::Steps { .. } | Kind::Suffix { .. } => found.fl = true,
                Kind::Connective(BinOp::Xnor, ..) => found.xnor = true,
                _ => {}
            }
        }
    }

    /// What NuSMV says when it takes up a property that it will not check. Of several reasons it names
    /// the first, and then each `next` around it.
    fn refusal(&self, n: Node) -> Option<Vec<String>> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.refusal_of(n))
    }

    fn refusal_of(&self, n: Node) -> Option<Vec<String>> {
        let shown = |n: Node, why: &str| {
            let text = print::property(self.ast, self.tree, n);
            Some(vec![format!("In PSL expression '{text}'"), why.to_owned()])
        };
        let sere = |r: Node| {
            if is_handled(self.ast, self.tree, r) {
                return None;
            }
            shown(r, "PSL SERE expression contains an unsupported feature.")
        };
        let within_next = |body: Node, unfit: bool| {
            let inner = self.refusal(body);
            if inner.is_none() && !unfit {
                return None;
            }
            let own = shown(n, "PSL next expression contains an unsupported feature.");
            Some([inner.unwrap_or_default(), own.unwrap_or_default()].concat())
        };
        match self.tree.kind(n) {
            Kind::Infix(Infix::Abort, ..) | Kind::Window { .. } => {
                shown(n, "PSL operator not currently supported.")
            }
            Kind::Prefix(Prefix::Next { .. } | Prefix::X { .. }, x) => within_next(*x, false),
            Kind::Steps {
                count, event, body, ..
            } => {
                let large = |e: ExprId| self.int(e).is_none_or(|n| n > MAX_STEPS);
                let temporal = |n: &Node| !matches!(self.tree.kind(*n), Kind::Value(_));
                let unfit = match *count {
                    None => false,
                    Some(Count::Number(n)) => {
                        let negative = self.int(n).is_some_and(|n| n < 0);
                        !self.is_typed(n) && (negative || large(n))
                    }
                    Some(Count::Range(low, high)) => large(low) || high.is_none_or(large),
                };
                within_next(*body, unfit || event.as_ref().is_some_and(temporal))
            }
            Kind::Suffix { strong: false, .. } => {
                shown(n, "Weak suffix implications are not currently supported.")
            }
            Kind::Suffix { premise, .. } if has_star(self.tree, *premise) => shown(
                n,
                "Premise in suffix implication contains an unsupported feature.",
            ),
            Kind::Suffix { premise, then, .. } => {
                let end = |then| match self.is_sere(then) {
                    true => sere(then),
                    false => self.refusal(then),
                };
                sere(*premise).or_else(|| end(*then))
            }
            Kind::Prefix(_, x) if self.is_sere(*x) => sere(*x),
            Kind::Forall { index: Some(_), .. } => {
                let why = "psl_node_get_replicator_normalized_value_set: Replicator range not \
                           yet handled.";
                Some(vec![why.to_owned()])
            }
            Kind::Forall { values, body, .. } => {
                let simple = |n: &Node| match self.tree.kind(*n) {
                    Kind::Value(e) => self.ast.expr(*e).kind.is_operand(),
                    _ => false,
                };
                let known = |v: &ForallValue| match v {
                    ForallValue::One(n) => simple(n),
                    ForallValue::Range(low, high) => {
                        self.int(*low).is_some() && high.is_some_and(|h| self.int(h).is_some())
                    }
                };
                match values.iter().flatten().all(known) {
                    true => self.refusal(*body),
                    false => Some(Vec::new()),
                }
            }
            Kind::List(_) => Some(Vec::new()),
            _ => self
                .parts(n)
                .into_iter()
                .find_map(|part| self.refusal(part)),
        }
    }

    fn is_sere(&self, n: Node) -> bool {
        let kind = self.tree.kind(n);
        matches!(
            kind,
            Kind::Step(_) | Kind::Concat(..) | Kind::Compound(..) | Kind::Repeat(..)
        )
    }

    fn int(&self, e: ExprId) -> Option<i64> {
        match self.ast.expr(e).kind {
            ExprKind::Int(n) => Some(n),
            ExprKind::Unary(UnOp::Neg, n) => self.int(n).map(|n| -n),
            _ => None,
        }
    }

    /// What NuSMV types where a number should be, rather than to crash at it.
    fn is_typed(&self, e: ExprId) -> bool {
        match self.ast.expr(e).kind {
            ExprKind::Word(_) => true,
            ExprKind::Ident(name) => self.ast.name(name) == "inf",
            _ => false,
        }
    }

    /// What ends NuSMV: ranges without numbers, nested `forall` of one name.
    fn fault(&self, n: Node, outer: &mut Vec<Name>) -> Result<(), Fault> {
        let mut inside = None;
        match self.tree.kind(n) {
            Kind::Steps {
                count: Some(count @ Count::Range(low, high)),
                ..
            } => {
                let high = high.and_then(|e| self.int(e));
                if self.int(*low).is_none() || high.is_none() {
                    let text = print::count(self.ast, self.tree, *count);
                    return Err(Fault::NoNumber(text));
                }
            }
            // Refused before anybody looks at its parts.
            Kind::Suffix { strong: false, .. } => return Ok(()),
            Kind::Repeat(_, super::Repeat::Star(Some(count)))
                if number(self.ast, *count).is_none() =>
            {
                let text = print::property(self.ast, self.tree, n);
                return Err(Fault::NoNumber(text));
            }
            Kind::Forall { var, values, .. } => {
                if outer.contains(var) {
                    return Err(Fault::NestedForall);
                }
                for value in values.iter().flatten() {
                    if let ForallValue::Range(low, Some(high)) = value
                        && let (Some(low), Some(high)) = (self.int(*low), self.int(*high))
                        && low > high
                    {
                        return Err(Fault::EmptyRange { low, high });
                    }
                }
                inside = Some(*var);
            }
            _ => {}
        }
        outer.extend(inside);
        for part in self.parts(n) {
            stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.fault(part, outer))?;
        }
        if inside.is_some() {
            outer.pop();
        }
        Ok(())
    }

    /// The formula of a node that is no SERE.
    pub fn formula(&mut self, n: Node) -> ExprId {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.translate(n))
    }

    fn translate(&mut self, n: Node) -> ExprId {
        match *self.tree.kind(n) {
            Kind::Value(e) => self.instance(e),
            Kind::Not(x) => {
                let x = self.formula(x);
                self.not(x)
            }
            Kind::Connective(op, x, y) => {
                let (x, y) = (self.formula(x), self.formula(y));
                self.binary(op, x, y)
            }
            Kind::Prefix(op, x) => self.prefix(op, x),
            Kind::Infix(op, x, y) => {
                let (x, y) = (self.formula(x), self.formula(y));
                self.infix(op, x, y)
            }
            Kind::Steps {
                which,
                event,
                count,
                body,
                word,
            } => {
                let body = self.formula(body);
                let event = event.map(|e| self.formula(e));
                let (low, high) = self.bounds(count);
                match event {
                    Some(event) => {
                        let strong = word.ends_with('!');
                        self.events(strong, which, event, (low, high), body)
                    }
                    None => self.steps(which, low, high, body),
                }
            }
            Kind::Suffix {
                overlap,
                premise,
                then,
                ..
            } => {
                let mut end = match self.is_sere(then) {
                    true => self.somewhere(then),
                    false => self.formula(then),
                };
                if !overlap {
                    end = self.later(end);
                }
                let missed = self.not(end);
                let broken = self.until_last(premise, missed);
                self.not(broken)
            }
            Kind::Forall { .. } => self.forall(n, Self::formula),
            _ => self.constant(true),
        }
    }

    /// A word of the SERE begins here.
    fn somewhere(&mut self, r: Node) -> ExprId {
        let end = self.constant(true);
        self.until_last(r, end)
    }

    fn prefix(&mut self, op: Prefix, x: Node) -> ExprId {
        let x = match self.is_sere(x) {
            true => self.somewhere(x),
            false => self.formula(x),
        };
        let op = match op {
            Prefix::Always | Prefix::G => UnOp::G,
            Prefix::Never => {
                let x = self.not(x);
                return self.unary(UnOp::G, x);
            }
            Prefix::Eventually | Prefix::F => UnOp::F,
            Prefix::Next { .. } | Prefix::X { .. } => UnOp::X,
            Prefix::Ax => UnOp::Ax,
            Prefix::Af => UnOp::Af,
            Prefix::Ag => UnOp::Ag,
            Prefix::Ex => UnOp::Ex,
            Prefix::Ef => UnOp::Ef,
            Prefix::Eg => UnOp::Eg,
        };
        self.unary(op, x)
    }

    fn infix(&mut self, op: Infix, x: ExprId, y: ExprId) -> ExprId {
        match op {
            Infix::Until { strong, inclusive } => {
                let y = match inclusive {
                    true => self.binary(BinOp::And, x, y),
                    false => y,
                };
                self.until(strong, x, y)
            }
            Infix::Before { strong, inclusive } => {
                let no = self.not(y);
                let x = match inclusive {
                    true => x,
                    false => self.binary(BinOp::And, x, no),
                };
                self.until(strong, no, x)
            }
            Infix::U { weak } => self.until(!weak, x, y),
            Infix::CtlU { all: true } => self.binary(BinOp::Au, x, y),
            Infix::CtlU { all: false } => self.binary(BinOp::Eu, x, y),
            Infix::Abort => x,
        }
    }

    /// The first and the last of the steps that a count names; 1 without one.
    fn bounds(&self, count: Option<Count>) -> (i64, i64) {
        match count {
            None => (1, 1),
            Some(Count::Range(low, Some(high))) => {
                (self.int(low).unwrap_or(1), self.int(high).unwrap_or(1))
            }
            Some(count) => {
                let n = number(self.ast, count).unwrap_or(1);
                (n, n)
            }
        }
    }

    /// `next[n]`, `next_a[i:j]`, `next_e[i:j]`.
    fn steps(&mut self, which: Which, low: i64, high: i64, body: ExprId) -> ExprId {
        let op = match which {
            Which::Some => BinOp::Or,
            _ => BinOp::And,
        };
        let mut out = body;
        for _ in low..high {
            let later = self.unary(UnOp::X, out);
            out = self.binary(op, body, later);
        }
        self.next(low, out)
    }

    /// `next_event...`: from the last event to the first.
    fn events(
        &mut self,
        strong: bool,
        which: Which,
        event: ExprId,
        (low, high): (i64, i64),
        body: ExprId,
    ) -> ExprId {
        let no = self.not(event);
        let mut later: Option<ExprId> = None;
        for i in (1..=high.max(1)).rev() {
            let further = later.map(|l| self.unary(UnOp::X, l));
            let here = match (further, i >= low) {
                (None, _) => body,
                (Some(further), false) => further,
                (Some(further), true) => {
                    let op = match which {
                        Which::Some => BinOp::Or,
                        _ => BinOp::And,
                    };
                    self.binary(op, body, further)
                }
            };
            let found = self.binary(BinOp::And, event, here);
            later = Some(self.until(strong, no, found));
        }
        later.unwrap_or(body)
    }

    /// Conjunction of a body over all values of its variable.
    fn forall(&mut self, n: Node, each: fn(&mut Self, Node) -> ExprId) -> ExprId {
        let Kind::Forall {
            var, values, body, ..
        } = self.tree.kind(n)
        else {
            return self.constant(true);
        };
        let mut all = Vec::new();
        match values {
            None => all.extend([self.constant(true), self.constant(false)]),
            Some(values) => {
                for value in values {
                    match *value {
                        ForallValue::One(n) => all.push(self.formula(n)),
                        ForallValue::Range(low, high) => {
                            let low = self.int(low).unwrap_or(0);
                            let high = high.and_then(|e| self.int(e)).unwrap_or(low);
                            let high = high.min(low.saturating_add(MAX_STEPS));
                            all.extend((low..=high).map(|i| self.push(ExprKind::Int(i))));
                        }
                    }
                }
            }
        }
        let mut out = None;
        for value in all {
            self.values.push((*var, value));
            let one = each(self, *body);
            self.values.pop();
            out = Some(match out {
                None => one,
                Some(before) => self.binary(BinOp::And, before, one),
            });
        }
        out.unwrap_or_else(|| self.constant(true))
    }

    /// An expression with the variables of `forall` replaced by their values.
    fn instance(&mut self, e: ExprId) -> ExprId {
        if self.values.is_empty() {
            return e;
        }
        let values = self.values.clone();
        let mut done = FxHashMap::default();
        copy(self.ast, e, &values, &mut done)
    }

    /// Types that NuSMV asks for, operands first.
    fn demand(&mut self, n: Node) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.demand_of(n));
    }

    fn demand_of(&mut self, n: Node) {
        if let Kind::Forall { .. } = self.tree.kind(n) {
            self.forall(n, |b, body| {
                b.demand(body);
                let operand = b.operand(body);
                b.ask(
                    "illegal operand type of forall property:".to_owned(),
                    vec![(" ", operand)],
                    "",
                );
                b.constant(true)
            });
            return;
        }
        for part in self.parts(n) {
            self.demand(part);
        }
        let types = |name: &str| format!("illegal operand types of \"{name}\" :");
        match *self.tree.kind(n) {
            Kind::Connective(op, x, y) => {
                let (x, y) = (self.operand(x), self.operand(y));
                self.ask(types(op.text()), vec![(" ", x), (" and ", y)], "");
            }
            Kind::Prefix(op, x) => {
                if self.is_sere(x) {
                    return;
                }
                let x = self.operand(x);
                let (name, smv, round) = prefix_name(op);
                let lead = match smv {
                    true => format!("illegal operand type of \"{name}\" :"),
                    false => types(name),
                };
                match round {
                    true => self.ask(lead, vec![("  (", x)], ")"),
                    false => self.ask(lead, vec![(" ", x)], ""),
                }
            }
            Kind::Infix(op, x, y) => {
                let (x, y) = (self.operand(x), self.operand(y));
                self.ask(types(infix_name(op)), vec![(" ", x), (" and ", y)], "");
            }
            Kind::Steps {
                word,
                event,
                count,
                body,
                ..
            } => {
                let (low, high) = self.bounds(count);
                let least = i64::from(event.is_some());
                let count = count.map(|c| match c {
                    Count::Number(n) if self.is_typed(n) => Operand::Value(n),
                    _ => Operand::Count {
                        range: matches!(c, Count::Range(..)),
                        fits: low >= least && low <= high,
                    },
                });
                let event = event.map(|e| self.operand(e));
                let body = self.operand(body);
                let operands = match (event, count) {
                    (Some(event), Some(count)) => {
                        vec![("  (", event), (") [", count), ("] (", body)]
                    }
                    (Some(event), None) => vec![("  (", event), (") (", body)],
                    (None, Some(count)) => vec![("  [", count), ("] (", body)],
                    (None, None) => vec![("  (", body)],
                };
                self.ask(types(word), operands, ")");
            }
            Kind::Suffix { overlap, then, .. } if !self.is_sere(then) => {
                let then = self.operand(then);
                let lead = "illegal operand types of suffix implication:".to_owned();
                let arrow = if overlap { " |-> " } else { " |=> " };
                let operands = vec![(" ", Operand::Formula), (arrow, then)];
                self.ask(lead, operands, "");
            }
            Kind::Step(x) => {
                let text = print::property(self.ast, self.tree, n);
                let x = self.operand(x);
                self.ask(format!("illegal sere type of {text} :"), vec![(" ", x)], "");
            }
            _ => {}
        }
    }

    fn operand(&mut self, n: Node) -> Operand {
        match *self.tree.kind(n) {
            Kind::Value(e) => Operand::Value(self.instance(e)),
            _ => Operand::Formula,
        }
    }

    fn ask(&mut self, lead: String, operands: Vec<(&'static str, Operand)>, end: &'static str) {
        let trivial =
            |o: &Operand| matches!(o, Operand::Formula | Operand::Count { fits: true, .. });
        if !operands.iter().all(|(_, o)| trivial(o)) {
            self.demands.push(Demand {
                lead,
                operands,
                end,
            });
        }
    }
}

/// Name; whether it is typed as SMV's operators are; whether the type stands in parentheses.
fn prefix_name(op: Prefix) -> (&'static str, bool, bool) {
    use Prefix::*;
    match op {
        Always => ("always", false, false),
        Never => ("never", false, false),
        Eventually => ("eventually!", false, false),
        Next { strong: false } => ("next", false, true),
        Next { strong: true } => ("next!", false, true),
        X { strong: false } => ("X", false, true),
        X { strong: true } => ("X!", false, true),
        F => ("F", true, false),
        G => ("G", true, false),
        Ax => ("AX", true, false),
        Af => ("AF", true, false),
        Ag => ("AG", true, false),
        Ex => ("EX", true, false),
        Ef => ("EF", true, false),
        Eg => ("EG", true, false),
    }
}

fn infix_name(op: Infix) -> &'static str {
    match op {
        Infix::CtlU { all: true } => "A-U",
        Infix::CtlU { all: false } => "E-U",
        other => print::infix_word(other),
    }
}

/// A copy of `e` with names replaced; parts without them are shared.
fn copy(
    ast: &mut Ast,
    e: ExprId,
    values: &[(Name, ExprId)],
    done: &mut FxHashMap<ExprId, ExprId>,
) -> ExprId {
    if let Some(&known) = done.get(&e) {
        return known;
    }
    let new = stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
        let old = ast.expr(e).clone();
        let mut go = |x: ExprId, ast: &mut Ast| copy(ast, x, values, done);
        use ExprKind::*;
        let kind = match old.kind.clone() {
            Ident(name) => match values.iter().rev().find(|(n, _)| *n == name) {
                Some((_, value)) => return *value,
                None => return e,
            },
            Dot(x, name) => Dot(go(x, ast), name),
            Index(x, i) => Index(go(x, ast), go(i, ast)),
            Unary(op, x) => Unary(op, go(x, ast)),
            Binary(op, x, y) => Binary(op, go(x, ast), go(y, ast)),
            Ite(c, x, y) => Ite(go(c, ast), go(x, ast), go(y, ast)),
            Case(arms) => Case(
                arms.iter()
                    .map(|arm| CaseArm {
                        cond: go(arm.cond, ast),
                        value: go(arm.value, ast),
                        line: arm.line,
                    })
                    .collect(),
            ),
            Call(func, args) => Call(func, args.iter().map(|&x| go(x, ast)).collect()),
            other => other,
        };
        match kind == old.kind {
            true => e,
            false => ast.push(kind, old.span, old.line),
        }
    });
    done.insert(e, new);
    new
}
