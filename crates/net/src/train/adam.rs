//! Adam with decoupled weight decay.

use super::{TrainOptions, finite};
use crate::NetError;
use crate::kernel::{Kind, Machine, Work};
use crate::network::Dense;

/// Keeps the division by the root of a mean square from exploding.
const EPSILON: f32 = 1e-8;

/// What the optimizer remembers of the gradients so far.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Moments {
    pub(crate) steps: u64,
    /// Mean gradients.
    pub(crate) first: Vec<Dense>,
    /// Mean squared gradients.
    pub(crate) second: Vec<Dense>,
}

impl Moments {
    pub(crate) fn new(layers: &[Dense]) -> Self {
        let zeroed = || layers.iter().map(Dense::zeroed).collect();
        Self { steps: 0, first: zeroed(), second: zeroed() }
    }

    /// The length of a gradient.
    pub(super) fn length(&self, kind: Kind, gradient: &[Dense]) -> Result<f32, NetError> {
        let squares: f64 = gradient
            .iter()
            .flat_map(|layer| [&layer.weights, &layer.bias])
            .map(|numbers| kind.run(Squares(numbers)))
            .sum();
        let length = squares.sqrt() as f32;
        finite("the length of the gradient", length)?;
        Ok(length)
    }

    /// Moves the weights down `gradient`, which is `length` long.
    pub(super) fn step(
        &mut self,
        kind: Kind,
        options: &TrainOptions,
        length: f32,
        gradient: &[Dense],
        layers: &mut [Dense],
    ) {
        self.steps += 1;
        let steps = self.steps.min(1 << 30) as i32;
        let pace = Pace {
            cut: if length > options.clip { options.clip / length } else { 1.0 },
            momentum: options.momentum,
            smoothing: options.smoothing,
            // Means of few gradients are too small by these factors.
            rate: options.learning_rate / (1.0 - options.momentum.powi(steps)),
            correction: 1.0 / (1.0 - options.smoothing.powi(steps)),
            shrink: 1.0 - options.learning_rate * options.decay,
        };
        let moments = self.first.iter_mut().zip(&mut self.second);
        for ((layer, gradient), (first, second)) in layers.iter_mut().zip(gradient).zip(moments) {
            kind.run(Update {
                pace,
                gradient: &gradient.weights,
                first: &mut first.weights,
                second: &mut second.weights,
                weights: &mut layer.weights,
            });
            kind.run(Update {
                pace: Pace { shrink: 1.0, ..pace },
                gradient: &gradient.bias,
                first: &mut first.bias,
                second: &mut second.bias,
                weights: &mut layer.bias,
            });
        }
    }
}

/// What weight decay minimizes.
pub(super) fn decay_loss(layers: &[Dense], decay: f32) -> f32 {
    let kind = Kind::detect();
    let squares: f64 = layers.iter().map(|layer| kind.run(Squares(&layer.weights))).sum();
    (0.5 * f64::from(decay) * squares) as f32
}

/// The sum of squares, in the same order on every machine.
struct Squares<'a>(&'a [f32]);

impl Work for Squares<'_> {
    type Out = f64;

    #[inline(always)]
    fn run<M: Machine>(self) -> f64 {
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

#[derive(Clone, Copy)]
struct Pace {
    cut: f32,
    momentum: f32,
    smoothing: f32,
    rate: f32,
    correction: f32,
    shrink: f32,
}

/// One step of some weights.
struct Update<'a> {
    pace: Pace,
    gradient: &'a [f32],
    first: &'a mut [f32],
    second: &'a mut [f32],
    weights: &'a mut [f32],
}

impl Work for Update<'_> {
    type Out = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        let Pace { cut, momentum, smoothing, rate, correction, shrink } = self.pace;
        let moments = self.first.iter_mut().zip(self.second.iter_mut());
        let numbers = self.weights.iter_mut().zip(self.gradient).zip(moments);
        for ((weight, &gradient), (first, second)) in numbers {
            let gradient = gradient * cut;
            *first = momentum * *first + (1.0 - momentum) * gradient;
            *second = smoothing * *second + (1.0 - smoothing) * gradient * gradient;
            let spread = (*second * correction).sqrt() + EPSILON;
            *weight = *weight * shrink - rate * *first / spread;
        }
    }
}
