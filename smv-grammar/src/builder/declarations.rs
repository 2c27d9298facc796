//! Modules, their sections and the types of variables.

use super::*;

impl Builder<'_> {
    pub fn begin_module(&mut self, name: Span, params: Vec<Span>) {
        let body = Body {
            name: self.name(name),
            params: params.into_iter().map(|p| self.name(p)).collect(),
            items: Vec::new(),
            start: name.start,
            line: self.here(),
        };
        self.body = Some(body);
    }

    pub fn end_module(&mut self) {
        if let Some(Body {
            name,
            params,
            items,
            start,
            line,
        }) = self.body.take()
        {
            let span = Span {
                start,
                end: self.end(),
            };
            self.ast.modules.push(Module {
                name,
                params,
                items,
                span,
                line,
            });
        }
    }

    pub fn item(&mut self, item: Item) {
        if let Some(body) = &mut self.body {
            body.items.push(item);
        }
    }

    pub fn var(&mut self, kind: VarKind, (id, line): (E, u32), mut ty: TypeExpr) {
        let name = self.path_name(id.id);
        if let TypeExpr::Instance {
            process: false,
            line: instance_line,
            ..
        } = &mut ty
        {
            *instance_line = line;
        }
        let span = id.span;
        self.item(Item::Var(VarDecl {
            kind,
            name,
            ty,
            span,
            line,
        }));
    }

    /// The text of a (dotted, indexed) name, interned.
    pub(super) fn path_name(&mut self, id: ExprId) -> Name {
        if let ExprKind::Ident(name) = self.ast.expr(id).kind {
            return name;
        }
        let text = crate::print::expr(self.ast, id);
        self.ast.intern(&text)
    }

    pub fn word_type(&mut self, at: At, signed: bool, width: E) -> TypeExpr {
        TypeExpr::Word {
            signed,
            width: width.id,
            line: at.line,
        }
    }

    pub fn enumeration(&mut self, at: At, values: Vec<E>) -> TypeExpr {
        TypeExpr::Enum {
            values: ids(values),
            line: at.line,
        }
    }

    pub fn instance(&mut self, module: Span, line: u32, args: Vec<E>) -> TypeExpr {
        TypeExpr::Instance {
            process: false,
            module: self.name(module),
            args: ids(args),
            span: Span {
                start: module.start,
                end: self.end(),
            },
            line,
        }
    }

    pub fn process(&mut self, mut instance: TypeExpr) -> TypeExpr {
        if let TypeExpr::Instance { process, .. } = &mut instance {
            *process = true;
        }
        instance
    }

    /// At the word DEFINE.
    pub fn define_section(&mut self) {
        self.new_section = true;
    }

    pub fn define(&mut self, (id, line): (E, u32), body: E) {
        let name = self.path_name(id.id);
        let first = std::mem::take(&mut self.new_section);
        self.item(Item::Define {
            name,
            body: body.id,
            first,
            span: id.span,
            line,
        });
    }

    pub fn assign(&mut self, at: At, kind: AssignKind, target: E, rhs: E) {
        self.item(Item::Assign {
            kind,
            target: target.id,
            rhs: rhs.id,
            span: target.span,
            line: at.line,
        });
    }

    pub fn isa(&mut self, module: Span) {
        let name = self.name(module);
        let line = self.last();
        self.item(Item::Isa(name, line));
    }
}
