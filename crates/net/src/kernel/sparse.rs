//! Products of one row and a matrix, whose zeros are left out.
//!
//! A single row costs what its weights cost to be fetched. Observations are
//! mostly zeros, and so is half of what a rectifier lets through; the rows of
//! weights that they would be multiplied by are not touched.

use super::machine::Machine;
use super::packed::{Half, PANEL, Row};
use crate::encode::Nonzero;

/// Weights to a panel of outputs, in some precision.
pub(crate) trait Weights: Copy + Default {
    fn pack(weights: &[f32]) -> Self;
    fn add<M: Machine>(&self, sums: &mut M::Floats, input: f32);
}

impl Weights for Row {
    fn pack(weights: &[f32]) -> Self {
        let mut row = Self::default();
        row.0[..weights.len()].copy_from_slice(weights);
        row
    }

    #[inline(always)]
    fn add<M: Machine>(&self, sums: &mut M::Floats, input: f32) {
        M::add(sums, input, self);
    }
}

impl Weights for Half {
    /// The nearest numbers of half as many bits.
    fn pack(weights: &[f32]) -> Self {
        let mut row = Self::default();
        for (half, weight) in row.0.iter_mut().zip(weights) {
            let bits = weight.to_bits();
            *half = ((bits + 0x7fff + (bits >> 16 & 1)) >> 16) as u16;
        }
        row
    }

    #[inline(always)]
    fn add<M: Machine>(&self, sums: &mut M::Floats, input: f32) {
        M::add_half(sums, input, self);
    }
}

/// A matrix of weights row by row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows<W> {
    panels: usize,
    /// `[inputs, panels]`; outputs that do not exist weigh 0.
    rows: Vec<W>,
}

impl<W: Weights> Rows<W> {
    /// Packs `[inputs, outputs]` weights, row by row.
    pub(crate) fn new(outputs: usize, weights: &[f32]) -> Self {
        let mut rows = Self { panels: 0, rows: Vec::new() };
        rows.pack(outputs, weights);
        rows
    }

    /// Packs other weights into the same memory.
    pub(crate) fn pack(&mut self, outputs: usize, weights: &[f32]) {
        self.panels = outputs.div_ceil(PANEL);
        self.rows.clear();
        let rows = weights.chunks_exact(outputs);
        self.rows.extend(rows.flat_map(|row| row.chunks(PANEL).map(W::pack)));
    }
}

/// Writes the inputs that are not 0.
#[inline(always)]
pub(crate) fn nonzeros<'a>(inputs: &[f32], out: &'a mut [Nonzero]) -> &'a [Nonzero] {
    assert!(inputs.len() <= out.len(), "there is room for every input");
    let mut count = 0;
    for (index, &value) in (0u32..).zip(inputs) {
        out[count] = Nonzero { index, value };
        // Every second input is 0 at random: counting is cheaper than asking.
        count += usize::from(value != 0.0);
    }
    &out[..count]
}

/// Multiplies one row by `weights`: `sums` becomes one for each panel, bias not
/// included.
#[inline(always)]
pub(crate) fn multiply_sparse<M: Machine, W: Weights>(
    inputs: &[Nonzero],
    weights: &Rows<W>,
    sums: &mut Vec<Row>,
) {
    let panels = weights.panels;
    sums.clear();
    sums.resize(panels, Row::default());
    let row = |input: &Nonzero| &weights.rows[input.index as usize * panels..][..panels];
    // Four at a time, so that sums are not fetched and stored for each.
    let (groups, rest) = inputs.as_chunks::<4>();
    for group in groups {
        let [a, b, c, d] = group.each_ref().map(row);
        let rows = a.iter().zip(b).zip(c).zip(d);
        for (sums, (((a, b), c), d)) in sums.iter_mut().zip(rows) {
            let mut four = M::load(sums);
            a.add::<M>(&mut four, group[0].value);
            b.add::<M>(&mut four, group[1].value);
            c.add::<M>(&mut four, group[2].value);
            d.add::<M>(&mut four, group[3].value);
            *sums = M::floats(four);
        }
    }
    for input in rest {
        for (sums, weights) in sums.iter_mut().zip(row(input)) {
            let mut one = M::load(sums);
            weights.add::<M>(&mut one, input.value);
            *sums = M::floats(one);
        }
    }
}

#[cfg(test)]
mod tests {
    use meeple_rng::Rng;

    use super::*;
    use crate::kernel::{Kind, Packed, Strided, Work, multiply};

    struct Three<'a>(&'a [f32], &'a Packed, &'a Rows<Row>, &'a Rows<Half>);

    impl Work for Three<'_> {
        type Out = [Vec<Row>; 3];

        #[inline(always)]
        fn run<M: Machine>(self) -> Self::Out {
            let Self(inputs, packed, rows, halves) = self;
            let mut out = [vec![Row::default(); packed.panels()], Vec::new(), Vec::new()];
            let mut room = vec![Nonzero::default(); inputs.len()];
            let [dense, sparse, half] = &mut out;
            multiply::<M>(Strided::rows(inputs, 1, inputs.len()), packed, |_, panel, sums| {
                dense[panel] = *sums;
            });
            let inputs = nonzeros(inputs, &mut room);
            multiply_sparse::<M, Row>(inputs, rows, sparse);
            multiply_sparse::<M, Half>(inputs, halves, half);
            out
        }
    }

    #[test]
    fn leaving_zeros_out_changes_nothing() {
        let mut rng = Rng::new(1);
        for outputs in [1, 32, 100, 300] {
            let mut draw = |count: usize, low: f32| -> Vec<f32> {
                (0..count).map(|_| (rng.unit() as f32 - 0.5).max(low)).collect()
            };
            let (inputs, weights) = (draw(51, 0.0), draw(51 * outputs, -1.0));
            let packed = Packed::new(51, outputs, &weights, &[]);
            let (rows, halves) = (Rows::new(outputs, &weights), Rows::new(outputs, &weights));
            let plain = Kind::Plain.run(Three(&inputs, &packed, &rows, &halves));
            for kind in Kind::all() {
                let [dense, sparse, half] = kind.run(Three(&inputs, &packed, &rows, &halves));
                assert_eq!(dense, sparse, "{kind:?}");
                assert!(dense[0].0[0] != 0.0);
                assert_eq!(half, plain[2], "{kind:?}");
                let pairs =
                    half.iter().flat_map(|row| row.0).zip(sparse.iter().flat_map(|row| row.0));
                assert!(pairs.into_iter().all(|(half, whole)| (half - whole).abs() < 0.02));
            }
        }
    }

    #[test]
    fn halves_are_the_nearest() {
        let half = |weight: f32| f32::from_bits(u32::from(Half::pack(&[weight]).0[0]) << 16);
        for weight in [0.0, 1.0, -2.5, 0.15625] {
            assert_eq!(half(weight), weight);
        }
        assert!((half(0.3) / 0.3 - 1.0).abs() < 1.0 / 256.0);
    }
}
