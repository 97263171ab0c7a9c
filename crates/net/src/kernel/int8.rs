//! Quantized products of a batch: 8-bit weights, 7-bit inputs, 32-bit sums.
//!
//! Quantization is symmetric: one scale per output for weights, one scale per
//! row for inputs, which are not negative after a ReLU. Inputs have seven bits,
//! so that the sum of two products fits the 16 bits in which AVX2 adds them
//! (`maddubs`); without saturation all instruction sets agree exactly.
#![allow(unsafe_code, reason = "the inner loop reads inputs whose bounds are already checked")]

use super::isa::Kernel;
use super::packed::{PANEL, Quad, Row, padded};

/// The largest quantized input.
const MAX_INPUT: f32 = 127.0;
/// The largest quantized weight.
const MAX_WEIGHT: f32 = 127.0;

/// An `int8` weight matrix packed into panels, quantized per output.
#[derive(Clone, Debug)]
pub(crate) struct PackedInt8 {
    /// Groups of four inputs.
    quads: usize,
    /// `[panels, quads]`, padded by 0.
    rows: Vec<Quad>,
    /// `[panels]`, the quantization scale of each output.
    scales: Vec<Row>,
    /// `[panels]`.
    bias: Vec<Row>,
}

impl PackedInt8 {
    /// Quantizes and packs `[inputs, outputs]` weights.
    pub(crate) fn new(inputs: usize, outputs: usize, weights: &[f32], bias: &[f32]) -> Self {
        let (quads, panels) = (padded(inputs) / 4, outputs.div_ceil(PANEL));
        let mut packed = Self {
            quads,
            rows: vec![Quad([0; 4 * PANEL]); panels * quads],
            scales: vec![Row::default(); panels],
            bias: vec![Row::default(); panels],
        };
        let (bytes, scales) = quantize_weights(outputs, weights);
        for (input, row) in bytes.chunks_exact(outputs).enumerate() {
            for (output, &weight) in row.iter().enumerate() {
                let quad = &mut packed.rows[output / PANEL * quads + input / 4].0;
                quad[output % PANEL * 4 + input % 4] = weight;
            }
        }
        for (output, (&scale, &bias)) in scales.iter().zip(bias).enumerate() {
            packed.scales[output / PANEL].0[output % PANEL] = scale;
            packed.bias[output / PANEL].0[output % PANEL] = bias;
        }
        packed
    }

    /// Returns the number of outputs, padding included.
    pub(crate) fn width(&self) -> usize {
        self.bias.len() * PANEL
    }

    /// Returns the number of inputs, padding included.
    pub(crate) fn inputs(&self) -> usize {
        self.quads * 4
    }

    pub(crate) fn bias(&self, panel: usize) -> &Row {
        &self.bias[panel]
    }
}

/// Quantizes `[inputs, outputs]` weights symmetrically per output, so that the
/// largest becomes 127; returns the quantized weights and each output's scale.
pub(super) fn quantize_weights(outputs: usize, weights: &[f32]) -> (Vec<i8>, Vec<f32>) {
    let mut scales = vec![0.0f32; outputs];
    for row in weights.chunks_exact(outputs) {
        for (scale, weight) in scales.iter_mut().zip(row) {
            *scale = scale.max(weight.abs() / MAX_WEIGHT);
        }
    }
    let quantized = |(&weight, &scale): (&f32, &f32)| {
        if scale > 0.0 { (weight / scale).round() as i8 } else { 0 }
    };
    let rows = weights.chunks_exact(outputs);
    (rows.flat_map(|row| row.iter().zip(&scales).map(quantized)).collect(), scales)
}

/// Quantized rows of inputs, with one scale per row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Quantized {
    pub(super) bytes: Vec<u8>,
    pub(super) scales: Vec<f32>,
    width: usize,
}

/// Quantizes rows of `width` inputs, none below 0, so that the largest of each
/// row becomes 127.
#[inline(always)]
pub(crate) fn quantize(inputs: &[f32], width: usize, out: &mut Quantized) {
    out.width = padded(width);
    out.scales.clear();
    out.bytes.resize(inputs.len() / width * out.width, 0);
    let rows = inputs.chunks_exact(width).zip(out.bytes.chunks_exact_mut(out.width));
    for (row, bytes) in rows {
        // Sixteen maxima at a time, so that the compiler vectorizes the loop.
        let mut max = [0.0f32; 16];
        let (chunks, rest) = row.as_chunks::<16>();
        for chunk in chunks {
            for (max, &input) in max.iter_mut().zip(chunk) {
                *max = if input > *max { input } else { *max };
            }
        }
        let max = max.iter().chain(rest).fold(0.0f32, |max, &input| max.max(input));
        let factor = if max > 0.0 { MAX_INPUT / max } else { 0.0 };
        out.scales.push(max / MAX_INPUT);
        for (byte, &input) in bytes.iter_mut().zip(row) {
            // Inputs are not negative, so adding a half and truncating rounds.
            *byte = (input * factor + 0.5) as i32 as u8;
        }
        bytes[width..].fill(0);
    }
}

/// Multiplies every row of `inputs` by `weights`, and passes the sums of each row
/// and panel, without bias, to the epilogue `finish`.
#[inline(always)]
pub(crate) fn multiply_int8<K: Kernel>(
    inputs: &Quantized,
    weights: &PackedInt8,
    mut finish: impl FnMut(usize, usize, &Row),
) {
    assert_eq!(inputs.width, weights.inputs(), "the inputs must match the weights");
    let rows = inputs.scales.len();
    for panel in 0..weights.scales.len() {
        let mut row = 0;
        while row < rows {
            let left = rows - row;
            row += if K::TILE >= 12 && left >= 12 {
                tile::<K, 12>(inputs, row, weights, panel, &mut finish)
            } else if K::TILE >= 4 && left >= 4 {
                tile::<K, 4>(inputs, row, weights, panel, &mut finish)
            } else if K::TILE >= 2 && left >= 2 {
                tile::<K, 2>(inputs, row, weights, panel, &mut finish)
            } else {
                tile::<K, 1>(inputs, row, weights, panel, &mut finish)
            };
        }
    }
}

/// Multiplies a tile of `ROWS` rows, starting at `first`, by one panel; returns
/// `ROWS`.
#[inline(always)]
fn tile<K: Kernel, const ROWS: usize>(
    inputs: &Quantized,
    first: usize,
    weights: &PackedInt8,
    panel: usize,
    finish: &mut impl FnMut(usize, usize, &Row),
) -> usize {
    let quads = weights.quads;
    let data = inputs.bytes.as_chunks::<4>().0;
    assert!((first + ROWS) * quads <= data.len(), "a batch holds all its rows");
    let mut sums = [K::zero_integers(); ROWS];
    for (quad, weights) in weights.rows[panel * quads..][..quads].iter().enumerate() {
        for (number, sums) in sums.iter_mut().enumerate() {
            // SAFETY: the end of the last row is asserted above.
            let inputs = unsafe { *data.get_unchecked((first + number) * quads + quad) };
            K::add_quad(sums, inputs, weights);
        }
    }
    for (number, sums) in sums.into_iter().enumerate() {
        let input_scale = inputs.scales[first + number];
        let mut row = Row::default();
        let scales = &weights.scales[panel].0;
        for ((out, sum), &scale) in row.0.iter_mut().zip(K::integers(sums)).zip(scales) {
            *out = sum as f32 * (scale * input_scale);
        }
        finish(first + number, panel, &row);
    }
    ROWS
}

#[cfg(test)]
mod tests {
    use meeple_rng::Rng;

    use super::*;
    use crate::kernel::{Isa, Routine};

    struct Product<'a>(&'a Quantized, &'a PackedInt8);

    impl Routine for Product<'_> {
        type Out = Vec<f32>;

        #[inline(always)]
        fn run<K: Kernel>(self) -> Vec<f32> {
            let Self(inputs, weights) = self;
            let width = weights.width();
            let mut out = vec![0.0; width * inputs.scales.len()];
            multiply_int8::<K>(inputs, weights, |row, panel, sums| {
                out[row * width + panel * PANEL..][..PANEL].copy_from_slice(&sums.0);
            });
            out
        }
    }

    fn check(rows: usize, inputs: usize, outputs: usize) {
        let mut rng = Rng::new(rows as u64);
        let mut draw =
            |count: usize| -> Vec<f32> { (0..count).map(|_| rng.unit() as f32).collect() };
        let batch = draw(rows * inputs);
        // Many weights are the maximum, so that sums come epilogue to their limit.
        let weights: Vec<f32> = draw(inputs * outputs)
            .iter()
            .map(|weight| if *weight > 0.5 { 1.0 } else { -weight })
            .collect();
        let packed = PackedInt8::new(inputs, outputs, &weights, &vec![0.0; outputs]);
        let mut quantized = Quantized::default();
        quantize(&batch, inputs, &mut quantized);
        let plain = Isa::Portable.run(Product(&quantized, &packed));
        for isa in Isa::all() {
            assert_eq!(isa.run(Product(&quantized, &packed)), plain, "{isa:?}");
        }
        for row in 0..rows {
            for output in 0..outputs {
                let exact: f32 = (0..inputs)
                    .map(|input| batch[row * inputs + input] * weights[input * outputs + output])
                    .sum();
                let error = (plain[row * packed.width() + output] - exact).abs();
                assert!(error < 0.008 * inputs as f32, "{error}");
            }
        }
    }

    #[test]
    fn quantized_products_are_close_and_equal_on_all_instruction_sets() {
        check(1, 64, 200);
        check(1, 5, 33);
        check(12, 30, 64);
        check(19, 128, 40);
    }

    #[test]
    fn the_largest_products_do_not_overflow() {
        let packed = PackedInt8::new(512, 32, &[-1.0; 512 * 32], &[0.0; 32]);
        let mut quantized = Quantized::default();
        quantize(&[1.0; 512], 512, &mut quantized);
        for isa in Isa::all() {
            let out = isa.run(Product(&quantized, &packed));
            assert!(out.iter().all(|sum| (sum + 512.0).abs() < 0.01), "{isa:?}");
        }
    }
}
