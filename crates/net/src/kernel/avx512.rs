//! The micro-kernel for AVX-512 with VNNI, its dot products of bytes.
#![allow(unsafe_code, reason = "SIMD intrinsics, tested against the portable kernel")]

use std::arch::x86_64::{
    __m512, __m512i, _MM_HINT_T1, _mm_prefetch, _mm_storeu_si128, _mm512_add_ps, _mm512_and_si512,
    _mm512_castsi512_ps, _mm512_cvtepi32_epi8, _mm512_cvtepi32_ps, _mm512_cvttps_epi32,
    _mm512_dpbusd_epi32, _mm512_fmadd_ps, _mm512_load_ps, _mm512_load_si512, _mm512_mul_ps,
    _mm512_set1_epi32, _mm512_set1_ps, _mm512_setzero_ps, _mm512_setzero_si512, _mm512_slli_epi32,
    _mm512_store_ps, _mm512_store_si512, _mm512_unpackhi_epi8, _mm512_unpackhi_epi16,
    _mm512_unpacklo_epi8, _mm512_unpacklo_epi16,
};

use super::isa::{Kernel, Routine};
use super::packed::{Accumulators, Bf16Row, Block, PANEL, Quad, Row};

/// The instruction set that [`run`] enables; only `run` uses it.
struct Avx512;

#[target_feature(enable = "avx2,fma,avx512f,avx512bw,avx512vnni")]
pub(super) fn run<W: Routine>(work: W) -> W::Out {
    work.run::<Avx512>()
}

impl Kernel for Avx512 {
    type Floats = [__m512; 2];
    type Integers = [__m512i; 2];
    const TILE: usize = 8;

    #[inline(always)]
    fn zero() -> Self::Floats {
        // SAFETY: this type is used only where AVX-512 has been detected.
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
    fn load(sums: &Row) -> Self::Floats {
        let from = sums.0.as_ptr();
        // SAFETY: AVX-512 as above; a row is 32 floats, aligned to 64 bytes.
        unsafe { [_mm512_load_ps(from), _mm512_load_ps(from.add(16))] }
    }

    #[inline(always)]
    fn add_bf16(sums: &mut Self::Floats, input: f32, row: &Bf16Row) {
        let weights = row.0.as_ptr();
        // SAFETY: AVX-512 as above; a row is 32 halves, aligned to 64 bytes.
        unsafe {
            let input = _mm512_set1_ps(input);
            let halves = _mm512_load_si512(weights.cast());
            // A `bf16` is the upper half of the bits of an `f32`.
            let low = _mm512_slli_epi32::<16>(halves);
            let high = _mm512_and_si512(halves, _mm512_set1_epi32(!0xffff));
            sums[0] = _mm512_fmadd_ps(_mm512_castsi512_ps(low), input, sums[0]);
            sums[1] = _mm512_fmadd_ps(_mm512_castsi512_ps(high), input, sums[1]);
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
    fn prefetch(row: &Row) {
        let line = row.0.as_ptr().cast::<i8>();
        // SAFETY: prefetching reads nothing; both lines belong to the row.
        unsafe {
            _mm_prefetch::<_MM_HINT_T1>(line);
            _mm_prefetch::<_MM_HINT_T1>(line.add(64));
        }
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
    fn scaled(sums: Self::Integers, scales: &Row, input_scale: f32) -> Row {
        let mut row = Row::default();
        let (to, scales) = (row.0.as_mut_ptr(), scales.0.as_ptr());
        // SAFETY: AVX-512 as above; rows are 32 floats, aligned to 64 bytes.
        unsafe {
            let input_scale = _mm512_set1_ps(input_scale);
            for (part, sums) in sums.into_iter().enumerate() {
                let scale = _mm512_mul_ps(_mm512_load_ps(scales.add(16 * part)), input_scale);
                _mm512_store_ps(to.add(16 * part), _mm512_mul_ps(_mm512_cvtepi32_ps(sums), scale));
            }
        }
        row
    }

    #[inline(always)]
    fn quantized(inputs: &Row, factor: f32) -> [u8; PANEL] {
        let mut bytes = [0; PANEL];
        let (from, to) = (inputs.0.as_ptr(), bytes.as_mut_ptr());
        // SAFETY: AVX-512 as above; a row is 32 floats, aligned to 64 bytes, and
        // there is room for 32 bytes, whose stores need not be aligned.
        unsafe {
            let (factor, half) = (_mm512_set1_ps(factor), _mm512_set1_ps(0.5));
            for part in 0..2 {
                let scaled = _mm512_mul_ps(_mm512_load_ps(from.add(16 * part)), factor);
                // What is not a number becomes `i32::MIN`, whose low byte is 0.
                let integers = _mm512_cvttps_epi32(_mm512_add_ps(scaled, half));
                _mm_storeu_si128(to.add(16 * part).cast(), _mm512_cvtepi32_epi8(integers));
            }
        }
        bytes
    }

    #[inline(always)]
    fn output_at(position: usize) -> usize {
        let (lane, part, byte) = (position / 16, position / 4 % 4, position % 4);
        16 * part + 4 * lane + byte
    }

    #[inline(always)]
    fn add_block(sums: &mut Accumulators, inputs: [u8; 4], blocks: [&Block; 4]) {
        let to = sums.0.as_mut_ptr();
        // SAFETY: AVX-512 as above; a block is 64 bytes and there are 64 sums,
        // both aligned to 64 bytes.
        unsafe {
            let inputs = _mm512_set1_epi32(i32::from_le_bytes(inputs));
            let [a, b, c, d] = blocks.map(|block| _mm512_load_si512(block.0.as_ptr().cast()));
            // Interleave the bytes of the four blocks, so that the four weights
            // of an output lie in one 32-bit lane.
            let (ab_low, ab_high) = (_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b));
            let (cd_low, cd_high) = (_mm512_unpacklo_epi8(c, d), _mm512_unpackhi_epi8(c, d));
            let quads = [
                _mm512_unpacklo_epi16(ab_low, cd_low),
                _mm512_unpackhi_epi16(ab_low, cd_low),
                _mm512_unpacklo_epi16(ab_high, cd_high),
                _mm512_unpackhi_epi16(ab_high, cd_high),
            ];
            for (part, quad) in quads.into_iter().enumerate() {
                let to = to.add(16 * part).cast();
                _mm512_store_si512(to, _mm512_dpbusd_epi32(_mm512_load_si512(to), inputs, quad));
            }
        }
    }
}
