//! The programs of a process: states are copied freely and point to theirs, so that it stays as long
//! as the process runs. How many there are, and how much memory they take, is bounded.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::errors::{FileError, Problems, Span};
use crate::lower::Lowered;
use crate::program::Program;
use crate::set::Bits;

/// The most different files and options in one process.
const MAX_PROGRAMS: usize = 4096;
/// The most bytes that all of them take together, roughly.
const MAX_BYTES: usize = 1 << 30;

type Key = (String, BTreeMap<String, i64>);

#[derive(Default)]
struct Arena {
    programs: BTreeMap<Key, &'static Program>,
    bytes: usize,
}

static LOADED: Mutex<Arena> = Mutex::new(Arena { programs: BTreeMap::new(), bytes: 0 });

impl Program {
    /// Loads the text of a game file; equal texts with equal options share one program.
    ///
    /// `file` is the name that errors show.
    ///
    /// # Errors
    ///
    /// All errors of the file at once, or that the process holds as many files as it has room for.
    pub fn load(
        file: &str,
        text: &str,
        options: &BTreeMap<String, i64>,
    ) -> Result<&'static Self, FileError> {
        let key = (text.to_owned(), options.clone());
        let mut arena = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(program) = arena.programs.get(&key) {
            return Ok(program);
        }
        let program = Self::compile(file, text, options)?;
        let bytes = text.len() + size_of::<Self>() + program.rules().bytes();
        if arena.programs.len() >= MAX_PROGRAMS || arena.bytes + bytes > MAX_BYTES {
            let message = format!(
                "this process holds {} different game files or options of {} MiB, and has room for {} \
                 or {} MiB: start it again to load others",
                arena.programs.len(),
                arena.bytes >> 20,
                MAX_PROGRAMS,
                MAX_BYTES >> 20
            );
            let mut problems = Problems::default();
            problems.add(Span::default(), message);
            return Err(problems.into_error(file, text));
        }
        let program: &'static Self = Box::leak(Box::new(program.intern(text)));
        arena.programs.insert(key, program);
        arena.bytes += bytes;
        Ok(program)
    }
}

impl Lowered {
    /// Returns roughly how many bytes the game takes: mostly tables by site.
    fn bytes(&self) -> usize {
        let positions = self.board.positions;
        let entries: usize = self.seats.iter().map(|seat| seat.entries.len()).sum();
        let actions: usize = self.seats.iter().map(|seat| seat.actions.len()).sum();
        // Ids, sources and jumps, here and where the code is linked.
        let by_entry = entries * (positions * 12 + 128);
        by_entry + actions * 8 + self.tables.len() * positions * 2 * size_of::<Bits>()
    }
}
