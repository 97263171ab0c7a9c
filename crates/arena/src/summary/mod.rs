//! What the games of a run say: results by bot, pair, seat and configuration.

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

/// What a run found; the same for any number of threads and interruptions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The version of the format.
    pub meeple_summary: u32,
    /// The experiment.
    pub name: String,
    /// What it is to find out.
    pub description: String,
    /// What was done.
    pub task: &'static str,
    /// Where all luck came from.
    pub seed: u64,
    /// Whether all games were played.
    pub finished: bool,
    /// Whether the same file and seed give the same games: not so where other
    /// programs play, or bots that look at the clock or share a tree.
    pub repeatable: bool,
    /// Games.
    pub games: u64,
    /// Games that a bot lost by failing.
    pub forfeits: u64,
    /// Which bots lost games in this way, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forfeit_causes: Vec<ForfeitSummary>,
    /// Games that were broken off at the limit of their table.
    pub cut: u64,
    /// Games that met a bound of their implementation, as draws.
    pub faults: u64,
    /// Each table.
    pub tables: Vec<TableSummary>,
    /// What the test says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<TestSummary>,
    /// What tuning found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tuned: Option<TunedSummary>,
    /// Decisions that were kept for learning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<u64>,
}

/// The results of one table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableSummary {
    /// The game.
    pub game: String,
    /// Seats.
    pub seats: usize,
    /// The configurations, in full.
    pub configs: Vec<Value>,
    /// Games.
    pub games: u64,
    /// Decisions a game.
    pub decisions_per_game: f64,
    /// Chance events a game.
    pub chances_per_game: f64,
    /// Games by their number of decisions, in bars of equal width.
    pub lengths: Vec<LengthBar>,
    /// Each seat.
    pub by_seat: Vec<Tallied>,
    /// Each bot, the best first.
    pub bots: Vec<BotSummary>,
    /// Each pair that met.
    pub duels: Vec<PairingSummary>,
    /// What payoffs are worth, in games for stakes whose configurations agree on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stakes: Option<Stakes>,
    /// What scores are of.
    #[serde(skip_serializing_if = "Scoring::is_wins")]
    pub scoring: Scoring,
    /// The bot whose rating is 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
    /// Whether a drawn game was added to every pair, because some bot won or
    /// lost everything.
    pub drawn_games_added: bool,
}

/// Games of a range of lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LengthBar {
    /// The fewest decisions.
    pub from: u64,
    /// The most decisions.
    pub to: u64,
    /// Games.
    pub games: u64,
}

/// Results of a seat or a bot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Tallied {
    /// Games; a bot that sits twice counts twice.
    pub games: u64,
    /// Games with more than every other seat.
    pub wins: u64,
    /// Games with the highest payoff shared.
    pub ties: u64,
    /// All others.
    pub losses: u64,
    /// The share of wins.
    pub win: f64,
    /// Its lower bound, 95 times in 100.
    pub ci_low: f64,
    /// Its upper bound.
    pub ci_high: f64,
    /// The mean payoff.
    pub mean_payoff: f64,
}

/// The results of one bot.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BotSummary {
    /// What it goes by.
    pub label: String,
    /// The bot with all its options.
    pub bot: String,
    /// All its games.
    #[serde(flatten)]
    pub all: Tallied,
    /// What it wins, in games for stakes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winnings: Option<Winnings>,
    /// Its strength, where bots are rated. Where payoffs are scored, normalized Elo:
    /// the difference of wins and losses with the same mean in units of the deviation
    /// of one game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// How likely it is stronger than the bot after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superiority: Option<f64>,
    /// Its games at each seat.
    pub by_seat: Vec<Tallied>,
    /// Its games in each configuration.
    pub by_config: Vec<Tallied>,
}

/// What two bots did against each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairingSummary {
    /// The stage of the experiment.
    pub stage: usize,
    /// The bot that the scores are of.
    pub first: String,
    /// Its opponent.
    pub second: String,
    /// Games.
    pub games: u64,
    /// Games that the first did better in.
    pub wins: u64,
    /// Games that went alike for both.
    pub draws: u64,
    /// Games that the second did better in.
    pub losses: u64,
    /// Blocks of games with the same luck.
    pub blocks: u64,
    /// What the first wins a game, in games for stakes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winnings: Option<Winnings>,
    /// How often blocks had which score: five for pairs, lost both to won both. Empty
    /// where payoffs are scored.
    pub block_scores: Vec<(f64, u64)>,
    /// What that says.
    #[serde(flatten)]
    pub duel: PairedResult,
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
