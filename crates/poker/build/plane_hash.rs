//! The hash of the ranks of seven cards; `src/kernel` computes the same for sixteen
//! or 32 hands at once.

/// Hashes the number of cards of each rank to a bucket and a slot.
///
/// The counts are bit planes: bit `r` of `ones`, `twos` and `fours` is the binary
/// digit 1, 2 and 4 of the number of cards of rank `r`. All operations are on 16
/// bits, so that AVX2 handles sixteen hands at once and AVX-512 32.
#[inline]
pub(crate) fn plane_hash(factors: &[u16; 6], ones: u16, twos: u16, fours: u16) -> (u16, u16) {
    // The rounded high half of a signed product: what `vpmulhrsw` computes.
    let high = |a: u16, b: u16| ((i32::from(a as i16) * i32::from(b as i16) + 0x4000) >> 15) as u16;
    let mixed = ones
        .wrapping_mul(factors[0])
        .wrapping_add(twos.wrapping_mul(factors[1]))
        .wrapping_add(fours.wrapping_mul(factors[2]));
    let slot = high(ones, factors[3])
        .wrapping_add(high(twos, factors[4]))
        .wrapping_add(fours.wrapping_mul(factors[5]));
    (mixed >> 3, slot ^ (mixed << 3))
}
