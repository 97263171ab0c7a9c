//! Who sits where.

use anyhow::anyhow;
use meeple_arena::{BotSpec, Position};
use meeple_game::Player;

use super::words;
use crate::args;
use crate::failure::Failure;

/// What a replay calls a person.
pub(crate) const PERSON: &str = "a person";
/// The default opponent.
const USUAL: &str = "mcts:sims=1000";

/// Somebody at the table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Sitter {
    Person,
    Bot(BotSpec),
}

impl Sitter {
    /// The name in replays.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Person => PERSON.into(),
            Self::Bot(spec) => spec.to_string(),
        }
    }

    fn parse(text: &str) -> Result<Self, Failure> {
        match text.trim().to_ascii_lowercase().as_str() {
            "human" | "person" | PERSON => Ok(Self::Person),
            _ => text
                .parse()
                .map(Self::Bot)
                .map_err(|error: meeple_arena::Error| Failure::Usage(anyhow!("--vs: {error}"))),
        }
    }
}

/// The seat that `text` names, by its number or its name in the game.
pub(crate) fn seat_named(table: &dyn Position, text: &str) -> Result<Player, Failure> {
    let (players, names) = (table.players(), words::seat_names(table.info().name));
    let text = text.trim();
    let named = names.iter().position(|name| name.eq_ignore_ascii_case(text));
    let number = text.parse::<usize>().ok().or(named).filter(|&seat| seat < players);
    number.map(|seat| Player(seat as u8)).ok_or_else(|| {
        let most = players - 1;
        let called =
            if names.is_empty() { String::new() } else { format!(", or {}", names.join(" and ")) };
        Failure::Usage(anyhow!("--seat {text}: the seats of this table are 0 to {most}{called}"))
    })
}

/// A person at `me`, and the others as `--vs` names them: one for all, or one for each.
pub(crate) fn seated(
    table: &dyn Position,
    me: Player,
    vs: &[String],
) -> Result<Vec<Sitter>, Failure> {
    let usual = [USUAL.to_owned()];
    let named = if vs.is_empty() { &usual[..] } else { vs };
    let others: Vec<Sitter> = (named.iter())
        .flat_map(|list| args::split_bots(list))
        .map(|text| Sitter::parse(&text))
        .collect::<Result<_, _>>()?;
    let seats = table.players() - 1;
    if others.len() != 1 && others.len() != seats {
        return Err(Failure::Usage(anyhow!(
            "--vs: found {} opponents, expected one for all or one for each other seat, of which \
             there {} {seats}",
            others.len(),
            if seats == 1 { "is" } else { "are" }
        )));
    }
    let mut others = others.iter().cycle().cloned();
    let sit = |seat: Player| {
        if seat == me { Some(Sitter::Person) } else { others.next() }
    };
    Ok(Player::all(table.players()).filter_map(sit).collect())
}

/// Those who sat at the table of a replay.
pub(crate) fn seated_before(names: &[String]) -> Result<Vec<Sitter>, Failure> {
    names.iter().map(|name| Sitter::parse(name)).collect()
}
