//! What depends on the machine: hot loops with its best instructions, and
//! memory fetched before it is needed.
#![allow(unsafe_code, reason = "the measured kernels: AVX2 scores, and prefetching")]

use crate::select::{self, LANES, Weights};

/// A kind of machine, and what it does in its own way.
///
/// Only exact operations are used, so all kinds give the same results to the
/// last bit.
pub(crate) trait Machine {
    /// See [`select::best_edge`].
    fn best_edge<const PARTS: u8>(
        visits: &[u32],
        values: &[u32],
        edges: &[u32],
        limit: usize,
        weights: &Weights,
    ) -> usize;

    /// See [`select::entry_scores`].
    fn entry_scores(
        entries: &mut [[u32; 4]],
        ranks: &[usize; LANES],
        exploration: f32,
    ) -> [f32; LANES];
}

/// Any machine.
pub(crate) struct Plain;

impl Machine for Plain {
    #[inline(always)]
    fn best_edge<const PARTS: u8>(
        visits: &[u32],
        values: &[u32],
        edges: &[u32],
        limit: usize,
        weights: &Weights,
    ) -> usize {
        select::best_edge::<PARTS>(visits, values, edges, limit, weights)
    }

    #[inline(always)]
    fn entry_scores(
        entries: &mut [[u32; 4]],
        ranks: &[usize; LANES],
        exploration: f32,
    ) -> [f32; LANES] {
        select::entry_scores(entries, ranks, exploration)
    }
}

/// A loop worth compiling twice: for every machine, and for those with AVX2.
///
/// What is inlined into it is compiled with it, so games gain too.
pub(crate) trait Work {
    type Out;

    /// Must be inlined always, or nothing is gained.
    fn run<M: Machine>(self) -> Self::Out;
}

/// Does `work` as fast as this machine can.
#[inline]
pub(crate) fn fast<W: Work>(work: W) -> W::Out {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
    {
        // SAFETY: this machine was just found to have all of these features.
        return unsafe { avx2::run(work) };
    }
    work.run::<Plain>()
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    //! The way of machines with AVX2.

    use std::arch::x86_64::{
        __m128i, __m256, __m256i, _CMP_EQ_OQ, _CMP_GT_OQ, _CMP_NEQ_UQ, _mm_add_epi32,
        _mm_cvtsi128_si32, _mm_loadu_si128, _mm_min_epu32, _mm_setr_epi32, _mm_shuffle_epi32,
        _mm_storeu_si128, _mm256_add_epi32, _mm256_add_ps, _mm256_and_si256, _mm256_blendv_ps,
        _mm256_castps_si256, _mm256_castsi256_ps, _mm256_castsi256_si128, _mm256_cmp_ps,
        _mm256_cmpgt_epi32, _mm256_cvtepi32_ps, _mm256_div_ps, _mm256_extracti128_si256,
        _mm256_lddqu_si256, _mm256_max_epi32, _mm256_max_ps, _mm256_movemask_ps, _mm256_mul_ps,
        _mm256_or_si256, _mm256_permute2f128_ps, _mm256_set_m128i, _mm256_set1_epi32,
        _mm256_set1_ps, _mm256_setr_epi32, _mm256_setzero_si256, _mm256_shuffle_ps, _mm256_sqrt_ps,
        _mm256_srai_epi32, _mm256_srli_epi32, _mm256_storeu_ps, _mm256_sub_epi32, _mm256_sub_ps,
        _mm256_testz_si256, _mm256_unpackhi_epi32, _mm256_unpackhi_epi64, _mm256_unpacklo_epi32,
        _mm256_unpacklo_epi64,
    };

    use super::{Machine, Weights, Work};
    use crate::select::{LANES, PRIOR, UNCERTAINTY};

    /// A machine that has what [`run`] asks for; only `run` names it.
    struct Avx2;

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn run<W: Work>(work: W) -> W::Out {
        work.run::<Avx2>()
    }

    impl Machine for Avx2 {
        #[inline(always)]
        fn best_edge<const PARTS: u8>(
            visits: &[u32],
            values: &[u32],
            edges: &[u32],
            limit: usize,
            weights: &Weights,
        ) -> usize {
            // SAFETY: this type is named only where AVX2 has been found.
            unsafe { best_edge::<PARTS>(visits, values, edges, limit, weights) }
        }

        #[inline(always)]
        fn entry_scores(
            entries: &mut [[u32; 4]],
            ranks: &[usize; LANES],
            exploration: f32,
        ) -> [f32; LANES] {
            // SAFETY: this type is named only where AVX2 has been found.
            unsafe { entry_scores(entries, ranks, exploration) }
        }
    }

    /// Eight words at once; the plain load would be taken apart into two, since
    /// the compiler tunes for machines from before AVX2.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn load(words: &[u32; LANES]) -> __m256i {
        // SAFETY: the reference is to eight words, and the load need not be aligned.
        unsafe { _mm256_lddqu_si256(words.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn best_edge<const PARTS: u8>(
        visits: &[u32],
        values: &[u32],
        edges: &[u32],
        limit: usize,
        weights: &Weights,
    ) -> usize {
        let (visits, _) = visits.as_chunks::<LANES>();
        let (values, _) = values.as_chunks::<LANES>();
        let (edges, _) = edges.as_chunks::<LANES>();
        if let ([visits], [values], [edges]) = (visits, values, edges) {
            let scores = tried_scores::<PARTS>(load(visits), values, edges, weights);
            return first_best(up_to(limit, scores));
        }
        let mut best = _mm256_set1_ps(f32::NEG_INFINITY);
        let mut best_at = _mm256_setzero_si256();
        let mut at = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        let mut left = limit;
        for ((visits, values), edges) in visits.iter().zip(values).zip(edges) {
            let mut scores = scores::<PARTS>(visits, values, edges, weights);
            if left < LANES {
                scores = up_to(left, scores);
            }
            let is_better = _mm256_cmp_ps::<_CMP_GT_OQ>(scores, best);
            best = _mm256_max_ps(scores, best);
            best_at = _mm256_castps_si256(_mm256_blendv_ps(
                _mm256_castsi256_ps(best_at),
                _mm256_castsi256_ps(at),
                is_better,
            ));
            at = _mm256_add_epi32(at, _mm256_set1_epi32(LANES as i32));
            left = left.saturating_sub(LANES);
        }
        // The lowest place of all lanes that hold the best score, without a jump
        // that depends on how many do.
        let is_less = _mm256_cmp_ps::<_CMP_NEQ_UQ>(best, highest(best));
        lowest(_mm256_or_si256(best_at, _mm256_castps_si256(is_less))) as usize
    }

    /// The scores of eight edges. Those of a wide state are mostly untried, and
    /// eight such need no division, of which few can be under way at a time.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn scores<const PARTS: u8>(
        visits: &[u32; LANES],
        values: &[u32; LANES],
        edges: &[u32; LANES],
        weights: &Weights,
    ) -> __m256 {
        let visits = load(visits);
        if _mm256_testz_si256(visits, visits) == 0 {
            return tried_scores::<PARTS>(visits, values, edges, weights);
        }
        let untried = _mm256_set1_ps(weights.untried);
        if PARTS & PRIOR == 0 { untried } else { _mm256_add_ps(untried, weighted(edges, weights)) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn tried_scores<const PARTS: u8>(
        visits: __m256i,
        values: &[u32; LANES],
        edges: &[u32; LANES],
        weights: &Weights,
    ) -> __m256 {
        let one = _mm256_set1_ps(1.0);
        let count = _mm256_cvtepi32_ps(visits);
        let inverse = _mm256_div_ps(one, count);
        let mut tried = _mm256_mul_ps(_mm256_castsi256_ps(load(values)), inverse);
        if PARTS & UNCERTAINTY != 0 {
            let doubt = _mm256_mul_ps(_mm256_set1_ps(weights.uncertainty), _mm256_sqrt_ps(inverse));
            tried = _mm256_add_ps(tried, doubt);
        }
        let is_tried = _mm256_cmpgt_epi32(visits, _mm256_setzero_si256());
        let untried = _mm256_set1_ps(weights.untried);
        let mut scores = _mm256_blendv_ps(untried, tried, _mm256_castsi256_ps(is_tried));
        if PARTS & PRIOR != 0 {
            let share = _mm256_div_ps(weighted(edges, weights), _mm256_add_ps(one, count));
            scores = _mm256_add_ps(scores, share);
        }
        scores
    }

    /// What the priors of eight edges weigh before they are tried.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn weighted(edges: &[u32; LANES], weights: &Weights) -> __m256 {
        let priors = _mm256_cvtepi32_ps(_mm256_srli_epi32::<16>(load(edges)));
        _mm256_mul_ps(_mm256_set1_ps(weights.prior), priors)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn entry_scores(
        entries: &mut [[u32; 4]],
        ranks: &[usize; LANES],
        exploration: f32,
    ) -> [f32; LANES] {
        let cells = ranks.map(|rank| load_cell(&entries[rank]));
        let once = _mm_setr_epi32(0, 1, 0, 0);
        for (&rank, &cell) in ranks.iter().zip(&cells) {
            store_cell(&mut entries[rank], _mm_add_epi32(cell, once));
        }
        let [visits, available, values] = columns(&cells);
        let one = _mm256_set1_epi32(1);
        let count = _mm256_cvtepi32_ps(_mm256_max_epi32(visits, one));
        let inverse = _mm256_div_ps(_mm256_set1_ps(1.0), count);
        let doubt = _mm256_mul_ps(ln(_mm256_cvtepi32_ps(available)), inverse);
        let doubt = _mm256_mul_ps(_mm256_set1_ps(exploration), _mm256_sqrt_ps(doubt));
        let mean = _mm256_mul_ps(_mm256_castsi256_ps(values), inverse);
        let scores = _mm256_add_ps(mean, doubt);
        let mut out = [0.0; LANES];
        // SAFETY: there is room for eight numbers, and the store need not be aligned.
        unsafe { _mm256_storeu_ps(out.as_mut_ptr(), scores) };
        out
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn load_cell(cell: &[u32; 4]) -> __m128i {
        // SAFETY: the reference is to four words, and the load need not be aligned.
        unsafe { _mm_loadu_si128(cell.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn store_cell(cell: &mut [u32; 4], words: __m128i) {
        // SAFETY: the reference is to four words, and the store need not be aligned.
        unsafe { _mm_storeu_si128(cell.as_mut_ptr().cast(), words) }
    }

    /// The first three words of eight cells, each kind in a vector of its own.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn columns(cells: &[__m128i; LANES]) -> [__m256i; 3] {
        let pair = |lane: usize| _mm256_set_m128i(cells[lane + 4], cells[lane]);
        let (low, high) =
            (_mm256_unpacklo_epi32(pair(0), pair(1)), _mm256_unpacklo_epi32(pair(2), pair(3)));
        let (third, fourth) =
            (_mm256_unpackhi_epi32(pair(0), pair(1)), _mm256_unpackhi_epi32(pair(2), pair(3)));
        [
            _mm256_unpacklo_epi64(low, high),
            _mm256_unpackhi_epi64(low, high),
            _mm256_unpacklo_epi64(third, fourth),
        ]
    }

    /// [`select::ln`](crate::select::ln) of eight counts, step by step.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn ln(count: __m256) -> __m256 {
        let all = |number: f32| _mm256_set1_ps(number);
        let least = _mm256_set1_epi32(0x3f40_0000);
        let shifted = _mm256_sub_epi32(_mm256_castps_si256(count), least);
        let power = _mm256_cvtepi32_ps(_mm256_srai_epi32::<23>(shifted));
        let fraction = _mm256_and_si256(shifted, _mm256_set1_epi32(0x007f_ffff));
        let mantissa = _mm256_castsi256_ps(_mm256_add_epi32(fraction, least));
        let ratio =
            _mm256_div_ps(_mm256_sub_ps(mantissa, all(1.0)), _mm256_add_ps(mantissa, all(1.0)));
        let square = _mm256_mul_ps(ratio, ratio);
        let mut series = all(2.0 / 7.0);
        for part in [2.0 / 5.0, 2.0 / 3.0, 2.0] {
            series = _mm256_add_ps(all(part), _mm256_mul_ps(square, series));
        }
        let powers = _mm256_mul_ps(power, all(std::f32::consts::LN_2));
        _mm256_add_ps(powers, _mm256_mul_ps(ratio, series))
    }

    /// The first `count` scores, and nothing in place of the others.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn up_to(count: usize, scores: __m256) -> __m256 {
        let places = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        let is_one = _mm256_cmpgt_epi32(_mm256_set1_epi32(count as i32), places);
        let nothing = _mm256_set1_ps(f32::NEG_INFINITY);
        _mm256_blendv_ps(nothing, scores, _mm256_castsi256_ps(is_one))
    }

    /// The highest of eight scores, in all lanes.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn highest(scores: __m256) -> __m256 {
        let top = _mm256_max_ps(scores, _mm256_permute2f128_ps::<1>(scores, scores));
        let top = _mm256_max_ps(top, _mm256_shuffle_ps::<0b01_00_11_10>(top, top));
        _mm256_max_ps(top, _mm256_shuffle_ps::<0b10_11_00_01>(top, top))
    }

    /// The lane of the highest score, the first of equal ones.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn first_best(scores: __m256) -> usize {
        let is_best = _mm256_cmp_ps::<_CMP_EQ_OQ>(scores, highest(scores));
        (_mm256_movemask_ps(is_best) as u32).trailing_zeros() as usize
    }

    /// The lowest of eight numbers.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn lowest(numbers: __m256i) -> u32 {
        let (low, high) = (_mm256_castsi256_si128(numbers), _mm256_extracti128_si256::<1>(numbers));
        let least = _mm_min_epu32(low, high);
        let least = _mm_min_epu32(least, _mm_shuffle_epi32::<0b01_00_11_10>(least));
        let least = _mm_min_epu32(least, _mm_shuffle_epi32::<0b10_11_00_01>(least));
        _mm_cvtsi128_si32(least) as u32
    }
}

/// Has the cache line of `items[at]` fetched, if there is such an item; a walk
/// down a large tree otherwise waits for memory at every step.
#[inline(always)]
pub(crate) fn prefetch<T>(items: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let place = items.as_ptr().wrapping_add(at).cast();
        // SAFETY: prefetching reads nothing and never faults, wherever it points.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, at);
}
