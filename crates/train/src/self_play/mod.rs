//! Games of a network against itself: many at once in each thread, their leaves
//! judged together.

mod game;

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use meeple_arena::Samples;
use meeple_game::{Action, Game, Payoffs, Rng};
use meeple_search::{Evaluator, SearchError};

use crate::TrainError;
use crate::config::SelfPlayConfig;
use game::SelfPlayGame;

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedGame {
    /// Its number.
    pub game: u64,
    /// The decisions to learn from.
    pub samples: Samples,
    /// Everything that was played, luck included.
    pub actions: Vec<Action>,
    /// What each seat got, or was expected to get where the game was cut off.
    pub payoffs: Vec<f32>,
    /// Whether it was cut off.
    pub is_cut: bool,
}

/// What was done so far, for those who watch.
#[derive(Debug, Default)]
pub struct Counters {
    /// Games finished.
    pub games: AtomicU64,
    /// States judged.
    pub evaluations: AtomicU64,
    /// Batches in which they were.
    pub batches: AtomicU64,
    /// Decisions made, forced ones included.
    pub decisions: AtomicU64,
}

/// Games to be played by one network.
pub struct SelfPlay<'a, G: Game> {
    /// The table.
    pub table: &'a G::Config,
    /// How games are played.
    pub config: &'a SelfPlayConfig,
    /// Where luck comes from; each game has a stream by its number.
    pub seed: Rng,
    /// Threads to use.
    pub threads: usize,
    /// Whether the games should be left.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
    /// What was done so far.
    pub counters: &'a Counters,
}

impl<G: Game> std::fmt::Debug for SelfPlay<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SelfPlay").field("config", self.config).finish_non_exhaustive()
    }
}

impl<G: Game> SelfPlay<'_, G> {
    /// Plays the games with these numbers and hands each over when it is
    /// finished; whether all were played.
    ///
    /// What happens in a game depends on its number and the evaluators alone,
    /// not on threads or on the games it is judged with.
    ///
    /// # Errors
    ///
    /// When an evaluator returns nonsense, or `take` fails.
    pub fn play<E: Evaluator<G>>(
        &self,
        games: &[u64],
        evaluator: impl Fn() -> E + Sync,
        mut take: impl FnMut(PlayedGame) -> Result<(), TrainError>,
    ) -> Result<bool, TrainError> {
        let next = AtomicUsize::new(0);
        let left = AtomicBool::new(false);
        let (sender, receiver) = sync_channel(4 * self.config.at_once);
        thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                let (sender, next, left, evaluator) = (sender.clone(), &next, &left, &evaluator);
                scope.spawn(move || {
                    let worker = Worker { play: self, games, next, left, sender: &sender };
                    if let Err(error) = worker.run(evaluator()) {
                        // Nobody listens when the other side failed first.
                        let _ = sender.send(Err(error));
                    }
                });
            }
            drop(sender);
            let mut taken = 0;
            let mut result = Ok(());
            for played in receiver {
                // After a failure, games are only waited for.
                if result.is_ok() {
                    taken += 1;
                    result = played.map_err(TrainError::from).and_then(&mut take);
                    left.store(result.is_err(), Ordering::Relaxed);
                }
            }
            result.map(|()| taken == games.len())
        })
    }
}

/// A thread and its tables.
struct Worker<'a, G: Game> {
    play: &'a SelfPlay<'a, G>,
    games: &'a [u64],
    next: &'a AtomicUsize,
    left: &'a AtomicBool,
    sender: &'a SyncSender<Result<PlayedGame, SearchError>>,
}

impl<G: Game> Worker<'_, G> {
    fn run(&self, mut evaluator: impl Evaluator<G>) -> Result<(), SearchError> {
        let (config, counters) = (self.play.config, self.play.counters);
        let mut tables: Vec<SelfPlayGame<G>> = Vec::new();
        let mut idle: Vec<SelfPlayGame<G>> = Vec::new();
        let mut states: Vec<G> = Vec::new();
        let mut values: Vec<Payoffs> = Vec::new();
        let mut logits: Vec<f32> = Vec::new();
        // Networks draw nothing; evaluators that do are judged apart from games.
        let mut rng = Rng::new(0);
        loop {
            while tables.len() < config.at_once {
                let Some(&game) = self.games.get(self.next.fetch_add(1, Ordering::Relaxed)) else {
                    break;
                };
                let mut table = match idle.pop() {
                    Some(table) => table,
                    None => SelfPlayGame::new(config, self.play.table)?,
                };
                table.start(config, self.play.table, game, self.play.seed.split(game));
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
            if states.is_empty() {
                continue;
            }
            values.resize(states.len(), Payoffs::default());
            logits.resize(states.len() * G::ACTIONS, 0.0);
            evaluator.evaluate(&states, &mut rng, &mut values, &mut logits);
            counters.evaluations.fetch_add(states.len() as u64, Ordering::Relaxed);
            counters.batches.fetch_add(1, Ordering::Relaxed);
            let mut first = 0;
            for table in &mut tables {
                let end = first + table.leaves().len();
                let rows = &logits[first * G::ACTIONS..end * G::ACTIONS];
                table.apply(&values[first..end], rows)?;
                first = end;
            }
        }
    }
}
