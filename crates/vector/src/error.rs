//! What can be wrong with a vector of tables, or with what it is given.

use meeple_game::Action;

/// Why there is no such vector, or why a step was refused; every table is as before.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum VectorError {
    /// There is no such game or table.
    #[error(transparent)]
    Open(#[from] meeple_bots::OpenError),
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] meeple_games::registry::UnknownGame),
    /// An opponent cannot play here.
    #[error(transparent)]
    Opponent(#[from] meeple_bots::Error),
    /// An opponent is another program.
    #[error("opponent {0}: other programs cannot sit at many tables at once")]
    Program(String),
    /// The learner's seat does not exist.
    #[error("seat is {seat}, expected 0 to {}", players - 1)]
    Seat {
        /// What was asked for.
        seat: usize,
        /// The seats at a table.
        players: usize,
    },
    /// More or fewer opponents than seats.
    #[error("{got} opponents, expected {}", if *seats == 0 { "none: the caller has all seats".into() } else { format!("one for all or {seats}") })]
    Opponents {
        /// How many were named.
        got: usize,
        /// How many seats are theirs.
        seats: usize,
    },
    /// More tables than memory holds.
    #[error("{tables} tables take about {} MB, expected at most the {} MB that are free", bytes >> 20, free >> 20)]
    Memory {
        /// How many were asked for.
        tables: usize,
        /// The bytes that they take, arrays included.
        bytes: u128,
        /// The bytes that are free.
        free: u128,
    },
    /// Tables cannot be written down.
    #[error("opponent {0} does not play the same again, so its games cannot be written down")]
    Unrepeatable(String),
    /// Tables that were written down are of another vector.
    #[error(
        "saved table {table}: action {action} is not legal there, expected tables of this game"
    )]
    Saved {
        /// Its number.
        table: usize,
        /// What cannot be played.
        action: u16,
    },
    /// It was interrupted; the tables must be reset before they go on.
    #[error("the tables were interrupted: expected a reset next")]
    Stopped,
    /// A vector without tables.
    #[error("there are 0 tables, expected at least 1")]
    NoTables,
    /// An array does not fit.
    #[error("{what} has {got} entries, expected {expected}")]
    Length {
        /// Which array.
        what: &'static str,
        /// How many entries fit.
        expected: usize,
        /// How many there are.
        got: usize,
    },
    /// An array holds another kind of number than the vector writes.
    #[error("{what} holds {got}, expected {expected}")]
    Encoding {
        /// Which array.
        what: &'static str,
        /// What fits.
        expected: &'static str,
        /// What it holds.
        got: &'static str,
    },
    /// An action that no table of this game has.
    #[error("table {table}: action {action} is out of range, expected 0 to {}", actions - 1)]
    OutOfRange {
        /// Where.
        table: usize,
        /// The action.
        action: i64,
        /// The number of actions of the game.
        actions: usize,
    },
    /// An action that is not legal where it was to be played.
    #[error(
        "table {table}: action {action} is not legal here, expected one of {}",
        numbers(choices)
    )]
    Illegal {
        /// Where.
        table: usize,
        /// The action.
        action: i64,
        /// What is legal there.
        choices: Vec<Action>,
    },
    /// A game has ended, and nobody has begun a new one.
    #[error("table {table}: the game has ended, expected a reset before the next step")]
    Ended {
        /// Where.
        table: usize,
    },
    /// No game has begun yet.
    #[error("no game has begun, expected a reset first")]
    NotReset,
    /// Opponents outside have not answered yet.
    #[error("opponents have not answered at {0} tables, expected their actions or a reset")]
    Waiting(usize),
    /// A table that does not exist.
    #[error("table {table} does not exist, expected 0 to {}", tables - 1)]
    NoTable {
        /// What was asked for.
        table: usize,
        /// How many there are.
        tables: usize,
    },
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
}

fn numbers(choices: &[Action]) -> String {
    let numbers: Vec<String> = choices.iter().map(|choice| choice.0.to_string()).collect();
    numbers.join(", ")
}
