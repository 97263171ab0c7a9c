//! Benchmark suites: how fast games, searches, networks, hand ranking and rules are on one core, and how
//! cost grows with threads and sizes.
//!
//! They are a crate of their own because a benchmark compiles the code that it measures: here it
//! is optimized as in the crates that play, and the command line need not be.
//!
//! ```
//! use meeple_bench::{Bench, Suite};
//!
//! let mut bench = Bench::new(Some("tic-tac-toe/key"), &|_| {}, &|| false);
//! bench.measure(Suite::Games);
//! assert_eq!(bench.rows().len(), 1);
//! ```

mod files;
mod games;
mod measure;
mod net;
mod plan;
mod poker;
mod row;
mod scale;
mod search;
mod solver;
mod wide;

pub use games::register;
pub use measure::{Bench, Suite};
pub use row::{Row, Unit};
