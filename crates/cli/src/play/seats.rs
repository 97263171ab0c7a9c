//! The agents at the table: humans and bots.

use anyhow::anyhow;
use meeple_bots::{BotSpec, Position};
use meeple_game::Player;

use super::notation;
use crate::args;
use crate::failure::Failure;

/// The name of a human in replays.
pub(crate) const HUMAN: &str = "a person";
/// The default opponent.
const DEFAULT_OPPONENT: &str = "club";

/// The agent at a seat.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Agent {
    Human,
    Bot(BotSpec),
}

impl Agent {
    /// Returns the name in replays.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Human => HUMAN.into(),
            Self::Bot(spec) => spec.to_string(),
        }
    }

    fn parse(text: &str) -> Result<Self, Failure> {
        match text.trim().to_ascii_lowercase().as_str() {
            "human" | "person" | HUMAN => Ok(Self::Human),
            _ => text
                .parse()
                .map(Self::Bot)
                .map_err(|error: meeple_bots::Error| Failure::Usage(anyhow!("--vs: {error}"))),
        }
    }
}

/// Parses a seat, given by its number or its name in the game.
pub(crate) fn parse_seat(start: &dyn Position, text: &str) -> Result<Player, Failure> {
    let (players, names) = (start.players(), notation::seat_names(start.info().name));
    let text = text.trim();
    let named = names.iter().position(|name| name.eq_ignore_ascii_case(text));
    let number = text.parse::<usize>().ok().or(named).filter(|&seat| seat < players);
    number.map(|seat| Player(seat as u8)).ok_or_else(|| {
        let last = players - 1;
        let aliases =
            if names.is_empty() { String::new() } else { format!(", or {}", names.join(" or ")) };
        Failure::Usage(anyhow!("--seat {text}: expected a seat from 0 to {last}{aliases}"))
    })
}

/// Returns the agents by seat: a human at `me`, the others as given by `--vs`.
pub(crate) fn assign(
    start: &dyn Position,
    me: Player,
    vs: &[String],
) -> Result<Vec<Agent>, Failure> {
    let default = [DEFAULT_OPPONENT.to_owned()];
    let given = if vs.is_empty() { &default[..] } else { vs };
    let others: Vec<Agent> = (given.iter())
        .flat_map(|list| args::split_bots(list))
        .map(|text| Agent::parse(&text))
        .collect::<Result<_, _>>()?;
    let seats = start.players() - 1;
    if others.len() != 1 && others.len() != seats {
        return Err(Failure::Usage(anyhow!(
            "--vs: found {} opponents, expected one for all or one for each of the {seats} other \
             seats",
            others.len(),
        )));
    }
    let mut others = others.iter().cycle().cloned();
    let agent = |seat: Player| {
        if seat == me { Some(Agent::Human) } else { others.next() }
    };
    Ok(Player::all(start.players()).filter_map(agent).collect())
}

/// Returns the agents of a replay by seat.
pub(crate) fn from_replay(names: &[String]) -> Result<Vec<Agent>, Failure> {
    names.iter().map(|name| Agent::parse(name)).collect()
}
