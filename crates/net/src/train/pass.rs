//! The forward pass of a batch, and backpropagation.

use super::Losses;
use super::loss::differentiate;
use crate::NetError;
use crate::batch::Batch;
use crate::encode::Nonzero;
use crate::kernel::{
    Epilogue, Isa, Kernel, PANEL, Packed, Routine, Row, Rows, Strided, multiply, multiply_sparse,
};
use crate::network::{Dense, Network};

/// Scratch buffers for activations and gradients, reused between batches.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// The sparse features; none if they are dense.
    features: Vec<Nonzero>,
    /// `[examples]`, the end of each example's features in `features`.
    ends: Vec<usize>,
    /// `[examples, features]`, the dense features; empty if they are sparse.
    dense: Vec<f32>,
    /// `[layers][examples, outputs]`, the outputs of each layer, after its ReLU.
    outputs: Vec<Vec<f32>>,
    /// Gradients of the loss by layer outputs.
    slopes: [Vec<f32>; 3],
    packed: Packed,
    rows: Rows<Row>,
    sums: Vec<Row>,
}

impl Scratch {
    /// Encodes the observations of a batch as features, dense or sparse; both give
    /// the same results bit by bit.
    pub(super) fn encode(
        &mut self,
        network: &Network,
        batch: &Batch,
        is_dense: bool,
    ) -> Result<(), NetError> {
        self.features.clear();
        self.ends.clear();
        self.dense.clear();
        let cells = network.encoder().cells();
        for (example, observation) in batch.observations.chunks_exact(cells).enumerate() {
            let encoded = if is_dense {
                network.encoder().encode_dense(observation, &mut self.dense)
            } else {
                network.encoder().encode(observation, &mut self.features)
            };
            encoded.map_err(|bad| NetError::BadExample {
                example,
                reason: format!(
                    "cell {} is {}, expected a category from 0 to {}",
                    bad.cell,
                    bad.value,
                    bad.size - 1
                ),
            })?;
            self.ends.push(self.features.len());
        }
        Ok(())
    }

    fn features_of(&self, example: usize) -> &[Nonzero] {
        let start = example.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.features[start..self.ends[example]]
    }
}

/// The forward pass of one batch and, if there is a buffer for the gradient, the
/// backward pass.
pub(super) struct Pass<'a> {
    pub(super) network: &'a Network,
    pub(super) batch: &'a Batch,
    pub(super) value_share: f32,
    pub(super) scratch: &'a mut Scratch,
    pub(super) gradient: Option<&'a mut Vec<Dense>>,
    pub(super) isa: Isa,
}

impl Pass<'_> {
    pub(super) fn run(mut self) -> Losses {
        self.forward();
        let heads = self.heads();
        let (before, values) = self.scratch.outputs.split_at_mut(heads + 3);
        let losses =
            differentiate(self.batch, self.value_share, &mut before[heads + 1], &mut values[0]);
        if let Some(gradient) = self.gradient.take()
            && losses.policy.is_finite()
            && losses.value.is_finite()
        {
            self.backward(gradient);
        }
        losses
    }

    /// Returns the index of the bottleneck layer, which the heads follow.
    fn heads(&self) -> usize {
        1 + 2 * self.network.shape().blocks
    }

    fn forward(&mut self) {
        let heads = self.heads();
        self.scratch.outputs.resize(heads + 4, Vec::new());
        self.input();
        for first in (1..heads).step_by(2) {
            self.layer(first, first - 1, None, true);
            self.layer(first + 1, first, Some(first - 1), true);
        }
        self.layer(heads, heads - 1, None, true);
        self.layer(heads + 1, heads, None, false);
        self.layer(heads + 2, heads, None, true);
        self.layer(heads + 3, heads + 2, None, false);
    }

    /// Runs the input layer.
    fn input(&mut self) {
        let layer = &self.network.layers()[0];
        if !self.scratch.dense.is_empty() {
            let dense = std::mem::take(&mut self.scratch.dense);
            self.product(0, &dense, None, true);
            self.scratch.dense = dense;
            return;
        }
        self.scratch.rows.pack(layer.outputs, &layer.weights);
        let mut out = std::mem::take(&mut self.scratch.outputs[0]);
        let mut sums = std::mem::take(&mut self.scratch.sums);
        out.resize(self.batch.len() * layer.outputs, 0.0);
        for (example, out) in out.chunks_exact_mut(layer.outputs).enumerate() {
            let features = self.scratch.features_of(example);
            self.isa.run(SparseProduct { features, weights: &self.scratch.rows, sums: &mut sums });
            let sums = sums.iter().flat_map(|sums| &sums.0);
            out.iter_mut().zip(sums).for_each(|(out, &sum)| *out = sum);
            epilogue(out, &layer.bias, None, true);
        }
        self.scratch.outputs[0] = out;
        self.scratch.sums = sums;
    }

    /// Runs layer `number` on the outputs of layer `from`.
    fn layer(&mut self, number: usize, from: usize, residual: Option<usize>, relu: bool) {
        let inputs = std::mem::take(&mut self.scratch.outputs[from]);
        self.product(number, &inputs, residual, relu);
        self.scratch.outputs[from] = inputs;
    }

    /// Runs layer `number` on `inputs`, row by row.
    fn product(&mut self, number: usize, inputs: &[f32], residual: Option<usize>, relu: bool) {
        let layer = &self.network.layers()[number];
        let width = layer.outputs;
        self.scratch.packed.pack(layer.inputs, width, &layer.weights);
        let mut out = std::mem::take(&mut self.scratch.outputs[number]);
        out.resize(self.batch.len() * width, 0.0);
        let product = Product {
            inputs: Strided::rows(inputs, self.batch.len(), layer.inputs),
            weights: &self.scratch.packed,
            out: &mut out,
            width,
        };
        self.isa.run(product);
        for (example, out) in out.chunks_exact_mut(width).enumerate() {
            let residual =
                residual.map(|from| &self.scratch.outputs[from][example * width..][..width]);
            epilogue(out, &layer.bias, residual, relu);
        }
        self.scratch.outputs[number] = out;
    }

    fn backward(&mut self, gradient: &mut [Dense]) {
        let heads = self.heads();
        let [mut trunk, mut inner, mut spare] = std::mem::take(&mut self.scratch.slopes);
        let values = std::mem::take(&mut self.scratch.outputs[heads + 3]);
        self.layer_backward(heads + 3, heads + 2, &values, gradient, &mut inner);
        self.relu_backward(heads + 2, &mut inner);
        self.scratch.outputs[heads + 3] = values;
        self.layer_backward(heads + 2, heads, &inner, gradient, &mut trunk);
        let logits = std::mem::take(&mut self.scratch.outputs[heads + 1]);
        self.layer_backward(heads + 1, heads, &logits, gradient, &mut spare);
        self.scratch.outputs[heads + 1] = logits;
        add(&mut trunk, &spare);
        self.relu_backward(heads, &mut trunk);
        self.layer_backward(heads, heads - 1, &trunk, gradient, &mut spare);
        std::mem::swap(&mut trunk, &mut spare);
        for first in (1..heads).step_by(2).rev() {
            self.relu_backward(first + 1, &mut trunk);
            self.layer_backward(first + 1, first, &trunk, gradient, &mut inner);
            self.relu_backward(first, &mut inner);
            self.layer_backward(first, first - 1, &inner, gradient, &mut spare);
            add(&mut trunk, &spare);
        }
        self.relu_backward(0, &mut trunk);
        self.input_backward(&trunk, &mut gradient[0]);
        self.scratch.slopes = [trunk, inner, spare];
    }

    /// Backpropagates through a ReLU: the gradient is 0 where its output was 0.
    fn relu_backward(&self, number: usize, slopes: &mut [f32]) {
        for (slope, &output) in slopes.iter_mut().zip(&self.scratch.outputs[number]) {
            *slope = if output > 0.0 { *slope } else { 0.0 };
        }
    }

    /// Backpropagates through layer `number`: from the gradient by its outputs,
    /// `slopes`, to the gradient by its weights and, in `out`, by its inputs,
    /// the outputs of layer `from`.
    fn layer_backward(
        &mut self,
        number: usize,
        from: usize,
        slopes: &[f32],
        gradient: &mut [Dense],
        out: &mut Vec<f32>,
    ) {
        let count = self.batch.len();
        let layer = &self.network.layers()[number];
        let (inputs, outputs) = (layer.inputs, layer.outputs);
        let gradient = &mut gradient[number];
        bias_backward(slopes, &mut gradient.bias);
        let packed = &mut self.scratch.packed;
        packed.pack(count, outputs, slopes);
        // Weights: transposed activations times slopes.
        let activations = Strided::columns(&self.scratch.outputs[from], inputs, inputs);
        let out_weights = &mut gradient.weights;
        let product =
            Product { inputs: activations, weights: packed, out: out_weights, width: outputs };
        self.isa.run(product);
        // Inputs: slopes times transposed weights.
        packed.pack_transposed(inputs, outputs, &layer.weights);
        out.resize(count * inputs, 0.0);
        let slopes = Strided::rows(slopes, count, outputs);
        let product = Product { inputs: slopes, weights: packed, out, width: inputs };
        self.isa.run(product);
    }

    /// Computes the gradient by the input layer's weights.
    fn input_backward(&mut self, slopes: &[f32], gradient: &mut Dense) {
        bias_backward(slopes, &mut gradient.bias);
        let Dense { inputs, outputs: width, .. } = *gradient;
        if !self.scratch.dense.is_empty() {
            let Scratch { packed, dense, .. } = &mut *self.scratch;
            packed.pack(self.batch.len(), width, slopes);
            let inputs = Strided::columns(dense, inputs, inputs);
            let product = Product { inputs, weights: packed, out: &mut gradient.weights, width };
            self.isa.run(product);
            return;
        }
        gradient.weights.fill(0.0);
        for (example, slopes) in slopes.chunks_exact(width).enumerate() {
            let features = self.scratch.features_of(example);
            self.isa.run(OuterProduct { features, slopes, out: &mut gradient.weights });
        }
    }
}

/// A dense product, written to rows of `width`.
struct Product<'a> {
    inputs: Strided<'a>,
    weights: &'a Packed,
    out: &'a mut [f32],
    width: usize,
}

impl Routine for Product<'_> {
    type Out = ();

    #[inline(always)]
    fn run<K: Kernel>(self) {
        let Self { inputs, weights, out, width } = self;
        multiply::<K>(inputs, weights, Write { out, width });
    }
}

/// Writes sums to rows of `width`; the last panel of a row may be partial.
struct Write<'a> {
    out: &'a mut [f32],
    width: usize,
}

impl Epilogue for Write<'_> {
    #[inline(always)]
    fn finish(&mut self, row: usize, panel: usize, sums: &Row) {
        let row = &mut self.out[row * self.width..][..self.width];
        let out = &mut row[panel * PANEL..];
        match out.first_chunk_mut::<PANEL>() {
            Some(out) => *out = sums.0,
            None => out.copy_from_slice(&sums.0[..out.len()]),
        }
    }
}

/// A product of one example's sparse features.
struct SparseProduct<'a> {
    features: &'a [Nonzero],
    weights: &'a Rows<Row>,
    sums: &'a mut Vec<Row>,
}

impl Routine for SparseProduct<'_> {
    type Out = ();

    #[inline(always)]
    fn run<K: Kernel>(self) {
        multiply_sparse::<K, Row>(self.features, self.weights, self.sums);
    }
}

/// The outer product of one example's features and slopes, added to `out`.
struct OuterProduct<'a> {
    features: &'a [Nonzero],
    slopes: &'a [f32],
    out: &'a mut [f32],
}

impl Routine for OuterProduct<'_> {
    type Out = ();

    #[inline(always)]
    fn run<K: Kernel>(self) {
        let width = self.slopes.len();
        for feature in self.features {
            let row = &mut self.out[feature.index as usize * width..][..width];
            for (sum, slope) in row.iter_mut().zip(self.slopes) {
                *sum = slope.mul_add(feature.value, *sum);
            }
        }
    }
}

/// The epilogue of a product: bias, residual, ReLU.
fn epilogue(row: &mut [f32], bias: &[f32], residual: Option<&[f32]>, relu: bool) {
    add(row, bias);
    if let Some(residual) = residual {
        add(row, residual);
    }
    if relu {
        // NaN passes through, unlike with `f32::max`, so that the loss becomes
        // NaN and divergence is detected.
        row.iter_mut().for_each(|out| *out = if *out < 0.0 { 0.0 } else { *out });
    }
}

fn add(to: &mut [f32], from: &[f32]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
}

fn bias_backward(slopes: &[f32], gradient: &mut [f32]) {
    gradient.fill(0.0);
    for row in slopes.chunks_exact(gradient.len()) {
        add(gradient, row);
    }
}
