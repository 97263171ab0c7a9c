//! A page that follows a session over a WebSocket.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::ws::{Message as Frame, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::response::Response;
use tokio::sync::broadcast::error::RecvError;

use crate::commands::Command;
use crate::lab::Lab;
use crate::refusal::Refusal;
use crate::session::{Message, Session};

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
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    let session = lab.session(&id)?;
    let place = Place::take(&lab)?;
    let upgrade = upgrade.max_message_size(LONGEST).max_frame_size(LONGEST);
    Ok(upgrade.on_upgrade(move |socket| async move {
        // Whoever hangs up in the middle of a message is gone all the same.
        let _ = serve(socket, &lab, &session).await;
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
) -> Result<(), axum::Error> {
    let mut news = session.listen();
    send_view(&mut socket, session).await?;
    // A session that was read from disk may have a bot to move.
    {
        let mut state = session.state();
        if !state.thinking {
            let _ = lab.go_on(session, &mut state);
        }
    }
    let mut nonsense = 0;
    let mut ping = tokio::time::interval(PING);
    loop {
        tokio::select! {
            message = news.recv() => match message {
                Ok(text) => socket.send(Frame::Text(text.as_ref().into())).await?,
                Err(RecvError::Lagged(_)) => send_view(&mut socket, session).await?,
                Err(RecvError::Closed) => return Ok(()),
            },
            frame = socket.recv() => match frame {
                None | Some(Ok(Frame::Close(_))) => return Ok(()),
                Some(Err(error)) => return Err(error),
                Some(Ok(Frame::Ping(_) | Frame::Pong(_))) => {}
                Some(Ok(frame)) => {
                    let done = command(lab, session, &frame);
                    nonsense = if matches!(done, Err(Refusal::Wrong(_))) { nonsense + 1 } else { 0 };
                    if let Err(refusal) = done {
                        let text = Message::Error { error: &refusal.to_string() }.to_text();
                        socket.send(Frame::Text(text.as_ref().into())).await?;
                    }
                    if nonsense >= NONSENSE {
                        return Ok(());
                    }
                }
            },
            _ = ping.tick() => socket.send(Frame::Ping(Vec::new().into())).await?,
        }
    }
}

async fn send_view(socket: &mut WebSocket, session: &Session) -> Result<(), axum::Error> {
    let text = {
        let state = session.state();
        Message::View { view: &session.view(&state) }.to_text()
    };
    socket.send(Frame::Text(text.as_ref().into())).await
}

fn command(lab: &Arc<Lab>, session: &Arc<Session>, frame: &Frame) -> Result<(), Refusal> {
    let Frame::Text(text) = frame else {
        return Err(Refusal::Wrong("expected a message of text".into()));
    };
    let command: Command = serde_json::from_str(text)
        .map_err(|error| Refusal::Wrong(format!("no command: {error}")))?;
    lab.command(session, command).map(|_| ())
}
