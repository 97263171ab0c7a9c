//! Errors of networks, batches and checkpoint files.

use std::path::PathBuf;

/// An error while creating, training, reading or writing a network.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NetError {
    /// A size or an option is out of range.
    #[error("{option} is {value}, expected {expected}")]
    BadOption {
        /// The option's name.
        option: &'static str,
        /// Its value.
        value: f64,
        /// The range of valid values.
        expected: &'static str,
    },
    /// A buffer or a list has the wrong length.
    #[error("{what} has {got} entries, expected {expected}")]
    WrongLength {
        /// The buffer's name.
        what: &'static str,
        /// The expected length.
        expected: usize,
        /// The actual length.
        got: usize,
    },
    /// A batch has no examples.
    #[error("the batch is empty: add at least one example")]
    EmptyBatch,
    /// An example of a batch is invalid.
    #[error("example {example}: {reason}")]
    BadExample {
        /// Its index in the batch.
        example: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// Training has diverged; the weights are those before this batch.
    #[error("{what} is {value}, expected a finite number: training has diverged")]
    NotFinite {
        /// The quantity that is not finite.
        what: &'static str,
        /// Its value: NaN or infinite.
        value: f32,
    },
    /// Two networks, or a network and a game, do not fit each other.
    #[error("{what} is {got}, expected {expected}")]
    Mismatch {
        /// The property in which they differ.
        what: &'static str,
        /// Its expected value.
        expected: String,
        /// Its actual value.
        got: String,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        reason: String,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {reason}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's error.
        reason: String,
    },
    /// A file is not a network checkpoint, or is damaged.
    #[error("{} is not a network, or is damaged: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file has a newer format version than this release reads.
    #[error("{} has version {version}, expected {expected} or earlier", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
        /// The latest version known.
        expected: u32,
    },
    /// A file holds a network with another signature.
    #[error("{}: its {what} is {got}, expected {expected}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The property that differs.
        what: &'static str,
        /// Its expected value.
        expected: String,
        /// Its value in the file.
        got: String,
    },
    /// A file holds weights, but no optimizer state to resume training from.
    #[error("{} holds weights only, expected a checkpoint with optimizer state", path.display())]
    NoTraining {
        /// The file.
        path: PathBuf,
    },
}

impl NetError {
    /// Returns an error for the option unless `is_good`.
    pub(crate) fn expect(
        is_good: bool,
        option: &'static str,
        value: f64,
        expected: &'static str,
    ) -> Result<(), Self> {
        if is_good { Ok(()) } else { Err(Self::BadOption { option, value, expected }) }
    }

    /// Returns an error if a buffer has the wrong length.
    pub(crate) fn expect_length(
        what: &'static str,
        expected: usize,
        got: usize,
    ) -> Result<(), Self> {
        if got == expected { Ok(()) } else { Err(Self::WrongLength { what, expected, got }) }
    }
}
