//! Many tables of one game stepped together, for learners that think in batches.
//!
//! A [`VectorEnv`] is a game chosen at run time, so many times over. A step takes an
//! action for each table, lets luck and the opponents go on to the next decision of the
//! learner, and writes what is seen there into arrays that belong to the caller. Tables
//! are shared out to threads, and each draws from streams of its own: what happens at a
//! table depends on its seed and on the actions, never on the number of threads.
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
