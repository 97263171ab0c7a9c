//! Sessions on disk: one file each, a line for the table and a line for each event.
//!
//! A session is a configuration, a seed and what was done, so its file grows by a short
//! line a move. Whoever appends says how long the file is known to be: whatever a write
//! that failed left behind that point is cut off first. A last line that was torn when
//! the machine stopped is dropped when the session is next read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use meeple_arena::Thought;
use meeple_game::Action;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::files;
use crate::keys::Keys;
use crate::refusal::Refusal;
use crate::seats::Seat;

/// The version of the format.
const VERSION: u32 = 2;
/// How many sessions are written between two looks at how many there are.
const LOOK_EVERY: u64 = 64;
/// How the names of files that are being written end.
const DRAFT: &str = "new";

/// The first line: the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Head {
    /// The version of the format.
    pub(crate) meeple_session: u32,
    pub(crate) game: String,
    pub(crate) config: Value,
    pub(crate) seed: u64,
    /// Whether whoever began the game chose the seed, and so may know what is dealt.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) seed_chosen: bool,
    pub(crate) seats: Vec<Seat>,
    pub(crate) keys: Keys,
}

impl Head {
    pub(crate) fn new(game: &str, config: Value, seed: u64, seats: Vec<Seat>, keys: Keys) -> Self {
        let game = game.into();
        Self { meeple_session: VERSION, game, config, seed, seed_chosen: false, seats, keys }
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
    /// Somebody took a seat: from now on it has this key.
    Key { seat: u8, key: String },
}

/// A session as it was left.
#[derive(Debug, PartialEq)]
pub(crate) struct Stored {
    pub(crate) head: Head,
    pub(crate) entries: Vec<Entry>,
    /// The bytes of its whole lines.
    pub(crate) length: u64,
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
        store.remove_drafts()?;
        store.clean()?;
        Ok(store)
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.jsonl"))
    }

    /// Writes a whole session, in place of what was there, and returns its length. Either
    /// all of it is there afterwards or nothing has changed.
    pub(crate) fn write(&self, id: &str, head: &Head, entries: &[Entry]) -> io::Result<u64> {
        let text = line(head)? + &lines(entries)?;
        let draft = self.folder.join(format!("{id}.{DRAFT}"));
        let written = write_new(&draft, &text)
            .and_then(|()| fs::rename(&draft, self.path(id)))
            .and_then(|()| meeple_files::sync_folder(&self.folder));
        if let Err(error) = written {
            fs::remove_file(&draft).ok();
            return Err(error);
        }
        let made = self.made.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        if made % LOOK_EVERY == LOOK_EVERY - 1 {
            // The session is there, whether or not others can be removed.
            self.clean().ok();
        }
        Ok(text.len() as u64)
    }

    /// Adds what happened after the first `at` bytes, which are whole lines, and returns
    /// the new length. A write that fails adds nothing.
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
            // If this fails too, the next append cuts off what was written.
            file.set_len(at).ok();
            return Err(error);
        }
        Ok(at + text.len() as u64)
    }

    /// A session as it was left; nothing if there is none.
    pub(crate) fn read(&self, id: &str) -> Result<Option<Stored>, Refusal> {
        let path = self.path(id);
        let Some(bytes) = files::read(&path, &format!("{id}.jsonl"))? else { return Ok(None) };
        // What does not end in a newline was torn while it was written.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let text = str::from_utf8(&bytes[..whole]).map_err(|error| wrong(1, &error))?;
        let mut lines = text.lines().zip(1..);
        let (first, _) = lines.next().ok_or_else(|| wrong(1, &"expected the table"))?;
        let version: Version = serde_json::from_str(first).map_err(|error| wrong(1, &error))?;
        if version.meeple_session != VERSION {
            let found = version.meeple_session;
            return Err(wrong(1, &format!("session of version {found}, expected {VERSION}")));
        }
        let head = serde_json::from_str(first).map_err(|error| wrong(1, &error))?;
        let entries = lines
            .map(|(line, number)| serde_json::from_str(line).map_err(|error| wrong(number, &error)))
            .collect::<Result<_, _>>()?;
        Ok(Some(Stored { head, entries, length: whole as u64 }))
    }

    pub(crate) fn remove(&self, id: &str) -> io::Result<()> {
        match fs::remove_file(self.path(id)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other,
        }
    }

    /// Removes what was being written when the machine stopped.
    fn remove_drafts(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|kind| kind == DRAFT) {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }

    /// Removes the oldest sessions beyond what may be kept.
    fn clean(&self) -> io::Result<()> {
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

/// What every version of the first line says.
#[derive(Deserialize)]
struct Version {
    meeple_session: u32,
}

fn wrong(line: usize, error: &dyn std::fmt::Display) -> Refusal {
    Refusal::Failed(format!("line {line}: {error}"))
}

/// Writes a file that nobody else on this machine may read: it holds keys.
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
        Entry::Did { action: Action(action), thought: None, open: false }
    }

    fn head(seed: u64) -> Head {
        let seats = vec![Seat::Person, "random".parse().unwrap()];
        let keys = serde_json::from_value(json!({"owner": "a", "seats": ["b", null]})).unwrap();
        Head::new("pig", Value::Null, seed, seats, keys)
    }

    fn entries_of(store: &Store) -> Vec<Entry> {
        store.read("a").unwrap().unwrap().entries
    }

    #[test]
    fn sessions_are_read_as_written_and_torn_lines_are_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), 10).unwrap();
        assert_eq!(store.read("a").unwrap(), None);
        let begun = store.write("a", &head(1), &[]).unwrap();
        let all = vec![did(3), Entry::Back(0), Entry::Resigned(1)];
        let length = store.append("a", begun, &all).unwrap();
        let stored = Stored { head: head(1), entries: all.clone(), length };
        assert_eq!(store.read("a").unwrap(), Some(stored));
        let path = folder.path().join("a.jsonl");
        let mut file = OpenOptions::new().append(true).open(path).unwrap();
        // Half a line that ends within a letter of two bytes.
        file.write_all(b"{\"did\":{\"act\xc3").unwrap();
        let stored = store.read("a").unwrap().unwrap();
        assert_eq!((&stored.entries, stored.length), (&all, length));
        store.append("a", stored.length, &[did(4)]).unwrap();
        assert_eq!(entries_of(&store).last(), Some(&did(4)));
        assert_eq!(entries_of(&store).len(), 4);
        store.remove("a").unwrap();
        assert_eq!(store.read("a").unwrap(), None);
    }

    /// Whole lines of a write that failed later are cut off too: they are written again.
    #[test]
    fn an_append_begins_where_the_last_one_ended() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), 10).unwrap();
        let begun = store.write("a", &head(1), &[]).unwrap();
        store.append("a", begun, &[did(1)]).unwrap();
        store.append("a", begun, &[did(1), did(2)]).unwrap();
        assert_eq!(entries_of(&store), [did(1), did(2)]);
        assert_eq!(store.append("a", begun, &[]).unwrap(), begun);
        assert_eq!(entries_of(&store).len(), 2, "nothing to write changes nothing");
        let error = store.append("a", 10_000, &[did(3)]).unwrap_err().to_string();
        assert!(error.contains("expected 10000"), "{error}");
    }

    #[test]
    fn damage_and_other_versions_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), 10).unwrap();
        let write = |text: &str| fs::write(folder.path().join("a.jsonl"), text).unwrap();
        let error = || store.read("a").unwrap_err().to_string();
        write("{\"meeple_session\":2}\n");
        assert!(error().starts_with("line 1: missing field `game`"), "{}", error());
        for version in [1, 9] {
            write(&line(&Head { meeple_session: version, ..head(1) }).unwrap());
            assert!(error().contains(&format!("version {version}, expected 2")), "{}", error());
        }
        write(&(line(&head(1)).unwrap() + "{\"did\":{\"action\":1}}\n{\"d\n{\"back\":0}\n"));
        assert!(error().starts_with("line 3: "), "{}", error());
        write("");
        assert!(error().contains("expected the table"), "{}", error());
    }

    #[test]
    fn drafts_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.new"), "{").unwrap();
        let store = Store::open(folder.path(), 10).unwrap();
        assert!(!folder.path().join("a.new").exists());
        // A folder stands where the session should be: the draft cannot take its place.
        fs::create_dir_all(folder.path().join("b.jsonl/in")).unwrap();
        assert!(store.write("b", &head(1), &[]).is_err());
        assert!(!folder.path().join("b.new").exists());
    }

    #[cfg(unix)]
    #[test]
    fn sessions_are_private_and_pipes_are_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), 10).unwrap();
        store.write("a", &head(1), &[]).unwrap();
        let path = folder.path().join("a.jsonl");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let error = store.read("a").unwrap_err().to_string();
        assert_eq!(error, "a.jsonl is not a regular file");
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), 2).unwrap();
        for (age, id) in ["a", "b", "c"].into_iter().enumerate() {
            store.write(id, &head(1), &[]).unwrap();
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
