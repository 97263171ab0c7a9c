//! Products in whole numbers of one row, whose zeros are left out.

use super::bytes::{Levels, round};
use super::machine::{Kind, Machine, Work};
use super::packed::{BLOCK, Block, PANEL, Row, Sums, padded};

/// A matrix of weights row by row, each output with a scale of its own, for one
/// kind of machine.
#[derive(Clone, Debug)]
pub(crate) struct ByteRows {
    /// Blocks of a row.
    blocks: usize,
    /// `[inputs, blocks]`; what does not exist weighs 0.
    rows: Vec<Block>,
    /// `[panels]`, what one step of a weight is worth.
    scales: Vec<Row>,
}

impl ByteRows {
    /// Rounds and packs `[inputs, outputs]` weights, row by row.
    pub(crate) fn new(kind: Kind, outputs: usize, weights: &[f32]) -> Self {
        kind.run(Packing { outputs, weights })
    }
}

struct Packing<'a> {
    outputs: usize,
    weights: &'a [f32],
}

impl Work for Packing<'_> {
    type Out = ByteRows;

    #[inline(always)]
    fn run<M: Machine>(self) -> ByteRows {
        let (bytes, scales) = round(self.outputs, self.weights);
        let blocks = self.outputs.div_ceil(BLOCK);
        let block = |row: &[i8], number: usize| {
            let weight = |place| row.get(number * BLOCK + M::output_at(place)).copied();
            Block(std::array::from_fn(|place| weight(place).unwrap_or(0)))
        };
        let rows = bytes.chunks_exact(self.outputs);
        let panel = |scales: &[f32]| {
            Row(std::array::from_fn(|lane| scales.get(lane).copied().unwrap_or(0.0)))
        };
        ByteRows {
            blocks,
            rows: rows.flat_map(|row| (0..blocks).map(move |at| block(row, at))).collect(),
            scales: scales.chunks(PANEL).map(panel).collect(),
        }
    }
}

/// Multiplies the only row of `inputs` by `weights`, and hands over the sums of
/// each panel, bias not included.
#[inline(always)]
pub(crate) fn multiply_byte_row<M: Machine>(
    inputs: &Levels,
    weights: &ByteRows,
    sums: &mut Vec<Sums>,
    indices: &mut Vec<u32>,
    mut finish: impl FnMut(usize, &Row),
) {
    let blocks = weights.blocks;
    sums.clear();
    sums.resize(blocks, Sums([0; BLOCK]));
    indices.resize(padded(inputs.bytes.len()) + 4, 0);
    let mut count = 0;
    for (index, &byte) in (0u32..).zip(&inputs.bytes) {
        indices[count] = index;
        // Every second input is 0 at random: counting is cheaper than asking.
        count += usize::from(byte != 0);
    }
    let row = |index: u32| &weights.rows[index as usize * blocks..][..blocks];
    for group in indices[..count].chunks(4) {
        // A group of fewer is filled up by its first input, times 0.
        let at = |number: usize| group.get(number).copied().unwrap_or(group[0]);
        let byte = |number: usize| match group.get(number) {
            Some(&index) => inputs.bytes[index as usize],
            None => 0,
        };
        let bytes = [byte(0), byte(1), byte(2), byte(3)];
        let [a, b, c, d] = [row(at(0)), row(at(1)), row(at(2)), row(at(3))];
        let rows = a.iter().zip(b).zip(c).zip(d);
        for (sums, (((a, b), c), d)) in sums.iter_mut().zip(rows) {
            M::add_block(sums, bytes, [a, b, c, d]);
        }
    }
    let step = inputs.scales[0];
    let panels = sums.iter().flat_map(|sums| sums.0.as_chunks::<PANEL>().0);
    for (panel, (sums, scales)) in panels.zip(&weights.scales).enumerate() {
        let mut out = Row::default();
        for ((out, &sum), &scale) in out.0.iter_mut().zip(sums).zip(&scales.0) {
            *out = sum as f32 * (scale * step);
        }
        finish(panel, &out);
    }
}

#[cfg(test)]
mod tests {
    use meeple_rng::Rng;

    use super::*;
    use crate::kernel::{PackedBytes, multiply_bytes, quantize};

    struct Both<'a>(&'a Levels, &'a ByteRows, &'a PackedBytes);

    impl Work for Both<'_> {
        type Out = [Vec<f32>; 2];

        #[inline(always)]
        fn run<M: Machine>(self) -> Self::Out {
            let Self(levels, rows, packed) = self;
            let mut out = [vec![0.0; packed.width()], vec![0.0; packed.width()]];
            let [single, batched] = &mut out;
            let (mut sums, mut indices) = (Vec::new(), Vec::new());
            multiply_byte_row::<M>(levels, rows, &mut sums, &mut indices, |panel, sums| {
                single[panel * PANEL..][..PANEL].copy_from_slice(&sums.0);
            });
            multiply_bytes::<M>(levels, packed, |_, panel, sums| {
                batched[panel * PANEL..][..PANEL].copy_from_slice(&sums.0);
            });
            out
        }
    }

    #[test]
    fn one_row_is_what_it_is_in_a_batch() {
        let mut rng = Rng::new(1);
        for (inputs, outputs) in [(64, 64), (70, 130), (33, 7), (512, 96)] {
            let mut draw = |count: usize, low: f32| -> Vec<f32> {
                (0..count).map(|_| (rng.unit() as f32 * 2.0 - 1.0).max(low)).collect()
            };
            let (batch, weights) = (draw(inputs, 0.0), draw(inputs * outputs, -1.0));
            let packed = PackedBytes::new(inputs, outputs, &weights, &vec![0.0; outputs]);
            let mut levels = Levels::default();
            quantize(&batch, inputs, &mut levels);
            for kind in Kind::all() {
                let rows = ByteRows::new(kind, outputs, &weights);
                let [single, batched] = kind.run(Both(&levels, &rows, &packed));
                assert_eq!(single, batched, "{kind:?}");
                assert!(single[0] != 0.0);
            }
        }
    }
}
