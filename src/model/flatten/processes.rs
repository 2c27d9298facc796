//! Processes: one of them moves per step, chosen by the input `_process_selector_`.
//!
//! A `next(x)` assigned in processes p and q becomes
//! `case sel = q : e_q; sel = p : e_p; TRUE : x; esac`; all other sections hold whoever moves.
//! Each process has `running := _process_selector_ = its name`.

use super::scope::{PathId, ROOT, Symbol};
use super::{Body, Fallible, Flattener};
use crate::diag::Diagnostic;
use crate::model::{ExprId, Node, Value, VarId, VarType};
use smv_grammar::ast::{Site, VarKind};
use smv_grammar::ops::BinOp;

/// `main` or an instance declared with `process`.
#[derive(Debug)]
pub(super) struct Process {
    path: PathId,
    children: Vec<usize>,
}

impl Process {
    pub fn main() -> Self {
        Process {
            path: ROOT,
            children: Vec::new(),
        }
    }
}

impl Flattener<'_> {
    pub(super) fn new_process(&mut self, parent: usize, path: PathId) -> usize {
        let id = self.processes.len();
        self.processes.push(Process {
            path,
            children: Vec::new(),
        });
        self.processes[parent].children.push(id);
        id
    }

    fn process_name(&self, process: usize) -> String {
        match self.processes[process].path {
            ROOT => "main".to_owned(),
            path => self.scope.full_name(path),
        }
    }

    /// Whether an instance is a process, whose name is a value of the selector.
    pub(super) fn is_process(&self, path: PathId) -> bool {
        self.model.has_process && self.processes.iter().any(|p| p.path == path)
    }

    /// The processes, each before its own, later declared ones first.
    fn process_order(&self) -> Vec<usize> {
        let mut out = Vec::new();
        let mut stack = vec![0];
        while let Some(p) = stack.pop() {
            out.push(p);
            // The last child is popped first.
            stack.extend(&self.processes[p].children);
        }
        out
    }

    /// Declares the selector and `running` of each process, if there are any.
    pub(super) fn declare_processes(&mut self) -> Fallible<()> {
        if self.processes.len() < 2 {
            return Ok(());
        }
        self.model.has_process = true;
        self.warn(
            "WARNING *** Processes are still supported, but deprecated.      ***\n\
             WARNING *** In the future processes may be no longer supported. ***\n"
                .to_owned(),
        );
        let order = self.process_order();
        let selector = self.operational(ROOT, "_process_selector_")?;
        let mut values = Vec::new();
        for &p in &order {
            let name = self.process_name(p);
            let sym = self.model.pool.symbol(&name);
            values.push(Value::Sym(sym));
            if self.processes[p].path == ROOT {
                let main = self.scope.intern(&name);
                self.scope.add_constant(main, sym);
            }
            self.model.constants.push(name);
        }
        let site = Site::default();
        let name = "_process_selector_".to_owned();
        let symbol = self.add_variable(ROOT, VarKind::Input, name, VarType::Enum(values), site);
        self.scope.set_symbol(selector, symbol);
        if let Symbol::Var(v) = symbol {
            self.model.process_selector = Some(v);
        }
        for p in order {
            let path = self.operational(self.processes[p].path, "running")?;
            let body = Body::Running(self.process_name(p));
            let def = self.new_def(self.scope.full_name(path), body, site);
            self.scope.set_symbol(path, Symbol::Define(def));
        }
        Ok(())
    }

    /// The path of a name that users may not declare.
    fn operational(&mut self, parent: PathId, name: &str) -> Fallible<PathId> {
        let interned = self.scope.intern(name);
        let path = self.scope.make_child(parent, interned);
        if self.scope.symbol(path).is_some() {
            let text = format!("operational symbol \"{name}\" is redefined by a user");
            let site = Site::of_line(self.last_line);
            return Err(Box::new(Diagnostic::model(site, text)));
        }
        Ok(path)
    }

    /// `_process_selector_ = name`.
    pub(super) fn running(&mut self, name: &str) -> ExprId {
        let site = Site::default();
        let sym = self.model.pool.symbol(name);
        let selector = self.model.process_selector.unwrap_or(VarId(0));
        let selector = self.mk(Node::Var(selector), site);
        let name = self.mk(Node::Const(Value::Sym(sym)), site);
        self.mk(Node::Binary(BinOp::Eq, selector, name), site)
    }

    /// Merges what processes assign to `next(var)`; the given pairs are (process, value).
    pub(super) fn merge_next(&mut self, var: VarId, values: &[(usize, ExprId)]) -> ExprId {
        let site = Site::default();
        let mut order = self.process_order();
        // The enclosing process comes after those it encloses.
        order.rotate_left(1);
        let mut out = self.mk(Node::Var(var), site);
        for &p in order.iter().rev() {
            if let Some(&(_, value)) = values.iter().find(|(q, _)| *q == p) {
                let name = self.process_name(p);
                let running = self.running(&name);
                out = self.mk_either(Node::Ite(running, value, out), true, site);
            }
        }
        out
    }
}
