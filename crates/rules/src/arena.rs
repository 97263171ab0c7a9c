//! The programs of a process: states are copied freely and point to theirs, so that it stays as long
//! as the process runs. How much memory all of them take is bounded.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::errors::{FileError, Problems, Span};
use crate::lower::Lowered;
use crate::program::Program;
use crate::set::Bits;

/// The most bytes that all of them take together, roughly.
const MAX_BYTES: usize = 1 << 30;

/// A text with its options, as its program holds them.
type Key<'p> = (&'p str, &'p BTreeMap<String, i64>);

type Programs<'p> = BTreeMap<Key<'p>, &'static Program>;

struct Arena {
    /// By all options, as they were chosen or are by default.
    programs: Programs<'static>,
    /// By fewer options.
    known: Programs<'static>,
    bytes: usize,
}

static LOADED: Mutex<Arena> =
    Mutex::new(Arena { programs: BTreeMap::new(), known: BTreeMap::new(), bytes: 0 });

impl Program {
    /// Loads the text of a game file; equal texts with equal options share one program, whether
    /// options are said or left as they are by default.
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
        let mut arena = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(program) = arena.find(text, options) {
            return Ok(program);
        }
        let compiled = Self::compile(file, text, options)?;
        let shared = arena.find(text, &compiled.rules().options);
        let bytes = match shared {
            Some(_) => 0,
            None => text.len() + size_of::<Self>() + compiled.rules().bytes(),
        };
        let said = size_of::<(Key<'_>, Key<'_>)>() + 64 * options.len();
        if arena.bytes + bytes + said > MAX_BYTES {
            let message = format!(
                "this process holds {} different game files or options of {} MiB, and has room for \
                 {} MiB: start it again to load others",
                arena.programs.len(),
                arena.bytes >> 20,
                MAX_BYTES >> 20
            );
            let mut problems = Problems::default();
            problems.add(Span::default(), message);
            return Err(problems.into_error(file, text));
        }
        let program = match shared {
            Some(program) => program,
            None => {
                let program = compiled.intern(text);
                program.check_start(file, text)?;
                arena.keep(program)
            }
        };
        arena.bytes += bytes + said;
        if *options != program.rules.options {
            let options: &'static BTreeMap<String, i64> = Box::leak(Box::new(options.clone()));
            arena.known.insert((&program.text, options), program);
        }
        Ok(program)
    }
}

impl Arena {
    fn find(&self, text: &str, options: &BTreeMap<String, i64>) -> Option<&'static Program> {
        // Keys that live for ever can be compared with others.
        let (programs, known): (&Programs<'_>, &Programs<'_>) = (&self.programs, &self.known);
        programs.get(&(text, options)).or_else(|| known.get(&(text, options))).copied()
    }

    fn keep(&mut self, program: Program) -> &'static Program {
        let program: &'static Program = Box::leak(Box::new(program));
        self.programs.insert((&program.text, &program.rules.options), program);
        program
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
