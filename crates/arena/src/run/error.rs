//! The errors of running an experiment.

use std::path::PathBuf;

use meeple_files::Holder;

/// An error that ends a run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RunError {
    /// A file of the run cannot be written.
    #[error(
        "cannot write {path:?}: {reason}; what was finished is kept, and the same command goes on \
         from there"
    )]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        reason: String,
    },
    /// A file of the run cannot be read.
    #[error("cannot read {path:?}: {reason}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        reason: String,
    },
    /// The folder belongs to a run of another version.
    #[error(
        "{path:?} is a run of version {found}, and this program writes version {expected}: \
         give another folder"
    )]
    Version {
        /// The folder.
        path: PathBuf,
        /// Its version.
        found: String,
        /// The version of this program.
        expected: u32,
    },
    /// The folder belongs to another experiment.
    #[error(
        "{path:?} holds the results of another experiment, which differs in {field}: \
         give another folder, or start over with --fresh"
    )]
    Different {
        /// The folder.
        path: PathBuf,
        /// The first field that differs.
        field: String,
    },
    /// The folder contains files, but no run.
    #[error("{path:?} has files but no run in it: give another folder")]
    Occupied {
        /// The folder.
        path: PathBuf,
    },
    /// Another process is using the folder.
    #[error("{path:?} is in use by {holder}, which runs an experiment there")]
    Locked {
        /// The folder.
        path: PathBuf,
        /// The process that holds the lock.
        holder: Holder,
    },
    /// A record is damaged, and valid records follow it.
    #[error("{path:?} line {line} is damaged: restore the file, or start over with --fresh")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// A game failed.
    #[error("a game of {game} failed with seed {seed} (table {table}, config {config}): {reason}")]
    Game {
        /// The game.
        game: String,
        /// Its seed.
        seed: u64,
        /// Its table.
        table: usize,
        /// Its configuration.
        config: usize,
        /// What happened.
        reason: String,
    },
    /// A bot is invalid.
    #[error(transparent)]
    Bot(#[from] meeple_bots::Error),
}
