//! Hands in the PHH format (Kim 2024, poker hand history).

mod read;
#[cfg(test)]
mod tests;
mod write;

use meeple_game::Action;

use super::{Config, Holdem};
use crate::RecordedGame;

pub use read::parse_phh;
pub use write::phh;

/// A hand read from a PHH file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hand {
    /// The configuration.
    pub config: Config,
    /// The players' names; empty if the file has none.
    pub names: Vec<String>,
    /// All actions, including dealt cards.
    pub actions: Vec<Action>,
}

/// Reads the hands of a PHH or PHHS file.
///
/// # Errors
///
/// When a hand is invalid; the error has its line.
pub fn read_phh(text: &str) -> Result<Vec<RecordedGame>, PhhError> {
    let recorded =
        |Hand { config, names, actions }| RecordedGame::new::<Holdem>(&config, names, actions);
    Ok(parse_phh(text)?.into_iter().map(recorded).collect())
}

/// An invalid PHH file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct PhhError {
    /// The line, from 1.
    pub line: usize,
    /// The reason.
    pub reason: String,
}

/// User-defined PHH fields, which keep the bet sizes.
const BETTING: &str = "_betting";
const BETS: &str = "_bets";
const AMOUNTS: &str = "_amounts";
