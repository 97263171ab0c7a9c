//! What depends on the machine: hot loops with its best instructions, and
//! memory fetched before it is needed.
#![allow(unsafe_code, reason = "the measured kernels: AVX2 scores, and prefetching")]

use crate::select::{self, Weights};

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
        __m256i, _CMP_EQ_OQ, _CMP_GT_OQ, _mm256_add_epi32, _mm256_add_ps, _mm256_blendv_ps,
        _mm256_castps_si256, _mm256_castsi256_ps, _mm256_cmp_ps, _mm256_cmpgt_epi32,
        _mm256_cvtepi32_ps, _mm256_div_ps, _mm256_loadu_si256, _mm256_max_ps, _mm256_movemask_ps,
        _mm256_mul_ps, _mm256_permute2f128_ps, _mm256_set1_epi32, _mm256_set1_ps,
        _mm256_setr_epi32, _mm256_setzero_si256, _mm256_shuffle_ps, _mm256_sqrt_ps,
        _mm256_srli_epi32, _mm256_storeu_si256,
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
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn load(words: &[u32; LANES]) -> __m256i {
        // SAFETY: the reference is to eight words, and the load need not be aligned.
        unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
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
        let one = _mm256_set1_ps(1.0);
        let nothing = _mm256_set1_ps(f32::NEG_INFINITY);
        let limit = _mm256_set1_epi32(limit as i32);
        let mut best = nothing;
        let mut best_at = _mm256_setzero_si256();
        let mut at = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        let chunks = visits
            .as_chunks::<LANES>()
            .0
            .iter()
            .zip(values.as_chunks::<LANES>().0)
            .zip(edges.as_chunks::<LANES>().0);
        for ((visits, values), edges) in chunks {
            let visits = load(visits);
            let count = _mm256_cvtepi32_ps(visits);
            let inverse = _mm256_div_ps(one, count);
            let mut tried = _mm256_mul_ps(_mm256_castsi256_ps(load(values)), inverse);
            if PARTS & UNCERTAINTY != 0 {
                let doubt =
                    _mm256_mul_ps(_mm256_set1_ps(weights.uncertainty), _mm256_sqrt_ps(inverse));
                tried = _mm256_add_ps(tried, doubt);
            }
            let is_tried = _mm256_cmpgt_epi32(visits, _mm256_setzero_si256());
            let untried = _mm256_set1_ps(weights.untried);
            let mut score = _mm256_blendv_ps(untried, tried, _mm256_castsi256_ps(is_tried));
            if PARTS & PRIOR != 0 {
                let prior = _mm256_cvtepi32_ps(_mm256_srli_epi32::<16>(load(edges)));
                let weighted = _mm256_mul_ps(_mm256_set1_ps(weights.prior), prior);
                let share = _mm256_div_ps(weighted, _mm256_add_ps(one, count));
                score = _mm256_add_ps(score, share);
            }
            let is_edge = _mm256_castsi256_ps(_mm256_cmpgt_epi32(limit, at));
            let score = _mm256_blendv_ps(nothing, score, is_edge);
            let is_better = _mm256_cmp_ps::<_CMP_GT_OQ>(score, best);
            best = _mm256_blendv_ps(best, score, is_better);
            best_at = _mm256_castps_si256(_mm256_blendv_ps(
                _mm256_castsi256_ps(best_at),
                _mm256_castsi256_ps(at),
                is_better,
            ));
            at = _mm256_add_epi32(at, _mm256_set1_epi32(LANES as i32));
        }
        let top = _mm256_max_ps(best, _mm256_permute2f128_ps::<1>(best, best));
        let top = _mm256_max_ps(top, _mm256_shuffle_ps::<0b01_00_11_10>(top, top));
        let top = _mm256_max_ps(top, _mm256_shuffle_ps::<0b10_11_00_01>(top, top));
        let mut winners = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_EQ_OQ>(best, top)) as u32;
        if visits.len() == LANES {
            return winners.trailing_zeros() as usize;
        }
        let mut places = [0u32; LANES];
        // SAFETY: there is room for eight words, and the store need not be aligned.
        unsafe { _mm256_storeu_si256(places.as_mut_ptr().cast(), best_at) };
        let mut first = u32::MAX;
        while winners != 0 {
            first = first.min(places[winners.trailing_zeros() as usize % LANES]);
            winners &= winners - 1;
        }
        first as usize
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
