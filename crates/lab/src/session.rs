//! A session: a game in progress, its subscribers, and its file on disk.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use meeple_game::{Player, Turn};
use meeple_search::StopFlag;
use serde::Serialize;
use tokio::sync::broadcast;

use crate::analysis::AnalysisView;
use crate::error::ApiError;
use crate::game_session::GameSession;
use crate::keys::{Access, PresentedKeys};
use crate::lab::Lab;
use crate::pause::PauseGate;
use crate::seats::is_instant;
use crate::view::{Activity, View};

/// Updates buffered for a slow page; one that lags further gets a full view instead.
const UPDATE_BUFFER: usize = 32;
/// Slack of the compaction: a file is rewritten when it has more lines than twice the events
/// plus this.
const SPARE_LINES: usize = 256;

/// A game in progress and its subscribers.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) id: String,
    state: Mutex<State>,
    /// Pauses and steps searches.
    pub(crate) gate: PauseGate,
    updates: broadcast::Sender<Update>,
    /// The tick of the last use, for LRU eviction.
    used: AtomicU64,
    /// The time of the last request.
    last_request: Mutex<Instant>,
}

/// The mutable state of a session.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) table: GameSession,
    /// Incremented by every change that invalidates running searches.
    pub(crate) epoch: u64,
    /// Whether a task plays the bots.
    pub(crate) bots_running: bool,
    /// Whether the session was deleted.
    pub(crate) deleted: bool,
    /// Stops the search of the bot to move.
    pub(crate) stop: StopFlag,
    /// The decision that a person stopped, by epoch and event. It may still wait for a search
    /// slot, so its search is stopped when it begins.
    pub(crate) stopped_decision: Option<(u64, usize)>,
    /// Stops the analysis that a person requested.
    pub(crate) stop_analysis: StopFlag,
    /// The extent of the file on disk.
    saved: Saved,
}

/// The extent of a session file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Saved {
    pub(crate) bytes: u64,
    /// The number of lines after the header.
    pub(crate) lines: usize,
}

impl State {
    /// Returns the epoch and the event of the next decision.
    pub(crate) fn decision(&self) -> (u64, usize) {
        (self.epoch, self.table.events.len())
    }

    /// Invalidates and stops running searches after a change of the game.
    pub(crate) fn invalidate_searches(&mut self) {
        self.epoch += 1;
        self.stop.stop();
        self.stop_analysis.stop();
    }

    /// Returns the access of a caller with these keys, without checking visibility.
    pub(crate) fn permissions(&self, keys: &PresentedKeys) -> Result<Access, ApiError> {
        if self.deleted {
            return Err(ApiError::NotFound("the session was deleted".into()));
        }
        Ok(self.table.header.keys.access(keys))
    }

    /// Returns the access of a caller with these keys, if they may see the game.
    pub(crate) fn access(&self, keys: &PresentedKeys) -> Result<Access, ApiError> {
        let access = self.permissions(keys)?;
        self.table.check_visibility(access)?;
        Ok(access)
    }
}

/// An update for the subscribers of a session.
#[derive(Clone, Debug)]
pub(crate) enum Update {
    /// The game has changed; each subscriber gets the view of its own seat.
    Changed,
    /// Search statistics, for the holder of a seat or for all.
    Analysis { only: Option<Player>, text: Arc<str> },
    /// An error message for all.
    Error(Arc<str>),
}

/// A message to a page.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Message<'a> {
    /// The view of the game.
    View { view: &'a View },
    /// Search statistics.
    Analysis { analysis: &'a AnalysisView },
    /// An error.
    Error { error: &'a str },
}

impl Message<'_> {
    pub(crate) fn to_text(&self) -> Arc<str> {
        serde_json::to_string(self).expect("messages are plain data").into()
    }
}

impl Session {
    pub(crate) fn new(id: String, table: GameSession, saved: Saved) -> Self {
        let gate = PauseGate::default();
        // A game between bots starts paused, until a spectator resumes it.
        gate.set_paused(table.humans().next().is_none());
        let state = State {
            table,
            epoch: 0,
            stopped_decision: None,
            bots_running: false,
            deleted: false,
            stop: StopFlag::default(),
            stop_analysis: StopFlag::default(),
            saved,
        };
        Self {
            id,
            state: Mutex::new(state),
            gate,
            updates: broadcast::channel(UPDATE_BUFFER).0,
            used: AtomicU64::new(0),
            last_request: Mutex::new(Instant::now()),
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Update> {
        self.updates.subscribe()
    }

    pub(crate) fn has_subscribers(&self) -> bool {
        self.updates.receiver_count() > 0
    }

    pub(crate) fn mark_used(&self, now: u64) {
        self.used.store(now, Ordering::Relaxed);
        *self.last_request.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    pub(crate) fn last_used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Returns the time since the last request; zero while there are subscribers.
    pub(crate) fn idle_time(&self) -> Duration {
        if self.has_subscribers() {
            return Duration::ZERO;
        }
        self.last_request.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }

    /// Returns the view of a caller.
    pub(crate) fn view(&self, state: &State, access: Access) -> View {
        let thinking = state.bots_running && state.table.awaits_bot();
        let activity = Activity { paused: self.gate.is_paused(), thinking };
        View::of(&state.table, &self.id, activity, access)
    }

    /// Publishes an update to all subscribers.
    pub(crate) fn publish(&self, update: Update) {
        // Fails only without subscribers.
        let _ = self.updates.send(update);
    }

    pub(crate) fn publish_error(&self, error: &ApiError) {
        self.publish(Update::Error(Message::Error { error: &error.to_string() }.to_text()));
    }

    /// Resolves chance events and instant bots, and saves the events. Returns whether a bot
    /// has to search.
    pub(crate) fn advance_and_save(&self, state: &mut State, lab: &Lab) -> Result<bool, ApiError> {
        let needs_search = advance(&mut state.table, &self.gate);
        self.save(state, lab)?;
        needs_search
    }

    /// Appends the new events to the file. If that fails, the game is rolled back to the
    /// state on disk.
    fn save(&self, state: &mut State, lab: &Lab) -> Result<(), ApiError> {
        let entries = state.table.take_unwritten();
        let appended = match lab.store.append(&self.id, state.saved.bytes, &entries) {
            // The file was removed: it is written again in full.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let lines = state.table.entries().len();
                state.saved.lines = lines.saturating_sub(entries.len());
                lab.store.write(&self.id, &state.table.header, &state.table.entries())
            }
            appended => appended,
        };
        match appended {
            Ok(bytes) => {
                state.saved = Saved { bytes, lines: state.saved.lines + entries.len() };
                self.compact(state, lab);
                Ok(())
            }
            Err(error) => {
                match lab.restore(&self.id) {
                    Ok((mut table, saved)) => {
                        table.viewpoint = state.table.viewpoint;
                        (state.table, state.saved) = (table, saved);
                        state.invalidate_searches();
                    }
                    // The file cannot be read either: the events stay pending.
                    Err(_) => state.table.restore_unwritten(entries),
                }
                Err(ApiError::not_saved(&error))
            }
        }
    }

    /// Rewrites the file if most of its events were taken back.
    fn compact(&self, state: &mut State, lab: &Lab) {
        if state.saved.lines <= 2 * state.table.events.len() + SPARE_LINES {
            return;
        }
        let entries = state.table.entries();
        // If this fails, the old file is still valid, only long.
        if let Ok(bytes) = lab.store.write(&self.id, &state.table.header, &entries) {
            state.saved = Saved { bytes, lines: entries.len() };
        }
    }

    /// Sets the seat whose view spectators see in a game of bots.
    pub(crate) fn set_viewpoint(state: &mut State, seat: u8) -> Result<(), ApiError> {
        if usize::from(seat) >= state.table.header.seats.len() {
            return Err(ApiError::BadRequest(format!("seat {seat}: no such seat")));
        }
        if state.table.humans().next().is_some() {
            return Err(ApiError::Forbidden(
                "a person plays: only the view of that seat is shown".into(),
            ));
        }
        state.table.viewpoint = Player(seat);
        Ok(())
    }
}

/// Resolves chance events and instant bots; returns whether a bot has to search.
pub(crate) fn advance(table: &mut GameSession, gate: &PauseGate) -> Result<bool, ApiError> {
    loop {
        table.resolve_chance();
        let Turn::Player(player) = table.turn() else { return Ok(false) };
        let Some(bot) = table.bot(player) else { return Ok(false) };
        let is_immediate = is_instant(bot) && table.humans().next().is_some();
        if !is_immediate || gate.is_paused() {
            return Ok(true);
        }
        let action = table.instant_action(player)?;
        table.apply_action(action, None, false)?;
    }
}
