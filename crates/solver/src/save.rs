//! Solutions in files: a header in JSON, then the numbers of each board, then a checksum.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::cell::Cell;
use crate::solver::{Progress, Solver, Stores};
use crate::spot::{Schedule, SolverOptions, Spot};
use crate::store::Store;
use crate::tree_options::TreeOptions;

const MAGIC: &[u8; 8] = b"MEEPSOLV";
const VERSION: u32 = 1;
/// Headers have spots, not numbers: a longer one is damaged.
const LONGEST_HEADER: u32 = 1 << 24;

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    ranges: [String; 2],
    board: String,
    tree: TreeOptions,
    isomorphism: bool,
    /// Infinite powers have no form in JSON.
    schedule: [Option<f64>; 3],
    compressed: bool,
    iterations: u32,
    seconds: f64,
    history: Vec<Progress>,
}

impl Solver {
    /// Writes the solution to a file, whole or not at all.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let finite = |power: f64| power.is_finite().then_some(power);
        let Schedule { alpha, beta, gamma } = self.options.schedule;
        let header = Header {
            ranges: [0, 1].map(|seat: usize| self.spot.ranges[seat].to_string()),
            board: self.spot.board.to_string(),
            tree: self.spot.tree.clone(),
            isomorphism: self.spot.isomorphism,
            schedule: [alpha, beta, gamma].map(finite),
            compressed: self.options.compressed,
            iterations: self.iterations,
            seconds: self.seconds,
            history: self.history.clone(),
        };
        let work = |out: &mut dyn Write| {
            let mut out = Summed { inner: out, hash: crc32fast::Hasher::new() };
            let json = serde_json::to_vec(&header).map_err(io::Error::from)?;
            out.write_all(MAGIC)?;
            out.write_all(&VERSION.to_le_bytes())?;
            out.write_all(&(json.len() as u32).to_le_bytes())?;
            out.write_all(&json)?;
            match &self.stores {
                Stores::Full(stores) => write_stores(stores, &mut out)?,
                Stores::Half(stores) => write_stores(stores, &mut out)?,
            }
            let sum = out.hash.clone().finalize();
            out.write_all(&sum.to_le_bytes())
        };
        meeple_files::write_with(path, work)
            .map_err(|error| Error::File { path: path.to_owned(), error })
    }

    /// Reads a solution from a file, to question it or to solve on; `options` say how many
    /// threads and how much memory, the file everything else.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is no solution, of another version, or damaged, or
    /// when it does not fit in memory.
    pub fn load(path: &Path, options: &SolverOptions) -> Result<Self, Error> {
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                Error::Format { path: path.to_owned(), reason: "the file is cut short".to_owned() }
            }
            _ => Error::File { path: path.to_owned(), error },
        };
        let wrong = |reason: String| Error::Format { path: path.to_owned(), reason };
        let file = File::open(path).map_err(failed)?;
        let mut input = Summed { inner: BufReader::new(file), hash: crc32fast::Hasher::new() };
        let mut magic = [0; 8];
        input.read_exact(&mut magic).map_err(failed)?;
        if magic != *MAGIC {
            return Err(wrong("not a solution: it does not begin with MEEPSOLV".to_owned()));
        }
        let version = input.read_number().map_err(failed)?;
        if version != VERSION {
            return Err(wrong(format!("version {version}, but this program reads {VERSION}")));
        }
        let length = input.read_number().map_err(failed)?;
        if length > LONGEST_HEADER {
            return Err(wrong("the header is damaged".to_owned()));
        }
        let mut json = vec![0; length as usize];
        input.read_exact(&mut json).map_err(failed)?;
        let damaged =
            |error: &dyn std::fmt::Display| wrong(format!("the header is damaged: {error}"));
        let header: Header = serde_json::from_slice(&json).map_err(|error| damaged(&error))?;
        let range = |text: &str| text.parse().map_err(|error| damaged(&error));
        let spot = Spot {
            ranges: [range(&header.ranges[0])?, range(&header.ranges[1])?],
            board: header.board.parse().map_err(|error| damaged(&error))?,
            tree: header.tree,
            isomorphism: header.isomorphism,
        };
        let [alpha, beta, gamma] = header.schedule;
        let schedule = Schedule {
            alpha: alpha.unwrap_or(f64::INFINITY),
            beta: beta.unwrap_or(f64::NEG_INFINITY),
            gamma: gamma.unwrap_or(1.0),
        };
        let options = SolverOptions { schedule, compressed: header.compressed, ..*options };
        let mut solver = Self::new(spot, &options)?;
        match &mut solver.stores {
            Stores::Full(stores) => read_stores(stores, &mut input).map_err(failed)?,
            Stores::Half(stores) => read_stores(stores, &mut input).map_err(failed)?,
        }
        let sum = input.hash.clone().finalize();
        if input.read_number().map_err(failed)? != sum {
            return Err(wrong("the checksum is wrong: the file is damaged".to_owned()));
        }
        solver.iterations = header.iterations;
        solver.seconds = header.seconds;
        solver.history = header.history;
        Ok(solver)
    }
}

/// A reader or writer that sums up what passes.
struct Summed<T> {
    inner: T,
    hash: crc32fast::Hasher,
}

impl Write for Summed<&mut dyn Write> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<T: Read> Read for Summed<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.hash.update(&bytes[..read]);
        Ok(read)
    }
}

impl<T: Read> Summed<T> {
    fn read_number(&mut self) -> io::Result<u32> {
        let mut bytes = [0; 4];
        self.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }
}

fn write_stores<R: Cell, S: Cell>(
    stores: &[Mutex<Store<R, S>>],
    out: &mut impl Write,
) -> io::Result<()> {
    let mut bytes = Vec::new();
    for store in stores {
        let store = store.lock().expect("no walk has panicked");
        bytes.clear();
        for seat in 0..2 {
            R::put(&store.regrets[seat], &mut bytes);
            S::put(&store.sums[seat], &mut bytes);
            f32::put(&store.regret_scales[seat], &mut bytes);
            f32::put(&store.sum_scales[seat], &mut bytes);
            bytes.extend((store.locked[seat].len() as u32).to_le_bytes());
            bytes.extend(store.locked[seat].iter().flat_map(|decision| decision.to_le_bytes()));
        }
        out.write_all(&bytes)?;
    }
    Ok(())
}

fn read_stores<R: Cell, S: Cell>(
    stores: &mut [Mutex<Store<R, S>>],
    input: &mut Summed<impl Read>,
) -> io::Result<()> {
    fn read<C: Cell>(
        cells: &mut [C],
        input: &mut impl Read,
        bytes: &mut Vec<u8>,
    ) -> io::Result<()> {
        bytes.resize(size_of_val(cells), 0);
        input.read_exact(bytes)?;
        C::take(cells, bytes);
        Ok(())
    }
    let mut bytes = Vec::new();
    for store in stores {
        let store = store.get_mut().expect("no walk has panicked");
        for seat in 0..2 {
            read(&mut store.regrets[seat], input, &mut bytes)?;
            read(&mut store.sums[seat], input, &mut bytes)?;
            read(&mut store.regret_scales[seat], input, &mut bytes)?;
            read(&mut store.sum_scales[seat], input, &mut bytes)?;
            let locked = input.read_number()?;
            if locked > 1 << 28 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            for _ in 0..locked {
                let decision = input.read_number()?;
                store.locked[seat].push(decision);
            }
        }
    }
    Ok(())
}
