//! Measures one network against bots: scores, Elo and error bars.

use std::path::PathBuf;

use meeple_arena::{BotSpec, Contender, Interval, Meeting, Points, Sprt, Verdict, wilson};
use meeple_game::{Game, Rng};
use meeple_games::registry::{Visit, with_game};
use meeple_net::{Network, Precision};
use serde::Serialize;
use serde_json::Value;

use crate::TrainError;
use crate::ladder::{Met, Standing, standings};
use crate::progress::Progress;

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
    /// A test that ends each contest when it is decided.
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
    pub standings: Vec<Standing>,
    /// Whether all games were played.
    pub finished: bool,
}

/// Measures a network.
///
/// # Errors
///
/// When there is no such game, table or network, or a bot cannot play it.
pub fn evaluate(options: &EvaluateOptions, progress: &Progress) -> Result<Evaluated, TrainError> {
    with_game(&options.game, Measure { options, progress })?
}

struct Measure<'a> {
    options: &'a EvaluateOptions,
    progress: &'a Progress,
}

impl Visit for Measure<'_> {
    type Out = Result<Evaluated, TrainError>;

    fn visit<G: Game>(self) -> Self::Out {
        let Self { options, progress } = self;
        let predictor = Network::load::<G>(&options.model)?.compile(Precision::Float);
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if options.threads == 0 { cores() } else { options.threads };
        let is_stopped = || progress.is_stopped();
        let mut evaluated = Evaluated {
            game: G::NAME,
            model: options.model.clone(),
            bot: options.bot.to_string(),
            seed: options.seed,
            against: Vec::new(),
            standings: Vec::new(),
            finished: true,
        };
        let mut met = Vec::new();
        let first = Contender { bot: &options.bot, network: Some(&predictor) };
        let meetings = (0..).zip(&options.opponents).map(|(number, opponent)| Meeting {
            game: &options.game,
            table: &options.table,
            first,
            others: Contender { bot: opponent, network: None },
            games: options.games,
            openings: options.openings,
            seed: Rng::new(options.seed).split(number),
            threads,
            is_stopped: &is_stopped,
        });
        let meetings: Vec<Meeting<'_>> = meetings.collect();
        // What cannot play is refused before anything is played.
        meetings.iter().try_for_each(Meeting::check)?;
        for meeting in &meetings {
            let opponent = meeting.others.bot;
            progress.enter(format!("against {opponent}"));
            let verdict = |so_far: &Points| options.sprt.map(|test| test.verdict(&so_far.blocks));
            let mut is_decided =
                |so_far: &Points| verdict(so_far).is_some_and(|verdict| verdict != Verdict::Open);
            let Some(tallied) = meeting.play(&mut is_decided)? else {
                evaluated.finished = false;
                break;
            };
            let games = tallied.games;
            progress.counters.games.fetch_add(games, std::sync::atomic::Ordering::Relaxed);
            met.push(Met::new(0, opponent.to_string(), &tallied));
            evaluated.against.push(Against {
                opponent: opponent.to_string(),
                games: tallied.games,
                wins: tallied.wins,
                draws: tallied.games - tallied.wins - tallied.losses,
                losses: tallied.losses,
                score: tallied.score(),
                interval: wilson(tallied.points.round() as u64, tallied.games),
                verdict: verdict(&tallied),
            });
        }
        if let Some(anchor) = options.opponents.first() {
            evaluated.standings = standings(&met, &anchor.to_string());
        }
        Ok(evaluated)
    }
}
