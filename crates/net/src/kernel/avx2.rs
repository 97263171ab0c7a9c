//! The micro-kernel for AVX2 and FMA.
#![allow(unsafe_code, reason = "SIMD intrinsics, tested against the portable kernel")]

use std::arch::x86_64::{
    __m256, __m256i, _MM_HINT_T1, _mm_prefetch, _mm256_add_epi32, _mm256_add_ps, _mm256_and_si256,
    _mm256_castsi256_ps, _mm256_cvtepi32_ps, _mm256_cvttps_epi32, _mm256_fmadd_ps, _mm256_load_ps,
    _mm256_load_si256, _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_mul_ps, _mm256_packs_epi32,
    _mm256_packus_epi16, _mm256_permutevar8x32_epi32, _mm256_set1_epi16, _mm256_set1_epi32,
    _mm256_set1_ps, _mm256_setr_epi32, _mm256_setzero_ps, _mm256_setzero_si256, _mm256_slli_epi32,
    _mm256_store_ps, _mm256_store_si256, _mm256_storeu_si256, _mm256_unpackhi_epi8,
    _mm256_unpackhi_epi16, _mm256_unpacklo_epi8, _mm256_unpacklo_epi16,
};

use super::isa::{Kernel, Routine};
use super::packed::{Accumulators, Bf16Row, Block, PANEL, Quad, Row};

/// The instruction set that [`run`] enables; only `run` uses it.
struct Avx2;

#[target_feature(enable = "avx2,fma")]
pub(super) fn run<W: Routine>(work: W) -> W::Out {
    work.run::<Avx2>()
}

impl Kernel for Avx2 {
    type Floats = [__m256; 4];
    type Integers = [__m256i; 4];
    const TILE: usize = 3;

    #[inline(always)]
    fn zero() -> Self::Floats {
        // SAFETY: this type is used only where AVX2 has been detected.
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
    fn load(sums: &Row) -> Self::Floats {
        let from = sums.0.as_ptr();
        // SAFETY: AVX2 as above; a row is 32 floats, aligned to 64 bytes.
        unsafe {
            [
                _mm256_load_ps(from),
                _mm256_load_ps(from.add(8)),
                _mm256_load_ps(from.add(16)),
                _mm256_load_ps(from.add(24)),
            ]
        }
    }

    #[inline(always)]
    fn add_bf16(sums: &mut Self::Floats, input: f32, row: &Bf16Row) {
        let weights = row.0.as_ptr();
        // SAFETY: AVX2 and FMA as above; a row is 32 halves, aligned to 64 bytes.
        unsafe {
            let input = _mm256_set1_ps(input);
            for part in 0..2 {
                let halves = _mm256_load_si256(weights.add(16 * part).cast());
                // A `bf16` is the upper half of the bits of an `f32`.
                let low = _mm256_slli_epi32::<16>(halves);
                let high = _mm256_and_si256(halves, _mm256_set1_epi32(!0xffff));
                sums[part] = _mm256_fmadd_ps(_mm256_castsi256_ps(low), input, sums[part]);
                sums[part + 2] = _mm256_fmadd_ps(_mm256_castsi256_ps(high), input, sums[part + 2]);
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
    fn scaled(sums: Self::Integers, scales: &Row, input_scale: f32) -> Row {
        let mut row = Row::default();
        let (to, scales) = (row.0.as_mut_ptr(), scales.0.as_ptr());
        // SAFETY: AVX2 as above; rows are 32 floats, aligned to 64 bytes.
        unsafe {
            let input_scale = _mm256_set1_ps(input_scale);
            for (part, sums) in sums.into_iter().enumerate() {
                let scale = _mm256_mul_ps(_mm256_load_ps(scales.add(8 * part)), input_scale);
                _mm256_store_ps(to.add(8 * part), _mm256_mul_ps(_mm256_cvtepi32_ps(sums), scale));
            }
        }
        row
    }

    #[inline(always)]
    fn quantized(inputs: &Row, factor: f32) -> [u8; PANEL] {
        let mut bytes = [0; PANEL];
        let from = inputs.0.as_ptr();
        // SAFETY: AVX2 as above; a row is 32 floats, aligned to 64 bytes, and
        // there is room for 32 bytes, whose store need not be aligned.
        unsafe {
            let (factor, half) = (_mm256_set1_ps(factor), _mm256_set1_ps(0.5));
            let integers = |part: usize| {
                let scaled = _mm256_mul_ps(_mm256_load_ps(from.add(8 * part)), factor);
                _mm256_cvttps_epi32(_mm256_add_ps(scaled, half))
            };
            // What is not a number becomes `i32::MIN`, and saturates to 0.
            let low = _mm256_packs_epi32(integers(0), integers(1));
            let high = _mm256_packs_epi32(integers(2), integers(3));
            // Packing works within 128 bits: this sorts the groups of four.
            let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
            let packed = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), order);
            _mm256_storeu_si256(bytes.as_mut_ptr().cast(), packed);
        }
        bytes
    }

    #[inline(always)]
    fn output_at(position: usize) -> usize {
        let (half, lane) = (position / 32, position / 16 % 2);
        let (part, byte) = (position / 4 % 4, position % 4);
        32 * half + 8 * part + 4 * lane + byte
    }

    #[inline(always)]
    fn add_block(sums: &mut Accumulators, inputs: [u8; 4], blocks: [&Block; 4]) {
        let to = sums.0.as_mut_ptr();
        // SAFETY: AVX2 as above; a block is 64 bytes and there are 64 sums, both
        // aligned to 64 bytes. Two products of at most 127 * 127 fit 16 bits.
        unsafe {
            let inputs = _mm256_set1_epi32(i32::from_le_bytes(inputs));
            let ones = _mm256_set1_epi16(1);
            for half in 0..2 {
                let load = |block: &Block| -> __m256i {
                    _mm256_load_si256(block.0.as_ptr().add(32 * half).cast())
                };
                let [a, b, c, d] =
                    [load(blocks[0]), load(blocks[1]), load(blocks[2]), load(blocks[3])];
                // Interleave the bytes of the four blocks, so that the four
                // weights of an output lie in one 32-bit lane.
                let (ab_low, ab_high) = (_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b));
                let (cd_low, cd_high) = (_mm256_unpacklo_epi8(c, d), _mm256_unpackhi_epi8(c, d));
                let quads = [
                    _mm256_unpacklo_epi16(ab_low, cd_low),
                    _mm256_unpackhi_epi16(ab_low, cd_low),
                    _mm256_unpacklo_epi16(ab_high, cd_high),
                    _mm256_unpackhi_epi16(ab_high, cd_high),
                ];
                for (part, quad) in quads.into_iter().enumerate() {
                    let to = to.add(32 * half + 8 * part).cast::<__m256i>();
                    let sums = _mm256_madd_epi16(_mm256_maddubs_epi16(inputs, quad), ones);
                    _mm256_store_si256(to, _mm256_add_epi32(_mm256_load_si256(to), sums));
                }
            }
        }
    }
}
