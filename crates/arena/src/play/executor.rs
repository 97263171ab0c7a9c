//! An ordered parallel executor: units run in any order, results arrive in sequence.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use meeple_bots::Error;

/// Runs `work` for each unit on several threads and passes the results to `take` in the order of
/// units, whatever the order in which threads finish them. Returns `true` if all units are done
/// or `take` returned [`ControlFlow::Break`].
///
/// Each thread has its own state, created by `start`. `work` returns `None` if it abandoned its
/// unit. It should do so once the flag passed to it is set, because the result is no longer
/// needed. Zero threads means one for each core.
///
/// # Errors
///
/// When a thread cannot start, and the first error of `work` and `take`, in the order of units.
pub(crate) fn in_order<S, T: Send, E: From<Error> + Send>(
    threads: usize,
    units: Range<u64>,
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, u64, &AtomicBool) -> Result<Option<T>, E> + Sync,
    mut take: impl FnMut(u64, T) -> Result<ControlFlow<()>, E>,
) -> Result<bool, E> {
    let threads = if threads == 0 { cores() } else { threads };
    let (next, stop) = (AtomicU64::new(units.start), AtomicBool::new(false));
    let (sender, receiver) = sync_channel(8 * threads);
    let (next, stop, end) = (&next, &stop, units.end);
    let (start, work) = (&start, &work);
    thread::scope(|scope| {
        // The scope owns the receiver. Dropping it on return unblocks workers that wait to send,
        // which would otherwise deadlock the join.
        let receiver = receiver;
        for _ in 0..threads {
            let sender = sender.clone();
            let worker = move || {
                let mut state = start();
                loop {
                    let unit = next.fetch_add(1, Ordering::Relaxed);
                    if unit >= end || stop.load(Ordering::Relaxed) {
                        return;
                    }
                    let Some(done) = work(&mut state, unit, stop).transpose() else { return };
                    if sender.send((unit, done)).is_err() {
                        return;
                    }
                }
            };
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, worker) {
                stop.store(true, Ordering::Relaxed);
                return Err(Error::Threads { threads, reason: error.to_string() }.into());
            }
        }
        drop(sender);
        let (mut expected, mut waiting) = (units.start, BTreeMap::new());
        while expected < end {
            let Ok((unit, done)) = receiver.recv() else { return Ok(false) };
            waiting.insert(unit, done);
            while let Some(done) = waiting.remove(&expected) {
                let taken = done.and_then(|done| take(expected, done));
                expected += 1;
                if !matches!(taken, Ok(ControlFlow::Continue(()))) {
                    stop.store(true, Ordering::Relaxed);
                    return taken.map(|_| true);
                }
            }
        }
        Ok(true)
    })
}

/// The number of hardware threads.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn run(
        threads: usize,
        units: u64,
        work: impl Fn(u64) -> Result<Option<u64>, Error> + Sync,
        last: u64,
    ) -> (Vec<u64>, Result<bool, Error>) {
        let mut taken = Vec::new();
        let take = |unit: u64, square: u64| {
            assert_eq!(square, unit * unit);
            taken.push(unit);
            Ok(if unit == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        };
        let done = in_order(threads, 0..units, || (), |(), unit, _| work(unit), take);
        (taken, done)
    }

    /// Early units take longest, so that they finish last.
    fn slow_first(unit: u64) -> Result<Option<u64>, Error> {
        thread::sleep(Duration::from_micros(200_u64.saturating_sub(20 * unit)));
        Ok(Some(unit * unit))
    }

    #[test]
    fn results_come_in_order() {
        for threads in [0, 1, 4] {
            let (taken, done) = run(threads, 50, slow_first, u64::MAX);
            assert_eq!(taken, (0..50).collect::<Vec<_>>());
            assert_eq!(done, Ok(true));
        }
    }

    #[test]
    fn work_ends_when_enough_was_taken() {
        let (taken, done) = run(3, u64::MAX, slow_first, 7);
        assert_eq!((taken.len(), done), (8, Ok(true)));
    }

    #[test]
    fn what_comes_after_an_error_or_a_gap_is_not_taken() {
        let failing = |unit| if unit == 5 { Err(Error::NothingToDecide) } else { slow_first(unit) };
        assert_eq!(
            run(3, 20, failing, u64::MAX),
            (vec![0, 1, 2, 3, 4], Err(Error::NothingToDecide))
        );
        let left = |unit| if unit == 5 { Ok(None) } else { slow_first(unit) };
        assert_eq!(run(3, 20, left, u64::MAX), (vec![0, 1, 2, 3, 4], Ok(false)));
    }
}
