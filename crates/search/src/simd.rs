//! SIMD kernels with runtime CPU dispatch, and prefetching.
#![allow(unsafe_code, reason = "the measured kernels: AVX2 scores, and prefetching")]

use crate::select::{self, LANES, Weights};

/// The kernels of the hot loops, for one kind of CPU.
///
/// Only exact operations are used (no approximate reciprocals, no fused multiply-add), so
/// all implementations return the same bits.
pub(crate) trait Kernels {
    /// See [`select::best_edge`].
    fn best_edge<const TERMS: u8>(
        visits: &[u32],
        values: &[u32],
        edges: &[u32],
        limit: usize,
        weights: &Weights,
    ) -> usize;

    /// See [`select::ismcts_scores`].
    fn ismcts_scores(
        entries: &mut [[u32; 4]],
        ranks: &[usize; LANES],
        exploration: f32,
    ) -> [f32; LANES];
}

/// The portable implementation.
pub(crate) struct Scalar;

impl Kernels for Scalar {
    #[inline(always)]
    fn best_edge<const TERMS: u8>(
        visits: &[u32],
        values: &[u32],
        edges: &[u32],
        limit: usize,
        weights: &Weights,
    ) -> usize {
        select::best_edge::<TERMS>(visits, values, edges, limit, weights)
    }

    #[inline(always)]
    fn ismcts_scores(
        entries: &mut [[u32; 4]],
        ranks: &[usize; LANES],
        exploration: f32,
    ) -> [f32; LANES] {
        select::ismcts_scores(entries, ranks, exploration)
    }
}

/// A loop that is compiled twice: portably and with AVX2.
///
/// Everything inlined into it is compiled with it, including the game.
pub(crate) trait SimdTask {
    type Out;

    /// Implementations must be `#[inline(always)]`; otherwise they are not compiled for
    /// AVX2.
    fn run<K: Kernels>(self) -> Self::Out;
}

/// Runs `task` with the best kernels of this CPU.
#[inline]
pub(crate) fn dispatch<T: SimdTask>(task: T) -> T::Out {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the CPU was just found to support all of these features.
        return unsafe { avx2::run(task) };
    }
    task.run::<Scalar>()
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    //! The AVX2 implementation.

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

    use super::{Kernels, SimdTask, Weights};
    use crate::select::{EXPLORATION, LANES, PRIOR};

    /// A CPU with the features that [`run`] enables; only `run` names this type.
    struct Avx2;

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn run<T: SimdTask>(task: T) -> T::Out {
        task.run::<Avx2>()
    }

    impl Kernels for Avx2 {
        #[inline(always)]
        fn best_edge<const TERMS: u8>(
            visits: &[u32],
            values: &[u32],
            edges: &[u32],
            limit: usize,
            weights: &Weights,
        ) -> usize {
            // SAFETY: this type is only named where AVX2 is available.
            unsafe { best_edge::<TERMS>(visits, values, edges, limit, weights) }
        }

        #[inline(always)]
        fn ismcts_scores(
            entries: &mut [[u32; 4]],
            ranks: &[usize; LANES],
            exploration: f32,
        ) -> [f32; LANES] {
            // SAFETY: this type is only named where AVX2 is available.
            unsafe { ismcts_scores(entries, ranks, exploration) }
        }
    }

    /// Loads eight words. `lddqu`, because the compiler splits a plain unaligned load in
    /// two when tuning for CPUs older than AVX2.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn load(words: &[u32; LANES]) -> __m256i {
        // SAFETY: the reference covers eight words, and the load may be unaligned.
        unsafe { _mm256_lddqu_si256(words.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn best_edge<const TERMS: u8>(
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
            let scores = visited_scores::<TERMS>(load(visits), values, edges, weights);
            return first_best(mask_beyond(limit, scores));
        }
        let mut best = _mm256_set1_ps(f32::NEG_INFINITY);
        let mut best_at = _mm256_setzero_si256();
        let mut at = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        let mut left = limit;
        for ((visits, values), edges) in visits.iter().zip(values).zip(edges) {
            let mut scores = scores::<TERMS>(visits, values, edges, weights);
            if left < LANES {
                scores = mask_beyond(left, scores);
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
        // The lowest index among the lanes with the best score, without a data-dependent
        // branch.
        let is_less = _mm256_cmp_ps::<_CMP_NEQ_UQ>(best, horizontal_max(best));
        horizontal_min(_mm256_or_si256(best_at, _mm256_castps_si256(is_less))) as usize
    }

    /// The scores of eight edges. In wide nodes most edges are unvisited; eight of those
    /// need no division, whose throughput is low.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn scores<const TERMS: u8>(
        visits: &[u32; LANES],
        values: &[u32; LANES],
        edges: &[u32; LANES],
        weights: &Weights,
    ) -> __m256 {
        let visits = load(visits);
        if _mm256_testz_si256(visits, visits) == 0 {
            return visited_scores::<TERMS>(visits, values, edges, weights);
        }
        let unvisited = _mm256_set1_ps(weights.unvisited);
        if TERMS & PRIOR == 0 {
            unvisited
        } else {
            _mm256_add_ps(unvisited, prior_terms(edges, weights))
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn visited_scores<const TERMS: u8>(
        visits: __m256i,
        values: &[u32; LANES],
        edges: &[u32; LANES],
        weights: &Weights,
    ) -> __m256 {
        let one = _mm256_set1_ps(1.0);
        let count = _mm256_cvtepi32_ps(visits);
        let inverse = _mm256_div_ps(one, count);
        let mut visited = _mm256_mul_ps(_mm256_castsi256_ps(load(values)), inverse);
        if TERMS & EXPLORATION != 0 {
            let bonus = _mm256_mul_ps(_mm256_set1_ps(weights.exploration), _mm256_sqrt_ps(inverse));
            visited = _mm256_add_ps(visited, bonus);
        }
        let is_visited = _mm256_cmpgt_epi32(visits, _mm256_setzero_si256());
        let unvisited = _mm256_set1_ps(weights.unvisited);
        let mut scores = _mm256_blendv_ps(unvisited, visited, _mm256_castsi256_ps(is_visited));
        if TERMS & PRIOR != 0 {
            let share = _mm256_div_ps(prior_terms(edges, weights), _mm256_add_ps(one, count));
            scores = _mm256_add_ps(scores, share);
        }
        scores
    }

    /// The prior terms of eight unvisited edges.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn prior_terms(edges: &[u32; LANES], weights: &Weights) -> __m256 {
        let priors = _mm256_cvtepi32_ps(_mm256_srli_epi32::<16>(load(edges)));
        _mm256_mul_ps(_mm256_set1_ps(weights.prior), priors)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn ismcts_scores(
        entries: &mut [[u32; 4]],
        ranks: &[usize; LANES],
        exploration: f32,
    ) -> [f32; LANES] {
        let edges_read = ranks.map(|rank| load_edge(&entries[rank]));
        let once = _mm_setr_epi32(0, 1, 0, 0);
        for (&rank, &cell) in ranks.iter().zip(&edges_read) {
            store_edge(&mut entries[rank], _mm_add_epi32(cell, once));
        }
        let [visits, available, values] = columns(&edges_read);
        let one = _mm256_set1_epi32(1);
        let count = _mm256_cvtepi32_ps(_mm256_max_epi32(visits, one));
        let inverse = _mm256_div_ps(_mm256_set1_ps(1.0), count);
        let bonus = _mm256_mul_ps(ln(_mm256_cvtepi32_ps(available)), inverse);
        let bonus = _mm256_mul_ps(_mm256_set1_ps(exploration), _mm256_sqrt_ps(bonus));
        let mean = _mm256_mul_ps(_mm256_castsi256_ps(values), inverse);
        let scores = _mm256_add_ps(mean, bonus);
        let mut out = [0.0; LANES];
        // SAFETY: the array holds eight floats, and the store may be unaligned.
        unsafe { _mm256_storeu_ps(out.as_mut_ptr(), scores) };
        out
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn load_edge(cell: &[u32; 4]) -> __m128i {
        // SAFETY: the reference covers four words, and the load may be unaligned.
        unsafe { _mm_loadu_si128(cell.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn store_edge(cell: &mut [u32; 4], words: __m128i) {
        // SAFETY: the reference covers four words, and the store may be unaligned.
        unsafe { _mm_storeu_si128(cell.as_mut_ptr().cast(), words) }
    }

    /// Transposes the first three words of eight edges into one vector each.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn columns(edges_read: &[__m128i; LANES]) -> [__m256i; 3] {
        let pair = |lane: usize| _mm256_set_m128i(edges_read[lane + 4], edges_read[lane]);
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

    /// [`select::ln`](crate::select::ln) of eight counts, operation by operation.
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

    /// Replaces the scores from lane `count` on by negative infinity.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn mask_beyond(count: usize, scores: __m256) -> __m256 {
        let places = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        let is_one = _mm256_cmpgt_epi32(_mm256_set1_epi32(count as i32), places);
        let nothing = _mm256_set1_ps(f32::NEG_INFINITY);
        _mm256_blendv_ps(nothing, scores, _mm256_castsi256_ps(is_one))
    }

    /// The maximum of eight scores, in all lanes.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn horizontal_max(scores: __m256) -> __m256 {
        let top = _mm256_max_ps(scores, _mm256_permute2f128_ps::<1>(scores, scores));
        let top = _mm256_max_ps(top, _mm256_shuffle_ps::<0b01_00_11_10>(top, top));
        _mm256_max_ps(top, _mm256_shuffle_ps::<0b10_11_00_01>(top, top))
    }

    /// The lane of the maximum score; the first one of equals.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn first_best(scores: __m256) -> usize {
        let is_best = _mm256_cmp_ps::<_CMP_EQ_OQ>(scores, horizontal_max(scores));
        (_mm256_movemask_ps(is_best) as u32).trailing_zeros() as usize
    }

    /// The minimum of eight unsigned numbers.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn horizontal_min(numbers: __m256i) -> u32 {
        let (low, high) = (_mm256_castsi256_si128(numbers), _mm256_extracti128_si256::<1>(numbers));
        let least = _mm_min_epu32(low, high);
        let least = _mm_min_epu32(least, _mm_shuffle_epi32::<0b01_00_11_10>(least));
        let least = _mm_min_epu32(least, _mm_shuffle_epi32::<0b10_11_00_01>(least));
        _mm_cvtsi128_si32(least) as u32
    }
}

/// Prefetches the cache line of `items[at]`. Selection in a large tree otherwise stalls on
/// memory at every node.
#[inline(always)]
pub(crate) fn prefetch<T>(items: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let place = items.as_ptr().wrapping_add(at).cast();
        // SAFETY: a prefetch does not access memory and cannot fault, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, at);
}
