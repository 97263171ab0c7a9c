//! The occupants of seats, and the validation of bots.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use meeple_bots::{BotSpec, Level, Position, SearchSpec, Size};
use meeple_game::{GameInfo, MAX_ACTIONS};
use serde::{Deserialize, Serialize};

use crate::error::ApiError;
use crate::files::resolve_inside;
use crate::{Limits, Options};

/// The maximum number of playouts per action of a flat bot, which cannot be stopped.
const MAX_PLAYOUTS: u32 = 1_000;
/// The maximum number of threads or workers of a search.
const MAX_WORKERS: u32 = 64;
/// The maximum memory of a search.
const MAX_MEMORY: Size = Size::megabytes(1024);
/// The maximum size of a network file.
const MAX_NETWORK_SIZE: u64 = 512 * 1024 * 1024;

/// The occupant of a seat: `person`, or a bot specification.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) enum Seat {
    /// A person, written `person`.
    Human,
    /// A bot.
    Bot(BotSpec),
}

impl Seat {
    pub(crate) const fn is_human(&self) -> bool {
        matches!(self, Self::Human)
    }

    /// Returns the validated bot of this seat at a table, with its level and its network path
    /// resolved; `None` for a person. Rejects bots that would give callers access to programs, files or too many
    /// resources.
    pub(crate) fn resolve_bot(
        &self,
        table: &GameInfo,
        options: &Options,
    ) -> Result<Option<BotSpec>, ApiError> {
        match self {
            Self::Human => Ok(None),
            Self::Bot(bot) => resolve(&bot.at(table), options).map(Some),
        }
    }
}

fn resolve(bot: &BotSpec, options: &Options) -> Result<BotSpec, ApiError> {
    match bot {
        BotSpec::Random | BotSpec::Greedy | BotSpec::Registered(_) | BotSpec::Level(_) => {
            Ok(bot.clone())
        }
        BotSpec::Weighted { bot, weights } => Ok(BotSpec::Weighted {
            bot: Box::new(resolve(bot, options)?),
            weights: weights.clone(),
        }),
        BotSpec::External(_) => {
            Err(ApiError::Forbidden(format!("bot {bot}: the lab does not run external programs")))
        }
        BotSpec::Flat { playouts, .. } if *playouts > MAX_PLAYOUTS => Err(ApiError::BadRequest(
            format!("bot {bot}: the lab allows at most {MAX_PLAYOUTS} playouts"),
        )),
        BotSpec::Flat { .. } => Ok(bot.clone()),
        BotSpec::Search(spec) => {
            check_search(spec, &options.limits).map_err(|reason| {
                ApiError::BadRequest(format!("bot {bot}: the lab allows at most {reason}"))
            })?;
            let model = spec.model.as_deref();
            let model = model.map(|path| network(path, &options.runs)).transpose();
            let model =
                model.map_err(|reason| ApiError::Forbidden(format!("bot {bot}: {reason}")))?;
            Ok(BotSpec::Search(SearchSpec { model, ..spec.clone() }))
        }
    }
}

fn check_search(spec: &SearchSpec, limits: &Limits) -> Result<(), String> {
    // A decision has at most this many legal actions.
    if spec.simulations(MAX_ACTIONS) > limits.iterations {
        return Err(format!("{} simulations", limits.iterations));
    }
    if spec.threads.max(spec.workers) > MAX_WORKERS {
        return Err(format!("{MAX_WORKERS} workers"));
    }
    if spec.memory > MAX_MEMORY {
        return Err(format!("a table of {MAX_MEMORY}"));
    }
    Ok(())
}

/// Resolves the file of a network; only files below the folder of runs are allowed.
fn network(path: &Path, runs: &Path) -> Result<PathBuf, String> {
    let expected = "expected the .safetensors file of a network below the folder of runs";
    let file = path.to_str().and_then(|path| resolve_inside(runs, path)).ok_or(expected)?;
    let metadata = std::fs::metadata(&file).map_err(|error| error.to_string())?;
    if !metadata.is_file() || file.extension().is_none_or(|kind| kind != "safetensors") {
        return Err(expected.into());
    }
    if metadata.len() > MAX_NETWORK_SIZE {
        return Err(format!("the network is larger than {MAX_NETWORK_SIZE} bytes"));
    }
    Ok(file)
}

/// Returns the default seats: a person, then bots of a middle level.
pub(crate) fn default_seats(first: &dyn Position) -> Vec<Seat> {
    let mut seats = vec![Seat::Bot(BotSpec::Level(Level::Club)); first.players()];
    seats[0] = Seat::Human;
    seats
}

/// Returns whether a bot acts immediately, without a search or playouts.
pub(crate) const fn is_instant(bot: &BotSpec) -> bool {
    matches!(bot, BotSpec::Random | BotSpec::Greedy)
}

impl FromStr for Seat {
    type Err = meeple_bots::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.trim() == "person" { Ok(Self::Human) } else { text.parse().map(Self::Bot) }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Human => f.write_str("person"),
            Self::Bot(bot) => bot.fmt(f),
        }
    }
}

impl TryFrom<String> for Seat {
    type Error = meeple_bots::Error;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Seat> for String {
    fn from(seat: Seat) -> Self {
        seat.to_string()
    }
}
