//! The way of machines with AVX-512 and its dot products of bytes.
#![allow(unsafe_code, reason = "the measured kernel, tested against the plain one")]

use std::arch::x86_64::{
    __m512, __m512i, _MM_HINT_T0, _mm_prefetch, _mm512_dpbusd_epi32, _mm512_fmadd_ps,
    _mm512_load_ps, _mm512_load_si512, _mm512_set1_epi32, _mm512_set1_ps, _mm512_setzero_ps,
    _mm512_setzero_si512, _mm512_store_ps, _mm512_storeu_si512,
};

use super::machine::{Machine, Work};
use super::packed::{PANEL, Quad, Row};

/// A machine that has what [`run`] asks for; only `run` names it.
struct Avx512;

#[target_feature(enable = "avx2,fma,avx512f,avx512bw,avx512vnni")]
pub(super) fn run<W: Work>(work: W) -> W::Out {
    work.run::<Avx512>()
}

impl Machine for Avx512 {
    type Floats = [__m512; 2];
    type Integers = [__m512i; 2];
    const TILE: usize = 12;
    const PANELS: usize = 4;

    #[inline(always)]
    fn zero() -> Self::Floats {
        // SAFETY: this type is named only where AVX-512 has been found.
        unsafe { [_mm512_setzero_ps(); 2] }
    }

    #[inline(always)]
    fn add(sums: &mut Self::Floats, input: f32, row: &Row) {
        let weights = row.0.as_ptr();
        // SAFETY: AVX-512 as above; a row is 32 floats, aligned to 64 bytes.
        unsafe {
            let input = _mm512_set1_ps(input);
            sums[0] = _mm512_fmadd_ps(_mm512_load_ps(weights), input, sums[0]);
            sums[1] = _mm512_fmadd_ps(_mm512_load_ps(weights.add(16)), input, sums[1]);
        }
    }

    #[inline(always)]
    fn floats(sums: Self::Floats) -> Row {
        let mut row = Row::default();
        let to = row.0.as_mut_ptr();
        // SAFETY: AVX-512 as above; a row is 32 floats, aligned to 64 bytes.
        unsafe {
            _mm512_store_ps(to, sums[0]);
            _mm512_store_ps(to.add(16), sums[1]);
        }
        row
    }

    #[inline(always)]
    fn zero_integers() -> Self::Integers {
        // SAFETY: AVX-512 as above.
        unsafe { [_mm512_setzero_si512(); 2] }
    }

    #[inline(always)]
    fn add_quad(sums: &mut Self::Integers, inputs: [u8; 4], quad: &Quad) {
        let weights = quad.0.as_ptr();
        // SAFETY: AVX-512 as above; a quad is 128 bytes, aligned to 64.
        unsafe {
            let inputs = _mm512_set1_epi32(i32::from_le_bytes(inputs));
            let low = _mm512_load_si512(weights.cast());
            let high = _mm512_load_si512(weights.add(64).cast());
            sums[0] = _mm512_dpbusd_epi32(sums[0], inputs, low);
            sums[1] = _mm512_dpbusd_epi32(sums[1], inputs, high);
        }
    }

    #[inline(always)]
    fn integers(sums: Self::Integers) -> [i32; PANEL] {
        let mut integers = [0; PANEL];
        let to = integers.as_mut_ptr();
        // SAFETY: AVX-512 as above; there is room for 32 integers, and the
        // store need not be aligned.
        unsafe {
            _mm512_storeu_si512(to.cast(), sums[0]);
            _mm512_storeu_si512(to.add(16).cast(), sums[1]);
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
