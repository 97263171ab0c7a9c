//! A table that pages look at: one at a time changes it, all are told.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use meeple_game::{Player, Turn};
use meeple_search::StopFlag;
use serde::Serialize;
use tokio::sync::broadcast;

use crate::gate::Gate;
use crate::keys::{Access, Presented};
use crate::lab::Lab;
use crate::refusal::Refusal;
use crate::seats::is_instant;
use crate::table::Table;
use crate::thoughts::Thinking;
use crate::view::{Going, View};

/// Messages that a slow page may be behind; after that it gets the whole table.
const BEHIND: usize = 32;
/// Lines of a file beyond twice what the table needs after which it is written anew.
const SPARE_LINES: usize = 256;

/// A table and those who look at it.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) id: String,
    state: Mutex<State>,
    /// What searches pass between two reports.
    pub(crate) gate: Gate,
    news: broadcast::Sender<News>,
    /// When it was last used, in uses of all sessions.
    used: AtomicU64,
    /// When a caller last asked about it.
    asked: Mutex<Instant>,
}

/// What changes.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) table: Table,
    /// Goes up with every change that a search under way does not know of.
    pub(crate) epoch: u64,
    /// Whether a task asks bots to decide.
    pub(crate) asking: bool,
    /// Whether the session was forgotten: nothing happens here any more.
    pub(crate) forgotten: bool,
    /// Stops the bot that thinks.
    pub(crate) stop: StopFlag,
    /// Stops the search that a person asked for.
    pub(crate) stop_asked: StopFlag,
    /// What is on disk.
    saved: Saved,
}

/// How much of a session is on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Saved {
    pub(crate) bytes: u64,
    /// Lines without the first.
    pub(crate) lines: usize,
}

impl State {
    /// The table has changed: what is being thought is about another one.
    pub(crate) fn changed(&mut self) {
        self.epoch += 1;
        self.stop.stop();
        self.stop_asked.stop();
    }

    /// What a caller with these keys may do here, whether or not they may see it.
    pub(crate) fn rights(&self, keys: &Presented) -> Result<Access, Refusal> {
        if self.forgotten {
            return Err(Refusal::Missing("the session was forgotten".into()));
        }
        Ok(self.table.head.keys.access(keys))
    }

    /// What a caller with these keys may do here, if they may see it.
    pub(crate) fn access(&self, keys: &Presented) -> Result<Access, Refusal> {
        let access = self.rights(keys)?;
        self.table.check_look(access)?;
        Ok(access)
    }
}

/// What those who follow a session are told.
#[derive(Clone, Debug)]
pub(crate) enum News {
    /// The table has changed; everybody looks at it with their own eyes.
    Changed,
    /// What a search thinks: a message for whoever holds the seat, or for all.
    Thought { only: Option<Player>, text: Arc<str> },
    /// A message for all.
    Error(Arc<str>),
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
    pub(crate) fn new(id: String, table: Table, saved: Saved) -> Self {
        let gate = Gate::default();
        // Nobody waits for a game between bots: it begins when somebody says so.
        gate.set_shut(table.persons().next().is_none());
        let state = State {
            table,
            epoch: 0,
            asking: false,
            forgotten: false,
            stop: StopFlag::default(),
            stop_asked: StopFlag::default(),
            saved,
        };
        Self {
            id,
            state: Mutex::new(state),
            gate,
            news: broadcast::channel(BEHIND).0,
            used: AtomicU64::new(0),
            asked: Mutex::new(Instant::now()),
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn listen(&self) -> broadcast::Receiver<News> {
        self.news.subscribe()
    }

    pub(crate) fn has_listeners(&self) -> bool {
        self.news.receiver_count() > 0
    }

    pub(crate) fn mark_used(&self, now: u64) {
        self.used.store(now, Ordering::Relaxed);
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    pub(crate) fn last_used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// How long nobody has followed it or asked about it.
    pub(crate) fn idle(&self) -> Duration {
        if self.has_listeners() {
            return Duration::ZERO;
        }
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }

    /// The table as a caller may see it.
    pub(crate) fn view(&self, state: &State, access: Access) -> View {
        let thinking = state.asking && state.table.awaits_bot();
        let going = Going { paused: self.gate.is_shut(), thinking };
        View::of(&state.table, &self.id, going, access)
    }

    /// Tells all who follow.
    pub(crate) fn tell(&self, news: News) {
        // Those who left meanwhile need no news.
        let _ = self.news.send(news);
    }

    pub(crate) fn tell_error(&self, refusal: &Refusal) {
        self.tell(News::Error(Message::Error { error: &refusal.to_string() }.to_text()));
    }

    /// Lets luck and bots that answer at once go on, and writes down what happened.
    /// Whether a bot must be asked that takes its time.
    pub(crate) fn settle(&self, state: &mut State, lab: &Lab) -> Result<bool, Refusal> {
        let waits = go_on(&mut state.table, &self.gate);
        self.save(state, lab)?;
        waits
    }

    /// Writes down what has happened. What cannot be written has not happened: the table
    /// goes back to what is on disk.
    fn save(&self, state: &mut State, lab: &Lab) -> Result<(), Refusal> {
        let entries = state.table.take_unwritten();
        let appended = match lab.store.append(&self.id, state.saved.bytes, &entries) {
            // Somebody removed the file: it is written anew.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let lines = state.table.entries().len();
                state.saved.lines = lines.saturating_sub(entries.len());
                lab.store.write(&self.id, &state.table.head, &state.table.entries())
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
                        table.watched = state.table.watched;
                        (state.table, state.saved) = (table, saved);
                        state.changed();
                    }
                    // What cannot be read either is kept until it can be written.
                    Err(_) => state.table.keep_unwritten(entries),
                }
                Err(Refusal::unsaved(&error))
            }
        }
    }

    /// Writes the file anew where most of it was taken back.
    fn compact(&self, state: &mut State, lab: &Lab) {
        if state.saved.lines <= 2 * state.table.events.len() + SPARE_LINES {
            return;
        }
        let entries = state.table.entries();
        // A file that cannot be written anew is long, and as right as before.
        if let Ok(bytes) = lab.store.write(&self.id, &state.table.head, &entries) {
            state.saved = Saved { bytes, lines: entries.len() };
        }
    }

    /// Shows the side of `seat` where only bots play.
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

/// Lets luck and bots that answer at once go on. Whether a bot must be asked that takes
/// its time.
pub(crate) fn go_on(table: &mut Table, gate: &Gate) -> Result<bool, Refusal> {
    loop {
        table.let_luck_decide()?;
        let Turn::Player(player) = table.turn() else { return Ok(false) };
        let Some(bot) = table.bot(player) else { return Ok(false) };
        let at_once = is_instant(bot) && table.persons().next().is_some();
        if !at_once || gate.is_shut() {
            return Ok(true);
        }
        let action = table.ask_bot(player)?;
        table.did(action, None, false)?;
    }
}
