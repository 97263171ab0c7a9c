//! What a run is doing, for those who watch, and the way to stop it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::ladder::LadderRating;
use crate::self_play::Counters;
use crate::state::IterationReport;

/// What a run is doing: filled by the run, looked at by others.
#[derive(Debug, Default)]
pub struct TrainProgress {
    /// What is counted while games are played.
    pub counters: Counters,
    stop: AtomicBool,
    board: Mutex<Board>,
}

/// What there is to see of a run.
#[derive(Clone, Debug, Default)]
pub struct Board {
    /// The game, and the folder of the run.
    pub title: String,
    /// What is being done.
    pub phase: String,
    /// Games of the iteration in progress.
    pub games: u64,
    /// Games finished when it began, by the counters.
    pub games_before: u64,
    /// Decisions in the buffer, and how many the window can grow to.
    pub buffer: (u64, u64),
    /// The iterations so far.
    pub history: Vec<IterationReport>,
    /// Who is how strong.
    pub ratings: Vec<LadderRating>,
    /// A game of the last iteration, in words.
    pub sample_game: String,
    /// Lines that nobody has read yet.
    pub(crate) lines: VecDeque<String>,
}

impl TrainProgress {
    /// Ends the run soon; what is finished is kept.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the run was asked to end.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// What there is to see.
    pub fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lines said since the last call.
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
