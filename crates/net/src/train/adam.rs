//! AdamW: Adam with decoupled weight decay.
//!
//! Kingma, Ba 2015, "Adam: A Method for Stochastic Optimization"; Loshchilov,
//! Hutter 2019, "Decoupled Weight Decay Regularization".

use super::{TrainOptions, finite};
use crate::NetError;
use crate::kernel::{Isa, Kernel, Routine};
use crate::network::Dense;

/// Adam's ε, which keeps the division by the root of the second moment bounded.
const EPSILON: f32 = 1e-8;

/// The optimizer state: exponential moving averages of the gradients.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Moments {
    pub(crate) steps: u64,
    /// First moments, averages of the gradients.
    pub(crate) first: Vec<Dense>,
    /// Second moments, averages of the squared gradients.
    pub(crate) second: Vec<Dense>,
}

impl Moments {
    pub(crate) fn new(layers: &[Dense]) -> Self {
        let zeroed = || layers.iter().map(Dense::zeroed).collect();
        Self { steps: 0, first: zeroed(), second: zeroed() }
    }

    /// Returns the L2 norm of a gradient.
    pub(super) fn norm(&self, isa: Isa, gradient: &[Dense]) -> Result<f32, NetError> {
        let squares: f64 = gradient
            .iter()
            .flat_map(|layer| [&layer.weights, &layer.bias])
            .map(|numbers| isa.run(Squares(numbers)))
            .sum();
        let norm = squares.sqrt() as f32;
        finite("the gradient norm", norm)?;
        Ok(norm)
    }

    /// Makes one step of gradient descent; `norm` is the norm of `gradient`.
    pub(super) fn step(
        &mut self,
        isa: Isa,
        options: &TrainOptions,
        norm: f32,
        gradient: &[Dense],
        layers: &mut [Dense],
    ) {
        self.steps += 1;
        let steps = self.steps.min(1 << 30) as i32;
        let factors = Factors {
            clip: if norm > options.clip { options.clip / norm } else { 1.0 },
            beta1: options.momentum,
            beta2: options.smoothing,
            // Bias correction: the averages start at 0.
            rate: options.learning_rate / (1.0 - options.momentum.powi(steps)),
            correction: 1.0 / (1.0 - options.smoothing.powi(steps)),
            decay: 1.0 - options.learning_rate * options.decay,
        };
        let moments = self.first.iter_mut().zip(&mut self.second);
        for ((layer, gradient), (first, second)) in layers.iter_mut().zip(gradient).zip(moments) {
            isa.run(Update {
                factors,
                gradient: &gradient.weights,
                first: &mut first.weights,
                second: &mut second.weights,
                weights: &mut layer.weights,
            });
            isa.run(Update {
                factors: Factors { decay: 1.0, ..factors },
                gradient: &gradient.bias,
                first: &mut first.bias,
                second: &mut second.bias,
                weights: &mut layer.bias,
            });
        }
    }
}

/// Returns the L2 penalty that weight decay corresponds to.
pub(super) fn decay_loss(layers: &[Dense], decay: f32) -> f32 {
    let isa = Isa::detect();
    let squares: f64 = layers.iter().map(|layer| isa.run(Squares(&layer.weights))).sum();
    (0.5 * f64::from(decay) * squares) as f32
}

/// The sum of squares, in the same order on every instruction set.
struct Squares<'a>(&'a [f32]);

impl Routine for Squares<'_> {
    type Out = f64;

    #[inline(always)]
    fn run<K: Kernel>(self) -> f64 {
        let mut sums = [0.0f64; 16];
        let (chunks, rest) = self.0.as_chunks::<16>();
        for chunk in chunks {
            for (sum, &number) in sums.iter_mut().zip(chunk) {
                *sum += f64::from(number) * f64::from(number);
            }
        }
        let rest = rest.iter().map(|&number| f64::from(number) * f64::from(number));
        sums.into_iter().chain(rest).sum()
    }
}

/// The factors of one step, the same for all weights.
#[derive(Clone, Copy)]
struct Factors {
    /// Scales the gradient down to the maximum norm.
    clip: f32,
    beta1: f32,
    beta2: f32,
    /// The learning rate, with the bias correction of the first moment.
    rate: f32,
    /// The bias correction of the second moment.
    correction: f32,
    /// What weight decay multiplies the weights by.
    decay: f32,
}

/// One step of a slice of weights.
struct Update<'a> {
    factors: Factors,
    gradient: &'a [f32],
    first: &'a mut [f32],
    second: &'a mut [f32],
    weights: &'a mut [f32],
}

impl Routine for Update<'_> {
    type Out = ();

    #[inline(always)]
    fn run<K: Kernel>(self) {
        let Factors { clip, beta1, beta2, rate, correction, decay } = self.factors;
        let moments = self.first.iter_mut().zip(self.second.iter_mut());
        let numbers = self.weights.iter_mut().zip(self.gradient).zip(moments);
        for ((weight, &gradient), (first, second)) in numbers {
            let gradient = gradient * clip;
            *first = beta1 * *first + (1.0 - beta1) * gradient;
            *second = beta2 * *second + (1.0 - beta2) * gradient * gradient;
            let deviation = (*second * correction).sqrt() + EPSILON;
            *weight = *weight * decay - rate * *first / deviation;
        }
    }
}
