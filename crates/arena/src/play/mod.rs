//! Matches, and the ordered parallel executor that plays their blocks.

mod executor;
mod matches;

pub(crate) use executor::{cores, in_order};
pub use matches::Match;
