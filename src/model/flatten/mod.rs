//! Flattening: source tree → [`FlatModel`].
//!
//! Stages, in NuSMV's order, since the first error decides the message:
//! 1. [`instantiate`]: instances, variables ([`declarations`]), DEFINE and property names;
//! 2. [`sections`]: INIT, TRANS, INVAR, fairness and assignments become pool expressions
//!    ([`expressions`], [`names`], [`arrays`], [`functions`]); unknown names end the run here;
//! 3. multiple assignments ([`crate::model::dependencies`]), misplaced `next`;
//! 4. DEFINEs nobody used yet;
//! 5. collected type errors, then misplaced inputs, then circular assignments;
//! 6. [`properties`], kind by kind.
//!
//! Normal forms: `next` stays around expressions as written and is never nested; a computed array
//! index is an `Ite` chain ending in `Fail`; so is a `case` without a constant TRUE at its end;
//! assignments of processes are merged per variable ([`processes`]).

mod ahead;
mod arrays;
mod cells;
mod constants;
mod declarations;
mod expressions;
mod extend;
mod functions;
mod instantiate;
mod names;
mod next;
mod processes;
mod properties;
mod psl;
mod queries;
mod scope;
mod sections;
#[cfg(test)]
mod tests;

pub use extend::{Extra, extend};

use super::arith::DivMode;
use super::types::Type;
use super::{DefineId, ExprId, FlatModel, Node, Source, Value, VarId};
use crate::diag::{Diagnostic, Diagnostics, Severity};
use rustc_hash::FxHashMap;
use scope::{ArrayDecl, DefId, PathId, ROOT, Scope};
use smv_grammar::ast::{self, Ast, Site};
use std::rc::Rc;

/// Options that change what a model means or is accepted.
#[derive(Clone, Debug, Default)]
pub struct FlattenOptions {
    /// `-keep_single_value_vars`
    pub keep_single_value_vars: bool,
    /// `-old`: Booleans and integers mix.
    pub old: bool,
    /// `-old_div_op`
    pub old_div_op: bool,
    /// `-disable_syntactic_checks`: circular and mixed assignments pass.
    pub disable_syntactic_checks: bool,
}

/// Flattens a file. Warnings are in [`FlatModel::warnings`], or before the error in `Err`.
pub fn flatten(source: &Source, options: &FlattenOptions) -> Result<FlatModel, Diagnostics> {
    if let Some(d) = repeated_module(&source.ast) {
        return Err(Diagnostics {
            items: vec![d],
            while_reading: true,
            ..Diagnostics::default()
        });
    }
    let mut f = Flattener::new(source, options);
    match f.run() {
        Ok(()) => Ok(f.finish()),
        Err(d) => {
            f.messages.push(*d);
            Err(Diagnostics {
                items: f.messages,
                while_reading: false,
                processes: f.at_properties && (f.model.has_process || f.model.has_isa),
                compassion: f.at_properties && !f.model.compassion.is_empty(),
            })
        }
    }
}

/// Two modules of one name.
fn repeated_module(ast: &Ast) -> Option<Diagnostic> {
    let mut seen = rustc_hash::FxHashSet::default();
    let again = ast.modules.iter().find(|m| !seen.insert(m.name))?;
    let text = format!(
        "multiple declaration of identifier: {}",
        ast.name(again.name)
    );
    Some(Diagnostic::model(Site::new(again.span, 0), text))
}

/// Errors are boxed: they are large and rare.
type Fallible<T> = Result<T, Box<Diagnostic>>;

/// A flattened expression: a scalar, or an array whose cells are.
#[derive(Clone, Debug)]
enum Flat {
    Scalar(ExprId),
    Array(Rc<FlatArray>),
}

#[derive(Clone, Debug)]
struct FlatArray {
    lo: i64,
    cells: Vec<Flat>,
}

/// A type complaint at an occurrence.
#[derive(Clone, Debug)]
struct Complaint {
    warning: bool,
    site: Site,
    text: String,
}

/// Where a definition's value comes from.
#[derive(Clone, Debug)]
enum Body {
    Expr(ast::ExprId, PathId),
    /// The only value of a variable, and where it was declared.
    Const(Value, PathId),
    /// `running` of the process with this name: `_process_selector_ = name`.
    Running(String),
}

/// State of a definition or parameter.
#[derive(Clone, Debug)]
enum Progress {
    Todo,
    Busy,
    Done(Flat, Rc<[Complaint]>),
}

/// A definition before it is numbered: array-valued ones get no number of their own.
#[derive(Debug)]
struct Def {
    name: String,
    body: Body,
    id: Option<DefineId>,
    site: Site,
    /// Line NuSMV shows in "in definition of"; 0 for none.
    name_line: u32,
    progress: Progress,
    /// Constant value, once asked for.
    constant: Option<Option<Value>>,
}

/// An actual parameter, seen from the context of the instance's declaration.
#[derive(Debug)]
struct Param {
    path: PathId,
    actual: ast::ExprId,
    context: PathId,
    progress: Progress,
}

/// An assignment waiting to be flattened, or flattened.
#[derive(Clone, Debug)]
struct RawAssign {
    process: usize,
    context: PathId,
    kind: ast::AssignKind,
    target: ast::ExprId,
    rhs: ast::ExprId,
    site: Site,
}

/// A section's expression and the instance it stands in.
#[derive(Clone, Copy, Debug)]
struct Pending {
    context: PathId,
    expr: ast::ExprId,
    /// Of the section's keyword.
    line: u32,
}

/// The sections of all instances, in flattening order.
#[derive(Debug, Default)]
struct Sections<'a> {
    init: Vec<Pending>,
    invar: Vec<Pending>,
    trans: Vec<Pending>,
    justice: Vec<Pending>,
    compassion: Vec<(Pending, Pending)>,
    assigns: Vec<RawAssign>,
    specs: Vec<(PathId, &'a ast::Spec)>,
    queries: Vec<(PathId, &'a ast::Spec)>,
}

struct Flattener<'a> {
    ast: &'a Ast,
    options: &'a FlattenOptions,
    scope: Scope,
    model: FlatModel,
    /// Properties of nodes that the checks need, in step with the pool.
    flags: Vec<next::Flags>,
    defs: Vec<Def>,
    params: Vec<Param>,
    arrays: Vec<ArrayDecl>,
    sections: Sections<'a>,
    processes: Vec<processes::Process>,
    modules: FxHashMap<ast::Name, usize>,
    messages: Vec<Diagnostic>,
    /// Complaints about the root expression at hand.
    complaints: Vec<Complaint>,
    /// Definitions being flattened within each other.
    nesting: usize,
    /// An error was met in [`ahead`], which recursion will report.
    wrong_ahead: bool,
    /// Operands of the `min`, `max` and `abs` at hand, which mention them more than once.
    shared: FxHashMap<(ast::ExprId, scope::PathId), Flat>,
    /// Complaints about declarations, reported with the type errors.
    declaration_errors: Vec<Diagnostic>,
    /// Undefined names are type errors (properties) rather than fatal (sections).
    in_property: bool,
    /// Line of the keyword of the property at hand.
    property_line: u32,
    /// Line of the first property of its kind, shown with unknown names.
    kind_line: u32,
    /// Of the assignment treated last; 0 without one.
    assign_line: u32,
    /// Line of the declaration treated last, which NuSMV shows in places.
    last_line: u32,
    /// What `-old` let pass in assignments.
    old_warnings: Vec<String>,
    /// Of the type of the variable declared last; 0 before the first.
    type_line: u32,
    /// Where NuSMV thinks that the name of a variable stands: at the declaration before its own.
    name_lines: FxHashMap<crate::model::VarId, u32>,
    /// The same for instances.
    instance_lines: FxHashMap<PathId, u32>,
    /// Everything but the properties is flattened.
    at_properties: bool,
    /// Word arrays were declared, which no finite model has.
    infinite: bool,
    property_names: rustc_hash::FxHashSet<String>,
    /// An array DEFINE with cells of different types (NuSMV has no message for it).
    mixed_array: bool,
    /// What the placeholders of the query at hand range over, once one was met.
    placeholder: Option<Vec<VarId>>,
}

impl<'a> Flattener<'a> {
    fn new(source: &'a Source, options: &'a FlattenOptions) -> Self {
        let ast = &source.ast;
        let mut modules = FxHashMap::default();
        for (i, m) in ast.modules.iter().enumerate() {
            modules.entry(m.name).or_insert(i);
        }
        let div_mode = if options.old_div_op {
            DivMode::Old
        } else {
            DivMode::Truncate
        };
        Flattener {
            ast,
            options,
            scope: Scope::new(ast),
            model: FlatModel {
                div_mode,
                ..FlatModel::default()
            },
            flags: Vec::new(),
            defs: Vec::new(),
            params: Vec::new(),
            arrays: Vec::new(),
            sections: Sections::default(),
            processes: vec![processes::Process::main()],
            modules,
            messages: Vec::new(),
            shared: FxHashMap::default(),
            complaints: Vec::new(),
            nesting: 0,
            wrong_ahead: false,
            declaration_errors: Vec::new(),
            in_property: false,
            property_line: 0,
            kind_line: 0,
            assign_line: 0,
            last_line: 0,
            old_warnings: Vec::new(),
            type_line: 0,
            name_lines: FxHashMap::default(),
            instance_lines: FxHashMap::default(),
            at_properties: false,
            infinite: false,
            property_names: rustc_hash::FxHashSet::default(),
            mixed_array: false,
            placeholder: None,
        }
    }

    fn run(&mut self) -> Fallible<()> {
        self.warn_about_old_cases();
        let main = self.scope.intern("main");
        let Some(&module) = self.modules.get(&main) else {
            let text = "\"main\" undefined";
            return Err(Box::new(Diagnostic::model(Site::default(), text)));
        };
        self.instantiate_main(module)?;
        self.declare_processes()?;
        self.number_defines();
        self.flatten_sections()?;
        self.at_properties = true;
        self.flatten_properties()?;
        self.repeat_old_warnings();
        self.flatten_queries()?;
        for a in self.model.assigns.iter_mut().filter(|a| a.line == 0) {
            a.line = self.last_line;
        }
        if self.infinite {
            let text = "Impossible to build a BDD FSM with infinite precision variables";
            let site = Site::of_line(self.last_line);
            return Err(Box::new(Diagnostic::model(site, text)));
        }
        Ok(())
    }

    fn finish(mut self) -> FlatModel {
        self.model.warnings = self.messages;
        self.model
    }

    /// Adds a node; its type, flags and complaints are recorded.
    fn mk(&mut self, node: Node, site: Site) -> ExprId {
        self.mk_either(node, false, site)
    }

    fn mk_either(&mut self, node: Node, case: bool, site: Site) -> ExprId {
        let pool = &mut self.model.pool;
        let id = if case {
            pool.add_case(node, site)
        } else {
            pool.add(node, site)
        };
        let i = id.0 as usize;
        let new = i >= self.model.types.len();
        if new || self.options.old || self.model.types[i] == Type::Error {
            let mut issues = Vec::new();
            let model = &self.model;
            let node = model.pool.node(id);
            let look = |e: ExprId| model.types[e.0 as usize].clone();
            let ty =
                super::types::rules::infer(node, case, model, &look, self.options.old, &mut issues);
            for issue in issues {
                let super::types::rules::Issue { warning, text } = issue;
                self.complaints.push(Complaint {
                    warning,
                    site,
                    text,
                });
            }
            if new {
                self.model.types.push(ty);
                let flags = self.compute_flags(id);
                self.flags.push(flags);
            }
        }
        id
    }

    /// Records type and flags of nodes that were added past [`Self::mk`].
    fn extend_types(&mut self) {
        self.model.extend_types();
        for i in self.flags.len()..self.model.pool.len() {
            let flags = self.compute_flags(ExprId(i as u32));
            self.flags.push(flags);
        }
    }

    fn type_of(&self, id: ExprId) -> &Type {
        &self.model.types[id.0 as usize]
    }

    /// A node of no type, in place of what could not be resolved.
    fn poison(&mut self, site: Site) -> ExprId {
        self.mk(
            Node::Array {
                lo: 0,
                cells: Vec::new(),
            },
            site,
        )
    }

    /// What an expression of the source was flattened to.
    fn value(&mut self, of: ast::ExprId, node: Node) -> Fallible<Flat> {
        let site = self.ast.site(of);
        Ok(Flat::Scalar(self.mk(node, site)))
    }

    /// An expression of the source that could not be resolved, which has been said.
    fn no_value(&mut self, of: ast::ExprId) -> Fallible<Flat> {
        let site = self.ast.site(of);
        Ok(Flat::Scalar(self.poison(site)))
    }

    /// Moves the complaints about the last root into the messages.
    fn report_complaints(&mut self, complaints: Vec<Complaint>) -> bool {
        let mut errors = false;
        for c in complaints {
            errors |= !c.warning;
            self.messages.push(if c.warning {
                Diagnostic::type_warning(c.site, c.text)
            } else {
                Diagnostic::type_error(c.site, c.text)
            });
        }
        errors
    }

    /// Under `-old` a last `1 : value` stands for `TRUE : value`.
    fn warn_about_old_cases(&mut self) {
        if !self.options.old {
            return;
        }
        let arms = self.ast.exprs.iter().filter_map(|e| match &e.kind {
            ast::ExprKind::Case(arms) => Some(arms),
            _ => None,
        });
        let mut first = true;
        for arm in arms.flatten() {
            let cond = self.ast.expr(arm.cond);
            if cond.kind == ast::ExprKind::Int(1) {
                if std::mem::take(&mut first) {
                    let note = "\nWARNING *** Option backward_compatibility (-old) is deprecate ***\n\
                                WARNING *** and will no longer be supported in future NuSMV versions. ***\n";
                    self.messages
                        .push(Diagnostic::bare(Severity::Warning, note));
                }
                let text = "Deprecated use of \"1\" for case condition";
                self.messages
                    .push(Diagnostic::deprecated(Site::new(cond.span, arm.line), text));
            }
        }
    }

    /// Under `-old` NuSMV types assignments twice, the second time behind the last property.
    fn repeat_old_warnings(&mut self) {
        for text in std::mem::take(&mut self.old_warnings) {
            let line = self.last_line;
            self.messages
                .push(Diagnostic::type_warning(Site::of_line(line), text));
        }
    }

    fn warn(&mut self, text: String) {
        self.messages
            .push(Diagnostic::bare(Severity::Warning, text));
    }

    /// Numbers the scalar definitions in trace order; an alias of an array gets no number.
    fn number_defines(&mut self) {
        for i in 0..self.defs.len() {
            let scalar = match self.defs[i].body {
                Body::Expr(e, context) => !self.is_array(e, context, 0),
                Body::Const(..) | Body::Running(_) => true,
            };
            if scalar {
                let def = &mut self.defs[i];
                let id = DefineId(self.model.defines.len() as u32);
                def.id = Some(id);
                self.model.defines.push(super::Define {
                    name: def.name.clone(),
                    body: ExprId(u32::MAX),
                });
            }
        }
    }
}
