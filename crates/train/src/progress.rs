//! The progress of a run, and the handle to stop it.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use meeple_search::StopFlag;

use crate::ladder::LadderRating;
use crate::self_play::Counters;
use crate::state::IterationReport;

/// The progress of a run: written by the run, read by observers.
#[derive(Debug, Default)]
pub struct TrainProgress {
    /// The counters of self-play.
    pub counters: Counters,
    stop: StopFlag,
    board: Mutex<Board>,
}

/// A snapshot of a run for display.
#[derive(Clone, Debug, Default)]
pub struct Board {
    /// The game, and the folder of the run.
    pub title: String,
    /// The current phase.
    pub phase: String,
    /// Games of the iteration in progress.
    pub games: u64,
    /// The value of the counter of games when the iteration began.
    pub games_before: u64,
    /// The number of decisions in the buffer, and the maximum size of the window.
    pub buffer: (u64, u64),
    /// The reports of all iterations so far.
    pub history: Vec<IterationReport>,
    /// The current ratings.
    pub ratings: Vec<LadderRating>,
    /// A game of the last iteration as text.
    pub sample_game: String,
    /// Log lines that have not been read yet.
    pub(crate) lines: VecDeque<String>,
}

impl TrainProgress {
    /// Stops the run soon; finished work is kept.
    pub fn stop(&self) {
        self.stop.stop();
    }

    /// Returns whether the run was asked to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_stopped()
    }

    /// The flag that [`stop`](Self::stop) sets and bots check.
    pub(crate) fn switch(&self) -> &StopFlag {
        &self.stop
    }

    /// Locks and returns the snapshot.
    pub fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the log lines since the last call.
    #[must_use]
    pub fn take_lines(&self) -> Vec<String> {
        self.board().lines.drain(..).collect()
    }

    pub(crate) fn say(&self, line: String) {
        self.board().lines.push_back(line);
    }

    pub(crate) fn enter(&self, phase: impl Into<String>) {
        self.board().phase = phase.into();
    }
}
