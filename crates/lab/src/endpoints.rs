//! HTTP handlers of sessions.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use meeple_arena::Replay;
use meeple_game::Action;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::analysis::{AnalysisView, recorded_analysis};
use crate::commands::Command;
use crate::error::ApiError;
use crate::files::blocking;
use crate::game_session::GameSession;
use crate::json_body::JsonBody;
use crate::keys::{Keys, PresentedKeys};
use crate::lab::Lab;
use crate::replays::{self, FrameInfo, ReplayInfo, Viewpoint};
use crate::seats::Seat;
use crate::session::Session;
use crate::view::View;

/// The maximum number of initial actions of a session.
const MAX_ACTIONS: usize = 20_000;

/// A request to start a session.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewSession {
    /// Name of the game (see `GET /api/games`).
    pub(crate) game: String,
    /// Game configuration; the default if omitted.
    #[serde(default)]
    pub(crate) config: Option<Value>,
    /// Random seed; if omitted, it is random and secret until the end.
    #[serde(default)]
    pub(crate) seed: Option<u64>,
    /// The seats: `person`, or a bot such as `mcts:sims=500`; one person and bots if omitted.
    #[serde(default)]
    pub(crate) seats: Option<Vec<String>>,
    /// Initial actions, including chance outcomes.
    #[serde(default)]
    pub(crate) actions: Vec<u16>,
}

/// A new session.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Created {
    #[serde(flatten)]
    pub(crate) view: View,
    /// The keys of the session; they are not sent again.
    pub(crate) keys: Keys,
}

/// The key of a seat.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SeatKey {
    pub(crate) key: String,
}

/// Server load and limits.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Status {
    pub(crate) version: &'static str,
    /// Sessions in memory.
    pub(crate) sessions: usize,
    /// WebSocket clients.
    pub(crate) clients: usize,
    /// Running searches.
    pub(crate) searches: usize,
    /// Maximum number of concurrent searches.
    pub(crate) most_searches: usize,
    /// Maximum number of simulations per search.
    pub(crate) most_iterations: u64,
}

/// Parses the body of a request.
pub(crate) fn read<T: DeserializeOwned>(body: &Bytes) -> Result<T, ApiError> {
    serde_json::from_slice(body)
        .map_err(|error| ApiError::BadRequest(format!("cannot read the request: {error}")))
}

/// `GET /api/status`
pub(crate) async fn status(State(lab): State<Arc<Lab>>) -> Result<JsonBody<Status>, ApiError> {
    JsonBody::new(&Status {
        version: env!("CARGO_PKG_VERSION"),
        sessions: lab.sessions_in_memory(),
        clients: lab.clients.load(std::sync::atomic::Ordering::SeqCst),
        searches: lab.slots.in_use(),
        most_searches: lab.slots.capacity(),
        most_iterations: lab.options.limits.iterations,
    })
}

/// `POST /api/sessions`
pub(crate) async fn create(
    State(lab): State<Arc<Lab>>,
    body: Bytes,
) -> Result<(StatusCode, JsonBody<Created>), ApiError> {
    let new: NewSession = read(&body)?;
    if new.actions.len() > MAX_ACTIONS {
        return Err(ApiError::BadRequest(format!("actions: expected at most {MAX_ACTIONS}")));
    }
    blocking(move || {
        let seats = seats_of(&new)?;
        let actions: Vec<Action> = new.actions.iter().copied().map(Action).collect();
        let session = lab.create(&new.game, new.config.as_ref(), new.seed, seats, &actions)?;
        let state = session.state();
        let keys = state.table.header.keys.clone();
        let view = session.view(&state, keys.full_access());
        Ok((StatusCode::CREATED, JsonBody::new(&Created { view, keys })?))
    })
    .await
}

/// Parses the seats of a request.
fn seats_of(new: &NewSession) -> Result<Option<Vec<Seat>>, ApiError> {
    let Some(seats) = &new.seats else { return Ok(None) };
    let read = |(number, text): (usize, &String)| {
        text.parse().map_err(|error| ApiError::BadRequest(format!("seats: seat {number}: {error}")))
    };
    seats.iter().enumerate().map(read).collect::<Result<_, _>>().map(Some)
}

/// Runs `work` on a session that the caller may see, on a blocking thread.
async fn with_session<T: Serialize + 'static>(
    lab: Arc<Lab>,
    id: String,
    keys: PresentedKeys,
    work: impl FnOnce(&GameSession) -> Result<T, ApiError> + Send + 'static,
) -> Result<JsonBody<T>, ApiError> {
    blocking(move || {
        let session = lab.session(&id)?;
        let state = session.state();
        state.access(&keys)?;
        let found = work(&state.table)?;
        drop(state);
        JsonBody::new(&found)
    })
    .await
}

/// `GET /api/sessions/{id}`
pub(crate) async fn show(
    State(lab): State<Arc<Lab>>,
    Path(id): Path<String>,
    keys: PresentedKeys,
) -> Result<JsonBody<View>, ApiError> {
    blocking(move || view(&*lab.session(&id)?, &keys)).await
}

fn view(session: &Session, keys: &PresentedKeys) -> Result<JsonBody<View>, ApiError> {
    let state = session.state();
    let access = state.access(keys)?;
    let view = session.view(&state, access);
    drop(state);
    JsonBody::new(&view)
}

/// `DELETE /api/sessions/{id}`
pub(crate) async fn delete(
    State(lab): State<Arc<Lab>>,
    Path(id): Path<String>,
    keys: PresentedKeys,
) -> Result<StatusCode, ApiError> {
    blocking(move || lab.delete(&id, &keys)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/sessions/{id}/commands`
pub(crate) async fn command(
    State(lab): State<Arc<Lab>>,
    Path(id): Path<String>,
    keys: PresentedKeys,
    body: Bytes,
) -> Result<JsonBody<View>, ApiError> {
    let command: Command = read(&body)?;
    blocking(move || {
        let session = lab.session(&id)?;
        lab.command(&session, &keys, command)?;
        view(&session, &keys)
    })
    .await
}

/// `POST /api/sessions/{id}/seats/{seat}`
pub(crate) async fn claim(
    State(lab): State<Arc<Lab>>,
    Path((id, seat)): Path<(String, u8)>,
    keys: PresentedKeys,
) -> Result<JsonBody<SeatKey>, ApiError> {
    blocking(move || {
        let key = lab.claim(&lab.session(&id)?, &keys, seat)?;
        JsonBody::new(&SeatKey { key })
    })
    .await
}

/// `GET /api/sessions/{id}/replay`
pub(crate) async fn replay(
    State(lab): State<Arc<Lab>>,
    Path(id): Path<String>,
    keys: PresentedKeys,
) -> Result<JsonBody<Replay>, ApiError> {
    with_session(lab, id, keys, revealed).await
}

/// Returns the replay of a finished game.
pub(crate) fn revealed(table: &GameSession) -> Result<Replay, ApiError> {
    if !table.is_revealed() {
        let reason = "the game is not over, and its replay would reveal the seed";
        return Err(ApiError::Forbidden(reason.into()));
    }
    Ok(table.replay())
}

/// `GET /api/sessions/{id}/steps`
pub(crate) async fn steps(
    State(lab): State<Arc<Lab>>,
    Path(id): Path<String>,
    keys: PresentedKeys,
) -> Result<JsonBody<ReplayInfo>, ApiError> {
    with_session(lab, id, keys, |table| replays::describe(revealed(table)?)).await
}

/// `GET /api/sessions/{id}/steps/{step}`
pub(crate) async fn step(
    State(lab): State<Arc<Lab>>,
    Path((id, step)): Path<(String, usize)>,
    Query(viewpoint): Query<Viewpoint>,
    keys: PresentedKeys,
) -> Result<JsonBody<FrameInfo>, ApiError> {
    with_session(lab, id, keys, move |table| {
        replays::frame_of(&revealed(table)?, step, viewpoint.seat)
    })
    .await
}

/// `GET /api/sessions/{id}/analysis/{event}`
pub(crate) async fn analysis(
    State(lab): State<Arc<Lab>>,
    Path((id, event)): Path<(String, usize)>,
    keys: PresentedKeys,
) -> Result<JsonBody<AnalysisView>, ApiError> {
    with_session(lab, id, keys, move |table| {
        let missing = || ApiError::NotFound(format!("no search statistics at event {event}"));
        let found = table.events.get(event).ok_or_else(missing)?;
        let (Some(seat), Some(analysis)) = (found.by, &found.analysis) else {
            return Err(missing());
        };
        if !found.open && !table.is_public() {
            let reason = "the game is not over, and the statistics would reveal hidden information";
            return Err(ApiError::Forbidden(reason.into()));
        }
        Ok(recorded_analysis(analysis, &*table.position_at(event)?, seat, event))
    })
    .await
}
