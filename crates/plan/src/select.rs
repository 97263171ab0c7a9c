//! Select: the n-th set bit of one or several words, without a loop of unpredictable length.
//!
//! Broadword selection after Vigna 2008, "Broadword Implementation of Rank/Select
//! Queries".

const EACH: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = EACH << 7;

/// `[number][byte]`, the position of the set bit with this number in a byte.
static IN_BYTE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut seen) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[seen][byte] = bit;
                seen += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The numbers of set bits in each byte of a set.
#[inline]
fn bits_of_bytes(set: u64) -> u64 {
    let pairs = set - (set >> 1 & (EACH * 0x55));
    let fours = (pairs & (EACH * 0x33)) + (pairs >> 2 & (EACH * 0x33));
    (fours + (fours >> 4)) & (EACH * 0x0f)
}

/// Returns the number of bytes whose prefix sum is at most `number`, and the sum before the
/// next byte; `number` and all sums are below 128.
#[inline]
fn pass(sums: u64, number: u64) -> (u32, u64) {
    let passed = (((number * EACH) | TOPS) - sums) & TOPS;
    let bytes = passed.count_ones().min(7);
    (bytes, sums << 8 >> (8 * bytes) & 0xff)
}

/// Selection from several sets at once.
pub(crate) mod nth {
    use super::{EACH, bits_of_bytes, pass};

    /// The maximum number of bits in all sets.
    pub(crate) const MOST: u32 = 127;

    /// Returns the position of the bit with `number` bits before it, and how many of these are at
    /// its own position, if the bits of all sets are in order of their positions; unspecified if
    /// there are not enough bits or more than [`MOST`].
    #[inline]
    pub(crate) fn among<const SETS: usize>(sets: &[u64; SETS], number: u32) -> (u8, u32) {
        let number = u64::from(number & MOST);
        let bytes = sets.iter().fold(0, |sum, &set| sum + bits_of_bytes(set));
        let (byte, below) = pass(bytes.wrapping_mul(EACH), number);
        let number = number.wrapping_sub(below) & 0x7f;
        // The bits of that byte, each in a byte of its own.
        let spread = |set: u64| {
            let each = ((set >> (8 * byte) & 0xff) * EACH) & 0x8040_2010_0804_0201;
            (each + EACH * 0x7f) >> 7 & EACH
        };
        let bits = sets.iter().fold(0, |sum, &set| sum + spread(set));
        let (bit, below) = pass(bits.wrapping_mul(EACH), number);
        ((8 * byte + bit) as u8, number.wrapping_sub(below) as u32)
    }
}

/// Returns the position of the set bit of `set` with `number` set bits below it;
/// unspecified if there are not enough bits.
#[inline]
pub(crate) fn nth_bit(set: u64, number: u32) -> u8 {
    let number = u64::from(number & 63);
    let (byte, below) = pass(bits_of_bytes(set).wrapping_mul(EACH), number);
    let place = 8 * byte;
    let byte = (set >> place & 0xff) as usize;
    place as u8 + IN_BYTE[number.wrapping_sub(below) as usize & 7][byte]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nth_bit_matches_a_loop() {
        let mut set = 0x9e37_79b9_7f4a_7c15u64;
        let sets = std::iter::repeat_with(|| {
            set = set.rotate_left(7).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ set >> 31;
            set
        });
        let special = [0, 1, 1 << 63, u64::MAX, u64::MAX - 1, u64::MAX >> 1, 0o777, 0xff << 56];
        for set in special.into_iter().chain(sets.take(1000)) {
            for set in [set, set & set >> 7, set & set >> 3 & set << 9] {
                let bits = (0..64).filter(|bit| set >> bit & 1 == 1);
                for (number, bit) in bits.enumerate() {
                    assert_eq!(nth_bit(set, number as u32), bit, "number {number} of {set:#x}");
                }
            }
        }
    }

    #[test]
    fn selecting_among_sets_matches_a_loop() {
        let mut seed = 7u64;
        let mut next = || {
            seed = seed.rotate_left(7).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ seed >> 31;
            seed
        };
        for _ in 0..2000 {
            let sets = [next() & next() & next(), next() & next(), next() & next() & next()];
            let all = |set: &u64| (0..64).filter(|bit| set >> bit & 1 == 1).collect::<Vec<u8>>();
            let mut bits: Vec<u8> = sets.iter().flat_map(all).collect();
            bits.sort_unstable();
            for (number, &bit) in bits.iter().enumerate().take(nth::MOST as usize) {
                let before = bits[..number].iter().filter(|&&other| other == bit).count() as u32;
                assert_eq!(nth::among(&sets, number as u32), (bit, before));
            }
        }
    }
}
