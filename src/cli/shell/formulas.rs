//! Formulas that come after the model: `-p` of the check commands, `add_property`, constraints.
//!
//! Text → source tree (in the arena of the file's tree) → [`extend`] → the same model with more
//! expressions. Whatever fails leaves everything as it was.

use super::session::{Record, Session, Stage};
use super::{Answer, Stop};
use crate::cli::messages;
use crate::model::{ExprId, Extra, PropKind, extend};
use smv_grammar::ast::{Ast, ExprKind, Span, Spec};
use smv_grammar::{
    SyntaxError, SyntaxErrorKind, parse_compute, parse_ctl, parse_invar, parse_ltl, parse_name,
    parse_next_expr, parse_psl, parse_simple_expr,
};
use std::rc::Rc;

/// Under what name NuSMV speaks of a kind of property.
pub fn type_name(kind: PropKind) -> &'static str {
    match kind {
        PropKind::Ctl => "CTL",
        PropKind::Ltl => "LTL",
        PropKind::Invar => "Invar",
        PropKind::Compute => "Quantitative",
        PropKind::Psl => "PSL",
    }
}

/// Why an expression means nothing.
pub enum Fault {
    /// It cannot be read.
    Syntax(Vec<SyntaxError>),
    /// The message has been written.
    Other,
}

impl Session {
    /// Adds a property; its number.
    pub fn add_property(
        &mut self,
        kind: PropKind,
        text: &str,
        name: Option<&str>,
    ) -> Answer<usize> {
        self.need(Stage::Flattened)?;
        let mark = self.mark();
        let ast = &mut self.source.as_mut().ok_or(Stop::Failed)?.ast;
        let read = match kind {
            PropKind::Ctl => parse_ctl(ast, text.as_bytes()),
            PropKind::Ltl => parse_ltl(ast, text.as_bytes()),
            PropKind::Invar => parse_invar(ast, text.as_bytes()),
            PropKind::Psl => parse_psl(ast, text.as_bytes()),
            _ => parse_compute(ast, text.as_bytes()),
        };
        let mut spec = match read {
            Ok(spec) => spec,
            Err(errors) => {
                self.forget(&mark);
                self.tell(&errors);
                if errors.iter().any(is_psl_class) {
                    return Err(Stop::Failed);
                }
                let kind = type_name(kind);
                return self.fail(format!("Parsing error: expected an \"{kind}\" expression."));
            }
        };
        self.place(&mark, text);
        let ast = &mut self.source.as_mut().ok_or(Stop::Failed)?.ast;
        if let Some(name) = name {
            let name = ast.intern(name);
            spec.name = Some(ast.push(ExprKind::Ident(name), Span::default(), mark.line));
        }
        mark.shift_spec(&mut spec);
        let file = self.file().to_owned();
        self.extend(&mark, Extra::Property(spec), &file)?;
        Ok(self.records.len() - 1)
    }

    /// Whether a text can name a property; says why not.
    pub fn is_name(&self, text: &str) -> bool {
        let read = parse_name(&mut Ast::default(), text.as_bytes());
        if let Err(errors) = &read {
            self.tell(errors);
        }
        read.is_ok()
    }

    /// An expression over the model, with `next` or without; messages name `file`.
    pub fn expression_in(&mut self, text: &str, next: bool, file: &str) -> Result<ExprId, Fault> {
        self.need(Stage::Flattened).map_err(|_| Fault::Other)?;
        let key = (text.to_owned(), next);
        if let Some(&e) = self.expressions.get(&key) {
            return Ok(e);
        }
        let mark = self.mark();
        let ast = &mut self.source.as_mut().ok_or(Fault::Other)?.ast;
        let read = if next {
            parse_next_expr(ast, text.as_bytes())
        } else {
            parse_simple_expr(ast, text.as_bytes())
        };
        let read = match read {
            Ok(read) => read,
            Err(errors) => {
                self.forget(&mark);
                return Err(Fault::Syntax(errors));
            }
        };
        self.place(&mark, text);
        let extra = Extra::Expression {
            expr: read.expr,
            context: read.context,
            next,
        };
        let e = self.extend(&mark, extra, file).map_err(|_| Fault::Other)?;
        let e = e.ok_or(Fault::Other)?;
        self.expressions.insert(key, e);
        Ok(e)
    }

    /// The line that NuSMV names in messages without a place, most of the time.
    pub fn last_line(&self) -> u32 {
        let assign = self.model.as_ref().and_then(|m| m.assigns.last());
        assign.map_or(1, |a| a.line).max(1)
    }

    /// The source as it is now.
    fn mark(&self) -> Mark {
        let line = self.last_line();
        let nothing = Mark {
            line,
            ..Mark::default()
        };
        self.source.as_ref().map_or(nothing, |s| Mark {
            exprs: s.ast.exprs.len(),
            text: s.text.len(),
            lines: s.ast.line_starts.len(),
            line,
        })
    }

    /// Takes back what was read since.
    fn forget(&mut self, mark: &Mark) {
        if let Some(s) = &mut self.source {
            s.ast.exprs.truncate(mark.exprs);
            s.ast.line_starts.truncate(mark.lines);
            if s.text.len() > mark.text {
                s.text = s.text[..mark.text].into();
            }
        }
    }

    /// Appends the formula's text to the file's, so that its places are places of the source.
    fn place(&mut self, mark: &Mark, text: &str) {
        let Some(s) = &mut self.source else { return };
        for e in &mut s.ast.exprs[mark.exprs..] {
            e.span = mark.shift(e.span);
            e.line += mark.line - 1;
            if let ExprKind::Case(arms) = &mut e.kind {
                arms.iter_mut().for_each(|a| a.line += mark.line - 1);
            }
        }
        let start = mark.text as u32 + 1;
        let breaks = text.bytes().enumerate().filter(|&(_, b)| b == b'\n');
        let starts = breaks.map(|(i, _)| start + i as u32 + 1);
        s.ast.line_starts.push(start);
        s.ast.line_starts.extend(starts);
        s.text = format!("{}\n{text}", s.text).into();
    }

    /// Syntax errors but `next` where it does not belong, of which NuSMV says nothing in constraints.
    pub fn tell_but_next(&self, errors: &[SyntaxError]) {
        let is_next = |e: &SyntaxError| matches!(&e.kind, SyntaxErrorKind::Context(c) if c.contains("'next'"));
        if !errors.iter().any(is_next) {
            self.tell(errors);
        }
    }

    /// Syntax errors, as NuSMV places them; where it reads on after errors in files, it says nothing here.
    pub fn tell(&self, errors: &[SyntaxError]) {
        if self.context.options.lax {
            return;
        }
        let line = self.mark().line;
        for e in errors {
            let mut e = e.clone();
            e.line += line - 1;
            if let SyntaxErrorKind::Token { token, .. } = &mut e.kind
                && token.is_empty()
            {
                // NuSMV puts a semicolon behind the formula.
                *token = b";".to_vec();
            }
            let mut text = messages::once(&e.render("<command-line>"));
            if is_psl_class(&e) {
                // NuSMV ends the command before it names the file.
                let end = text.windows(6).position(|w| w == b"\nfile ");
                text.truncate(end.unwrap_or(text.len()));
            }
            self.context.console().err(text);
        }
    }

    /// The model with one more formula; an expression's number if it is one.
    fn extend(&mut self, mark: &Mark, extra: Extra, file: &str) -> Answer<Option<ExprId>> {
        self.extras.push(extra);
        let source = self.source.as_ref().ok_or(Stop::Failed)?;
        let result = extend(source, &self.context.flatten_options(), &self.extras);
        let extended = match result {
            Ok(extended) => extended,
            Err(messages) => {
                for d in &messages.items {
                    let mut console = self.context.console();
                    messages::diagnostic(&mut console, d, file, &source.text, &source.ast);
                }
                self.extras.pop();
                self.forget(mark);
                return Err(Stop::Failed);
            }
        };
        for d in &extended.model.warnings {
            let mut console = self.context.console();
            messages::diagnostic(&mut console, d, file, &source.text, &source.ast);
        }
        let model = Rc::new(extended.model);
        self.records
            .resize(model.properties.len(), Record::default());
        if let Some(machine) = &mut self.machine {
            machine.fsm.extend(Rc::clone(&model));
        }
        self.model = Some(model);
        Ok(extended.expressions.last().copied())
    }
}

/// Where a formula begins.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    exprs: usize,
    text: usize,
    lines: usize,
    /// The line that NuSMV names for it.
    line: u32,
}

impl Mark {
    fn shift(&self, span: Span) -> Span {
        let by = self.text as u32 + 1;
        Span {
            start: span.start + by,
            end: span.end + by,
        }
    }

    fn shift_spec(&self, spec: &mut Spec) {
        spec.span = self.shift(spec.span);
        spec.line += self.line - 1;
        spec.kind_line += self.line - 1;
    }
}

/// An operand that no operator of PSL has.
fn is_psl_class(e: &SyntaxError) -> bool {
    matches!(
        e.kind,
        SyntaxErrorKind::PslType(..) | SyntaxErrorKind::PslEquality
    )
}
