//! Networks compiled for inference: packed weights, in `f32` or `int8`.
//!
//! Batches run dense products over packed panels; a single row, and the input
//! layer of a batch with few nonzero features, run sparse products that skip zero
//! inputs. Both give the same results bit by bit.

mod layers;

use std::sync::Arc;

use crate::encode::{BadCell, Encoder, Nonzero};
use crate::kernel::{Accumulators, Isa, PANEL, Quantized, Row, flat, padded};
use crate::network::{Dense, Network};
use crate::shape::Signature;
use layers::{Input, InputLayer, Layer, Linear, Single};

/// Rows that pass through all layers together: their activations stay in the L2
/// cache, and weights from beyond it are read once for all of them.
const MAX_ROWS: usize = 64;

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
    /// Panels of the widest activation row.
    widest: usize,
    input: Input,
    /// The layers after the input layer, in the order of [`Network::layers`].
    layers: Vec<Linear>,
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
    /// The sparse features; none if they are dense.
    features: Vec<Nonzero>,
    /// `[rows]`, the end of each row's features in `features`.
    ends: Vec<usize>,
    /// `[rows, features]`, the dense features; empty if they are sparse.
    dense: Vec<f32>,
    sparse: Vec<Nonzero>,
    sums: Vec<Row>,
    integers: Vec<Accumulators>,
    indices: Vec<u32>,
    quantized: Quantized,
    /// `[rows, panels]` each.
    trunk: Vec<Row>,
    inner: Vec<Row>,
    outer: Vec<Row>,
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
            // The last layer of the value head is small, so it stays in `f32`.
            let precision = if at == last { Precision::Float } else { precision };
            Linear::new(isa, layer, precision)
        };
        let network = Compiled {
            signature: self.signature().clone(),
            encoder: self.encoder().clone(),
            isa,
            blocks: self.shape().blocks,
            widest: layers.iter().map(|layer| layer.outputs.div_ceil(PANEL)).max().unwrap_or(0),
            input: Input::new(&layers[0], precision),
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
        let blocks = observations.chunks(MAX_ROWS * signature.cells);
        let values = values.chunks_mut(MAX_ROWS * signature.seats);
        let logits = logits.chunks_mut(MAX_ROWS * signature.actions);
        let scratch = &mut self.scratch;
        for (number, ((observations, values), logits)) in blocks.zip(values).zip(logits).enumerate()
        {
            if let Err((row, bad)) = self.network.encode(observations, scratch) {
                let BadCell { cell, value, size } = bad;
                let row = number * MAX_ROWS + row;
                panic!(
                    "row {row}, cell {cell}: {value}, expected a category from 0 to {}",
                    size - 1
                );
            }
            self.network.forward(scratch, values, logits);
        }
    }
}

impl Compiled {
    /// Encodes observations as features, dense or sparse; an error also says in
    /// which row it is.
    fn encode(&self, observations: &[i32], scratch: &mut Scratch) -> Result<(), (usize, BadCell)> {
        let Scratch { features, ends, dense, .. } = scratch;
        features.clear();
        ends.clear();
        dense.clear();
        let cells = self.encoder.cells();
        // A row of weights costs a sparse product about twice what it costs a
        // dense product, which reads it once for many rows.
        let is_dense = observations.len() > cells && self.encoder.is_dense(observations);
        for (row, observation) in observations.chunks_exact(cells).enumerate() {
            let encoded = if is_dense {
                self.encoder.encode_dense(observation, dense)
            } else {
                self.encoder.encode(observation, features)
            };
            encoded.map_err(|bad| (row, bad))?;
            ends.push(features.len());
        }
        Ok(())
    }

    /// Runs the forward pass of at most [`MAX_ROWS`] rows.
    fn forward(&self, scratch: &mut Scratch, values: &mut [f32], logits: &mut [f32]) {
        let rows = scratch.ends.len();
        let Scratch {
            features,
            ends,
            dense,
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
                buffer.resize(rows * self.widest, Row::default());
            }
        }
        if sparse.len() < self.widest * PANEL {
            sparse.resize(self.widest * PANEL, Nonzero::default());
        }
        self.isa.run(InputLayer { input: &self.input, features, ends, dense, sums, out: trunk });
        let mut single = Single { sparse, sums, integers, indices };
        let mut apply = |layer, inputs: &[Row], residual: Option<&[Row]>, relu, out: &mut [Row]| {
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
fn unpad(from: &[Row], count: usize, to: &mut [f32]) {
    for (from, to) in flat(from).chunks_exact(padded(count)).zip(to.chunks_exact_mut(count)) {
        to.copy_from_slice(&from[..count]);
    }
}

#[cfg(test)]
mod tests {
    use meeple_game::{Field, ObservationSpec};
    use meeple_rng::Rng;

    use super::*;
    use crate::shape::Shape;

    static SPEC: ObservationSpec = ObservationSpec::new(
        1,
        &[Field::count("chips", 9).min(-9).times(37), Field::category("card", 3).times(5)],
    );

    /// Draws observations of which `share` of the counts are not 0.
    fn observations(rows: usize, share: f64) -> Vec<i32> {
        let mut rng = Rng::new(6);
        let mut draw = |at: usize| match at % SPEC.len() {
            0..37 if rng.unit() < share => rng.below(9) as i32 - 9,
            0..37 => 0,
            _ => rng.below(3) as i32,
        };
        (0..rows * SPEC.len()).map(&mut draw).collect()
    }

    #[test]
    fn all_instruction_sets_batches_and_densities_agree_bit_by_bit() {
        let rows = 2 * MAX_ROWS + 3;
        let shape = Shape { width: 70, blocks: 1, bottleneck: 45, value_hidden: 17 };
        let signature = Signature::new("check", &SPEC, 40, 3);
        let mut network = Network::with_signature(signature, &SPEC, shape, 7).unwrap();
        let mut rng = Rng::new(8);
        for layer in network.layers_mut() {
            for weight in layer.weights.iter_mut().chain(&mut layer.bias) {
                *weight += 0.2 * (rng.unit() as f32 - 0.5);
            }
        }
        for (precision, share) in
            [Precision::Float, Precision::Int8].into_iter().flat_map(|p| [(p, 0.1), (p, 1.0)])
        {
            let observations = observations(rows, share);
            let predict = |isa: Isa, size: usize| {
                let mut predictor = network.compile_for(isa, precision);
                let (mut values, mut logits) = (vec![9.0; rows * 3], vec![9.0; rows * 40]);
                let batches = observations.chunks(size * SPEC.len());
                let outputs = values.chunks_mut(size * 3).zip(logits.chunks_mut(size * 40));
                for (observations, (values, logits)) in batches.zip(outputs) {
                    predictor.predict_batch(observations, values, logits);
                }
                (values, logits)
            };
            let plain = predict(Isa::Portable, 1);
            for isa in Isa::all() {
                for size in [1, 2, 7, 64, rows] {
                    let found = predict(isa, size);
                    assert!(found == plain, "{isa:?}, {precision:?}, {size} rows, {share}");
                }
            }
        }
    }
}
