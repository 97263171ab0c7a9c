//! A check that sampled equities mean what they say: many random questions,
//! each answered by sampling and exactly.

use meeple_rng::Rng;

use super::parallel::run_batches;
use super::{EquityError, EquityOptions, Holding, Method, equity};
use crate::{Card, CardSet};

/// How often sampled equities lay outside their interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Validation {
    /// How many equities were compared.
    pub questions: u64,
    /// How many exact equities lay outside the sampled 95 % interval: about one
    /// in twenty should.
    pub outside: u64,
}

/// Deals sampled for each question: enough for the interval to mean something.
const DEALS: u64 = 2000;
/// Questions of one batch.
const BATCH: u64 = 1000;

/// Asks random questions of two players before the flop, on the flop and on the
/// turn, and compares the sampled answer with the exact one.
///
/// # Errors
///
/// None that can be expected: the questions make sense.
pub fn validate_sampling(
    questions: u64,
    seed: u64,
    threads: usize,
) -> Result<Validation, EquityError> {
    let root = Rng::new(seed);
    let batches = questions.div_ceil(BATCH);
    let outside = run_batches(batches as usize, threads, |batch| {
        let mut rng = root.split(batch as u64);
        let asked = BATCH.min(questions - batch as u64 * BATCH);
        (0..asked).try_fold(0, |outside, _| Ok(outside + u64::from(is_outside(&mut rng)?)))
    });
    let outside = outside.into_iter().sum::<Result<u64, EquityError>>()?;
    Ok(Validation { questions, outside })
}

/// Asks one question; whether the exact answer is outside the interval.
fn is_outside(rng: &mut Rng) -> Result<bool, EquityError> {
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
