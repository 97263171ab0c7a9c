//! The start of a game: a new one, or one resumed from a replay.

use std::path::Path;

use anyhow::{Context, anyhow};
use meeple_arena::Replay;
use meeple_bots::{Position, open};
use meeple_game::{Action, Player, Turn};
use serde_json::{Value, json};

use super::PlayArgs;
use super::seats::{self, Agent};
use crate::failure::Failure;
use crate::replay::read_replay;

/// Returns the defaults of configuration keys for interactive play.
fn defaults(game: &str) -> Vec<(&'static str, Value)> {
    let game = game.trim().to_ascii_lowercase();
    if game == "magic" { vec![("stops", json!(true))] } else { Vec::new() }
}

/// The initial position, the agents, and the actions played so far.
pub(crate) struct Start {
    pub(crate) position: Box<dyn Position>,
    pub(crate) agents: Vec<Agent>,
    pub(crate) seed: u64,
    pub(crate) actions: Vec<Action>,
}

impl Start {
    pub(crate) fn new(args: &PlayArgs) -> Result<Self, Failure> {
        if let Some(file) = &args.load {
            return Self::resume(args, file);
        }
        let game = args.game.as_deref().unwrap_or_default();
        let position = args.config.open(game, &defaults(game))?;
        let me = match &args.seat {
            Some(text) => seats::parse_seat(&*position, text)?,
            None => Player(0),
        };
        let agents = seats::assign(&*position, me, &args.vs)?;
        let seed = match args.seed {
            Some(seed) => seed,
            // 32 bits: short enough to type.
            None => u64::from(
                getrandom::u32().context("cannot draw a random seed; give one by --seed")?,
            ),
        };
        Ok(Self { position, agents, seed, actions: Vec::new() })
    }

    fn resume(args: &PlayArgs, file: &Path) -> Result<Self, Failure> {
        let invalid = |problem: String| Failure::Usage(anyhow!("{}: {problem}", file.display()));
        let replay = read_replay(file)?;
        let start = open(&replay.game, Some(&replay.config.to_string()))
            .map_err(|error| invalid(error.to_string()))?;
        let mut position = start.copy();
        for (number, &action) in replay.actions.iter().enumerate() {
            let played = position.try_apply(action);
            played.map_err(|error| invalid(format!("action {number} of the replay: {error}")))?;
        }
        if position.turn() == Turn::Over {
            let problem = "this game is over; use meeple replay to step through it";
            return Err(invalid(problem.into()));
        }
        let agents = Self::resumed_agents(args, &replay, &*start)?;
        Ok(Self { position: start, agents, seed: replay.seed, actions: replay.actions })
    }

    /// Returns the agents of the replay, unless the options name others.
    fn resumed_agents(
        args: &PlayArgs,
        replay: &Replay,
        start: &dyn Position,
    ) -> Result<Vec<Agent>, Failure> {
        if args.seat.is_none() && args.vs.is_empty() {
            let recorded = seats::from_replay(&replay.bots);
            if let Ok(recorded) = recorded
                && recorded.contains(&Agent::Human)
                && recorded.len() == start.players()
            {
                return Ok(recorded);
            }
        }
        let human = replay.bots.iter().position(|name| name == seats::HUMAN);
        let me = match &args.seat {
            Some(text) => seats::parse_seat(start, text)?,
            None => Player(human.unwrap_or(0) as u8),
        };
        seats::assign(start, me, &args.vs)
    }
}
