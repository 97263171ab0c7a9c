//! The pause gate of a session: searches check it between reports, and can be paused and
//! single-stepped.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use meeple_search::StopFlag;

/// The maximum length of a pause: an abandoned page must not block a search forever.
const MAX_PAUSE: Duration = Duration::from_secs(600);
/// The interval at which a paused search checks its stop flag.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

#[derive(Debug, Default)]
pub(crate) struct PauseGate {
    state: Mutex<GateState>,
    changed: Condvar,
}

#[derive(Clone, Copy, Debug, Default)]
struct GateState {
    paused: bool,
    /// Steps that may pass while paused.
    steps: u32,
}

impl PauseGate {
    fn state(&self) -> MutexGuard<'_, GateState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.state().paused
    }

    pub(crate) fn set_paused(&self, paused: bool) {
        *self.state() = GateState { paused, steps: 0 };
        self.changed.notify_all();
    }

    /// Returns whether a search would pass without waiting.
    pub(crate) fn can_pass(&self) -> bool {
        let state = self.state();
        !state.paused || state.steps > 0
    }

    /// Passes without waiting, consuming a step if paused; returns whether it passed.
    pub(crate) fn try_pass(&self) -> bool {
        let mut state = self.state();
        let passes = !state.paused || state.steps > 0;
        if state.paused && passes {
            state.steps -= 1;
        }
        passes
    }

    /// Allows one more step.
    pub(crate) fn step(&self) {
        self.state().steps += 1;
        self.changed.notify_all();
    }

    /// Waits until the gate is resumed, a step is allowed or `stop` is set.
    pub(crate) fn wait(&self, stop: &StopFlag) {
        let started = Instant::now();
        let mut state = self.state();
        while state.paused && !stop.is_stopped() && started.elapsed() < MAX_PAUSE {
            if state.steps > 0 {
                state.steps -= 1;
                return;
            }
            let waited = self.changed.wait_timeout(state, POLL_INTERVAL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn a_paused_gate_passes_steps_until_it_is_resumed() {
        let (gate, stop, passed) = (PauseGate::default(), StopFlag::default(), AtomicU32::new(0));
        gate.set_paused(true);
        std::thread::scope(|scope| {
            let search = scope.spawn(|| {
                for _ in 0..5 {
                    gate.wait(&stop);
                    passed.fetch_add(1, Ordering::SeqCst);
                }
            });
            gate.step();
            gate.step();
            while passed.load(Ordering::SeqCst) < 2 {
                std::thread::yield_now();
            }
            assert!(!search.is_finished());
            gate.set_paused(false);
        });
        assert_eq!(passed.into_inner(), 5);
        gate.set_paused(true);
        assert!(!gate.can_pass() && !gate.try_pass());
        gate.step();
        assert!(gate.can_pass() && gate.try_pass() && !gate.try_pass());
        stop.stop();
        gate.wait(&stop);
    }
}
