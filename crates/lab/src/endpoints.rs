//! Sessions over HTTP.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use meeple_arena::Replay;
use meeple_game::Action;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::commands::Command;
use crate::files::blocking;
use crate::keys::{Keys, Presented};
use crate::lab::Lab;
use crate::refusal::Refusal;
use crate::replays::{self, FrameInfo, ReplayInfo, Side};
use crate::seats::Seat;
use crate::session::Session;
use crate::table::Table;
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
    /// Where all luck comes from; drawn and kept secret until the end if not given.
    #[serde(default)]
    pub(crate) seed: Option<u64>,
    /// Who sits where: `person`, or a bot such as `mcts:sims=500`. One person and then
    /// bots if not given.
    #[serde(default)]
    pub(crate) seats: Option<Vec<String>>,
    /// What has happened already, by number, luck included.
    #[serde(default)]
    pub(crate) actions: Vec<u16>,
}

/// A session that was begun.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Created {
    #[serde(flatten)]
    pub(crate) view: View,
    /// The keys of the table; nobody is told them again.
    pub(crate) keys: Keys,
}

/// The key of a seat.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SeatKey {
    pub(crate) key: String,
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
    Json(Status {
        version: env!("CARGO_PKG_VERSION"),
        sessions: lab.sessions_in_memory(),
        clients: lab.clients.load(std::sync::atomic::Ordering::SeqCst),
        searches: lab.permits.taken(),
        most_searches: lab.permits.most(),
        most_iterations: lab.options.limits.iterations,
    })
}

/// `POST /api/sessions`
pub(crate) async fn create(
    State(lab): State<Arc<Lab>>,
    body: Bytes,
) -> Result<(StatusCode, Json<Created>), Refusal> {
    let new: NewSession = read(&body)?;
    if new.actions.len() > LONGEST {
        return Err(Refusal::Wrong(format!("actions: expected at most {LONGEST}")));
    }
    blocking(move || {
        let seats = seats_of(&new)?;
        let actions: Vec<Action> = new.actions.iter().copied().map(Action).collect();
        let session = lab.create(&new.game, new.config.as_ref(), new.seed, seats, &actions)?;
        let state = session.state();
        let keys = state.table.head.keys.clone();
        let view = session.view(&state, keys.access_of_all());
        Ok((StatusCode::CREATED, Json(Created { view, keys })))
    })
    .await
}

/// The seats that a request names, if it does.
fn seats_of(new: &NewSession) -> Result<Option<Vec<Seat>>, Refusal> {
    let Some(seats) = &new.seats else { return Ok(None) };
    let read = |(number, text): (usize, &String)| {
        text.parse().map_err(|error| Refusal::Wrong(format!("seats: seat {number}: {error}")))
    };
    seats.iter().enumerate().map(read).collect::<Result<_, _>>().map(Some)
}

/// Looks at a session that the caller may see, away from the threads that answer.
async fn with_session<T: Send + 'static>(
    lab: Arc<Lab>,
    id: String,
    keys: Presented,
    work: impl FnOnce(&Table) -> Result<T, Refusal> + Send + 'static,
) -> Result<Json<T>, Refusal> {
    blocking(move || {
        let session = lab.session(&id)?;
        let state = session.state();
        state.access(&keys)?;
        work(&state.table).map(Json)
    })
    .await
}

/// `GET /api/sessions/{id}`
pub(crate) async fn show(
    State(lab): State<Arc<Lab>>,
    Path(id): Path<String>,
    keys: Presented,
) -> Result<Json<View>, Refusal> {
    blocking(move || look(&*lab.session(&id)?, &keys)).await
}

fn look(session: &Session, keys: &Presented) -> Result<Json<View>, Refusal> {
    let state = session.state();
    let access = state.access(keys)?;
    Ok(Json(session.view(&state, access)))
}

/// `DELETE /api/sessions/{id}`
pub(crate) async fn forget(
    State(lab): State<Arc<Lab>>,
    Path(id): Path<String>,
    keys: Presented,
) -> Result<StatusCode, Refusal> {
    blocking(move || lab.forget(&id, &keys)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/sessions/{id}/commands`
pub(crate) async fn command(
    State(lab): State<Arc<Lab>>,
    Path(id): Path<String>,
    keys: Presented,
    body: Bytes,
) -> Result<Json<View>, Refusal> {
    let command: Command = read(&body)?;
    blocking(move || {
        let session = lab.session(&id)?;
        lab.command(&session, &keys, command)?;
        look(&session, &keys)
    })
    .await
}

/// `POST /api/sessions/{id}/seats/{seat}`
pub(crate) async fn claim(
    State(lab): State<Arc<Lab>>,
    Path((id, seat)): Path<(String, u8)>,
    keys: Presented,
) -> Result<Json<SeatKey>, Refusal> {
    blocking(move || {
        let key = lab.claim(&lab.session(&id)?, &keys, seat)?;
        Ok(Json(SeatKey { key }))
    })
    .await
}

/// `GET /api/sessions/{id}/replay`
pub(crate) async fn replay(
    State(lab): State<Arc<Lab>>,
    Path(id): Path<String>,
    keys: Presented,
) -> Result<Json<Replay>, Refusal> {
    with_session(lab, id, keys, revealed).await
}

/// The replay of a game that is over.
fn revealed(table: &Table) -> Result<Replay, Refusal> {
    if !table.is_revealed() {
        let why = "the game is not over, and its replay would tell what is to come";
        return Err(Refusal::Forbidden(why.into()));
    }
    Ok(table.replay())
}

/// `GET /api/sessions/{id}/steps`
pub(crate) async fn steps(
    State(lab): State<Arc<Lab>>,
    Path(id): Path<String>,
    keys: Presented,
) -> Result<Json<ReplayInfo>, Refusal> {
    with_session(lab, id, keys, |table| replays::tell(revealed(table)?)).await
}

/// `GET /api/sessions/{id}/steps/{step}`
pub(crate) async fn step(
    State(lab): State<Arc<Lab>>,
    Path((id, step)): Path<(String, usize)>,
    Query(side): Query<Side>,
    keys: Presented,
) -> Result<Json<FrameInfo>, Refusal> {
    with_session(lab, id, keys, move |table| replays::frame_of(&revealed(table)?, step, side.seat))
        .await
}

/// `GET /api/sessions/{id}/thoughts/{event}`
pub(crate) async fn thoughts(
    State(lab): State<Arc<Lab>>,
    Path((id, event)): Path<(String, usize)>,
    keys: Presented,
) -> Result<Json<Thinking>, Refusal> {
    with_session(lab, id, keys, move |table| {
        let missing = || Refusal::Missing(format!("nothing was thought at event {event}"));
        let found = table.events.get(event).ok_or_else(missing)?;
        let (Some(seat), Some(thought)) = (found.by, &found.thought) else { return Err(missing()) };
        if !found.open && !table.is_open() {
            let why = "the game is not over, and the thoughts would tell what is hidden";
            return Err(Refusal::Forbidden(why.into()));
        }
        Ok(retell(thought, &*table.position_at(event)?, seat, event))
    })
    .await
}
