//! A page that follows a session over a WebSocket.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::ws::{Message as Frame, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::response::Response;
use tokio::sync::broadcast::error::RecvError;

use crate::commands::Command;
use crate::files::blocking;
use crate::keys::Presented;
use crate::lab::Lab;
use crate::refusal::Refusal;
use crate::session::{Message, News, Session};

/// The longest message of a page.
const LONGEST: usize = 16 * 1024;
/// How often a silent connection is checked.
const PING: Duration = Duration::from_secs(30);
/// Messages in a row that make no sense after which a page is left.
const NONSENSE: u32 = 16;

/// `GET /api/sessions/{id}/ws`
pub(crate) async fn follow(
    State(lab): State<Arc<Lab>>,
    Path(id): Path<String>,
    keys: Presented,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    let place = Place::take(&lab)?;
    let opened = Arc::clone(&lab);
    let session = blocking(move || opened.session(&id)).await?;
    session.state().access(&keys)?;
    let upgrade = upgrade.max_message_size(LONGEST).max_frame_size(LONGEST);
    Ok(upgrade.on_upgrade(move |socket| async move {
        // Whoever hangs up in the middle of a message is gone all the same.
        let _ = serve(socket, &lab, &session, &keys).await;
        drop(place);
    }))
}

/// One of the places for clients, given back when it is dropped.
struct Place(Arc<Lab>);

impl Place {
    fn take(lab: &Arc<Lab>) -> Result<Self, Refusal> {
        let taken = lab.clients.fetch_add(1, Ordering::SeqCst);
        let place = Self(Arc::clone(lab));
        if taken >= lab.options.limits.clients {
            return Err(Refusal::Busy("too many clients".into()));
        }
        Ok(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.clients.fetch_sub(1, Ordering::SeqCst);
    }
}

async fn serve(
    mut socket: WebSocket,
    lab: &Arc<Lab>,
    session: &Arc<Session>,
    keys: &Presented,
) -> Result<(), axum::Error> {
    let mut news = session.listen();
    let mut goes_on = send_view(&mut socket, session, keys).await?;
    let mut nonsense = 0;
    let mut ping = tokio::time::interval(PING);
    while goes_on && nonsense < NONSENSE {
        tokio::select! {
            message = news.recv() => {
                goes_on = match message {
                    Ok(News::Changed) | Err(RecvError::Lagged(_)) => {
                        send_view(&mut socket, session, keys).await?
                    }
                    Ok(News::Thought { only, text }) => {
                        let access = session.state().access(keys);
                        if access.is_ok_and(|access| only.is_none_or(|seat| access.holds(seat))) {
                            socket.send(Frame::Text(text.as_ref().into())).await?;
                        }
                        true
                    }
                    Ok(News::Error(text)) => {
                        socket.send(Frame::Text(text.as_ref().into())).await?;
                        true
                    }
                    Err(RecvError::Closed) => false,
                };
            }
            frame = socket.recv() => match frame {
                None | Some(Ok(Frame::Close(_))) => return Ok(()),
                Some(Err(error)) => return Err(error),
                Some(Ok(Frame::Ping(_) | Frame::Pong(_))) => {}
                Some(Ok(frame)) => {
                    let done = command(lab, session, keys, &frame).await;
                    nonsense = if matches!(done, Err(Refusal::Wrong(_))) { nonsense + 1 } else { 0 };
                    if let Err(refusal) = done {
                        send_error(&mut socket, &refusal).await?;
                    }
                }
            },
            _ = ping.tick() => socket.send(Frame::Ping(Vec::new().into())).await?,
        }
    }
    Ok(())
}

/// Sends the table as the holder of `keys` may see it; whether they still may.
async fn send_view(
    socket: &mut WebSocket,
    session: &Session,
    keys: &Presented,
) -> Result<bool, axum::Error> {
    let view = {
        let state = session.state();
        state.access(keys).map(|access| session.view(&state, access))
    };
    match view {
        Ok(view) => {
            let text = Message::View { view: &view }.to_text();
            socket.send(Frame::Text(text.as_ref().into())).await?;
            Ok(true)
        }
        Err(refusal) => {
            send_error(socket, &refusal).await?;
            Ok(false)
        }
    }
}

async fn send_error(socket: &mut WebSocket, refusal: &Refusal) -> Result<(), axum::Error> {
    let text = Message::Error { error: &refusal.to_string() }.to_text();
    socket.send(Frame::Text(text.as_ref().into())).await
}

async fn command(
    lab: &Arc<Lab>,
    session: &Arc<Session>,
    keys: &Presented,
    frame: &Frame,
) -> Result<(), Refusal> {
    let Frame::Text(text) = frame else {
        return Err(Refusal::Wrong("expected a message of text".into()));
    };
    let command: Command = serde_json::from_str(text)
        .map_err(|error| Refusal::Wrong(format!("no command: {error}")))?;
    let (lab, session, keys) = (Arc::clone(lab), Arc::clone(session), keys.clone());
    blocking(move || lab.command(&session, &keys, command)).await
}
