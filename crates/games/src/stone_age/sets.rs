//! Bit sets of cards and building tiles.

use super::bits::Ranked;
use super::data::{BUILDINGS, CARD_PIECES, CARDS, TILES};

/// A bit set of cards: one bit for each kind, then one for each second copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CardSet(pub(super) u64);

/// The bits of each kind of card, lowest first.
static CARD_BITS: [u64; CARDS] = card_bits();

const fn card_bits() -> [u64; CARDS] {
    let mut bits = [0; CARDS];
    let mut kind = 0;
    while kind < CARDS {
        bits[kind] = 1 << kind;
        kind += 1;
    }
    bits[14] |= 1 << 34;
    bits[30] |= 1 << 35;
    bits
}

impl CardSet {
    /// Every card of the box.
    pub(super) const ALL: Self = Self((1 << CARD_PIECES) - 1);

    /// The number of cards.
    #[inline]
    pub(super) const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The number of copies of one kind.
    #[inline]
    pub(super) fn count(self, kind: usize) -> u8 {
        (self.0 & CARD_BITS[kind]).count_ones() as u8
    }

    /// Adds one copy of a kind.
    #[inline]
    pub(super) fn add(&mut self, kind: usize) {
        let free = CARD_BITS[kind] & !self.0;
        self.0 |= free & free.wrapping_neg();
    }

    /// Removes one copy of a kind.
    #[inline]
    pub(super) fn remove(&mut self, kind: usize) {
        let held = CARD_BITS[kind] & self.0;
        self.0 &= !highest(held);
    }

    /// The kind of card number `at`, in bit order.
    #[inline]
    pub(super) fn nth(self, at: usize) -> usize {
        match Ranked::new(self.0).nth(at) {
            34 => 14,
            35 => 30,
            kind => kind,
        }
    }
}

/// A bit set of building tiles: one bit for each kind, then the further copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TileSet(pub(super) u32);

/// The kinds of the further copies.
const COPIES: [usize; TILES - BUILDINGS] = [3, 7, 8, 11, 13, 13];

/// The bits of each kind of building, lowest first.
static TILE_BITS: [u32; BUILDINGS] = tile_bits();

const fn tile_bits() -> [u32; BUILDINGS] {
    let mut bits = [0; BUILDINGS];
    let mut kind = 0;
    while kind < BUILDINGS {
        bits[kind] = 1 << kind;
        kind += 1;
    }
    let mut copy = 0;
    while copy < COPIES.len() {
        bits[COPIES[copy]] |= 1 << (BUILDINGS + copy);
        copy += 1;
    }
    bits
}

impl TileSet {
    /// Every tile of the box.
    pub(super) const ALL: Self = Self((1 << TILES) - 1);

    /// The number of tiles.
    #[inline]
    pub(super) const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The number of copies of one kind.
    #[inline]
    pub(super) fn count(self, kind: usize) -> u8 {
        (self.0 & TILE_BITS[kind]).count_ones() as u8
    }

    /// Adds one copy of a kind.
    #[inline]
    pub(super) fn add(&mut self, kind: usize) {
        let free = TILE_BITS[kind] & !self.0;
        self.0 |= free & free.wrapping_neg();
    }

    /// Removes one copy of a kind.
    #[inline]
    pub(super) fn remove(&mut self, kind: usize) {
        let held = TILE_BITS[kind] & self.0;
        self.0 &= !(highest(u64::from(held)) as u32);
    }

    /// The kind of tile number `at`, in bit order.
    #[inline]
    pub(super) fn nth(self, at: usize) -> usize {
        match Ranked::new(u64::from(self.0)).nth(at) {
            copy @ BUILDINGS.. => COPIES[copy - BUILDINGS],
            kind => kind,
        }
    }
}

/// The highest set bit, if any.
#[inline]
const fn highest(bits: u64) -> u64 {
    if bits == 0 { 0 } else { 1 << bits.ilog2() }
}
