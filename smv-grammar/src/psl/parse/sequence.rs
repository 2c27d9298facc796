//! Sequences in braces, repetitions, suffix implications.

use super::*;

impl Parser<'_> {
    /// Behind a SERE in braces: what makes it a property.
    pub(super) fn suffix(&mut self, premise: Node) -> Parsed<Node> {
        let overlap = !self.is("|=>");
        let (strong, then) = if self.eat("(") {
            let then = self.expr(0)?;
            self.expect(")")?;
            self.demand_fl(then)?;
            (true, then)
        } else if self.eat("|->") || self.eat("|=>") {
            let then = self.sequence()?;
            (self.eat("!"), then)
        } else {
            return Err(self.unexpected());
        };
        let kind = Kind::Suffix {
            overlap,
            strong,
            premise,
            then,
        };
        Ok(self.add(kind, Class::FL))
    }

    pub(super) fn is_sequence(&self, n: Node) -> bool {
        use Kind::*;
        let kind = self.tree.kind(n);
        matches!(kind, Step(_) | Concat(..) | Compound(..) | Repeat(..))
    }

    /// A SERE in braces.
    pub(super) fn sequence(&mut self) -> Parsed<Node> {
        if !self.is("{") {
            return Err(self.unexpected());
        }
        let inner = self.braces()?;
        match self.is_sequence(inner) {
            true => Ok(inner),
            false => Err(self.unexpected()),
        }
    }

    /// A SERE or a list in braces.
    pub(super) fn braces(&mut self) -> Parsed<Node> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.in_braces())
    }

    pub(super) fn in_braces(&mut self) -> Parsed<Node> {
        self.expect("{")?;
        let first = self.item()?;
        if self.is(",") {
            let mut items = vec![first];
            while self.eat(",") {
                items.push(self.item()?);
            }
            self.expect("}")?;
            items.reverse();
            return Ok(self.add(Kind::List(items), Class::LIST));
        }
        let mut items = vec![self.step(first)?];
        while self.eat(";") {
            let item = self.item()?;
            items.push(self.step(item)?);
        }
        self.expect("}")?;
        let mut all = items.pop().expect("one at least");
        while let Some(item) = items.pop() {
            all = self.add(Kind::Concat(item, all), Class::FL);
        }
        Ok(all)
    }

    /// A SERE made of an item.
    pub(super) fn step(&mut self, n: Node) -> Parsed<Node> {
        if self.is_sequence(n) {
            return Ok(n);
        }
        let class = self.class(n);
        if class == Class::FL || class == Class::OBE || class == Class::LIST {
            return Err(self.wrong_type("Sequence", class));
        }
        Ok(self.add(Kind::Step(n), Class::FL))
    }

    pub(super) fn item(&mut self) -> Parsed<Node> {
        let mut n = if self.is("[*") || self.is("[+") {
            let repeat = self.repeat()?;
            return Ok(self.add(Kind::Repeat(None, repeat), Class::FL));
        } else if self.is("{") {
            let left = self.braces()?;
            let op = match self.peek() {
                Token::Sign("|") => Some(Compound::Or),
                Token::Sign("&") => Some(Compound::And),
                Token::Sign("&&") => Some(Compound::Both),
                Token::Sign(":") => Some(Compound::Fusion),
                _ => None,
            };
            match op {
                Some(op) if self.is_sequence(left) => {
                    self.advance();
                    let right = self.sequence()?;
                    self.add(Kind::Compound(op, left, right), Class::FL)
                }
                _ => left,
            }
        } else {
            self.expr(0)?
        };
        loop {
            match self.peek() {
                Token::Sign("[*" | "[+") => {
                    n = self.step(n)?;
                    let repeat = self.repeat()?;
                    n = self.add(Kind::Repeat(Some(n), repeat), Class::FL);
                }
                Token::Sign("[=" | "[->") if !self.is_sequence(n) => {
                    n = self.step(n)?;
                    let repeat = self.repeat()?;
                    n = self.add(Kind::Repeat(Some(n), repeat), Class::FL);
                }
                _ => return Ok(n),
            }
        }
    }

    pub(super) fn repeat(&mut self) -> Parsed<Repeat> {
        let Token::Sign(sign) = self.advance().token else {
            return Err(self.unexpected());
        };
        let count = match self.is("]") {
            true => None,
            false => Some(self.count()?),
        };
        // NuSMV reads no operators here.
        let is_operand = |e: ExprId| self.ast.expr(e).kind.is_operand();
        let is_simple = match count {
            Some(Count::Number(n) | Count::Range(n, None)) => is_operand(n),
            Some(Count::Range(low, Some(high))) => is_operand(low) && is_operand(high),
            None => true,
        };
        if !is_simple {
            return Err(self.unexpected());
        }
        self.expect("]")?;
        match (sign, count) {
            ("[*", count) => Ok(Repeat::Star(count)),
            ("[+", None) => Ok(Repeat::Plus),
            ("[->", count) => Ok(Repeat::Goto(count)),
            ("[=", Some(count)) => Ok(Repeat::Equal(count)),
            _ => Err(self.unexpected()),
        }
    }
}
