//! Parallel search (Chaslot, Winands and van den Herik, 2008, "Parallel Monte-Carlo tree
//! search"). No other module starts threads.

mod atomic_tree;
mod root_parallel;
mod shared_tree;
mod worker;

use std::thread;

pub use root_parallel::RootParallel;
pub use shared_tree::SharedTree;

/// Runs `jobs` on a thread each and `own` on this one, and waits for all.
// Not generic: starting threads would be compiled again for every search of every game.
fn run_all(jobs: Vec<Box<dyn FnOnce() + Send + '_>>, own: &mut dyn FnMut()) {
    thread::scope(|scope| {
        for job in jobs {
            scope.spawn(job);
        }
        own();
    });
}
