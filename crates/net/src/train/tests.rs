//! Tests of training: gradient check by finite differences, overfitting a batch,
//! agreement of all instruction sets, rejection of invalid batches.

use meeple_game::{Action, Field, ObservationSpec};
use meeple_rng::Rng;

use super::*;
use crate::batch::Example;
use crate::shape::{Shape, Signature};

static SPEC: ObservationSpec = ObservationSpec::new(
    1,
    &[
        Field::category("card", 5).times(2),
        Field::count("chips", 20).min(-5).scale(7).times(3),
        Field::flag("raised").times(2),
    ],
);
const ACTIONS: usize = 6;
const SEATS: usize = 3;

fn trainer(shape: Shape) -> Trainer {
    let signature = Signature::new("check", &SPEC, ACTIONS, SEATS);
    let network = Network::with_signature(signature, &SPEC, shape, 7).unwrap();
    Trainer::new(network, TrainOptions::default())
}

fn observation(rng: &mut Rng) -> Vec<i32> {
    let draw = |cell| match cell {
        0..2 => rng.below(5) as i32,
        2..5 => rng.below(26) as i32 - 5,
        _ => rng.below(2) as i32,
    };
    (0..SPEC.len()).map(draw).collect()
}

/// Returns examples with random policies, values, legal actions and weights.
fn batch(count: usize, seed: u64) -> Batch {
    let mut rng = Rng::new(seed);
    let mut batch = Batch::default();
    for _ in 0..count {
        let observation = observation(&mut rng);
        let mut legal: Vec<Action> = (0..ACTIONS as u16).map(Action).collect();
        rng.shuffle(&mut legal);
        legal.truncate(1 + rng.below(ACTIONS));
        let shares: Vec<f32> = legal.iter().map(|_| rng.unit() as f32 + 0.01).collect();
        let sum: f32 = shares.iter().sum();
        let policy: Vec<f32> = shares.iter().map(|share| share / sum).collect();
        let values: Vec<f32> = (0..SEATS).map(|_| rng.unit() as f32 * 2.0 - 1.0).collect();
        let example = Example {
            observation: &observation,
            legal: &legal,
            policy: &policy,
            values: &values,
            policy_weight: rng.unit() as f32 * 2.0,
            value_weight: rng.unit() as f32 * 2.0,
        };
        batch.push(&example, SEATS);
    }
    batch
}

/// A network in double precision, whose weights can be perturbed.
#[derive(Clone)]
struct DoubleNetwork(Vec<(Vec<f64>, Vec<f64>)>);

impl DoubleNetwork {
    fn of(network: &Network) -> Self {
        let doubles = |numbers: &[f32]| numbers.iter().map(|&n| f64::from(n)).collect();
        let layers = network.layers().iter();
        Self(layers.map(|layer| (doubles(&layer.weights), doubles(&layer.bias))).collect())
    }

    fn layer(&self, number: usize, inputs: &[f64]) -> Vec<f64> {
        let (weights, bias) = &self.0[number];
        let column = |output: usize| {
            let weights = weights.iter().skip(output).step_by(bias.len());
            bias[output] + inputs.iter().zip(weights).map(|(x, w)| x * w).sum::<f64>()
        };
        (0..bias.len()).map(column).collect()
    }

    fn relu_layer(&self, number: usize, inputs: &[f64]) -> Vec<f64> {
        self.layer(number, inputs).into_iter().map(|output| output.max(0.0)).collect()
    }

    /// Returns the logits and values of an observation.
    fn predict(&self, observation: &[i32]) -> (Vec<f64>, Vec<f64>) {
        let mut features = vec![0.0; SPEC.features()];
        SPEC.normalize(observation, &mut features);
        let features: Vec<f64> = features.into_iter().map(f64::from).collect();
        let mut trunk = self.relu_layer(0, &features);
        let heads = self.0.len() - 4;
        for first in (1..heads).step_by(2) {
            let outer = self.layer(first + 1, &self.relu_layer(first, &trunk));
            trunk = outer.iter().zip(&trunk).map(|(out, x)| (out + x).max(0.0)).collect();
        }
        let bottleneck = self.relu_layer(heads, &trunk);
        let values = self.layer(heads + 3, &self.relu_layer(heads + 2, &bottleneck));
        (self.layer(heads + 1, &bottleneck), values.into_iter().map(f64::tanh).collect())
    }

    /// Returns the loss by its definition.
    fn loss(&self, batch: &Batch, value_share: f32) -> f64 {
        let mut total = 0.0;
        for example in 0..batch.len() {
            let (logits, values) =
                self.predict(&batch.observations[example * SPEC.len()..][..SPEC.len()]);
            let range = batch.legal_range(example);
            let legal = &batch.legal_actions[range.clone()];
            let sum: f64 = legal.iter().map(|&action| logits[action as usize].exp()).sum();
            for (&action, &target) in legal.iter().zip(&batch.policies[range]) {
                let share = logits[action as usize].exp() / sum;
                total -= f64::from(batch.policy_weights[example] * target) * share.ln();
            }
            for (value, &target) in values.iter().zip(&batch.values[example * SEATS..]) {
                let square = (value - f64::from(target)).powi(2) / SEATS as f64;
                total += f64::from(value_share * batch.value_weights[example]) * square;
            }
        }
        total / batch.len() as f64
    }
}

#[test]
fn gradients_match_finite_differences() {
    let mut trainer = trainer(Shape { width: 37, blocks: 2, bottleneck: 33, value_hidden: 9 });
    trainer.options.value_share = 0.7;
    let batch = batch(13, 3);
    // Perturb all weights: a ReLU has no derivative at 0, and the zero-initialized
    // blocks of a new network feed it exactly 0.
    let mut rng = Rng::new(11);
    for layer in trainer.network.layers_mut() {
        for weight in layer.weights.iter_mut().chain(&mut layer.bias) {
            *weight += 0.2 * (rng.unit() as f32 - 0.5);
        }
    }
    let losses = trainer.pass(&batch, true).unwrap();
    let share = trainer.options.value_share;
    let exact = DoubleNetwork::of(&trainer.network);
    let loss = f64::from(losses.policy + share * losses.value);
    assert!((loss - exact.loss(&batch, share)).abs() < 1e-5);

    let mut rng = Rng::new(5);
    for (number, gradient) in trainer.gradient.iter().enumerate() {
        let (mut error, mut norm) = (0.0f64, 0.0f64);
        for draw in 0..60 {
            let is_bias = draw % 4 == 0;
            let computed = if is_bias { &gradient.bias } else { &gradient.weights };
            let at = rng.below(computed.len());
            let loss_after = |by: f64| {
                let mut exact = exact.clone();
                let (weights, bias) = &mut exact.0[number];
                (if is_bias { bias } else { weights })[at] += by;
                exact.loss(&batch, share)
            };
            let slope = (loss_after(1e-6) - loss_after(-1e-6)) / 2e-6;
            error += (slope - f64::from(computed[at])).powi(2);
            norm += slope.powi(2);
        }
        let (error, norm) = (error.sqrt(), norm.sqrt());
        assert!(norm > 0.0 && error < 1e-3 * norm, "layer {number}: {error} of {norm}");
    }
}

#[test]
fn a_network_overfits_a_batch() {
    let mut trainer = trainer(Shape { width: 64, blocks: 2, bottleneck: 32, value_hidden: 16 });
    let batch = batch(40, 9);
    let before = trainer.train_batch(&batch).unwrap();
    // The minimum of the policy loss is the entropy of the targets.
    let entropy: f32 = (0..batch.len())
        .map(|example| {
            let policy = &batch.policies[batch.legal_range(example)];
            let sum: f32 = policy.iter().map(|share| -share * share.ln()).sum();
            batch.policy_weights[example] * sum / batch.len() as f32
        })
        .sum();
    for _ in 0..600 {
        trainer.train_batch(&batch).unwrap();
    }
    let after = trainer.test_batch(&batch).unwrap();
    assert!(before.policy > entropy + 0.1 && before.value > 0.2, "{before:?}");
    assert!(after.policy < entropy + 0.01 && after.value < 0.01, "{after:?}, entropy {entropy}");
    assert_eq!(trainer.steps(), 601);
}

#[test]
fn dense_and_sparse_features_give_the_same_gradient() {
    let mut trainer = trainer(Shape { width: 37, blocks: 1, bottleneck: 33, value_hidden: 9 });
    let batch = batch(70, 4);
    for isa in Isa::all() {
        trainer.isa = isa;
        let sparse = trainer.pass_encoded(&batch, false, true).unwrap();
        let gradient = std::mem::take(&mut trainer.gradient);
        trainer.gradient = gradient.iter().map(Dense::zeroed).collect();
        assert_eq!(trainer.pass_encoded(&batch, true, true).unwrap(), sparse, "{isa:?}");
        assert_eq!(trainer.gradient, gradient, "{isa:?}");
    }
}

#[test]
fn training_is_identical_on_all_instruction_sets() {
    let shape = Shape { width: 40, blocks: 1, bottleneck: 32, value_hidden: 16 };
    let batches = [batch(30, 1), batch(17, 2), batch(1, 3)];
    let weights = |isa: Isa| {
        let mut trainer = trainer(shape);
        trainer.isa = isa;
        let losses: Vec<Losses> =
            batches.iter().map(|batch| trainer.train_batch(batch).unwrap()).collect();
        (losses, trainer.network.layers().to_vec())
    };
    let plain = weights(Isa::Portable);
    for isa in Isa::all() {
        assert_eq!(weights(isa), plain, "{isa:?}");
    }
}

#[test]
fn weight_decay_shrinks_weights_without_a_gradient() {
    let mut trainer = trainer(Shape { width: 32, blocks: 1, bottleneck: 32, value_hidden: 16 });
    let mut batch = batch(4, 1);
    batch.policy_weights.fill(0.0);
    batch.value_weights.fill(0.0);
    let before = trainer.network.layers()[0].weights[0];
    let losses = trainer.train_batch(&batch).unwrap();
    assert_eq!((losses.policy, losses.value, losses.gradient), (0.0, 0.0, 0.0));
    assert!(losses.decay > 0.0);
    assert_eq!(trainer.network.layers()[0].weights[0], before * (1.0 - 1e-3 * 1e-2));
}

#[test]
fn invalid_batches_are_rejected_and_leave_the_weights_unchanged() {
    let shape = Shape { width: 32, blocks: 1, bottleneck: 32, value_hidden: 16 };
    let check = |change: &dyn Fn(&mut Batch), message: &str| {
        let mut trainer = trainer(shape);
        let mut batch = batch(4, 1);
        change(&mut batch);
        let error = trainer.train_batch(&batch).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert_eq!(trainer.network.layers(), self::trainer(shape).network.layers());
    };
    check(&Batch::clear, "the batch is empty");
    check(&|batch| _ = batch.values.pop(), "values has 11 entries, expected 12");
    check(&|batch| _ = batch.observations.pop(), "observations has 27 entries, expected 28");
    check(&|batch| batch.observations[8] = 5, "example 1: cell 1 is 5, expected a category from 0");
    check(
        &|batch| batch.legal_actions[0] = 6,
        "example 0: action 6 is legal, expected one below 6",
    );
    check(&|batch| batch.policies[0] = 2.0, "example 0: a probability is 2");
    check(&|batch| batch.policies[0] = f32::NAN, "example 0: a probability is NaN");
    check(&|batch| batch.values[4] = 1.5, "example 1: a value is 1.5");
    check(&|batch| batch.value_weights[3] = -1.0, "example 3: a weight is -1");
    check(&|batch| batch.legal_ends[0] = 0, "example 0: its legal actions are 0 to 0");
    check(&|batch| batch.legal_ends[1] = 1000, "expected at least one");
}

#[test]
fn divergence_is_an_error_and_leaves_the_weights_unchanged() {
    let mut trainer = trainer(Shape { width: 32, blocks: 1, bottleneck: 32, value_hidden: 16 });
    trainer.network.layers_mut()[0].weights.fill(f32::MAX);
    let before = trainer.network.layers().to_vec();
    let error = trainer.train_batch(&batch(4, 1)).unwrap_err();
    assert!(error.to_string().contains("training has diverged"), "{error}");
    assert_eq!(trainer.network.layers(), before);
    trainer.options.momentum = 1.0;
    let error = trainer.train_batch(&batch(4, 1)).unwrap_err();
    assert!(error.to_string().starts_with("momentum is 1, expected"), "{error}");
}
