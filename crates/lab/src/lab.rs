//! Everything that a server holds: sessions, what they may use, and where they are kept.

use std::hash::{Hash, Hasher};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use meeple_arena::{BotSpec, Position};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use serde_json::Value;
use tokio::sync::Semaphore;

use crate::Options;
use crate::gate::Gate;
use crate::keys::{Keys, Presented};
use crate::permits::Permits;
use crate::refusal::{Refusal, short};
use crate::seats::{Seat, usual_seats};
use crate::secrets;
use crate::session::{News, Saved, Session, go_on};
use crate::store::{Head, Store, Stored};
use crate::table::Table;

/// Letters of a session's id.
const ID: usize = 32;
/// The longest name of a game.
const LONGEST_NAME: usize = 100;
/// The longest table, as JSON.
const LONGEST_CONFIG: usize = 64 * 1024;
/// Requests that read runs at once.
const READERS: usize = 4;

/// Why a lab cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// It would answer other machines without asking who they are.
    #[error("listening on {0}, which other machines reach, needs a token")]
    NoToken(std::net::SocketAddr),
    /// A token that is too easy to guess.
    #[error("the token has {0} letters, expected at least 8, ASCII and without spaces")]
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
    /// The system has no random numbers for secrets.
    #[error("no random numbers: {0}")]
    Random(String),
    /// The server ended by itself.
    #[error("the server failed: {0}")]
    Serve(io::Error),
}

/// The state of a server.
#[derive(Debug)]
pub struct Lab {
    pub(crate) options: Options,
    pub(crate) store: Store,
    /// Searches that may run.
    pub(crate) permits: Permits,
    /// Readers of runs at once: they may be large.
    pub(crate) readers: Semaphore,
    pub(crate) clients: AtomicUsize,
    sessions: Mutex<FxHashMap<String, Arc<Session>>>,
    /// The tables that have been opened, by hash.
    tables: Mutex<FxHashSet<u64>>,
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
            // Headers carry printable ASCII alone.
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
            permits: Permits::new(options.limits.searches),
            readers: Semaphore::new(READERS),
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

    /// A new session at a table where `actions` have happened already. Unless they are
    /// given, its seed is drawn, and a person sits first and then bots.
    pub(crate) fn create(
        self: &Arc<Self>,
        game: &str,
        config: Option<&Value>,
        seed: Option<u64>,
        seats: Option<Vec<Seat>>,
        actions: &[meeple_game::Action],
    ) -> Result<Arc<Session>, Refusal> {
        let config = config.filter(|config| !config.is_null()).map(Value::to_string);
        let asked = seats.as_deref().unwrap_or_default();
        let (first, counted) = self.open_table(game, config.as_deref(), asked)?;
        let seats = seats.map_or_else(|| usual_seats(&*first), Ok)?;
        let keys = Keys::new(&seats)?;
        let drawn = seed.map_or_else(new_seed, Ok)?;
        let head = Head {
            seed_chosen: seed.is_some(),
            ..Head::new(first.info().name, first.config(), drawn, seats, keys)
        };
        let mut table = Table::new(head, first, &self.options)?;
        self.count_tables(counted);
        for (number, &action) in actions.iter().enumerate() {
            table.did(action, None, false).map_err(|refusal| {
                Refusal::Wrong(format!("actions: number {number}: {refusal}"))
            })?;
        }
        // Whoever chose what is dealt knows it, as if they had chosen the seed.
        table.head.seed_chosen |= table.events.iter().any(|event| event.by.is_none());
        // Whatever needs no time is part of the first write, so that a session whose
        // beginning cannot be written does not begin.
        go_on(&mut table, &Gate::default())?;
        let id = secrets::random()?;
        let entries = table.take_unwritten();
        let bytes = self.store.write(&id, &table.head, &entries);
        let bytes = bytes.map_err(|error| Refusal::unsaved(&error))?;
        let saved = Saved { bytes, lines: entries.len() };
        let session = match self.keep(Session::new(id.clone(), table, saved)) {
            Ok(session) => session,
            Err(refusal) => {
                self.store.remove(&id).ok();
                return Err(refusal);
            }
        };
        self.go_on(&session, &mut session.state())?;
        Ok(session)
    }

    /// The first position of a table. Some games keep the cards and weights of each table
    /// for ever, so there may be only so many; those that do not exist do not count.
    fn open_table(
        &self,
        game: &str,
        config: Option<&str>,
        seats: &[Seat],
    ) -> Result<(Box<dyn Position>, FxHashSet<u64>), Refusal> {
        for (field, length, most) in [
            ("game", game.len(), LONGEST_NAME),
            ("config", config.map_or(0, str::len), LONGEST_CONFIG),
        ] {
            if length > most {
                let wrong = format!("{field}: expected at most {most} bytes, found {length}");
                return Err(Refusal::Wrong(wrong));
            }
        }
        let weights = seats.iter().filter_map(|seat| match seat {
            Seat::Bot(BotSpec::Weighted { weights, .. }) => Some(format!("{weights:?}")),
            _ => None,
        });
        let of_table = |weights: &str| {
            let mut hasher = FxHasher::default();
            (game, config, weights).hash(&mut hasher);
            hasher.finish()
        };
        let asked: FxHashSet<u64> =
            std::iter::once(String::new()).chain(weights).map(|text| of_table(&text)).collect();
        let tables = self.tables();
        let unknown = asked.difference(&tables).count();
        if unknown > 0 && tables.len() + unknown > self.options.limits.tables {
            return Err(Refusal::Busy("too many different tables since the server began".into()));
        }
        drop(tables);
        Ok((meeple_arena::open(game, config)?, asked))
    }

    /// Counts the tables that a request opened; those of a request that is refused do not
    /// count.
    fn count_tables(&self, opened: FxHashSet<u64>) {
        self.tables().extend(opened);
    }

    fn tables(&self) -> MutexGuard<'_, FxHashSet<u64>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The session called `id`, from memory or from disk.
    pub(crate) fn session(self: &Arc<Self>, id: &str) -> Result<Arc<Session>, Refusal> {
        let missing = || Refusal::Missing(format!("there is no session {}", short(id)));
        if id.len() != ID || !id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(missing());
        }
        if let Some(session) = self.sessions().get(id) {
            session.mark_used(self.tick());
            return Ok(Arc::clone(session));
        }
        let (table, saved) = self.restore(id)?;
        let session = self.keep(Session::new(id.into(), table, saved))?;
        // A bot may have been to move when the server ended. What goes wrong there is told
        // to whoever follows; the table can be looked at all the same.
        let mut state = session.state();
        if !state.asking {
            let _ = self.go_on(&session, &mut state);
        }
        drop(state);
        Ok(session)
    }

    /// The table of a session as it is on disk. It is checked as if a caller had asked for
    /// it: whoever can write into the folder must not get more than they.
    pub(crate) fn restore(&self, id: &str) -> Result<(Table, Saved), Refusal> {
        let damaged = |error: &dyn std::fmt::Display| {
            Refusal::failed(&format!("the session {id} cannot be read"), error)
        };
        let stored = self.store.read(id).map_err(|error| damaged(&error))?;
        let missing = || Refusal::Missing(format!("there is no session {id:?}"));
        let Stored { head, entries, length } = stored.ok_or_else(missing)?;
        let saved = Saved { bytes: length, lines: entries.len() };
        let config = head.config.to_string();
        let first = self.open_table(&head.game, Some(&config), &head.seats);
        let table = first.and_then(|(first, counted)| {
            let table = Table::new(head, first, &self.options)?;
            self.count_tables(counted);
            Ok(table)
        });
        let mut table = table.map_err(|refusal| match refusal {
            Refusal::Busy(_) => refusal,
            other => damaged(&format!("line 1: {other}")),
        })?;
        for (entry, line) in entries.into_iter().zip(2..) {
            table
                .redo(entry, &self.options.limits)
                .map_err(|error| damaged(&format!("line {line}: {error}")))?;
        }
        Ok((table, saved))
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

    /// Forgets a session: its searches end, and its file is removed.
    pub(crate) fn forget(self: &Arc<Self>, id: &str, keys: &Presented) -> Result<(), Refusal> {
        let session = self.session(id)?;
        let mut state = session.state();
        if !state.rights(keys)?.is_member() {
            return Err(Refusal::Forbidden("expected the key of a seat or of the owner".into()));
        }
        self.store
            .remove(id)
            .map_err(|error| Refusal::failed("cannot remove the session", &error))?;
        state.forgotten = true;
        state.changed();
        drop(state);
        session.tell(News::Changed);
        self.sessions().remove(id);
        Ok(())
    }
}

/// A seed that nobody knows, small enough for the numbers of JavaScript.
fn new_seed() -> Result<u64, Refusal> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|error| Refusal::failed("no random seed", &error))?;
    Ok(u64::from_le_bytes(bytes) >> 11)
}
