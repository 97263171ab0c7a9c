//! The way of a batch through a network, and of its gradient back.

use super::Losses;
use super::loss::differentiate;
use crate::NetError;
use crate::batch::Batch;
use crate::encode::Nonzero;
use crate::kernel::{
    Kind, Machine, PANEL, Packed, Row, Rows, Strided, Work, multiply, multiply_sparse,
};
use crate::network::{Dense, Network};

/// Room for what lies between the layers, kept from batch to batch.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    features: Vec<Nonzero>,
    /// Where the features of each example end.
    ends: Vec<usize>,
    /// `[layers][examples, outputs]`, what each layer said.
    outputs: Vec<Vec<f32>>,
    /// Gradients of what layers said.
    slopes: [Vec<f32>; 3],
    packed: Packed,
    rows: Rows<Row>,
    sums: Vec<Row>,
}

impl Room {
    /// Reads the observations of a batch.
    pub(super) fn encode(&mut self, network: &Network, batch: &Batch) -> Result<(), NetError> {
        self.features.clear();
        self.ends.clear();
        let cells = network.encoder().cells();
        for (example, observation) in batch.observations.chunks_exact(cells).enumerate() {
            let encoded = network.encoder().encode(observation, &mut self.features);
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

/// One batch, there and, if there is room for a gradient, back.
pub(super) struct Pass<'a> {
    pub(super) network: &'a Network,
    pub(super) batch: &'a Batch,
    pub(super) value_share: f32,
    pub(super) room: &'a mut Room,
    pub(super) gradient: Option<&'a mut Vec<Dense>>,
    pub(super) kind: Kind,
}

impl Pass<'_> {
    pub(super) fn run(mut self) -> Losses {
        self.forward();
        let heads = self.heads();
        let (before, values) = self.room.outputs.split_at_mut(heads + 3);
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

    /// The number of the neck, after which the heads come.
    fn heads(&self) -> usize {
        1 + 2 * self.network.shape().blocks
    }

    fn forward(&mut self) {
        let heads = self.heads();
        self.room.outputs.resize(heads + 4, Vec::new());
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

    /// The first layer, from features.
    fn input(&mut self) {
        let layer = &self.network.layers()[0];
        self.room.rows.pack(layer.outputs, &layer.weights);
        let mut out = std::mem::take(&mut self.room.outputs[0]);
        let mut sums = std::mem::take(&mut self.room.sums);
        out.resize(self.batch.len() * layer.outputs, 0.0);
        for (example, out) in out.chunks_exact_mut(layer.outputs).enumerate() {
            let features = self.room.features_of(example);
            self.kind.run(SparseProduct { features, weights: &self.room.rows, sums: &mut sums });
            let sums = sums.iter().flat_map(|sums| &sums.0);
            out.iter_mut().zip(sums).for_each(|(out, &sum)| *out = sum);
            close(out, &layer.bias, None, true);
        }
        self.room.outputs[0] = out;
        self.room.sums = sums;
    }

    /// What layer `number` makes of what layer `from` said.
    fn layer(&mut self, number: usize, from: usize, residual: Option<usize>, rectify: bool) {
        let layer = &self.network.layers()[number];
        let width = layer.outputs;
        self.room.packed.pack(layer.inputs, width, &layer.weights);
        let mut out = std::mem::take(&mut self.room.outputs[number]);
        out.resize(self.batch.len() * width, 0.0);
        let inputs = &self.room.outputs[from];
        self.kind.run(Product {
            inputs: Strided::rows(inputs, self.batch.len(), layer.inputs),
            weights: &self.room.packed,
            out: &mut out,
            width,
        });
        for (example, out) in out.chunks_exact_mut(width).enumerate() {
            let residual =
                residual.map(|from| &self.room.outputs[from][example * width..][..width]);
            close(out, &layer.bias, residual, rectify);
        }
        self.room.outputs[number] = out;
    }

    fn backward(&mut self, gradient: &mut [Dense]) {
        let heads = self.heads();
        let [mut trunk, mut inner, mut spare] = std::mem::take(&mut self.room.slopes);
        let values = std::mem::take(&mut self.room.outputs[heads + 3]);
        self.layer_back(heads + 3, heads + 2, &values, gradient, &mut inner);
        self.rectify_back(heads + 2, &mut inner);
        self.room.outputs[heads + 3] = values;
        self.layer_back(heads + 2, heads, &inner, gradient, &mut trunk);
        let logits = std::mem::take(&mut self.room.outputs[heads + 1]);
        self.layer_back(heads + 1, heads, &logits, gradient, &mut spare);
        self.room.outputs[heads + 1] = logits;
        add(&mut trunk, &spare);
        self.rectify_back(heads, &mut trunk);
        self.layer_back(heads, heads - 1, &trunk, gradient, &mut spare);
        std::mem::swap(&mut trunk, &mut spare);
        for first in (1..heads).step_by(2).rev() {
            self.rectify_back(first + 1, &mut trunk);
            self.layer_back(first + 1, first, &trunk, gradient, &mut inner);
            self.rectify_back(first, &mut inner);
            self.layer_back(first, first - 1, &inner, gradient, &mut spare);
            add(&mut trunk, &spare);
        }
        self.rectify_back(0, &mut trunk);
        self.input_back(&trunk, &mut gradient[0]);
        self.room.slopes = [trunk, inner, spare];
    }

    /// Nothing passes where nothing was let through.
    fn rectify_back(&self, number: usize, slopes: &mut [f32]) {
        for (slope, &said) in slopes.iter_mut().zip(&self.room.outputs[number]) {
            *slope = if said > 0.0 { *slope } else { 0.0 };
        }
    }

    /// From the gradient of what layer `number` said to that of its weights,
    /// and of what layer `from` said to it.
    fn layer_back(
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
        bias_back(slopes, &mut gradient.bias);
        let packed = &mut self.room.packed;
        packed.pack(count, outputs, slopes);
        let said = Strided::columns(&self.room.outputs[from], inputs, inputs);
        let out_weights = &mut gradient.weights;
        self.kind.run(Product { inputs: said, weights: packed, out: out_weights, width: outputs });
        packed.pack_transposed(inputs, outputs, &layer.weights);
        out.resize(count * inputs, 0.0);
        let slopes = Strided::rows(slopes, count, outputs);
        self.kind.run(Product { inputs: slopes, weights: packed, out, width: inputs });
    }

    /// The gradient of the first layer's weights.
    fn input_back(&self, slopes: &[f32], gradient: &mut Dense) {
        bias_back(slopes, &mut gradient.bias);
        gradient.weights.fill(0.0);
        let width = gradient.outputs;
        for (example, slopes) in slopes.chunks_exact(width).enumerate() {
            let features = self.room.features_of(example);
            self.kind.run(OuterProduct { features, slopes, out: &mut gradient.weights });
        }
    }
}

/// A product, written to rows of `width`.
struct Product<'a> {
    inputs: Strided<'a>,
    weights: &'a Packed,
    out: &'a mut [f32],
    width: usize,
}

impl Work for Product<'_> {
    type Out = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        let Self { inputs, weights, out, width } = self;
        multiply::<M>(inputs, weights, |row, panel, sums| {
            write(&mut out[row * width..][..width], panel, sums);
        });
    }
}

/// A product of one example's features.
struct SparseProduct<'a> {
    features: &'a [Nonzero],
    weights: &'a Rows<Row>,
    sums: &'a mut Vec<Row>,
}

impl Work for SparseProduct<'_> {
    type Out = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        multiply_sparse::<M, Row>(self.features, self.weights, self.sums);
    }
}

/// Every product of a feature and a slope of one example, added to `out`.
struct OuterProduct<'a> {
    features: &'a [Nonzero],
    slopes: &'a [f32],
    out: &'a mut [f32],
}

impl Work for OuterProduct<'_> {
    type Out = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        let width = self.slopes.len();
        for feature in self.features {
            let row = &mut self.out[feature.index as usize * width..][..width];
            for (sum, slope) in row.iter_mut().zip(self.slopes) {
                *sum = slope.mul_add(feature.value, *sum);
            }
        }
    }
}

/// Writes a panel of a row; the last one may be cut short.
#[inline(always)]
fn write(row: &mut [f32], panel: usize, sums: &Row) {
    let out = &mut row[panel * PANEL..];
    match out.first_chunk_mut::<PANEL>() {
        Some(out) => *out = sums.0,
        None => out.copy_from_slice(&sums.0[..out.len()]),
    }
}

/// Adds bias and residual, and rectifies if asked.
fn close(row: &mut [f32], bias: &[f32], residual: Option<&[f32]>, rectify: bool) {
    add(row, bias);
    if let Some(residual) = residual {
        add(row, residual);
    }
    if rectify {
        // What is no number stays so, for the loss to show it.
        row.iter_mut().for_each(|out| *out = if *out < 0.0 { 0.0 } else { *out });
    }
}

fn add(to: &mut [f32], from: &[f32]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
}

fn bias_back(slopes: &[f32], gradient: &mut [f32]) {
    gradient.fill(0.0);
    for row in slopes.chunks_exact(gradient.len()) {
        add(gradient, row);
    }
}
