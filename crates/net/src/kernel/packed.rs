//! Packing of weights into aligned panels, the layout that kernels read.
#![allow(unsafe_code, reason = "views aligned panels as plain numbers")]

/// Outputs per panel.
pub(crate) const PANEL: usize = 32;

/// Weights from one input to the outputs of a panel, or one panel of a result.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Row(pub(crate) [f32; PANEL]);

/// Views panels as their numbers, one after the other.
pub(crate) fn flat(rows: &[Row]) -> &[f32] {
    // SAFETY: a row is an array of `PANEL` floats, without padding, so `rows` are
    // that many floats in succession.
    unsafe { std::slice::from_raw_parts(rows.as_ptr().cast(), rows.len() * PANEL) }
}

/// `int8` weights from four inputs to the outputs of a panel, output by output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Quad(pub(crate) [i8; 4 * PANEL]);

/// `bf16` weights from one input to the outputs of a panel: the upper 16 bits of
/// each `f32`. Output `i` of the first half is at `2 * i`, and the same output of
/// the second half after it, so that a shift and a mask of 32-bit lanes give both
/// halves in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Bf16Row(pub(crate) [u16; PANEL]);

/// Outputs per block.
pub(crate) const BLOCK: usize = 64;

/// `int8` weights from one input to the outputs of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Block(pub(crate) [i8; BLOCK]);

/// `i32` accumulators of a block's outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Accumulators(pub(crate) [i32; BLOCK]);

/// Returns `size` rounded up to whole panels.
pub(crate) fn padded(size: usize) -> usize {
    size.next_multiple_of(PANEL)
}

/// An `f32` weight matrix packed into panels, with one bias per output.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packed {
    inputs: usize,
    /// `[panels, inputs]`, padded by 0.
    rows: Vec<Row>,
    /// `[panels]`.
    bias: Vec<Row>,
}

impl Packed {
    /// Packs `[inputs, outputs]` weights, row by row.
    pub(crate) fn new(inputs: usize, outputs: usize, weights: &[f32], bias: &[f32]) -> Self {
        let mut packed = Self::default();
        packed.pack(inputs, outputs, weights);
        for (row, bias) in packed.bias.iter_mut().zip(bias.chunks(PANEL)) {
            row.0[..bias.len()].copy_from_slice(bias);
        }
        packed
    }

    /// Packs other weights, without biases, reusing the memory.
    pub(crate) fn pack(&mut self, inputs: usize, outputs: usize, weights: &[f32]) {
        self.clear(inputs, outputs);
        // In the order of the weights, which come from beyond the caches.
        for (input, weights) in weights.chunks_exact(outputs).enumerate() {
            for (panel, weights) in weights.chunks(PANEL).enumerate() {
                let row = &mut self.rows[panel * inputs + input].0;
                match weights.first_chunk() {
                    Some(weights) => *row = *weights,
                    None => row[..weights.len()].copy_from_slice(weights),
                }
            }
        }
    }

    /// Packs the transpose of `[inputs, outputs]` weights, the matrix from
    /// outputs to inputs.
    pub(crate) fn pack_transposed(&mut self, inputs: usize, outputs: usize, weights: &[f32]) {
        self.clear(outputs, inputs);
        let panels = self.rows.chunks_exact_mut(outputs);
        for (panel, weights) in panels.zip(weights.chunks(outputs * PANEL)) {
            // By a line of each row, so that the rows written stay in the L1 cache.
            for (number, rows) in panel.chunks_mut(PANEL / 2).enumerate() {
                for (lane, weights) in weights.chunks_exact(outputs).enumerate() {
                    let weights = &weights[number * (PANEL / 2)..];
                    for (row, &weight) in rows.iter_mut().zip(weights) {
                        row.0[lane] = weight;
                    }
                }
            }
        }
    }

    fn clear(&mut self, inputs: usize, outputs: usize) {
        let panels = outputs.div_ceil(PANEL);
        self.inputs = inputs;
        // Packing overwrites everything but the padding lanes, so old contents
        // are cleared only if there is padding.
        if self.rows.len() != panels * inputs || !outputs.is_multiple_of(PANEL) {
            self.rows.clear();
        }
        self.rows.resize(panels * inputs, Row::default());
        self.bias.clear();
        self.bias.resize(panels, Row::default());
    }

    pub(crate) fn inputs(&self) -> usize {
        self.inputs
    }

    pub(crate) fn panels(&self) -> usize {
        self.bias.len()
    }

    /// Returns the rows of a panel and of all panels after it.
    #[inline]
    pub(crate) fn rows_from(&self, panel: usize) -> &[Row] {
        &self.rows[panel * self.inputs..]
    }

    /// Returns the biases, `[panels]`.
    pub(crate) fn biases(&self) -> &[Row] {
        &self.bias
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_are_viewed_in_order() {
        let rows = [Row([1.0; PANEL]), Row([2.0; PANEL])];
        assert_eq!(flat(&rows)[..PANEL], [1.0; PANEL]);
        assert_eq!(flat(&rows)[PANEL..], [2.0; PANEL]);
        assert!(flat(&[]).is_empty());
    }

    #[test]
    fn both_packings_contain_every_weight() {
        let (inputs, outputs) = (37, 70);
        let weights: Vec<f32> = (0..inputs * outputs).map(|at| at as f32).collect();
        let packed = Packed::new(inputs, outputs, &weights, &[1.0; 70]);
        let mut transposed = Packed::default();
        transposed.pack_transposed(inputs, outputs, &weights);
        for input in 0..inputs {
            for output in 0..outputs {
                let weight = weights[input * outputs + output];
                assert_eq!(packed.rows_from(output / PANEL)[input].0[output % PANEL], weight);
                assert_eq!(transposed.rows_from(input / PANEL)[output].0[input % PANEL], weight);
            }
        }
        assert_eq!((packed.panels(), packed.inputs(), transposed.panels()), (3, 37, 2));
        assert_eq!((packed.biases()[2].0[5], packed.biases()[2].0[6]), (1.0, 0.0));
        assert_eq!(packed.rows_from(2)[3].0[6..], [0.0; 26]);
    }
}
