//! The state of a server: its sessions, limits and storage.

use std::hash::{Hash, Hasher};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use meeple_bots::{BotSpec, Position};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use serde_json::Value;
use tokio::sync::Semaphore;

use crate::Options;
use crate::error::{ApiError, short};
use crate::game_session::GameSession;
use crate::keys::{Keys, PresentedKeys};
use crate::pause::PauseGate;
use crate::seats::{Seat, default_seats};
use crate::secrets;
use crate::session::{Saved, Session, Update, advance};
use crate::slots::SearchSlots;
use crate::store::{Header, Store, Stored};

/// The length of a session id.
const ID_LENGTH: usize = 32;
/// The maximum length of the name of a game.
const MAX_NAME: usize = 100;
/// The maximum length of a game configuration, as JSON.
const MAX_CONFIG: usize = 64 * 1024;
/// The maximum number of concurrent requests that read runs.
const MAX_READERS: usize = 4;

/// The error of opening or serving a lab.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// The address is reachable from other machines, but there is no token.
    #[error("listening on {0}, which is reachable from other machines, requires a token")]
    NoToken(std::net::SocketAddr),
    /// The token is too short or has invalid characters.
    #[error("the token has {0} characters, expected at least 8 of printable ASCII without spaces")]
    ShortToken(usize),
    /// The session folder cannot be used.
    #[error("cannot use the folder {folder}: {error}")]
    Store {
        /// The folder.
        folder: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: std::net::SocketAddr,
        /// The cause.
        error: io::Error,
    },
    /// The system's random number generator failed.
    #[error("the random number generator failed: {0}")]
    Random(String),
    /// The server failed.
    #[error("the server failed: {0}")]
    Serve(io::Error),
}

/// The state of a server.
#[derive(Debug)]
pub struct Lab {
    pub(crate) options: Options,
    pub(crate) store: Store,
    /// Limits concurrent searches.
    pub(crate) slots: SearchSlots,
    /// Limits concurrent readers of runs, which may be large.
    pub(crate) readers: Semaphore,
    pub(crate) clients: AtomicUsize,
    sessions: Mutex<FxHashMap<String, Arc<Session>>>,
    /// The hashes of the configurations opened so far.
    tables: Mutex<FxHashSet<u64>>,
    ticks: AtomicU64,
}

impl Lab {
    /// Prepares everything that [`router`](crate::router) serves.
    ///
    /// # Errors
    ///
    /// If the options are inconsistent, or the session folder cannot be used.
    pub fn open(options: Options) -> Result<Arc<Self>, LabError> {
        match &options.token {
            None if !options.listen.ip().is_loopback() => {
                return Err(LabError::NoToken(options.listen));
            }
            // HTTP headers allow only printable ASCII.
            Some(token)
                if token.len() < 8 || !token.bytes().all(|byte| byte.is_ascii_graphic()) =>
            {
                return Err(LabError::ShortToken(token.chars().count()));
            }
            _ => {}
        }
        let store = Store::open(&options.store, options.limits.stored)
            .map_err(|error| LabError::Store { folder: options.store.clone(), error })?;
        Ok(Arc::new(Self {
            slots: SearchSlots::new(options.limits.searches),
            readers: Semaphore::new(MAX_READERS),
            options,
            store,
            clients: AtomicUsize::new(0),
            sessions: Mutex::default(),
            tables: Mutex::default(),
            ticks: AtomicU64::new(0),
        }))
    }

    /// Returns a logical time stamp, for LRU eviction of sessions.
    pub(crate) fn tick(&self) -> u64 {
        self.ticks.fetch_add(1, Ordering::Relaxed)
    }

    fn sessions(&self) -> MutexGuard<'_, FxHashMap<String, Arc<Session>>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn sessions_in_memory(&self) -> usize {
        self.sessions().len()
    }

    /// Creates a session in which `actions` have been played. By default the seed is random,
    /// and a person has the first seat and bots the others.
    pub(crate) fn create(
        self: &Arc<Self>,
        game: &str,
        config: Option<&Value>,
        seed: Option<u64>,
        seats: Option<Vec<Seat>>,
        actions: &[meeple_game::Action],
    ) -> Result<Arc<Session>, ApiError> {
        let config = config.filter(|config| !config.is_null()).map(Value::to_string);
        let requested = seats.as_deref().unwrap_or_default();
        let (first, opened) = self.open_table(game, config.as_deref(), requested)?;
        let seats = seats.unwrap_or_else(|| default_seats(&*first));
        let keys = Keys::new(&seats)?;
        let actual_seed = seed.map_or_else(new_seed, Ok)?;
        let header = Header {
            seed_chosen: seed.is_some(),
            ..Header::new(first.info().name, first.config(), actual_seed, seats, keys)
        };
        let mut table = GameSession::new(header, first, &self.options)?;
        self.register_tables(opened);
        for (number, &action) in actions.iter().enumerate() {
            table.apply_action(action, None, false).map_err(|error| {
                ApiError::BadRequest(format!("actions: number {number}: {error}"))
            })?;
        }
        // Given chance outcomes reveal the deal, like a chosen seed.
        table.header.seed_chosen |= table.events.iter().any(|event| event.by.is_none());
        // The first write includes all immediate events, so a session that cannot be written
        // is not created.
        advance(&mut table, &PauseGate::default())?;
        let id = secrets::random()?;
        let entries = table.take_unwritten();
        let bytes = self.store.write(&id, &table.header, &entries);
        let bytes = bytes.map_err(|error| ApiError::not_saved(&error))?;
        let saved = Saved { bytes, lines: entries.len() };
        let session = match self.insert(Session::new(id.clone(), table, saved)) {
            Ok(session) => session,
            Err(error) => {
                self.store.remove(&id).ok();
                return Err(error);
            }
        };
        self.continue_bots(&session, &mut session.state())?;
        Ok(session)
    }

    /// Returns the initial position of a configuration. Some games keep the cards and weights
    /// of each configuration in memory forever, so their number is limited; invalid ones do
    /// not count.
    pub(crate) fn open_table(
        &self,
        game: &str,
        config: Option<&str>,
        seats: &[Seat],
    ) -> Result<(Box<dyn Position>, FxHashSet<u64>), ApiError> {
        for (field, length, most) in
            [("game", game.len(), MAX_NAME), ("config", config.map_or(0, str::len), MAX_CONFIG)]
        {
            if length > most {
                let problem = format!("{field}: expected at most {most} bytes, found {length}");
                return Err(ApiError::BadRequest(problem));
            }
        }
        let weights = seats.iter().filter_map(|seat| match seat {
            Seat::Bot(BotSpec::Weighted { weights, .. }) => Some(format!("{weights:?}")),
            _ => None,
        });
        let hash_of = |weights: &str| {
            let mut hasher = FxHasher::default();
            (game, config, weights).hash(&mut hasher);
            hasher.finish()
        };
        let requested: FxHashSet<u64> =
            std::iter::once(String::new()).chain(weights).map(|text| hash_of(&text)).collect();
        let tables = self.tables();
        let new = requested.difference(&tables).count();
        if new > 0 && tables.len() + new > self.options.limits.tables {
            return Err(ApiError::Busy(
                "too many different configurations since the server started".into(),
            ));
        }
        drop(tables);
        Ok((meeple_bots::open(game, config)?, requested))
    }

    /// Registers the configurations that a successful request opened.
    fn register_tables(&self, opened: FxHashSet<u64>) {
        self.tables().extend(opened);
    }

    fn tables(&self) -> MutexGuard<'_, FxHashSet<u64>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the session `id`, from memory or from disk.
    pub(crate) fn session(self: &Arc<Self>, id: &str) -> Result<Arc<Session>, ApiError> {
        let missing = || ApiError::NotFound(format!("no session {}", short(id)));
        if id.len() != ID_LENGTH
            || !id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        {
            return Err(missing());
        }
        if let Some(session) = self.sessions().get(id) {
            session.mark_used(self.tick());
            return Ok(Arc::clone(session));
        }
        let (table, saved) = self.restore(id)?;
        let session = self.insert(Session::new(id.into(), table, saved))?;
        // A bot may have been to move when the server stopped. Its errors go to the
        // subscribers; the session can be viewed in any case.
        let mut state = session.state();
        if !state.bots_running {
            let _ = self.continue_bots(&session, &mut state);
        }
        drop(state);
        Ok(session)
    }

    /// Restores a session from disk. It is validated like a request: write access to the
    /// folder must not grant more than the API does.
    pub(crate) fn restore(&self, id: &str) -> Result<(GameSession, Saved), ApiError> {
        let damaged = |error: &dyn std::fmt::Display| {
            ApiError::internal(&format!("cannot read the session {id}"), error)
        };
        let stored = self.store.read(id).map_err(|error| damaged(&error))?;
        let missing = || ApiError::NotFound(format!("no session {id:?}"));
        let Stored { header, entries, length } = stored.ok_or_else(missing)?;
        let saved = Saved { bytes: length, lines: entries.len() };
        let config = header.config.to_string();
        let first = self.open_table(&header.game, Some(&config), &header.seats);
        let table = first.and_then(|(first, opened)| {
            let table = GameSession::new(header, first, &self.options)?;
            self.register_tables(opened);
            Ok(table)
        });
        let mut table = table.map_err(|error| match error {
            ApiError::Busy(_) => error,
            other => damaged(&format!("line 1: {other}")),
        })?;
        for (entry, line) in entries.into_iter().zip(2..) {
            table
                .redo(entry, &self.options.limits)
                .map_err(|error| damaged(&format!("line {line}: {error}")))?;
        }
        Ok((table, saved))
    }

    /// Adds a session to memory, evicting the least recently used idle one if necessary.
    fn insert(&self, session: Session) -> Result<Arc<Session>, ApiError> {
        session.mark_used(self.tick());
        let mut sessions = self.sessions();
        if let Some(session) = sessions.get(&session.id) {
            return Ok(Arc::clone(session));
        }
        while sessions.len() >= self.options.limits.sessions.max(1) {
            let idle = sessions
                .values()
                .filter(|kept| Arc::strong_count(kept) == 1 && !kept.has_subscribers())
                .min_by_key(|kept| kept.last_used())
                .map(|kept| kept.id.clone());
            let idle = idle.ok_or_else(|| ApiError::Busy("too many sessions are in use".into()))?;
            sessions.remove(&idle);
        }
        let session = Arc::new(session);
        sessions.insert(session.id.clone(), Arc::clone(&session));
        Ok(session)
    }

    /// Deletes a session: stops its searches and removes its file.
    pub(crate) fn delete(self: &Arc<Self>, id: &str, keys: &PresentedKeys) -> Result<(), ApiError> {
        let session = self.session(id)?;
        let mut state = session.state();
        if !state.permissions(keys)?.is_member() {
            return Err(ApiError::Forbidden("expected the key of a seat or of the owner".into()));
        }
        self.store
            .remove(id)
            .map_err(|error| ApiError::internal("cannot remove the session", &error))?;
        state.deleted = true;
        state.invalidate_searches();
        drop(state);
        session.publish(Update::Changed);
        self.sessions().remove(id);
        Ok(())
    }
}

/// Returns a random seed of 53 bits, exact as a JavaScript number.
fn new_seed() -> Result<u64, ApiError> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes)
        .map_err(|error| ApiError::internal("cannot draw a random seed", &error))?;
    Ok(u64::from_le_bytes(bytes) >> 11)
}
