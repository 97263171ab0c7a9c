//! The folder of a run: creation, resumption and atomic writes.
//!
//! `experiment.json` identifies a folder as a run. It is the first file to be created and the
//! last to be removed. A folder without it that contains only a lock file and its leftovers is
//! therefore an interrupted creation or removal.

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use meeple_files::{LOCK_FILE, Lock, LockError, Log};
use serde_json::{Value, json};

use super::error::RunError;
use super::record::Record;
use crate::experiment::Experiment;

/// The version of run folders.
pub(crate) const RUN_VERSION: u32 = 1;

/// The file that identifies a folder as a run.
const ABOUT: &str = "experiment.json";
/// The log of all games.
const GAMES: &str = "games.jsonl";
/// Subfolders with result files.
const INSIDE: [&str; 2] = ["replays", "samples"];
/// Files that are written when a run is finished or stopped.
const RESULTS: [&str; 5] =
    ["summary.json", "timing.json", "games.csv", "games.parquet", "report.html"];

/// The content of `experiment.json`.
enum About {
    Run(Value),
    /// It is not JSON from this line on, but all else in the folder belongs to a run.
    Damaged {
        line: usize,
    },
}

/// A run folder, locked against other processes.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    games: Log,
    /// Held while the folder is open.
    _lock: Lock,
}

/// Records of an earlier, interrupted run.
#[derive(Debug, Default)]
pub(crate) struct Saved {
    pub(crate) records: Vec<Record>,
    /// The end offset of each record in the file.
    ends: Vec<u64>,
}

impl Folder {
    /// Opens the folder of `experiment`, and creates it if necessary. `fresh` discards an earlier
    /// run, unless another process is using the folder.
    pub(crate) fn open(
        path: &Path,
        experiment: &Experiment,
        fresh: bool,
    ) -> Result<(Self, Saved), RunError> {
        let resolved = json!({"meeple_run": RUN_VERSION, "experiment": experiment});
        // Checked before locking, so that foreign folders do not get a lock file.
        find_run(path)?;
        let (path, written) = (path.to_owned(), |error| write_error(path, &error));
        meeple_files::create_folder(&path).map_err(written)?;
        let lock = Lock::take(&path).map_err(|error| match error {
            LockError::Held(holder) => RunError::Locked { path: path.clone(), holder },
            LockError::Io(error) => write_error(&path, &error),
        })?;
        meeple_files::remove_leftovers(&path).map_err(written)?;
        for inside in INSIDE {
            meeple_files::remove_leftovers(&path.join(inside)).map_err(written)?;
        }
        // Checked again under the lock, because another process may have changed the folder
        // before.
        let mut about = find_run(&path)?;
        if fresh && about.is_some() {
            clear(&path).map_err(written)?;
            about = None;
        }
        match about {
            Some(About::Run(found)) => check_same(&path, &found, &resolved)?,
            Some(About::Damaged { line }) => {
                return Err(RunError::Damaged { path: path.join(ABOUT), line });
            }
            None => write(&path.join(ABOUT), pretty(&resolved).as_bytes())?,
        }
        let file = path.join(GAMES);
        let (games, bytes) = Log::open(&file).map_err(|error| write_error(&file, &error))?;
        let saved = read_records(&file, &bytes)?;
        Ok((Self { path, games, _lock: lock }, saved))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Discards all but the first `records` records, which end at a block boundary.
    pub(crate) fn keep(&mut self, saved: &mut Saved, records: usize) -> Result<(), RunError> {
        let file = self.path.join(GAMES);
        let end = records.checked_sub(1).map_or(0, |last| saved.ends[last]);
        saved.records.truncate(records);
        saved.ends.truncate(records);
        self.games.cut(end).map_err(|error| write_error(&file, &error))
    }

    /// Appends records.
    pub(crate) fn append(&mut self, lines: &str) -> Result<(), RunError> {
        let written = self.games.append(lines.as_bytes());
        written.map_err(|error| write_error(&self.path.join(GAMES), &error))
    }

    /// Flushes appended records to disk.
    pub(crate) fn sync(&self) -> Result<(), RunError> {
        self.games.sync().map_err(|error| write_error(&self.path.join(GAMES), &error))
    }

    /// Writes a file atomically.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        let path = self.path.join(name);
        if let Some(inside) = path.parent().filter(|parent| *parent != self.path) {
            let created = meeple_files::create_folder(inside);
            created.map_err(|error| write_error(inside, &error))?;
        }
        write(&path, bytes)
    }

    /// Reads a file; `None` if it does not exist.
    pub(crate) fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.path.join(name)).ok()
    }

    /// Removes a file, if it exists.
    pub(crate) fn remove(&self, name: &str) -> Result<(), RunError> {
        let path = self.path.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(write_error(&path, &error)),
            _ => Ok(()),
        }
    }

    /// Whether a file exists.
    pub(crate) fn exists(&self, name: &str) -> bool {
        self.path.join(name).exists()
    }
}

/// Formats indented JSON that ends in a newline.
pub(crate) fn pretty(value: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(value).expect("results are plain data") + "\n"
}

fn write_error(path: &Path, error: &std::io::Error) -> RunError {
    RunError::Write { path: path.to_owned(), reason: error.to_string() }
}

fn read_error(path: &Path, error: &std::io::Error) -> RunError {
    RunError::Read { path: path.to_owned(), reason: error.to_string() }
}

/// Returns the `experiment.json` of the run at `path`, or `None` if a run can be created there.
fn find_run(path: &Path) -> Result<Option<About>, RunError> {
    let about = path.join(ABOUT);
    let occupied = || RunError::Occupied { path: path.to_owned() };
    match fs::read(&about) {
        Ok(bytes) => match serde_json::from_slice::<Value>(&bytes) {
            Ok(found) if found.get("meeple_run").is_some() => Ok(Some(About::Run(found))),
            // Every run has a lock file.
            Err(error) if path.join(LOCK_FILE).exists() && has_only(path, is_of_run)? => {
                Ok(Some(About::Damaged { line: error.line() }))
            }
            _ => Err(occupied()),
        },
        Err(error) if error.kind() != ErrorKind::NotFound => Err(read_error(&about, &error)),
        Err(_) if has_only(path, is_left)? => Ok(None),
        Err(_) => Err(occupied()),
    }
}

/// Whether all entries of a folder, which may not exist, have names that `is_expected`.
fn has_only(path: &Path, is_expected: impl Fn(&OsStr) -> bool) -> Result<bool, RunError> {
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(true),
        entries => entries.map_err(|error| read_error(path, &error))?,
    };
    for entry in entries {
        if !is_expected(&entry.map_err(|error| read_error(path, &error))?.file_name()) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a file may be left by an interrupted creation or removal.
fn is_left(name: &OsStr) -> bool {
    name == LOCK_FILE || meeple_files::is_leftover(name)
}

/// Whether a run has a file or folder of this name.
fn is_of_run(name: &OsStr) -> bool {
    let mut names = [ABOUT, GAMES].into_iter().chain(INSIDE).chain(RESULTS);
    is_left(name) || names.any(|known| name == known)
}

/// Removes all files of a run except its lock. The file that identifies the run goes last.
fn clear(path: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        if name == LOCK_FILE || name == ABOUT {
            continue;
        }
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    fs::remove_file(path.join(ABOUT))?;
    meeple_files::sync_folder(path)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    meeple_files::write(path, bytes).map_err(|error| write_error(path, &error))
}

/// Checks that the folder has this version and this experiment. The description and the output
/// folder may differ.
fn check_same(path: &Path, found: &Value, resolved: &Value) -> Result<(), RunError> {
    let version = &found["meeple_run"];
    if *version != json!(RUN_VERSION) {
        let found = version.to_string();
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

/// Reads the records of a file, without a torn line at its end.
fn read_records(path: &Path, bytes: &[u8]) -> Result<Saved, RunError> {
    let mut saved = Saved::default();
    let (mut start, mut torn) = (0, None);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        start += line.len() as u64;
        let text = std::str::from_utf8(line).ok().and_then(|text| text.strip_suffix('\n'));
        match text.and_then(Record::from_line) {
            // A valid record after an invalid one means damage, not a torn end.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_experiment;

    fn experiment(name: &str) -> Experiment {
        let text = format!(
            r#"{{"name":"{name}","tables":["kuhn"],"bots":["random"],"task":{{"simulate":{{"games":2}}}}}}"#
        );
        read_experiment("test.json".as_ref(), &text).unwrap_or_else(|mistake| panic!("{mistake}"))
    }

    fn names(path: &Path) -> Vec<String> {
        let entries = fs::read_dir(path).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_run_that_is_being_written_is_not_thrown_away() {
        let place = tempfile::tempdir().unwrap();
        let (mut folder, _) = Folder::open(place.path(), &experiment("one"), false).unwrap();
        folder.append("not lost").unwrap();
        folder.write("replays/0000000.json", b"{}").unwrap();
        for (name, fresh) in [("one", false), ("one", true), ("other", true)] {
            let error = Folder::open(place.path(), &experiment(name), fresh).unwrap_err();
            assert!(matches!(error, RunError::Locked { .. }), "{error}");
            let holder = format!("is in use by process {}", std::process::id());
            assert!(cfg!(not(unix)) || error.to_string().contains(&holder), "{error}");
        }
        assert_eq!(folder.read(GAMES).as_deref(), Some("not lost"));
        assert_eq!(names(&place.path().join("replays")), ["0000000.json"]);
        drop(folder);
        drop(Folder::open(place.path(), &experiment("other"), true).unwrap());
        assert_eq!(names(place.path()), [LOCK_FILE, ABOUT, GAMES]);
    }

    /// Every state in which a creation or removal can be interrupted.
    #[test]
    fn what_did_not_come_to_its_end_can_be_begun_again() {
        for left in [&[][..], &[LOCK_FILE], &[LOCK_FILE, ".writing-a1b2c3"]] {
            for fresh in [false, true] {
                let place = tempfile::tempdir().unwrap();
                left.iter().for_each(|name| fs::write(place.path().join(name), "half").unwrap());
                drop(Folder::open(place.path(), &experiment("one"), fresh).unwrap());
                assert_eq!(names(place.path()), [LOCK_FILE, ABOUT, GAMES], "{left:?}");
            }
        }
        let place = tempfile::tempdir().unwrap();
        drop(Folder::open(place.path(), &experiment("one"), false).unwrap());
        fs::remove_file(place.path().join(GAMES)).unwrap();
        drop(Folder::open(place.path(), &experiment("one"), false).unwrap());
        assert_eq!(names(place.path()), [LOCK_FILE, ABOUT, GAMES]);
    }

    /// `--fresh` discards a run whose `experiment.json` is damaged, but no foreign files.
    #[test]
    fn a_damaged_experiment_is_discarded_on_request() {
        let place = tempfile::tempdir().unwrap();
        let (folder, _) = Folder::open(place.path(), &experiment("one"), false).unwrap();
        folder.write("replays/0000000.json", b"{}").unwrap();
        RESULTS.iter().for_each(|name| folder.write(name, b"{}").unwrap());
        drop(folder);
        let about = place.path().join(ABOUT);
        let whole = fs::read(&about).unwrap();
        for damaged in [&[][..], &whole[..whole.len() / 2], b"\xff\xfe"] {
            fs::write(&about, damaged).unwrap();
            let error = Folder::open(place.path(), &experiment("one"), false).unwrap_err();
            assert!(matches!(&error, RunError::Damaged { path, .. } if *path == about), "{error}");
        }
        fs::write(place.path().join("notes.txt"), "foreign").unwrap();
        for (text, fresh) in [("{", false), ("{", true), ("{}", false), ("{}", true)] {
            fs::write(&about, text).unwrap();
            let error = Folder::open(place.path(), &experiment("one"), fresh).unwrap_err();
            assert!(matches!(error, RunError::Occupied { .. }), "{error}");
        }
        fs::remove_file(place.path().join("notes.txt")).unwrap();
        let other = tempfile::tempdir().unwrap();
        fs::write(other.path().join(ABOUT), "{").unwrap();
        let error = Folder::open(other.path(), &experiment("one"), true).unwrap_err();
        assert!(matches!(error, RunError::Occupied { .. }), "no run was ever there: {error}");
        fs::write(&about, &whole[..whole.len() / 2]).unwrap();
        drop(Folder::open(place.path(), &experiment("one"), true).unwrap());
        assert_eq!(names(place.path()), [LOCK_FILE, ABOUT, GAMES]);
        assert_eq!(fs::read(&about).unwrap(), whole);
    }

    #[test]
    fn leftovers_of_a_killed_process_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let (folder, _) = Folder::open(place.path(), &experiment("one"), false).unwrap();
        folder.write("replays/0000000.json", b"{}").unwrap();
        drop(folder);
        let left = [".writing-a", "replays/.writing-b"].map(|name| place.path().join(name));
        left.iter().for_each(|path| fs::write(path, "half").unwrap());
        drop(Folder::open(place.path(), &experiment("one"), false).unwrap());
        assert!(left.iter().all(|path| !path.exists()));
        assert!(place.path().join("replays/0000000.json").exists());
    }
}
