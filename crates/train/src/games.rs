//! The self-play games of one iteration, without those that the journal already holds.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use meeple_bots::Position;
use meeple_game::Rng;
use meeple_net::Network;

use crate::TrainError;
use crate::any_game::AnyGame;
use crate::config::{Precision, TrainConfig};
use crate::journal::Journal;
use crate::progress::TrainProgress;
use crate::self_play::{PlayedGame, SelfPlay};

/// The settings of self-play in one run.
pub(crate) struct Games<'a> {
    pub(crate) config: &'a TrainConfig,
    pub(crate) game: &'static dyn AnyGame,
    pub(crate) start: &'a dyn Position,
    pub(crate) progress: &'a TrainProgress,
    pub(crate) seed: Rng,
    pub(crate) threads: usize,
}

/// The result of self-play in one iteration.
pub(crate) struct Played {
    /// All games of the iteration, in order.
    pub(crate) games: Vec<PlayedGame>,
    /// States evaluated.
    pub(crate) evaluations: u64,
    /// Batches of evaluations.
    pub(crate) batches: u64,
    /// Wall-clock seconds.
    pub(crate) seconds: f64,
    /// Games that were not read from the journal.
    pub(crate) fresh: u64,
}

impl Games<'_> {
    /// Plays the games of an iteration that the journal does not hold; `None` if it was
    /// stopped.
    pub(crate) fn play(
        &self,
        actor: &Network,
        first: u64,
        mut journal: Journal,
        before: Vec<PlayedGame>,
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Played>, TrainError> {
        let wanted = first..first + self.config.self_play.games;
        let missing: Vec<u64> =
            wanted.filter(|number| before.iter().all(|played| played.game != *number)).collect();
        let counters = &self.progress.counters;
        {
            let mut board = self.progress.board();
            board.games = missing.len() as u64;
            board.games_before = counters.games.load(Ordering::Relaxed);
        }
        let precision = match self.config.self_play.precision {
            Precision::Float => meeple_net::Precision::Float,
            Precision::Byte => meeple_net::Precision::Int8,
        };
        let play = SelfPlay {
            start: self.start,
            config: &self.config.self_play,
            seed: self.seed.clone(),
            threads: self.threads,
            is_stopped,
            counters,
        };
        let start = Instant::now();
        let counted = || {
            let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
            (load(&counters.evaluations), load(&counters.batches))
        };
        let (evaluations, batches) = counted();
        let mut games = before;
        let mut take = |played: PlayedGame| {
            journal.add(&played)?;
            games.push(played);
            Ok(())
        };
        let is_whole = self.game.play(&play, &actor.compile(precision), &missing, &mut take)?;
        if !is_whole {
            return Ok(None);
        }
        games.sort_by_key(|played| played.game);
        let now = counted();
        Ok(Some(Played {
            games,
            evaluations: now.0 - evaluations,
            batches: now.1 - batches,
            seconds: start.elapsed().as_secs_f64(),
            fresh: missing.len() as u64,
        }))
    }
}
