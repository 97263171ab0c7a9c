//! What can be wrong with a spot, a line or a file.

use std::path::PathBuf;

use meeple_poker::{Card, CardSet};

use crate::{ParseSizeError, Seat};

/// An error of the solver.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The board has the wrong number of cards.
    #[error("expected a board of three to five cards, found {found}")]
    Board {
        /// The number of cards.
        found: usize,
    },
    /// A range has no hand left.
    #[error(
        "the range of {} is empty{}",
        seat.name(),
        if *.clashes { format!(": each of its hands has a card of the board {board}") } else { String::new() }
    )]
    EmptyRange {
        /// Whose range it is.
        seat: Seat,
        /// Whether it has hands that the board excludes.
        clashes: bool,
        /// The board.
        board: CardSet,
    },
    /// Every hand of one player excludes every hand of the other.
    #[error("the ranges share their cards: no hand of OOP can be held against a hand of IP")]
    NoDeal,
    /// A number is out of its bounds.
    #[error("{name}: expected a number from 0 to {most}, found {found}")]
    Number {
        /// The name of the option.
        name: &'static str,
        /// Its value.
        found: f64,
        /// The largest value that makes sense.
        most: f64,
    },
    /// A number of chips is out of its bounds.
    #[error("{name}: expected 1 to 4194304 chips, found {found}; count in larger chips")]
    Chips {
        /// The name of the option.
        name: &'static str,
        /// The number of chips.
        found: u32,
    },
    /// A bet size is not valid notation.
    #[error(transparent)]
    Size(#[from] ParseSizeError),
    /// Nobody can do anything but check.
    #[error("the sizes make no tree: nobody can bet on any street; give bet sizes such as 50%")]
    NoDecision,
    /// The betting tree is too large.
    #[error(
        "the betting tree has more than {most} nodes before any card is dealt: give fewer sizes, \
         or a larger force-all-in threshold"
    )]
    TooManyLines {
        /// The limit.
        most: usize,
    },
    /// The game does not fit in memory.
    #[error("{}", std::fmt::from_fn(|f| crate::plan::too_large(f, plan, *limit)))]
    Memory {
        /// Its size.
        plan: Box<crate::MemoryPlan>,
        /// The bytes allowed.
        limit: u64,
    },
    /// A line names an action that there is not.
    #[error("'{found}' at step {step} of the line: expected one of {expected}")]
    Step {
        /// The text found.
        found: String,
        /// Its place, from 1.
        step: usize,
        /// What is possible there.
        expected: String,
    },
    /// A card is dealt that is taken.
    #[error("{card} at step {step} of the line is on the board already")]
    CardTaken {
        /// The card.
        card: Card,
        /// Its place, from 1.
        step: usize,
    },
    /// A strategy was asked for where nobody acts.
    #[error("nobody acts after the line '{line}'")]
    NotDecision {
        /// The line.
        line: String,
    },
    /// Something is missing from a spot.
    #[error("{field} is missing")]
    Missing {
        /// The name of the field.
        field: &'static str,
    },
    /// A field of a spot cannot be read.
    #[error("{field}: {reason}")]
    Field {
        /// The name of the field.
        field: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// A text is no spot.
    #[error("{reason}")]
    Text {
        /// What is wrong, and where.
        reason: String,
    },
    /// A strategy to lock has the wrong length or entries.
    #[error("{reason}")]
    Lock {
        /// What is wrong.
        reason: String,
    },
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: std::io::Error,
    },
    /// A file is not a solution, of another version, or damaged.
    #[error("{}: {reason}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}
