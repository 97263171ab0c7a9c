//! Bots that are other programs: who they are, how they are started, what ends them.

mod line;
mod process;
mod program;
mod uci;

use std::fmt;
use std::time::Duration;

use meeple_game::Game;
use serde::{Deserialize, Serialize};

use crate::bots::Options;
use crate::{Bot, Error};

/// How a program is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// A line of JSON for each question and answer, for any game.
    JsonLines,
    /// The protocol of chess engines.
    Uci,
}

/// A bot that is another program, with its options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalSpec {
    /// How it is spoken to.
    pub protocol: Protocol,
    /// The program and its arguments, parted by blanks; quotes hold together
    /// what has blanks.
    pub command: String,
    /// Milliseconds for a decision, after which the game is forfeit.
    pub time: u32,
    /// Positions that a UCI engine may search.
    pub nodes: Option<u32>,
    /// Plies that a UCI engine may search.
    pub depth: Option<u32>,
}

/// Why a seat lost without the game being over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{cause}: {detail}{}", with_stderr(stderr))]
pub struct Forfeit {
    /// What kind of failure it was.
    pub cause: Cause,
    /// What happened.
    pub detail: String,
    /// The last lines that the program wrote to its standard error.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<String>,
}

/// The ways to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The program ended, or its pipes were closed.
    Crash,
    /// No answer came in time.
    Timeout,
    /// The answer was no legal action.
    IllegalMove,
    /// The answer was none of the protocol's.
    Nonsense,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Crash => "crashed",
            Self::Timeout => "took too long",
            Self::IllegalMove => "illegal move",
            Self::Nonsense => "nonsense",
        })
    }
}

impl Forfeit {
    pub(crate) fn new(cause: Cause, detail: impl Into<String>) -> Self {
        Self { cause, detail: detail.into(), stderr: Vec::new() }
    }
}

/// What a program wrote to stderr, in one line.
fn with_stderr(lines: &[String]) -> String {
    if lines.is_empty() { String::new() } else { format!("; stderr: {}", lines.join(" | ")) }
}

/// What a program may take to start: engines load large files.
const START: Duration = Duration::from_secs(20);

impl ExternalSpec {
    /// Takes the options of a program out of those given.
    pub(crate) fn read(protocol: Protocol, options: &mut Options<'_>) -> Result<Self, Error> {
        let number = "a whole number from 1 to 100000000";
        let time = options.take("time", 10_000, 1..=100_000_000)?;
        let (mut nodes, mut depth) = (0, 0);
        if protocol == Protocol::Uci {
            nodes =
                options.take_as("nodes", 0, |&count| (1..=100_000_000).contains(&count), number)?;
            depth = options.take_as("depth", 0, |&count| (1..=1_000).contains(&count), number)?;
        }
        let command = options.take_required("command", "a program and its arguments")?;
        let given = |count: u32| (count > 0).then_some(count);
        Ok(Self { protocol, command, time, nodes: given(nodes), depth: given(depth) })
    }

    /// The bot's name without its options.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self.protocol {
            Protocol::JsonLines => "program",
            Protocol::Uci => "uci",
        }
    }

    /// Whether its protocol is for `G`.
    pub(crate) fn check<G: Game>(&self) -> Result<(), Error> {
        if self.protocol == Protocol::Uci && G::NAME != "chess" {
            let reason = "UCI is the protocol of chess engines";
            return Err(Error::WrongGame { bot: self.name(), game: G::NAME, reason });
        }
        Ok(())
    }

    /// Starts the program.
    pub(crate) fn build<G: Game>(&self, config: &G::Config) -> Result<Box<dyn Bot<G>>, Error> {
        self.check::<G>()?;
        let failed = |reason: Forfeit| Error::NoStart {
            command: self.command.clone(),
            reason: reason.to_string(),
        };
        Ok(match self.protocol {
            Protocol::JsonLines => {
                Box::new(program::Program::start::<G>(self, config).map_err(failed)?)
            }
            Protocol::Uci => Box::new(uci::UciEngine::start(self).map_err(failed)?),
        })
    }

    fn limit(&self) -> Duration {
        Duration::from_millis(self.time.into())
    }
}

impl fmt::Display for ExternalSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.name())?;
        if let Some(nodes) = self.nodes {
            write!(f, "nodes={nodes},")?;
        }
        if let Some(depth) = self.depth {
            write!(f, "depth={depth},")?;
        }
        write!(f, "time={},command={}", self.time, self.command)
    }
}
