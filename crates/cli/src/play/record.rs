//! The record of the game in progress, which can be saved as a replay at any time.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, anyhow};
use meeple_arena::{REPLAY_VERSION, Replay};
use meeple_bots::Position;
use meeple_game::Action;

use crate::failure::Failure;
use crate::{interrupt, show};

/// The record of the game in progress, shared with the Ctrl-C handler.
#[derive(Clone)]
pub(crate) struct Record(Arc<Mutex<State>>);

struct State {
    file: Option<PathBuf>,
    /// The number of the current hand, from 1.
    hand: u32,
    replay: Option<Replay>,
}

impl Record {
    pub(crate) fn new(file: Option<PathBuf>) -> Self {
        Self(Arc::new(Mutex::new(State { file, hand: 0, replay: None })))
    }

    /// Checks before the game that the file can be written.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let state = self.lock();
        let Some(file) = &state.file else { return Ok(()) };
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        if file.is_dir() || folder.is_some_and(|folder| !folder.is_dir()) {
            let problem = "--save: expected a file in a folder that exists, found";
            return Err(Failure::Usage(anyhow!("{problem} {:?}", file.display().to_string())));
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Installs a Ctrl-C handler that saves the game and exits, even during a search.
    pub(crate) fn save_on_interrupt(&self) -> Result<(), Failure> {
        let record = self.clone();
        interrupt::exit_after(move || {
            show::remark("interrupted");
            if let Err(failure) = record.save() {
                failure.report();
            }
        })
    }

    /// Starts the record of a new game, or restarts that of the current one with another
    /// configuration.
    pub(crate) fn begin(&self, start: &dyn Position, seed: u64, names: Vec<String>, restart: bool) {
        let mut state = self.lock();
        state.hand += u32::from(!restart);
        state.replay = Some(Replay {
            meeple_replay: REPLAY_VERSION,
            game: start.info().name.into(),
            config: start.config(),
            seed,
            bots: names,
            actions: Vec::new(),
            payoffs: vec![0.0; start.players()],
            forfeit: None,
            analysis: BTreeMap::new(),
        });
    }

    /// Records that `actions` have led to `position`.
    pub(crate) fn update(&self, position: &dyn Position, actions: &[Action]) {
        if let Some(replay) = &mut self.lock().replay {
            replay.actions = actions.to_vec();
            replay.payoffs = position.payoffs()[..position.players()].to_vec();
        }
    }

    /// Saves the game atomically, if a file was given.
    pub(crate) fn save(&self) -> Result<(), Failure> {
        let state = self.lock();
        let (Some(file), Some(replay)) = (&state.file, &state.replay) else { return Ok(()) };
        let file = numbered(file, state.hand);
        meeple_files::write(&file, replay.to_json().as_bytes())
            .with_context(|| format!("cannot save to {}", file.display()))?;
        show::remark(&format!("saved to {}", file.display()));
        Ok(())
    }
}

/// Returns the file of a hand: `game.json`, then `game-2.json`.
fn numbered(file: &Path, hand: u32) -> PathBuf {
    if hand < 2 {
        return file.to_owned();
    }
    let mut name = file.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{hand}"));
    if let Some(extension) = file.extension() {
        name.push(".");
        name.push(extension);
    }
    file.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_have_separate_files() {
        assert_eq!(numbered(Path::new("a/game.json"), 1), Path::new("a/game.json"));
        assert_eq!(numbered(Path::new("a/game.json"), 2), Path::new("a/game-2.json"));
        assert_eq!(numbered(Path::new("game"), 3), Path::new("game-3"));
    }
}
