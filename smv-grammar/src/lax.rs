//! Reading on after syntax errors (NuSMV's `parser_is_lax`).
//!
//! Text → [`Ast`] of what can be read, with the errors. NuSMV's parser is an LALR one with rules for errors among
//! the sections of a module and among the elements of VAR, DEFINE and ASSIGN (Aho, Sethi, Ullman: Compilers,
//! 1986, section 4.8): it drops the section or element in which it is, and the tokens up to the next that can
//! begin one. An error less than three tokens behind that is not told. Here what is dropped is blanked, so
//! that places stay what they are, and the whole is read anew: errors are few.
//!
//! Other errors end it; of those in the head of a module and of what is not supported NuSMV does not tell then.

use crate::ast::Ast;
use crate::error::{SyntaxError, SyntaxErrorKind};
use crate::lexer::{Lexer, Marks};
use crate::parse::{located, parse_strictly};
use crate::psl;
use crate::token::{Begin, K, Tok};
use std::ops::Range;

/// How many tokens must be read after an error before the next one is told.
const QUIET: usize = 3;

/// Reads a whole file; the errors told are in the tree.
pub fn parse(text: &[u8]) -> Result<Ast, Vec<SyntaxError>> {
    let mut text = text.to_vec();
    let mut told = Vec::new();
    let mut resumed = None;
    loop {
        let mut errors = match parse_strictly(&text) {
            Ok(ast) => {
                return Ok(Ast {
                    errors: told,
                    ..ast
                });
            }
            Err(errors) => errors,
        };
        match errors.first().map(|e| &e.kind) {
            Some(SyntaxErrorKind::Token { message, .. }) if message == "syntax error" => {}
            Some(SyntaxErrorKind::Token { .. } | SyntaxErrorKind::Context(_)) => {
                return Err(Vec::new());
            }
            _ => return Err(errors),
        }
        let error = errors.swap_remove(0);
        let at = error.span.start as usize;
        let tokens = Tokens::new(&text)?;
        let gap = tokens.gap(&text, at).ok_or_else(Vec::new)?;
        tokens.check_properties(&text, &gap)?;
        let quiet = resumed.is_some_and(|from| tokens.between(from, at) < QUIET);
        if !quiet {
            told.push(error);
        }
        resumed = Some(gap.end);
        let dropped = &mut text[gap];
        dropped
            .iter_mut()
            .filter(|b| **b != b'\n')
            .for_each(|b| *b = b' ');
    }
}

/// The tokens of a text: where they begin and end.
struct Tokens(Vec<(usize, Tok, usize)>);

impl Tokens {
    fn new(text: &[u8]) -> Result<Tokens, Vec<SyntaxError>> {
        let marks = Marks::default();
        let lexer = Lexer::new(text, 1, Begin::File, &marks);
        let tokens: Result<Vec<_>, _> = lexer.collect();
        match tokens {
            Ok(all) => Ok(Tokens(
                all.into_iter()
                    .map(|(start, tok, end)| (start as usize, tok, end as usize))
                    .collect(),
            )),
            Err(abort) => Err(vec![located(abort, text)]),
        }
    }

    /// How many tokens begin in `from..to`.
    fn between(&self, from: usize, to: usize) -> usize {
        let inside = self.0.iter().filter(|t| (from..to).contains(&t.0));
        inside.count()
    }

    /// NuSMV reads PSL properties even where they are dropped.
    fn check_properties(&self, text: &[u8], gap: &Range<usize>) -> Result<(), Vec<SyntaxError>> {
        for (start, tok, _) in &self.0 {
            let Tok::PslSpec(span) = tok else { continue };
            if gap.contains(start) {
                let property = &text[span.start as usize..span.end as usize];
                let line = text[..*start].iter().filter(|b| **b == b'\n').count() as u32 + 1;
                psl::parse(&mut Ast::default(), property, span.start, line)
                    .map_err(|abort| vec![located(abort, text)])?;
            }
        }
        Ok(())
    }

    /// What is dropped after an error at `at`; nothing in the head of a module.
    fn gap(&self, text: &[u8], at: usize) -> Option<Range<usize>> {
        let before: Vec<_> = self.0.iter().filter(|t| t.0 < at).collect();
        let head = before.iter().rposition(|t| begins_section(t.1))?;
        let (start, section, end) = *before[head];
        let element = element_of(section);
        let reads = |to: &usize| parse_strictly(&text[..*to]).is_ok();
        let kept = element.and_then(|element| {
            let ends = before[head..]
                .iter()
                .filter(|t| is(t.1, K::Semicolon))
                .map(|t| t.2);
            let mut ends: Vec<usize> = ends.collect();
            if !ends.is_empty() {
                ends.push(at);
            }
            if !element.required {
                ends.insert(0, end);
            }
            ends.into_iter().rev().find(reads).map(|to| (to, element))
        });
        let (from, begins): (usize, fn(Tok) -> bool) = match kept {
            Some((to, element)) => (to, element.begins),
            None if reads(&at) => (at, |_| false),
            None if is(section, K::Module) => return None,
            None => (start, |_| false),
        };
        let mut next = self.0.iter().filter(|t| t.0 >= at);
        let to = next.find(|t| begins(t.1) || begins_section(t.1) || t.1 == Tok::End)?;
        (from < to.0).then_some(from..to.0)
    }
}

fn is(tok: Tok, k: K) -> bool {
    matches!(tok, Tok::K(found, _) if found == k)
}

/// Whether a token begins a section or a module.
fn begins_section(tok: Tok) -> bool {
    match tok {
        Tok::PslSpec(_) => true,
        Tok::K(k, _) => k.begins_section() || k == K::QuerySpec,
        _ => false,
    }
}

/// What a section lists.
struct Element {
    /// Whether there must be one before an error can be passed over within the section.
    required: bool,
    /// Whether a token can be its first.
    begins: fn(Tok) -> bool,
}

fn element_of(section: Tok) -> Option<Element> {
    let Tok::K(k, _) = section else { return None };
    let (required, begins): (bool, fn(Tok) -> bool) = match k {
        K::Var | K::IVar | K::FrozenVar => (true, |t| matches!(t, Tok::Atom(_))),
        K::Define => (false, |t| matches!(t, Tok::Atom(_))),
        K::Assign => (false, |t| {
            matches!(t, Tok::Atom(_) | Tok::K(K::InitOf | K::Next, _))
        }),
        _ => return None,
    };
    Some(Element { required, begins })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is told, and how many items of the first module and how many modules are left.
    fn read(body: &str) -> (Vec<String>, usize, usize) {
        let text = format!("MODULE main\n{body}\nSPEC AG a\n");
        let ast = parse(text.as_bytes()).unwrap();
        let told = ast.errors.iter().map(|e| e.to_string()).collect();
        (told, ast.modules[0].items.len(), ast.modules.len())
    }

    #[test]
    fn sections_and_elements_are_dropped() {
        let at =
            |line: u32, token: &str| format!("line {line}: at token \"{token}\": syntax error");
        let cases = [
            ("INIT a a INIT a a a INIT a a", vec![at(2, "a")], 4),
            ("INIT a & INIT b c d INIT c ;", vec![at(2, "INIT")], 3),
            (
                "SPEC (\nVAR b : ;\nSPEC AF b b",
                vec![at(3, "VAR"), at(3, ";"), at(4, "b")],
                2,
            ),
            (
                "VAR b : boolean; c : {r, ; d : boolean; e : boolean",
                vec![at(2, ";"), at(3, "SPEC")],
                3,
            ),
            ("VAR b : boolean; c d : boolean;", vec![at(2, "d")], 3),
            (
                "DEFINE d := a; e : g := a; h : i := a; f := a;",
                vec![at(2, ":"), at(2, ":")],
                5,
            ),
            (
                "ASSIGN next(a) := case a : a; b esac; init(a) := a;",
                vec![at(2, "esac")],
                2,
            ),
        ];
        for (body, told, items) in cases {
            assert_eq!(read(body), (told, items, 1), "{body}");
        }
    }

    #[test]
    fn what_cannot_be_passed_over() {
        let fails = |text: &str| parse(text.as_bytes()).unwrap_err().len();
        assert_eq!(fails("MODULE main(\nVAR a : boolean;"), 0);
        assert_eq!(fails("MODULE main\nSPEC a a\nINVAR AG a"), 0);
        assert_eq!(fails("MODULE main\nSPEC a a @ b"), 1);
    }
}
