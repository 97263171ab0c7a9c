//! 64-bit words as sets: counting, iteration and selection of the n-th set bit.

/// One in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of every byte.
const TOPS: u64 = 0x8080_8080_8080_8080;

/// `RANKED[byte][rank]`: the index of set bit number `rank` of a byte.
static RANKED: [[u8; 8]; 256] = ranked();

const fn ranked() -> [[u8; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut rank) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][rank] = bit;
                rank += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}

/// A word with the prefix sums of its bit counts, for fast selection.
#[derive(Clone, Copy)]
pub(super) struct Ranked {
    bits: u64,
    /// The number of bits up to and including each byte.
    sums: u64,
}

impl Ranked {
    #[inline]
    pub(super) const fn new(bits: u64) -> Self {
        let pairs = bits - ((bits >> 1) & 0x5555_5555_5555_5555);
        let fours = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
        let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
        Self { bits, sums: bytes.wrapping_mul(ONES) }
    }

    /// The number of set bits.
    #[inline]
    pub(super) const fn count(self) -> usize {
        (self.sums >> 56) as usize
    }

    /// The index of set bit number `rank`, which must be below the count.
    #[inline]
    pub(super) const fn nth(self, rank: usize) -> usize {
        // Compares all prefix sums with the rank in parallel (SWAR): bytes whose sum does
        // not exceed the rank precede the bit.
        let before = (((rank as u64).wrapping_mul(ONES) | TOPS) - self.sums) & TOPS;
        let byte = ((before >> 7).wrapping_mul(ONES) >> 56) * 8;
        let counted = (self.sums << 8) >> byte & 0xff;
        let inside = (rank as u64 - counted) as usize & 7;
        byte as usize + RANKED[(self.bits >> byte & 0xff) as usize][inside] as usize
    }
}

/// Calls `each` with every number in `bits`, ascending.
#[inline]
pub(super) fn for_each(mut bits: u64, mut each: impl FnMut(u16)) {
    while bits != 0 {
        each(bits.trailing_zeros() as u16);
        bits &= bits - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selection_matches_a_plain_count() {
        let mut rng = meeple_game::Rng::new(1);
        for round in 0..10_000 {
            let bits = rng.bits() & rng.bits() & if round % 2 == 0 { u64::MAX } else { rng.bits() };
            let mut places = Vec::new();
            for_each(bits, |place| places.push(place as usize));
            assert_eq!(places, (0..64).filter(|&at| bits >> at & 1 == 1).collect::<Vec<_>>());
            let ranked = Ranked::new(bits);
            assert_eq!(ranked.count(), places.len());
            for (rank, &place) in places.iter().enumerate() {
                assert_eq!(ranked.nth(rank), place, "number {rank} of {bits:#b}");
            }
        }
    }
}
