//! Evaluates one network against bots: scores, Elo and error bars.

use std::path::PathBuf;

use meeple_arena::{Match, MatchTally, Winnings};
use meeple_bots::{BotSpec, Entrant, ValueError, open_value};
use meeple_game::Rng;
use meeple_net::{Network, Precision};
use meeple_stats::{Interval, Sprt, Verdict, wilson};
use serde::Serialize;
use serde_json::Value;

use crate::TrainError;
use crate::check::plays_by_network;
use crate::ladder::{LadderRating, MatchResult, ratings};
use crate::progress::TrainProgress;

/// The settings of an evaluation.
#[derive(Clone, Debug)]
pub struct EvaluateOptions {
    /// The game.
    pub game: String,
    /// The configuration of the game.
    pub table: Value,
    /// The file of the network.
    pub model: PathBuf,
    /// How the network plays: `puct` with its options, without the model.
    pub bot: BotSpec,
    /// The opponents; the first one is the zero of the Elo scale.
    pub opponents: Vec<BotSpec>,
    /// Games against each opponent, in blocks that share their chance events.
    pub games: u64,
    /// The number of random opening decisions of the games of a block.
    pub openings: u32,
    /// A sequential test that ends each match when it is decided.
    pub sprt: Option<Sprt>,
    /// The random seed.
    pub seed: u64,
    /// The number of threads; 0 means one per core.
    pub threads: usize,
}

/// The result of a network against one opponent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Against {
    /// The opponent.
    pub opponent: String,
    /// Games played.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The mean score, between 0 and 1.
    pub score: f64,
    /// The 95 % interval of the score.
    #[serde(flatten)]
    pub interval: Interval,
    /// The winnings, in games for stakes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winnings: Option<Winnings>,
    /// The state of the sequential test, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}

/// The result of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evaluated {
    /// The game.
    pub game: &'static str,
    /// The file of the network.
    pub model: PathBuf,
    /// How the network played.
    pub bot: String,
    /// The random seed.
    pub seed: u64,
    /// The result against each opponent.
    pub against: Vec<Against>,
    /// The ratings; the network is called `network 0`.
    pub ratings: Vec<LadderRating>,
    /// Whether all games were played.
    pub finished: bool,
}

/// Evaluates a network.
///
/// # Errors
///
/// When the game, table or network does not exist, or a bot cannot play the game.
pub fn evaluate(
    options: &EvaluateOptions,
    progress: &TrainProgress,
) -> Result<Evaluated, TrainError> {
    plays_by_network(&options.bot)
        .map_err(|message| TrainError::Setting { field: "bot".into(), message })?;
    let start = open_value(&options.game, &options.table).map_err(|error| match error {
        ValueError::Game(unknown) => TrainError::from(unknown),
        ValueError::Config(error) => meeple_bots::Error::Table { reason: error.to_string() }.into(),
    })?;
    let predictor = Network::load(&start.info(), &options.model)?.compile(Precision::Float);
    let mut evaluated = Evaluated {
        game: start.info().name,
        model: options.model.clone(),
        bot: options.bot.to_string(),
        seed: options.seed,
        against: Vec::new(),
        ratings: Vec::new(),
        finished: true,
    };
    let mut results = Vec::new();
    let first = Entrant { bot: &options.bot, network: Some(&predictor) };
    let gauntlet = (0..).zip(&options.opponents).map(|(number, opponent)| Match {
        game: &options.game,
        table: &options.table,
        first,
        others: Entrant { bot: opponent, network: None },
        games: options.games,
        openings: options.openings,
        max_decisions: None,
        seed: Rng::new(options.seed).split(number),
        threads: options.threads,
        stop: progress.switch().clone(),
    });
    let gauntlet: Vec<Match<'_>> = gauntlet.collect();
    // Bots that cannot play are rejected before the first game.
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
        results.push(MatchResult::new(0, opponent.to_string(), &tally));
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
        evaluated.ratings = ratings(&results, &anchor.to_string());
    }
    Ok(evaluated)
}
