//! Names, constants, calls, `case`.

use super::*;

impl Parser<'_> {
    /// Constants, names, calls, `case`, and all in parentheses.
    pub(super) fn primary(&mut self) -> Parsed<Node> {
        match self.peek() {
            Token::Name(_) => {
                let e = self.path()?;
                Ok(self.add(Kind::Value(e), Class::NAME))
            }
            // A bound only behind a `:`.
            Token::Sign("inf") => {
                let inf = self.ast.intern("inf");
                let e = self.push(ExprKind::Ident(inf));
                self.advance();
                Ok(self.add(Kind::Value(e), Class::NAME))
            }
            Token::Number(n) => {
                self.advance();
                Ok(self.value(ExprKind::Int(n), Class::NUMERIC))
            }
            Token::Word(span) => {
                let Ok(w) = word::parse(self.slice(span).as_bytes()) else {
                    return Err(self.unexpected());
                };
                self.advance();
                Ok(self.value(ExprKind::Word(Box::new(w)), Class::WORD))
            }
            Token::Sign("TRUE") | Token::Sign("FALSE") => {
                let kind = ExprKind::Bool(self.is("TRUE"));
                self.advance();
                Ok(self.value(kind, Class::BOOLEAN))
            }
            Token::Sign("(") => {
                self.advance();
                let inner = self.expr(0)?;
                self.expect(")")?;
                Ok(inner)
            }
            Token::Sign("{") => {
                let inner = self.braces()?;
                match self.tree.kind(inner) {
                    Kind::List(_) => Ok(inner),
                    _ => Err(self.unexpected()),
                }
            }
            Token::Sign("case") => self.case(),
            Token::Sign(word) => match function(word) {
                Some((func, class)) => self.call(func, class),
                None => Err(self.unexpected()),
            },
            Token::End => Err(self.unexpected()),
        }
    }

    pub(super) fn call(&mut self, func: Func, class: Class) -> Parsed<Node> {
        self.advance();
        self.expect("(")?;
        let mut args = Vec::new();
        loop {
            let arg = self.expr(0)?;
            args.push(self.plain(arg)?);
            if !self.eat(",") {
                break;
            }
        }
        use Func::*;
        let wanted = match func {
            Extend | Resize | SwConst | UwConst => 2,
            _ => 1,
        };
        if args.len() != wanted {
            return Err(self.unexpected());
        }
        self.expect(")")?;
        Ok(self.value(ExprKind::Call(func, args), class))
    }

    pub(super) fn case(&mut self) -> Parsed<Node> {
        self.advance();
        let mut arms = Vec::new();
        let mut class = Class::BOOLEAN;
        while !self.eat("esac") {
            let cond = self.expr(0)?;
            self.expect(":")?;
            let value = self.expr(0)?;
            self.expect(";")?;
            class = self.class(value);
            let (cond, value) = (self.plain(cond)?, self.plain(value)?);
            arms.push(CaseArm {
                cond,
                value,
                line: self.line,
            });
        }
        if arms.is_empty() {
            return Err(self.unexpected());
        }
        Ok(self.value(ExprKind::Case(arms), class))
    }

    /// `a.b[1].c`
    pub(super) fn path(&mut self) -> Parsed<ExprId> {
        let name = |p: &mut Self| {
            let Token::Name(span) = p.peek() else {
                return Err(p.unexpected());
            };
            p.advance();
            let text = p.slice(span).to_owned();
            Ok((p.ast.intern(&text), span))
        };
        let (first, span) = name(self)?;
        let line = self.line;
        let mut e = self.ast.push(ExprKind::Ident(first), span, line);
        loop {
            if self.eat(".") {
                let (part, end) = name(self)?;
                let span = Span {
                    end: end.end,
                    ..span
                };
                e = self.ast.push(ExprKind::Dot(e, part), span, line);
            } else if self.eat("[") {
                let index = self.expr(0)?;
                let index = self.plain(index)?;
                self.expect("]")?;
                e = self.ast.push(ExprKind::Index(e, index), span, line);
            } else {
                return Ok(e);
            }
        }
    }
}
