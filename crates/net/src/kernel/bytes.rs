//! Products in whole numbers: weights of eight bits, inputs of seven.
//!
//! Seven bits, for then two products fit sixteen bits, in which machines
//! without a better instruction add them; so all kinds agree exactly.
#![allow(unsafe_code, reason = "the measured inner loop reads inputs without asking bounds again")]

use super::machine::Machine;
use super::packed::{PANEL, Quad, Row, padded};

/// The largest input.
const MOST_INPUT: f32 = 127.0;
/// The largest weight.
const MOST_WEIGHT: f32 = 127.0;

/// A matrix of weights in panels, each output with a scale of its own.
#[derive(Clone, Debug)]
pub(crate) struct PackedBytes {
    /// Inputs by four.
    quads: usize,
    /// `[panels, quads]`; what does not exist weighs 0.
    rows: Vec<Quad>,
    /// `[panels]`, what one step of a weight is worth.
    scales: Vec<Row>,
    /// `[panels]`.
    bias: Vec<Row>,
}

impl PackedBytes {
    /// Rounds and packs `[inputs, outputs]` weights, row by row.
    pub(crate) fn new(inputs: usize, outputs: usize, weights: &[f32], bias: &[f32]) -> Self {
        let (quads, panels) = (padded(inputs) / 4, outputs.div_ceil(PANEL));
        let mut packed = Self {
            quads,
            rows: vec![Quad([0; 4 * PANEL]); panels * quads],
            scales: vec![Row::default(); panels],
            bias: vec![Row::default(); panels],
        };
        let (bytes, scales) = round(outputs, weights);
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

    /// Outputs, those included that only fill the last panel.
    pub(crate) fn width(&self) -> usize {
        self.bias.len() * PANEL
    }

    /// Inputs, those included that only fill the last panel of the layer before.
    pub(crate) fn inputs(&self) -> usize {
        self.quads * 4
    }

    pub(crate) fn bias(&self, panel: usize) -> &Row {
        &self.bias[panel]
    }
}

/// Rounds `[inputs, outputs]` weights, row by row, to 127 steps of each output's
/// largest: the steps, and what one is worth for each output.
pub(super) fn round(outputs: usize, weights: &[f32]) -> (Vec<i8>, Vec<f32>) {
    let mut scales = vec![0.0f32; outputs];
    for row in weights.chunks_exact(outputs) {
        for (most, weight) in scales.iter_mut().zip(row) {
            *most = most.max(weight.abs() / MOST_WEIGHT);
        }
    }
    let steps = |(&weight, &scale): (&f32, &f32)| {
        if scale > 0.0 { (weight / scale).round() as i8 } else { 0 }
    };
    let rows = weights.chunks_exact(outputs);
    (rows.flat_map(|row| row.iter().zip(&scales).map(steps)).collect(), scales)
}

/// Rows of inputs in steps, and what a step of each row is worth.
#[derive(Clone, Debug, Default)]
pub(crate) struct Levels {
    pub(super) bytes: Vec<u8>,
    pub(super) scales: Vec<f32>,
    width: usize,
}

/// Rounds rows of `width` inputs, none below 0, to 127 steps of their largest.
#[inline(always)]
pub(crate) fn quantize(inputs: &[f32], width: usize, out: &mut Levels) {
    out.width = padded(width);
    out.scales.clear();
    out.bytes.resize(inputs.len() / width * out.width, 0);
    let rows = inputs.chunks_exact(width).zip(out.bytes.chunks_exact_mut(out.width));
    for (row, bytes) in rows {
        let mut most = [0.0f32; 16];
        let (chunks, rest) = row.as_chunks::<16>();
        for chunk in chunks {
            for (most, &input) in most.iter_mut().zip(chunk) {
                *most = if input > *most { input } else { *most };
            }
        }
        let most = most.iter().chain(rest).fold(0.0f32, |most, &input| most.max(input));
        let factor = if most > 0.0 { MOST_INPUT / most } else { 0.0 };
        out.scales.push(most / MOST_INPUT);
        for (byte, &input) in bytes.iter_mut().zip(row) {
            *byte = (input * factor + 0.5) as i32 as u8;
        }
        bytes[width..].fill(0);
    }
}

/// Multiplies every row of `inputs` by `weights`, and hands over the sums of
/// each row and panel, bias not included.
#[inline(always)]
pub(crate) fn multiply_bytes<M: Machine>(
    inputs: &Levels,
    weights: &PackedBytes,
    mut finish: impl FnMut(usize, usize, &Row),
) {
    assert_eq!(inputs.width, weights.inputs(), "as many inputs as weights are for");
    let rows = inputs.scales.len();
    for panel in 0..weights.scales.len() {
        let mut row = 0;
        while row < rows {
            let left = rows - row;
            row += if M::TILE >= 12 && left >= 12 {
                tile::<M, 12>(inputs, row, weights, panel, &mut finish)
            } else if M::TILE >= 4 && left >= 4 {
                tile::<M, 4>(inputs, row, weights, panel, &mut finish)
            } else if M::TILE >= 2 && left >= 2 {
                tile::<M, 2>(inputs, row, weights, panel, &mut finish)
            } else {
                tile::<M, 1>(inputs, row, weights, panel, &mut finish)
            };
        }
    }
}

/// Multiplies `ROWS` rows from `first` on by one panel; answers with their
/// number.
#[inline(always)]
fn tile<M: Machine, const ROWS: usize>(
    inputs: &Levels,
    first: usize,
    weights: &PackedBytes,
    panel: usize,
    finish: &mut impl FnMut(usize, usize, &Row),
) -> usize {
    let quads = weights.quads;
    let data = inputs.bytes.as_chunks::<4>().0;
    assert!((first + ROWS) * quads <= data.len(), "a batch holds all its rows");
    let mut sums = [M::zero_integers(); ROWS];
    for (quad, weights) in weights.rows[panel * quads..][..quads].iter().enumerate() {
        for (number, sums) in sums.iter_mut().enumerate() {
            // SAFETY: rows up to the last were asked for above.
            let inputs = unsafe { *data.get_unchecked((first + number) * quads + quad) };
            M::add_quad(sums, inputs, weights);
        }
    }
    for (number, sums) in sums.into_iter().enumerate() {
        let step = inputs.scales[first + number];
        let mut row = Row::default();
        let scales = &weights.scales[panel].0;
        for ((out, sum), &scale) in row.0.iter_mut().zip(M::integers(sums)).zip(scales) {
            *out = sum as f32 * (scale * step);
        }
        finish(first + number, panel, &row);
    }
    ROWS
}

#[cfg(test)]
mod tests {
    use meeple_rng::Rng;

    use super::*;
    use crate::kernel::{Kind, Work};

    struct Product<'a>(&'a Levels, &'a PackedBytes);

    impl Work for Product<'_> {
        type Out = Vec<f32>;

        #[inline(always)]
        fn run<M: Machine>(self) -> Vec<f32> {
            let Self(inputs, weights) = self;
            let width = weights.width();
            let mut out = vec![0.0; width * inputs.scales.len()];
            multiply_bytes::<M>(inputs, weights, |row, panel, sums| {
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
        // The largest sums there can be are among them.
        let weights: Vec<f32> = draw(inputs * outputs)
            .iter()
            .map(|weight| if *weight > 0.5 { 1.0 } else { -weight })
            .collect();
        let packed = PackedBytes::new(inputs, outputs, &weights, &vec![0.0; outputs]);
        let mut levels = Levels::default();
        quantize(&batch, inputs, &mut levels);
        let plain = Kind::Plain.run(Product(&levels, &packed));
        for kind in Kind::all() {
            assert_eq!(kind.run(Product(&levels, &packed)), plain, "{kind:?}");
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
    fn whole_numbers_come_close_and_all_kinds_agree() {
        check(1, 64, 200);
        check(1, 5, 33);
        check(12, 30, 64);
        check(19, 128, 40);
    }

    #[test]
    fn the_largest_products_do_not_overflow() {
        let packed = PackedBytes::new(512, 32, &[-1.0; 512 * 32], &[0.0; 32]);
        let mut levels = Levels::default();
        quantize(&[1.0; 512], 512, &mut levels);
        for kind in Kind::all() {
            let out = kind.run(Product(&levels, &packed));
            assert!(out.iter().all(|sum| (sum + 512.0).abs() < 0.01), "{kind:?}");
        }
    }
}
