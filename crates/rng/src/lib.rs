//! The seeded random number generator of all shuffles, dice and samples in Meeple.
//!
//! A seed in a replay must always give the same game. So the bits come from
//! xoshiro256++ (Blackman, Vigna 2021), a fixed algorithm, and all conversions from
//! bits to numbers are implemented here and pinned by golden vectors. Nothing reads
//! a clock or the system's entropy.
//!
//! ```
//! use meeple_rng::Rng;
//!
//! let mut rng = Rng::new(7);
//! let die = 1 + rng.below(6);
//! assert!((1..=6).contains(&die));
//!
//! // Independent streams: one for each game, whichever thread plays it.
//! let game_41 = Rng::new(7).split(41);
//! assert_eq!(game_41, Rng::new(7).split(41));
//! ```

use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A random number generator: small, fast, and the same on every platform and in
/// every release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// Creates a generator whose numbers depend only on `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Returns the next 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns an independent generator, the stream with number `stream`; `self`
    /// does not advance.
    ///
    /// Work items (games, seats, workers) are numbered and each draws from its own
    /// stream, so results do not depend on the scheduling of threads.
    #[must_use]
    pub fn split(&self, stream: u64) -> Self {
        let mut parent = self.clone();
        let bits = parent.bits();
        Self::new(mix(bits ^ mix(stream.wrapping_add(STREAM_OFFSET))))
    }

    /// Returns a uniform integer below `bound`, with a bias of at most
    /// `bound / 2^64`.
    ///
    /// This is Lemire's multiplication (2019) without its rejection step, so that
    /// every call draws exactly one number.
    ///
    /// # Panics
    ///
    /// Panics when `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "the bound must be above 0");
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// Returns a uniform number in `[0, 1)`, a multiple of 2^-53.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Shuffles `items` uniformly (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// Returns a uniformly random item.
    ///
    /// # Panics
    ///
    /// Panics when `items` is empty.
    #[inline]
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// Added to stream numbers, because 0 is a fixed point of [`mix`].
const STREAM_OFFSET: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes 64 bits bijectively, by the finalizer of splitmix64: the building block of
/// hash keys.
///
/// ```
/// assert_ne!(meeple_rng::mix(1), meeple_rng::mix(2));
/// ```
#[inline]
#[must_use]
pub const fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first<const N: usize, T>(mut draw: impl FnMut() -> T) -> [T; N] {
        std::array::from_fn(|_| draw())
    }

    /// The published reference vector, for the state [1, 2, 3, 4].
    #[test]
    fn the_generator_is_xoshiro256_plus_plus() {
        let mut state = [0; 32];
        for (word, bytes) in (1u64..).zip(state.chunks_exact_mut(8)) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        let mut rng = Rng(Xoshiro256PlusPlus::from_seed(state));
        let published = [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386];
        assert_eq!(first(|| rng.bits()), published);
    }

    #[test]
    fn golden_vectors() {
        let mut rng = Rng::new(2026);
        assert_eq!(first(|| rng.bits()), GOLDEN_BITS);
        assert_eq!(first(|| rng.below(6)), GOLDEN_DICE);
        assert_eq!(first(|| rng.unit()), GOLDEN_UNITS);
        let mut deck: [u8; 10] = std::array::from_fn(|card| card as u8);
        rng.shuffle(&mut deck);
        assert_eq!(deck, GOLDEN_DECK);
        assert_eq!(first(|| *rng.pick(b"meeple")), *GOLDEN_PICKS);
        assert_eq!(Rng::new(2026).split(0).bits(), GOLDEN_SPLIT[0]);
        assert_eq!(Rng::new(2026).split(1).bits(), GOLDEN_SPLIT[1]);
    }

    const GOLDEN_BITS: [u64; 3] =
        [7_876_778_575_317_408_663, 11_327_947_559_129_167_783, 13_317_806_937_878_235_853];
    const GOLDEN_DICE: [usize; 12] = [5, 0, 5, 4, 5, 4, 2, 5, 3, 5, 5, 2];
    const GOLDEN_UNITS: [f64; 2] = [0.23950542754466997, 0.676408471416624];
    const GOLDEN_DECK: [u8; 10] = [3, 9, 2, 0, 4, 6, 7, 8, 1, 5];
    const GOLDEN_PICKS: &[u8; 8] = b"leellepp";
    const GOLDEN_SPLIT: [u64; 2] = [12_738_653_939_410_148_103, 12_986_222_153_304_439_481];

    #[test]
    fn below_is_uniform() {
        let mut rng = Rng::new(1);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7)] += 1;
        }
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 500), "{counts:?}");
    }

    #[test]
    fn shuffles_are_uniform() {
        let mut rng = Rng::new(2);
        let mut counts = [0u32; 27];
        for _ in 0..60_000 {
            let mut items = [0usize, 1, 2];
            rng.shuffle(&mut items);
            counts[items[0] * 9 + items[1] * 3 + items[2]] += 1;
        }
        let seen: Vec<u32> = counts.into_iter().filter(|&count| count > 0).collect();
        assert_eq!(seen.len(), 6);
        assert!(seen.iter().all(|count| count.abs_diff(10_000) < 500), "{seen:?}");
    }

    #[test]
    fn units_cover_the_interval() {
        let mut rng = Rng::new(3);
        let units: Vec<f64> = (0..10_000).map(|_| rng.unit()).collect();
        assert!(units.iter().all(|unit| (0.0..1.0).contains(unit)));
        let mean = units.iter().sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.01, "{mean}");
    }

    #[test]
    fn streams_differ_and_do_not_advance_their_parent() {
        let parent = Rng::new(4);
        let mut firsts: Vec<u64> = (0..1000).map(|stream| parent.split(stream).bits()).collect();
        assert_eq!(parent, Rng::new(4));
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), 1000);
    }

    #[test]
    #[should_panic(expected = "the bound must be above 0")]
    fn a_bound_of_zero_panics() {
        Rng::new(0).below(0);
    }
}
