//! Properties, and what is read outside files.

use super::*;

impl Builder<'_> {
    pub fn spec(
        &mut self,
        at: At,
        (kind, kind_line): (SpecKind, u32),
        name: Option<ExprId>,
        context: Option<ExprId>,
    ) {
        let span = self.span_from(at);
        self.item(Item::Spec(Spec {
            kind,
            name,
            context,
            span,
            line: at.line,
            kind_line,
        }));
    }

    /// A PSL property, from its text.
    pub fn psl_spec(&mut self, span: Span) -> Result<(), Failure> {
        let text = self.slice(span);
        let line = self.last();
        let read = psl::parse(self.ast, text, span.start, line)?;
        let spec = Spec {
            kind: SpecKind::Psl(read.id),
            name: read.name,
            context: read.context,
            span,
            line,
            kind_line: line,
        };
        self.item(Item::Spec(spec));
        Ok(())
    }

    pub fn spec_result(&mut self, (kind, line): (SpecKind, u32), context: Option<ExprId>) {
        self.result = Parsed::Spec(Spec {
            kind,
            name: None,
            context,
            span: Span {
                start: 0,
                end: self.end(),
            },
            line,
            kind_line: line,
        });
    }

    pub fn query(&mut self, e: E) -> SpecKind {
        let written = String::from_utf8_lossy(self.slice(e.span));
        let text = if written.contains("--") {
            crate::print::expr(self.ast, e.id)
        } else {
            written
                .split_ascii_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
        };
        SpecKind::Query(e.id, self.ast.intern(&text))
    }

    /// One more query of a text of queries.
    pub fn query_result(&mut self, e: E, name: Option<ExprId>, context: Option<ExprId>) {
        let line = self.ast.expr(e.id).line;
        let spec = Spec {
            kind: self.query(e),
            name,
            context,
            span: e.span,
            line,
            kind_line: line,
        };
        match &mut self.result {
            Parsed::Queries(all) => all.push(spec),
            other => *other = Parsed::Queries(vec![spec]),
        }
    }

    pub fn expr_result(&mut self, e: E, context: Option<ExprId>) {
        self.result = Parsed::Expr(e.id, context);
    }

    // ------------------------------------------------------------------ expressions
}
