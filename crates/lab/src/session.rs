//! A table that pages look at: one at a time changes it, all are told.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use meeple_game::{Player, Turn};
use meeple_search::StopFlag;
use serde::Serialize;
use tokio::sync::broadcast;

use crate::gate::Gate;
use crate::refusal::Refusal;
use crate::seats::{Seat, is_instant};
use crate::store::Store;
use crate::table::Table;
use crate::thoughts::Thinking;
use crate::view::{Going, View};

/// Messages that a slow page may be behind; after that it gets the whole table.
const BEHIND: usize = 32;

/// A table and those who look at it.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) id: String,
    state: Mutex<State>,
    /// What searches pass between two reports.
    pub(crate) gate: Gate,
    news: broadcast::Sender<Arc<str>>,
    /// When it was last used, in uses of all sessions.
    used: AtomicU64,
}

/// What changes.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) table: Table,
    /// Goes up with every change that a search under way does not know of.
    pub(crate) epoch: u64,
    /// Whether bots are being asked.
    pub(crate) thinking: bool,
    /// Stops the bot that thinks.
    pub(crate) stop: StopFlag,
    /// Stops the search that a person asked for.
    pub(crate) stop_asked: StopFlag,
}

impl State {
    /// The table has changed: what is being thought is about another one.
    pub(crate) fn changed(&mut self) {
        self.epoch += 1;
        self.stop.stop();
        self.stop_asked.stop();
    }
}

/// What pages are sent.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Message<'a> {
    /// The table.
    View { view: &'a View },
    /// What a search thinks.
    Thought { thought: &'a Thinking },
    /// What could not be done.
    Error { error: &'a str },
}

impl Message<'_> {
    pub(crate) fn to_text(&self) -> Arc<str> {
        serde_json::to_string(self).expect("messages are plain data").into()
    }
}

impl Session {
    pub(crate) fn new(id: String, table: Table) -> Self {
        let gate = Gate::default();
        // Nobody waits for a game between bots: it begins when somebody says so.
        gate.set_shut(table.persons().next().is_none());
        let state = State {
            table,
            epoch: 0,
            thinking: false,
            stop: StopFlag::default(),
            stop_asked: StopFlag::default(),
        };
        Self {
            id,
            state: Mutex::new(state),
            gate,
            news: broadcast::channel(BEHIND).0,
            used: AtomicU64::new(0),
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn listen(&self) -> broadcast::Receiver<Arc<str>> {
        self.news.subscribe()
    }

    pub(crate) fn has_listeners(&self) -> bool {
        self.news.receiver_count() > 0
    }

    pub(crate) fn mark_used(&self, now: u64) {
        self.used.store(now, Ordering::Relaxed);
    }

    pub(crate) fn last_used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    pub(crate) fn view(&self, state: &State) -> View {
        let going = Going { paused: self.gate.is_shut(), thinking: state.thinking };
        View::of(&state.table, &self.id, going)
    }

    /// Tells all pages.
    pub(crate) fn send(&self, message: &Message<'_>) {
        if self.has_listeners() {
            // Those who left meanwhile need no news.
            let _ = self.news.send(message.to_text());
        }
    }

    /// Lets luck and bots that answer at once go on, and writes down what happened.
    /// Whether a bot must be asked that takes its time.
    pub(crate) fn settle(&self, state: &mut State, store: &Store) -> Result<bool, Refusal> {
        let waits = self.go_on(&mut state.table);
        let entries = state.table.take_unwritten();
        if let Err(error) = store.append(&self.id, &entries) {
            state.table.keep_unwritten(entries);
            return Err(Refusal::failed("cannot write the session", &error));
        }
        waits
    }

    fn go_on(&self, table: &mut Table) -> Result<bool, Refusal> {
        loop {
            table.let_luck_decide()?;
            let Turn::Player(player) = table.turn() else { return Ok(false) };
            let Seat::Bot(bot) = table.seat(player) else { return Ok(false) };
            let at_once = is_instant(bot) && table.persons().next().is_some();
            if !at_once || self.gate.is_shut() {
                return Ok(true);
            }
            let action = table.ask_bot(player)?;
            table.did(action, None, false)?;
        }
    }

    /// Shows the side of `seat` where only bots play, or the game is over.
    pub(crate) fn watch(state: &mut State, seat: u8) -> Result<(), Refusal> {
        if usize::from(seat) >= state.table.head.seats.len() {
            return Err(Refusal::Wrong(format!("seat {seat}: there is no such seat")));
        }
        if state.table.persons().next().is_some() {
            return Err(Refusal::Forbidden("a person plays: only that side is shown".into()));
        }
        state.table.watched = Player(seat);
        Ok(())
    }
}
