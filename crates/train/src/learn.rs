//! Learning from the buffer: steps down the loss, over decisions drawn anew.

use meeple_arena::Sample;
use meeple_game::Rng;
use meeple_net::{Batch, Example, Losses, NetError, TrainOptions, Trainer};
use serde::{Deserialize, Serialize};

use crate::config::{BufferConfig, LearningConfig};
use crate::replay::Buffer;

/// What one iteration of learning came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LearningReport {
    /// Steps made.
    pub steps: u64,
    /// How wrong the policies were on average, in nats.
    pub policy_loss: f32,
    /// How wrong the values were on average, squared.
    pub value_loss: f32,
    /// How long the gradients were on average.
    pub gradient: f32,
    /// The rate of learning.
    pub rate: f32,
}

/// Steps that the decisions of the latest iteration pay for.
pub(crate) fn steps_due(buffer: &Buffer, config: &BufferConfig, batch: usize) -> u64 {
    (buffer.latest() as f64 * config.trainings / batch as f64).round() as u64
}

/// Makes `steps` steps with decisions drawn by `rng`; fewer if all of them have
/// been learned from as often as they may, or somebody stops it.
pub(crate) fn learn(
    trainer: &mut Trainer,
    buffer: &mut Buffer,
    config: &LearningConfig,
    iteration: u64,
    steps: u64,
    rng: &mut Rng,
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> Result<LearningReport, NetError> {
    trainer.options = TrainOptions {
        learning_rate: config.rate(iteration),
        decay: config.weight_decay,
        value_share: config.value_weight,
        clip: config.largest_gradient,
        ..TrainOptions::default()
    };
    let seats = trainer.network().signature().seats;
    let mut learning = LearningReport { rate: config.rate(iteration), ..LearningReport::default() };
    let mut sums = [0.0f64; 3];
    let (mut batch, mut values) = (Batch::default(), Vec::new());
    while learning.steps < steps && !is_stopped() {
        batch.clear();
        while batch.len() < config.batch {
            let Some(sample) = buffer.draw(rng) else { break };
            push(&mut batch, &sample, config.search_share, seats, &mut values);
        }
        if batch.is_empty() {
            break;
        }
        let Losses { policy, value, gradient, .. } = trainer.train_batch(&batch)?;
        for (sum, loss) in sums.iter_mut().zip([policy, value, gradient]) {
            *sum += f64::from(loss);
        }
        learning.steps += 1;
    }
    let mean = |sum: f64| (sum / learning.steps.max(1) as f64) as f32;
    [learning.policy_loss, learning.value_loss, learning.gradient] = sums.map(mean);
    Ok(learning)
}

/// Adds a decision: values are between how the game went and what the search
/// expected.
fn push(
    batch: &mut Batch,
    sample: &Sample<'_>,
    search_share: f32,
    seats: usize,
    values: &mut Vec<f32>,
) {
    let mixed = |(outcome, value): (&f32, &f32)| {
        ((1.0 - search_share) * outcome + search_share * value).clamp(-1.0, 1.0)
    };
    values.clear();
    values.extend(sample.outcomes.iter().zip(sample.values).map(mixed));
    let example = Example {
        observation: sample.observation,
        legal: sample.legal,
        policy: sample.policy,
        values,
        policy_weight: 1.0,
        value_weight: 1.0,
    };
    batch.push(&example, seats);
}
