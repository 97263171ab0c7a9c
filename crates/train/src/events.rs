//! TensorBoard event files: checksummed records of protocol buffer messages, encoded by hand.

use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use meeple_files::Log;

/// A file of scalars that TensorBoard shows.
///
/// ```
/// use meeple_train::EventFile;
///
/// let folder = tempfile::tempdir()?;
/// let mut events = EventFile::create(folder.path())?;
/// events.scalar("loss/policy", 1, 0.7)?;
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct EventFile {
    log: Log,
}

impl EventFile {
    /// Creates a new file in `folder`. A resumed run has several files, which TensorBoard
    /// reads as one.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn create(folder: &Path) -> io::Result<Self> {
        meeple_files::create_folder(folder)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let (seconds, process) = (now.as_secs(), std::process::id());
        // Names sort by time; process id and nanoseconds separate files of the same second.
        let name =
            format!("events.out.tfevents.{seconds:010}.meeple.{process}.{}", now.subsec_nanos());
        let (log, _) = Log::open(&folder.join(name))?;
        let mut events = Self { log };
        let mut event = Message::default();
        event.double(1, now.as_secs_f64());
        event.bytes(3, b"brain.Event:2");
        events.record(&event.0)?;
        Ok(events)
    }

    /// Adds a value at a step.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn scalar(&mut self, tag: &str, step: u64, value: f32) -> io::Result<()> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut scalar = Message::default();
        scalar.bytes(1, tag.as_bytes());
        scalar.float(2, value);
        let mut summary = Message::default();
        summary.bytes(1, &scalar.0);
        let mut event = Message::default();
        event.double(1, now.as_secs_f64());
        event.integer(2, step);
        event.bytes(5, &summary.0);
        self.record(&event.0)
    }

    /// Writes a record without buffering, so that TensorBoard sees it immediately.
    fn record(&mut self, data: &[u8]) -> io::Result<()> {
        let length = (data.len() as u64).to_le_bytes();
        let mut record = Vec::with_capacity(data.len() + 16);
        record.extend(length);
        record.extend(masked(&length).to_le_bytes());
        record.extend(data);
        record.extend(masked(data).to_le_bytes());
        self.log.append(&record)
    }
}

/// A protocol buffer message under construction.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    /// Appends a base-128 varint, least significant group first.
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// Appends the tag of a field: its number and its wire type.
    fn key(&mut self, field: u64, wire: u64) {
        self.varint(field << 3 | wire);
    }

    fn integer(&mut self, field: u64, value: u64) {
        self.key(field, 0);
        self.varint(value);
    }

    fn double(&mut self, field: u64, value: f64) {
        self.key(field, 1);
        self.0.extend(value.to_le_bytes());
    }

    fn bytes(&mut self, field: u64, value: &[u8]) {
        self.key(field, 2);
        self.varint(value.len() as u64);
        self.0.extend(value);
    }

    fn float(&mut self, field: u64, value: f32) {
        self.key(field, 5);
        self.0.extend(value.to_le_bytes());
    }
}

/// Returns the masked CRC-32C of the TFRecord format.
fn masked(data: &[u8]) -> u32 {
    crc32c(data).rotate_right(15).wrapping_add(0xa282_ead8)
}

fn crc32c(data: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0u32; 256];
        let mut at = 0;
        while at < 256 {
            let (mut value, mut bit) = (at as u32, 0);
            while bit < 8 {
                value = if value & 1 == 1 { 0x82f6_3b78 ^ (value >> 1) } else { value >> 1 };
                bit += 1;
            }
            table[at] = value;
            at += 1;
        }
        table
    };
    !data
        .iter()
        .fold(!0u32, |sum, &byte| TABLE[((sum ^ u32::from(byte)) & 0xff) as usize] ^ (sum >> 8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// The check value of CRC-32C, and the vectors of RFC 3720.
    #[test]
    fn checksums_are_crc_32c() {
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(crc32c(&[0xff; 32]), 0x62a8_ab43);
    }

    #[test]
    fn records_frame_their_messages() {
        let folder = tempfile::tempdir().unwrap();
        let mut events = EventFile::create(folder.path()).unwrap();
        events.scalar("loss", 300, 1.5).unwrap();
        let entry = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap();
        let bytes = fs::read(entry.path()).unwrap();
        let mut at = 0;
        let mut records = Vec::new();
        while at < bytes.len() {
            let length = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
            let sum = |from: usize| u32::from_le_bytes(bytes[from..from + 4].try_into().unwrap());
            assert_eq!(sum(at + 8), masked(&bytes[at..at + 8]));
            let data = &bytes[at + 12..at + 12 + length];
            assert_eq!(sum(at + 12 + length), masked(data));
            records.push(data.to_vec());
            at += length + 16;
        }
        assert_eq!(records.len(), 2);
        // Step 300 as a varint, then a summary of 13 bytes with tag and value.
        let expected = [0x10, 0xac, 0x02, 0x2a, 13, 0x0a, 11, 0x0a, 4];
        assert_eq!(records[1][9..18], expected);
        assert_eq!(&records[1][18..22], b"loss");
        assert_eq!(records[1][22..], [0x15, 0, 0, 0xc0, 0x3f]);
    }
}
