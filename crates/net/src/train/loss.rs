//! How wrong outputs are, and how that changes with each of them.

use super::Losses;
use crate::batch::Batch;

/// Adds up the losses of a batch, given `[examples, actions]` logits and
/// `[examples, seats]` values before their tangent, and replaces both by the
/// gradient of the loss.
///
/// Logits of illegal actions count for nothing, so their gradient is 0.
pub(super) fn differentiate(
    batch: &Batch,
    value_share: f32,
    logits: &mut [f32],
    values: &mut [f32],
) -> Losses {
    let count = batch.len();
    let (actions, seats) = (logits.len() / count, values.len() / count);
    let (mut policy_loss, mut value_loss) = (0.0, 0.0);
    let mut shares = Vec::new();
    for example in 0..count {
        let row = &mut logits[example * actions..(example + 1) * actions];
        let weight = batch.policy_weights[example] / count as f32;
        policy_loss += f64::from(weight) * policy(batch, example, row, &mut shares);
        row.fill(0.0);
        for &(action, slope) in &shares {
            row[action] = slope * weight;
        }
        let row = &mut values[example * seats..(example + 1) * seats];
        let weight = batch.value_weights[example] / (count * seats) as f32;
        let targets = &batch.values[example * seats..(example + 1) * seats];
        for (value, &target) in row.iter_mut().zip(targets) {
            let said = value.tanh();
            let error = said - target;
            value_loss += f64::from(weight * error * error);
            *value = value_share * weight * 2.0 * error * (1.0 - said * said);
        }
    }
    Losses { policy: policy_loss as f32, value: value_loss as f32, ..Losses::default() }
}

/// The cross-entropy of one example; `slopes` becomes its gradient by action.
fn policy(batch: &Batch, example: usize, logits: &[f32], slopes: &mut Vec<(usize, f32)>) -> f64 {
    let range = batch.legal_range(example);
    let actions = &batch.legal_actions[range.clone()];
    let targets = &batch.policies[range];
    let legal = || actions.iter().map(|&action| logits[action as usize]);
    let most = legal().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = legal().map(|logit| (logit - most).exp()).sum();
    let total: f32 = targets.iter().sum();
    let log_sum = most + sum.ln();
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
