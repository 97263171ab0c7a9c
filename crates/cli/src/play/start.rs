//! Where a game starts: at a new table, or where a replay ends.

use std::path::Path;

use anyhow::{Context, anyhow};
use meeple_arena::{Position, Replay, open};
use meeple_game::{Action, Player, Turn};
use serde_json::{Value, json};

use super::PlayArgs;
use super::seats::{self, Sitter};
use crate::failure::Failure;
use crate::replay::read_replay;

/// What people want at a table of a game unless they say otherwise.
fn defaults(game: &str) -> Vec<(&'static str, Value)> {
    let game = game.trim().to_ascii_lowercase();
    if game == "magic" { vec![("stops", json!(true))] } else { Vec::new() }
}

/// A table, who sits there, and what was played before.
pub(crate) struct Start {
    pub(crate) table: Box<dyn Position>,
    pub(crate) chairs: Vec<Sitter>,
    pub(crate) seed: u64,
    pub(crate) actions: Vec<Action>,
}

impl Start {
    pub(crate) fn of(args: &PlayArgs) -> Result<Self, Failure> {
        if let Some(file) = &args.load {
            return Self::loaded(args, file);
        }
        let game = args.game.as_deref().unwrap_or_default();
        let table = args.table.open(game, &defaults(game))?;
        let me = match &args.seat {
            Some(text) => seats::seat_named(&*table, text)?,
            None => Player(0),
        };
        let chairs = seats::seated(&*table, me, &args.vs)?;
        let seed = match args.seed {
            Some(seed) => seed,
            // Short enough to be typed again.
            None => u64::from(getrandom::u32().context("cannot draw a seed; --seed names one")?),
        };
        Ok(Self { table, chairs, seed, actions: Vec::new() })
    }

    fn loaded(args: &PlayArgs, file: &Path) -> Result<Self, Failure> {
        let wrong = |problem: String| Failure::Usage(anyhow!("{}: {problem}", file.display()));
        let replay = read_replay(file)?;
        let table = open(&replay.game, Some(&replay.config.to_string()))
            .map_err(|error| wrong(error.to_string()))?;
        let mut position = table.copy();
        for (number, &action) in replay.actions.iter().enumerate() {
            let played = position.try_apply(action);
            played.map_err(|error| wrong(format!("action {number} of the replay: {error}")))?;
        }
        if position.turn() == Turn::Over {
            let problem = "this game is over; meeple replay steps through it";
            return Err(wrong(problem.into()));
        }
        let chairs = Self::chairs(args, &replay, &*table)?;
        Ok(Self { table, chairs, seed: replay.seed, actions: replay.actions })
    }

    /// Who goes on: those who sat there, unless the options say otherwise.
    fn chairs(
        args: &PlayArgs,
        replay: &Replay,
        table: &dyn Position,
    ) -> Result<Vec<Sitter>, Failure> {
        if args.seat.is_none() && args.vs.is_empty() {
            let before = seats::seated_before(&replay.bots);
            if let Ok(before) = before
                && before.contains(&Sitter::Person)
                && before.len() == table.players()
            {
                return Ok(before);
            }
        }
        let person = replay.bots.iter().position(|name| name == seats::PERSON);
        let me = match &args.seat {
            Some(text) => seats::seat_named(table, text)?,
            None => Player(person.unwrap_or(0) as u8),
        };
        seats::seated(table, me, &args.vs)
    }
}
