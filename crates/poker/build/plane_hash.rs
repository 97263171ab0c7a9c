//! The hash of seven cards' ranks, as `src/kernel.rs` computes it for sixteen
//! hands at once.

/// Hashes how many cards of each rank there are, to a bucket and a slot.
///
/// The counts come as bit planes: bit `r` of `ones`, `twos` and `fours` is the
/// 1, 2 and 4 in the number of cards of rank `r`. Everything is done on 16 bits
/// so that a vector unit does it for sixteen hands at once.
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
