//! Quantized products of a batch: 8-bit weights, 7-bit inputs, 32-bit sums.
//!
//! Quantization is symmetric: one scale per output for weights, one scale per
//! row for inputs, which are not negative after a ReLU. Inputs have seven bits,
//! so that the sum of two products fits the 16 bits in which AVX2 adds them
//! (`maddubs`); without saturation all instruction sets agree exactly.
#![allow(unsafe_code, reason = "the inner loop reads inputs whose bounds are already checked")]

use super::isa::Kernel;
use super::matrix::Epilogue;
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

    /// Returns the number of inputs, padding included.
    pub(crate) fn inputs(&self) -> usize {
        self.quads * 4
    }

    /// Returns the biases, `[panels]`.
    pub(crate) fn biases(&self) -> &[Row] {
        &self.bias
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

/// Quantizes rows of `panels` panels of inputs, none below 0, so that the largest
/// of each row becomes 127.
#[inline(always)]
pub(crate) fn quantize<K: Kernel>(inputs: &[Row], panels: usize, out: &mut Quantized) {
    out.width = panels * PANEL;
    out.scales.clear();
    out.bytes.resize(inputs.len() * PANEL, 0);
    let rows = out.bytes.chunks_exact_mut(out.width);
    for (row, bytes) in inputs.chunks_exact(panels).zip(rows) {
        let mut lanes = [0.0f32; PANEL];
        for inputs in row {
            for (max, &input) in lanes.iter_mut().zip(&inputs.0) {
                *max = if input > *max { input } else { *max };
            }
        }
        let max = lanes.into_iter().fold(0.0f32, f32::max);
        let factor = if max > 0.0 { MAX_INPUT / max } else { 0.0 };
        out.scales.push(max / MAX_INPUT);
        for (bytes, inputs) in bytes.as_chunks_mut::<PANEL>().0.iter_mut().zip(row) {
            *bytes = K::quantized(inputs, factor);
        }
    }
}

/// Multiplies every row of `inputs` by `weights`, and passes the sums of each row
/// and panel, without bias, to the epilogue.
#[inline(always)]
pub(crate) fn multiply_int8<K: Kernel>(
    inputs: &Quantized,
    weights: &PackedInt8,
    mut epilogue: impl Epilogue,
) {
    assert_eq!(inputs.width, weights.inputs(), "the inputs must match the weights");
    let rows = inputs.scales.len();
    let mut block = [Row::default(); 8];
    for panel in 0..weights.scales.len() {
        let mut row = 0;
        while row < rows {
            let left = rows - row;
            let done = if K::TILE >= 8 && left >= 8 {
                tile::<K, 8>(inputs, row, weights, panel, &mut block)
            } else if K::TILE >= 4 && left >= 4 {
                tile::<K, 4>(inputs, row, weights, panel, &mut block)
            } else if K::TILE >= 2 && left >= 2 {
                tile::<K, 2>(inputs, row, weights, panel, &mut block)
            } else {
                tile::<K, 1>(inputs, row, weights, panel, &mut block)
            };
            for (number, sums) in block[..done].iter().enumerate() {
                epilogue.finish(row + number, panel, sums);
            }
            row += done;
        }
    }
}

/// Multiplies a tile of `ROWS` rows, starting at `first`, by one panel: writes
/// their sums to `out`, returns `ROWS`.
#[inline(always)]
fn tile<K: Kernel, const ROWS: usize>(
    inputs: &Quantized,
    first: usize,
    weights: &PackedInt8,
    panel: usize,
    out: &mut [Row; 8],
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
    let scales = inputs.scales[first..first + ROWS].iter();
    for ((out, sums), &input_scale) in out.iter_mut().zip(sums).zip(scales) {
        *out = K::scaled(sums, &weights.scales[panel], input_scale);
    }
    ROWS
}

#[cfg(test)]
mod tests {
    use meeple_rng::Rng;

    use super::*;
    use crate::kernel::matrix::Store;
    use crate::kernel::{Isa, Routine};

    struct Product<'a>(&'a Quantized, &'a PackedInt8);

    impl Routine for Product<'_> {
        type Out = Vec<Row>;

        #[inline(always)]
        fn run<K: Kernel>(self) -> Vec<Row> {
            let Self(inputs, weights) = self;
            let panels = weights.scales.len();
            let mut out = vec![Row::default(); panels * inputs.scales.len()];
            multiply_int8::<K>(inputs, weights, Store(panels, &mut out));
            out
        }
    }

    struct Quantize<'a>(&'a [Row], usize);

    impl Routine for Quantize<'_> {
        type Out = Quantized;

        #[inline(always)]
        fn run<K: Kernel>(self) -> Quantized {
            let mut out = Quantized::default();
            quantize::<K>(self.0, self.1, &mut out);
            out
        }
    }

    /// Quantizes rows of `width` inputs, on every instruction set alike.
    fn quantized(inputs: &[f32], width: usize) -> Quantized {
        let panel = |inputs: &[f32]| {
            let mut row = Row::default();
            row.0[..inputs.len()].copy_from_slice(inputs);
            row
        };
        let rows: Vec<Row> =
            inputs.chunks(width).flat_map(|row| row.chunks(PANEL).map(panel)).collect();
        let panels = width.div_ceil(PANEL);
        let plain = Isa::Portable.run(Quantize(&rows, panels));
        for isa in Isa::all() {
            let other = isa.run(Quantize(&rows, panels));
            assert_eq!(other.bytes, plain.bytes, "{isa:?}");
            assert_eq!(other.scales, plain.scales, "{isa:?}");
        }
        plain
    }

    fn check(rows: usize, inputs: usize, outputs: usize) {
        let mut rng = Rng::new(rows as u64);
        let mut draw =
            |count: usize| -> Vec<f32> { (0..count).map(|_| rng.unit() as f32).collect() };
        let batch = draw(rows * inputs);
        // Many weights are the maximum, so that sums come close to their limit.
        let weights: Vec<f32> = draw(inputs * outputs)
            .iter()
            .map(|weight| if *weight > 0.5 { 1.0 } else { -weight })
            .collect();
        let packed = PackedInt8::new(inputs, outputs, &weights, &vec![0.0; outputs]);
        let quantized = quantized(&batch, inputs);
        let plain = Isa::Portable.run(Product(&quantized, &packed));
        for isa in Isa::all() {
            assert_eq!(isa.run(Product(&quantized, &packed)), plain, "{isa:?}");
        }
        for row in 0..rows {
            for output in 0..outputs {
                let exact: f32 = (0..inputs)
                    .map(|input| batch[row * inputs + input] * weights[input * outputs + output])
                    .sum();
                let sums = &plain[row * packed.scales.len() + output / PANEL];
                let error = (sums.0[output % PANEL] - exact).abs();
                assert!(error < 0.008 * inputs as f32, "{error}");
            }
        }
    }

    #[test]
    fn quantized_products_are_close_and_equal_on_all_instruction_sets() {
        check(1, 64, 200);
        check(1, 5, 33);
        check(12, 30, 64);
        for rows in 2..20 {
            check(rows, 128, 40);
        }
    }

    #[test]
    fn quantizing_rounds_to_nearest_on_all_instruction_sets() {
        let mut rng = Rng::new(4);
        let inputs: Vec<f32> =
            (0..9 * 100).map(|_| (rng.unit() as f32 * 3.0 - 1.0).max(0.0)).collect();
        let rounded = quantized(&inputs, 100);
        for (row, bytes) in inputs.chunks(100).zip(rounded.bytes.chunks(padded(100))) {
            let max = row.iter().fold(0.0f32, |max, &input| max.max(input));
            for (&input, &byte) in row.iter().zip(bytes) {
                assert!((input / max * 127.0 - f32::from(byte)).abs() < 0.501);
            }
            assert_eq!(bytes[100..], [0; 28]);
        }
        assert_eq!(quantized(&[0.0; 40], 40).scales, [0.0]);
        // A row that overflowed has no scale: every input becomes 0.
        assert_eq!(quantized(&[f32::INFINITY, 1.0], 2).bytes, [0; PANEL]);
    }

    #[test]
    fn the_largest_products_do_not_overflow() {
        let packed = PackedInt8::new(512, 32, &[-1.0; 512 * 32], &[0.0; 32]);
        let quantized = quantized(&[1.0; 512], 512);
        for isa in Isa::all() {
            let out = isa.run(Product(&quantized, &packed));
            assert!(out[0].0.iter().all(|sum| (sum + 512.0).abs() < 0.01), "{isa:?}");
        }
    }
}
