//! The folder of a run: what is in it, how it is written, and that one process has it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::TrainError;

/// A run folder, held against other processes.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// Locked as long as it is open.
    _lock: File,
}

/// How the name of a file begins that is not written to its end.
const WRITING: &str = ".writing-";

/// The names of the files of a run.
pub(crate) mod name {
    pub(crate) const CONFIG: &str = "config.json";
    pub(crate) const STATE: &str = "state.json";
    pub(crate) const HISTORY: &str = "history.jsonl";
    pub(crate) const JOURNAL: &str = "games.journal";
    pub(crate) const MODEL: &str = "model.safetensors";
    pub(crate) const REPORT: &str = "report.html";
    pub(crate) const EVENTS: &str = "tensorboard";

    /// The decisions of an iteration.
    pub(crate) fn samples(iteration: u64) -> String {
        format!("samples/{iteration:06}.safetensors")
    }

    /// The learner after so many iterations.
    pub(crate) fn learner(iterations: u64) -> String {
        format!("learners/{iterations:06}.safetensors")
    }

    /// The network after so many iterations, kept if it was measured or plays.
    pub(crate) fn network(iterations: u64) -> String {
        format!("networks/{iterations:06}.safetensors")
    }

    /// How often decisions were learned from after so many iterations.
    pub(crate) fn trainings(iterations: u64) -> String {
        format!("learners/{iterations:06}.trainings")
    }
}

impl Folder {
    /// Takes a new folder.
    pub(crate) fn create(path: &Path) -> Result<Self, TrainError> {
        if path.join(name::STATE).exists() {
            return Err(TrainError::Exists { path: path.to_owned() });
        }
        fs::create_dir_all(path).map_err(|error| TrainError::write(path, &error))?;
        let entries = fs::read_dir(path).map_err(|error| TrainError::read(path, &error))?;
        // What was stopped before its first state is no run yet.
        let ours = [name::CONFIG, "lock", "learners", "networks"];
        let (mut leftovers, mut others) = (Vec::new(), 0);
        for entry in entries.flatten() {
            let name = entry.file_name();
            if name.to_string_lossy().starts_with(WRITING) {
                leftovers.push(entry.path());
            } else if ours.iter().all(|known| name != *known) {
                others += 1;
            }
        }
        if others > 0 {
            return Err(TrainError::Occupied { path: path.to_owned() });
        }
        let folder = Self::lock(path)?;
        for leftover in leftovers {
            fs::remove_file(&leftover).map_err(|error| TrainError::write(&leftover, &error))?;
        }
        Ok(folder)
    }

    /// Takes the folder of a run that was begun.
    pub(crate) fn open(path: &Path) -> Result<Self, TrainError> {
        if !path.join(name::STATE).exists() {
            return Err(TrainError::NoRun { path: path.to_owned() });
        }
        Self::lock(path)
    }

    fn lock(path: &Path) -> Result<Self, TrainError> {
        let file = path.join("lock");
        let opened = OpenOptions::new().write(true).create(true).truncate(false).open(&file);
        let lock = opened.map_err(|error| TrainError::write(&file, &error))?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => Err(TrainError::Locked { path: path.to_owned() }),
            // File systems without locks are used at one's own risk.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Self { path: path.to_owned(), _lock: lock }),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file whole or not at all.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), TrainError> {
        let path = self.file(name);
        let parent = path.parent().unwrap_or(&self.path);
        let save = || -> std::io::Result<()> {
            fs::create_dir_all(parent)?;
            let mut builder = tempfile::Builder::new();
            // Results are for everybody whom the folder is for.
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            let mut file = builder.prefix(WRITING).tempfile_in(parent)?;
            file.write_all(bytes)?;
            file.as_file().sync_data()?;
            file.persist(&path).map_err(|error| error.error)?;
            Ok(())
        };
        save().map_err(|error| TrainError::write(&path, &error))
    }

    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>, TrainError> {
        let path = self.file(name);
        fs::read(&path).map_err(|error| TrainError::read(&path, &error))
    }

    /// Makes sure that a folder inside is there.
    pub(crate) fn make(&self, name: &str) -> Result<PathBuf, TrainError> {
        let path = self.file(name);
        fs::create_dir_all(&path).map_err(|error| TrainError::write(&path, &error))?;
        Ok(path)
    }

    /// Removes a file, if it is there.
    pub(crate) fn remove(&self, name: &str) -> Result<(), TrainError> {
        let path = self.file(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(TrainError::write(&path, &error))
            }
            _ => Ok(()),
        }
    }

    /// Removes the files of a folder inside whose names `is_kept` refuses:
    /// leftovers of what was stopped, and what nobody needs any more.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A run that was killed while it wrote its first files can be begun again
    /// in the same folder; one with files of others cannot.
    #[test]
    fn what_a_killed_beginning_leaves_is_no_hindrance() {
        let place = tempfile::tempdir().unwrap();
        let leftover = place.path().join(format!("{WRITING}abc"));
        fs::write(&leftover, "half a st").unwrap();
        fs::write(place.path().join(name::CONFIG), "{}").unwrap();
        drop(Folder::create(place.path()).expect("nothing of others is there"));
        assert!(!leftover.exists(), "it is swept away");
        fs::write(place.path().join("thesis.txt"), "words").unwrap();
        let error = Folder::create(place.path()).unwrap_err();
        assert!(matches!(error, TrainError::Occupied { .. }), "{error}");
    }
}
