//! Who sits at a seat, and which bots a server lets sit there.

use std::fmt;
use std::str::FromStr;

use meeple_arena::BotSpec;
use serde::{Deserialize, Serialize};

use crate::Limits;
use crate::refusal::Refusal;

/// The most random games for each action of a flat bot.
const MOST_PLAYOUTS: u32 = 10_000;
/// The most threads or workers of a search.
const MOST_WORKERS: u32 = 64;

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

    /// Checks that the bot may be asked by whoever reaches the server.
    pub(crate) fn check(&self, limits: &Limits) -> Result<(), Refusal> {
        match self {
            Self::Person => Ok(()),
            Self::Bot(bot) => check_bot(bot, limits),
        }
    }
}

fn check_bot(bot: &BotSpec, limits: &Limits) -> Result<(), Refusal> {
    match bot {
        BotSpec::Weighted { bot, .. } => check_bot(bot, limits),
        BotSpec::External(_) => {
            Err(Refusal::Forbidden(format!("bot {bot}: the lab starts no other programs")))
        }
        BotSpec::Search(spec) if spec.model.is_some() => {
            let why = "the lab plays by the networks that are built in";
            Err(Refusal::Forbidden(format!("bot {bot}: {why}, and opens no file")))
        }
        BotSpec::Flat { playouts } if *playouts > MOST_PLAYOUTS => {
            Err(Refusal::Wrong(format!("bot {bot}: the lab allows {MOST_PLAYOUTS} playouts")))
        }
        BotSpec::Search(spec) if u64::from(spec.sims) > limits.iterations => {
            let most = limits.iterations;
            Err(Refusal::Wrong(format!("bot {bot}: the lab allows {most} simulations")))
        }
        BotSpec::Search(spec) if spec.threads.max(spec.workers) > MOST_WORKERS => {
            Err(Refusal::Wrong(format!("bot {bot}: the lab allows {MOST_WORKERS} workers")))
        }
        _ => Ok(()),
    }
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
