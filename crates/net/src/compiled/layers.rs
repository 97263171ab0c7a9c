//! The layers of a compiled network: packed weights, products and epilogues.

use super::Precision;
use crate::encode::Nonzero;
use crate::kernel::{
    Accumulators, Bf16Row, Epilogue, Int8Rows, Isa, Kernel, PANEL, Packed, PackedInt8, Quantized,
    Routine, Row, Rows, Strided, flat, multiply, multiply_int8, multiply_int8_row, multiply_sparse,
    nonzeros, padded, quantize, round_to_bf16,
};
use crate::network::Dense;

/// The input layer, from features to the trunk: `f32` sums in either precision.
#[derive(Debug)]
pub(super) struct Input {
    /// For rows whose features are mostly 0.
    sparse: Sparse,
    /// For batches whose features are mostly not 0.
    dense: Packed,
}

/// Weights of the input layer row by row; with `int8`, single rows read `bf16`.
#[derive(Debug)]
enum Sparse {
    Float(Rows<Row>),
    Bf16(Rows<Bf16Row>),
}

/// A layer in either precision, packed for batches and for single rows.
#[derive(Debug)]
pub(super) enum Linear {
    Float(Packed, Rows<Row>),
    Int8(PackedInt8, Int8Rows),
}

impl Input {
    pub(super) fn new(layer: &Dense, precision: Precision) -> Self {
        let Dense { inputs, outputs, weights, bias } = layer;
        match precision {
            Precision::Float => Self {
                sparse: Sparse::Float(Rows::new(*outputs, weights)),
                dense: Packed::new(*inputs, *outputs, weights, bias),
            },
            Precision::Int8 => {
                let rounded: Vec<f32> = weights.iter().copied().map(round_to_bf16).collect();
                Self {
                    sparse: Sparse::Bf16(Rows::new(*outputs, weights)),
                    dense: Packed::new(*inputs, *outputs, &rounded, bias),
                }
            }
        }
    }
}

impl Linear {
    /// Packs a layer that is not the input layer.
    pub(super) fn new(isa: Isa, layer: &Dense, precision: Precision) -> Self {
        let Dense { inputs, outputs, weights, bias } = layer;
        match precision {
            Precision::Float => Self::Float(
                Packed::new(*inputs, *outputs, weights, bias),
                Rows::new(*outputs, weights),
            ),
            Precision::Int8 => Self::Int8(
                PackedInt8::new(*inputs, *outputs, weights, bias),
                Int8Rows::new(isa, *outputs, weights),
            ),
        }
    }
}

/// The input layer.
pub(super) struct InputLayer<'a> {
    pub(super) input: &'a Input,
    pub(super) features: &'a [Nonzero],
    pub(super) ends: &'a [usize],
    pub(super) dense: &'a [f32],
    pub(super) sums: &'a mut Vec<Row>,
    pub(super) out: &'a mut [Row],
}

impl Routine for InputLayer<'_> {
    type Out = ();

    #[inline(always)]
    fn run<K: Kernel>(self) {
        let Self { input, features, ends, dense, sums, out } = self;
        let weights = &input.dense;
        let (rows, inputs) = (ends.len(), weights.inputs());
        let mut finish = Finish { bias: weights.biases(), residual: None, relu: true, out };
        if !dense.is_empty() {
            multiply::<K>(Strided::rows(dense, rows, inputs), weights, finish);
            return;
        }
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let ranges = starts.zip(ends).map(|(start, &end)| start..end);
        for (row, range) in ranges.enumerate() {
            match &input.sparse {
                Sparse::Float(rows) => multiply_sparse::<K, Row>(&features[range], rows, sums),
                Sparse::Bf16(rows) => multiply_sparse::<K, Bf16Row>(&features[range], rows, sums),
            }
            for (panel, sums) in sums.iter().enumerate() {
                finish.finish(row, panel, sums);
            }
        }
    }
}

/// Scratch buffers for the sparse products of a single row.
pub(super) struct Single<'a> {
    pub(super) sparse: &'a mut [Nonzero],
    pub(super) sums: &'a mut Vec<Row>,
    pub(super) integers: &'a mut Vec<Accumulators>,
    pub(super) indices: &'a mut Vec<u32>,
}

/// One layer of a batch: product, bias, optional `residual`, optional ReLU.
pub(super) struct Layer<'a, 'b> {
    pub(super) rows: usize,
    pub(super) layer: &'a Linear,
    pub(super) inputs: &'a [Row],
    pub(super) residual: Option<&'a [Row]>,
    pub(super) relu: bool,
    pub(super) out: &'a mut [Row],
    pub(super) single: &'a mut Single<'b>,
    pub(super) quantized: &'a mut Quantized,
}

impl Routine for Layer<'_, '_> {
    type Out = ();

    #[inline(always)]
    fn run<K: Kernel>(self) {
        let Self { rows, layer, inputs, residual, relu, out, single, quantized } = self;
        match layer {
            Linear::Float(weights, by_row) => {
                let mut finish = Finish { bias: weights.biases(), residual, relu, out };
                let inputs = flat(inputs);
                if rows == 1 {
                    let inputs = nonzeros(&inputs[..weights.inputs()], single.sparse);
                    multiply_sparse::<K, Row>(inputs, by_row, single.sums);
                    for (panel, sums) in single.sums.iter().enumerate() {
                        finish.finish(0, panel, sums);
                    }
                } else {
                    let inputs = Strided::rows(inputs, rows, padded(weights.inputs()));
                    multiply::<K>(inputs, weights, finish);
                }
            }
            Linear::Int8(weights, by_row) => {
                let finish = Finish { bias: weights.biases(), residual, relu, out };
                let panels = weights.inputs() / PANEL;
                quantize::<K>(&inputs[..rows * panels], panels, quantized);
                if rows == 1 {
                    let Single { integers, indices, .. } = single;
                    multiply_int8_row::<K>(quantized, by_row, integers, indices, finish);
                } else {
                    multiply_int8::<K>(quantized, weights, finish);
                }
            }
        }
    }
}

/// The epilogue of a layer: bias, residual, ReLU, in this order.
struct Finish<'a> {
    /// `[panels]`.
    bias: &'a [Row],
    /// `[rows, panels]`, as `out`.
    residual: Option<&'a [Row]>,
    relu: bool,
    out: &'a mut [Row],
}

impl Epilogue for Finish<'_> {
    #[inline(always)]
    fn finish(&mut self, row: usize, panel: usize, sums: &Row) {
        let at = row * self.bias.len() + panel;
        let mut out = *sums;
        out.0.iter_mut().zip(&self.bias[panel].0).for_each(|(out, bias)| *out += bias);
        if let Some(residual) = self.residual {
            out.0.iter_mut().zip(&residual[at].0).for_each(|(out, input)| *out += input);
        }
        if self.relu {
            out.0.iter_mut().for_each(|out| *out = if *out > 0.0 { *out } else { 0.0 });
        }
        self.out[at] = out;
    }
}
