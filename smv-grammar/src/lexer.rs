//! The lexer: bytes → tokens, by hand.
//!
//! It counts lines as NuSMV does (`\n` only; `# N` at the start of a line sets the number) and
//! leaves the lines and spans of the last two tokens in [`Marks`], where the grammar's actions
//! find them: the line NuSMV gives to a node is that of the token its lexer had read last.
//! Identifiers are ASCII; any byte may occur in comments and in quoted identifiers.

use crate::ast::Span;
use crate::error::{Abort, SyntaxErrorKind};
use crate::psl;
use crate::token::{At, Begin, K, Tok, keyword};
use crate::word;
use std::cell::Cell;

/// Where the lexer stands, seen from the parser's actions.
#[derive(Debug, Default)]
pub struct Marks {
    /// Line behind the token read last (the parser's lookahead).
    pub line: Cell<u32>,
    /// Span of that token.
    pub span: Cell<Span>,
    /// Line behind the token before it (the last one the parser has consumed).
    pub last_line: Cell<u32>,
    pub last_span: Cell<Span>,
}

impl Marks {
    fn advance(&self, line: u32, span: Span) {
        self.last_line.set(self.line.replace(line));
        self.last_span.set(self.span.replace(span));
    }
}

/// Iterator over the tokens of a text, from [`Tok::Begin`] to [`Tok::End`].
pub struct Lexer<'a> {
    text: &'a [u8],
    pos: usize,
    line: u32,
    begin: Option<Begin>,
    ended: bool,
    marks: &'a Marks,
    last: Tok,
    /// `case`s that are open.
    cases: u32,
    /// In a query: `?` may be a placeholder.
    query: bool,
    /// All of the text is queries.
    queries: bool,
}

impl<'a> Lexer<'a> {
    /// Reads `text` as `begin` says; lines are counted from `line`.
    pub fn new(text: &'a [u8], line: u32, begin: Begin, marks: &'a Marks) -> Lexer<'a> {
        marks.line.set(line);
        Lexer {
            text,
            pos: 0,
            line,
            begin: Some(begin),
            ended: false,
            marks,
            last: Tok::Begin(begin),
            cases: 0,
            query: begin == Begin::Queries,
            queries: begin == Begin::Queries,
        }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.pos + ahead).copied().unwrap_or(0)
    }

    fn rest(&self) -> &'a [u8] {
        &self.text[self.pos..]
    }

    fn span_to(&self, len: usize) -> Span {
        Span {
            start: self.pos as u32,
            end: (self.pos + len) as u32,
        }
    }

    /// Skips blanks and comments. Fails at a preprocessor directive.
    fn skip_blanks(&mut self) -> Result<(), Abort> {
        loop {
            match self.peek(0) {
                b'\n' => {
                    self.line += 1;
                    self.pos += 1;
                }
                b' ' | b'\t' | b'\r' | b'\x0c' => self.pos += 1,
                b'-' if self.peek(1) == b'-' => {
                    let rest = self.rest();
                    self.pos += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                }
                b'/' if self.rest().starts_with(b"/--") => self.skip_block_comment(),
                b'#' if self.at_line_start() => {
                    if !self.directive()? {
                        return Ok(());
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    fn at_line_start(&self) -> bool {
        self.pos == 0 || self.text[self.pos - 1] == b'\n'
    }

    /// `/-- ... --/`; an unclosed one reaches to the end of the text.
    fn skip_block_comment(&mut self) {
        self.pos += 3;
        while self.pos < self.text.len() && !self.rest().starts_with(b"--/") {
            self.line += u32::from(self.text[self.pos] == b'\n');
            self.pos += 1;
        }
        self.pos = (self.pos + 3).min(self.text.len());
    }

    /// At a `#` that begins a line: reads a `# N ...` line (true), fails on any other directive;
    /// false if the line does not end, which makes `#` an illegal character.
    fn directive(&mut self) -> Result<bool, Abort> {
        let rest = self.rest();
        let Some(len) = rest.iter().position(|&b| b == b'\n') else {
            return Ok(false);
        };
        let span = self.span_to(len);
        let digits: &[u8] = rest[1..len].strip_prefix(b" ").unwrap_or(b"");
        let digits = digits.split(|b| !b.is_ascii_digit()).next().unwrap_or(b"");
        self.pos += len + 1;
        if digits.is_empty() {
            self.line += 1;
            let mut text = b"Unexpected preprocessor directive:\n ".to_vec();
            text.extend_from_slice(&rest[..=len]);
            return Err(self.fail(SyntaxErrorKind::Directive(text), span));
        }
        let number = digits.iter().fold(0u32, |n, b| {
            n.wrapping_mul(10).wrapping_add(u32::from(b - b'0'))
        });
        self.line = number;
        Ok(true)
    }

    fn fail(&self, kind: SyntaxErrorKind, span: Span) -> Abort {
        Abort::new(kind, self.line, span)
    }

    fn lexical(&self, text: Vec<u8>, span: Span) -> Abort {
        self.fail(SyntaxErrorKind::Lexical(text), span)
    }

    /// Reads one token that begins at `pos`; the text is not at its end.
    fn token(&mut self) -> Result<Tok, Abort> {
        let at = At {
            offset: self.pos as u32,
            line: self.line,
        };
        let byte = self.peek(0);
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => return self.word_or_name(),
            b'0'..=b'9' => return self.number(),
            b'"' => return self.quoted(),
            _ => {}
        }
        let (sign, len) = match (byte, self.peek(1), self.peek(2)) {
            (b'<', b'-', b'>') => (K::Iff, 3),
            (b'<', b'<', b'<') => (K::Lrot, 3),
            (b'>', b'>', b'>') => (K::Rrot, 3),
            (b'<', b'<', _) => (K::Lsh, 2),
            (b'>', b'>', _) => (K::Rsh, 2),
            (b'<', b'=', _) => (K::Le, 2),
            (b'>', b'=', _) => (K::Ge, 2),
            (b'!', b'=', _) => (K::Neq, 2),
            (b'-', b'>', _) => (K::Implies, 2),
            (b':', b'=', _) => (K::Becomes, 2),
            (b':', b':', _) => (K::Concat, 2),
            (b'.', b'.', _) => (K::DotDot, 2),
            (b'(', ..) => (K::LParen, 1),
            (b')', ..) => (K::RParen, 1),
            (b'[', ..) => (K::LBracket, 1),
            (b']', ..) => (K::RBracket, 1),
            (b'{', ..) => (K::LBrace, 1),
            (b'}', ..) => (K::RBrace, 1),
            (b';', ..) => (K::Semicolon, 1),
            (b':', ..) => (K::Colon, 1),
            (b',', ..) => (K::Comma, 1),
            (b'.', ..) => (K::Dot, 1),
            (b'?', ..) if self.query && !ends_operand(self.last) => (K::Placeholder, 1),
            (b'?', ..) => (K::Question, 1),
            (b'!', ..) => (K::Not, 1),
            (b'&', ..) => (K::And, 1),
            (b'|', ..) => (K::Or, 1),
            (b'=', ..) => (K::Eq, 1),
            (b'<', ..) => (K::Lt, 1),
            (b'>', ..) => (K::Gt, 1),
            (b'+', ..) => (K::Plus, 1),
            (b'-', ..) => (K::Minus, 1),
            (b'*', ..) => (K::Times, 1),
            (b'/', ..) => (K::Divide, 1),
            _ => return Err(self.illegal_character()),
        };
        self.pos += len;
        Ok(Tok::K(sign, at))
    }

    fn illegal_character(&self) -> Abort {
        let mut text = b"illegal character : \"".to_vec();
        // NuSMV prints a C string: nothing of a NUL.
        text.extend(self.rest().first().filter(|&&b| b != 0));
        text.push(b'"');
        self.lexical(text, self.span_to(1))
    }

    fn word_or_name(&mut self) -> Result<Tok, Abort> {
        let rest = self.rest();
        if let Some(len) = fraction_length(rest) {
            self.pos += len;
            return Ok(Tok::Fraction);
        }
        let len = rest
            .iter()
            .position(|&b| !is_name_byte(b))
            .unwrap_or(rest.len());
        let span = self.span_to(len);
        self.pos += len;
        if &rest[..len] == b"PSLSPEC" {
            return self.psl_text();
        }
        let at = At {
            offset: span.start,
            line: self.line,
        };
        if &rest[..len] == b"QUERYSPEC" && self.begins_query() {
            return Ok(Tok::K(K::QuerySpec, at));
        }
        Ok(keyword(&rest[..len]).map_or(Tok::Atom(span), |k| Tok::K(k, at)))
    }

    /// Whether `QUERYSPEC`, just read, is no identifier: it stands where a section may begin, and not
    /// at the beginning of a declaration.
    fn begins_query(&mut self) -> bool {
        let after_section = match self.last {
            Tok::Begin(_) => self.queries,
            Tok::PslSpec(_) => true,
            Tok::K(K::Semicolon, _) => self.cases == 0,
            last => ends_operand(last),
        };
        let (pos, line) = (self.pos, self.line);
        let declares = self.skip_blanks().is_ok() && matches!(self.peek(0), b':' | b'.' | b'[');
        (self.pos, self.line) = (pos, line);
        after_section && !declares
    }

    /// Keeps what later tokens depend on.
    fn note(&mut self, tok: Tok) {
        self.last = tok;
        let word = match tok {
            Tok::K(word, _) => word,
            // With its semicolon.
            Tok::PslSpec(_) => K::Semicolon,
            _ => return,
        };
        match word {
            K::Case => self.cases += 1,
            K::Esac => self.cases = self.cases.saturating_sub(1),
            K::QuerySpec => self.query = true,
            K::Semicolon if self.cases == 0 => self.query = self.queries,
            // Sections need no semicolon between them.
            k if k.begins_section() || k == K::MDefine => {
                self.query = self.queries;
                self.cases = 0;
            }
            _ => {}
        }
    }

    /// Behind `PSLSPEC`: all text up to the next semicolon outside braces is the property. Its line
    /// breaks do not count for NuSMV, and it swallows the character behind the semicolon.
    fn psl_text(&mut self) -> Result<Tok, Abort> {
        let rest = self.rest();
        let end = psl::end_of_property(rest);
        let len = end.unwrap_or(rest.len());
        let span = self.span_to(len);
        if end.is_none() {
            // What is wrong before the end comes first.
            psl::parse(
                &mut crate::ast::Ast::default(),
                rest,
                self.pos as u32,
                self.line,
            )?;
            self.line += count_lines(rest.get(1..len).unwrap_or_default());
            let text = "Unexpected end of file (did you forget a semicolon ';' ?)".to_owned();
            return Err(self.fail(SyntaxErrorKind::Psl(text), span));
        }
        self.pos = (self.pos + len + 2).min(self.text.len());
        Ok(Tok::PslSpec(span))
    }

    /// `"..."`: an identifier of any text, quotes included.
    fn quoted(&mut self) -> Result<Tok, Abort> {
        let Some(len) = self.rest()[1..].iter().position(|&b| b == b'"') else {
            return Err(self.illegal_character());
        };
        let span = self.span_to(len + 2);
        self.line += count_lines(&self.rest()[..len + 2]);
        self.pos += len + 2;
        Ok(Tok::Atom(span))
    }

    fn number(&mut self) -> Result<Tok, Abort> {
        let rest = self.rest();
        if let Some(len) = word::literal_length(rest) {
            let span = self.span_to(len);
            self.pos += len;
            return match word::parse(&rest[..len]) {
                Ok(_) => Ok(Tok::Word(span)),
                Err(error) => Err(self.lexical(error.to_string().into_bytes(), span)),
            };
        }
        let digits = count_digits(rest);
        let (tok, len) = real_length(rest, digits);
        let span = self.span_to(len);
        self.pos += len;
        if let Some(tok) = tok {
            return Ok(tok);
        }
        let value = rest[..digits].iter().try_fold(0i32, |n, b| {
            n.checked_mul(10)?.checked_add(i32::from(b - b'0'))
        });
        value.map(|n| Tok::Number(n, span)).ok_or_else(|| {
            let mut text = b"illegal integer: \"".to_vec();
            text.extend_from_slice(&rest[..digits]);
            text.push(b'"');
            self.lexical(text, span)
        })
    }
}

/// Whether an operand can end with this token, so that a binary operator may follow.
fn ends_operand(tok: Tok) -> bool {
    use K::{Esac, False, Placeholder, RBrace, RBracket, RParen, SelfRef, True};
    match tok {
        Tok::Atom(_) | Tok::Number(..) | Tok::Word(_) => true,
        Tok::K(word, _) => matches!(
            word,
            RParen | RBracket | RBrace | True | False | SelfRef | Esac | Placeholder
        ),
        _ => false,
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#' | b'-')
}

fn count_digits(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_digit()).count()
}

fn count_lines(text: &[u8]) -> u32 {
    text.iter().filter(|&&b| b == b'\n').count() as u32
}

/// Length of `f'N/M` at the start of `text`.
fn fraction_length(text: &[u8]) -> Option<usize> {
    let rest = text
        .strip_prefix(b"f'")
        .or_else(|| text.strip_prefix(b"F'"))?;
    let above = count_digits(rest);
    let rest = rest[above..].strip_prefix(b"/")?;
    let below = count_digits(rest);
    (above > 0 && below > 0).then_some(3 + above + below)
}

/// Length of the number at the start of `text`, which begins with `digits` digits, and its token
/// if it is no integer: `1.5`, `1e5`, `1.5e-5`.
fn real_length(text: &[u8], digits: usize) -> (Option<Tok>, usize) {
    let mut len = digits;
    let mut tok = None;
    if text.get(len) == Some(&b'.') {
        let decimals = count_digits(&text[len + 1..]);
        if decimals > 0 {
            len += 1 + decimals;
            tok = Some(Tok::Real);
        }
    }
    if matches!(text.get(len), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(len + 1), Some(b'-')));
        let exponent = count_digits(text.get(len + 1 + sign..).unwrap_or(b""));
        if exponent > 0 {
            len += 1 + sign + exponent;
            tok = Some(Tok::Exponential);
        }
    }
    (tok, len)
}

impl Iterator for Lexer<'_> {
    type Item = Result<(u32, Tok, u32), Abort>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(begin) = self.begin.take() {
            self.marks.advance(self.line, Span::default());
            return Some(Ok((0, Tok::Begin(begin), 0)));
        }
        if self.ended {
            return None;
        }
        if let Err(abort) = self.skip_blanks() {
            return Some(Err(abort));
        }
        let start = self.pos as u32;
        let tok = if self.pos == self.text.len() {
            self.ended = true;
            Tok::End
        } else {
            match self.token() {
                Ok(tok) => tok,
                Err(abort) => return Some(Err(abort)),
            }
        };
        self.note(tok);
        let end = self.pos as u32;
        self.marks.advance(self.line, Span { start, end });
        Some(Ok((start, tok, end)))
    }
}
