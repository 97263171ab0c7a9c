//! The way of machines with AVX2 and fused multiplication.
#![allow(unsafe_code, reason = "the measured kernel, tested against the plain one")]

use std::arch::x86_64::{
    __m256, __m256i, _MM_HINT_T0, _mm_prefetch, _mm256_add_epi32, _mm256_fmadd_ps, _mm256_load_ps,
    _mm256_load_si256, _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_set1_epi16,
    _mm256_set1_epi32, _mm256_set1_ps, _mm256_setzero_ps, _mm256_setzero_si256, _mm256_store_ps,
    _mm256_storeu_si256,
};

use super::machine::{Machine, Work};
use super::packed::{PANEL, Quad, Row};

/// A machine that has what [`run`] asks for; only `run` names it.
struct Avx2;

#[target_feature(enable = "avx2,fma")]
pub(super) fn run<W: Work>(work: W) -> W::Out {
    work.run::<Avx2>()
}

impl Machine for Avx2 {
    type Floats = [__m256; 4];
    type Integers = [__m256i; 4];
    const TILE: usize = 3;
    const PANELS: usize = 2;

    #[inline(always)]
    fn zero() -> Self::Floats {
        // SAFETY: this type is named only where AVX2 has been found.
        unsafe { [_mm256_setzero_ps(); 4] }
    }

    #[inline(always)]
    fn add(sums: &mut Self::Floats, input: f32, row: &Row) {
        let weights = row.0.as_ptr();
        // SAFETY: AVX2 and FMA as above; a row is 32 floats, aligned to 64 bytes.
        unsafe {
            let input = _mm256_set1_ps(input);
            for (part, sum) in sums.iter_mut().enumerate() {
                *sum = _mm256_fmadd_ps(_mm256_load_ps(weights.add(8 * part)), input, *sum);
            }
        }
    }

    #[inline(always)]
    fn floats(sums: Self::Floats) -> Row {
        let mut row = Row::default();
        let to = row.0.as_mut_ptr();
        for (part, sum) in sums.into_iter().enumerate() {
            // SAFETY: AVX2 as above; a row is 32 floats, aligned to 64 bytes.
            unsafe { _mm256_store_ps(to.add(8 * part), sum) }
        }
        row
    }

    #[inline(always)]
    fn zero_integers() -> Self::Integers {
        // SAFETY: AVX2 as above.
        unsafe { [_mm256_setzero_si256(); 4] }
    }

    #[inline(always)]
    fn add_quad(sums: &mut Self::Integers, inputs: [u8; 4], quad: &Quad) {
        let weights = quad.0.as_ptr();
        // SAFETY: AVX2 as above; a quad is 128 bytes, aligned to 64. Two
        // products of at most 127 * 127 fit the 16 bits they are added in.
        unsafe {
            let inputs = _mm256_set1_epi32(i32::from_le_bytes(inputs));
            let ones = _mm256_set1_epi16(1);
            for (part, sum) in sums.iter_mut().enumerate() {
                let weights = _mm256_load_si256(weights.add(32 * part).cast());
                let pairs = _mm256_maddubs_epi16(inputs, weights);
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, ones));
            }
        }
    }

    #[inline(always)]
    fn integers(sums: Self::Integers) -> [i32; PANEL] {
        let mut integers = [0; PANEL];
        let to = integers.as_mut_ptr();
        for (part, sum) in sums.into_iter().enumerate() {
            // SAFETY: AVX2 as above; there is room for 32 integers, and the
            // store need not be aligned.
            unsafe { _mm256_storeu_si256(to.add(8 * part).cast(), sum) }
        }
        integers
    }

    #[inline(always)]
    fn prefetch(row: &Row) {
        let at = row.0.as_ptr().cast::<i8>();
        // SAFETY: fetching ahead touches no memory that can be seen.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(at);
            _mm_prefetch::<_MM_HINT_T0>(at.wrapping_add(64));
        }
    }
}
