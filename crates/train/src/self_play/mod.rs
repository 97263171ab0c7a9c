//! Self-play: each thread plays many games concurrently and evaluates their leaves in one
//! batch.

mod game;

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use meeple_arena::Samples;
use meeple_bots::Position;
use meeple_game::{Action, Game, Payoffs, Rng};
use meeple_search::{Evaluator, SearchError};

use crate::TrainError;
use crate::config::SelfPlayConfig;
use game::SelfPlayGame;

/// A finished self-play game.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame {
    /// Its number.
    pub game: u64,
    /// The decisions to train on.
    pub samples: Samples,
    /// All events of the game, chance outcomes included.
    pub actions: Vec<Action>,
    /// The payoff of each seat, or its expected payoff where the game was cut off.
    pub payoffs: Vec<f32>,
    /// Whether it was cut off.
    pub is_cut: bool,
}

/// Counters of the work so far, for progress displays.
#[derive(Debug, Default)]
pub struct Counters {
    /// Games finished.
    pub games: AtomicU64,
    /// States evaluated.
    pub evaluations: AtomicU64,
    /// Batches of evaluations.
    pub batches: AtomicU64,
    /// Decisions made, forced ones included.
    pub decisions: AtomicU64,
}

/// Self-play games of one network.
pub struct SelfPlay<'a> {
    /// The initial position.
    pub start: &'a dyn Position,
    /// The settings of self-play.
    pub config: &'a SelfPlayConfig,
    /// The random seed; each game has its own stream, by its number.
    pub seed: Rng,
    /// Threads to use.
    pub threads: usize,
    /// Returns whether to abandon the games.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
    /// The counters to update.
    pub counters: &'a Counters,
}

impl std::fmt::Debug for SelfPlay<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SelfPlay").field("config", self.config).finish_non_exhaustive()
    }
}

impl SelfPlay<'_> {
    /// Plays the games with these numbers and passes each to `take` when it is finished.
    /// Returns whether all were played.
    ///
    /// A game depends only on its number and on the evaluator, not on threads or on the other
    /// games in its batches.
    ///
    /// # Errors
    ///
    /// When an evaluator returns invalid values, or `take` fails.
    ///
    /// # Panics
    ///
    /// When the initial position is not of the game `G`.
    pub fn play<G: Game, E: Evaluator<G>>(
        &self,
        games: &[u64],
        evaluator: impl Fn() -> E + Sync,
        take: &mut dyn FnMut(PlayedGame) -> Result<(), TrainError>,
    ) -> Result<bool, TrainError> {
        let next = AtomicUsize::new(0);
        let left = AtomicBool::new(false);
        let (sender, receiver) = sync_channel(4 * self.config.at_once);
        thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                let (sender, next, left, evaluator) = (sender.clone(), &next, &left, &evaluator);
                scope.spawn(move || {
                    let worker = Worker { play: self, games, next, left, sender: &sender };
                    if let Err(error) = worker.run::<G>(evaluator()) {
                        // The receiver is gone if the other side failed first.
                        let _ = sender.send(Err(error));
                    }
                });
            }
            drop(sender);
            let mut taken = 0;
            let mut result = Ok(());
            for played in receiver {
                // After a failure, the channel is only drained, so that no worker blocks on a
                // full one.
                if result.is_ok() {
                    taken += 1;
                    result = played.map_err(TrainError::from).and_then(&mut *take);
                    left.store(result.is_err(), Ordering::Relaxed);
                }
            }
            result.map(|()| taken == games.len())
        })
    }
}

/// Returns the state of a position.
///
/// # Panics
///
/// When the position is not of the game `G`.
pub(crate) fn state_of<G: Game>(position: &dyn Position) -> &G {
    position.state().downcast_ref().expect("a position of the game")
}

/// A thread with its concurrent games.
struct Worker<'a> {
    play: &'a SelfPlay<'a>,
    games: &'a [u64],
    next: &'a AtomicUsize,
    left: &'a AtomicBool,
    sender: &'a SyncSender<Result<PlayedGame, SearchError>>,
}

impl Worker<'_> {
    fn run<G: Game>(&self, mut evaluator: impl Evaluator<G>) -> Result<(), SearchError> {
        let (config, counters) = (self.play.config, self.play.counters);
        let mut tables: Vec<SelfPlayGame<G>> = Vec::new();
        let mut idle: Vec<SelfPlayGame<G>> = Vec::new();
        let mut states: Vec<G> = Vec::new();
        let mut values: Vec<Payoffs> = Vec::new();
        let mut logits: Vec<f32> = Vec::new();
        // Networks are deterministic. A separate generator keeps evaluators that are not from
        // changing the games' own streams.
        let mut rng = Rng::new(0);
        loop {
            while tables.len() < config.at_once {
                let Some(&game) = self.games.get(self.next.fetch_add(1, Ordering::Relaxed)) else {
                    break;
                };
                let mut table = match idle.pop() {
                    Some(table) => table,
                    None => SelfPlayGame::new(config, self.play.start)?,
                };
                table.start(config, game, self.play.seed.split(game));
                tables.push(table);
            }
            let is_stopped = (self.play.is_stopped)();
            if tables.is_empty() || is_stopped || self.left.load(Ordering::Relaxed) {
                return Ok(());
            }
            states.clear();
            let mut at = 0;
            while at < tables.len() {
                let table = &mut tables[at];
                if let Some(played) = table.go_on(config)? {
                    counters.games.fetch_add(1, Ordering::Relaxed);
                    counters.decisions.fetch_add(table.decisions(), Ordering::Relaxed);
                    if self.sender.send(Ok(played)).is_err() {
                        return Ok(());
                    }
                    idle.push(tables.swap_remove(at));
                } else {
                    states.extend_from_slice(table.leaves());
                    at += 1;
                }
            }
            let Some(width) = states.first().map(Game::actions) else { continue };
            values.resize(states.len(), Payoffs::default());
            logits.resize(states.len() * width, 0.0);
            evaluator.evaluate(&states, &mut rng, &mut values, &mut logits);
            counters.evaluations.fetch_add(states.len() as u64, Ordering::Relaxed);
            counters.batches.fetch_add(1, Ordering::Relaxed);
            let mut first = 0;
            for table in &mut tables {
                let end = first + table.leaves().len();
                let rows = &logits[first * width..end * width];
                table.apply(&values[first..end], rows)?;
                first = end;
            }
        }
    }
}
