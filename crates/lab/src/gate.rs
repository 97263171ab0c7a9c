//! A gate that searches pass between two reports: it can be shut, and let single steps
//! through.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use meeple_search::StopFlag;

/// How long somebody waits at a shut gate before they go on: a page that was left must
/// not hold a search for ever.
const PATIENCE: Duration = Duration::from_secs(600);
/// How often those who wait look whether they were stopped.
const LOOK: Duration = Duration::from_millis(100);

#[derive(Debug, Default)]
pub(crate) struct Gate {
    state: Mutex<Passing>,
    changed: Condvar,
}

#[derive(Clone, Copy, Debug, Default)]
struct Passing {
    shut: bool,
    /// Steps that may be made while it is shut.
    steps: u32,
}

impl Gate {
    fn state(&self) -> MutexGuard<'_, Passing> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_shut(&self) -> bool {
        self.state().shut
    }

    pub(crate) fn set_shut(&self, shut: bool) {
        *self.state() = Passing { shut, steps: 0 };
        self.changed.notify_all();
    }

    /// Whether somebody who comes now would pass.
    pub(crate) fn is_passable(&self) -> bool {
        let state = self.state();
        !state.shut || state.steps > 0
    }

    /// Passes without waiting, and uses up a step where the gate is shut; whether it
    /// could be passed.
    pub(crate) fn try_pass(&self) -> bool {
        let mut state = self.state();
        let passes = !state.shut || state.steps > 0;
        if state.shut && passes {
            state.steps -= 1;
        }
        passes
    }

    /// Lets one step through.
    pub(crate) fn step(&self) {
        self.state().steps += 1;
        self.changed.notify_all();
    }

    /// Waits until the gate is open, a step is let through or `stop` is called.
    pub(crate) fn pass(&self, stop: &StopFlag) {
        let begun = Instant::now();
        let mut state = self.state();
        while state.shut && !stop.is_stopped() && begun.elapsed() < PATIENCE {
            if state.steps > 0 {
                state.steps -= 1;
                return;
            }
            let waited = self.changed.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn a_shut_gate_lets_steps_through_until_it_is_opened() {
        let (gate, stop, passed) = (Gate::default(), StopFlag::default(), AtomicU32::new(0));
        gate.set_shut(true);
        std::thread::scope(|scope| {
            let walker = scope.spawn(|| {
                for _ in 0..5 {
                    gate.pass(&stop);
                    passed.fetch_add(1, Ordering::SeqCst);
                }
            });
            gate.step();
            gate.step();
            while passed.load(Ordering::SeqCst) < 2 {
                std::thread::yield_now();
            }
            assert!(!walker.is_finished());
            gate.set_shut(false);
        });
        assert_eq!(passed.into_inner(), 5);
        gate.set_shut(true);
        assert!(!gate.is_passable() && !gate.try_pass());
        gate.step();
        assert!(gate.is_passable() && gate.try_pass() && !gate.try_pass());
        stop.stop();
        gate.pass(&stop);
    }
}
