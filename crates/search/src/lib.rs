//! Search for games with luck, hidden cards and many players.

pub mod solve;
