//! The state of a run, written after every iteration.

use std::collections::BTreeMap;

use meeple_arena::read_checked;
use meeple_bots::{NameKind, read_renamed};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::TrainError;
use crate::check::check;
use crate::config::TrainConfig;
use crate::folder::{Folder, name};
use crate::ladder::MatchResult;
use crate::learn::LearningReport;

/// The version of the format of run folders.
pub const TRAIN_VERSION: u32 = 1;

/// The state of a run. Files in its folder are valid from the moment that the state references
/// them, so a crash leaves the previous state intact.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The version of the folder.
    pub meeple_train: u32,
    /// Iterations finished.
    pub iterations: u64,
    /// Games played.
    pub games: u64,
    /// Decisions played that are trained on.
    pub samples: u64,
    /// States evaluated in self-play.
    pub evaluations: u64,
    /// Wall-clock seconds, over all parts of the run.
    pub seconds: f64,
    /// Processor seconds, over all parts of the run, where the system reports them.
    pub processor_seconds: f64,
    /// The actor, identified by its number of training iterations.
    pub actor: u64,
    /// The last iteration after which the gating match was played.
    pub gated: u64,
    /// The iterations whose decisions are in the buffer.
    pub shards: Vec<u64>,
    /// The networks that were rated.
    pub measured: Vec<u64>,
    /// Their match results.
    pub matches: Vec<MatchResult>,
    /// The CRC-32 of every referenced file. A file without one is not checked.
    #[serde(default)]
    pub checksums: BTreeMap<String, u32>,
    /// The CRC-32 of the file with a 0 in this field; 0 in files without one.
    #[serde(default)]
    pub checksum: u32,
}

/// The report of an iteration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct IterationReport {
    /// Its number, from 1.
    pub iteration: u64,
    /// Games played so far.
    pub games: u64,
    /// Decisions of this iteration that are trained on.
    pub samples: u64,
    /// Games of this iteration that were cut off.
    pub cut: u64,
    /// The mean payoff of the first seat.
    pub first_seat: f64,
    /// Events per game, forced decisions and chance events included.
    pub game_length: f64,
    /// Decisions in the window.
    pub window: u64,
    /// The result of learning.
    #[serde(flatten)]
    pub learning: LearningReport,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Processor seconds, where the system reports them.
    pub processor_seconds: f64,
    /// Games per second.
    pub games_per_second: f64,
    /// Evaluations per second.
    pub evaluations_per_second: f64,
    /// The mean batch size of evaluations.
    pub mean_batch: f64,
}

/// The content of `config.json`.
#[derive(Serialize, Deserialize)]
struct SavedConfig {
    meeple_train: u32,
    config: TrainConfig,
}

pub(crate) fn save_config(folder: &Folder, config: &TrainConfig) -> Result<(), TrainError> {
    let saved = json!({"meeple_train": TRAIN_VERSION, "config": config});
    folder.write(name::CONFIG, pretty(&saved).as_bytes())
}

pub(crate) fn load_config(folder: &Folder) -> Result<TrainConfig, TrainError> {
    let path = folder.file(name::CONFIG);
    let text = String::from_utf8(folder.read(name::CONFIG)?);
    let text = text.map_err(|error| TrainError::read(&path, &error))?;
    let checked = |saved: &mut SavedConfig| check(&saved.config);
    let saved = read_checked(NameKind::TrainingRun, &path, &text, checked);
    let saved = saved.map_err(|error| TrainError::read(&path, &error))?;
    check_version(folder, saved.meeple_train)?;
    Ok(saved.config)
}

impl State {
    /// Returns the sample files of the buffer.
    pub(crate) fn sample_files(&self) -> Vec<String> {
        self.shards.iter().map(|&shard| name::samples(shard)).collect()
    }

    /// Returns the files of the learner and of its training counts.
    pub(crate) fn learner_files(&self) -> Vec<String> {
        vec![name::learner(self.iterations), name::trainings(self.iterations)]
    }

    /// Returns the files of the rated networks and of the actor.
    pub(crate) fn network_files(&self) -> Vec<String> {
        self.measured.iter().chain([&self.actor]).map(|&network| name::network(network)).collect()
    }

    /// Adds the checksums of new files, and drops those of files that are no longer
    /// referenced.
    pub(crate) fn update_checksums(&mut self, folder: &Folder) -> Result<(), TrainError> {
        let mut before = std::mem::take(&mut self.checksums);
        let files = [self.sample_files(), self.learner_files(), self.network_files()];
        for file in files.concat() {
            let sum = match before.remove(&file) {
                Some(sum) => sum,
                // The actor has a file of its own only if it was rated or passed a gate.
                None if !folder.file(&file).exists() => continue,
                None => crc32fast::hash(&folder.read(&file)?),
            };
            self.checksums.insert(file, sum);
        }
        Ok(())
    }

    /// Reads a referenced file and verifies its checksum.
    pub(crate) fn read_file(&self, folder: &Folder, file: &str) -> Result<Vec<u8>, TrainError> {
        let bytes = folder.read(file)?;
        match self.checksums.get(file) {
            Some(&sum) if sum != crc32fast::hash(&bytes) => {
                let reason = "it is damaged: its checksum differs from the one in state.json";
                Err(TrainError::read(&folder.file(file), &reason))
            }
            _ => Ok(bytes),
        }
    }

    pub(crate) fn save(&self, folder: &Folder) -> Result<(), TrainError> {
        let text = pretty(&Self { checksum: 0, ..self.clone() });
        let sum = crc32fast::hash(text.as_bytes());
        folder.write(name::STATE, text.replacen(&own_line(0), &own_line(sum), 1).as_bytes())
    }

    pub(crate) fn load(folder: &Folder) -> Result<Self, TrainError> {
        let path = folder.file(name::STATE);
        let text = String::from_utf8(folder.read(name::STATE)?);
        let text = text.map_err(|error| TrainError::read(&path, &error))?;
        let state: Self = read_renamed(NameKind::TrainingState, &text)
            .map_err(|error| TrainError::read(&path, &error))?;
        check_version(folder, state.meeple_train)?;
        let plain = text.replacen(&own_line(state.checksum), &own_line(0), 1);
        if state.checksum != 0 && state.checksum != crc32fast::hash(plain.as_bytes()) {
            return Err(TrainError::read(&path, &"it is damaged: its checksum differs"));
        }
        Ok(state)
    }
}

/// Returns the line of the file that holds its own checksum.
fn own_line(checksum: u32) -> String {
    format!("\"checksum\": {checksum}")
}

pub(crate) fn check_version(folder: &Folder, version: u32) -> Result<(), TrainError> {
    if version == TRAIN_VERSION {
        return Ok(());
    }
    let (path, found) = (folder.path().to_owned(), version.to_string());
    Err(TrainError::Version { path, found, expected: TRAIN_VERSION })
}

/// Serializes as indented JSON that ends in a newline.
pub(crate) fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("results are plain data") + "\n"
}

/// Returns the reports of the finished iterations. Later ones, whose state was never written,
/// are dropped.
pub(crate) fn load_history(folder: &Folder, iterations: u64) -> Vec<IterationReport> {
    let text = folder.read(name::HISTORY).unwrap_or_default();
    let lines = text.split(|&byte| byte == b'\n');
    let reports = lines.filter_map(|line| serde_json::from_slice::<IterationReport>(line).ok());
    let mut history: Vec<IterationReport> =
        reports.filter(|report| report.iteration <= iterations).collect();
    history.dedup_by_key(|report| report.iteration);
    history
}

pub(crate) fn save_history(folder: &Folder, history: &[IterationReport]) -> Result<(), TrainError> {
    let mut text = String::new();
    for report in history {
        text.push_str(&serde_json::to_string(report).expect("a report is plain data"));
        text.push('\n');
    }
    folder.write(name::HISTORY, text.as_bytes())
}
