//! Matches, and the threads that play their blocks in order.

mod executor;
mod matches;

pub(crate) use executor::{cores, in_order};
pub use matches::Match;
