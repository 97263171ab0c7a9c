//! Replays of runs, step by step.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path as UrlPath, Query, State};
use meeple_arena::{Position, Replay, ReplayError};
use meeple_game::{Player, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::board::board_of;
use crate::files::text_of;
use crate::lab::Lab;
use crate::refusal::{Refusal, short};
use crate::runs::{REPLAYS, folder_of, reading};
use crate::thoughts::{Thinking, retell};
use crate::view::Point;

/// A game that was played.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ReplayInfo {
    pub(crate) game: String,
    pub(crate) config: Value,
    pub(crate) seed: u64,
    /// Who sat where.
    pub(crate) bots: Vec<String>,
    pub(crate) payoffs: Vec<f32>,
    /// Everything that happened, by number.
    pub(crate) actions: Vec<u16>,
    /// Everything that happened, in words.
    pub(crate) steps: Vec<Step>,
    /// What bots thought of their chances.
    pub(crate) curve: Vec<Point>,
}

/// Something that happened.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Step {
    /// Who did it; nobody for luck.
    pub(crate) by: Option<u8>,
    /// What was done.
    pub(crate) name: String,
}

/// The table before a step.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FrameInfo {
    pub(crate) step: usize,
    /// Who decides; nobody at the end and where luck does.
    pub(crate) turn: Option<u8>,
    /// The whole table as text.
    pub(crate) text: String,
    /// The table as the seat that was asked for sees it.
    pub(crate) board: Value,
    /// What the bot thought that decided here.
    pub(crate) thought: Option<Thinking>,
}

/// Whose side of the table is drawn.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(crate) struct Side {
    /// The seat, the first if not given.
    #[serde(default)]
    pub(crate) seat: u8,
}

/// `GET /api/runs/{run}/replays/{file}`
pub(crate) async fn show(
    State(lab): State<Arc<Lab>>,
    UrlPath((run, file)): UrlPath<(String, String)>,
) -> Result<Json<ReplayInfo>, Refusal> {
    reading(&lab, move |lab| tell(load(lab, &run, &file)?).map(Json)).await
}

/// A replay in words.
pub(crate) fn tell(replay: Replay) -> Result<ReplayInfo, Refusal> {
    let mut steps = Vec::with_capacity(replay.actions.len());
    walk(&replay, replay.actions.len(), |position, at| {
        let by = match position.turn() {
            Turn::Player(player) => Some(player.0),
            Turn::Chance | Turn::Over => None,
        };
        steps.push(Step { by, name: position.action_name(replay.actions[at]) });
    })?;
    let curve = (replay.thoughts.iter())
        .map(|(&event, thought)| Point { event, values: thought.values.clone() })
        .collect();
    Ok(ReplayInfo {
        game: replay.game,
        config: replay.config,
        seed: replay.seed,
        bots: replay.bots,
        payoffs: replay.payoffs,
        actions: replay.actions.iter().map(|action| action.0).collect(),
        steps,
        curve,
    })
}

/// `GET /api/runs/{run}/replays/{file}/{step}`
pub(crate) async fn frame(
    State(lab): State<Arc<Lab>>,
    UrlPath((run, file, step)): UrlPath<(String, String, usize)>,
    Query(side): Query<Side>,
) -> Result<Json<FrameInfo>, Refusal> {
    reading(&lab, move |lab| frame_of(&load(lab, &run, &file)?, step, side.seat).map(Json)).await
}

/// The table before a step, from the side of a seat.
pub(crate) fn frame_of(replay: &Replay, step: usize, seat: u8) -> Result<FrameInfo, Refusal> {
    if step > replay.actions.len() {
        let last = replay.actions.len();
        return Err(Refusal::Missing(format!("the replay has steps 0 to {last}, not {step}")));
    }
    let position = walk(replay, step, |_, _| ())?;
    if usize::from(seat) >= position.players() {
        return Err(Refusal::Wrong(format!("seat {seat}: there is no such seat")));
    }
    let turn = match position.turn() {
        Turn::Player(player) => Some(player),
        Turn::Chance | Turn::Over => None,
    };
    let thought = replay.thoughts.get(&step).zip(turn);
    let legal = meeple_arena::choices_of(&*position);
    let strange = thought.is_some_and(|(thought, _)| {
        thought.candidates.iter().any(|candidate| !legal.contains(&candidate.action))
    });
    if strange {
        return Err(Refusal::Wrong(format!("the thought at step {step} names illegal actions")));
    }
    Ok(FrameInfo {
        step,
        turn: turn.map(|player| player.0),
        text: position.to_string(),
        board: board_of(&*position, Player(seat)),
        thought: thought.map(|(thought, seat)| retell(thought, &*position, seat, step)),
    })
}

fn load(lab: &Lab, run: &str, file: &str) -> Result<Replay, Refusal> {
    let missing = || Refusal::Missing(format!("there is no replay {}", short(file)));
    if file.contains('/') || !file.ends_with(".json") {
        return Err(missing());
    }
    let text = text_of(&folder_of(lab, run)?, &format!("{REPLAYS}/{file}"))?;
    Ok(Replay::from_json(&text.ok_or_else(missing)?)?)
}

/// Plays the first `steps` actions again; `look` sees each position before its action.
fn walk(
    replay: &Replay,
    steps: usize,
    mut look: impl FnMut(&dyn Position, usize),
) -> Result<Box<dyn Position>, Refusal> {
    let config = (!replay.config.is_null()).then(|| replay.config.to_string());
    let mut position = meeple_arena::open(&replay.game, config.as_deref())?;
    for (number, &action) in replay.actions.iter().take(steps).enumerate() {
        if !meeple_arena::choices_of(&*position).contains(&action) {
            let reason = format!("action {} is not legal", action.0);
            return Err(ReplayError::Action { number, reason }.into());
        }
        look(&*position, number);
        position
            .try_apply(action)
            .map_err(|error| ReplayError::Action { number, reason: error.to_string() })?;
    }
    Ok(position)
}
