//! Why an experiment could not be run to its end.

use std::path::PathBuf;

use meeple_files::Holder;

/// Why an experiment could not be run.
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
        /// What the system said.
        reason: String,
    },
    /// A file of the run cannot be read.
    #[error("cannot read {path:?}: {reason}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The folder belongs to a run of another release.
    #[error(
        "{path:?} is a run of version {found}, and this program writes version {expected}: \
         give another folder"
    )]
    Version {
        /// The folder.
        path: PathBuf,
        /// Its version.
        found: String,
        /// Ours.
        expected: u32,
    },
    /// The folder belongs to another experiment.
    #[error(
        "{path:?} holds the results of another experiment, which differs in {field}: \
         give another folder, or start anew with --fresh"
    )]
    Different {
        /// The folder.
        path: PathBuf,
        /// The first field that differs.
        field: String,
    },
    /// The folder has files that are not of a run.
    #[error("{path:?} has files but no run in it: give another folder")]
    Occupied {
        /// The folder.
        path: PathBuf,
    },
    /// Another process writes there.
    #[error("{path:?} is in use by {holder}, which runs an experiment there")]
    Locked {
        /// The folder.
        path: PathBuf,
        /// Who holds it.
        holder: Holder,
    },
    /// A record is damaged, with good ones after it.
    #[error("{path:?} line {line} is damaged: restore the file, or start anew with --fresh")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// A game could not be played.
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
    /// A bot cannot be had.
    #[error(transparent)]
    Bot(#[from] meeple_bots::Error),
}
