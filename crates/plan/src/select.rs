//! Select: the n-th set bit of a word, without a loop of unpredictable length.
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

/// Returns the position of the set bit of `set` with `number` set bits below it;
/// unspecified if there are not enough bits.
#[inline]
pub(crate) fn nth_bit(set: u64, number: u32) -> u8 {
    let number = u64::from(number & 63);
    // Count the bits of each byte; the multiplication gives prefix sums over bytes.
    let pairs = set - (set >> 1 & (EACH * 0x55));
    let fours = (pairs & (EACH * 0x33)) + (pairs >> 2 & (EACH * 0x33));
    let sums = ((fours + (fours >> 4)) & (EACH * 0x0f)).wrapping_mul(EACH);
    // The bytes with a prefix sum of at most `number`: the bit is in the next byte.
    let passed = (((number * EACH) | TOPS) - sums) & TOPS;
    let place = 8 * passed.count_ones().min(7);
    let below = sums << 8 >> place & 0xff;
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
}
