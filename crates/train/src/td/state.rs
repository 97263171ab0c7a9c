//! The folder of a run of temporal-difference learning.

use std::path::Path;

use meeple_arena::read_checked;
use meeple_bots::NameKind;
use meeple_games::backgammon::ValueNetwork;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::TdConfig;
use crate::TrainError;
use crate::folder::{Folder, name};
use crate::state::{TRAIN_VERSION, check_version, pretty};

/// The network for others to use.
pub(super) const MODEL: &str = "model.network";

/// The state of a run. It names the files of both networks, which are valid from then on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct TdState {
    pub(super) meeple_train: u32,
    /// Games played and learned from.
    pub(super) games: u64,
    /// Wall-clock seconds, over all parts of the run.
    pub(super) seconds: f64,
    /// Processor seconds, over all parts of the run, where the system reports them.
    pub(super) processor_seconds: f64,
    /// The reports so far.
    pub(super) reports: Vec<TdReport>,
}

/// A report of the progress of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TdReport {
    /// Games so far.
    pub games: u64,
    /// Processor seconds so far, where the system reports them.
    pub processor_seconds: f64,
    /// The learning rate.
    pub rate: f32,
    /// The root mean square of the difference between the value of a position and that of the
    /// next one, in points.
    pub error: f32,
    /// The points won a game by the average against the built-in network, if games were played.
    pub points: Option<f64>,
    /// The standard error of the points.
    pub standard_error: Option<f64>,
}

/// The content of `config.json`.
#[derive(Deserialize)]
struct SavedConfig {
    meeple_train: u32,
    config: TdConfig,
}

/// Returns whether the run in `folder` is one of temporal-difference learning.
#[must_use]
pub fn is_td_run(folder: &Path) -> bool {
    let text = std::fs::read_to_string(folder.join(name::CONFIG)).unwrap_or_default();
    let config: Value = serde_json::from_str(&text).unwrap_or_default();
    config["config"].get("method").is_some()
}

/// Returns the configuration of the run in `folder`.
///
/// # Errors
///
/// When there is no such run, or it is damaged.
pub fn saved_td_config(folder: &Path) -> Result<TdConfig, TrainError> {
    load_config(&Folder::open(folder)?)
}

pub(super) fn save_config(folder: &Folder, config: &TdConfig) -> Result<(), TrainError> {
    let saved = json!({"meeple_train": TRAIN_VERSION, "config": config});
    folder.write(name::CONFIG, pretty(&saved).as_bytes())
}

pub(super) fn load_config(folder: &Folder) -> Result<TdConfig, TrainError> {
    let path = folder.file(name::CONFIG);
    let text = String::from_utf8(folder.read(name::CONFIG)?);
    let text = text.map_err(|error| TrainError::read(&path, &error))?;
    let checked = |saved: &mut SavedConfig| saved.config.check();
    let saved = read_checked(NameKind::TrainingRun, &path, &text, checked);
    let saved = saved.map_err(|error| TrainError::read(&path, &error))?;
    check_version(folder, saved.meeple_train)?;
    Ok(saved.config)
}

impl TdState {
    /// The file of the network that learns, and that of the average.
    pub(super) fn files(&self) -> [String; 2] {
        let games = self.games;
        [format!("learners/{games:012}.network"), format!("networks/{games:012}.network")]
    }

    /// Writes the networks and the state, and removes the networks of earlier states.
    pub(super) fn save(
        &self,
        folder: &Folder,
        learner: &ValueNetwork,
        average: &ValueNetwork,
    ) -> Result<(), TrainError> {
        let files = self.files();
        folder.write(&files[0], &learner.to_bytes())?;
        folder.write(&files[1], &average.to_bytes())?;
        folder.write(name::STATE, pretty(self).as_bytes())?;
        folder.write(MODEL, &average.to_bytes())?;
        folder.sweep("learners", |file| file == files[0])?;
        folder.sweep("networks", |file| file == files[1])
    }

    pub(super) fn load(folder: &Folder) -> Result<Self, TrainError> {
        let path = folder.file(name::STATE);
        let state: Self = serde_json::from_slice(&folder.read(name::STATE)?)
            .map_err(|error| TrainError::read(&path, &error))?;
        check_version(folder, state.meeple_train)?;
        Ok(state)
    }
}

/// Reads a network of a run.
pub(super) fn load_network(folder: &Folder, file: &str) -> Result<ValueNetwork, TrainError> {
    let read = ValueNetwork::from_bytes(&folder.read(file)?);
    read.map_err(|error| TrainError::read(&folder.file(file), &error))
}
