//! The WebSocket of a session: commands in, views and search statistics out.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::ws::{Message as Frame, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::response::Response;
use tokio::sync::broadcast::error::RecvError;

use crate::commands::Command;
use crate::error::ApiError;
use crate::files::blocking;
use crate::keys::PresentedKeys;
use crate::lab::Lab;
use crate::session::{Message, Session, Update};

/// The maximum size of a message.
const MAX_MESSAGE: usize = 16 * 1024;
/// The interval between pings.
const PING_INTERVAL: Duration = Duration::from_secs(30);
/// The number of consecutive invalid messages that closes a connection.
const MAX_INVALID: u32 = 16;

/// `GET /api/sessions/{id}/ws`
pub(crate) async fn follow(
    State(lab): State<Arc<Lab>>,
    Path(id): Path<String>,
    keys: PresentedKeys,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let slot = ClientSlot::acquire(&lab)?;
    let opened = Arc::clone(&lab);
    let session = blocking(move || opened.session(&id)).await?;
    session.state().access(&keys)?;
    let upgrade = upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE);
    Ok(upgrade.on_upgrade(move |socket| async move {
        // An error only means that the peer closed the connection.
        let _ = serve(socket, &lab, &session, &keys).await;
        drop(slot);
    }))
}

/// A client slot, released when dropped.
struct ClientSlot(Arc<Lab>);

impl ClientSlot {
    fn acquire(lab: &Arc<Lab>) -> Result<Self, ApiError> {
        let taken = lab.clients.fetch_add(1, Ordering::SeqCst);
        let slot = Self(Arc::clone(lab));
        if taken >= lab.options.limits.clients {
            return Err(ApiError::Busy("too many clients".into()));
        }
        Ok(slot)
    }
}

impl Drop for ClientSlot {
    fn drop(&mut self) {
        self.0.clients.fetch_sub(1, Ordering::SeqCst);
    }
}

async fn serve(
    mut socket: WebSocket,
    lab: &Arc<Lab>,
    session: &Arc<Session>,
    keys: &PresentedKeys,
) -> Result<(), axum::Error> {
    let mut updates = session.subscribe();
    let mut may_see = send_view(&mut socket, session, keys).await?;
    let mut invalid = 0;
    let mut ping = tokio::time::interval(PING_INTERVAL);
    while may_see && invalid < MAX_INVALID {
        tokio::select! {
            message = updates.recv() => {
                may_see = match message {
                    Ok(Update::Changed) | Err(RecvError::Lagged(_)) => {
                        send_view(&mut socket, session, keys).await?
                    }
                    Ok(Update::Analysis { only, text }) => {
                        let access = session.state().access(keys);
                        if access.is_ok_and(|access| only.is_none_or(|seat| access.holds(seat))) {
                            socket.send(Frame::Text(text.as_ref().into())).await?;
                        }
                        true
                    }
                    Ok(Update::Error(text)) => {
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
                    invalid = if matches!(done, Err(ApiError::BadRequest(_))) { invalid + 1 } else { 0 };
                    if let Err(error) = done {
                        send_error(&mut socket, &error).await?;
                    }
                }
            },
            _ = ping.tick() => socket.send(Frame::Ping(Vec::new().into())).await?,
        }
    }
    Ok(())
}

/// Sends the view of the holder of `keys`; returns whether they may still see the game.
async fn send_view(
    socket: &mut WebSocket,
    session: &Session,
    keys: &PresentedKeys,
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
        Err(error) => {
            send_error(socket, &error).await?;
            Ok(false)
        }
    }
}

async fn send_error(socket: &mut WebSocket, error: &ApiError) -> Result<(), axum::Error> {
    let text = Message::Error { error: &error.to_string() }.to_text();
    socket.send(Frame::Text(text.as_ref().into())).await
}

async fn command(
    lab: &Arc<Lab>,
    session: &Arc<Session>,
    keys: &PresentedKeys,
    frame: &Frame,
) -> Result<(), ApiError> {
    let Frame::Text(text) = frame else {
        return Err(ApiError::BadRequest("expected a text message".into()));
    };
    let command: Command = serde_json::from_str(text)
        .map_err(|error| ApiError::BadRequest(format!("invalid command: {error}")))?;
    let (lab, session, keys) = (Arc::clone(lab), Arc::clone(session), keys.clone());
    blocking(move || lab.command(&session, &keys, command)).await
}
