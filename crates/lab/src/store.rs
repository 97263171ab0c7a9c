//! Sessions on disk: one file each, a line for the table and a line for each event.
//!
//! A session is a configuration, a seed and what was done, so its file grows by a short
//! line a move. A line that was torn when the machine stopped is dropped when the
//! session is next read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use meeple_arena::Thought;
use meeple_game::Action;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::seats::Seat;

/// The version of the format.
const VERSION: u32 = 1;
/// How many sessions are written between two looks at how many there are.
const LOOK_EVERY: u64 = 64;

/// The first line: the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Head {
    /// The version of the format.
    pub(crate) meeple_session: u32,
    pub(crate) game: String,
    pub(crate) config: Value,
    pub(crate) seed: u64,
    pub(crate) seats: Vec<Seat>,
}

impl Head {
    pub(crate) fn new(game: &str, config: Value, seed: u64, seats: Vec<Seat>) -> Self {
        Self { meeple_session: VERSION, game: game.into(), config, seed, seats }
    }
}

/// Every other line: something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Entry {
    /// Somebody or luck did this, perhaps after thinking.
    Did {
        action: Action,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        thought: Option<Thought>,
        /// Whether those who watch may know the thought before the game is over.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        open: bool,
    },
    /// All but so many events were taken back.
    Back(usize),
    /// A seat gave up.
    Resigned(u8),
    /// Bots may use so many simulations.
    Budget(Option<u64>),
}

/// A folder of sessions.
#[derive(Debug)]
pub(crate) struct Store {
    folder: PathBuf,
    most: usize,
    made: std::sync::atomic::AtomicU64,
}

impl Store {
    pub(crate) fn open(folder: &Path, most: usize) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let store = Self { folder: folder.into(), most, made: 0.into() };
        store.forget_oldest()?;
        Ok(store)
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.jsonl"))
    }

    /// Writes the first line of a session; from then on it is there.
    pub(crate) fn create(&self, id: &str, head: &Head, entries: &[Entry]) -> io::Result<()> {
        let mut text = line(head)?;
        for entry in entries {
            text.push_str(&line(entry)?);
        }
        let draft = self.folder.join(format!("{id}.new"));
        let mut file = File::create(&draft)?;
        file.write_all(text.as_bytes())?;
        fs::rename(&draft, self.path(id))?;
        let made = self.made.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        if made % LOOK_EVERY == LOOK_EVERY - 1 { self.forget_oldest() } else { Ok(()) }
    }

    /// Adds what happened.
    pub(crate) fn append(&self, id: &str, entries: &[Entry]) -> io::Result<()> {
        let mut text = String::new();
        for entry in entries {
            text.push_str(&line(entry)?);
        }
        OpenOptions::new().append(true).open(self.path(id))?.write_all(text.as_bytes())
    }

    /// A session as it was left; nothing if there is none.
    pub(crate) fn read(&self, id: &str) -> io::Result<Option<(Head, Vec<Entry>)>> {
        let text = match fs::read_to_string(self.path(id)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        // What does not end in a newline was torn while it was written.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut lines = whole.lines();
        let head: Head = serde_json::from_str(lines.next().unwrap_or_default())?;
        if head.meeple_session > VERSION {
            let found = head.meeple_session;
            let reason = format!("session of version {found}, this program reads {VERSION}");
            return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
        }
        let entries = lines.map(serde_json::from_str).collect::<Result<_, _>>()?;
        if whole.len() + 1 < text.len() {
            OpenOptions::new().write(true).open(self.path(id))?.set_len(whole.len() as u64 + 1)?;
        }
        Ok(Some((head, entries)))
    }

    pub(crate) fn remove(&self, id: &str) -> io::Result<()> {
        match fs::remove_file(self.path(id)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }

    /// Removes the oldest sessions beyond what may be kept.
    fn forget_oldest(&self) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let is_session = entry.path().extension().is_some_and(|kind| kind == "jsonl");
            // A session may be removed by another request meanwhile.
            if let (true, Ok(about)) = (is_session, entry.metadata()) {
                files.push((about.modified()?, entry.path()));
            }
        }
        files.sort();
        let surplus = files.len().saturating_sub(self.most);
        for (_, path) in files.drain(..surplus) {
            fs::remove_file(path).ok();
        }
        Ok(())
    }
}

fn line<T: Serialize>(value: &T) -> io::Result<String> {
    Ok(serde_json::to_string(value)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn did(action: u16) -> Entry {
        Entry::Did { action: Action(action), thought: None, open: false }
    }

    fn head(seed: u64) -> Head {
        Head::new("pig", Value::Null, seed, vec![Seat::Person, "random".parse().unwrap()])
    }

    #[test]
    fn sessions_are_read_as_written_and_torn_lines_are_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), 10).unwrap();
        assert_eq!(store.read("a").unwrap(), None);
        store.create("a", &head(1), &[]).unwrap();
        store.append("a", &[did(3), Entry::Back(0), Entry::Resigned(1)]).unwrap();
        let all = vec![did(3), Entry::Back(0), Entry::Resigned(1)];
        assert_eq!(store.read("a").unwrap(), Some((head(1), all.clone())));
        let path = folder.path().join("a.jsonl");
        let mut file = OpenOptions::new().append(true).open(path).unwrap();
        file.write_all(b"{\"did\":{\"act").unwrap();
        assert_eq!(store.read("a").unwrap(), Some((head(1), all)));
        store.append("a", &[did(4)]).unwrap();
        assert_eq!(store.read("a").unwrap().unwrap().1.last(), Some(&did(4)));
        store.remove("a").unwrap();
        assert_eq!(store.read("a").unwrap(), None);
    }

    #[test]
    fn damage_and_later_versions_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), 10).unwrap();
        let write = |text: &str| fs::write(folder.path().join("a.jsonl"), text).unwrap();
        write("{\"meeple_session\":1}\n");
        assert!(store.read("a").unwrap_err().to_string().contains("missing field `game`"));
        let later = serde_json::to_string(&Head { meeple_session: 9, ..head(1) }).unwrap();
        write(&(later + "\n"));
        assert!(store.read("a").unwrap_err().to_string().contains("version 9"));
        write("");
        assert!(store.read("a").is_err());
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), 2).unwrap();
        for (age, id) in ["a", "b", "c"].into_iter().enumerate() {
            store.create(id, &head(1), &[]).unwrap();
            let when = std::time::SystemTime::UNIX_EPOCH
                + std::time::Duration::from_secs(1000 + age as u64);
            File::open(folder.path().join(format!("{id}.jsonl")))
                .and_then(|file| file.set_modified(when))
                .unwrap();
        }
        let store = Store::open(folder.path(), 2).unwrap();
        assert_eq!(store.read("a").unwrap(), None);
        assert!(store.read("b").unwrap().is_some() && store.read("c").unwrap().is_some());
    }
}
