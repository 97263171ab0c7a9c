//! Sessions over HTTP.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use meeple_arena::Replay;
use meeple_game::Action;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::commands::Command;
use crate::lab::Lab;
use crate::refusal::Refusal;
use crate::seats::Seat;
use crate::thoughts::{Thinking, retell};
use crate::view::View;

/// The most events that a session begins with.
const LONGEST: usize = 20_000;

/// A session to begin.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewSession {
    /// The game, as `GET /api/games` lists it.
    pub(crate) game: String,
    /// The table; the usual one if not given.
    #[serde(default)]
    pub(crate) config: Option<Value>,
    /// Where all luck comes from.
    #[serde(default)]
    pub(crate) seed: u64,
    /// Who sits where: `person`, or a bot such as `mcts:sims=500`. One person and then
    /// bots if not given.
    #[serde(default)]
    pub(crate) seats: Option<Vec<String>>,
    /// What has happened already, by number, luck included.
    #[serde(default)]
    pub(crate) actions: Vec<u16>,
}

/// How much the server does.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Status {
    pub(crate) version: &'static str,
    /// Sessions in memory.
    pub(crate) sessions: usize,
    /// WebSocket clients.
    pub(crate) clients: usize,
    /// Searches under way.
    pub(crate) searches: usize,
    /// Searches that may run at once.
    pub(crate) most_searches: usize,
    /// The most simulations of a search.
    pub(crate) most_iterations: u64,
}

/// Reads the body of a request.
pub(crate) fn read<T: DeserializeOwned>(body: &Bytes) -> Result<T, Refusal> {
    serde_json::from_slice(body)
        .map_err(|error| Refusal::Wrong(format!("cannot read the request: {error}")))
}

/// `GET /api/status`
pub(crate) async fn status(State(lab): State<Arc<Lab>>) -> Json<Status> {
    let most = lab.options.limits.searches.max(1);
    Json(Status {
        version: env!("CARGO_PKG_VERSION"),
        sessions: lab.sessions_in_memory(),
        clients: lab.clients.load(std::sync::atomic::Ordering::SeqCst),
        searches: most - lab.searches.available_permits(),
        most_searches: most,
        most_iterations: lab.options.limits.iterations,
    })
}

/// `POST /api/sessions`
pub(crate) async fn create(
    State(lab): State<Arc<Lab>>,
    body: Bytes,
) -> Result<(StatusCode, Json<View>), Refusal> {
    let new: NewSession = read(&body)?;
    if new.actions.len() > LONGEST {
        return Err(Refusal::Wrong(format!("actions: expected at most {LONGEST}")));
    }
    let seats = seats_of(&new)?;
    let actions: Vec<Action> = new.actions.iter().copied().map(Action).collect();
    let session = lab.create(&new.game, new.config.as_ref(), new.seed, seats, &actions)?;
    let view = lab.go_on(&session, &mut session.state())?;
    Ok((StatusCode::CREATED, Json(view)))
}

/// The seats of a new session; by default a person first, then a usual bot.
fn seats_of(new: &NewSession) -> Result<Vec<Seat>, Refusal> {
    if let Some(seats) = &new.seats {
        let read = |(number, text): (usize, &String)| {
            text.parse().map_err(|error| Refusal::Wrong(format!("seats: seat {number}: {error}")))
        };
        return seats.iter().enumerate().map(read).collect();
    }
    let config = new.config.as_ref().filter(|config| !config.is_null()).map(Value::to_string);
    let first = meeple_arena::open(&new.game, config.as_deref())?;
    let usual = if first.facts().hidden { "mcts-ismcts:sims=500" } else { "mcts:sims=500" };
    let mut seats = vec![usual.parse::<Seat>()?; first.players()];
    seats[0] = Seat::Person;
    Ok(seats)
}

/// `GET /api/sessions/{id}`
pub(crate) async fn show(
    State(lab): State<Arc<Lab>>,
    Path(id): Path<String>,
) -> Result<Json<View>, Refusal> {
    let session = lab.session(&id)?;
    let state = session.state();
    Ok(Json(session.view(&state)))
}

/// `DELETE /api/sessions/{id}`
pub(crate) async fn forget(
    State(lab): State<Arc<Lab>>,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    lab.forget(&id)?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/sessions/{id}/commands`
pub(crate) async fn command(
    State(lab): State<Arc<Lab>>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Json<View>, Refusal> {
    let session = lab.session(&id)?;
    let command: Command = read(&body)?;
    Ok(Json(lab.command(&session, command)?))
}

/// `GET /api/sessions/{id}/replay`
pub(crate) async fn replay(
    State(lab): State<Arc<Lab>>,
    Path(id): Path<String>,
) -> Result<Json<Replay>, Refusal> {
    let session = lab.session(&id)?;
    let state = session.state();
    if !state.table.is_open() {
        let why = "the game is not over, and its replay would tell what is hidden";
        return Err(Refusal::Forbidden(why.into()));
    }
    Ok(Json(state.table.replay()))
}

/// `GET /api/sessions/{id}/thoughts/{event}`
pub(crate) async fn thoughts(
    State(lab): State<Arc<Lab>>,
    Path((id, event)): Path<(String, usize)>,
) -> Result<Json<Thinking>, Refusal> {
    let session = lab.session(&id)?;
    let state = session.state();
    let missing = || Refusal::Missing(format!("nothing was thought at event {event}"));
    let found = state.table.events.get(event).ok_or_else(missing)?;
    let (Some(seat), Some(thought)) = (found.by, &found.thought) else { return Err(missing()) };
    if !found.open && !state.table.is_open() {
        let why = "the game is not over, and the thoughts would tell what is hidden";
        return Err(Refusal::Forbidden(why.into()));
    }
    let mut position = state.table.position.first();
    for event in &state.table.events[..event] {
        position.try_apply(event.action).map_err(|error| Refusal::failed("replaying", &error))?;
    }
    Ok(Json(retell(thought, &*position, seat, event)))
}
