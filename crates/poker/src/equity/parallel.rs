//! Numbered batches of work on several threads, with results in order, so that
//! nothing depends on the number of threads.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Returns `work(0)` to `work(count - 1)`, run on up to `threads` threads; 0 means
/// all of the machine.
pub(crate) fn run_batches<T: Send>(
    count: usize,
    threads: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let threads = match threads {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        threads => threads,
    };
    if threads == 1 || count <= 1 {
        return (0..count).map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let batch = next.fetch_add(1, Ordering::Relaxed);
            if batch >= count {
                return done;
            }
            done.push((batch, work(batch)));
        }
    };
    let mut results: Vec<(usize, T)> = thread::scope(|scope| {
        let workers: Vec<_> = (1..threads.min(count)).map(|_| scope.spawn(take)).collect();
        let mut results = take();
        for worker in workers {
            match worker.join() {
                Ok(done) => results.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    });
    results.sort_unstable_by_key(|&(batch, _)| batch);
    results.into_iter().map(|(_, result)| result).collect()
}
