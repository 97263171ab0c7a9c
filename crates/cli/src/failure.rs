//! The failure of a command: its message and its exit code.

use std::io;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};

use crate::show;

/// The exit code after Ctrl-C: 128 + SIGINT, as shells report it.
pub(crate) const INTERRUPTED: u8 = 130;

/// The reason a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Usage error: exit code 2.
    Usage(anyhow::Error),
    /// Runtime error: exit code 1.
    Failed(anyhow::Error),
}

impl Failure {
    /// Returns a usage error.
    pub(crate) fn usage(error: impl Into<anyhow::Error>) -> Self {
        Self::Usage(error.into())
    }

    /// Classifies the error of a bot: a runtime error within a game, otherwise a usage error.
    pub(crate) fn of_bot(error: meeple_bots::Error) -> Self {
        match error {
            meeple_bots::Error::Failed { .. } => Self::Failed(error.into()),
            _ => Self::usage(error),
        }
    }

    /// Prints the message to stderr and returns the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        let (error, code) = match self {
            Self::Usage(error) => (error, 2),
            Self::Failed(error) => (error, 1),
        };
        let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
        show::remark(&format!("{red}error:{red:#} {error:#}"));
        ExitCode::from(code)
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::Failed(anyhow::anyhow!(
                "stdout was closed before all results were written"
            ));
        }
        Self::Failed(error.into())
    }
}
