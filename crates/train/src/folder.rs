//! The folder of a run: its files, atomic writes, and the lock against other processes.
//!
//! A folder is a run if it has `state.json`, the last file that a creation writes. The first
//! one is `config.json`: a folder that has it, and otherwise only files that are written
//! between the two, is an interrupted creation.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use meeple_files::{LOCK_FILE, Lock, LockError};
use serde_json::Value;

use crate::TrainError;

/// A run folder, locked against other processes.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// Held while the folder is open.
    _lock: Lock,
}

/// The names that a creation writes before the first state. Files that appear after the first
/// iteration are not included, so a trained network is never taken for a leftover.
const BEFORE_STATE: [&str; 4] = [name::CONFIG, "learners", "networks", name::EVENTS];

/// The names of the files of a run.
pub(crate) mod name {
    pub(crate) const CONFIG: &str = "config.json";
    pub(crate) const STATE: &str = "state.json";
    pub(crate) const HISTORY: &str = "history.jsonl";
    pub(crate) const JOURNAL: &str = "games.journal";
    pub(crate) const MODEL: &str = "model.safetensors";
    pub(crate) const REPORT: &str = "report.html";
    pub(crate) const EVENTS: &str = "tensorboard";

    /// The samples of an iteration.
    pub(crate) fn samples(iteration: u64) -> String {
        format!("samples/{iteration:06}.safetensors")
    }

    /// The learner after this many iterations.
    pub(crate) fn learner(iterations: u64) -> String {
        format!("learners/{iterations:06}.safetensors")
    }

    /// The network after this many iterations, kept if it is rated or is the actor.
    pub(crate) fn network(iterations: u64) -> String {
        format!("networks/{iterations:06}.safetensors")
    }

    /// The training counts of the buffered decisions after this many iterations.
    pub(crate) fn trainings(iterations: u64) -> String {
        format!("learners/{iterations:06}.trainings")
    }
}

impl Folder {
    /// Creates a run folder and locks it.
    pub(crate) fn create(path: &Path) -> Result<Self, TrainError> {
        // A folder of something else is left unchanged, without a lock file.
        unfinished(path)?;
        meeple_files::create_folder(path).map_err(|error| TrainError::write(path, &error))?;
        let folder = Self::lock(path)?;
        // Checked again, since another process may have held the lock until now.
        for leftover in unfinished(path)? {
            let removed = if leftover.is_dir() {
                fs::remove_dir_all(&leftover)
            } else {
                fs::remove_file(&leftover)
            };
            removed.map_err(|error| TrainError::write(&leftover, &error))?;
        }
        Ok(folder)
    }

    /// Opens the folder of an existing run and locks it.
    pub(crate) fn open(path: &Path) -> Result<Self, TrainError> {
        if !path.join(name::STATE).exists() {
            return Err(TrainError::NoRun { path: path.to_owned() });
        }
        let folder = Self::lock(path)?;
        // Leftovers in subfolders are removed by `sweep`, with all other files that are not
        // referenced.
        let swept = meeple_files::remove_leftovers(path);
        swept.map_err(|error| TrainError::write(path, &error))?;
        Ok(folder)
    }

    fn lock(path: &Path) -> Result<Self, TrainError> {
        let lock = Lock::take(path).map_err(|error| match error {
            LockError::Held(holder) => TrainError::Locked { path: path.to_owned(), holder },
            LockError::Io(error) => TrainError::write(path, &error),
        })?;
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file atomically.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), TrainError> {
        let path = self.file(name);
        if let Some(inside) = path.parent().filter(|parent| *parent != self.path) {
            let created = meeple_files::create_folder(inside);
            created.map_err(|error| TrainError::write(inside, &error))?;
        }
        meeple_files::write(&path, bytes).map_err(|error| TrainError::write(&path, &error))
    }

    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>, TrainError> {
        let path = self.file(name);
        fs::read(&path).map_err(|error| TrainError::read(&path, &error))
    }

    /// Creates a subfolder if it does not exist.
    pub(crate) fn make(&self, name: &str) -> Result<PathBuf, TrainError> {
        let path = self.file(name);
        meeple_files::create_folder(&path).map_err(|error| TrainError::write(&path, &error))?;
        Ok(path)
    }

    /// Removes a file if it exists.
    pub(crate) fn remove(&self, name: &str) -> Result<(), TrainError> {
        let path = self.file(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(TrainError::write(&path, &error))
            }
            _ => Ok(()),
        }
    }

    /// Removes the files of a subfolder whose names `is_kept` rejects: leftovers of
    /// interrupted writes, and files that no state references any more.
    pub(crate) fn sweep(
        &self,
        inside: &str,
        is_kept: impl Fn(&str) -> bool,
    ) -> Result<(), TrainError> {
        let Ok(entries) = fs::read_dir(self.file(inside)) else { return Ok(()) };
        for entry in entries.flatten() {
            let file = format!("{inside}/{}", entry.file_name().to_string_lossy());
            if !is_kept(&file) {
                self.remove(&file)?;
            }
        }
        Ok(())
    }
}

/// Returns the leftovers of an interrupted creation; fails if the folder holds anything else.
fn unfinished(path: &Path) -> Result<Vec<PathBuf>, TrainError> {
    if path.join(name::STATE).exists() {
        return Err(TrainError::Exists { path: path.to_owned() });
    }
    let failed = |error: std::io::Error| TrainError::read(path, &error);
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed)?,
    };
    let config = fs::read(path.join(name::CONFIG)).unwrap_or_default();
    let config: Value = serde_json::from_slice(&config).unwrap_or(Value::Null);
    let is_ours = config.get("meeple_train").is_some();
    let mut leftovers = Vec::new();
    for entry in entries {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let is_before_state = BEFORE_STATE.iter().any(|known| name == *known);
        if meeple_files::is_leftover(&name) || (is_ours && is_before_state) {
            leftovers.push(entry.path());
        } else if name != LOCK_FILE {
            return Err(TrainError::Occupied { path: path.to_owned() });
        }
    }
    // The file that marks the others as ours is removed last: an interrupted cleanup can be
    // repeated.
    leftovers.sort_by_key(|path| path.ends_with(name::CONFIG));
    Ok(leftovers)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run that was killed while it wrote its first files can be started again in the same
    /// folder; a folder with other files is rejected.
    #[test]
    fn what_a_killed_beginning_leaves_is_no_hindrance() {
        let place = tempfile::tempdir().unwrap();
        for name in [".writing-abc", LOCK_FILE] {
            fs::write(place.path().join(name), "half").unwrap();
        }
        fs::write(place.path().join(name::CONFIG), r#"{"meeple_train":1}"#).unwrap();
        for name in ["learners", "networks", name::EVENTS] {
            fs::create_dir(place.path().join(name)).unwrap();
            fs::write(place.path().join(name).join("000000"), "half").unwrap();
        }
        drop(Folder::create(place.path()).expect("nothing of others is there"));
        let left: Vec<_> = fs::read_dir(place.path()).unwrap().flatten().collect();
        assert_eq!(left.len(), 1, "all but the lock is swept away: {left:?}");
        for name in ["thesis.txt", name::CONFIG, "networks", name::MODEL, "samples"] {
            let file = place.path().join(name);
            fs::write(&file, "words").unwrap();
            let error = Folder::create(place.path()).unwrap_err();
            assert!(matches!(error, TrainError::Occupied { .. }), "{name}: {error}");
            assert_eq!(fs::read(&file).unwrap(), b"words", "what is not ours stays");
            fs::remove_file(&file).unwrap();
        }
    }

    #[test]
    fn one_process_has_a_folder() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::create(place.path()).unwrap();
        folder.write(name::CONFIG, br#"{"meeple_train":1}"#).unwrap();
        let error = Folder::create(place.path()).unwrap_err();
        assert!(matches!(error, TrainError::Locked { .. }), "{error}");
        let holder = format!("process {}", std::process::id());
        assert!(cfg!(not(unix)) || error.to_string().contains(&holder), "{error}");
        assert!(folder.file(name::CONFIG).exists(), "nothing of it was removed");
        folder.write(name::STATE, b"{}").unwrap();
        let error = Folder::open(place.path()).unwrap_err();
        assert!(matches!(error, TrainError::Locked { .. }), "{error}");
        let leftover = folder.file(".writing-abc");
        fs::write(&leftover, "half").unwrap();
        drop(folder);
        drop(Folder::open(place.path()).unwrap());
        assert!(!leftover.exists());
    }
}
