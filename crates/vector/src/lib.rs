//! Vectorized environments: many tables of one game, stepped together for batched learners.
//!
//! A [`VectorEnv`] holds many tables of a game that is chosen at run time. A step takes an
//! action for each table, plays chance events and opponents up to the learner's next decision,
//! and writes the observations there into arrays that belong to the caller. Tables are
//! distributed over threads, and each has its own random streams: an episode depends on its
//! seed and on the actions, never on the number of threads.
//!
//! ```
//! use meeple_vector::{Arrays, VectorOptions, open};
//!
//! let mut env = open("connect-four", None, &VectorOptions { tables: 8, ..Default::default() })?;
//! let mut arrays = Arrays::new(env.shape());
//! env.reset(&[7; 8], None, arrays.frame())?;
//! let mut actions = vec![0; 8];
//! for _ in 0..100 {
//!     env.sample(&mut actions)?;
//!     env.step(&actions, arrays.frame())?;
//! }
//! assert!(arrays.seats.iter().all(|seat| (-1..2).contains(seat)));
//! # Ok::<_, meeple_vector::VectorError>(())
//! ```

mod arrays;
mod cells;
mod environment;
mod error;
mod memory;
mod open;
mod options;
mod saved;
mod tables;

pub use arrays::{Arrays, Frame, Questions};
pub use cells::{Cells, Encoding, Numbers};
pub use error::VectorError;
pub use open::{Shape, VectorEnv, open, register};
pub use options::{Autoreset, Illegal, Learner, Opponent, VectorOptions};
pub use saved::SavedTable;
