//! The loss of a batch and its gradient by the outputs of both heads.

use super::Losses;
use crate::batch::Batch;

/// Returns the losses of a batch, given `[examples, actions]` logits and
/// `[examples, seats]` values before their tanh, and replaces both by the
/// gradient of the total loss.
///
/// The softmax runs over legal actions only, so the gradient of illegal logits
/// is 0.
pub(super) fn differentiate(
    batch: &Batch,
    value_share: f32,
    logits: &mut [f32],
    values: &mut [f32],
) -> Losses {
    let count = batch.len();
    let (actions, seats) = (logits.len() / count, values.len() / count);
    let (mut policy_loss, mut value_loss) = (0.0, 0.0);
    let mut slopes = Vec::new();
    for example in 0..count {
        let row = &mut logits[example * actions..(example + 1) * actions];
        let weight = batch.policy_weights[example] / count as f32;
        policy_loss += f64::from(weight) * cross_entropy(batch, example, row, &mut slopes);
        row.fill(0.0);
        for &(action, slope) in &slopes {
            row[action] = slope * weight;
        }
        let row = &mut values[example * seats..(example + 1) * seats];
        let weight = batch.value_weights[example] / (count * seats) as f32;
        let targets = &batch.values[example * seats..(example + 1) * seats];
        for (value, &target) in row.iter_mut().zip(targets) {
            let output = value.tanh();
            let error = output - target;
            value_loss += f64::from(weight * error * error);
            // The derivative of tanh is 1 - tanh².
            *value = value_share * weight * 2.0 * error * (1.0 - output * output);
        }
    }
    Losses { policy: policy_loss as f32, value: value_loss as f32, ..Losses::default() }
}

/// Returns the cross-entropy of one example; replaces `slopes` by its gradient,
/// a pair for each legal action.
fn cross_entropy(
    batch: &Batch,
    example: usize,
    logits: &[f32],
    slopes: &mut Vec<(usize, f32)>,
) -> f64 {
    let range = batch.legal_range(example);
    let actions = &batch.legal_actions[range.clone()];
    let targets = &batch.policies[range];
    let legal = || actions.iter().map(|&action| logits[action as usize]);
    // Log-sum-exp relative to the largest logit, so that nothing overflows.
    let max = legal().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = legal().map(|logit| (logit - max).exp()).sum();
    let total: f32 = targets.iter().sum();
    let log_sum = max + sum.ln();
    let mut loss = 0.0;
    slopes.clear();
    for (&action, &target) in actions.iter().zip(targets) {
        let logit = logits[action as usize];
        if target > 0.0 {
            loss += f64::from(target) * f64::from(log_sum - logit);
        }
        slopes.push((action as usize, (logit - log_sum).exp() * total - target));
    }
    loss
}
