//! The summary of a run: results by bot, pairing, seat and configuration.

mod digest;
mod findings;
mod forfeits;

use meeple_game::Stakes;
use serde::Serialize;
use serde_json::Value;

use crate::experiment::{Scoring, Task};
use crate::run::Run;
use crate::{SeatTally, Tally, Winnings};
use meeple_stats::{Interval, PairedResult, Rating, wilson};

use digest::{summarize, tally_of, test_of, tuned_of};
pub use findings::{TestSummary, TunedSummary};
pub use forfeits::ForfeitSummary;
use forfeits::forfeits_of;

/// The version of the format.
pub const SUMMARY_VERSION: u32 = 1;

/// The results of a run, independent of the number of threads and interruptions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The version of the format.
    pub meeple_summary: u32,
    /// The name of the experiment.
    pub name: String,
    /// Its description.
    pub description: String,
    /// The name of the task.
    pub task: &'static str,
    /// The random seed.
    pub seed: u64,
    /// Whether all games have been played.
    pub finished: bool,
    /// Whether the same file and seed give the same games. This excludes external programs, and
    /// searches with a time limit or a tree shared by threads.
    pub repeatable: bool,
    /// The number of games.
    pub games: u64,
    /// The number of forfeited games.
    pub forfeits: u64,
    /// The forfeits by bot and cause.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forfeit_causes: Vec<ForfeitSummary>,
    /// The number of games that reached the decision limit of their table.
    pub cut: u64,
    /// The number of games that exceeded a bound of their implementation, which are draws.
    pub faults: u64,
    /// The results of each table.
    pub tables: Vec<TableSummary>,
    /// The result of the test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<TestSummary>,
    /// The result of tuning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tuned: Option<TunedSummary>,
    /// The number of samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<u64>,
}

/// The results of one table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableSummary {
    /// The game.
    pub game: String,
    /// The number of seats.
    pub seats: usize,
    /// The configurations, defaults included.
    pub configs: Vec<Value>,
    /// The number of games.
    pub games: u64,
    /// The mean number of decisions of a game.
    pub decisions_per_game: f64,
    /// The mean number of chance events of a game.
    pub chances_per_game: f64,
    /// The histogram of game lengths in decisions, with bars of equal width.
    pub lengths: Vec<LengthBar>,
    /// The results of each seat.
    pub by_seat: Vec<Tallied>,
    /// The results of each bot, best first.
    pub bots: Vec<BotSummary>,
    /// The results of each pairing.
    pub pairings: Vec<PairingSummary>,
    /// The chip value of payoffs, in games for stakes whose configurations agree on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stakes: Option<Stakes>,
    /// How games are scored.
    #[serde(skip_serializing_if = "Scoring::is_wins")]
    pub scoring: Scoring,
    /// The bot with rating 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
    /// Whether a drawn game was added to every pairing, because some bot won or lost all its
    /// games and its maximum-likelihood rating would be infinite.
    pub drawn_games_added: bool,
}

/// A bar of the histogram of game lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LengthBar {
    /// The minimum number of decisions.
    pub from: u64,
    /// The maximum number of decisions.
    pub to: u64,
    /// The number of games.
    pub games: u64,
}

impl LengthBar {
    /// Returns a histogram of numbers of decisions, with up to twenty bars.
    pub(crate) fn histogram(lengths: impl Iterator<Item = u64> + Clone) -> Vec<Self> {
        const BARS: u64 = 20;
        let (Some(shortest), Some(longest)) = (lengths.clone().min(), lengths.clone().max()) else {
            return Vec::new();
        };
        let width = (longest - shortest + 1).div_ceil(BARS);
        let bars = (longest - shortest) / width + 1;
        let bar = |bar: u64| Self {
            from: shortest + bar * width,
            to: shortest + (bar + 1) * width - 1,
            games: 0,
        };
        let mut counted: Vec<Self> = (0..bars).map(bar).collect();
        lengths.for_each(|length| counted[((length - shortest) / width) as usize].games += 1);
        counted
    }
}

/// The results of a seat or a bot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Tallied {
    /// The number of games. A bot that plays two seats counts twice.
    pub games: u64,
    /// The number of games with a higher payoff than every other seat.
    pub wins: u64,
    /// The number of games with the highest payoff shared.
    pub ties: u64,
    /// The number of other games.
    pub losses: u64,
    /// The win rate.
    pub win: f64,
    /// The lower bound of its 95 % confidence interval.
    pub ci_low: f64,
    /// The upper bound of its 95 % confidence interval.
    pub ci_high: f64,
    /// The mean payoff.
    pub mean_payoff: f64,
}

/// The results of one bot.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BotSummary {
    /// The name of the bot in results.
    pub label: String,
    /// The bot with all its options.
    pub bot: String,
    /// The results of all its games.
    #[serde(flatten)]
    pub all: Tallied,
    /// Its winnings, in games for stakes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winnings: Option<Winnings>,
    /// Its Elo rating, in tournaments. Where payoffs are scored, normalized Elo: the rating of
    /// wins and losses with the same mean in units of the standard deviation of one game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// The likelihood of superiority (LOS) over the next bot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superiority: Option<f64>,
    /// Its results at each seat.
    pub by_seat: Vec<Tallied>,
    /// Its results in each configuration.
    pub by_config: Vec<Tallied>,
}

/// The results of a pairing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairingSummary {
    /// The stage of the experiment.
    pub stage: usize,
    /// The bot whose scores are given.
    pub first: String,
    /// Its opponent.
    pub second: String,
    /// The number of games.
    pub games: u64,
    /// The number of games that the first bot won.
    pub wins: u64,
    /// The number of drawn games.
    pub draws: u64,
    /// The number of games that the second bot won.
    pub losses: u64,
    /// The number of blocks, whose games share their chance events.
    pub blocks: u64,
    /// The winnings of the first bot, in games for stakes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winnings: Option<Winnings>,
    /// The histogram of block scores. Pairs of games have five, from two losses to two wins.
    /// Empty if payoffs are scored.
    pub block_scores: Vec<(f64, u64)>,
    /// The score and Elo difference, with their intervals.
    #[serde(flatten)]
    pub result: PairedResult,
}

impl From<&SeatTally> for Tallied {
    fn from(tally: &SeatTally) -> Self {
        let games = tally.games.max(1) as f64;
        let Interval { ci_low, ci_high } = wilson(tally.wins, tally.games);
        Self {
            games: tally.games,
            wins: tally.wins,
            ties: tally.ties,
            losses: tally.losses(),
            win: tally.wins as f64 / games,
            ci_low,
            ci_high,
            mean_payoff: tally.mean_payoff(),
        }
    }
}

impl Summary {
    pub(crate) fn of(run: &Run<'_>) -> Self {
        let experiment = run.setup.experiment;
        let tallies: Vec<Tally> = (0..run.setup.tables.len()).map(|at| tally_of(run, at)).collect();
        let mut all = Tally::default();
        tallies.iter().for_each(|tally| all.merge(tally));
        let samples = matches!(experiment.task, Task::Collect(_)).then_some(all.decisions);
        Self {
            meeple_summary: SUMMARY_VERSION,
            name: experiment.name.clone(),
            description: experiment.description.clone(),
            task: experiment.task.name(),
            seed: experiment.seed,
            finished: run.finished,
            repeatable: run.pool.0.iter().all(|entry| entry.bot.is_repeatable()),
            games: all.games,
            forfeits: all.forfeits,
            forfeit_causes: forfeits_of(&run.ledger.records),
            cut: all.cut,
            faults: all.faults,
            tables: (tallies.iter().enumerate())
                .map(|(table, tally)| summarize(run, table, tally))
                .collect(),
            test: run.stages.first().and_then(|played| test_of(run, played)),
            tuned: tuned_of(run),
            samples,
        }
    }
}
