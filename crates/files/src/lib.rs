//! Crash-safe files: atomic writes, folder locks and append-only logs.
//!
//! ```
//! use meeple_files::{Lock, Log, write};
//!
//! let folder = tempfile::tempdir()?;
//! let _lock = Lock::take(folder.path())?;
//! write(&folder.path().join("state.json"), b"{}\n")?;
//! let (mut log, before) = Log::open(&folder.path().join("games.jsonl"))?;
//! assert!(before.is_empty());
//! log.append(b"{\"game\":0}\n")?;
//! assert!(Lock::take(folder.path()).is_err());
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod atomic;
mod lock;
mod log;

pub use atomic::{create_folder, is_leftover, remove_leftovers, sync_folder, write, write_with};
pub use lock::{Holder, LOCK_FILE, Lock, LockError};
pub use log::Log;
