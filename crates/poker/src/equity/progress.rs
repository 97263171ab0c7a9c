//! How far a long question has come, and the way to cut it short.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Watches [`equity_watched`](super::equity_watched) from another thread.
///
/// Samples that are stopped are an answer too, of the deals so far. An exact count is
/// whole or nothing: stopped, it is [`EquityError::Stopped`](super::EquityError::Stopped).
#[derive(Debug, Default)]
pub struct Progress {
    sampling: AtomicBool,
    done: AtomicU64,
    stop: AtomicBool,
}

impl Progress {
    /// Deals sampled so far.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Whether deals are sampled, so that [`stop`](Self::stop) leaves an answer.
    #[must_use]
    pub fn is_sampling(&self) -> bool {
        self.sampling.load(Ordering::Relaxed)
    }

    /// Ends the work soon; samples with the deals so far.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(super) fn start_sampling(&self) {
        self.sampling.store(true, Ordering::Relaxed);
    }

    pub(super) fn add(&self, deals: u64) {
        self.done.fetch_add(deals, Ordering::Relaxed);
    }
}
