//! What can be wrong with a network, a batch or a file.

use std::path::PathBuf;

/// Why a network cannot be had, trained, read or written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NetError {
    /// A size or an option makes no sense.
    #[error("{option} is {value}, expected {expected}")]
    BadOption {
        /// The option's name.
        option: &'static str,
        /// What it was set to.
        value: f64,
        /// What it may be.
        expected: &'static str,
    },
    /// A buffer or a list does not fit.
    #[error("{what} has {got} entries, expected {expected}")]
    WrongLength {
        /// The buffer's name.
        what: &'static str,
        /// How many entries fit.
        expected: usize,
        /// How many there are.
        got: usize,
    },
    /// A batch holds nothing to learn from.
    #[error("the batch is empty: add at least one example")]
    EmptyBatch,
    /// An example of a batch makes no sense.
    #[error("example {example}: {reason}")]
    BadExample {
        /// Its number in the batch.
        example: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// Training went astray; the weights are those before this batch.
    #[error("{what} is {value}, expected a finite number: training has diverged")]
    NotFinite {
        /// What was computed.
        what: &'static str,
        /// What came out.
        value: f32,
    },
    /// Two networks are not of one form.
    #[error("{what} is {got}, expected {expected}")]
    Mismatch {
        /// Where they differ.
        what: &'static str,
        /// What is wanted.
        expected: String,
        /// What there is.
        got: String,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What happened.
        reason: String,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {reason}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What happened.
        reason: String,
    },
    /// A file is no network of ours, or damaged.
    #[error("{} is not a network, or damaged: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file is from a later release.
    #[error("{} has version {version}, expected {expected} or earlier", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
        /// The latest version known.
        expected: u32,
    },
    /// A file holds a network for something else.
    #[error("{}: its {what} is {got}, expected {expected}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Where it differs.
        what: &'static str,
        /// What is wanted.
        expected: String,
        /// What the file has.
        got: String,
    },
    /// A file holds weights, but nothing to go on training from.
    #[error("{} holds weights alone, without the state of training", path.display())]
    NoTraining {
        /// The file.
        path: PathBuf,
    },
}

impl NetError {
    /// Refuses an option unless `is_good`.
    pub(crate) fn expect(
        is_good: bool,
        option: &'static str,
        value: f64,
        expected: &'static str,
    ) -> Result<(), Self> {
        if is_good { Ok(()) } else { Err(Self::BadOption { option, value, expected }) }
    }

    /// Refuses a buffer of the wrong length.
    pub(crate) fn expect_length(
        what: &'static str,
        expected: usize,
        got: usize,
    ) -> Result<(), Self> {
        if got == expected { Ok(()) } else { Err(Self::WrongLength { what, expected, got }) }
    }
}
