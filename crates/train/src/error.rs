//! Errors of training runs.

use std::path::{Path, PathBuf};

use meeple_arena::SampleError;
use meeple_files::Holder;
use meeple_net::NetError;
use meeple_search::SearchError;

/// Why a training run ended without its result.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// No game has this name.
    #[error(transparent)]
    UnknownGame(#[from] meeple_games::registry::UnknownGame),
    /// A setting is invalid.
    #[error("{field}: {message}")]
    Setting {
        /// The field.
        field: String,
        /// What is wrong, and what was expected.
        message: String,
    },
    /// A file of the run cannot be written.
    #[error(
        "cannot write {}: {reason}; what was finished is kept, and --resume goes on from there",
        path.display()
    )]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        reason: String,
    },
    /// The first files of a run cannot be written.
    #[error(
        "cannot write {}: {reason}; the run has not begun, and the same command starts it again",
        path.display()
    )]
    NotBegun {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        reason: String,
    },
    /// A file of the run cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// There is no run to resume.
    #[error("{} holds no training run: it has no state.json", path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
    },
    /// The folder already holds a run.
    #[error(
        "{0} holds a training run already: go on with it by --resume {0}, or give another folder",
        path.display()
    )]
    Exists {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds files of something else.
    #[error("{} is not empty and holds no training run: give another folder", path.display())]
    Occupied {
        /// The folder.
        path: PathBuf,
    },
    /// Another process is training in the folder.
    #[error("{} is in use by {holder}, which trains there", path.display())]
    Locked {
        /// The folder.
        path: PathBuf,
        /// The process that holds the lock.
        holder: Holder,
    },
    /// The run was written by another version of the format.
    #[error("{} is a run of version {found}, expected version {expected}", path.display())]
    Version {
        /// The folder.
        path: PathBuf,
        /// The version that was found.
        found: String,
        /// The supported version.
        expected: u32,
    },
    /// A setting was changed that must stay the same.
    #[error(
        "{field} differs from that of the run in {}: such a run is another one, start it in \
         another folder",
        path.display()
    )]
    Changed {
        /// The folder.
        path: PathBuf,
        /// The field.
        field: &'static str,
    },
    /// The network has diverged.
    #[error(
        "iteration {iteration}: {reason}; the last good network is {}, and a lower \
         learning.rates helps",
        checkpoint.display()
    )]
    Diverged {
        /// The iteration.
        iteration: u64,
        /// What happened.
        reason: String,
        /// The last checkpoint before the divergence.
        checkpoint: PathBuf,
    },
    /// There is no decision to learn from.
    #[error("the buffer is empty: no decision of {games} games had a choice to learn from")]
    EmptyBuffer {
        /// The number of games played.
        games: u64,
    },
    /// A network or its file is invalid.
    #[error(transparent)]
    Net(NetError),
    /// A search failed.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A bot cannot be built.
    #[error(transparent)]
    Bot(#[from] meeple_bots::Error),
}

impl From<NetError> for TrainError {
    fn from(error: NetError) -> Self {
        match error {
            NetError::Write { path, reason } => Self::Write { path, reason },
            other => Self::Net(other),
        }
    }
}

impl TrainError {
    pub(crate) fn write(path: &Path, error: &dyn std::fmt::Display) -> Self {
        Self::Write { path: path.to_owned(), reason: error.to_string() }
    }

    pub(crate) fn read(path: &Path, error: &dyn std::fmt::Display) -> Self {
        Self::Read { path: path.to_owned(), reason: error.to_string() }
    }

    pub(crate) fn samples(path: &Path, error: &SampleError) -> Self {
        match error {
            SampleError::Unwritable { .. } => Self::write(path, error),
            _ => Self::read(path, error),
        }
    }
}
