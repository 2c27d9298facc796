//! Formulas: prefix operators, `next_e`, windows, `forall`.

use super::*;

impl Parser<'_> {
    /// Whether `[` begins a count, not a formula like `[a U b]`.
    pub(super) fn at_count(&self) -> bool {
        let mut depth = 0usize;
        for placed in &self.tokens[self.at..] {
            match placed.token {
                Token::Sign("[" | "[*" | "[+" | "[=" | "[->" | "(") => depth += 1,
                Token::Sign("]" | ")") => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return true;
                    }
                }
                Token::Sign("U" | "W") if depth == 1 => return false,
                _ => {}
            }
        }
        true
    }

    pub(super) fn prefixed(&mut self, op: Prefix, level: u8) -> Parsed<Node> {
        use Prefix::*;
        if self.is("{") && matches!(op, Always | Never | Eventually) {
            let inner = self.braces()?;
            let goes_on = matches!(self.peek(), Token::Sign("|->" | "|=>" | "("));
            if !goes_on && !matches!(self.tree.kind(inner), Kind::List(_)) {
                return Ok(self.add(Kind::Prefix(op, inner), Class::FL));
            }
            // The braces begin the operand: read them again as part of it.
            self.at = self.opening_brace();
        }
        let operand = self.expr(level + 1)?;
        let class = match op {
            Ax | Af | Ag | Ex | Ef | Eg => Class::OBE,
            _ => Class::FL,
        };
        self.demand(operand, Class(class.0 | Class::BOOLEAN.0))?;
        Ok(self.add(Kind::Prefix(op, operand), class))
    }

    /// Where the brace opens that was closed last.
    pub(super) fn opening_brace(&self) -> usize {
        let mut depth = 0usize;
        let before = self.tokens[..self.at].iter().enumerate().rev();
        for (at, placed) in before {
            match placed.token {
                Token::Sign("}") => depth += 1,
                Token::Sign("{") if depth == 1 => return at,
                Token::Sign("{") => depth -= 1,
                _ => {}
            }
        }
        self.at
    }

    pub(super) fn steps_after(&mut self, which: Which, event: bool) -> Parsed<Node> {
        let Token::Sign(word) = self.advance().token else {
            return Err(self.unexpected());
        };
        self.steps(word, which, event)
    }

    /// Behind the word of an extended `next`.
    pub(super) fn steps(&mut self, word: &'static str, which: Which, event: bool) -> Parsed<Node> {
        let event = match event {
            true => {
                self.expect("(")?;
                let event = self.expr(0)?;
                self.expect(")")?;
                Some(event)
            }
            false => None,
        };
        let count = match self.eat("[") {
            true => {
                let count = self.count()?;
                self.expect("]")?;
                Some(count)
            }
            false => None,
        };
        let fits = match which {
            Which::One => match count {
                None => event.is_some(),
                Some(count) => matches!(count, Count::Number(_)),
            },
            _ => matches!(count, Some(Count::Range(..))),
        };
        if !fits {
            return Err(self.unexpected());
        }
        self.expect("(")?;
        let body = self.expr(0)?;
        self.expect(")")?;
        self.demand_fl(body)?;
        let kind = Kind::Steps {
            word,
            which,
            event,
            count,
            body,
        };
        Ok(self.add(kind, Class::FL))
    }

    /// `n` or `low:high`.
    pub(super) fn count(&mut self) -> Parsed<Count> {
        let low = self.expr(IN)?;
        let low = self.plain(low)?;
        if !self.eat(":") {
            return Ok(Count::Number(low));
        }
        if self.eat("inf") {
            return Ok(Count::Range(low, None));
        }
        let high = self.expr(IN)?;
        Ok(Count::Range(low, Some(self.plain(high)?)))
    }

    /// Behind `(` or `(a,` of `whilenot` and `within`.
    pub(super) fn window(&mut self, word: &'static str, from: Option<Node>) -> Parsed<Node> {
        let until = self.expr(0)?;
        self.expect(")")?;
        if !self.is("{") {
            return Err(self.unexpected());
        }
        let body = self.sequence()?;
        let kind = Kind::Window {
            word,
            from,
            until,
            body,
        };
        Ok(self.add(kind, Class::FL))
    }

    pub(super) fn forall(&mut self) -> Parsed<Node> {
        self.advance();
        let Token::Name(span) = self.peek() else {
            return Err(self.unexpected());
        };
        self.advance();
        let text = self.slice(span).to_owned();
        let var = self.ast.intern(&text);
        let index = match self.eat("[") {
            true => {
                let count = self.count()?;
                self.expect("]")?;
                Some(count)
            }
            false => None,
        };
        self.expect("in")?;
        let values = match self.eat("boolean") {
            true => None,
            false => Some(self.values()?),
        };
        self.expect(":")?;
        let body = self.expr(UNARY + 1)?;
        let class = self.class(body);
        let kind = Kind::Forall {
            var,
            index,
            values,
            body,
        };
        Ok(self.add(kind, class))
    }

    pub(super) fn values(&mut self) -> Parsed<Vec<ForallValue>> {
        self.expect("{")?;
        let mut values = Vec::new();
        loop {
            let low = self.expr(IN)?;
            values.push(match self.eat(":") {
                false => ForallValue::One(low),
                true => {
                    let low = self.plain(low)?;
                    let high = match self.eat("inf") {
                        true => None,
                        false => {
                            let high = self.expr(IN)?;
                            Some(self.plain(high)?)
                        }
                    };
                    ForallValue::Range(low, high)
                }
            });
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}")?;
        values.reverse();
        Ok(values)
    }
}
