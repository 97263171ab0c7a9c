//! Who sits at a seat, and which bots a server lets sit there.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use meeple_arena::{BotSpec, Position, SearchSpec, Size};
use serde::{Deserialize, Serialize};

use crate::files::inside;
use crate::refusal::Refusal;
use crate::{Limits, Options};

/// The most random games for each action of a flat bot, which cannot be stopped.
const MOST_PLAYOUTS: u32 = 1_000;
/// The most threads or workers of a search.
const MOST_WORKERS: u32 = 64;
/// The most memory of a search.
const MOST_MEMORY: Size = Size::megabytes(1024);
/// The largest file of a network.
const LARGEST_NETWORK: u64 = 512 * 1024 * 1024;

/// Who sits at a seat: `person`, or a bot as commands write it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) enum Seat {
    /// Somebody at the page.
    Person,
    /// A bot.
    Bot(BotSpec),
}

impl Seat {
    pub(crate) const fn is_person(&self) -> bool {
        matches!(self, Self::Person)
    }

    /// The bot at this seat, ready to be built; nothing for a person. Refuses bots that
    /// may not be asked by whoever reaches the server or writes into its folder.
    pub(crate) fn admit(&self, options: &Options) -> Result<Option<BotSpec>, Refusal> {
        match self {
            Self::Person => Ok(None),
            Self::Bot(bot) => admit(bot, options).map(Some),
        }
    }
}

fn admit(bot: &BotSpec, options: &Options) -> Result<BotSpec, Refusal> {
    match bot {
        // Whoever runs the server registered the bot.
        BotSpec::Random | BotSpec::Greedy | BotSpec::Registered(_) => Ok(bot.clone()),
        BotSpec::Weighted { bot, weights } => {
            Ok(BotSpec::Weighted { bot: Box::new(admit(bot, options)?), weights: weights.clone() })
        }
        BotSpec::External(_) => {
            Err(Refusal::Forbidden(format!("bot {bot}: the lab starts no other programs")))
        }
        BotSpec::Flat { playouts } if *playouts > MOST_PLAYOUTS => {
            Err(Refusal::Wrong(format!("bot {bot}: the lab allows {MOST_PLAYOUTS} playouts")))
        }
        BotSpec::Flat { .. } => Ok(bot.clone()),
        BotSpec::Search(spec) => {
            check_search(spec, &options.limits)
                .map_err(|reason| Refusal::Wrong(format!("bot {bot}: the lab allows {reason}")))?;
            let model = spec.model.as_deref();
            let model = model.map(|path| network(path, &options.runs)).transpose();
            let model = model.map_err(|why| Refusal::Forbidden(format!("bot {bot}: {why}")))?;
            Ok(BotSpec::Search(SearchSpec { model, ..spec.clone() }))
        }
    }
}

fn check_search(spec: &SearchSpec, limits: &Limits) -> Result<(), String> {
    if u64::from(spec.sims) > limits.iterations {
        return Err(format!("{} simulations", limits.iterations));
    }
    if spec.threads.max(spec.workers) > MOST_WORKERS {
        return Err(format!("{MOST_WORKERS} workers"));
    }
    if spec.table > MOST_MEMORY {
        return Err(format!("a table of {MOST_MEMORY}"));
    }
    Ok(())
}

/// The file of a network below the folder of runs, which is the only place where the lab
/// opens networks.
fn network(path: &Path, runs: &Path) -> Result<PathBuf, String> {
    let expected = "expected the .safetensors file of a network below the folder of runs";
    let file = path.to_str().and_then(|path| inside(runs, path)).ok_or(expected)?;
    let about = std::fs::metadata(&file).map_err(|error| error.to_string())?;
    if !about.is_file() || file.extension().is_none_or(|kind| kind != "safetensors") {
        return Err(expected.into());
    }
    if about.len() > LARGEST_NETWORK {
        return Err(format!("the network is larger than {LARGEST_NETWORK} bytes"));
    }
    Ok(file)
}

/// Who sits at a table unless somebody says so: a person first, then bots.
pub(crate) fn usual_seats(first: &dyn Position) -> Result<Vec<Seat>, Refusal> {
    let usual =
        if first.info().imperfect_information { "mcts-ismcts:sims=500" } else { "mcts:sims=500" };
    let mut seats = vec![usual.parse::<Seat>()?; first.players()];
    seats[0] = Seat::Person;
    Ok(seats)
}

/// Whether a bot answers at once, without searching or playing games.
pub(crate) const fn is_instant(bot: &BotSpec) -> bool {
    matches!(bot, BotSpec::Random | BotSpec::Greedy)
}

impl FromStr for Seat {
    type Err = meeple_arena::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.trim() == "person" { Ok(Self::Person) } else { text.parse().map(Self::Bot) }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person => f.write_str("person"),
            Self::Bot(bot) => bot.fmt(f),
        }
    }
}

impl TryFrom<String> for Seat {
    type Error = meeple_arena::Error;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Seat> for String {
    fn from(seat: Seat) -> Self {
        seat.to_string()
    }
}
