//! Where the sets and numbers of a state are in its words.
//!
//! A set has words of its own. Where a state would be larger than most, piles share words: every
//! card is in exactly one pile, so that a few bits for each card say in which one.

use crate::lower::Lowered;
use crate::set::Set;

/// The words of a state up to which every set has words of its own.
const PLAIN_WORDS: usize = 15;

/// The places of sets and numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The registers of sets with words of their own, in order.
    plain: Vec<u8>,
    /// The registers of piles that share words; the place of a pile is its code.
    piles: Vec<u8>,
    /// The number of bits of a code.
    bits: usize,
    /// The number of cards.
    cards: usize,
    /// The first word of the numbers.
    pub(crate) numbers: usize,
    /// The number of words without the history, which comes last.
    pub(crate) front: usize,
    /// The number of words of a state.
    pub(crate) words: usize,
}

impl Layout {
    /// Returns the layout for sets of `width` words.
    pub(crate) fn new(rules: &Lowered, width: usize) -> Self {
        let registers = rules.sets as u8;
        let plain = Self::with(rules, width, (0..registers).collect(), Vec::new());
        if plain.words <= PLAIN_WORDS {
            return plain;
        }
        let seats = |each: bool| if each { rules.players as u8 } else { 1 };
        let piles = rules.piles.iter();
        let piles: Vec<u8> =
            piles.flat_map(|pile| pile.register..pile.register + seats(pile.each)).collect();
        let others = (0..registers).filter(|register| !piles.contains(register)).collect();
        Self::with(rules, width, others, piles)
    }

    fn with(rules: &Lowered, width: usize, plain: Vec<u8>, piles: Vec<u8>) -> Self {
        let bits = piles.len().next_power_of_two().trailing_zeros() as usize;
        let bits = if piles.is_empty() { 0 } else { bits };
        let numbers = (plain.len() + bits) * width;
        let front = numbers + rules.registers.div_ceil(4) + 1;
        let words = front + rules.history().map_or(0, |history| history.words(width));
        Self { plain, piles, bits, cards: rules.cards.names.len(), numbers, front, words }
    }

    /// Calls `load` with all registers and sets of a state.
    #[inline(always)]
    pub(crate) fn load<const W: usize>(&self, words: &[u64], mut load: impl FnMut(u8, Set<W>)) {
        if self.piles.is_empty() {
            for (register, words) in (0..self.plain.len() as u8).zip(words.chunks_exact(W)) {
                load(register, Set(std::array::from_fn(|at| words[at])));
            }
            return;
        }
        for &register in self.plain.iter().chain(&self.piles) {
            load(register, self.set(words, register));
        }
    }

    /// Writes the sets of all registers to a state.
    #[inline(always)]
    pub(crate) fn save<const W: usize>(&self, words: &mut [u64], get: impl Fn(u8) -> Set<W>) {
        if self.piles.is_empty() {
            for (register, words) in (0..self.plain.len() as u8).zip(words.chunks_exact_mut(W)) {
                words.copy_from_slice(&get(register).0);
            }
            return;
        }
        for &register in self.plain.iter().chain(&self.piles) {
            self.put(words, register, get(register));
        }
    }

    /// Returns the set of a register.
    pub(crate) fn set<const W: usize>(&self, words: &[u64], register: u8) -> Set<W> {
        let at = |index: usize| -> Set<W> {
            let mut set = Set::NONE;
            set.0.copy_from_slice(&words[index * W..(index + 1) * W]);
            set
        };
        if let Some(index) = self.plain.iter().position(|plain| *plain == register) {
            return at(index);
        }
        let Some(code) = self.piles.iter().position(|pile| *pile == register) else {
            return Set::NONE;
        };
        let all = Set::of(0..self.cards);
        (0..self.bits).fold(all, |cards, bit| {
            let slice = at(self.plain.len() + bit);
            if code >> bit & 1 == 1 { cards.and(slice) } else { cards.minus(slice) }
        })
    }

    /// Writes the set of a register. Cards that a pile gets leave the others; it must not lose
    /// cards that no other pile gets.
    pub(crate) fn put<const W: usize>(&self, words: &mut [u64], register: u8, set: Set<W>) {
        let mut write = |index: usize, of: &dyn Fn(Set<W>) -> Set<W>| {
            let words = &mut words[index * W..(index + 1) * W];
            let mut old = Set::NONE;
            old.0.copy_from_slice(words);
            words.copy_from_slice(&of(old).0);
        };
        if let Some(index) = self.plain.iter().position(|plain| *plain == register) {
            write(index, &|_| set);
        } else if let Some(code) = self.piles.iter().position(|pile| *pile == register) {
            for bit in 0..self.bits {
                let is_one = code >> bit & 1 == 1;
                write(self.plain.len() + bit, &|old| {
                    if is_one { old.or(set) } else { old.minus(set) }
                });
            }
        }
    }
}
