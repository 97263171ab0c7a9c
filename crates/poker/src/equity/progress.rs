//! EquityProgress and cancellation of long calculations.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The progress of [`equity_with_progress`](super::equity_with_progress), and its
/// cancellation from another thread.
///
/// Stopped sampling returns the result of the deals so far. A stopped exact count
/// returns [`EquityError::Stopped`](super::EquityError::Stopped).
#[derive(Debug, Default)]
pub struct EquityProgress {
    sampling: AtomicBool,
    done: AtomicU64,
    stop: AtomicBool,
}

impl EquityProgress {
    /// The number of deals sampled so far.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Whether deals are sampled, so that [`stop`](Self::stop) gives a result.
    #[must_use]
    pub fn is_sampling(&self) -> bool {
        self.sampling.load(Ordering::Relaxed)
    }

    /// Cancels the calculation.
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
