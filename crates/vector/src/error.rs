//! Errors of vectorized environments.

use meeple_game::Action;

/// Why a vector cannot be created, or why a step was rejected; every table is unchanged.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum VectorError {
    /// The game or the table does not exist.
    #[error(transparent)]
    Open(#[from] meeple_bots::OpenError),
    /// The game does not exist.
    #[error(transparent)]
    Game(#[from] meeple_games::registry::UnknownGame),
    /// An opponent cannot play this game.
    #[error(transparent)]
    Opponent(#[from] meeple_bots::Error),
    /// An opponent is an external program.
    #[error("opponent {0}: other programs cannot sit at many tables at once")]
    Program(String),
    /// The learner's seat does not exist.
    #[error("seat is {seat}, expected 0 to {}", players - 1)]
    Seat {
        /// The requested seat.
        seat: usize,
        /// The number of seats at a table.
        players: usize,
    },
    /// The number of opponents does not match the number of seats.
    #[error("{got} opponents, expected {}", if *seats == 0 { "none: the caller has all seats".into() } else { format!("one for all or {seats}") })]
    Opponents {
        /// The number of opponents given.
        got: usize,
        /// The number of seats that opponents fill.
        seats: usize,
    },
    /// The tables need more memory than there is.
    #[error("{tables} tables take about {} MB, expected at most the {} MB that are free", bytes >> 20, free >> 20)]
    Memory {
        /// The requested number of tables.
        tables: usize,
        /// The bytes that they need, arrays included.
        bytes: u128,
        /// The free bytes.
        free: u128,
    },
    /// The tables cannot be saved, because an opponent is not reproducible.
    #[error("opponent {0} does not play the same again, so its games cannot be written down")]
    Unrepeatable(String),
    /// A saved table does not fit this vector.
    #[error(
        "saved table {table}: action {action} is not legal there, expected tables of this game"
    )]
    Saved {
        /// The index of the table.
        table: usize,
        /// The action that cannot be played.
        action: u16,
    },
    /// A step was interrupted; the tables must be reset.
    #[error("the tables were interrupted: expected a reset next")]
    Stopped,
    /// The vector has no tables.
    #[error("there are 0 tables, expected at least 1")]
    NoTables,
    /// An array has the wrong length.
    #[error("{what} has {got} entries, expected {expected}")]
    Length {
        /// The array.
        what: &'static str,
        /// The expected number of entries.
        expected: usize,
        /// The number of entries.
        got: usize,
    },
    /// An array has the wrong element type.
    #[error("{what} holds {got}, expected {expected}")]
    Encoding {
        /// The array.
        what: &'static str,
        /// The expected element type.
        expected: &'static str,
        /// The element type of the array.
        got: &'static str,
    },
    /// An action id is out of range.
    #[error("table {table}: action {action} is out of range, expected 0 to {}", actions - 1)]
    OutOfRange {
        /// The index of the table.
        table: usize,
        /// The action.
        action: i64,
        /// The number of actions of the game.
        actions: usize,
    },
    /// An action is not legal.
    #[error(
        "table {table}: action {action} is not legal here, expected one of {}",
        numbers(choices)
    )]
    Illegal {
        /// The index of the table.
        table: usize,
        /// The action.
        action: i64,
        /// The legal actions.
        choices: Vec<Action>,
    },
    /// A game has ended and was not reset.
    #[error("table {table}: the game has ended, expected a reset before the next step")]
    Ended {
        /// The index of the table.
        table: usize,
    },
    /// No game has begun yet: the first call must be a reset.
    #[error("no game has begun, expected a reset first")]
    NotReset,
    /// External opponents have not answered yet.
    #[error("opponents have not answered at {0} tables, expected their actions or a reset")]
    Waiting(usize),
    /// The table does not exist.
    #[error("table {table} does not exist, expected 0 to {}", tables - 1)]
    NoTable {
        /// The requested index.
        table: usize,
        /// The number of tables.
        tables: usize,
    },
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// The requested number of threads.
        threads: usize,
        /// The error of the operating system.
        reason: String,
    },
}

fn numbers(choices: &[Action]) -> String {
    let numbers: Vec<String> = choices.iter().map(|choice| choice.0.to_string()).collect();
    numbers.join(", ")
}
