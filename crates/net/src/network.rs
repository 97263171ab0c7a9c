//! The network: its weights, and the reference forward pass.

use meeple_game::{GameInfo, ObservationSpec};
use meeple_rng::Rng;

use crate::NetError;
use crate::encode::Encoder;
use crate::shape::{Shape, Signature};

/// A fully connected layer: inputs times weights, plus bias.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Dense {
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    /// `[inputs, outputs]`, row by row.
    pub(crate) weights: Vec<f32>,
    /// `[outputs]`.
    pub(crate) bias: Vec<f32>,
}

impl Dense {
    /// Initializes weights by He uniform initialization, times `gain`, and
    /// biases by 0.
    ///
    /// He, Zhang, Ren, Sun 2015, "Delving Deep into Rectifiers": the bound
    /// `sqrt(6 / inputs)` keeps the variance of activations through a ReLU.
    fn he_uniform(inputs: usize, outputs: usize, gain: f32, rng: &mut Rng) -> Self {
        let bound = gain * (6.0 / inputs as f32).sqrt();
        let weights =
            (0..inputs * outputs).map(|_| (rng.unit() as f32 * 2.0 - 1.0) * bound).collect();
        Self { inputs, outputs, weights, bias: vec![0.0; outputs] }
    }

    /// Returns a layer of the same shape, all 0.
    pub(crate) fn zeroed(&self) -> Self {
        let (weights, bias) = (vec![0.0; self.weights.len()], vec![0.0; self.bias.len()]);
        Self { inputs: self.inputs, outputs: self.outputs, weights, bias }
    }

    fn apply(&self, inputs: &[f32]) -> Vec<f32> {
        let mut outputs = vec![0.0f32; self.outputs];
        for (&input, row) in inputs.iter().zip(self.weights.chunks_exact(self.outputs)) {
            for (output, weight) in outputs.iter_mut().zip(row) {
                *output = weight.mul_add(input, *output);
            }
        }
        outputs.iter_mut().zip(&self.bias).for_each(|(output, bias)| *output += bias);
        outputs
    }
}

/// A policy-value network for one game, with trainable weights.
///
/// For fast inference, [compile](Network::compile) it.
#[derive(Clone, Debug)]
pub struct Network {
    signature: Signature,
    shape: Shape,
    spec: &'static ObservationSpec,
    encoder: Encoder,
    layers: Vec<Dense>,
}

impl Network {
    /// Creates a network for up to `seats` players of the game that `info`
    /// describes, with weights initialized from `seed`.
    ///
    /// # Errors
    ///
    /// When a size is out of range, or the game does not allow `seats` players.
    pub fn new(info: &GameInfo, shape: Shape, seats: usize, seed: u64) -> Result<Self, NetError> {
        Self::with_signature(Signature::of(info, seats)?, info.observation, shape, seed)
    }

    pub(crate) fn with_signature(
        signature: Signature,
        spec: &'static ObservationSpec,
        shape: Shape,
        seed: u64,
    ) -> Result<Self, NetError> {
        shape.check()?;
        let mut rng = Rng::new(seed);
        let Shape { width, blocks, bottleneck, value_hidden } = shape;
        let mut layers = vec![Dense::he_uniform(signature.features, width, 1.0, &mut rng)];
        for _ in 0..blocks {
            layers.push(Dense::he_uniform(width, width, 1.0, &mut rng));
            // Zero initialization makes each block the identity at first, so
            // that deep trunks train without normalization.
            layers.push(Dense::he_uniform(width, width, 0.0, &mut rng));
        }
        layers.push(Dense::he_uniform(width, bottleneck, 1.0, &mut rng));
        // Small output weights: heads start near a uniform policy and values of 0.
        layers.push(Dense::he_uniform(bottleneck, signature.actions, 0.1, &mut rng));
        layers.push(Dense::he_uniform(bottleneck, value_hidden, 1.0, &mut rng));
        layers.push(Dense::he_uniform(value_hidden, signature.seats, 0.1, &mut rng));
        Ok(Self { encoder: Encoder::new(spec), signature, shape, spec, layers })
    }

    /// Returns the signature of the network: game, inputs and outputs.
    #[must_use]
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Returns the layer sizes.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the number of weights and biases.
    #[must_use]
    pub fn parameters(&self) -> usize {
        self.layers.iter().map(|layer| layer.weights.len() + layer.bias.len()).sum()
    }

    pub(crate) fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// All layers in order: input, two for each residual block, bottleneck,
    /// policy head, hidden layer of the value head, value head.
    pub(crate) fn layers(&self) -> &[Dense] {
        &self.layers
    }

    pub(crate) fn layers_mut(&mut self) -> &mut [Dense] {
        &mut self.layers
    }

    /// Returns the name of each layer in checkpoint and ONNX files.
    pub(crate) fn layer_names(&self) -> Vec<String> {
        let blocks = (0..self.shape.blocks)
            .flat_map(|block| [format!("block{block}.first"), format!("block{block}.second")]);
        let heads = ["neck", "policy", "value.hidden", "value"].map(str::to_owned);
        std::iter::once("input".to_owned()).chain(blocks).chain(heads).collect()
    }

    /// Evaluates one observation by the reference forward pass, which compiled
    /// networks are tested against.
    ///
    /// Writes `[seats]` values from -1 to 1, the observer's first, and
    /// `[actions]` logits.
    ///
    /// # Panics
    ///
    /// Panics when a buffer has the wrong length, or the observation does not
    /// fit the game's layout.
    pub fn predict(&self, observation: &[i32], values: &mut [f32], logits: &mut [f32]) {
        let mut features = vec![0.0; self.spec.features()];
        self.spec.normalize(observation, &mut features);
        let relu = |mut outputs: Vec<f32>| -> Vec<f32> {
            outputs.iter_mut().for_each(|output| *output = output.max(0.0));
            outputs
        };
        let heads = 1 + 2 * self.shape.blocks;
        let mut trunk = relu(self.layers[0].apply(&features));
        for block in self.layers[1..heads].chunks_exact(2) {
            let inner = relu(block[0].apply(&trunk));
            let mut outer = block[1].apply(&inner);
            outer.iter_mut().zip(&trunk).for_each(|(output, input)| *output += input);
            trunk = relu(outer);
        }
        let bottleneck = relu(self.layers[heads].apply(&trunk));
        logits.copy_from_slice(&self.layers[heads + 1].apply(&bottleneck));
        let hidden = relu(self.layers[heads + 2].apply(&bottleneck));
        let outputs = self.layers[heads + 3].apply(&hidden);
        assert_eq!(values.len(), outputs.len(), "expected room for {} values", outputs.len());
        values.iter_mut().zip(outputs).for_each(|(value, output)| *value = output.tanh());
    }

    /// Copies the weights to another network of the same signature and shape.
    ///
    /// # Errors
    ///
    /// When the signatures or the shapes differ.
    pub fn copy_weights_to(&self, other: &mut Self) -> Result<(), NetError> {
        if let Some((what, expected, got)) = self.signature.difference(&other.signature) {
            return Err(NetError::Mismatch { what, expected, got });
        }
        if self.shape != other.shape {
            let (expected, got) = (format!("{:?}", self.shape), format!("{:?}", other.shape));
            return Err(NetError::Mismatch { what: "shape", expected, got });
        }
        for (from, to) in self.layers.iter().zip(&mut other.layers) {
            to.weights.copy_from_slice(&from.weights);
            to.bias.copy_from_slice(&from.bias);
        }
        Ok(())
    }
}
