//! Tokens of a PSL property → its tree, by precedence climbing.
//!
//! Levels, weakest first: `always never G`; `-> <->`; `eventually! next`; `before`; `until`; `abort`;
//! `X F` and OBE operators, `forall`; `in union`; `?:`; `|`; `xor xnor`; `&`; `= !=`; `< <= > >=`;
//! shifts; `+ -`; `* / mod ::`. All binary ones associate to the left. `! - +` take what stands in
//! brackets or is a name or a number. As in NuSMV operands are checked for their [`Class`] while
//! reading; what passes may still have a wrong type.

use super::token::{BadCharacter, Placed, Token, tokens};
use super::{
    Compound, Count, ForallValue, Infix, Kind, Node, Prefix, PslId, Repeat, Tree, Which, enter,
};
use crate::ast::{Ast, CaseArm, ExprId, ExprKind, Span};
use crate::error::{Abort, SyntaxErrorKind};
use crate::ops::{BinOp, Func, UnOp};
use crate::word;

/// What a node may be, as bits.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Class(u8);

impl Class {
    const NUMERIC: Class = Class(1);
    const BOOLEAN: Class = Class(2);
    const WORD: Class = Class(4);
    const LIST: Class = Class(8);
    const FL: Class = Class(16);
    const OBE: Class = Class(32);
    /// Of a name, which may be of any class.
    const NAME: Class = Class(0);

    const NUMERIC_OR_WORD: Class = Class(1 | 4);
    const BOOLEAN_OR_WORD: Class = Class(2 | 4);

    fn text(self) -> String {
        let names = [
            "Numeric",
            "Boolean",
            "Word",
            "List",
            "FL Property",
            "OBE Property",
        ];
        let all = names.iter().enumerate();
        let own: Vec<&str> = all
            .filter(|(i, _)| self.0 >> i & 1 == 1)
            .map(|(_, n)| *n)
            .collect();
        if own.is_empty() {
            return "Identifier".to_owned();
        }
        own.join(" or ")
    }
}

const IMPLIES: u8 = 2;
const NEXT: u8 = 3;
const BEFORE: u8 = 4;
const UNTIL: u8 = 5;
const ABORT: u8 = 6;
const UNARY: u8 = 7;
const IN: u8 = 8;
const ITE: u8 = 9;

/// A property that was read.
pub struct Read {
    pub id: PslId,
    pub name: Option<ExprId>,
    pub context: Option<ExprId>,
}

type Parsed<T> = Result<T, Abort>;

/// Reads the text of a property, which begins at byte `offset` of the file, in line `line`.
pub fn parse(ast: &mut Ast, text: &[u8], offset: u32, line: u32) -> Parsed<Read> {
    let tokens = tokens(text, offset, line).map_err(|BadCharacter { byte, line, span }| {
        Abort::new(SyntaxErrorKind::PslCharacter(byte), line, span)
    })?;
    let mut p = Parser {
        ast,
        text,
        offset,
        line,
        tokens,
        at: 0,
        tree: Tree { kinds: Vec::new() },
        classes: Vec::new(),
    };
    let name = p.name_clause()?;
    let root = p.expr(0)?;
    if p.class(root) == Class::LIST {
        return Err(p.unexpected());
    }
    let context = match p.context_clause()? {
        true => Some(p.path()?),
        false => None,
    };
    // In a file it has ended the text already.
    p.eat(";");
    if p.peek() != Token::End {
        return Err(p.unexpected());
    }
    let Parser { ast, tree, .. } = p;
    let id = enter(ast, &tree, root, line);
    Ok(Read { id, name, context })
}

struct Parser<'a> {
    ast: &'a mut Ast,
    text: &'a [u8],
    offset: u32,
    /// Of the whole property; NuSMV names no other.
    line: u32,
    tokens: Vec<Placed>,
    at: usize,
    tree: Tree,
    classes: Vec<Class>,
}

impl Parser<'_> {
    fn peek(&self) -> Token {
        self.tokens[self.at].token
    }

    fn is(&self, sign: &'static str) -> bool {
        self.peek() == Token::Sign(sign)
    }

    fn advance(&mut self) -> Placed {
        let now = self.tokens[self.at];
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        now
    }

    fn eat(&mut self, sign: &'static str) -> bool {
        let found = self.is(sign);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, sign: &'static str) -> Parsed<()> {
        match self.eat(sign) {
            true => Ok(()),
            false => Err(self.unexpected()),
        }
    }

    fn unexpected(&self) -> Abort {
        let now = self.tokens[self.at];
        let kind = SyntaxErrorKind::Psl("syntax error".to_owned());
        Abort::new(kind, now.line, now.span)
    }

    fn slice(&self, span: Span) -> &str {
        let range = (span.start - self.offset) as usize..(span.end - self.offset) as usize;
        std::str::from_utf8(&self.text[range]).unwrap_or("?")
    }

    fn add(&mut self, kind: Kind, class: Class) -> Node {
        self.classes.push(class);
        self.tree.add(kind)
    }

    fn class(&self, n: Node) -> Class {
        self.classes[n.0 as usize]
    }

    fn push(&mut self, kind: ExprKind) -> ExprId {
        let span = self.tokens[self.at].span;
        self.ast.push(kind, span, self.line)
    }

    fn value(&mut self, kind: ExprKind, class: Class) -> Node {
        let e = self.push(kind);
        self.add(Kind::Value(e), class)
    }

    /// The expression of a node without temporal operators.
    fn plain(&self, n: Node) -> Parsed<ExprId> {
        match self.tree.kind(n) {
            Kind::Value(e) => Ok(*e),
            _ => Err(self.wrong_type("Boolean", self.class(n))),
        }
    }

    fn wrong_type(&self, expected: &str, got: Class) -> Abort {
        let text = format!("expected '{expected}', got '{}' instead.", got.text());
        let now = self.tokens[self.at];
        Abort::new(SyntaxErrorKind::PslType(text), now.line, now.span)
    }

    fn demand(&self, n: Node, wanted: Class) -> Parsed<()> {
        let class = self.class(n);
        if class == Class::NAME || class.0 & wanted.0 != 0 {
            return Ok(());
        }
        let wanted = match wanted.0 {
            // Boolean expressions are properties of both kinds.
            18 => Class::FL,
            34 => Class::OBE,
            _ => wanted,
        };
        Err(self.wrong_type(&wanted.text(), class))
    }

    fn demand_fl(&self, n: Node) -> Parsed<()> {
        self.demand(n, Class(Class::FL.0 | Class::BOOLEAN.0))
    }

    /// `NAME n :=`
    fn name_clause(&mut self) -> Parsed<Option<ExprId>> {
        match self.peek() {
            Token::Name(span) if self.slice(span) == "NAME" => {}
            _ => return Ok(None),
        }
        self.advance();
        let name = self.path()?;
        self.expect(":=")?;
        Ok(Some(name))
    }

    /// `IN`
    fn context_clause(&mut self) -> Parsed<bool> {
        match self.peek() {
            Token::Name(span) if self.slice(span) == "IN" => {
                self.advance();
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn expr(&mut self, least: u8) -> Parsed<Node> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.climb(least))
    }

    fn climb(&mut self, least: u8) -> Parsed<Node> {
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

    fn choice(&mut self, c: Node, x: Node, y: Node) -> Parsed<Node> {
        let class = self.class(x);
        let (c, x, y) = (self.plain(c)?, self.plain(x)?, self.plain(y)?);
        Ok(self.value(ExprKind::Ite(c, x, y), class))
    }

    fn binary(&mut self, op: BinOp, left: Node, right: Node) -> Parsed<Node> {
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
                    return Err(Abort::new(SyntaxErrorKind::PslEquality, now.line, now.span));
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

    /// What may stand left or right of a binary operator.
    fn operand(&mut self) -> Parsed<Node> {
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

    /// Whether `[` begins a count, not a formula like `[a U b]`.
    fn at_count(&self) -> bool {
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

    fn prefixed(&mut self, op: Prefix, level: u8) -> Parsed<Node> {
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
    fn opening_brace(&self) -> usize {
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

    fn steps_after(&mut self, which: Which, event: bool) -> Parsed<Node> {
        let Token::Sign(word) = self.advance().token else {
            return Err(self.unexpected());
        };
        self.steps(word, which, event)
    }

    /// Behind the word of an extended `next`.
    fn steps(&mut self, word: &'static str, which: Which, event: bool) -> Parsed<Node> {
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
    fn count(&mut self) -> Parsed<Count> {
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
    fn window(&mut self, word: &'static str, from: Option<Node>) -> Parsed<Node> {
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

    fn forall(&mut self) -> Parsed<Node> {
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

    fn values(&mut self) -> Parsed<Vec<ForallValue>> {
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

    /// Behind a SERE in braces: what makes it a property.
    fn suffix(&mut self, premise: Node) -> Parsed<Node> {
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

    fn is_sequence(&self, n: Node) -> bool {
        use Kind::*;
        let kind = self.tree.kind(n);
        matches!(kind, Step(_) | Concat(..) | Compound(..) | Repeat(..))
    }

    /// A SERE in braces.
    fn sequence(&mut self) -> Parsed<Node> {
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
    fn braces(&mut self) -> Parsed<Node> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.in_braces())
    }

    fn in_braces(&mut self) -> Parsed<Node> {
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
    fn step(&mut self, n: Node) -> Parsed<Node> {
        if self.is_sequence(n) {
            return Ok(n);
        }
        let class = self.class(n);
        if class == Class::FL || class == Class::OBE || class == Class::LIST {
            return Err(self.wrong_type("Sequence", class));
        }
        Ok(self.add(Kind::Step(n), Class::FL))
    }

    fn item(&mut self) -> Parsed<Node> {
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

    fn repeat(&mut self) -> Parsed<Repeat> {
        let Token::Sign(sign) = self.advance().token else {
            return Err(self.unexpected());
        };
        let count = match self.is("]") {
            true => None,
            false => Some(self.count()?),
        };
        self.expect("]")?;
        match (sign, count) {
            ("[*", count) => Ok(Repeat::Star(count)),
            ("[+", None) => Ok(Repeat::Plus),
            ("[->", count) => Ok(Repeat::Goto(count)),
            ("[=", Some(count)) => Ok(Repeat::Equal(count)),
            _ => Err(self.unexpected()),
        }
    }

    /// Constants, names, calls, `case`, and all in parentheses.
    fn primary(&mut self) -> Parsed<Node> {
        match self.peek() {
            Token::Name(_) => {
                let e = self.path()?;
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

    fn call(&mut self, func: Func, class: Class) -> Parsed<Node> {
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

    fn case(&mut self) -> Parsed<Node> {
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
    fn path(&mut self) -> Parsed<ExprId> {
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

enum Op {
    Value(BinOp),
    Temporal(Infix),
}

/// Level and meaning of a binary operator.
fn infix(sign: &str) -> Option<(u8, Op)> {
    use BinOp::*;
    let until = |strong, inclusive| Op::Temporal(Infix::Until { strong, inclusive });
    let before = |strong, inclusive| Op::Temporal(Infix::Before { strong, inclusive });
    Some(match sign {
        "->" => (IMPLIES, Op::Value(Implies)),
        "<->" => (IMPLIES, Op::Value(Iff)),
        "before" => (BEFORE, before(false, false)),
        "before!" => (BEFORE, before(true, false)),
        "before_" => (BEFORE, before(false, true)),
        "before!_" => (BEFORE, before(true, true)),
        "until" => (UNTIL, until(false, false)),
        "until!" => (UNTIL, until(true, false)),
        "until_" => (UNTIL, until(false, true)),
        "until!_" => (UNTIL, until(true, true)),
        "abort" => (ABORT, Op::Temporal(Infix::Abort)),
        "in" => (IN, Op::Value(In)),
        "union" => (IN, Op::Value(Union)),
        "|" | "||" => (10, Op::Value(Or)),
        "xor" => (11, Op::Value(Xor)),
        "xnor" => (11, Op::Value(Xnor)),
        "&" | "&&" => (12, Op::Value(And)),
        "=" | "==" => (13, Op::Value(Eq)),
        "!=" => (13, Op::Value(Neq)),
        "<" => (14, Op::Value(Lt)),
        "<=" => (14, Op::Value(Le)),
        ">" => (14, Op::Value(Gt)),
        ">=" => (14, Op::Value(Ge)),
        "<<" => (15, Op::Value(Lsh)),
        ">>" => (15, Op::Value(Rsh)),
        "+" => (16, Op::Value(Add)),
        "-" => (16, Op::Value(Sub)),
        "*" => (17, Op::Value(Mul)),
        "/" => (17, Op::Value(Div)),
        "mod" => (17, Op::Value(Mod)),
        "::" => (17, Op::Value(Concat)),
        _ => return None,
    })
}

/// Level and meaning of an operator in front.
fn prefix(sign: &str) -> Option<(u8, Prefix)> {
    use Prefix::*;
    Some(match sign {
        "always" => (1, Always),
        "never" => (1, Never),
        "G" => (1, G),
        "eventually!" => (NEXT, Eventually),
        "next" => (NEXT, Next { strong: false }),
        "next!" => (NEXT, Next { strong: true }),
        "X" => (UNARY, X { strong: false }),
        "X!" => (UNARY, X { strong: true }),
        "F" => (UNARY, F),
        "AX" => (UNARY, Ax),
        "AF" => (UNARY, Af),
        "AG" => (UNARY, Ag),
        "EX" => (UNARY, Ex),
        "EF" => (UNARY, Ef),
        "EG" => (UNARY, Eg),
        _ => return None,
    })
}

fn function(word: &str) -> Option<(Func, Class)> {
    use Func::*;
    Some(match word {
        "bool" => (Bool, Class::BOOLEAN),
        "word1" => (Word1, Class::WORD),
        "extend" => (Extend, Class::WORD),
        "resize" => (Resize, Class::WORD),
        "signed" => (Signed, Class::WORD),
        "unsigned" => (Unsigned, Class::WORD),
        "swconst" => (SwConst, Class::WORD),
        "uwconst" => (UwConst, Class::WORD),
        "toint" => (ToInt, Class::NUMERIC),
        "sizeof" => (SizeOf, Class::NUMERIC),
        _ => return None,
    })
}
