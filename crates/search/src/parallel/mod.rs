//! Parallel search (Chaslot, Winands and van den Herik, 2008, "Parallel Monte-Carlo tree
//! search"). No other module starts threads.

mod atomic_tree;
mod hot_nodes;
mod root_parallel;
mod shared_tree;
mod worker;

use std::thread;

pub use root_parallel::RootParallel;
pub use shared_tree::SharedTree;

/// Data that one thread writes while others read what is around it: on cache lines of its own,
/// two of them because neighbouring lines are prefetched in pairs.
#[derive(Debug, Default)]
#[repr(align(128))]
struct OwnLine<T>(T);

/// Runs `jobs` on a thread each and `own` on this one, and waits for all.
// Not generic: starting threads would be compiled again for every search of every game.
pub(crate) fn run_all(jobs: Vec<Box<dyn FnOnce() + Send + '_>>, own: &mut dyn FnMut()) {
    thread::scope(|scope| {
        for job in jobs {
            scope.spawn(job);
        }
        own();
    });
}
