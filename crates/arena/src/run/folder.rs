//! The folder of a run: what is in it, what may be gone on from, how it is written.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::error::RunError;
use super::record::Record;
use crate::experiment::Experiment;

/// The version of run folders.
pub(crate) const RUN_VERSION: u32 = 1;

/// A run folder, held against other processes.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    games: File,
}

/// Records that an earlier part of the run has written.
#[derive(Debug, Default)]
pub(crate) struct Saved {
    pub(crate) records: Vec<Record>,
    /// Where each record ends in the file.
    ends: Vec<u64>,
}

impl Folder {
    /// Opens the folder of `experiment`, new or begun.
    pub(crate) fn open(path: &Path, experiment: &Experiment) -> Result<(Self, Saved), RunError> {
        let resolved = json!({"meeple_run": RUN_VERSION, "experiment": experiment});
        let about = path.join("experiment.json");
        let is_new = match fs::read_to_string(&about) {
            Ok(text) => {
                check_same(path, &text, &resolved)?;
                false
            }
            Err(error) if error.kind() == ErrorKind::NotFound => true,
            Err(error) => return Err(read_error(&about, &error)),
        };
        if is_new {
            fs::create_dir_all(path).map_err(|error| write_error(path, &error))?;
            let mut inside = fs::read_dir(path).map_err(|error| read_error(path, &error))?;
            if inside.next().is_some() {
                return Err(RunError::Occupied { path: path.to_owned() });
            }
        }
        let file = path.join("games.jsonl");
        let open =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&file);
        let mut games = open.map_err(|error| write_error(&file, &error))?;
        match games.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(RunError::Locked { path: path.to_owned() });
            }
            // File systems without locks are used at one's own risk.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let saved = read_records(&file, &mut games)?;
        let folder = Self { path: path.to_owned(), games };
        if is_new {
            folder.write("experiment.json", pretty(&resolved).as_bytes())?;
        }
        Ok((folder, saved))
    }

    /// Removes the run at `path`, and nothing else: a folder without one is
    /// left alone.
    pub(crate) fn remove(path: &Path) -> Result<(), RunError> {
        let about = fs::read_to_string(path.join("experiment.json")).unwrap_or_default();
        let about: Value = serde_json::from_str(&about).unwrap_or(Value::Null);
        if about.get("meeple_run").is_none() {
            return Ok(());
        }
        fs::remove_dir_all(path).map_err(|error| write_error(path, &error))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Forgets all but the first records: those that end a whole block.
    pub(crate) fn keep(&mut self, saved: &mut Saved, records: usize) -> Result<(), RunError> {
        let file = self.path.join("games.jsonl");
        let end = records.checked_sub(1).map_or(0, |last| saved.ends[last]);
        saved.records.truncate(records);
        saved.ends.truncate(records);
        (self.games.set_len(end))
            .and_then(|()| self.games.seek(SeekFrom::Start(end)).map(drop))
            .map_err(|error| write_error(&file, &error))
    }

    /// Adds records.
    pub(crate) fn append(&mut self, lines: &str) -> Result<(), RunError> {
        let written = self.games.write_all(lines.as_bytes());
        written.map_err(|error| write_error(&self.path.join("games.jsonl"), &error))
    }

    /// Makes sure that what was added is on the disk.
    pub(crate) fn sync(&self) -> Result<(), RunError> {
        let synced = self.games.sync_data();
        synced.map_err(|error| write_error(&self.path.join("games.jsonl"), &error))
    }

    /// Writes a file whole or not at all.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        let path = self.path.join(name);
        let parent = path.parent().unwrap_or(&self.path);
        let save = || -> std::io::Result<()> {
            fs::create_dir_all(parent)?;
            let mut builder = tempfile::Builder::new();
            // Results are for everybody whom the folder is for.
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            let mut file = builder.tempfile_in(parent)?;
            file.write_all(bytes)?;
            file.as_file().sync_data()?;
            file.persist(&path).map_err(|error| error.error)?;
            Ok(())
        };
        save().map_err(|error| write_error(&path, &error))
    }

    /// Reads a file, if there is one.
    pub(crate) fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.path.join(name)).ok()
    }

    /// Whether there is such a file.
    pub(crate) fn exists(&self, name: &str) -> bool {
        self.path.join(name).exists()
    }
}

/// JSON over several lines, ending in a newline.
pub(crate) fn pretty(value: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(value).expect("results are plain data") + "\n"
}

fn write_error(path: &Path, error: &std::io::Error) -> RunError {
    RunError::Write { path: path.to_owned(), reason: error.to_string() }
}

fn read_error(path: &Path, error: &std::io::Error) -> RunError {
    RunError::Read { path: path.to_owned(), reason: error.to_string() }
}

/// Whether the folder is of this version and this experiment; where results
/// are written to and what people are told may change.
fn check_same(path: &Path, text: &str, resolved: &Value) -> Result<(), RunError> {
    let found: Value = serde_json::from_str(text).unwrap_or(Value::Null);
    let version = &found["meeple_run"];
    if *version != json!(RUN_VERSION) {
        let found = if version.is_null() { "unknown".into() } else { version.to_string() };
        return Err(RunError::Version { path: path.to_owned(), found, expected: RUN_VERSION });
    }
    let (before, now) = (&found["experiment"], &resolved["experiment"]);
    for field in ["name", "seed", "tables", "bots", "task", "scoring", "output"] {
        let strip = |value: &Value| {
            let mut value = value[field].clone();
            if let Some(output) = value.as_object_mut().filter(|_| field == "output") {
                output.remove("folder");
            }
            value
        };
        if strip(before) != strip(now) {
            return Err(RunError::Different { path: path.to_owned(), field: field.into() });
        }
    }
    Ok(())
}

/// The records of a file; what was torn at its end is left out.
fn read_records(path: &Path, file: &mut File) -> Result<Saved, RunError> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| read_error(path, &error))?;
    let mut saved = Saved::default();
    let (mut start, mut torn) = (0, None);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        start += line.len() as u64;
        let text = std::str::from_utf8(line).ok().and_then(|text| text.strip_suffix('\n'));
        match text.and_then(Record::from_line) {
            // Something good after something bad: that is no torn end.
            Some(_) if torn.is_some() => {
                let line = torn.unwrap_or(0);
                return Err(RunError::Damaged { path: path.to_owned(), line });
            }
            Some(record) => {
                saved.records.push(record);
                saved.ends.push(start);
            }
            None => torn = torn.or(Some(saved.records.len() + 1)),
        }
    }
    Ok(saved)
}
