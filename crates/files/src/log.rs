//! Append-only logs of records.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::atomic::{folder_of, sync_folder};

/// An append-only file. A torn record, one that was written only in part, is truncated
/// before the next record is appended.
#[derive(Debug)]
pub struct Log {
    file: File,
    /// The length of the complete records, in bytes.
    len: u64,
    /// Whether a torn record may follow them.
    is_torn: bool,
}

impl Log {
    /// Opens or creates the log at `path`, and returns it with its contents.
    ///
    /// The caller determines which records are complete and [truncates](Self::cut) the
    /// rest before appending.
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
            // The file may be new: its folder entry has to survive a power failure, too.
            sync_folder(folder_of(path))?;
        }
        Ok((Self { file, len: bytes.len() as u64, is_torn: false }, bytes))
    }

    /// Truncates the log to its first `len` bytes.
    ///
    /// # Errors
    ///
    /// When the file cannot be truncated.
    pub fn cut(&mut self, len: u64) -> io::Result<()> {
        self.is_torn = true;
        self.file.set_len(len)?;
        self.file.seek(SeekFrom::Start(len))?;
        self.len = len;
        self.is_torn = false;
        Ok(())
    }

    /// Appends a record.
    ///
    /// # Errors
    ///
    /// When it cannot be written completely; the torn record is then truncated, at the
    /// latest before the next record is appended.
    pub fn append(&mut self, record: &[u8]) -> io::Result<()> {
        if self.is_torn {
            self.cut(self.len)?;
        }
        if let Err(error) = self.file.write_all(record) {
            self.is_torn = true;
            // If this fails too, it is retried before the next record.
            let _ = self.cut(self.len);
            return Err(error);
        }
        self.len += record.len() as u64;
        Ok(())
    }

    /// Syncs the appended records to disk.
    ///
    /// # Errors
    ///
    /// When syncing fails.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn records_are_appended_after_truncation() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
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

    /// The disk is full in the middle of a record, and has space again later.
    #[test]
    fn a_torn_record_is_truncated_before_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        fs::write(&path, "one\n").unwrap();
        let (mut log, _) = Log::open(&path).unwrap();
        let writable = std::mem::replace(&mut log.file, File::open(&path).unwrap());
        assert!(log.append(b"two\n").is_err(), "the file is read-only");
        assert!(log.append(b"two\n").is_err(), "and still read-only");
        fs::write(&path, "one\ntw").unwrap();
        log.file = writable;
        log.append(b"three\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\nthree\n");
    }
}
