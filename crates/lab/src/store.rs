//! Sessions on disk: one JSON Lines file each, a header and one line per event.
//!
//! An append states the known length of the file and truncates it to that length first, which
//! removes the remains of a failed write. An incomplete last line, left by a crash, is dropped
//! when the session is read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use meeple_arena::Analysis;
use meeple_bots::{NameKind, read_renamed};
use meeple_game::Action;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::ApiError;
use crate::files;
use crate::keys::Keys;
use crate::seats::Seat;

/// The file format version.
const VERSION: u32 = 2;
/// The number of new sessions between two cleanups.
const CLEAN_INTERVAL: u64 = 64;
/// The extension of files that are being written.
const DRAFT: &str = "new";

/// The first line of a session file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    /// The file format version.
    pub(crate) meeple_session: u32,
    pub(crate) game: String,
    pub(crate) config: Value,
    pub(crate) seed: u64,
    /// Whether the creator chose the seed, and so may know the deal.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) seed_chosen: bool,
    pub(crate) seats: Vec<Seat>,
    pub(crate) keys: Keys,
}

impl Header {
    pub(crate) fn new(game: &str, config: Value, seed: u64, seats: Vec<Seat>, keys: Keys) -> Self {
        let game = game.into();
        Self { meeple_session: VERSION, game, config, seed, seed_chosen: false, seats, keys }
    }
}

/// A further line of a session file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Entry {
    /// An action or chance outcome, with its search statistics if any.
    Did {
        action: Action,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        analysis: Option<Analysis>,
        /// Whether the statistics are public before the game is over.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        open: bool,
    },
    /// An undo: the number of events that remain.
    Back(usize),
    /// A seat resigned.
    Resigned(u8),
    /// The simulation budget of bots.
    Budget(Option<u64>),
    /// A seat was claimed and has a new key.
    Key { seat: u8, key: String },
}

/// A session as read from its file.
#[derive(Debug, PartialEq)]
pub(crate) struct Stored {
    pub(crate) header: Header,
    pub(crate) entries: Vec<Entry>,
    /// The length in bytes of its complete lines.
    pub(crate) length: u64,
}

/// A folder of sessions.
#[derive(Debug)]
pub(crate) struct Store {
    folder: PathBuf,
    capacity: usize,
    created: std::sync::atomic::AtomicU64,
}

impl Store {
    pub(crate) fn open(folder: &Path, capacity: usize) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let store = Self { folder: folder.into(), capacity, created: 0.into() };
        store.remove_drafts()?;
        store.remove_oldest()?;
        Ok(store)
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.jsonl"))
    }

    /// Writes or replaces a session atomically, and returns its length.
    pub(crate) fn write(&self, id: &str, header: &Header, entries: &[Entry]) -> io::Result<u64> {
        let text = line(header)? + &lines(entries)?;
        let draft = self.folder.join(format!("{id}.{DRAFT}"));
        let written = write_new(&draft, &text)
            .and_then(|()| fs::rename(&draft, self.path(id)))
            .and_then(|()| meeple_files::sync_folder(&self.folder));
        if let Err(error) = written {
            fs::remove_file(&draft).ok();
            return Err(error);
        }
        let created = self.created.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        if created % CLEAN_INTERVAL == CLEAN_INTERVAL - 1 {
            // The session is written, even if the cleanup fails.
            self.remove_oldest().ok();
        }
        Ok(text.len() as u64)
    }

    /// Appends entries after the first `at` bytes, which are complete lines, and returns the
    /// new length. A failed write appends nothing.
    pub(crate) fn append(&self, id: &str, at: u64, entries: &[Entry]) -> io::Result<u64> {
        if entries.is_empty() {
            return Ok(at);
        }
        let text = lines(entries)?;
        let mut file = OpenOptions::new().write(true).open(self.path(id))?;
        let found = file.metadata()?.len();
        if found < at {
            let reason = format!("the file has {found} bytes, expected {at}");
            return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
        }
        file.set_len(at)?;
        file.seek(SeekFrom::Start(at))?;
        if let Err(error) = file.write_all(text.as_bytes()) {
            // If this fails too, the next append truncates the file.
            file.set_len(at).ok();
            return Err(error);
        }
        Ok(at + text.len() as u64)
    }

    /// Reads a session; `None` if it does not exist.
    pub(crate) fn read(&self, id: &str) -> Result<Option<Stored>, ApiError> {
        let path = self.path(id);
        let Some(bytes) = files::read(&path, &format!("{id}.jsonl"))? else { return Ok(None) };
        // A last line without a newline is incomplete.
        let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let text = str::from_utf8(&bytes[..complete]).map_err(|error| line_error(1, &error))?;
        let mut lines = text.lines().zip(1..);
        let (first, _) = lines.next().ok_or_else(|| line_error(1, &"expected a session header"))?;
        let version: Version =
            serde_json::from_str(first).map_err(|error| line_error(1, &error))?;
        if version.meeple_session != VERSION {
            let found = version.meeple_session;
            return Err(line_error(1, &format!("session of version {found}, expected {VERSION}")));
        }
        let header = serde_json::from_str(first).map_err(|error| line_error(1, &error))?;
        let entries = lines
            .map(|(line, number)| {
                read_renamed(NameKind::SessionEvent, line)
                    .map_err(|error| line_error(number, &error))
            })
            .collect::<Result<_, _>>()?;
        Ok(Some(Stored { header, entries, length: complete as u64 }))
    }

    pub(crate) fn remove(&self, id: &str) -> io::Result<()> {
        match fs::remove_file(self.path(id)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }

    /// Removes unfinished files left by a crash.
    fn remove_drafts(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|kind| kind == DRAFT) {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }

    /// Removes the oldest sessions beyond the capacity.
    fn remove_oldest(&self) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let is_session = entry.path().extension().is_some_and(|kind| kind == "jsonl");
            // Another request may remove a session concurrently.
            if let (true, Ok(about)) = (is_session, entry.metadata()) {
                files.push((about.modified()?, entry.path()));
            }
        }
        files.sort();
        let surplus = files.len().saturating_sub(self.capacity);
        for (_, path) in files.drain(..surplus) {
            fs::remove_file(path).ok();
        }
        Ok(())
    }
}

/// The part of the header that all versions share.
#[derive(Deserialize)]
struct Version {
    meeple_session: u32,
}

fn line_error(line: usize, error: &dyn std::fmt::Display) -> ApiError {
    ApiError::Internal(format!("line {line}: {error}"))
}

/// Writes a file readable only by its owner, because it holds keys.
fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file: File = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_data()
}

fn line<T: Serialize>(value: &T) -> io::Result<String> {
    Ok(serde_json::to_string(value)? + "\n")
}

fn lines(entries: &[Entry]) -> io::Result<String> {
    entries.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn did(action: u16) -> Entry {
        Entry::Did { action: Action(action), analysis: None, open: false }
    }

    fn header(seed: u64) -> Header {
        let seats = vec![Seat::Human, "random".parse().unwrap()];
        let keys = serde_json::from_value(json!({"owner": "a", "seats": ["b", null]})).unwrap();
        Header::new("pig", Value::Null, seed, seats, keys)
    }

    fn entries_of(store: &Store) -> Vec<Entry> {
        store.read("a").unwrap().unwrap().entries
    }

    #[test]
    fn sessions_round_trip_and_incomplete_lines_are_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), 10).unwrap();
        assert_eq!(store.read("a").unwrap(), None);
        let length = store.write("a", &header(1), &[]).unwrap();
        let all = vec![did(3), Entry::Back(0), Entry::Resigned(1)];
        let length = store.append("a", length, &all).unwrap();
        let stored = Stored { header: header(1), entries: all.clone(), length };
        assert_eq!(store.read("a").unwrap(), Some(stored));
        let path = folder.path().join("a.jsonl");
        let mut file = OpenOptions::new().append(true).open(path).unwrap();
        // An incomplete line that ends within a two-byte UTF-8 character.
        file.write_all(b"{\"did\":{\"act\xc3").unwrap();
        let stored = store.read("a").unwrap().unwrap();
        assert_eq!((&stored.entries, stored.length), (&all, length));
        store.append("a", stored.length, &[did(4)]).unwrap();
        assert_eq!(entries_of(&store).last(), Some(&did(4)));
        assert_eq!(entries_of(&store).len(), 4);
        store.remove("a").unwrap();
        assert_eq!(store.read("a").unwrap(), None);
    }

    /// Complete lines of a failed write are truncated too, because they are written again.
    #[test]
    fn an_append_truncates_to_the_known_length() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), 10).unwrap();
        let length = store.write("a", &header(1), &[]).unwrap();
        store.append("a", length, &[did(1)]).unwrap();
        store.append("a", length, &[did(1), did(2)]).unwrap();
        assert_eq!(entries_of(&store), [did(1), did(2)]);
        assert_eq!(store.append("a", length, &[]).unwrap(), length);
        assert_eq!(entries_of(&store).len(), 2, "an empty append changes nothing");
        let error = store.append("a", 10_000, &[did(3)]).unwrap_err().to_string();
        assert!(error.contains("expected 10000"), "{error}");
    }

    #[test]
    fn damaged_files_and_other_versions_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), 10).unwrap();
        let write = |text: &str| fs::write(folder.path().join("a.jsonl"), text).unwrap();
        let error = || store.read("a").unwrap_err().to_string();
        write("{\"meeple_session\":2}\n");
        assert!(error().starts_with("line 1: missing field `game`"), "{}", error());
        for version in [1, 9] {
            write(&line(&Header { meeple_session: version, ..header(1) }).unwrap());
            assert!(error().contains(&format!("version {version}, expected 2")), "{}", error());
        }
        write(&(line(&header(1)).unwrap() + "{\"did\":{\"action\":1}}\n{\"d\n{\"back\":0}\n"));
        assert!(error().starts_with("line 3: "), "{}", error());
        write("");
        assert!(error().contains("expected a session header"), "{}", error());
    }

    #[test]
    fn drafts_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.new"), "{").unwrap();
        let store = Store::open(folder.path(), 10).unwrap();
        assert!(!folder.path().join("a.new").exists());
        // A folder in place of the session file makes the rename fail.
        fs::create_dir_all(folder.path().join("b.jsonl/in")).unwrap();
        assert!(store.write("b", &header(1), &[]).is_err());
        assert!(!folder.path().join("b.new").exists());
    }

    #[cfg(unix)]
    #[test]
    fn sessions_are_private_and_pipes_are_rejected() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), 10).unwrap();
        store.write("a", &header(1), &[]).unwrap();
        let path = folder.path().join("a.jsonl");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let error = store.read("a").unwrap_err().to_string();
        assert_eq!(error, "a.jsonl is not a regular file");
    }

    #[test]
    fn the_oldest_sessions_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), 2).unwrap();
        for (age, id) in ["a", "b", "c"].into_iter().enumerate() {
            store.write(id, &header(1), &[]).unwrap();
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
