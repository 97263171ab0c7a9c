//! Validation of sampled equities: the coverage of their confidence intervals, on
//! random match-ups with known exact equities.

use meeple_rng::Rng;

use super::parallel::run_batches;
use super::{EquityError, EquityOptions, Holding, Method, equity};
use crate::{Card, CardSet};

/// The coverage of sampled confidence intervals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Validation {
    /// The number of equities compared.
    pub trials: u64,
    /// The number of exact equities outside the sampled 95 % interval: about one
    /// in twenty is expected.
    pub misses: u64,
}

/// Deals sampled in each trial.
const DEALS: u64 = 2000;
/// Trials per batch.
const BATCH: u64 = 1000;

/// Compares sampled with exact equities of random match-ups of two hands, preflop,
/// on the flop and on the turn.
///
/// # Errors
///
/// None are expected: all match-ups are valid.
pub fn validate_sampling(
    trials: u64,
    seed: u64,
    threads: usize,
) -> Result<Validation, EquityError> {
    let root = Rng::new(seed);
    let batches = trials.div_ceil(BATCH);
    let misses = run_batches(batches as usize, threads, |batch| {
        let mut rng = root.split(batch as u64);
        let count = BATCH.min(trials - batch as u64 * BATCH);
        (0..count).try_fold(0, |misses, _| Ok(misses + u64::from(is_miss(&mut rng)?)))
    });
    let misses = misses.into_iter().sum::<Result<u64, EquityError>>()?;
    Ok(Validation { trials, misses })
}

/// Runs one trial; returns whether the exact equity is outside the interval.
fn is_miss(rng: &mut Rng) -> Result<bool, EquityError> {
    let mut deck: Vec<Card> = Card::all().collect();
    rng.shuffle(&mut deck);
    let cards = |from: usize, to: usize| deck[from..to].iter().copied().collect::<CardSet>();
    let players = [Holding::Hand(cards(0, 2)), Holding::Hand(cards(2, 4))];
    let board = cards(4, 4 + *rng.pick(&[0, 3, 4]));
    let options = EquityOptions {
        method: Method::Sample,
        deals: DEALS,
        seed: rng.bits(),
        ..Default::default()
    };
    let sampled = equity(&players, board, &options)?;
    let exact =
        equity(&players, board, &EquityOptions { method: Method::Exact, ..Default::default() })?;
    let truth = exact.players[0].equity();
    let interval = sampled.players[0].confidence_interval();
    Ok(interval.is_none_or(|(low, high)| truth < low || truth > high))
}
