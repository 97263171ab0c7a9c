//! `int8` products of a single row, skipping its zero inputs.

use super::int8::{Quantized, quantize_weights};
use super::isa::{Isa, Kernel, Routine};
use super::matrix::Epilogue;
use super::packed::{Accumulators, BLOCK, Block, PANEL, Row, padded};

/// An `int8` weight matrix row by row, quantized per output, in the byte order
/// of one instruction set.
#[derive(Clone, Debug)]
pub(crate) struct Int8Rows {
    /// Blocks per row.
    blocks: usize,
    /// `[inputs, blocks]`, padded by 0.
    rows: Vec<Block>,
    /// `[panels]`, the quantization scale of each output.
    scales: Vec<Row>,
}

impl Int8Rows {
    /// Quantizes and packs `[inputs, outputs]` weights.
    pub(crate) fn new(isa: Isa, outputs: usize, weights: &[f32]) -> Self {
        isa.run(Packing { outputs, weights })
    }
}

struct Packing<'a> {
    outputs: usize,
    weights: &'a [f32],
}

impl Routine for Packing<'_> {
    type Out = Int8Rows;

    #[inline(always)]
    fn run<K: Kernel>(self) -> Int8Rows {
        let (bytes, scales) = quantize_weights(self.outputs, self.weights);
        let blocks = self.outputs.div_ceil(BLOCK);
        let block = |row: &[i8], number: usize| {
            let weight = |position| row.get(number * BLOCK + K::output_at(position)).copied();
            Block(std::array::from_fn(|position| weight(position).unwrap_or(0)))
        };
        let rows = bytes.chunks_exact(self.outputs);
        let panel = |scales: &[f32]| {
            Row(std::array::from_fn(|lane| scales.get(lane).copied().unwrap_or(0.0)))
        };
        Int8Rows {
            blocks,
            rows: rows.flat_map(|row| (0..blocks).map(move |at| block(row, at))).collect(),
            scales: scales.chunks(PANEL).map(panel).collect(),
        }
    }
}

/// Multiplies the only row of `inputs` by `weights`, and passes the sums of each
/// panel, without bias, to the epilogue.
#[inline(always)]
pub(crate) fn multiply_int8_row<K: Kernel>(
    inputs: &Quantized,
    weights: &Int8Rows,
    sums: &mut Vec<Accumulators>,
    indices: &mut Vec<u32>,
    mut epilogue: impl Epilogue,
) {
    let blocks = weights.blocks;
    sums.clear();
    sums.resize(blocks, Accumulators([0; BLOCK]));
    indices.resize(padded(inputs.bytes.len()) + 4, 0);
    let mut count = 0;
    for (index, &byte) in (0u32..).zip(&inputs.bytes) {
        indices[count] = index;
        // Branchless: after a ReLU about half of the inputs are 0 in no pattern,
        // so a branch would be mispredicted often.
        count += usize::from(byte != 0);
    }
    let row = |index: u32| &weights.rows[index as usize * blocks..][..blocks];
    for group in indices[..count].chunks(4) {
        // An incomplete group repeats its first row, multiplied by 0.
        let at = |number: usize| group.get(number).copied().unwrap_or(group[0]);
        let byte = |number: usize| match group.get(number) {
            Some(&index) => inputs.bytes[index as usize],
            None => 0,
        };
        let bytes = [byte(0), byte(1), byte(2), byte(3)];
        let [a, b, c, d] = [row(at(0)), row(at(1)), row(at(2)), row(at(3))];
        let rows = a.iter().zip(b).zip(c).zip(d);
        for (sums, (((a, b), c), d)) in sums.iter_mut().zip(rows) {
            K::add_block(sums, bytes, [a, b, c, d]);
        }
    }
    let input_scale = inputs.scales[0];
    let panels = sums.iter().flat_map(|sums| sums.0.as_chunks::<PANEL>().0);
    for (panel, (sums, scales)) in panels.zip(&weights.scales).enumerate() {
        let mut out = Row::default();
        for ((out, &sum), &scale) in out.0.iter_mut().zip(sums).zip(&scales.0) {
            *out = sum as f32 * (scale * input_scale);
        }
        epilogue.finish(0, panel, &out);
    }
}

#[cfg(test)]
mod tests {
    use meeple_rng::Rng;

    use super::*;
    use crate::kernel::matrix::Store;
    use crate::kernel::{PackedInt8, multiply_int8, quantize};

    struct Both<'a>(&'a [Row], &'a Int8Rows, &'a PackedInt8);

    impl Routine for Both<'_> {
        type Out = [Vec<Row>; 2];

        #[inline(always)]
        fn run<K: Kernel>(self) -> Self::Out {
            let Self(inputs, rows, packed) = self;
            let mut quantized = Quantized::default();
            quantize::<K>(inputs, inputs.len(), &mut quantized);
            let panels = packed.biases().len();
            let mut out = [vec![Row::default(); panels], vec![Row::default(); panels]];
            let [single, batched] = &mut out;
            let (mut sums, mut indices) = (Vec::new(), Vec::new());
            multiply_int8_row::<K>(
                &quantized,
                rows,
                &mut sums,
                &mut indices,
                Store(panels, single),
            );
            multiply_int8::<K>(&quantized, packed, Store(panels, batched));
            out
        }
    }

    #[test]
    fn a_single_row_equals_the_same_row_in_a_batch() {
        let mut rng = Rng::new(1);
        for (inputs, outputs) in [(64, 64), (70, 130), (33, 7), (512, 96)] {
            let mut draw = |count: usize, low: f32| -> Vec<f32> {
                (0..count).map(|_| (rng.unit() as f32 * 2.0 - 1.0).max(low)).collect()
            };
            let (batch, weights) = (draw(inputs, 0.0), draw(inputs * outputs, -1.0));
            let packed = PackedInt8::new(inputs, outputs, &weights, &vec![0.0; outputs]);
            let mut panels = vec![Row::default(); inputs.div_ceil(PANEL)];
            for (panel, inputs) in panels.iter_mut().zip(batch.chunks(PANEL)) {
                panel.0[..inputs.len()].copy_from_slice(inputs);
            }
            for isa in Isa::all() {
                let rows = Int8Rows::new(isa, outputs, &weights);
                let [single, batched] = isa.run(Both(&panels, &rows, &packed));
                assert_eq!(single, batched, "{isa:?}");
                assert!(single[0].0[0] != 0.0);
            }
        }
    }
}
