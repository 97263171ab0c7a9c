//! Files that only grow, record by record.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::atomic::{folder_of, sync_folder};

/// An append-only file. A record that could not be written whole is cut off before the
/// next one is added, so that nothing follows a torn record.
#[derive(Debug)]
pub struct Log {
    file: File,
    /// Bytes of whole records.
    len: u64,
    /// Whether part of a record may follow them.
    is_torn: bool,
}

impl Log {
    /// Opens or creates the log at `path`, and reads its bytes.
    ///
    /// The caller finds out which of them are whole records and [cuts](Self::cut) off the
    /// rest before it appends anything.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened or read.
    pub fn open(path: &Path) -> io::Result<(Self, Vec<u8>)> {
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        if bytes.is_empty() {
            // It may be new: its name has to survive a power failure, too.
            sync_folder(folder_of(path))?;
        }
        Ok((Self { file, len: bytes.len() as u64, is_torn: false }, bytes))
    }

    /// Cuts off all but the first `len` bytes.
    ///
    /// # Errors
    ///
    /// When the file cannot be changed.
    pub fn cut(&mut self, len: u64) -> io::Result<()> {
        self.is_torn = true;
        self.file.set_len(len)?;
        self.file.seek(SeekFrom::Start(len))?;
        self.len = len;
        self.is_torn = false;
        Ok(())
    }

    /// Adds a record.
    ///
    /// # Errors
    ///
    /// When it cannot be written whole; then none of it stays, at the latest when the next
    /// record is added.
    pub fn append(&mut self, record: &[u8]) -> io::Result<()> {
        if self.is_torn {
            self.cut(self.len)?;
        }
        if let Err(error) = self.file.write_all(record) {
            self.is_torn = true;
            // If this fails too, it is tried again before the next record.
            let _ = self.cut(self.len);
            return Err(error);
        }
        self.len += record.len() as u64;
        Ok(())
    }

    /// Makes sure that what was added is on the disk.
    ///
    /// # Errors
    ///
    /// When the disk fails.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn records_are_added_after_what_was_kept() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("log");
        fs::write(&path, "one\ntwo\nthr").unwrap();
        let (mut log, bytes) = Log::open(&path).unwrap();
        assert_eq!(bytes, b"one\ntwo\nthr");
        log.cut(8).unwrap();
        log.append(b"three\n").unwrap();
        log.sync().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\nthree\n");
        let (mut log, _) = Log::open(&path).unwrap();
        log.append(b"four\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\nthree\nfour\n");
    }

    /// The disk is full in the middle of a record, and later it is not.
    #[test]
    fn nothing_follows_a_torn_record() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("log");
        fs::write(&path, "one\n").unwrap();
        let (mut log, _) = Log::open(&path).unwrap();
        let writable = std::mem::replace(&mut log.file, File::open(&path).unwrap());
        assert!(log.append(b"two\n").is_err(), "the file is open for reading alone");
        assert!(log.append(b"two\n").is_err(), "and still is");
        fs::write(&path, "one\ntw").unwrap();
        log.file = writable;
        log.append(b"three\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\nthree\n");
    }
}
