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
//! Two-valued functions mix in without conversion: `b ∧ w` is `b ? w : bottom`
//! ([`WordDd::meet_bdd`]), `b ∨ w` is `b ? top : w` ([`WordDd::join_bdd`]).

use std::cell::RefCell;

use rustc_hash::FxHashSet;

use super::add::{self, OpTag, space};
use super::bdd::{Bdd, SwapMap};
use super::error::DdResult;
use super::ffi::{self, DdNode};
use super::handle::{Handle, diagram_methods};
use super::manager::Manager;

/// A word: truth in bit 0, atoms above.
pub type Word = u64;

/// A function to words.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WordDd(pub(super) Handle);

diagram_methods!(WordDd);

/// Which bits follow the product lattice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordMask {
    bits: Word,
    node: Handle,
}

impl WordMask {
    /// The mask's bits; bit 0 is clear.
    pub fn bits(&self) -> Word {
        self.bits
    }

    /// Meet of two words.
    pub fn meet(&self, a: Word, b: Word) -> Word {
        // SAFETY: a pure function of three numbers.
        unsafe { ffi::cmv_word_meet(a, b, self.bits) }
    }

    /// Join of two words.
    pub fn join(&self, a: Word, b: Word) -> Word {
        // SAFETY: a pure function of three numbers.
        unsafe { ffi::cmv_word_join(a, b, self.bits) }
    }

    /// Meet and join of all words of a function.
    pub fn bounds(&self, f: &WordDd) -> (Word, Word) {
        let range = self.range(f);
        (range.lower, range.upper)
    }

    fn range(&self, f: &WordDd) -> ffi::CmvRange {
        // SAFETY: live operand, no operation under way; nothing is built.
        f.0.inner
            .deep(|| unsafe { ffi::cmv_range(f.ptr(), self.bits) })
    }

    /// Variables to quantify in functions with this mask. Results are remembered under the cube,
    /// so make it once and keep it.
    pub fn cube(&self, cube: &Bdd) -> WordCube {
        WordCube {
            cube: cube.clone(),
            mask: self.clone(),
            valued: RefCell::default(),
        }
    }
}

/// Variables to quantify, together with a mask.
#[derive(Clone, Debug)]
pub struct WordCube {
    cube: Bdd,
    mask: WordMask,
    /// The same variables as a valued cube, for each value outside the relation that occurred: its
    /// terminal is the number of the pair (mask, outside).
    valued: RefCell<Vec<(Word, Handle)>>,
}

impl WordCube {
    fn valued(&self, outside: Word) -> DdResult<Handle> {
        if let Some((_, cube)) = self.valued.borrow().iter().find(|(w, _)| *w == outside) {
            return Ok(cube.clone());
        }
        let inner = &self.cube.0.inner;
        let number = inner.word_pair(self.mask.bits, outside);
        // SAFETY: live manager and operand; `build` references the result at once.
        let cube = inner.build(|dd| unsafe { ffi::cmv_cube(dd, self.cube.0.node.0, number) })?;
        self.valued.borrow_mut().push((outside, cube.clone()));
        Ok(cube)
    }
}

impl Manager {
    /// A mask; bit 0 must be clear.
    pub fn word_mask(&self, bits: Word) -> DdResult<WordMask> {
        assert_eq!(bits & 1, 0, "bit 0 is the truth value");
        Ok(WordMask {
            bits,
            node: self.terminal(bits)?,
        })
    }
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
    pub fn is_constant(&self) -> Option<Word> {
        self.0.node.is_const().then(|| self.0.node.bits())
    }

    /// Meet.
    pub fn meet(&self, other: &WordDd, mask: &WordMask) -> DdResult<WordDd> {
        // SAFETY (also for the operators below): live manager, operands referenced by handles of
        // the same manager; `build` references the result at once.
        let build = |dd| unsafe { ffi::cmv_meet(dd, self.ptr(), other.ptr(), mask.node.node.0) };
        self.0.inner.build(build).map(WordDd)
    }

    /// Join.
    pub fn join(&self, other: &WordDd, mask: &WordMask) -> DdResult<WordDd> {
        // SAFETY: see `meet`.
        let build = |dd| unsafe { ffi::cmv_join(dd, self.ptr(), other.ptr(), mask.node.node.0) };
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

    /// Join with a two-valued function.
    pub fn join_bdd(&self, b: &Bdd) -> DdResult<WordDd> {
        WordDd::ite(b, &b.manager().word(1)?, self)
    }

    /// `⊔ cube. (rel ? self : bottom)`, the image operator of the existential path quantifier.
    pub fn join_and_exists(&self, rel: &Bdd, cube: &WordCube) -> DdResult<WordDd> {
        self.quantify(false, rel, cube, 0)
    }

    /// The same where for each assignment of interest some assignment to the cube lies in `rel`:
    /// agrees there with [`WordDd::join_and_exists`], and is cheaper, since the value outside the
    /// relation need not be bottom but may be the meet of all words of `self`. For a relation in
    /// parts, that each is total suffices only together (the conjunction must be).
    pub fn join_and_exists_total(&self, rel: &Bdd, cube: &WordCube) -> DdResult<WordDd> {
        self.quantify_total(false, rel, cube)
    }

    /// `⊓ cube. (rel ? self : top)`, the image operator of the universal path quantifier.
    pub fn meet_implies_forall(&self, rel: &Bdd, cube: &WordCube) -> DdResult<WordDd> {
        self.quantify(true, rel, cube, 1)
    }

    /// [`WordDd::meet_implies_forall`] under the promise of [`WordDd::join_and_exists_total`].
    pub fn meet_implies_forall_total(&self, rel: &Bdd, cube: &WordCube) -> DdResult<WordDd> {
        self.quantify_total(true, rel, cube)
    }

    /// `⊔ cube. self`
    pub fn join_exists(&self, cube: &WordCube) -> DdResult<WordDd> {
        self.join_and_exists_total(&cube.cube.manager().one(), cube)
    }

    /// `⊓ cube. self`
    pub fn meet_forall(&self, cube: &WordCube) -> DdResult<WordDd> {
        self.meet_implies_forall_total(&cube.cube.manager().one(), cube)
    }

    fn quantify_total(&self, forall: bool, rel: &Bdd, cube: &WordCube) -> DdResult<WordDd> {
        let range = cube.mask.range(self);
        let (lower, upper) = (range.lower, range.upper);
        let bounds_occur = lower.min(upper) == range.least && lower.max(upper) == range.greatest;
        if range.terminals == 2 && bounds_occur {
            // Two words, one above the other: a set of assignments, which a BDD does faster.
            let set = self.set_above(lower, upper)?;
            let set = if forall {
                set.not().and_exists(rel, &cube.cube)?.not()
            } else {
                set.and_exists(rel, &cube.cube)?
            };
            return WordDd::atom(&set, upper, lower);
        }
        self.quantify(forall, rel, cube, if forall { upper } else { lower })
    }

    /// Where a function to `lower` and `upper` takes the second.
    fn set_above(&self, lower: Word, upper: Word) -> DdResult<Bdd> {
        let bit = (lower ^ upper).trailing_zeros();
        let set = self.bit(bit)?;
        Ok(if upper >> bit & 1 == 1 {
            set
        } else {
            set.not()
        })
    }

    /// Join (`forall`: meet) over the cube of `rel ? self : outside`; outside is below (above) all
    /// words of `self`.
    fn quantify(
        &self,
        forall: bool,
        rel: &Bdd,
        cube: &WordCube,
        outside: Word,
    ) -> DdResult<WordDd> {
        let op = if forall {
            ffi::cmv_meet_forall
        } else {
            ffi::cmv_join_exists
        };
        let valued = cube.valued(outside)?;
        let (rel, c, valued) = (rel.0.node.0, cube.cube.0.node.0, valued.node.0);
        let mask = cube.mask.bits;
        // SAFETY: see `meet`; `valued` was made from the cube for this mask and outside value.
        let build = |dd| unsafe { op(dd, rel, self.ptr(), c, valued, mask, outside) };
        self.0.inner.build(build).map(WordDd)
    }

    /// Meet of the words under a set of assignments; top for the empty set. Builds no nodes.
    pub fn meet_over(&self, set: &Bdd, mask: &WordMask) -> Word {
        self.terminals_under(set)
            .into_iter()
            .fold(1, |a, b| mask.meet(a, b))
    }

    /// Join of the words under a set of assignments; bottom for the empty set. Builds no nodes.
    pub fn join_over(&self, set: &Bdd, mask: &WordMask) -> Word {
        self.terminals_under(set)
            .into_iter()
            .fold(0, |a, b| mask.join(a, b))
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
