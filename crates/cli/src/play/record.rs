//! The game so far, as a replay that can be saved at any moment.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, anyhow};
use meeple_arena::{Position, REPLAY_VERSION, Replay};
use meeple_game::Action;

use crate::failure::Failure;
use crate::{interrupt, show};

/// The game so far; the handler of Ctrl-C holds it too.
#[derive(Clone)]
pub(crate) struct Record(Arc<Mutex<Saved>>);

struct Saved {
    file: Option<PathBuf>,
    /// The hand that is played, from 1.
    hand: u32,
    replay: Option<Replay>,
}

impl Record {
    pub(crate) fn new(file: Option<PathBuf>) -> Self {
        Self(Arc::new(Mutex::new(Saved { file, hand: 0, replay: None })))
    }

    /// Checks that there will be a place for the file, before anybody plays for an hour.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let saved = self.lock();
        let Some(file) = &saved.file else { return Ok(()) };
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        if file.is_dir() || folder.is_some_and(|folder| !folder.is_dir()) {
            let problem = "--save: expected a file in a folder that exists, found";
            return Err(Failure::Usage(anyhow!("{problem} {:?}", file.display().to_string())));
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Saved> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Saves the game and ends the program when Ctrl-C is pressed, even while a bot
    /// thinks.
    pub(crate) fn save_on_ctrl_c(&self) -> Result<(), Failure> {
        let record = self.clone();
        interrupt::end_after(move || {
            show::remark("interrupted");
            if let Err(failure) = record.save() {
                failure.report();
            }
        })
    }

    /// A new game begins, or the one that is played goes on at another table.
    pub(crate) fn begin(&self, table: &dyn Position, seed: u64, names: Vec<String>, again: bool) {
        let mut saved = self.lock();
        saved.hand += u32::from(!again);
        saved.replay = Some(Replay {
            meeple_replay: REPLAY_VERSION,
            game: table.info().name.into(),
            config: table.config(),
            seed,
            bots: names,
            actions: Vec::new(),
            payoffs: vec![0.0; table.players()],
            forfeit: None,
            thoughts: BTreeMap::new(),
        });
    }

    /// The game has come to `position` by `actions`.
    pub(crate) fn update(&self, position: &dyn Position, actions: &[Action]) {
        if let Some(replay) = &mut self.lock().replay {
            replay.actions = actions.to_vec();
            replay.payoffs = position.payoffs()[..position.players()].to_vec();
        }
    }

    /// Saves the game so far, whole or not at all, if it is to be saved.
    pub(crate) fn save(&self) -> Result<(), Failure> {
        let saved = self.lock();
        let (Some(file), Some(replay)) = (&saved.file, &saved.replay) else { return Ok(()) };
        let file = numbered(file, saved.hand);
        meeple_files::write(&file, replay.to_json().as_bytes())
            .with_context(|| format!("cannot save to {}", file.display()))?;
        show::remark(&format!("saved to {}", file.display()));
        Ok(())
    }
}

/// The file of a hand: `game.json`, then `game-2.json`.
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
    fn hands_have_files_of_their_own() {
        assert_eq!(numbered(Path::new("a/game.json"), 1), Path::new("a/game.json"));
        assert_eq!(numbered(Path::new("a/game.json"), 2), Path::new("a/game-2.json"));
        assert_eq!(numbered(Path::new("game"), 3), Path::new("game-3"));
    }
}
