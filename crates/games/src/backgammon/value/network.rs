//! A network of one hidden layer over sparse inputs.

use meeple_game::Rng;

use super::inputs::Inputs;
use super::{Chances, OUTCOMES};

/// The slope of leaky units below 0.
const LEAK: f32 = 0.05;
/// Partial sums of the output layer. They are added in this order whatever the processor, so that
/// training gives the same weights everywhere.
const LANES: usize = 16;

/// A network with `HIDDEN` leaky units and a sigmoid output for each outcome.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layers<const HIDDEN: usize> {
    /// The weights of each input; the last row is the bias.
    inputs: Vec<[f32; HIDDEN]>,
    outputs: [[f32; HIDDEN]; OUTCOMES],
    biases: [f32; OUTCOMES],
}

impl<const HIDDEN: usize> Layers<HIDDEN> {
    /// A network with random weights and outputs near the usual frequency of each outcome.
    pub(super) fn random(inputs: usize, rng: &mut Rng) -> Self {
        const { assert!(HIDDEN.is_multiple_of(LANES)) };
        let mut uniform = |bound: f32| (2.0 * rng.unit() as f32 - 1.0) * bound;
        Self {
            inputs: (0..=inputs).map(|_| std::array::from_fn(|_| uniform(0.25))).collect(),
            outputs: std::array::from_fn(|_| std::array::from_fn(|_| uniform(0.1))),
            biases: [0.0, -1.0, -3.0, -1.0, -3.0],
        }
    }

    #[inline]
    fn hidden(&self, inputs: &Inputs) -> [f32; HIDDEN] {
        let mut sums = self.inputs[self.inputs.len() - 1];
        for (at, value) in inputs.iter() {
            for (sum, weight) in sums.iter_mut().zip(&self.inputs[at]) {
                *sum += value * weight;
            }
        }
        sums.map(|sum| sum.max(0.0) + LEAK * sum.min(0.0))
    }

    #[inline]
    fn output(&self, hidden: &[f32; HIDDEN]) -> [f32; OUTCOMES] {
        let mut outputs = self.biases;
        for (output, weights) in outputs.iter_mut().zip(&self.outputs) {
            let mut sums = [0.0; LANES];
            for (weights, units) in weights.chunks_exact(LANES).zip(hidden.chunks_exact(LANES)) {
                for ((sum, weight), unit) in sums.iter_mut().zip(weights).zip(units) {
                    *sum += weight * unit;
                }
            }
            *output = sigmoid(*output + sums.iter().sum::<f32>());
        }
        outputs
    }

    /// The probability of each outcome.
    #[inline]
    pub(super) fn evaluate(&self, inputs: &Inputs) -> Chances {
        Chances(self.output(&self.hidden(inputs)))
    }

    /// Takes one step of gradient descent on the cross entropy towards `target`. Outcomes that are
    /// not `possible` are left out.
    pub(super) fn learn(
        &mut self,
        inputs: &Inputs,
        target: &Chances,
        possible: &[bool; OUTCOMES],
        rate: f32,
    ) {
        let hidden = self.hidden(inputs);
        let found = self.output(&hidden);
        let mut steps = [0.0; HIDDEN];
        for outcome in (0..OUTCOMES).filter(|&outcome| possible[outcome]) {
            let step = (target.0[outcome] - found[outcome]) * rate;
            self.biases[outcome] += step;
            let weights = self.outputs[outcome].iter_mut().zip(&hidden);
            for ((weight, unit), hidden_step) in weights.zip(&mut steps) {
                *hidden_step += step * *weight;
                *weight += step * unit;
            }
        }
        for (step, unit) in steps.iter_mut().zip(&hidden) {
            *step *= if *unit > 0.0 { 1.0 } else { LEAK };
        }
        let bias = self.inputs.len() - 1;
        for (at, value) in inputs.iter().chain([(bias, 1.0)]) {
            for (weight, step) in self.inputs[at].iter_mut().zip(&steps) {
                *weight += value * step;
            }
        }
    }

    /// Moves the weights by `share` of the way towards those of `other`.
    pub(super) fn approach(&mut self, other: &Self, share: f32) {
        self.visit_weights(&mut other.weights().iter(), |weight, other| {
            *weight += share * (other - *weight);
        });
    }

    /// All weights, in the order of the file.
    pub(super) fn weights(&self) -> Vec<f32> {
        let rows = self.inputs.iter().chain(&self.outputs).flatten();
        rows.chain(&self.biases).copied().collect()
    }

    /// Replaces all weights, in the order of [`weights`](Self::weights).
    pub(super) fn set_weights(&mut self, weights: &[f32]) {
        self.visit_weights(&mut weights.iter(), |weight, &new| *weight = new);
    }

    fn visit_weights<'a, T: 'a>(
        &mut self,
        others: &mut impl Iterator<Item = &'a T>,
        visit: impl Fn(&mut f32, &'a T),
    ) {
        let rows = self.inputs.iter_mut().chain(&mut self.outputs).flatten();
        rows.chain(&mut self.biases).zip(others).for_each(|(weight, other)| visit(weight, other));
    }
}

/// The logistic function, by the same operations on every processor.
fn sigmoid(x: f32) -> f32 {
    // 2^x of the fraction by a polynomial, of the rest by the exponent's bits.
    let power = (-x * std::f32::consts::LOG2_E).clamp(-100.0, 100.0);
    let whole = power.round_ties_even();
    let x = power - whole;
    let fraction = 1.0
        + x * (std::f32::consts::LN_2
            + x * (0.240_226_5 + x * (0.055_504_1 + x * (0.009_618_1 + x * 0.001_333_4))));
    1.0 / (1.0 + fraction * f32::from_bits(((whole as i32 + 127) << 23) as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logistic_function_is_exact_enough() {
        for step in -4000..4000 {
            let x = step as f32 / 100.0;
            let expected = 1.0 / (1.0 + f64::from(-x).exp());
            assert!((f64::from(sigmoid(x)) - expected).abs() < 1e-6, "{x}");
        }
    }

    #[test]
    fn steps_follow_the_gradient() {
        let mut rng = Rng::new(1);
        let network = Layers::<16>::random(10, &mut rng);
        let mut inputs = Inputs::NONE;
        for (at, value) in [(0, 1.0), (3, 0.5), (9, -0.7)] {
            inputs.push(at, value);
        }
        let target = Chances([0.7, 0.2, 0.05, 0.1, 0.5]);
        let possible = [true, true, false, true, true];
        let loss = |weights: &[f32]| -> f64 {
            let mut other = network.clone();
            other.set_weights(weights);
            let found = other.evaluate(&inputs);
            let of = |outcome: usize| {
                let (goal, p) = (f64::from(target.0[outcome]), f64::from(found.0[outcome]));
                -goal * p.ln() - (1.0 - goal) * (1.0 - p).ln()
            };
            (0..OUTCOMES).filter(|&outcome| possible[outcome]).map(of).sum()
        };
        let mut taught = network.clone();
        taught.learn(&inputs, &target, &possible, 1.0);
        let (before, after) = (network.weights(), taught.weights());
        for at in 0..before.len() {
            let moved = |by: f32| {
                let mut weights = before.clone();
                weights[at] += by;
                loss(&weights)
            };
            let gradient = (moved(1e-2) - moved(-1e-2)) / 2e-2;
            let step = f64::from(after[at] - before[at]);
            assert!((step + gradient).abs() < 2e-3, "weight {at}: {step}, {gradient}");
        }
    }

    #[test]
    fn averages_approach() {
        let mut rng = Rng::new(2);
        let one = Layers::<16>::random(3, &mut rng);
        let other = Layers::<16>::random(3, &mut rng);
        let mut between = one.clone();
        between.approach(&other, 0.25);
        for ((one, other), found) in
            one.weights().iter().zip(other.weights()).zip(between.weights())
        {
            assert!((one + 0.25 * (other - one) - found).abs() < 1e-6);
        }
    }
}
