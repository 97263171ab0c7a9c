//! Parallel search (Chaslot, Winands and van den Herik, 2008, "Parallel Monte-Carlo tree
//! search"). No other module starts threads.

mod atomic_tree;
mod root_parallel;
mod shared_tree;
mod tree_parallel;
mod worker;

pub use root_parallel::RootParallel;
pub use shared_tree::SharedTree;
pub use tree_parallel::TreeParallel;
