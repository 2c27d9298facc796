//! Checks on assignments: repeated, mixed, to inputs or frozen variables, circular.
//!
//! Circularity is searched per process, depth first over expressions with a mark per (expression,
//! time), so in linear time. `x := e` depends on what `e` mentions now, `init(x) := e` on that and
//! on other `init`s, `next(x) := e` on what `e` mentions under `next`.

use crate::base::deep;
use crate::diag::Diagnostic;
use crate::model::{ExprId, FlatModel, Node, VarId, VarKind};
use rustc_hash::{FxHashMap, FxHashSet};
use smv_grammar::ast::{AssignKind, Site};
use smv_grammar::ops::UnOp;

/// An assignment of one process.
#[derive(Clone, Debug)]
pub struct ProcessAssign {
    /// Number of the process, 0 for main.
    pub process: usize,
    /// When it counts.
    pub kind: AssignKind,
    /// Which variable is assigned.
    pub var: VarId,
    /// What it gets.
    pub rhs: ExprId,
    /// Its line is that of the `:=`.
    pub site: Site,
    /// Of the operator on the right side, 0 if there is none.
    pub value_line: u32,
}

type Checked = Result<(), Box<Diagnostic>>;

/// `x`, `init(x)` or `next(x)`.
pub fn label(model: &FlatModel, kind: AssignKind, var: VarId) -> String {
    let name = &model.var(var).name;
    match kind {
        AssignKind::Current => name.clone(),
        AssignKind::Init => format!("init({name})"),
        AssignKind::Next => format!("next({name})"),
    }
}

fn error(a: &ProcessAssign, text: String) -> Checked {
    Err(Box::new(Diagnostic::model(a.site, text)))
}

/// The same kind of assignment twice; of `next` in models with processes see [`check_circular`].
pub fn check_repeated(model: &FlatModel, assigns: &[ProcessAssign]) -> Checked {
    let mut seen = FxHashSet::default();
    for a in assigns {
        let later = a.kind == AssignKind::Next && model.has_process;
        if !later && !seen.insert((a.kind, a.var)) {
            let name = &model.var(a.var).name;
            return error(a, format!("variable is assigned more than once: {name}"));
        }
    }
    Ok(())
}

/// Assignments to inputs, and to frozen variables other than initially.
pub fn check_targets(model: &FlatModel, assigns: &[ProcessAssign]) -> Checked {
    for a in assigns {
        let var = model.var(a.var);
        let name = &var.name;
        match (var.kind, a.kind) {
            (VarKind::Input, kind) => {
                let what = match kind {
                    AssignKind::Init => "initial value",
                    AssignKind::Next => "next value",
                    AssignKind::Current => "value",
                };
                let text = format!("illegal assignment of {what} to input variable \"{name}\"");
                return error(a, text);
            }
            (VarKind::Frozen, AssignKind::Next | AssignKind::Current) => {
                let text = format!(
                    "illegal assignment to frozen variable \"{name}\". Assignment of an initial \
                     value only is allowed."
                );
                return error(a, text);
            }
            _ => {}
        }
    }
    Ok(())
}

/// `x := ...` beside `init(x) := ...` or `next(x) := ...`.
pub fn check_mixed(model: &FlatModel, assigns: &[ProcessAssign]) -> Checked {
    let mut others: FxHashMap<VarId, Vec<&ProcessAssign>> = FxHashMap::default();
    for a in assigns {
        others.entry(a.var).or_default().push(a);
    }
    for a in assigns.iter().filter(|a| a.kind == AssignKind::Current) {
        let rest = &others[&a.var];
        if let Some(b) = rest.iter().find(|b| b.kind != AssignKind::Current) {
            let (first, second) = (label(model, a.kind, a.var), label(model, b.kind, b.var));
            return error(
                a,
                format!("assigned {first}, line {}: assigned {second}", b.site.line),
            );
        }
    }
    Ok(())
}

/// At which time an expression is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Time {
    /// For `x := e`.
    Now,
    /// For `init(x) := e`: `init`s count too.
    Init,
    /// For `next(x) := e`: only what is under `next` counts.
    Step,
    /// Inside `next`.
    Then,
}

struct Search<'a> {
    model: &'a FlatModel,
    define_lines: &'a [u32],
    by_target: FxHashMap<(AssignKind, VarId), &'a ProcessAssign>,
    done: FxHashSet<(ExprId, Time)>,
    busy: Vec<(AssignKind, VarId)>,
    finished: FxHashSet<(AssignKind, VarId, Time)>,
    /// Of the assignment the search began with.
    site: Site,
}

/// Combinational loops and repeated `next`, per process. `define_lines` are the lines shown in "in definition of".
pub fn check_circular(
    model: &FlatModel,
    define_lines: &[u32],
    assigns: &[ProcessAssign],
) -> Checked {
    let processes = assigns.iter().map(|a| a.process + 1).max().unwrap_or(0);
    let mut groups: Vec<Vec<&ProcessAssign>> = vec![Vec::new(); processes];
    for a in assigns {
        groups[a.process].push(a);
    }
    for group in groups {
        let by_target = group.iter().map(|&a| ((a.kind, a.var), a)).collect();
        let mut s = Search {
            model,
            define_lines,
            by_target,
            done: FxHashSet::default(),
            busy: Vec::new(),
            finished: FxHashSet::default(),
            site: Site::default(),
        };
        let mut seen = FxHashSet::default();
        for a in &group {
            if !seen.insert((a.kind, a.var)) {
                let shown = label(model, a.kind, a.var);
                return error(a, format!("multiply assigned: {shown}"));
            }
        }
        for a in group {
            s.site = a.site;
            let time = match a.kind {
                AssignKind::Current => Time::Now,
                AssignKind::Init => Time::Init,
                AssignKind::Next => Time::Step,
            };
            let shown = format!("{} at line {}", label(model, a.kind, a.var), a.site.line);
            s.assign(a, time, &shown)?;
        }
    }
    Ok(())
}

impl Search<'_> {
    fn fail(&self, text: String) -> Checked {
        Err(Box::new(Diagnostic::expression(self.site, text)))
    }

    fn within(result: Checked, shown: &str) -> Checked {
        result.map_err(|mut d| {
            d.text += &format!("\nin definition of {shown}");
            d
        })
    }

    fn assign(&mut self, a: &ProcessAssign, time: Time, shown: &str) -> Checked {
        let key = (a.kind, a.var);
        if self.finished.contains(&(a.kind, a.var, time)) {
            return Ok(());
        }
        if self.busy.contains(&key) {
            return self.fail(format!(
                "recursively defined: {}",
                self.model.var(a.var).name
            ));
        }
        self.busy.push(key);
        Self::within(self.visit(a.rhs, time), shown)?;
        self.busy.pop();
        self.finished.insert((a.kind, a.var, time));
        Ok(())
    }

    fn visit(&mut self, e: ExprId, time: Time) -> Checked {
        if self.done.contains(&(e, time)) {
            return Ok(());
        }
        // Marked when left, not when entered: whoever comes back meanwhile is on a cycle.
        self.operands(e, time)?;
        if !matches!(self.model.pool.node(e), Node::Var(_)) {
            self.done.insert((e, time));
        }
        Ok(())
    }

    fn operands(&mut self, e: ExprId, time: Time) -> Checked {
        let model = self.model;
        match model.pool.node(e) {
            Node::Var(v) => self.variable(*v, time),
            Node::Define(d) => {
                let def = model.define(*d);
                let shown = match (time, self.define_lines.get(d.0 as usize)) {
                    (Time::Then, _) => format!("next({})", def.name),
                    (_, Some(&line)) if line > 0 => format!("{} at line {line}", def.name),
                    _ => def.name.clone(),
                };
                Self::within(deep(|| self.visit(def.body, time)), &shown)
            }
            Node::Unary(UnOp::Next, a) => match time {
                Time::Now | Time::Init => {
                    let shown = model.text(e);
                    self.fail(format!("found unexpected next operator: {shown}"))
                }
                Time::Step => deep(|| self.visit(*a, Time::Then)),
                Time::Then => {
                    let shown = model.text(e);
                    self.fail(format!("nested NEXT operators: {shown}"))
                }
            },
            node => {
                let mut result = Ok(());
                node.for_each_operand(|a| {
                    if result.is_ok() {
                        result = deep(|| self.visit(a, time));
                    }
                });
                result
            }
        }
    }

    fn variable(&mut self, v: VarId, time: Time) -> Checked {
        let name = &self.model.var(v).name;
        let find = |s: &Self, kind| s.by_target.get(&(kind, v)).copied();
        match time {
            Time::Step => Ok(()),
            Time::Now | Time::Init => {
                if let Some(a) = find(self, AssignKind::Current) {
                    let shown = format!("{name} at line {}", a.site.line);
                    return deep(|| self.assign(a, time, &shown));
                }
                match find(self, AssignKind::Init) {
                    Some(a) if time == Time::Init => deep(|| self.assign(a, time, name)),
                    _ => Ok(()),
                }
            }
            Time::Then => match find(self, AssignKind::Next) {
                Some(a) => {
                    let shown = format!("next({name}) at line {}", a.site.line);
                    deep(|| self.assign(a, Time::Step, &shown))
                }
                None => Ok(()),
            },
        }
    }
}
