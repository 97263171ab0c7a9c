//! External programs as bots: their specification, start and failures.

#[cfg(target_os = "linux")]
mod descendants;
#[cfg(unix)]
mod gnubg;
mod line;
mod process;
mod program;
mod uci;

use std::any::Any;
use std::fmt;
use std::time::Duration;

use meeple_game::Game;
use meeple_games::backgammon::{Backgammon, CubeOwner};
use serde::{Deserialize, Serialize};

use crate::bots::Options;
use crate::{Bot, Error};

/// The protocol of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// One line of JSON for each question and each answer; for any game.
    JsonLines,
    /// The Universal Chess Interface.
    Uci,
    /// The socket of GNU Backgammon.
    Gnubg,
}

/// An external program, with its options.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternalSpec {
    /// The protocol.
    pub protocol: Protocol,
    /// The program and its arguments, separated by white space. Quotes group words.
    pub command: String,
    /// The time limit of a decision in milliseconds. A program that exceeds it forfeits.
    pub time: u32,
    /// The node limit of a UCI engine.
    pub nodes: Option<u32>,
    /// The depth limit of a UCI engine, in plies; the lookahead of GNU Backgammon, whose 0-ply
    /// looks at the positions after its own move.
    pub depth: Option<u32>,
    /// The standard deviation of the noise in the evaluations of GNU Backgammon.
    pub noise: f32,
}

/// The reason why a seat lost by forfeit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{cause}: {detail}{}", with_stderr(stderr))]
pub struct Forfeit {
    /// The kind of failure.
    pub cause: Cause,
    /// A description of the failure.
    pub detail: String,
    /// The last lines of the program's stderr.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<String>,
}

/// The kinds of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The program exited, or closed its pipes.
    Crash,
    /// The program did not answer in time.
    Timeout,
    /// The answer is not a legal action.
    IllegalMove,
    /// The answer violates the protocol.
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

/// Joins the lines of stderr for a message.
fn with_stderr(lines: &[String]) -> String {
    if lines.is_empty() { String::new() } else { format!("; stderr: {}", lines.join(" | ")) }
}

/// The time limit of the start. It is generous, because engines load large files.
const START: Duration = Duration::from_secs(20);

impl ExternalSpec {
    /// Takes the options of a program.
    pub(crate) fn read(protocol: Protocol, options: &mut Options<'_>) -> Result<Self, Error> {
        let number = "a whole number from 1 to 100000000";
        let time = options.take("time", 10_000, 1..=100_000_000)?;
        let (mut nodes, mut depth) = (0, 0);
        if protocol == Protocol::Uci {
            nodes =
                options.take_as("nodes", 0, |&count| (1..=100_000_000).contains(&count), number)?;
            depth = options.take_as("depth", 0, |&count| (1..=1_000).contains(&count), number)?;
        }
        let mut noise = 0.0;
        if protocol == Protocol::Gnubg {
            let plies = "a whole number from 0 to 7";
            depth = options.take_as("plies", 0, |&plies| plies <= 7, plies)?;
            noise = options.take_as(
                "noise",
                0.0,
                |noise| (0.0..=1.0).contains(noise),
                "a number from 0 to 1",
            )?;
        }
        let command = match protocol {
            Protocol::Gnubg => {
                options.take_as("command", "gnubg".to_owned(), |_| true, "a program")?
            }
            _ => options.take_required("command", "a program and its arguments")?,
        };
        let given = |count: u32| (count > 0).then_some(count);
        Ok(Self { protocol, command, time, nodes: given(nodes), depth: given(depth), noise })
    }

    /// Returns the bot's name, without its options.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self.protocol {
            Protocol::JsonLines => "program",
            Protocol::Uci => "uci",
            Protocol::Gnubg => "gnubg",
        }
    }

    /// Checks that the protocol supports the table.
    pub(crate) fn check<G: Game>(&self, config: &G::Config) -> Result<(), Error> {
        let game = G::new(config);
        let wrong = |reason| Err(Error::WrongGame { bot: self.name(), game: game.name(), reason });
        match self.protocol {
            Protocol::JsonLines => Ok(()),
            Protocol::Uci if game.name() != "chess" => {
                wrong("UCI is the protocol of chess engines")
            }
            Protocol::Uci => Ok(()),
            Protocol::Gnubg => match (&game as &dyn Any).downcast_ref::<Backgammon>() {
                _ if cfg!(not(unix)) => wrong("it is reached through a Unix socket"),
                None => wrong("GNU Backgammon plays backgammon"),
                Some(game) if game.cube_owner() != CubeOwner::Nobody => {
                    wrong("it is asked for moves only, expected a table without the cube")
                }
                Some(_) => Ok(()),
            },
        }
    }

    /// Starts the program.
    pub(crate) fn build<G: Game>(&self, config: &G::Config) -> Result<Box<dyn Bot<G>>, Error> {
        self.check::<G>(config)?;
        let failed = |reason: Forfeit| Error::NoStart {
            command: self.command.clone(),
            reason: reason.to_string(),
        };
        Ok(match self.protocol {
            Protocol::JsonLines => {
                Box::new(program::Program::start::<G>(self, config).map_err(failed)?)
            }
            Protocol::Uci => Box::new(uci::UciEngine::start(self).map_err(failed)?),
            #[cfg(unix)]
            Protocol::Gnubg => Box::new(gnubg::Gnubg::start(self).map_err(failed)?),
            #[cfg(not(unix))]
            Protocol::Gnubg => unreachable!("it is checked before"),
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
        match (self.protocol, self.depth) {
            (Protocol::Gnubg, plies) => {
                write!(f, "plies={},noise={},", plies.unwrap_or(0), self.noise)?;
            }
            (_, Some(depth)) => write!(f, "depth={depth},")?,
            (_, None) => {}
        }
        write!(f, "time={},command={}", self.time, self.command)
    }
}
