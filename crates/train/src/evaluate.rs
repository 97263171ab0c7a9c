//! Measures one network against bots: scores, Elo and error bars.

use std::path::PathBuf;

use meeple_arena::{Match, MatchTally, Winnings};
use meeple_bots::{BotSpec, Entrant};
use meeple_game::{Game, Rng};
use meeple_net::{Network, Precision};
use meeple_stats::{Interval, Sprt, Verdict, wilson};
use serde::Serialize;
use serde_json::Value;

use crate::TrainError;
use crate::any_game::find;
use crate::check::plays_by_network;
use crate::ladder::{LadderRating, MatchResult, ratings};
use crate::progress::TrainProgress;

/// What to measure, and against whom.
#[derive(Clone, Debug)]
pub struct EvaluateOptions {
    /// The game.
    pub game: String,
    /// The table.
    pub table: Value,
    /// The file of the network.
    pub model: PathBuf,
    /// How it plays: `puct` with its options, but for the model.
    pub bot: BotSpec,
    /// The opponents; the first is where Elo counts from.
    pub opponents: Vec<BotSpec>,
    /// Games against each, in blocks with the same luck.
    pub games: u64,
    /// Random decisions with which the games of a block begin.
    pub openings: u32,
    /// A test that ends each match when it is decided.
    pub sprt: Option<Sprt>,
    /// Where luck comes from.
    pub seed: u64,
    /// Threads; 0 means one for each core.
    pub threads: usize,
}

/// What a network did against one opponent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Against {
    /// The opponent.
    pub opponent: String,
    /// Games.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games neither won nor lost.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The share of points.
    pub score: f64,
    /// Its 95 % interval.
    #[serde(flatten)]
    pub interval: Interval,
    /// What it won, in games for stakes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winnings: Option<Winnings>,
    /// What the test says, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}

/// How strong a network is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evaluated {
    /// The game.
    pub game: &'static str,
    /// The file of the network.
    pub model: PathBuf,
    /// How it played.
    pub bot: String,
    /// Where luck came from.
    pub seed: u64,
    /// What it did against each opponent.
    pub against: Vec<Against>,
    /// Who is how strong; the network is called `network 0`.
    pub ratings: Vec<LadderRating>,
    /// Whether all games were played.
    pub finished: bool,
}

/// Measures a network.
///
/// # Errors
///
/// When there is no such game, table or network, or a bot cannot play it.
pub fn evaluate(
    options: &EvaluateOptions,
    progress: &TrainProgress,
) -> Result<Evaluated, TrainError> {
    find(&options.game)?.evaluate(options, progress)
}

/// Measures a network of `G`.
pub(crate) fn evaluate_network<G: Game>(
    options: &EvaluateOptions,
    progress: &TrainProgress,
) -> Result<Evaluated, TrainError> {
    plays_by_network(&options.bot)
        .map_err(|message| TrainError::Setting { field: "bot".into(), message })?;
    let predictor = Network::load::<G>(&options.model)?.compile(Precision::Float);
    let is_stopped = || progress.is_stopped();
    let table = serde_json::from_value::<G::Config>(options.table.clone())
        .map_err(|error| meeple_bots::Error::Table { reason: error.to_string() })?;
    let start = G::new(&table);
    let mut evaluated = Evaluated {
        game: G::NAME,
        model: options.model.clone(),
        bot: options.bot.to_string(),
        seed: options.seed,
        against: Vec::new(),
        ratings: Vec::new(),
        finished: true,
    };
    let mut met = Vec::new();
    let first = Entrant { bot: &options.bot, network: Some(&predictor) };
    let gauntlet = (0..).zip(&options.opponents).map(|(number, opponent)| Match {
        game: &options.game,
        table: &options.table,
        first,
        others: Entrant { bot: opponent, network: None },
        games: options.games,
        openings: options.openings,
        seed: Rng::new(options.seed).split(number),
        threads: options.threads,
        is_stopped: &is_stopped,
    });
    let gauntlet: Vec<Match<'_>> = gauntlet.collect();
    // What cannot play is refused before anything is played.
    gauntlet.iter().try_for_each(Match::check)?;
    for next in &gauntlet {
        let opponent = next.others.bot;
        progress.enter(format!("against {opponent}"));
        let verdict = |so_far: &MatchTally| options.sprt.map(|test| so_far.verdict(&test));
        let mut is_decided =
            |so_far: &MatchTally| verdict(so_far).is_some_and(|verdict| verdict != Verdict::Open);
        let Some(tally) = next.play(&mut is_decided)? else {
            evaluated.finished = false;
            break;
        };
        let games = tally.games.len();
        progress.counters.games.fetch_add(games, std::sync::atomic::Ordering::Relaxed);
        met.push(MatchResult::new(0, opponent.to_string(), &tally));
        evaluated.against.push(Against {
            opponent: opponent.to_string(),
            games,
            wins: tally.wins(),
            draws: tally.draws(),
            losses: tally.losses(),
            score: tally.score(),
            interval: wilson(tally.points().round() as u64, games),
            winnings: start.stakes().map(|stakes| tally.winnings(stakes, start.players())),
            verdict: verdict(&tally),
        });
    }
    if let Some(anchor) = options.opponents.first() {
        evaluated.ratings = ratings(&met, &anchor.to_string());
    }
    Ok(evaluated)
}
