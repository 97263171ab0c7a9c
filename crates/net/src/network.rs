//! A network: its weights, and the plain way to ask it.

use meeple_game::{Game, ObservationSpec};
use meeple_rng::Rng;

use crate::NetError;
use crate::encode::Encoder;
use crate::shape::{Purpose, Shape};

/// A layer: outputs are inputs times weights, and a bias.
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
    /// Weights of the spread that lets a rectifier keep the size of signals,
    /// times `gain`; no bias.
    fn draw(inputs: usize, outputs: usize, gain: f32, rng: &mut Rng) -> Self {
        let spread = gain * (6.0 / inputs as f32).sqrt();
        let weights =
            (0..inputs * outputs).map(|_| (rng.unit() as f32 * 2.0 - 1.0) * spread).collect();
        Self { inputs, outputs, weights, bias: vec![0.0; outputs] }
    }

    /// The same layer with nothing in it.
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

/// A network for one game, with weights that can be trained.
///
/// To ask it many questions, [compile](Network::compile) it.
#[derive(Clone, Debug)]
pub struct Network {
    purpose: Purpose,
    shape: Shape,
    spec: &'static ObservationSpec,
    encoder: Encoder,
    layers: Vec<Dense>,
}

impl Network {
    /// A network for tables of up to `seats` players, with weights drawn from
    /// `seed`.
    ///
    /// # Errors
    ///
    /// When a size makes no sense, or the game has no such table.
    pub fn new<G: Game>(shape: Shape, seats: usize, seed: u64) -> Result<Self, NetError> {
        Self::for_purpose(Purpose::of::<G>(seats)?, G::observation(), shape, seed)
    }

    pub(crate) fn for_purpose(
        purpose: Purpose,
        spec: &'static ObservationSpec,
        shape: Shape,
        seed: u64,
    ) -> Result<Self, NetError> {
        shape.check()?;
        let mut rng = Rng::new(seed);
        let Shape { width, blocks, neck, value } = shape;
        let mut layers = vec![Dense::draw(purpose.features, width, 1.0, &mut rng)];
        for _ in 0..blocks {
            layers.push(Dense::draw(width, width, 1.0, &mut rng));
            // A block starts by changing nothing, so that depth costs nothing
            // at first and no normalization is needed.
            layers.push(Dense::draw(width, width, 0.0, &mut rng));
        }
        layers.push(Dense::draw(width, neck, 1.0, &mut rng));
        // Heads start near "all actions alike, and nobody ahead".
        layers.push(Dense::draw(neck, purpose.actions, 0.1, &mut rng));
        layers.push(Dense::draw(neck, value, 1.0, &mut rng));
        layers.push(Dense::draw(value, purpose.seats, 0.1, &mut rng));
        Ok(Self { encoder: Encoder::new(spec), purpose, shape, spec, layers })
    }

    /// What the network is for.
    #[must_use]
    pub fn purpose(&self) -> &Purpose {
        &self.purpose
    }

    /// How wide and how deep it is.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The number of weights and biases.
    #[must_use]
    pub fn parameters(&self) -> usize {
        self.layers.iter().map(|layer| layer.weights.len() + layer.bias.len()).sum()
    }

    pub(crate) fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// All layers: the input, two for each block, the neck, the policy, the
    /// hidden one of the values, the values.
    pub(crate) fn layers(&self) -> &[Dense] {
        &self.layers
    }

    pub(crate) fn layers_mut(&mut self) -> &mut [Dense] {
        &mut self.layers
    }

    /// The name of each layer in files.
    pub(crate) fn layer_names(&self) -> Vec<String> {
        let blocks = (0..self.shape.blocks)
            .flat_map(|block| [format!("block{block}.first"), format!("block{block}.second")]);
        let heads = ["neck", "policy", "value.hidden", "value"].map(str::to_owned);
        std::iter::once("input".to_owned()).chain(blocks).chain(heads).collect()
    }

    /// Judges one observation in the plainest way: the reference that the
    /// compiled forms are tested against.
    ///
    /// Writes `[seats]` values from -1 to 1, the observer's first, and
    /// `[actions]` logits.
    ///
    /// # Panics
    ///
    /// Panics when a buffer has another length, or the observation is not one
    /// of the game's.
    pub fn predict(&self, observation: &[i32], values: &mut [f32], logits: &mut [f32]) {
        let mut features = vec![0.0; self.spec.features()];
        self.spec.normalize(observation, &mut features);
        let rectified = |mut outputs: Vec<f32>| -> Vec<f32> {
            outputs.iter_mut().for_each(|output| *output = output.max(0.0));
            outputs
        };
        let blocks = 1 + 2 * self.shape.blocks;
        let mut trunk = rectified(self.layers[0].apply(&features));
        for block in self.layers[1..blocks].chunks_exact(2) {
            let inner = rectified(block[0].apply(&trunk));
            let mut outer = block[1].apply(&inner);
            outer.iter_mut().zip(&trunk).for_each(|(output, input)| *output += input);
            trunk = rectified(outer);
        }
        let neck = rectified(self.layers[blocks].apply(&trunk));
        logits.copy_from_slice(&self.layers[blocks + 1].apply(&neck));
        let hidden = rectified(self.layers[blocks + 2].apply(&neck));
        let outputs = self.layers[blocks + 3].apply(&hidden);
        assert_eq!(values.len(), outputs.len(), "there are {} values", outputs.len());
        values.iter_mut().zip(outputs).for_each(|(value, output)| *value = output.tanh());
    }

    /// Gives another network of the same form these weights.
    ///
    /// # Errors
    ///
    /// When the other one is for something else or of another shape.
    pub fn copy_weights_to(&self, other: &mut Self) -> Result<(), NetError> {
        if let Some((what, expected, got)) = self.purpose.difference(&other.purpose) {
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
