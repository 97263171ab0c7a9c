//! Everything that a server holds: sessions, what they may use, and where they are kept.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;
use tokio::sync::Semaphore;

use crate::Options;
use crate::refusal::Refusal;
use crate::seats::Seat;
use crate::session::Session;
use crate::store::{Head, Store};
use crate::table::Table;

/// Letters of a session's id.
const ID: usize = 32;

/// Why a lab cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// It would answer other machines without asking who they are.
    #[error("listening on {0}, which other machines reach, needs a token")]
    NoToken(std::net::SocketAddr),
    /// A token that is too easy to guess.
    #[error("the token has {0} letters, expected at least 8, without spaces")]
    ShortToken(usize),
    /// The folder of sessions cannot be used.
    #[error("cannot use the folder {folder}: {error}")]
    Store {
        /// The folder.
        folder: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: std::net::SocketAddr,
        /// Why.
        error: io::Error,
    },
    /// The server ended by itself.
    #[error("the server failed: {0}")]
    Serve(io::Error),
}

/// The state of a server.
#[derive(Debug)]
pub struct Lab {
    pub(crate) options: Options,
    pub(crate) store: Store,
    /// Searches that may begin.
    pub(crate) searches: Arc<Semaphore>,
    pub(crate) clients: AtomicUsize,
    sessions: Mutex<FxHashMap<String, Arc<Session>>>,
    /// The tables that have been opened.
    tables: Mutex<FxHashSet<String>>,
    ticks: AtomicU64,
}

impl Lab {
    /// Prepares everything that [`router`](crate::router) serves.
    ///
    /// # Errors
    ///
    /// When the options contradict each other, or the folder for sessions cannot be
    /// used.
    pub fn open(options: Options) -> Result<Arc<Self>, LabError> {
        match &options.token {
            None if !options.listen.ip().is_loopback() => {
                return Err(LabError::NoToken(options.listen));
            }
            Some(token) if token.len() < 8 || token.contains(char::is_whitespace) => {
                return Err(LabError::ShortToken(token.chars().count()));
            }
            _ => {}
        }
        let store = Store::open(&options.store, options.limits.stored)
            .map_err(|error| LabError::Store { folder: options.store.clone(), error })?;
        Ok(Arc::new(Self {
            searches: Arc::new(Semaphore::new(options.limits.searches.max(1))),
            options,
            store,
            clients: AtomicUsize::new(0),
            sessions: Mutex::default(),
            tables: Mutex::default(),
            ticks: AtomicU64::new(0),
        }))
    }

    /// Counts uses of sessions, to find those not used for longest.
    pub(crate) fn tick(&self) -> u64 {
        self.ticks.fetch_add(1, Ordering::Relaxed)
    }

    fn sessions(&self) -> MutexGuard<'_, FxHashMap<String, Arc<Session>>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn sessions_in_memory(&self) -> usize {
        self.sessions().len()
    }

    /// A new session at the table that `game` and `config` describe.
    pub(crate) fn create(
        &self,
        game: &str,
        config: Option<&Value>,
        seed: u64,
        seats: Vec<Seat>,
        actions: &[meeple_game::Action],
    ) -> Result<Arc<Session>, Refusal> {
        for seat in &seats {
            seat.check(&self.options.limits)?;
        }
        let config = config.filter(|config| !config.is_null()).map(Value::to_string);
        self.count_table(game, config.as_deref())?;
        let first = meeple_arena::open(game, config.as_deref())?;
        let head = Head::new(first.facts().name, first.config(), seed, seats);
        let mut table = Table::new(head)?;
        for (number, &action) in actions.iter().enumerate() {
            table.did(action, None, false).map_err(|refusal| {
                Refusal::Wrong(format!("actions: number {number}: {refusal}"))
            })?;
        }
        let id = new_id()?;
        let entries = table.take_unwritten();
        self.store
            .create(&id, &table.head, &entries)
            .map_err(|error| Refusal::failed("cannot write the session", &error))?;
        self.keep(Session::new(id, table))
    }

    /// Some games keep the cards of each table for ever, so there may be only so many.
    fn count_table(&self, game: &str, config: Option<&str>) -> Result<(), Refusal> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let table = format!("{game} {}", config.unwrap_or_default());
        if tables.len() >= self.options.limits.tables && !tables.contains(&table) {
            return Err(Refusal::Busy("too many different tables since the server began".into()));
        }
        tables.insert(table);
        Ok(())
    }

    /// The session called `id`, from memory or from disk.
    pub(crate) fn session(&self, id: &str) -> Result<Arc<Session>, Refusal> {
        let missing = || Refusal::Missing(format!("there is no session {id:?}"));
        if id.len() != ID || !id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(missing());
        }
        if let Some(session) = self.sessions().get(id) {
            session.mark_used(self.tick());
            return Ok(Arc::clone(session));
        }
        let damaged =
            |error: &dyn std::fmt::Display| Refusal::failed("the session cannot be read", error);
        let (head, entries) =
            self.store.read(id).map_err(|error| damaged(&error))?.ok_or_else(missing)?;
        let table = Table::restore(head, entries).map_err(|error| damaged(&error))?;
        self.keep(Session::new(id.into(), table))
    }

    /// Keeps a session in memory, in place of one that nobody uses.
    fn keep(&self, session: Session) -> Result<Arc<Session>, Refusal> {
        session.mark_used(self.tick());
        let mut sessions = self.sessions();
        if let Some(session) = sessions.get(&session.id) {
            return Ok(Arc::clone(session));
        }
        while sessions.len() >= self.options.limits.sessions.max(1) {
            let idle = sessions
                .values()
                .filter(|kept| Arc::strong_count(kept) == 1 && !kept.has_listeners())
                .min_by_key(|kept| kept.last_used())
                .map(|kept| kept.id.clone());
            let idle = idle.ok_or_else(|| Refusal::Busy("too many sessions are in use".into()))?;
            sessions.remove(&idle);
        }
        let session = Arc::new(session);
        sessions.insert(session.id.clone(), Arc::clone(&session));
        Ok(session)
    }

    /// Forgets a session.
    pub(crate) fn forget(&self, id: &str) -> Result<(), Refusal> {
        let session = self.session(id)?;
        session.state().changed();
        self.sessions().remove(id);
        self.store.remove(id).map_err(|error| Refusal::failed("cannot remove the session", &error))
    }
}

/// An id that nobody guesses.
fn new_id() -> Result<String, Refusal> {
    let mut bytes = [0; ID / 2];
    getrandom::fill(&mut bytes).map_err(|error| Refusal::failed("no random id", &error))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
