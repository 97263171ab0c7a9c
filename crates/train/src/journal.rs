//! The journal of the iteration in progress: each game is appended when it is finished, so
//! that a killed run loses only the games in flight.

use std::path::{Path, PathBuf};

use meeple_arena::{SampleError, SampleLayout, Samples};
use meeple_files::Log;
use meeple_game::Action;
use serde::{Deserialize, Serialize};

use crate::TrainError;
use crate::self_play::PlayedGame;

/// The magic bytes at the start of the file.
const MAGIC: &[u8; 8] = b"MEEPLEJ1";
/// The size of a record header: two lengths and a checksum.
const HEAD: usize = 16;

/// A journal that is open for appending.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    /// The layout of the samples of all games in it.
    layout: SampleLayout,
    log: Log,
}

/// A game without its samples.
#[derive(Serialize, Deserialize)]
struct About {
    game: u64,
    actions: Vec<Action>,
    payoffs: Vec<f32>,
    is_cut: bool,
}

impl Journal {
    /// Opens the journal of an iteration and returns the games in it. A torn record at the end
    /// and the records of other iterations are dropped.
    pub(crate) fn open(
        path: &Path,
        layout: SampleLayout,
        iteration: u64,
    ) -> Result<(Self, Vec<PlayedGame>), TrainError> {
        let failed = |error: std::io::Error| TrainError::write(path, &error);
        let (mut log, bytes) = Log::open(path).map_err(failed)?;
        let (games, end) = read_games(&layout, &bytes, iteration);
        log.cut(end as u64).map_err(failed)?;
        if end == 0 {
            log.append(&start_of(iteration)).map_err(failed)?;
        }
        Ok((Self { path: path.to_owned(), layout, log }, games))
    }

    /// Appends a finished game.
    pub(crate) fn add(&mut self, played: &PlayedGame) -> Result<(), TrainError> {
        let record = write_game(&self.layout, played);
        let record = record.map_err(|error| TrainError::samples(&self.path, &error))?;
        self.log.append(&record).map_err(|error| TrainError::write(&self.path, &error))
    }
}

/// Returns the file header of an iteration.
fn start_of(iteration: u64) -> Vec<u8> {
    [&MAGIC[..], &iteration.to_le_bytes()].concat()
}

/// Returns the games in a journal of `iteration` up to the first incomplete record, and their
/// size in bytes; none if the journal is of another iteration.
#[must_use]
pub fn read_games(layout: &SampleLayout, bytes: &[u8], iteration: u64) -> (Vec<PlayedGame>, usize) {
    let (mut games, start) = (Vec::new(), start_of(iteration));
    if !bytes.starts_with(&start) {
        return (games, 0);
    }
    let mut end = start.len();
    while let Some((game, next)) = read_game(layout, bytes, end) {
        games.push(game);
        end = next;
    }
    (games, end)
}

/// Encodes a game as a journal record.
///
/// # Errors
///
/// When it has too many samples.
pub fn write_game(layout: &SampleLayout, played: &PlayedGame) -> Result<Vec<u8>, SampleError> {
    let about = About {
        game: played.game,
        actions: played.actions.clone(),
        payoffs: played.payoffs.clone(),
        is_cut: played.is_cut,
    };
    let about = serde_json::to_vec(&about).expect("a game is plain data");
    Ok(frame(&about, &played.samples.to_bytes(layout, &[])?))
}

/// Joins the two parts of a record, with their lengths and their checksum.
#[must_use]
pub fn frame(about: &[u8], samples: &[u8]) -> Vec<u8> {
    let mut record = Vec::with_capacity(HEAD + about.len() + samples.len());
    record.extend((about.len() as u32).to_le_bytes());
    record.extend((samples.len() as u32).to_le_bytes());
    record.extend(checksum(&[about, samples]).to_le_bytes());
    record.extend(about);
    record.extend(samples);
    record
}

/// Decodes the game at an offset and returns it with the offset of the next one.
fn read_game(layout: &SampleLayout, bytes: &[u8], at: usize) -> Option<(PlayedGame, usize)> {
    let head = bytes.get(at..at + HEAD)?;
    let word = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let (about, samples) = (word(0) as usize, word(4) as usize);
    let sum = u64::from(word(12)) << 32 | u64::from(word(8));
    let middle = at + HEAD + about;
    let end = middle.checked_add(samples)?;
    let (about, samples) = (bytes.get(at + HEAD..middle)?, bytes.get(middle..end)?);
    if checksum(&[about, samples]) != sum {
        return None;
    }
    let About { game, actions, payoffs, is_cut } = serde_json::from_slice(about).ok()?;
    let samples = Samples::from_bytes(layout, samples).ok()?;
    Some((PlayedGame { game, samples, actions, payoffs, is_cut }, end))
}

/// FNV-1a over the parts. It only has to detect torn writes.
fn checksum(parts: &[&[u8]]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.iter());
    bytes.fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_bots::open;
    use meeple_game::Player;

    fn layout() -> SampleLayout {
        SampleLayout::of(&open("tic-tac-toe", None).unwrap().info())
    }

    fn played(game: u64) -> PlayedGame {
        let state = open("tic-tac-toe", None).unwrap();
        let mut samples = Samples::default();
        samples.add(&*state.view(Player(0)), Action(4), None);
        samples.finish(game, 0, &[0.0, 0.0], false);
        let actions = vec![Action(4)];
        PlayedGame { game, samples, actions, payoffs: vec![0.0, 0.0], is_cut: false }
    }

    #[test]
    fn whole_games_come_back_and_torn_ones_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (mut journal, before) = Journal::open(&path, layout(), 3).unwrap();
        assert!(before.is_empty());
        for game in 0..3 {
            journal.add(&played(game)).unwrap();
        }
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        for missing in [0, 1, 100] {
            std::fs::write(&path, &whole[..whole.len() - missing]).unwrap();
            let (mut journal, games) = Journal::open(&path, layout(), 3).unwrap();
            let kept = if missing == 0 { 3 } else { 2 };
            assert_eq!(games, (0..kept).map(played).collect::<Vec<_>>());
            // Records appended after a torn end are read.
            journal.add(&played(9)).unwrap();
            let (_, games) = Journal::open(&path, layout(), 3).unwrap();
            assert_eq!(games.last(), Some(&played(9)));
        }
        let (_, other) = Journal::open(&path, layout(), 4).unwrap();
        assert!(other.is_empty(), "another iteration starts over");
    }
}
