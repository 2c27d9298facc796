//! More formulas for a model that is flat already.
//!
//! The shell takes properties and expressions after the model. The model is flattened once more with them
//! behind everything else, so that expressions keep their numbers ([`ExprId`]) and what was computed
//! of them stays valid. That costs the time of flattening, which is little beside that of a check.

use super::{Fallible, FlattenOptions, Flattener, ROOT};
use crate::diag::Diagnostics;
use crate::model::{ExprId, FlatModel, Source};
use smv_grammar::ast::{self, Spec};

/// A formula whose expressions are in the tree of the source, after those of the file.
#[derive(Clone, Debug)]
pub enum Extra {
    /// With its own `IN context`.
    Property(Spec),
    /// Of any type.
    Expression {
        /// In the tree of the source.
        expr: ast::ExprId,
        /// The instance in which its names are looked up.
        context: Option<ast::ExprId>,
        /// Whether it may speak of next states.
        next: bool,
    },
}

/// What flattening made of the model and of the extra formulas.
pub struct Extended {
    /// With the properties among the extra formulas, after its own.
    pub model: FlatModel,
    /// The expressions among the extra formulas, in order.
    pub expressions: Vec<ExprId>,
}

/// Flattens a model that has no errors with `extras` behind it. Messages in `Err`, and the warnings of the
/// result, are on the extra formulas only.
pub fn extend(
    source: &Source,
    options: &FlattenOptions,
    extras: &[Extra],
) -> Result<Extended, Diagnostics> {
    let mut f = Flattener::new(source, options);
    let mut expressions = Vec::new();
    let mut before = 0;
    let done = f.run().and_then(|()| {
        before = f.messages.len();
        extras.iter().try_for_each(|extra| match extra {
            Extra::Property(spec) => f.extra_property(spec),
            Extra::Expression {
                expr,
                context,
                next,
            } => {
                expressions.push(f.extra_expression(*expr, *context, *next)?);
                Ok(())
            }
        })
    });
    if let Err(d) = done {
        f.messages.push(*d);
        return Err(Diagnostics {
            items: f.messages.split_off(before),
            ..Diagnostics::default()
        });
    }
    f.messages.drain(..before);
    Ok(Extended {
        model: f.finish(),
        expressions,
    })
}

impl<'a> Flattener<'a> {
    fn extra_property(&mut self, spec: &'a Spec) -> Fallible<()> {
        self.declare_property(ROOT, spec)?;
        self.sections.specs.clear();
        self.kind_line = spec.kind_line;
        self.flatten_property(Self::kind_of(spec), ROOT, spec)
    }

    fn extra_expression(
        &mut self,
        expr: ast::ExprId,
        within: Option<ast::ExprId>,
        next: bool,
    ) -> Fallible<ExprId> {
        let context = self.context_within(ROOT, within);
        let line = self.ast.expr(expr).line;
        self.kind_line = line;
        self.in_property = true;
        self.property_line = line;
        let flat = self.scalar(expr, context);
        self.in_property = false;
        let flat = flat?;
        let complaints = std::mem::take(&mut self.complaints);
        if self.report_complaints(complaints) {
            // The last complaint ends the command.
            let last = self.messages.pop().expect("there was a complaint");
            return Err(Box::new(last));
        }
        if next {
            self.forbid_nested_next(flat, line)?;
        } else {
            self.forbid_next(flat, line)?;
        }
        Ok(flat)
    }
}
