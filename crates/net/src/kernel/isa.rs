//! Instruction sets: run-time detection, dispatch, and the portable micro-kernel.
#![allow(unsafe_code, reason = "calls code for instruction sets that were detected")]

use super::packed::{Accumulators, Bf16Row, Block, PANEL, Quad, Row};

/// The micro-kernel of one instruction set: sums over one panel of outputs.
pub(crate) trait Kernel {
    /// [`PANEL`] `f32` accumulators, held in registers.
    type Floats: Copy;
    /// [`PANEL`] `i32` accumulators, held in registers.
    type Integers: Copy;
    /// The maximum number of batch rows in a register tile.
    const TILE: usize;

    fn zero() -> Self::Floats;
    fn load(sums: &Row) -> Self::Floats;
    /// Adds `input` times each `f32` weight of `row`.
    fn add(sums: &mut Self::Floats, input: f32, row: &Row);
    /// Adds `input` times each `bf16` weight of `row`.
    fn add_bf16(sums: &mut Self::Floats, input: f32, row: &Bf16Row);
    fn floats(sums: Self::Floats) -> Row;
    /// Fetches weights that are needed soon into the L2 cache.
    fn prefetch(row: &Row);

    fn zero_integers() -> Self::Integers;
    /// Adds for each output the dot product of four inputs, up to 127 each, and
    /// the output's four weights.
    fn add_quad(sums: &mut Self::Integers, inputs: [u8; 4], quad: &Quad);
    /// Returns each sum times its output's scale, itself times `input_scale`.
    fn scaled(sums: Self::Integers, scales: &Row, input_scale: f32) -> Row;
    /// Rounds inputs, none below 0, times `factor` to at most 127; what is not a
    /// number becomes 0.
    fn quantized(inputs: &Row, factor: f32) -> [u8; PANEL];

    /// Returns which of the [`BLOCK`](super::packed::BLOCK) outputs has its weight at
    /// byte `position` of a block.
    ///
    /// The order is the one that leaves the outputs sorted after the byte
    /// interleaving of [`add_block`](Kernel::add_block).
    fn output_at(position: usize) -> usize;
    /// Adds for each output the dot product of four inputs, up to 127 each, and
    /// the output's weights, one from each block.
    fn add_block(sums: &mut Accumulators, inputs: [u8; 4], blocks: [&Block; 4]);
}

/// The portable micro-kernel, for any processor.
pub(crate) struct Portable;

impl Kernel for Portable {
    type Floats = [f32; PANEL];
    type Integers = [i32; PANEL];
    const TILE: usize = 1;

    #[inline(always)]
    fn zero() -> Self::Floats {
        [0.0; PANEL]
    }

    #[inline(always)]
    fn add(sums: &mut Self::Floats, input: f32, row: &Row) {
        for (sum, &weight) in sums.iter_mut().zip(&row.0) {
            *sum = weight.mul_add(input, *sum);
        }
    }

    #[inline(always)]
    fn load(sums: &Row) -> Self::Floats {
        sums.0
    }

    #[inline(always)]
    fn add_bf16(sums: &mut Self::Floats, input: f32, row: &Bf16Row) {
        let (low, high) = sums.split_at_mut(PANEL / 2);
        for ((low, high), weights) in low.iter_mut().zip(high).zip(row.0.as_chunks::<2>().0) {
            let [first, second] = weights.map(|half| f32::from_bits(u32::from(half) << 16));
            *low = first.mul_add(input, *low);
            *high = second.mul_add(input, *high);
        }
    }

    #[inline(always)]
    fn floats(sums: Self::Floats) -> Row {
        Row(sums)
    }

    #[inline(always)]
    fn prefetch(_: &Row) {}

    #[inline(always)]
    fn zero_integers() -> Self::Integers {
        [0; PANEL]
    }

    #[inline(always)]
    fn add_quad(sums: &mut Self::Integers, inputs: [u8; 4], quad: &Quad) {
        for (sum, weights) in sums.iter_mut().zip(quad.0.as_chunks::<4>().0) {
            let products = inputs.iter().zip(weights).map(|(&x, &w)| i32::from(x) * i32::from(w));
            *sum += products.sum::<i32>();
        }
    }

    #[inline(always)]
    fn scaled(sums: Self::Integers, scales: &Row, input_scale: f32) -> Row {
        Row(std::array::from_fn(|lane| sums[lane] as f32 * (scales.0[lane] * input_scale)))
    }

    #[inline(always)]
    fn quantized(inputs: &Row, factor: f32) -> [u8; PANEL] {
        // Inputs are not negative, so adding a half and truncating rounds.
        inputs.0.map(|input| (input * factor + 0.5) as i32 as u8)
    }

    #[inline(always)]
    fn output_at(position: usize) -> usize {
        position
    }

    #[inline(always)]
    fn add_block(sums: &mut Accumulators, inputs: [u8; 4], blocks: [&Block; 4]) {
        for (input, block) in inputs.into_iter().zip(blocks) {
            for (sum, &weight) in sums.0.iter_mut().zip(&block.0) {
                *sum += i32::from(input) * i32::from(weight);
            }
        }
    }
}

/// The instruction sets that kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Isa {
    Portable,
    Avx2,
    Avx512,
}

/// A loop that is compiled for each instruction set.
pub(crate) trait Routine {
    type Out;

    /// Runs the loop; implementations must be `#[inline(always)]`, so that they
    /// are compiled with the caller's target features.
    fn run<K: Kernel>(self) -> Self::Out;
}

impl Isa {
    /// Returns the best instruction set of this processor.
    pub(crate) fn detect() -> Self {
        *Self::all().last().expect("every processor runs the portable kernel")
    }

    /// Returns the instruction sets of this processor, the best last.
    pub(crate) fn all() -> Vec<Self> {
        let mut available = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            available.push(Self::Avx2);
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vnni")
            {
                available.push(Self::Avx512);
            }
        }
        available
    }

    /// Runs `work` compiled for this instruction set.
    ///
    /// # Panics
    ///
    /// Panics when this processor lacks the instruction set.
    #[inline]
    pub(crate) fn run<W: Routine>(self, work: W) -> W::Out {
        match self {
            Self::Portable => work.run::<Portable>(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => {
                assert!(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"));
                // SAFETY: this processor has the features, as just asserted.
                unsafe { super::avx2::run(work) }
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                assert!(
                    is_x86_feature_detected!("avx2")
                        && is_x86_feature_detected!("fma")
                        && is_x86_feature_detected!("avx512f")
                        && is_x86_feature_detected!("avx512bw")
                        && is_x86_feature_detected!("avx512vnni")
                );
                // SAFETY: this processor has the features, as just asserted.
                unsafe { super::avx512::run(work) }
            }
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => unreachable!("AVX exists on x86-64 only"),
        }
    }
}
