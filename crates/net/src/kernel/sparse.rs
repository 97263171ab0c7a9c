//! Products of a single sparse row and a matrix, skipping zero inputs.
//!
//! A single row is bound by memory bandwidth: it costs what fetching the weights
//! costs. Features are mostly 0, and about half of the activations after a ReLU;
//! their rows of weights are not read.

use super::isa::Kernel;
use super::packed::{Bf16Row, PANEL, Row};
use crate::encode::Nonzero;

/// Weights from one input to a panel of outputs, in some precision.
pub(crate) trait Weights: Copy + Default {
    fn pack(weights: &[f32]) -> Self;
    fn add<K: Kernel>(&self, sums: &mut K::Floats, input: f32);
}

impl Weights for Row {
    fn pack(weights: &[f32]) -> Self {
        let mut row = Self::default();
        row.0[..weights.len()].copy_from_slice(weights);
        row
    }

    #[inline(always)]
    fn add<K: Kernel>(&self, sums: &mut K::Floats, input: f32) {
        K::add(sums, input, self);
    }
}

impl Weights for Bf16Row {
    fn pack(weights: &[f32]) -> Self {
        let mut row = Self::default();
        for (output, &weight) in weights.iter().enumerate() {
            let at = 2 * (output % (PANEL / 2)) + output / (PANEL / 2);
            row.0[at] = (round_to_bf16(weight).to_bits() >> 16) as u16;
        }
        row
    }

    #[inline(always)]
    fn add<K: Kernel>(&self, sums: &mut K::Floats, input: f32) {
        K::add_bf16(sums, input, self);
    }
}

/// Rounds a finite number to a `bf16`: to nearest, ties to even.
pub(crate) fn round_to_bf16(number: f32) -> f32 {
    let bits = number.to_bits();
    f32::from_bits((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff_0000)
}

/// A weight matrix row by row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows<W> {
    panels: usize,
    /// `[inputs, panels]`, padded by 0.
    rows: Vec<W>,
}

impl<W: Weights> Rows<W> {
    /// Packs `[inputs, outputs]` weights.
    pub(crate) fn new(outputs: usize, weights: &[f32]) -> Self {
        let mut rows = Self { panels: 0, rows: Vec::new() };
        rows.pack(outputs, weights);
        rows
    }

    /// Packs other weights, reusing the memory.
    pub(crate) fn pack(&mut self, outputs: usize, weights: &[f32]) {
        self.panels = outputs.div_ceil(PANEL);
        self.rows.clear();
        let rows = weights.chunks_exact(outputs);
        self.rows.extend(rows.flat_map(|row| row.chunks(PANEL).map(W::pack)));
    }
}

/// Writes the nonzero inputs to `out`, and returns them.
#[inline(always)]
pub(crate) fn nonzeros<'a>(inputs: &[f32], out: &'a mut [Nonzero]) -> &'a [Nonzero] {
    assert!(inputs.len() <= out.len(), "the buffer must have room for every input");
    let mut count = 0;
    for (index, &value) in (0u32..).zip(inputs) {
        out[count] = Nonzero { index, value };
        // Branchless: after a ReLU about half of the inputs are 0 in no pattern,
        // so a branch would be mispredicted often.
        count += usize::from(value != 0.0);
    }
    &out[..count]
}

/// Multiplies one row by `weights`; replaces `sums` by the sums of each panel,
/// without bias.
#[inline(always)]
pub(crate) fn multiply_sparse<K: Kernel, W: Weights>(
    inputs: &[Nonzero],
    weights: &Rows<W>,
    sums: &mut Vec<Row>,
) {
    let panels = weights.panels;
    sums.clear();
    sums.resize(panels, Row::default());
    let row = |input: &Nonzero| &weights.rows[input.index as usize * panels..][..panels];
    // Four inputs at a time, to load and store the sums a quarter as often.
    let (groups, rest) = inputs.as_chunks::<4>();
    for group in groups {
        let [a, b, c, d] = group.each_ref().map(row);
        let rows = a.iter().zip(b).zip(c).zip(d);
        for (sums, (((a, b), c), d)) in sums.iter_mut().zip(rows) {
            let mut four = K::load(sums);
            a.add::<K>(&mut four, group[0].value);
            b.add::<K>(&mut four, group[1].value);
            c.add::<K>(&mut four, group[2].value);
            d.add::<K>(&mut four, group[3].value);
            *sums = K::floats(four);
        }
    }
    for input in rest {
        for (sums, weights) in sums.iter_mut().zip(row(input)) {
            let mut one = K::load(sums);
            weights.add::<K>(&mut one, input.value);
            *sums = K::floats(one);
        }
    }
}

#[cfg(test)]
mod tests {
    use meeple_rng::Rng;

    use super::*;
    use crate::kernel::matrix::Store;
    use crate::kernel::{Isa, Packed, Routine, Strided, multiply};

    struct Three<'a>(&'a [f32], &'a Packed, &'a Rows<Row>, &'a Rows<Bf16Row>);

    impl Routine for Three<'_> {
        type Out = [Vec<Row>; 3];

        #[inline(always)]
        fn run<K: Kernel>(self) -> Self::Out {
            let Self(inputs, packed, rows, halves) = self;
            let mut out = [vec![Row::default(); packed.panels()], Vec::new(), Vec::new()];
            let mut buffer = vec![Nonzero::default(); inputs.len()];
            let [dense, sparse, half] = &mut out;
            multiply::<K>(
                Strided::rows(inputs, 1, inputs.len()),
                packed,
                Store(packed.panels(), dense),
            );
            let inputs = nonzeros(inputs, &mut buffer);
            multiply_sparse::<K, Row>(inputs, rows, sparse);
            multiply_sparse::<K, Bf16Row>(inputs, halves, half);
            out
        }
    }

    #[test]
    fn sparse_products_equal_dense_products() {
        let mut rng = Rng::new(1);
        for outputs in [1, 32, 100, 300] {
            let mut draw = |count: usize, low: f32| -> Vec<f32> {
                (0..count).map(|_| (rng.unit() as f32 - 0.5).max(low)).collect()
            };
            let (inputs, weights) = (draw(51, 0.0), draw(51 * outputs, -1.0));
            let packed = Packed::new(51, outputs, &weights, &[]);
            let (rows, halves) = (Rows::new(outputs, &weights), Rows::new(outputs, &weights));
            let plain = Isa::Portable.run(Three(&inputs, &packed, &rows, &halves));
            for isa in Isa::all() {
                let [dense, sparse, half] = isa.run(Three(&inputs, &packed, &rows, &halves));
                assert_eq!(dense, sparse, "{isa:?}");
                assert!(dense[0].0[0] != 0.0);
                assert_eq!(half, plain[2], "{isa:?}");
                let pairs =
                    half.iter().flat_map(|row| row.0).zip(sparse.iter().flat_map(|row| row.0));
                assert!(pairs.into_iter().all(|(half, whole)| (half - whole).abs() < 0.02));
            }
        }
    }

    #[test]
    fn bf16_rounds_to_nearest() {
        let half = |weight: f32| f32::from_bits(u32::from(Bf16Row::pack(&[weight]).0[0]) << 16);
        for weight in [0.0, 1.0, -2.5, 0.15625] {
            assert_eq!(half(weight), weight);
        }
        assert!((half(0.3) / 0.3 - 1.0).abs() < 1.0 / 256.0);
    }
}
