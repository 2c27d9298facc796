//! Functions to vacuity words, and the lattice operators on them.
//!
//! A word holds the truth value in bit 0 and one bit for each atom (set: the atom matters). Bits
//! under the mask follow the product lattice instead: such a bit stands for the witness value
//! `truth xor bit`. Top is 1 and bottom 0 for either kind.
//!
//! ```text
//! meet   both true: |    both false: &   mixed: the false word, under the mask & !true's bit
//! join   both true: &    both false: |   mixed: the true word,  under the mask & !false's bit
//! not    flips bit 0
//! ```
//!
//! Two-valued functions mix in without conversion: `b ∧ w` is `b ? w : bottom` ([`WordDd::meet_bdd`]).

use rustc_hash::FxHashSet;

use super::add::{self, OpTag, space};
use super::bdd::{Bdd, SwapMap};
use super::error::DdResult;
use super::ffi::{self, DdNode};
use super::handle::{Handle, diagram_methods};

/// A word: truth in bit 0, atoms above.
pub type Word = u64;

/// A function to words.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WordDd(pub(super) Handle);

diagram_methods!(WordDd);

/// Meet of two words; bits under the mask follow the product lattice.
pub fn word_meet(a: Word, b: Word, mask: Word) -> Word {
    // SAFETY: a pure function of three numbers.
    unsafe { ffi::cmv_word_meet(a, b, mask) }
}

impl WordDd {
    fn ptr(&self) -> *mut DdNode {
        self.0.node.0
    }

    /// `b ? true_word : false_word`
    pub fn atom(b: &Bdd, true_word: Word, false_word: Word) -> DdResult<WordDd> {
        let manager = b.manager();
        WordDd::ite(b, &manager.word(true_word)?, &manager.word(false_word)?)
    }

    /// A two-valued function: top where it holds, else bottom.
    pub fn from_bdd(b: &Bdd) -> DdResult<WordDd> {
        WordDd::atom(b, 1, 0)
    }

    /// `cond ? then : otherwise`
    pub fn ite(cond: &Bdd, then: &WordDd, otherwise: &WordDd) -> DdResult<WordDd> {
        add::ite(cond, &then.0, &otherwise.0).map(WordDd)
    }

    /// The word, if the function is constant.
    pub fn terminal(&self) -> Option<Word> {
        self.0.node.is_const().then(|| self.0.node.bits())
    }

    /// Meet. Bits under `mask` (bit 0 clear) follow the product lattice, here and below.
    pub fn meet(&self, other: &WordDd, mask: Word) -> DdResult<WordDd> {
        debug_assert_eq!(mask & 1, 0, "bit 0 is the truth value");
        let mask = self.0.inner.terminal(mask)?;
        // SAFETY (also for the operators below): live manager, operands referenced by handles of
        // the same manager; `build` references the result at once.
        let build = |dd| unsafe { ffi::cmv_meet(dd, self.ptr(), other.ptr(), mask.node.0) };
        self.0.inner.build(build).map(WordDd)
    }

    /// Join.
    pub fn join(&self, other: &WordDd, mask: Word) -> DdResult<WordDd> {
        debug_assert_eq!(mask & 1, 0, "bit 0 is the truth value");
        let mask = self.0.inner.terminal(mask)?;
        // SAFETY: see `meet`.
        let build = |dd| unsafe { ffi::cmv_join(dd, self.ptr(), other.ptr(), mask.node.0) };
        self.0.inner.build(build).map(WordDd)
    }

    /// Complement of the truth value; the atoms' bits stay.
    pub fn not(&self) -> DdResult<WordDd> {
        // SAFETY: see `meet`.
        self.0
            .inner
            .build(|dd| unsafe { ffi::cmv_not(dd, self.ptr()) })
            .map(WordDd)
    }

    /// Meet with a two-valued function.
    pub fn meet_bdd(&self, b: &Bdd) -> DdResult<WordDd> {
        WordDd::ite(b, self, &b.manager().word(0)?)
    }

    /// `⊔ cube. (rel ? self : bottom)`, the image operator of the existential path quantifier.
    pub fn join_and_exists(&self, rel: &Bdd, cube: &Bdd, mask: Word) -> DdResult<WordDd> {
        self.quantify(false, rel, cube, mask, 0)
    }

    /// The same where for each assignment of interest some assignment to the cube lies in `rel`:
    /// agrees there with [`WordDd::join_and_exists`], and is cheaper, since the value outside the
    /// relation need not be bottom but may be the meet of all words of `self`. For a relation in
    /// parts, the promise is about their conjunction.
    pub fn join_and_exists_total(&self, rel: &Bdd, cube: &Bdd, mask: Word) -> DdResult<WordDd> {
        self.quantify(false, rel, cube, mask, self.bounds(mask).0)
    }

    /// `⊓ cube. (rel ? self : top)`, the image operator of the universal path quantifier.
    pub fn meet_implies_forall(&self, rel: &Bdd, cube: &Bdd, mask: Word) -> DdResult<WordDd> {
        self.quantify(true, rel, cube, mask, 1)
    }

    /// [`WordDd::meet_implies_forall`] under the promise of [`WordDd::join_and_exists_total`].
    pub fn meet_implies_forall_total(&self, rel: &Bdd, cube: &Bdd, mask: Word) -> DdResult<WordDd> {
        self.quantify(true, rel, cube, mask, self.bounds(mask).1)
    }

    /// `⊔ cube. self`
    pub fn join_exists(&self, cube: &Bdd, mask: Word) -> DdResult<WordDd> {
        self.join_and_exists_total(&cube.manager().one(), cube, mask)
    }

    /// `⊓ cube. self`
    pub fn meet_forall(&self, cube: &Bdd, mask: Word) -> DdResult<WordDd> {
        self.meet_implies_forall_total(&cube.manager().one(), cube, mask)
    }

    /// Join (`forall`: meet) over the cube of `rel ? self : outside`; outside is below (above) all
    /// words of `self`.
    fn quantify(
        &self,
        forall: bool,
        rel: &Bdd,
        cube: &Bdd,
        mask: Word,
        outside: Word,
    ) -> DdResult<WordDd> {
        let inner = &self.0.inner;
        let op = if forall {
            ffi::cmv_meet_forall
        } else {
            ffi::cmv_join_exists
        };
        let valued = inner.valued_cube(cube, mask, outside)?;
        let (rel, cube) = (rel.0.node.0, cube.0.node.0);
        // SAFETY: see `meet`; `valued` was made from the cube for this mask and outside value.
        let build = |dd| unsafe { op(dd, rel, self.ptr(), cube, valued.0, mask, outside) };
        inner.build(build).map(WordDd)
    }

    /// Meet and join of all words.
    pub fn bounds(&self, mask: Word) -> (Word, Word) {
        let (mut lower, mut upper) = (0, 0);
        // SAFETY: live operand, no operation under way; nothing is built.
        self.0.inner.deep(|| unsafe {
            ffi::cmv_bounds(self.ptr(), mask, &mut lower, &mut upper);
        });
        (lower, upper)
    }

    /// Meet of the words under a set of assignments; top for the empty set. Builds no nodes.
    pub fn meet_over(&self, set: &Bdd, mask: Word) -> Word {
        self.terminals_under(set)
            .into_iter()
            .fold(1, |a, b| word_meet(a, b, mask))
    }

    /// The words that occur under a set of assignments, ascending.
    pub fn terminals_under(&self, set: &Bdd) -> Vec<Word> {
        let inner = &self.0.inner;
        let mut found = FxHashSet::default();
        let mut seen = FxHashSet::default();
        let mut stack = vec![(set.0.node, self.0.node)];
        let level = |node: ffi::Node| node.var().map_or(u32::MAX, |v| inner.level(v));
        let split = |node: ffi::Node, at: u32| {
            if level(node) == at {
                node.children()
            } else {
                (node, node)
            }
        };
        while let Some((set, word)) = stack.pop() {
            if set == inner.one().complement() || !seen.insert((set, word)) {
                continue;
            }
            if word.is_const() {
                found.insert(word.bits());
                continue;
            }
            let top = level(set).min(level(word));
            let ((st, se), (wt, we)) = (split(set, top), split(word, top));
            stack.extend([(st, wt), (se, we)]);
        }
        let mut found: Vec<Word> = found.into_iter().collect();
        found.sort_unstable();
        found
    }

    /// The words that occur, ascending.
    pub fn terminals(&self) -> Vec<Word> {
        add::terminals(&self.0)
    }

    /// The set where a bit is set; bit 0 gives the truth value.
    pub fn bit(&self, bit: u32) -> DdResult<Bdd> {
        assert!(bit < Word::BITS, "no bit {bit}");
        add::test1(&self.0, space::BIT, bit, &mut |word| word >> bit & 1)
    }

    /// A function that agrees with this one on `care` (sibling substitution).
    pub fn restrict(&self, care: &Bdd) -> DdResult<WordDd> {
        add::restrict(&self.0, care).map(WordDd)
    }

    /// Renames variables.
    pub fn swap(&self, map: &SwapMap) -> DdResult<WordDd> {
        add::swap(&self.0, map).map(WordDd)
    }

    /// Applies `f` to the words; see [`super::Add::apply1`].
    pub fn apply1(&self, op: OpTag, f: &mut dyn FnMut(Word) -> Word) -> DdResult<WordDd> {
        add::apply1(&self.0, space::WORD, op.0, f).map(WordDd)
    }

    /// Applies `f` to pairs of words; see [`super::Add::apply1`].
    pub fn apply2(
        &self,
        other: &WordDd,
        op: OpTag,
        f: &mut dyn FnMut(Word, Word) -> Word,
    ) -> DdResult<WordDd> {
        add::apply2(&self.0, &other.0, space::WORD, op.0, f).map(WordDd)
    }

    /// The set where `f` is true of the word; see [`super::Add::apply1`].
    pub fn test1(&self, op: OpTag, f: &mut dyn FnMut(Word) -> bool) -> DdResult<Bdd> {
        add::test1(&self.0, space::WORD, op.0, &mut |word| u64::from(f(word)))
    }

    /// Value under an assignment.
    pub fn eval(&self, value: impl Fn(u32) -> bool) -> Word {
        add::eval(&self.0, value)
    }
}
