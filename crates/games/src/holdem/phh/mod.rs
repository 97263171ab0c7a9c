//! Hands as text, in the PHH format that other poker programs read and write.

mod read;
#[cfg(test)]
mod tests;
mod write;

use meeple_game::Action;

use super::Config;

pub use read::parse_phh;
pub use write::phh;

/// A hand that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hand {
    /// The table.
    pub config: Config,
    /// Who sat there; empty where the file names nobody.
    pub names: Vec<String>,
    /// All that happened, cards included.
    pub actions: Vec<Action>,
}

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct PhhError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: String,
}

/// The fields that PHH leaves to programs, in which we keep the menu.
const BETTING: &str = "_betting";
const BETS: &str = "_bets";
const AMOUNTS: &str = "_amounts";
