//! Networks compiled for prediction: weights packed, floats or bytes.

use std::sync::Arc;

use crate::encode::{Encoder, Nonzero};
use crate::kernel::{
    ByteRows, Half, Kind, Levels, Machine, PANEL, Packed, PackedBytes, Row, Rows, Strided, Sums,
    Work, multiply, multiply_byte_row, multiply_bytes, multiply_sparse, nonzeros, padded, quantize,
};
use crate::network::{Dense, Network};
use crate::shape::Purpose;

/// How weights are kept for prediction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// As they are trained: what is predicted equals [`Network::predict`].
    #[default]
    Float,
    /// Rounded to bytes: several times as fast, and nearly the same.
    Byte,
}

/// A network that can only predict, shared by all who ask.
#[derive(Debug)]
struct Compiled {
    purpose: Purpose,
    encoder: Encoder,
    kind: Kind,
    blocks: usize,
    /// Widest row between layers.
    widest: usize,
    /// From features, of which only some are not 0, to the trunk.
    input: Input,
    /// `[width]`.
    input_bias: Vec<f32>,
    /// The layers after it, as [`Network::layers`] has them.
    layers: Vec<Linear>,
}

/// The first layer in either form.
#[derive(Debug)]
enum Input {
    Float(Rows<Row>),
    Half(Rows<Half>),
}

/// A layer in either form, for batches and for single rows.
#[derive(Debug)]
enum Linear {
    Float(Packed, Rows<Row>),
    Byte(PackedBytes, ByteRows),
}

/// Asks a compiled network; make a copy for each thread, they share the weights.
///
/// Once the largest batch has been seen, predicting allocates nothing.
#[derive(Clone, Debug)]
pub struct Predictor {
    network: Arc<Compiled>,
    room: Room,
}

/// Room for what lies between the layers.
#[derive(Clone, Debug, Default)]
struct Room {
    features: Vec<Nonzero>,
    /// Where the features of each row end.
    ends: Vec<usize>,
    sparse: Vec<Nonzero>,
    sums: Vec<Row>,
    integers: Vec<Sums>,
    indices: Vec<u32>,
    levels: Levels,
    trunk: Vec<f32>,
    inner: Vec<f32>,
    outer: Vec<f32>,
}

impl Network {
    /// Makes a form of the network as it is now that predicts fast.
    #[must_use]
    pub fn compile(&self, precision: Precision) -> Predictor {
        self.compile_for(Kind::detect(), precision)
    }

    pub(crate) fn compile_for(&self, kind: Kind, precision: Precision) -> Predictor {
        let layers = self.layers();
        let last = layers.len() - 1;
        let linear = |(at, layer): (usize, &Dense)| {
            let Dense { inputs, outputs, weights, bias } = layer;
            match precision {
                // The values are few, so their weights stay as they are.
                Precision::Byte if at != last => Linear::Byte(
                    PackedBytes::new(*inputs, *outputs, weights, bias),
                    ByteRows::new(kind, *outputs, weights),
                ),
                _ => Linear::Float(
                    Packed::new(*inputs, *outputs, weights, bias),
                    Rows::new(*outputs, weights),
                ),
            }
        };
        let first = &layers[0];
        let network = Compiled {
            purpose: self.purpose().clone(),
            encoder: self.encoder().clone(),
            kind,
            blocks: self.shape().blocks,
            widest: layers.iter().map(|layer| padded(layer.outputs)).max().unwrap_or(0),
            input: match precision {
                Precision::Float => Input::Float(Rows::new(first.outputs, &first.weights)),
                Precision::Byte => Input::Half(Rows::new(first.outputs, &first.weights)),
            },
            input_bias: first.bias.clone(),
            layers: layers.iter().enumerate().skip(1).map(linear).collect(),
        };
        Predictor { network: Arc::new(network), room: Room::default() }
    }
}

impl Predictor {
    /// What the network is for.
    #[must_use]
    pub fn purpose(&self) -> &Purpose {
        &self.network.purpose
    }

    /// Judges one observation: writes `[seats]` values from -1 to 1, the
    /// observer's first, and `[actions]` logits.
    ///
    /// # Panics
    ///
    /// Panics when a buffer has another length, or the observation is not one
    /// of the game's.
    pub fn predict(&mut self, observation: &[i32], values: &mut [f32], logits: &mut [f32]) {
        assert_eq!(values.len(), self.network.purpose.seats, "one value a seat");
        self.predict_batch(observation, values, logits);
    }

    /// Judges many observations: from `[rows, cells]` to `[rows, seats]` values
    /// and `[rows, actions]` logits, row by row.
    ///
    /// # Panics
    ///
    /// Panics when the lengths of the buffers do not fit, or an observation is
    /// not one of the game's.
    pub fn predict_batch(&mut self, observations: &[i32], values: &mut [f32], logits: &mut [f32]) {
        let purpose = &self.network.purpose;
        let rows = values.len() / purpose.seats;
        assert_eq!(values.len(), rows * purpose.seats, "one value a seat");
        assert_eq!(observations.len(), rows * purpose.cells, "{} cells a row", purpose.cells);
        assert_eq!(logits.len(), rows * purpose.actions, "{} logits a row", purpose.actions);
        if rows == 0 {
            return;
        }
        let room = &mut self.room;
        room.features.clear();
        room.ends.clear();
        for (row, observation) in observations.chunks_exact(purpose.cells).enumerate() {
            if let Err(bad) = self.network.encoder.encode(observation, &mut room.features) {
                panic!("row {row}, cell {}: {} of a category of {}", bad.cell, bad.value, bad.size);
            }
            room.ends.push(room.features.len());
        }
        self.network.forward(room, values, logits);
    }
}

impl Compiled {
    /// The way of a batch through all layers.
    fn forward(&self, room: &mut Room, values: &mut [f32], logits: &mut [f32]) {
        let rows = room.ends.len();
        let Room { features, ends, sparse, sums, integers, indices, levels, trunk, inner, outer } =
            room;
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
        self.kind.run(First { input, bias, features, ends, sums, out: trunk });
        let mut single = Single { sparse, sums, integers, indices };
        let mut apply =
            |layer, inputs: &[f32], residual: Option<&[f32]>, rectify, out: &mut [f32]| {
                let (single, levels) = (&mut single, &mut *levels);
                let layer = Layer { rows, layer, inputs, residual, rectify, out, single, levels };
                self.kind.run(layer);
            };
        let (blocks, heads) = self.layers.split_at(2 * self.blocks);
        for block in blocks.chunks_exact(2) {
            apply(&block[0], trunk, None, true, inner);
            apply(&block[1], inner, Some(trunk), true, outer);
            std::mem::swap(trunk, outer);
        }
        let [neck, policy, hidden, value] = heads else { unreachable!("a network has two heads") };
        apply(neck, trunk, None, true, inner);
        apply(policy, inner, None, false, outer);
        take(outer, self.purpose.actions, logits);
        apply(hidden, inner, None, true, trunk);
        apply(value, trunk, None, false, outer);
        take(outer, self.purpose.seats, values);
        values.iter_mut().for_each(|value| *value = value.tanh());
    }
}

/// Copies the first `count` numbers of each row.
fn take(from: &[f32], count: usize, to: &mut [f32]) {
    for (from, to) in from.chunks_exact(padded(count)).zip(to.chunks_exact_mut(count)) {
        to.copy_from_slice(&from[..count]);
    }
}

/// The first layer, from features.
struct First<'a> {
    input: &'a Input,
    bias: &'a [f32],
    features: &'a [Nonzero],
    ends: &'a [usize],
    sums: &'a mut Vec<Row>,
    out: &'a mut [f32],
}

impl Work for First<'_> {
    type Out = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        let Self { input, bias, features, ends, sums, out } = self;
        let width = padded(bias.len());
        let mut start = 0;
        for (out, &end) in out.chunks_exact_mut(width).zip(ends) {
            match input {
                Input::Float(rows) => multiply_sparse::<M, Row>(&features[start..end], rows, sums),
                Input::Half(rows) => multiply_sparse::<M, Half>(&features[start..end], rows, sums),
            }
            let sums = sums.iter().flat_map(|sums| &sums.0);
            for ((out, sum), bias) in out.iter_mut().zip(sums).zip(bias) {
                let said = sum + bias;
                *out = if said > 0.0 { said } else { 0.0 };
            }
            out[bias.len()..].fill(0.0);
            start = end;
        }
    }
}

/// Room for the layers of a single row.
struct Single<'a> {
    sparse: &'a mut [Nonzero],
    sums: &'a mut Vec<Row>,
    integers: &'a mut Vec<Sums>,
    indices: &'a mut Vec<u32>,
}

/// A layer: multiplies, adds bias and `residual`, and rectifies if asked.
struct Layer<'a, 'b> {
    rows: usize,
    layer: &'a Linear,
    inputs: &'a [f32],
    residual: Option<&'a [f32]>,
    rectify: bool,
    out: &'a mut [f32],
    single: &'a mut Single<'b>,
    levels: &'a mut Levels,
}

impl Work for Layer<'_, '_> {
    type Out = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        let Self { rows, layer, inputs, residual, rectify, out, single, levels } = self;
        match layer {
            Linear::Float(weights, by_row) => {
                let width = weights.width();
                let mut finish = |row: usize, panel: usize, sums: &Row| {
                    let residual = residual.map(|all| &all[row * width..]);
                    let out = &mut out[row * width..];
                    close(out, panel, sums, weights.bias(panel), residual, rectify);
                };
                if rows == 1 {
                    let inputs = nonzeros(&inputs[..weights.inputs()], single.sparse);
                    multiply_sparse::<M, Row>(inputs, by_row, single.sums);
                    for (panel, sums) in single.sums.iter().enumerate() {
                        finish(0, panel, sums);
                    }
                } else {
                    let inputs = Strided::rows(inputs, rows, padded(weights.inputs()));
                    multiply::<M>(inputs, weights, finish);
                }
            }
            Linear::Byte(weights, by_row) => {
                let width = weights.width();
                let mut finish = |row: usize, panel: usize, sums: &Row| {
                    let residual = residual.map(|all| &all[row * width..]);
                    let out = &mut out[row * width..];
                    close(out, panel, sums, weights.bias(panel), residual, rectify);
                };
                quantize(&inputs[..rows * weights.inputs()], weights.inputs(), levels);
                if rows == 1 {
                    let Single { integers, indices, .. } = single;
                    multiply_byte_row::<M>(levels, by_row, integers, indices, |panel, sums| {
                        finish(0, panel, sums);
                    });
                } else {
                    multiply_bytes::<M>(levels, weights, finish);
                }
            }
        }
    }
}

/// What follows the sums of a panel: bias, residual, rectifier, in this order.
#[inline(always)]
fn close(
    out: &mut [f32],
    panel: usize,
    sums: &Row,
    bias: &Row,
    residual: Option<&[f32]>,
    rectify: bool,
) {
    let out = &mut out[panel * PANEL..][..PANEL];
    for (out, (sum, bias)) in out.iter_mut().zip(sums.0.iter().zip(&bias.0)) {
        *out = sum + bias;
    }
    if let Some(residual) = residual {
        let residual = &residual[panel * PANEL..][..PANEL];
        out.iter_mut().zip(residual).for_each(|(out, input)| *out += input);
    }
    if rectify {
        out.iter_mut().for_each(|out| *out = if *out > 0.0 { *out } else { 0.0 });
    }
}
