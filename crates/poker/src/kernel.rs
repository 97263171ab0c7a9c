//! SIMD kernels, chosen by what the processor has, with portable twins.
#![allow(
    unsafe_code,
    reason = "SIMD intrinsics; measured at three to four times the portable speed"
)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

use crate::evaluate::rank_batch_portable;
use crate::tables::OMAHA_PAIRS;
use crate::{CardSet, Rank};

/// Hands ranked between two checks that all have seven cards.
#[cfg(target_arch = "x86_64")]
const BLOCK: usize = 1024;

/// Writes the rank of `hands[i]` to `ranks[i]`, by the fastest path of this
/// processor.
pub(crate) fn rank_batch(hands: &[CardSet], ranks: &mut [Rank]) {
    #[cfg(target_arch = "x86_64")]
    if has_avx512() {
        // SAFETY: the processor has the features.
        return rank_blocks(hands, ranks, |hands, ranks| unsafe {
            avx512::rank_block(hands, ranks)
        });
    }
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return rank_blocks(hands, ranks, |hands, ranks| unsafe { avx2::rank_block(hands, ranks) });
    }
    rank_batch_portable(hands, ranks);
}

/// Whether the processor has the AVX-512 features that [`avx512`] needs, among them
/// the bit counts of Ice Lake and Zen 4.
#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512bitalg")
}

/// Ranks groups of `GROUP` hands by `rank_block`, which returns whether all hands
/// have seven cards; the rest, and blocks with other hands, by the portable path.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn rank_blocks<const GROUP: usize>(
    hands: &[CardSet],
    ranks: &mut [Rank],
    rank_block: impl Fn(&[[CardSet; GROUP]], &mut [[Rank; GROUP]]) -> bool,
) {
    for (hands, ranks) in hands.chunks(BLOCK).zip(ranks.chunks_mut(BLOCK)) {
        let (whole, _) = hands.as_chunks::<GROUP>();
        let (whole_ranks, _) = ranks.as_chunks_mut::<GROUP>();
        let all_sevens = rank_block(whole, whole_ranks);
        let done = if all_sevens { GROUP * whole.len() } else { 0 };
        rank_batch_portable(&hands[done..], &mut ranks[done..]);
    }
}

/// Writes the maximum of the rows to `best`, entry by entry; numbers are below 2^15.
#[inline]
pub(crate) fn row_maximum(rows: &[&[u16; OMAHA_PAIRS]; 10], best: &mut [i16; OMAHA_PAIRS]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        unsafe { row_maximum_avx2(rows, best) };
        return;
    }
    row_maximum_portable(rows, best);
}

/// Intrinsics, since for the oldest supported processors the compiler splits every
/// load of 32 bytes that it does not know to be aligned.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn row_maximum_avx2(rows: &[&[u16; OMAHA_PAIRS]; 10], best: &mut [i16; OMAHA_PAIRS]) {
    use std::arch::x86_64::{_mm256_lddqu_si256, _mm256_max_epi16, _mm256_storeu_si256};
    // SAFETY: six vectors of 32 bytes are the 96 entries; loads and stores are
    // unaligned.
    unsafe {
        for part in 0..OMAHA_PAIRS / 16 {
            let load =
                |row: &[u16; OMAHA_PAIRS]| _mm256_lddqu_si256(row.as_ptr().add(16 * part).cast());
            let maximum = rows[1..]
                .iter()
                .fold(load(rows[0]), |maximum, row| _mm256_max_epi16(maximum, load(row)));
            _mm256_storeu_si256(best.as_mut_ptr().add(16 * part).cast(), maximum);
        }
    }
}

#[inline(always)]
fn row_maximum_portable(rows: &[&[u16; OMAHA_PAIRS]; 10], best: &mut [i16; OMAHA_PAIRS]) {
    // A part fits in SIMD registers while all rows are read.
    const PART: usize = 32;
    for (part, best) in best.as_chunks_mut::<PART>().0.iter_mut().enumerate() {
        let mut maximum = [0; PART];
        for row in rows {
            let (parts, _) = row.as_chunks::<PART>();
            for (maximum, &value) in maximum.iter_mut().zip(&parts[part]) {
                // SIMD compares signed numbers faster.
                *maximum = (*maximum).max(value as i16);
            }
        }
        *best = maximum;
    }
}

#[cfg(test)]
mod tests {
    use meeple_rng::Rng;

    use super::*;
    use crate::Card;
    use crate::tables::{OMAHA_ROWS, OMAHA_VALUES};

    /// Hands of `sizes` cards, of all suits or mostly of one.
    fn random_hands(rng: &mut Rng, count: usize, sizes: &[usize]) -> Vec<CardSet> {
        let hand = |index: usize, rng: &mut Rng| {
            let size = *rng.pick(sizes);
            let mut hand = CardSet::EMPTY;
            while hand.len() < size {
                let card = Card::from_index(rng.below(52));
                if !index.is_multiple_of(3)
                    || card.suit() as usize == index % 4
                    || rng.below(4) == 0
                {
                    hand.insert(card);
                }
            }
            hand
        };
        (0..count).map(|index| hand(index, rng)).collect()
    }

    /// Every kernel that this processor can run agrees with the portable path.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn kernels_agree_with_the_portable_path() {
        let mut rng = Rng::new(31);
        for sizes in [&[7][..], &[5, 6, 7]] {
            for count in [0, 1, 31, 32, 33, 1024, 5000, 40_000] {
                let hands = random_hands(&mut rng, count, sizes);
                let mut expected = vec![Rank::default(); count];
                rank_batch_portable(&hands, &mut expected);
                let mut found = vec![Rank::default(); count];
                if is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor has AVX2.
                    rank_blocks(&hands, &mut found, |hands, ranks| unsafe {
                        avx2::rank_block(hands, ranks)
                    });
                    assert_eq!(found, expected, "AVX2");
                }
                found.fill(Rank::default());
                if has_avx512() {
                    // SAFETY: the processor has the features.
                    rank_blocks(&hands, &mut found, |hands, ranks| unsafe {
                        avx512::rank_block(hands, ranks)
                    });
                    assert_eq!(found, expected, "AVX-512");
                }
            }
        }
    }

    #[test]
    fn maxima_agree_with_the_portable_path() {
        let mut rng = Rng::new(32);
        for _ in 0..100 {
            let rows = std::array::from_fn(|_| &OMAHA_VALUES.0[rng.below(OMAHA_ROWS)]);
            let (mut fast, mut portable) = ([1; OMAHA_PAIRS], [2; OMAHA_PAIRS]);
            row_maximum(&rows, &mut fast);
            row_maximum_portable(&rows, &mut portable);
            assert_eq!(fast, portable);
        }
    }
}
