//! Operators between values and formulas, by precedence climbing.

use super::*;

impl Parser<'_> {
    pub(super) fn expr(&mut self, least: u8) -> Parsed<Node> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.climb(least))
    }

    pub(super) fn climb(&mut self, least: u8) -> Parsed<Node> {
        let mut left = self.operand()?;
        loop {
            let Token::Sign(sign) = self.peek() else {
                return Ok(left);
            };
            if sign == "?" && ITE >= least {
                self.advance();
                let then = self.expr(0)?;
                self.expect(":")?;
                let otherwise = self.expr(ITE)?;
                left = self.choice(left, then, otherwise)?;
                continue;
            }
            let Some((level, op)) = infix(sign) else {
                return Ok(left);
            };
            if level < least {
                return Ok(left);
            }
            self.advance();
            let right = self.expr(level + 1)?;
            left = match op {
                Op::Temporal(op) => {
                    self.demand_fl(left)?;
                    self.demand_fl(right)?;
                    self.add(Kind::Infix(op, left, right), Class::FL)
                }
                Op::Value(op) => self.binary(op, left, right)?,
            };
        }
    }

    pub(super) fn choice(&mut self, c: Node, x: Node, y: Node) -> Parsed<Node> {
        let class = self.class(x);
        let (c, x, y) = (self.plain(c)?, self.plain(x)?, self.plain(y)?);
        Ok(self.value(ExprKind::Ite(c, x, y), class))
    }

    pub(super) fn binary(&mut self, op: BinOp, left: Node, right: Node) -> Parsed<Node> {
        use BinOp::*;
        let (x, y) = (self.class(left), self.class(right));
        let literal = |p: &Self, n: Node| match p.tree.kind(n) {
            Kind::Value(e) => matches!(p.ast.expr(*e).kind, ExprKind::Int(_)),
            _ => false,
        };
        let class = match op {
            And | Or | Xor | Xnor | Implies | Iff => {
                for n in [left, right] {
                    let class = self.class(n);
                    let temporal = class == Class::FL || class == Class::OBE;
                    if !temporal && !literal(self, n) && class != Class::NUMERIC_OR_WORD {
                        self.demand(n, Class::BOOLEAN_OR_WORD)?;
                    }
                }
                let plain = matches!(self.tree.kind(left), Kind::Value(_))
                    && matches!(self.tree.kind(right), Kind::Value(_));
                if !plain {
                    let kind = Kind::Connective(op, left, right);
                    return Ok(self.add(kind, Class::BOOLEAN_OR_WORD));
                }
                Class::BOOLEAN_OR_WORD
            }
            Eq | Neq => {
                if x == Class::FL || y == Class::FL {
                    let now = self.tokens[self.at];
                    return Err(Abort::new(
                        SyntaxErrorKind::PslEquality,
                        self.line,
                        now.span,
                    ));
                }
                self.demand(left, Class(7))?;
                self.demand(right, Class(7))?;
                Class::BOOLEAN
            }
            Lt | Le | Gt | Ge => {
                self.demand(left, Class::NUMERIC_OR_WORD)?;
                self.demand(right, Class::NUMERIC_OR_WORD)?;
                Class::BOOLEAN
            }
            In => {
                for n in [left, right] {
                    let class = self.class(n);
                    if class == Class::NUMERIC_OR_WORD || class.0 & 3 == 0 {
                        if class == Class::NAME {
                            continue;
                        }
                        return Err(self.wrong_type("Numeric or Boolean", class));
                    }
                }
                Class::BOOLEAN
            }
            Union => {
                if y != Class::NAME && (x == Class::NAME || x.0 & y.0 == 0) {
                    return Err(self.wrong_type(&x.text(), y));
                }
                x
            }
            Concat => {
                self.demand(left, Class::WORD)?;
                self.demand(right, Class::WORD)?;
                Class::WORD
            }
            Lsh | Rsh => {
                self.demand(left, Class::NUMERIC_OR_WORD)?;
                self.demand(right, Class::NUMERIC_OR_WORD)?;
                Class::WORD
            }
            _ => {
                self.demand(left, Class::NUMERIC_OR_WORD)?;
                self.demand(right, Class::NUMERIC_OR_WORD)?;
                Class::NUMERIC_OR_WORD
            }
        };
        let (left, right) = (self.plain(left)?, self.plain(right)?);
        Ok(self.value(ExprKind::Binary(op, left, right), class))
    }

    /// Behind `!`: braces are a list here, which has no negation.
    fn not_of_list(&mut self) -> Parsed<Abort> {
        self.expect("{")?;
        self.expr(0)?;
        while self.eat(",") {
            self.expr(0)?;
        }
        if !self.is("}") {
            return Err(self.unexpected());
        }
        Ok(self.wrong_type(&Class::BOOLEAN_OR_WORD.text(), Class::LIST))
    }

    /// What may stand left or right of a binary operator.
    pub(super) fn operand(&mut self) -> Parsed<Node> {
        let Token::Sign(sign) = self.peek() else {
            return self.primary();
        };
        if let Some((level, op)) = prefix(sign) {
            self.advance();
            let counted = matches!(op, Prefix::Next { .. } | Prefix::X { .. });
            if counted && self.is("[") && self.at_count() {
                return self.steps(sign, Which::One, false);
            }
            return self.prefixed(op, level);
        }
        match sign {
            "next_a" | "next_a!" => self.steps_after(Which::All, false),
            "next_e" | "next_e!" => self.steps_after(Which::Some, false),
            "next_event" | "next_event!" => self.steps_after(Which::One, true),
            "next_event_a" | "next_event_a!" => self.steps_after(Which::All, true),
            "next_event_e" | "next_event_e!" => self.steps_after(Which::Some, true),
            "within" | "within!" | "within_" | "within!_" => {
                self.advance();
                self.expect("(")?;
                let from = match self.is("{") {
                    true => self.braces()?,
                    false => self.expr(0)?,
                };
                self.expect(",")?;
                self.window(sign, Some(from))
            }
            "whilenot" | "whilenot!" | "whilenot_" | "whilenot!_" => {
                self.advance();
                self.expect("(")?;
                self.window(sign, None)
            }
            "A" | "E" => {
                self.advance();
                self.expect("[")?;
                let left = self.expr(0)?;
                self.expect("U")?;
                let right = self.expr(0)?;
                self.expect("]")?;
                self.demand(left, Class(Class::OBE.0 | Class::BOOLEAN.0))?;
                self.demand(right, Class(Class::OBE.0 | Class::BOOLEAN.0))?;
                let op = Infix::CtlU { all: sign == "A" };
                Ok(self.add(Kind::Infix(op, left, right), Class::OBE))
            }
            "[" => {
                self.advance();
                let left = self.expr(0)?;
                let weak = self.is("W");
                if !weak && !self.is("U") {
                    return Err(self.unexpected());
                }
                self.advance();
                let right = self.expr(0)?;
                self.expect("]")?;
                self.demand_fl(left)?;
                self.demand_fl(right)?;
                let op = Infix::U { weak };
                Ok(self.add(Kind::Infix(op, left, right), Class::FL))
            }
            "forall" => self.forall(),
            "{" => {
                let inner = self.braces()?;
                match self.tree.kind(inner) {
                    Kind::List(_) => Ok(inner),
                    _ => self.suffix(inner),
                }
            }
            "!" => {
                self.advance();
                if self.is("{") {
                    return Err(self.not_of_list()?);
                }
                let x = self.primary()?;
                match self.tree.kind(x) {
                    Kind::Value(e) => {
                        let kind = ExprKind::Unary(UnOp::Not, *e);
                        Ok(self.value(kind, Class::BOOLEAN_OR_WORD))
                    }
                    _ => Ok(self.add(Kind::Not(x), Class::BOOLEAN_OR_WORD)),
                }
            }
            "-" => {
                self.advance();
                let x = self.primary()?;
                let x = self.plain(x)?;
                let kind = ExprKind::Unary(UnOp::Neg, x);
                Ok(self.value(kind, Class::NUMERIC_OR_WORD))
            }
            "+" => {
                self.advance();
                self.primary()
            }
            _ => self.primary(),
        }
    }
}
