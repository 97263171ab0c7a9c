//! Kinds of machines, and what each does in its own way.
#![allow(unsafe_code, reason = "code for instructions that were found to be there")]

use super::packed::{Block, Half, PANEL, Quad, Row, Sums};

/// What a kind of machine does in its own way: sums of one panel's outputs.
pub(crate) trait Machine {
    /// [`PANEL`] sums of floats.
    type Floats: Copy;
    /// [`PANEL`] sums of integers.
    type Integers: Copy;
    /// Rows of a batch that are worked on together.
    const TILE: usize;

    fn zero() -> Self::Floats;
    fn load(sums: &Row) -> Self::Floats;
    /// Adds `input` times each weight of `row`.
    fn add(sums: &mut Self::Floats, input: f32, row: &Row);
    /// Adds `input` times each weight of `row`.
    fn add_half(sums: &mut Self::Floats, input: f32, row: &Half);
    fn floats(sums: Self::Floats) -> Row;

    fn zero_integers() -> Self::Integers;
    /// Adds the four products of the inputs, up to 127 each, and each output's
    /// weights.
    fn add_quad(sums: &mut Self::Integers, inputs: [u8; 4], quad: &Quad);
    fn integers(sums: Self::Integers) -> [i32; PANEL];

    /// Which of [`BLOCK`](super::packed::BLOCK) outputs lies at each place of a block of
    /// [`add_block`](Machine::add_block).
    fn output_at(place: usize) -> usize;
    /// Adds the four products of the inputs, up to 127 each, and the weights
    /// of each output, which lie in four blocks.
    fn add_block(sums: &mut Sums, inputs: [u8; 4], blocks: [&Block; 4]);
}

/// Any machine.
pub(crate) struct Plain;

impl Machine for Plain {
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
    fn add_half(sums: &mut Self::Floats, input: f32, row: &Half) {
        for (sum, &weight) in sums.iter_mut().zip(&row.0) {
            *sum = f32::from_bits(u32::from(weight) << 16).mul_add(input, *sum);
        }
    }

    #[inline(always)]
    fn floats(sums: Self::Floats) -> Row {
        Row(sums)
    }

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
    fn integers(sums: Self::Integers) -> [i32; PANEL] {
        sums
    }

    #[inline(always)]
    fn output_at(place: usize) -> usize {
        place
    }

    #[inline(always)]
    fn add_block(sums: &mut Sums, inputs: [u8; 4], blocks: [&Block; 4]) {
        for (input, block) in inputs.into_iter().zip(blocks) {
            for (sum, &weight) in sums.0.iter_mut().zip(&block.0) {
                *sum += i32::from(input) * i32::from(weight);
            }
        }
    }
}

/// The kinds of machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Plain,
    Avx2,
    Avx512,
}

/// A loop worth compiling for each kind of machine.
pub(crate) trait Work {
    type Out;

    /// Must be inlined always, or nothing is gained.
    fn run<M: Machine>(self) -> Self::Out;
}

impl Kind {
    /// The best kind that this machine is.
    pub(crate) fn detect() -> Self {
        *Self::all().last().expect("every machine is plain")
    }

    /// The kinds that this machine is, the best last.
    pub(crate) fn all() -> Vec<Self> {
        let mut kinds = vec![Self::Plain];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            kinds.push(Self::Avx2);
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vnni")
            {
                kinds.push(Self::Avx512);
            }
        }
        kinds
    }

    /// Does `work` in the way of this kind.
    ///
    /// # Panics
    ///
    /// Panics when this machine is not of the kind.
    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Out {
        match self {
            Self::Plain => work.run::<Plain>(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => {
                assert!(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"));
                // SAFETY: this machine has the features, as was just asked.
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
                // SAFETY: this machine has the features, as was just asked.
                unsafe { super::avx512::run(work) }
            }
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => unreachable!("machines of another make are plain"),
        }
    }
}
