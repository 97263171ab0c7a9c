//! Learning: gradient steps on random batches from the replay buffer.

use meeple_arena::Sample;
use meeple_game::{Action, Rng, Symmetry};
use meeple_net::{Batch, Example, Losses, NetError, TrainOptions, Trainer};
use serde::{Deserialize, Serialize};

use crate::config::{BufferConfig, LearningConfig};
use crate::replay::Buffer;

/// The result of learning in one iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LearningReport {
    /// Optimizer steps.
    pub steps: u64,
    /// The mean policy loss: cross-entropy in nats.
    pub policy_loss: f32,
    /// The mean value loss: squared error.
    pub value_loss: f32,
    /// The mean norm of the gradient.
    pub gradient: f32,
    /// The learning rate.
    pub rate: f32,
}

/// Returns the number of steps that keeps the mean number of trainings per decision at its
/// target, given the decisions of the latest iteration.
pub(crate) fn steps_due(buffer: &Buffer, config: &BufferConfig, batch: usize) -> u64 {
    (buffer.latest() as f64 * config.trainings / batch as f64).round() as u64
}

/// The settings of learning in one iteration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Learning<'a> {
    pub(crate) config: &'a LearningConfig,
    /// The symmetries of the game.
    pub(crate) symmetries: &'a [Symmetry],
    pub(crate) iteration: u64,
    /// The maximum number of steps.
    pub(crate) steps: u64,
}

/// Trains on decisions drawn by `rng`. Takes fewer steps if every decision has reached its
/// maximum number of trainings, or if it is stopped.
pub(crate) fn learn(
    trainer: &mut Trainer,
    buffer: &mut Buffer,
    learning: &Learning<'_>,
    rng: &mut Rng,
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> Result<LearningReport, NetError> {
    let Learning { config, iteration, steps, .. } = *learning;
    trainer.options = TrainOptions {
        learning_rate: config.rate(iteration),
        decay: config.weight_decay,
        value_share: config.value_weight,
        clip: config.largest_gradient,
        ..TrainOptions::default()
    };
    let seats = trainer.network().signature().seats;
    let mut report = LearningReport { rate: config.rate(iteration), ..LearningReport::default() };
    let mut sums = [0.0f64; 3];
    let (mut batch, mut scratch) = (Batch::default(), Scratch::default());
    let symmetries = if config.symmetries { learning.symmetries } else { &[] };
    while report.steps < steps && !is_stopped() {
        batch.clear();
        while batch.len() < config.batch {
            let Some(sample) = buffer.draw(rng) else { break };
            // One index past the end stands for the identity.
            let symmetry = match symmetries {
                [] => None,
                _ => symmetries.get(rng.below(symmetries.len() + 1)),
            };
            push(&mut batch, &sample, config.search_share, seats, symmetry, &mut scratch);
        }
        if batch.is_empty() {
            break;
        }
        let Losses { policy, value, gradient, .. } = trainer.train_batch(&batch)?;
        for (sum, loss) in sums.iter_mut().zip([policy, value, gradient]) {
            *sum += f64::from(loss);
        }
        report.steps += 1;
    }
    let mean = |sum: f64| (sum / report.steps.max(1) as f64) as f32;
    [report.policy_loss, report.value_loss, report.gradient] = sums.map(mean);
    Ok(report)
}

/// Buffers in which an example is assembled.
#[derive(Default)]
struct Scratch {
    values: Vec<f32>,
    observation: Vec<i32>,
    legal: Vec<Action>,
}

/// Adds a decision, or its image under a symmetry. Target values interpolate between the
/// outcome of the game and the root value of the search.
fn push(
    batch: &mut Batch,
    sample: &Sample<'_>,
    search_share: f32,
    seats: usize,
    symmetry: Option<&Symmetry>,
    scratch: &mut Scratch,
) {
    let mixed = |(outcome, value): (&f32, &f32)| {
        ((1.0 - search_share) * outcome + search_share * value).clamp(-1.0, 1.0)
    };
    let Scratch { values, observation, legal } = scratch;
    values.clear();
    values.extend(sample.outcomes.iter().zip(sample.values).map(mixed));
    let mut example = Example {
        observation: sample.observation,
        legal: sample.legal,
        policy: sample.policy,
        values,
        policy_weight: 1.0,
        value_weight: 1.0,
    };
    if let Some(symmetry) = symmetry {
        observation.resize(sample.observation.len(), 0);
        symmetry.map_observation(sample.observation, observation);
        legal.clear();
        legal.extend(sample.legal.iter().map(|&action| symmetry.map_action(action)));
        (example.observation, example.legal) = (observation, legal);
    }
    batch.push(&example, seats);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symmetry_maps_observation_and_actions_of_an_example() {
        let mirror = Symmetry::new([1, 0], [Action(2), Action(1), Action(0)]);
        let sample = Sample {
            observation: &[7, 9],
            legal: &[Action(0), Action(1)],
            policy: &[0.25, 0.75],
            action: Action(0),
            seat: meeple_game::Player(0),
            game: 0,
            outcomes: &[1.0, -1.0],
            values: &[0.0, 0.0],
            is_cut: false,
        };
        let mut batch = Batch::default();
        for symmetry in [None, Some(&mirror)] {
            push(&mut batch, &sample, 0.5, 2, symmetry, &mut Scratch::default());
        }
        assert_eq!(batch.observations, [7, 9, 9, 7]);
        assert_eq!(batch.legal_actions, [0, 1, 2, 1]);
        assert_eq!(batch.policies, [0.25, 0.75, 0.25, 0.75]);
        assert_eq!(batch.values, [0.5, -0.5, 0.5, -0.5]);
    }
}
