//! Recorded games, step by step.

use std::sync::Arc;

use axum::extract::{Path as UrlPath, Query, State};
use meeple_arena::{Replay, ReplayError};
use meeple_bots::Position;
use meeple_game::{Player, Turn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::analysis::{AnalysisView, recorded_analysis};
use crate::board::board_of;
use crate::error::{ApiError, short};
use crate::files::read_text;
use crate::json_body::JsonBody;
use crate::lab::Lab;
use crate::runs::{REPLAYS, run_folder, with_reader};
use crate::view::ValuePoint;

/// A recorded game.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ReplayInfo {
    pub(crate) game: String,
    pub(crate) config: Value,
    pub(crate) seed: u64,
    /// The bots by seat.
    pub(crate) bots: Vec<String>,
    pub(crate) payoffs: Vec<f32>,
    /// All actions, including chance outcomes.
    pub(crate) actions: Vec<u16>,
    /// All steps with action names.
    pub(crate) steps: Vec<ReplayStep>,
    /// Values from the searches of bots.
    pub(crate) curve: Vec<ValuePoint>,
}

/// A step of a recorded game.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ReplayStep {
    /// The acting seat; null for chance.
    pub(crate) by: Option<u8>,
    /// The name of the action.
    pub(crate) name: String,
}

/// The position before a step.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FrameInfo {
    pub(crate) step: usize,
    /// The seat to move; null at chance events and at the end.
    pub(crate) turn: Option<u8>,
    /// The full position as text.
    pub(crate) text: String,
    /// The board from the requested viewpoint.
    pub(crate) board: Value,
    /// The search statistics of the bot to move.
    pub(crate) analysis: Option<AnalysisView>,
}

/// The viewpoint of a board.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(crate) struct Viewpoint {
    /// The seat; the first if omitted.
    #[serde(default)]
    pub(crate) seat: u8,
}

/// `GET /api/runs/{run}/replays/{file}`
pub(crate) async fn show(
    State(lab): State<Arc<Lab>>,
    UrlPath((run, file)): UrlPath<(String, String)>,
) -> Result<JsonBody<ReplayInfo>, ApiError> {
    with_reader(&lab, move |lab| JsonBody::new(&describe(load(lab, &run, &file)?)?)).await
}

/// Describes the steps of a replay.
pub(crate) fn describe(replay: Replay) -> Result<ReplayInfo, ApiError> {
    let mut steps = Vec::with_capacity(replay.actions.len());
    play_to(&replay, replay.actions.len(), |position, at| {
        let by = match position.turn() {
            Turn::Player(player) => Some(player.0),
            Turn::Chance | Turn::Over => None,
        };
        steps.push(ReplayStep { by, name: position.action_name(replay.actions[at]) });
    })?;
    let curve = (replay.analysis.iter())
        .map(|(&event, analysis)| ValuePoint { event, values: analysis.values.clone() })
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
    Query(viewpoint): Query<Viewpoint>,
) -> Result<JsonBody<FrameInfo>, ApiError> {
    with_reader(&lab, move |lab| {
        JsonBody::new(&frame_of(&load(lab, &run, &file)?, step, viewpoint.seat)?)
    })
    .await
}

/// Returns the position before a step, from the viewpoint of a seat.
pub(crate) fn frame_of(replay: &Replay, step: usize, seat: u8) -> Result<FrameInfo, ApiError> {
    if step > replay.actions.len() {
        let last = replay.actions.len();
        return Err(ApiError::NotFound(format!("the replay has steps 0 to {last}, not {step}")));
    }
    let position = play_to(replay, step, |_, _| ())?;
    if usize::from(seat) >= position.players() {
        return Err(ApiError::BadRequest(format!("seat {seat}: no such seat")));
    }
    let turn = match position.turn() {
        Turn::Player(player) => Some(player),
        Turn::Chance | Turn::Over => None,
    };
    let analysis = replay.analysis.get(&step).zip(turn);
    let legal = meeple_bots::choices_of(&*position);
    let is_invalid = analysis.is_some_and(|(analysis, _)| {
        analysis.candidates.iter().any(|candidate| !legal.contains(&candidate.action))
    });
    if is_invalid {
        return Err(ApiError::BadRequest(format!(
            "the search statistics at step {step} contain illegal actions"
        )));
    }
    Ok(FrameInfo {
        step,
        turn: turn.map(|player| player.0),
        text: position.to_string(),
        board: board_of(&*position, Player(seat)),
        analysis: analysis
            .map(|(analysis, seat)| recorded_analysis(analysis, &*position, seat, step)),
    })
}

fn load(lab: &Lab, run: &str, file: &str) -> Result<Replay, ApiError> {
    let missing = || ApiError::NotFound(format!("no replay {}", short(file)));
    if file.contains('/') || !file.ends_with(".json") {
        return Err(missing());
    }
    let text = read_text(&run_folder(lab, run)?, &format!("{REPLAYS}/{file}"))?;
    Ok(Replay::from_json(&text.ok_or_else(missing)?)?)
}

/// Replays the first `steps` actions; calls `visit` with each position before its action.
fn play_to(
    replay: &Replay,
    steps: usize,
    mut visit: impl FnMut(&dyn Position, usize),
) -> Result<Box<dyn Position>, ApiError> {
    let config = (!replay.config.is_null()).then(|| replay.config.to_string());
    let mut position = meeple_bots::open(&replay.game, config.as_deref())?;
    for (number, &action) in replay.actions.iter().take(steps).enumerate() {
        if !meeple_bots::choices_of(&*position).contains(&action) {
            let reason = format!("action {} is not legal", action.0);
            return Err(ReplayError::Action { number, reason }.into());
        }
        visit(&*position, number);
        position
            .try_apply(action)
            .map_err(|error| ReplayError::Action { number, reason: error.to_string() })?;
    }
    Ok(position)
}
