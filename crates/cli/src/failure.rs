//! Why a command failed, in one sentence, with the right exit code.

use std::io;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};

/// The exit code after Ctrl-C, as shells have it.
pub(crate) const INTERRUPTED: u8 = 130;

/// Why a command did not do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What was asked for makes no sense: exit code 2.
    Usage(anyhow::Error),
    /// It made sense and did not work out: exit code 1.
    Failed(anyhow::Error),
}

impl Failure {
    /// What was asked for makes no sense.
    pub(crate) fn usage(error: impl Into<anyhow::Error>) -> Self {
        Self::Usage(error.into())
    }

    /// What a bot could not do: a failure if it happened in a game, and else a usage error.
    pub(crate) fn of_bot(error: meeple_arena::Error) -> Self {
        match error {
            meeple_arena::Error::Failed { .. } => Self::Failed(error.into()),
            _ => Self::usage(error),
        }
    }

    /// Says so on stderr.
    pub(crate) fn report(&self) -> ExitCode {
        let (error, code) = match self {
            Self::Usage(error) => (error, 2),
            Self::Failed(error) => (error, 1),
        };
        let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
        let line = format!("{red}error:{red:#} {error:#}\n");
        // Nothing is left to do when stderr is closed too.
        let _ = io::Write::write_all(&mut anstream::stderr().lock(), line.as_bytes());
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
