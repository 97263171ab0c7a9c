//! One process at a time in a folder.

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::Path;

/// The name of the lock file of a folder.
///
/// The file stays when its folder is emptied: a process that waits for the lock of a file
/// that was removed would hold a lock that nobody else sees.
pub const LOCK_FILE: &str = ".meeple-lock";

/// A folder that is held against other processes as long as this value lives.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

/// Why a folder cannot be locked.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process, or another [`Lock`] of this one, holds it.
    #[error("it is in use by {0}")]
    Held(Holder),
    /// The lock file cannot be created.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The process that holds a lock, by its number where that is known.
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
    /// Takes the lock of an existing folder.
    ///
    /// # Errors
    ///
    /// When the folder is held already, or nothing can be created in it.
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
            // File systems without locks are used at one's own risk.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        // The number only helps people; a full disk does not prevent locking.
        let _ = file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id()));
        Ok(Self { file })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = self.file.set_len(0);
        // Closing is not enough: a process that another thread starts right now has a copy
        // of the file until it runs its program, and the lock with it.
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_held_once_and_says_by_whom() {
        let place = tempfile::tempdir().unwrap();
        let lock = Lock::take(place.path()).unwrap();
        let refused = Lock::take(place.path()).unwrap_err();
        if cfg!(unix) {
            assert_eq!(
                refused.to_string(),
                format!("it is in use by process {}", std::process::id())
            );
        }
        // As a process has it that another thread starts.
        let copy = lock.file.try_clone().unwrap();
        drop(lock);
        drop(Lock::take(place.path()).unwrap());
        drop(copy);
        assert_eq!(fs::read(place.path().join(LOCK_FILE)).unwrap(), b"", "no number is left");
        let missing = Lock::take(&place.path().join("missing")).unwrap_err();
        assert!(matches!(missing, LockError::Io(_)), "{missing}");
    }
}
