//! VAQUOT: truth and vacuity of all targets out of one pass over words (Bobaru 2009, section 4.6).
//!
//! The lattice is `{false, true} × 2^A`, `A` the targets. A word holds the truth value in bit 0
//! and, for each target, one bit that is 1 iff it is *not* vacuous; bottom (false, A) is 0, top
//! (true, A) is 1. A target of one polarity with value `a` becomes the word "truth `a`, own bit
//! set": its constant working against `a` would flip it. With `w(t, b)` the truth of the witness,
//! the rules of [`WordDd::meet`] and `join` keep, state by state, the invariant
//!
//! > bit i of a word of truth t is 1 iff the subformula with target i replaced by the constant
//! > that works against t has truth !t.
//!
//! Proof by induction on the formula: let meet combine (t1, b1) and (t2, b2). Both true: the
//! witness is the meet of the lowered operands, false iff one of them is: b1 | b2. Both false: the
//! witness is the meet of the raised operands, true iff both are: b1 & b2. Mixed: the result is
//! false; the true operand stays true when raised, so the witness is the false one's. Join and not are
//! dual; EX is a join over successors, and fixpoints are limits of these on a finite lattice.
//!
//! A target in both polarities takes two bits, one for each constant c, with
//! `b = truth xor (truth of the witness with c)`. They follow the product lattice: a witness is an
//! ordinary CTL formula, whose operators act on it pointwise, so meet gives `w1 & w2`, join `w1 | w2`, not
//! keeps b (it flips both). Such a target is vacuous iff both bits are 0. A mask tells the kinds
//! apart.
//!
//! Subformulas without targets are evaluated as state sets and enter as top and bottom. More
//! targets than bits go in groups, one pass each: in the pass of another group a target is an
//! ordinary state formula, and its bits do not depend on those of others.

use super::Question;
use crate::dd::{Bdd, DdResult, Manager, WordDd, word_meet};
use crate::encode::error::Result;
use crate::engine::algebra::{Algebra, TwoValued, Words};
use crate::engine::fixpoint::{Hint, apply};
use crate::engine::obligations::{Region, obligations};
use crate::logic::{CtlOp, CtlTree, NodeId, Polarity, TreeKind};

/// Truth of the formula and, for each target, whether it is vacuous.
pub struct WordsResult {
    /// Whether the formula holds.
    pub truth: bool,
    /// By target.
    pub vacuous: Vec<bool>,
}

/// A two-valued or a many-valued function of the state.
#[derive(Clone)]
enum Value {
    Two(Bdd),
    Word(WordDd),
}

/// The bits of one target.
#[derive(Clone, Copy)]
enum Bits {
    One(u32),
    /// Bits for the constants FALSE and TRUE.
    Pair(u32, u32),
}

/// Evaluates the formula over words of `bits` bits (32 or 64, the truth bit included). `targets` do
/// not overlap.
pub fn check(question: &Question, targets: &[NodeId], bits: u32) -> Result<WordsResult> {
    let Question {
        manager,
        machine,
        tree,
        ..
    } = *question;
    let polarities = tree.polarities();
    let mut result = WordsResult {
        truth: true,
        vacuous: vec![false; targets.len()],
    };
    for (group, mask) in groups(targets, &polarities, bits) {
        let (bottom, top) = (manager.word(0)?, manager.word(1)?);
        let pass = Pass {
            two: TwoValued(machine),
            words: Words {
                machine,
                mask,
                bottom,
                top,
            },
            tree,
            manager,
            group: &group,
        };
        let word = pass.run(question, targets)?;
        result.truth = word & 1 == 1;
        for &(target, bits) in &group {
            let index = targets
                .iter()
                .position(|&t| t == target)
                .expect("of the targets");
            let bit = |b: u32| word >> b & 1 == 1;
            result.vacuous[index] = match bits {
                Bits::One(b) => !bit(b),
                Bits::Pair(f, t) => !bit(f) && !bit(t),
            };
        }
    }
    Ok(result)
}

/// Targets with their bits, in groups that fit a word, with the mask of the paired bits.
fn groups(
    targets: &[NodeId],
    polarities: &[Polarity],
    bits: u32,
) -> Vec<(Vec<(NodeId, Bits)>, u64)> {
    let mut result = vec![(Vec::new(), 0u64)];
    let mut next = 1;
    for &target in targets {
        let mixed = polarities[target.0 as usize] == Polarity::Mixed;
        if next + u32::from(mixed) >= bits {
            result.push((Vec::new(), 0));
            next = 1;
        }
        let (group, mask) = result.last_mut().expect("never empty");
        if mixed {
            group.push((target, Bits::Pair(next, next + 1)));
            *mask |= 0b11 << next;
            next += 2;
        } else {
            group.push((target, Bits::One(next)));
            next += 1;
        }
    }
    result
}

struct Pass<'a> {
    two: TwoValued<'a>,
    words: Words<'a>,
    tree: &'a CtlTree,
    manager: &'a Manager,
    group: &'a [(NodeId, Bits)],
}

impl Pass<'_> {
    /// The word of the formula at the model.
    fn run(&self, question: &Question, targets: &[NodeId]) -> Result<u64> {
        let tree = self.tree;
        let obligations = obligations(tree, question.reachable, targets);
        let mut needed = vec![false; tree.len()];
        for o in &obligations {
            for n in tree.descendants(o.node) {
                needed[n as usize] = true;
            }
        }
        let mut values: Vec<Option<Value>> = vec![None; tree.len()];
        // Nodes with a target at or below them; the others are two-valued, and known or found as such.
        let mut many: Vec<bool> = vec![false; tree.len()];
        for id in tree.ids().filter(|id| needed[id.0 as usize]) {
            let node = tree.node(id);
            let below = tree.children(id).any(|c| many[c.0 as usize]);
            many[id.0 as usize] = below || self.group.iter().any(|g| g.0 == id);
            let plain = match node.kind {
                TreeKind::Const(true) => Value::Two(self.two.machine().care().clone()),
                TreeKind::Const(false) => Value::Two(self.two.bottom()?),
                _ if !below && node.source.is_some() => Value::Two((question.sat)(node.expr)?),
                TreeKind::Atom => Value::Two(self.two.embed(&(question.leaf)(node.expr)?)?),
                _ => {
                    let op = tree.operator(id).expect("no leaf");
                    let mut operands = tree.children(id).map(|c| values[c.0 as usize].take());
                    let a = operands.next().flatten().expect("operands come first");
                    self.operator(op, a, operands.next().flatten())?
                }
            };
            values[id.0 as usize] = Some(match self.group.iter().find(|g| g.0 == id) {
                Some(&(_, bits)) => Value::Word(self.target(bits, plain)?),
                None => plain,
            });
        }
        let mut total = 1;
        for o in &obligations {
            let region = match o.region {
                Region::Initial => question.initial,
                Region::Reachable => self.words.machine.fair(),
            };
            let value = values[o.node.0 as usize].clone().expect("evaluated");
            let word = match value {
                Value::Two(states) => u64::from(region.leq(&states)),
                Value::Word(w) => w.meet_over(region, self.words.mask),
            };
            total = word_meet(total, word, self.words.mask);
        }
        Ok(total)
    }

    /// A target's word: its truth, and its bits set where the constant would change it.
    fn target(&self, bits: Bits, plain: Value) -> DdResult<WordDd> {
        let Value::Two(states) = plain else {
            unreachable!("targets do not overlap")
        };
        let (on, off) = match bits {
            Bits::One(b) => (1 | 1 << b, 1 << b),
            Bits::Pair(when_false, when_true) => (1 | 1 << when_false, 1 << when_true),
        };
        let word = WordDd::ite(&states, &self.manager.word(on)?, &self.manager.word(off)?)?;
        self.words.on(&word, self.words.machine.care())
    }

    fn operator(&self, op: CtlOp, a: Value, b: Option<Value>) -> DdResult<Value> {
        Ok(match (a, b) {
            (Value::Two(a), None) => Value::Two(apply(&self.two, op, &a, None, Hint::NONE)?),
            (Value::Two(a), Some(Value::Two(b))) => {
                Value::Two(apply(&self.two, op, &a, Some(&b), Hint::NONE)?)
            }
            (a, b) => {
                let a = self.word(a)?;
                let b = b.map(|b| self.word(b)).transpose()?;
                Value::Word(apply(&self.words, op, &a, b.as_ref(), Hint::NONE)?)
            }
        })
    }

    fn word(&self, value: Value) -> DdResult<WordDd> {
        match value {
            Value::Two(states) => self.words.embed(&states),
            Value::Word(w) => Ok(w),
        }
    }
}
