//! Networks compiled for inference: packed weights, in `f32` or `int8`.
//!
//! Batches run dense products over packed panels; a single row runs sparse
//! products that skip zero inputs. Both give the same results bit by bit.

use std::sync::Arc;

use crate::encode::{BadCell, Encoder, Nonzero};
use crate::kernel::{
    Accumulators, Bf16Row, Int8Rows, Isa, Kernel, PANEL, Packed, PackedInt8, Quantized, Routine,
    Row, Rows, Strided, multiply, multiply_int8, multiply_int8_row, multiply_sparse, nonzeros,
    padded, quantize,
};
use crate::network::{Dense, Network};
use crate::shape::Signature;

/// The numeric precision of inference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// `f32` weights, as trained: predictions equal [`Network::predict`].
    #[default]
    Float,
    /// `int8` quantization, per output channel for weights and per row for
    /// activations: several times as fast, with nearly the same outputs.
    Int8,
}

/// The packed weights of a network, shared by all predictors.
#[derive(Debug)]
struct Compiled {
    signature: Signature,
    encoder: Encoder,
    isa: Isa,
    blocks: usize,
    /// Width of the widest activation row, padding included.
    widest: usize,
    /// The input layer, from sparse features to the trunk.
    input: Input,
    /// `[width]`.
    input_bias: Vec<f32>,
    /// The layers after the input layer, in the order of [`Network::layers`].
    layers: Vec<Linear>,
}

/// The input layer in either precision.
#[derive(Debug)]
enum Input {
    Float(Rows<Row>),
    Bf16(Rows<Bf16Row>),
}

/// A layer in either precision, packed for batches and for single rows.
#[derive(Debug)]
enum Linear {
    Float(Packed, Rows<Row>),
    Int8(PackedInt8, Int8Rows),
}

/// Runs a compiled network; clone it for each thread, clones share the weights.
///
/// Once the largest batch has been seen, prediction allocates nothing.
#[derive(Clone, Debug)]
pub struct Predictor {
    network: Arc<Compiled>,
    scratch: Scratch,
}

/// Scratch buffers for features and activations, reused between batches.
#[derive(Clone, Debug, Default)]
struct Scratch {
    features: Vec<Nonzero>,
    /// `[rows]`, the end of each row's features in `features`.
    ends: Vec<usize>,
    sparse: Vec<Nonzero>,
    sums: Vec<Row>,
    integers: Vec<Accumulators>,
    indices: Vec<u32>,
    quantized: Quantized,
    trunk: Vec<f32>,
    inner: Vec<f32>,
    outer: Vec<f32>,
}

impl Network {
    /// Compiles the current weights for fast inference.
    #[must_use]
    pub fn compile(&self, precision: Precision) -> Predictor {
        self.compile_for(Isa::detect(), precision)
    }

    pub(crate) fn compile_for(&self, isa: Isa, precision: Precision) -> Predictor {
        let layers = self.layers();
        let last = layers.len() - 1;
        let linear = |(at, layer): (usize, &Dense)| {
            let Dense { inputs, outputs, weights, bias } = layer;
            match precision {
                // The last layer of the value head is small, so it stays in `f32`.
                Precision::Int8 if at != last => Linear::Int8(
                    PackedInt8::new(*inputs, *outputs, weights, bias),
                    Int8Rows::new(isa, *outputs, weights),
                ),
                _ => Linear::Float(
                    Packed::new(*inputs, *outputs, weights, bias),
                    Rows::new(*outputs, weights),
                ),
            }
        };
        let first = &layers[0];
        let network = Compiled {
            signature: self.signature().clone(),
            encoder: self.encoder().clone(),
            isa,
            blocks: self.shape().blocks,
            widest: layers.iter().map(|layer| padded(layer.outputs)).max().unwrap_or(0),
            input: match precision {
                Precision::Float => Input::Float(Rows::new(first.outputs, &first.weights)),
                Precision::Int8 => Input::Bf16(Rows::new(first.outputs, &first.weights)),
            },
            input_bias: first.bias.clone(),
            layers: layers.iter().enumerate().skip(1).map(linear).collect(),
        };
        Predictor { network: Arc::new(network), scratch: Scratch::default() }
    }
}

impl Predictor {
    /// Returns the signature of the network: game, inputs and outputs.
    #[must_use]
    pub fn signature(&self) -> &Signature {
        &self.network.signature
    }

    /// Evaluates one observation: writes `[seats]` values from -1 to 1, the
    /// observer's first, and `[actions]` logits.
    ///
    /// # Panics
    ///
    /// Panics when a buffer has the wrong length, or the observation does not
    /// fit the game's layout.
    pub fn predict(&mut self, observation: &[i32], values: &mut [f32], logits: &mut [f32]) {
        assert_eq!(values.len(), self.network.signature.seats, "one value per seat");
        self.predict_batch(observation, values, logits);
    }

    /// Evaluates a batch: from `[rows, cells]` observations to `[rows, seats]`
    /// values and `[rows, actions]` logits, row by row.
    ///
    /// # Panics
    ///
    /// Panics when the lengths of the buffers do not fit, or an observation does
    /// not fit the game's layout.
    pub fn predict_batch(&mut self, observations: &[i32], values: &mut [f32], logits: &mut [f32]) {
        let signature = &self.network.signature;
        let rows = values.len() / signature.seats;
        assert_eq!(values.len(), rows * signature.seats, "one value per seat");
        assert_eq!(observations.len(), rows * signature.cells, "{} cells per row", signature.cells);
        assert_eq!(logits.len(), rows * signature.actions, "{} logits per row", signature.actions);
        if rows == 0 {
            return;
        }
        let scratch = &mut self.scratch;
        scratch.features.clear();
        scratch.ends.clear();
        for (row, observation) in observations.chunks_exact(signature.cells).enumerate() {
            if let Err(bad) = self.network.encoder.encode(observation, &mut scratch.features) {
                let BadCell { cell, value, size } = bad;
                panic!(
                    "row {row}, cell {cell}: {value}, expected a category from 0 to {}",
                    size - 1
                );
            }
            scratch.ends.push(scratch.features.len());
        }
        self.network.forward(scratch, values, logits);
    }
}

impl Compiled {
    /// Runs the forward pass of a batch.
    fn forward(&self, scratch: &mut Scratch, values: &mut [f32], logits: &mut [f32]) {
        let rows = scratch.ends.len();
        let Scratch {
            features,
            ends,
            sparse,
            sums,
            integers,
            indices,
            quantized,
            trunk,
            inner,
            outer,
        } = scratch;
        for buffer in [&mut *trunk, &mut *inner, &mut *outer] {
            if buffer.len() < rows * self.widest {
                buffer.resize(rows * self.widest, 0.0);
            }
        }
        if sparse.len() < self.widest {
            sparse.resize(self.widest, Nonzero::default());
        }
        let bias = &self.input_bias;
        let input = &self.input;
        self.isa.run(InputLayer { input, bias, features, ends, sums, out: trunk });
        let mut single = Single { sparse, sums, integers, indices };
        let mut apply = |layer, inputs: &[f32], residual: Option<&[f32]>, relu, out: &mut [f32]| {
            let (single, quantized) = (&mut single, &mut *quantized);
            let layer = Layer { rows, layer, inputs, residual, relu, out, single, quantized };
            self.isa.run(layer);
        };
        let (blocks, heads) = self.layers.split_at(2 * self.blocks);
        for block in blocks.chunks_exact(2) {
            apply(&block[0], trunk, None, true, inner);
            apply(&block[1], inner, Some(trunk), true, outer);
            std::mem::swap(trunk, outer);
        }
        let [bottleneck, policy, hidden, value] = heads else {
            unreachable!("four layers follow the trunk")
        };
        apply(bottleneck, trunk, None, true, inner);
        apply(policy, inner, None, false, outer);
        unpad(outer, self.signature.actions, logits);
        apply(hidden, inner, None, true, trunk);
        apply(value, trunk, None, false, outer);
        unpad(outer, self.signature.seats, values);
        values.iter_mut().for_each(|value| *value = value.tanh());
    }
}

/// Copies the first `count` numbers of each padded row.
fn unpad(from: &[f32], count: usize, to: &mut [f32]) {
    for (from, to) in from.chunks_exact(padded(count)).zip(to.chunks_exact_mut(count)) {
        to.copy_from_slice(&from[..count]);
    }
}

/// The input layer, from sparse features.
struct InputLayer<'a> {
    input: &'a Input,
    bias: &'a [f32],
    features: &'a [Nonzero],
    ends: &'a [usize],
    sums: &'a mut Vec<Row>,
    out: &'a mut [f32],
}

impl Routine for InputLayer<'_> {
    type Out = ();

    #[inline(always)]
    fn run<K: Kernel>(self) {
        let Self { input, bias, features, ends, sums, out } = self;
        let width = padded(bias.len());
        let mut start = 0;
        for (out, &end) in out.chunks_exact_mut(width).zip(ends) {
            match input {
                Input::Float(rows) => multiply_sparse::<K, Row>(&features[start..end], rows, sums),
                Input::Bf16(rows) => {
                    multiply_sparse::<K, Bf16Row>(&features[start..end], rows, sums)
                }
            }
            let sums = sums.iter().flat_map(|sums| &sums.0);
            for ((out, sum), bias) in out.iter_mut().zip(sums).zip(bias) {
                let output = sum + bias;
                *out = if output > 0.0 { output } else { 0.0 };
            }
            out[bias.len()..].fill(0.0);
            start = end;
        }
    }
}

/// Scratch buffers for the sparse products of a single row.
struct Single<'a> {
    sparse: &'a mut [Nonzero],
    sums: &'a mut Vec<Row>,
    integers: &'a mut Vec<Accumulators>,
    indices: &'a mut Vec<u32>,
}

/// One layer of a batch: product, bias, optional `residual`, optional ReLU.
struct Layer<'a, 'b> {
    rows: usize,
    layer: &'a Linear,
    inputs: &'a [f32],
    residual: Option<&'a [f32]>,
    relu: bool,
    out: &'a mut [f32],
    single: &'a mut Single<'b>,
    quantized: &'a mut Quantized,
}

impl Routine for Layer<'_, '_> {
    type Out = ();

    #[inline(always)]
    fn run<K: Kernel>(self) {
        let Self { rows, layer, inputs, residual, relu, out, single, quantized } = self;
        match layer {
            Linear::Float(weights, by_row) => {
                let width = weights.width();
                let mut finish = |row: usize, panel: usize, sums: &Row| {
                    let residual = residual.map(|all| &all[row * width..]);
                    let out = &mut out[row * width..];
                    epilogue(out, panel, sums, weights.bias(panel), residual, relu);
                };
                if rows == 1 {
                    let inputs = nonzeros(&inputs[..weights.inputs()], single.sparse);
                    multiply_sparse::<K, Row>(inputs, by_row, single.sums);
                    for (panel, sums) in single.sums.iter().enumerate() {
                        finish(0, panel, sums);
                    }
                } else {
                    let inputs = Strided::rows(inputs, rows, padded(weights.inputs()));
                    multiply::<K>(inputs, weights, finish);
                }
            }
            Linear::Int8(weights, by_row) => {
                let width = weights.width();
                let mut finish = |row: usize, panel: usize, sums: &Row| {
                    let residual = residual.map(|all| &all[row * width..]);
                    let out = &mut out[row * width..];
                    epilogue(out, panel, sums, weights.bias(panel), residual, relu);
                };
                quantize(&inputs[..rows * weights.inputs()], weights.inputs(), quantized);
                if rows == 1 {
                    let Single { integers, indices, .. } = single;
                    multiply_int8_row::<K>(quantized, by_row, integers, indices, |panel, sums| {
                        finish(0, panel, sums);
                    });
                } else {
                    multiply_int8::<K>(quantized, weights, finish);
                }
            }
        }
    }
}

/// The epilogue of a product, for one panel: bias, residual, ReLU, in this order.
#[inline(always)]
fn epilogue(
    out: &mut [f32],
    panel: usize,
    sums: &Row,
    bias: &Row,
    residual: Option<&[f32]>,
    relu: bool,
) {
    let out = &mut out[panel * PANEL..][..PANEL];
    for (out, (sum, bias)) in out.iter_mut().zip(sums.0.iter().zip(&bias.0)) {
        *out = sum + bias;
    }
    if let Some(residual) = residual {
        let residual = &residual[panel * PANEL..][..PANEL];
        out.iter_mut().zip(residual).for_each(|(out, input)| *out += input);
    }
    if relu {
        out.iter_mut().for_each(|out| *out = if *out > 0.0 { *out } else { 0.0 });
    }
}
