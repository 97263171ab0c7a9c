//! Exclusive locks of folders between processes.

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::Path;

/// The name of the lock file of a folder.
///
/// The file is never removed: a process could otherwise lock the removed file while
/// another locks a new one of the same name.
pub const LOCK_FILE: &str = ".meeple-lock";

/// An exclusive lock of a folder, held until this value is dropped.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

/// An error while locking a folder.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process, or another [`Lock`] of this process, holds the lock.
    #[error("it is in use by {0}")]
    Held(Holder),
    /// The lock file cannot be created.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The process that holds a lock, by its id if known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holder(Option<u32>);

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(process) => write!(f, "process {process}"),
            None => f.write_str("another process"),
        }
    }
}

impl Lock {
    /// Locks an existing folder.
    ///
    /// # Errors
    ///
    /// When the folder is locked already, or the lock file cannot be created.
    pub fn take(folder: &Path) -> Result<Self, LockError> {
        let path = folder.join(LOCK_FILE);
        let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(&path)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                let holder = fs::read_to_string(&path).ok();
                return Err(LockError::Held(Holder(
                    holder.and_then(|text| text.trim().parse().ok()),
                )));
            }
            // On file systems without locks, folders are not protected.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        // The process id is informative only, so a failed write is ignored.
        let _ = file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id()));
        Ok(Self { file })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = self.file.set_len(0);
        // Closing is not enough: a child process that another thread is forking inherits
        // the file, and the lock with it, until it calls `exec`.
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_locked_once_and_names_the_holder() {
        let folder = tempfile::tempdir().unwrap();
        let lock = Lock::take(folder.path()).unwrap();
        let error = Lock::take(folder.path()).unwrap_err();
        if cfg!(unix) {
            assert_eq!(
                error.to_string(),
                format!("it is in use by process {}", std::process::id())
            );
        }
        // A forked child process inherits the file like this.
        let copy = lock.file.try_clone().unwrap();
        drop(lock);
        drop(Lock::take(folder.path()).unwrap());
        drop(copy);
        assert_eq!(
            fs::read(folder.path().join(LOCK_FILE)).unwrap(),
            b"",
            "the process id is removed"
        );
        let missing = Lock::take(&folder.path().join("missing")).unwrap_err();
        assert!(matches!(missing, LockError::Io(_)), "{missing}");
    }
}
