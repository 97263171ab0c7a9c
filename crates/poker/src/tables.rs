//! The evaluator's tables, made by the build step and linked into the program.
//!
//! A table answers `values[slot + moves[bucket]]`. Slots and moves are 16 (or
//! 15) bits wide and `values` is as long as the largest sum of two, so every
//! lookup stays inside whatever the key: no bounds check, and no way to read
//! past the end. Only the dense beginning is ever touched: 155 KB with the
//! flushes for `PLANE_VALUES`, 139 KB for `SEVEN_VALUES`, 74 KB for
//! `SHORT_VALUES`, and 8 to 16 KB for each `MOVES`. One evaluator's share fits
//! in the second-level cache of any processor of the last ten years.

include!(concat!(env!("OUT_DIR"), "/constants.rs"));

/// A table at the start of a cache line.
#[repr(C, align(64))]
pub(crate) struct Aligned<T>(pub(crate) T);

/// Reads a table of 16-bit numbers, the low byte first.
const fn numbers<const BYTES: usize, const LEN: usize>(bytes: &[u8; BYTES]) -> Aligned<[u16; LEN]> {
    assert!(BYTES == 2 * LEN, "a table has another length than its type says");
    let mut table = [0; LEN];
    let mut index = 0;
    while index < LEN {
        table[index] = u16::from_le_bytes([bytes[2 * index], bytes[2 * index + 1]]);
        index += 1;
    }
    Aligned(table)
}

macro_rules! table {
    ($(#[$doc:meta])* $name:ident, $len:expr, $file:literal) => {
        $(#[$doc])*
        pub(crate) static $name: Aligned<[u16; $len]> =
            numbers(include_bytes!(concat!(env!("OUT_DIR"), "/", $file)));
    };
}

table!(
    /// Ranks of seven cards by the hash of `build/plane_hash.rs`, and from
    /// `FLUSH_BASE` the ranks of flushes by the ranks held in their suit.
    PLANE_VALUES, 1 << 17, "plane_values.bin"
);
table!(
    /// Moves for [`PLANE_VALUES`]; the last one is for all flushes.
    PLANE_MOVES, 8193, "plane_moves.bin"
);
table!(
    /// Ranks of seven cards by the sum of their weights.
    SEVEN_VALUES, 1 << 17, "seven_values.bin"
);
table!(
    /// Moves for [`SEVEN_VALUES`].
    SEVEN_MOVES, 8192, "seven_moves.bin"
);
table!(
    /// Ranks of five or six cards by the sum of their weights.
    SHORT_VALUES, 1 << 16, "short_values.bin"
);
table!(
    /// Moves for [`SHORT_VALUES`].
    SHORT_MOVES, 4096, "short_moves.bin"
);

/// The rank of seven cards without a flush, by the sum of their weights.
#[inline(always)]
pub(crate) fn seven_rank(sum: u32) -> u16 {
    let slot = usize::from((sum >> 1) as u16);
    SEVEN_VALUES.0[slot + usize::from(SEVEN_MOVES.0[(sum >> 19) as usize])]
}

/// The rank of five or six cards without a flush, by the sum of their weights.
#[inline(always)]
pub(crate) fn short_rank(sum: u32) -> u16 {
    let slot = (sum >> 1) as usize & 0x7fff;
    let shift = usize::from(SHORT_MOVES.0[(sum >> 20) as usize]) & 0x7fff;
    SHORT_VALUES.0[slot + shift]
}

/// The rank of a flush, by the five to seven ranks held in its suit.
#[inline(always)]
pub(crate) fn flush_rank(ranks: u16) -> u16 {
    PLANE_VALUES.0[FLUSH_BASE + usize::from(ranks & 0x1fff)]
}

/// For the ranks held in one suit: in the high half the sum of their weights,
/// in the low byte their number, and above it a bit for five or more. The four
/// suits' entries add up without carries between the parts.
pub(crate) static SUIT_SUMS: Aligned<[u64; 8192]> = Aligned(suit_sums());

/// The bit of [`SUIT_SUMS`] that says: this suit is a flush.
pub(crate) const SUIT_FLUSH: u64 = 1 << 8;

const fn suit_sums() -> [u64; 8192] {
    let mut sums = [0u64; 8192];
    let mut ranks = 1usize;
    while ranks < 8192 {
        let lowest = ranks.trailing_zeros() as usize;
        let others = sums[ranks & (ranks - 1)] & !SUIT_FLUSH;
        // Only the high half overflows, out of the word.
        let sum = others.wrapping_add(((RANK_WEIGHTS[lowest] as u64) << 32) + 1);
        sums[ranks] = if ranks.count_ones() >= 5 { sum | SUIT_FLUSH } else { sum };
        ranks += 1;
    }
    sums
}
