//! How much chance decides: the share of the variance of results that chance events explain.
//!
//! A result is the sum of the changes of its expectation in the course of the game. The luck of a
//! seat is the sum of the changes that come with chance events; the rest is play. (Zinkevich,
//! Bowling, Bard, Kan and Billings 2006, "Optimal Unbiased Estimators for Evaluating Agent
//! Performance"; GNU Backgammon's luck analysis.) The share of chance is that of luck in the
//! variance of results (Shorrocks 1982).
//!
//! The expectation is that of the bot's searches where information is perfect. Where it is not,
//! searches know too little of the position, and it is the mean result of random games from the
//! position itself. Noise of the expectation goes into luck and play alike with opposite signs, so
//! it widens the interval, but does not shift the share.

use meeple_bots::Position;
use meeple_game::{Payoffs, Rng};
use meeple_stats::{Estimate, Interval, explained_share};

use super::record::GameRecord;
use super::{Figure, figure};

/// The random games that estimate the expectation of a position.
const RANDOM_GAMES: u32 = 50;

/// The source of expectations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expectation {
    /// The bot's searches.
    Searches,
    /// Random games from the position.
    RandomGames,
}

/// The luck of the seats in a game that is walked through.
pub(crate) struct LuckMeter {
    expectation: Expectation,
    rng: Rng,
    luck: Payoffs,
    /// The expectation before the chance events since the last decision, if there were any; zero
    /// at the start, where it is the same for all games.
    before: Payoffs,
    has_chance: bool,
}

impl LuckMeter {
    pub(crate) fn new(expectation: Expectation, rng: Rng) -> Self {
        let zero = Payoffs::default();
        Self { expectation, rng, luck: zero, before: zero, has_chance: false }
    }

    /// Called before a chance event is played.
    pub(crate) fn chance(&mut self, position: &dyn Position, is_first: bool) {
        if self.expectation == Expectation::RandomGames && !self.has_chance && !is_first {
            self.before = position.random_value(RANDOM_GAMES, &mut self.rng);
        }
        self.has_chance = true;
    }

    /// Called at a decision, with the values that its search expects of it.
    pub(crate) fn decision(&mut self, position: &dyn Position, searched: Option<&Payoffs>) {
        let now = match (self.expectation, searched) {
            (Expectation::RandomGames, _) if self.has_chance => {
                position.random_value(RANDOM_GAMES, &mut self.rng)
            }
            (Expectation::Searches, Some(values)) => *values,
            // The next decision that was searched ends the stretch.
            _ => return,
        };
        self.add(&now);
        self.before = now;
    }

    /// Returns the luck of each seat in a game that ended with these payoffs.
    pub(crate) fn finish(mut self, payoffs: &Payoffs) -> Payoffs {
        self.add(payoffs);
        self.luck
    }

    fn add(&mut self, now: &Payoffs) {
        if std::mem::take(&mut self.has_chance) {
            for ((luck, now), before) in self.luck.iter_mut().zip(now).zip(&self.before) {
                *luck += now - before;
            }
        }
    }
}

/// Returns the share of the variance of payoffs that chance events explain.
pub(crate) fn chance_share(games: &[GameRecord], has_chance: bool) -> Figure {
    if !has_chance {
        return Figure::Exact { value: 0.0, reason: "the game has no chance events" };
    }
    let lucks: Option<Vec<Vec<f64>>> = games.iter().map(|game| game.luck.clone()).collect();
    let Some(lucks) = lucks else {
        return Figure::missing("random games do not end, so luck has no measure");
    };
    let results: Vec<Vec<f64>> = games.iter().map(|game| game.payoffs.clone()).collect();
    match explained_share(&lucks, &results) {
        // What lies beyond is noise.
        Some(Estimate { value, interval }) => Figure::Estimate(Estimate {
            value: value.clamp(0.0, 1.0),
            interval: Interval {
                ci_low: interval.ci_low.clamp(0.0, 1.0),
                ci_high: interval.ci_high.clamp(0.0, 1.0),
            },
        }),
        None if games.len() < 2 => Figure::missing(figure::TOO_FEW),
        None => Figure::missing("all games had the same result"),
    }
}
