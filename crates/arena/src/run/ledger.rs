//! The results of a run so far, in memory and on disk.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use super::Setup;
use super::error::RunError;
use super::folder::{Folder, RUN_VERSION, Saved};
use super::plan::Pool;
use super::play::UnitDone;
use super::record::Record;
use super::stage::{ScheduledStage, verdict};
use super::timing::Timing;
use crate::MatchTally;
use crate::experiment::Experiment;
use crate::samples::{SampleLayout, Samples};
use meeple_stats::Verdict;

/// The games of a run.
pub(crate) struct Ledger {
    pub(crate) folder: Folder,
    pub(crate) records: Vec<Record>,
    pub(crate) timing: Timing,
    saved: Saved,
    /// Lines and samples that are not written yet, because their shard is incomplete.
    lines: String,
    samples: Samples,
}

/// The part of a stage that was resumed from an earlier run.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    /// The number of complete units.
    pub(crate) units: u64,
    /// The number of their games.
    pub(crate) games: u64,
    /// Whether the last of them decided a test.
    pub(crate) decided: bool,
}

impl Ledger {
    /// Opens the folder at `path`; `fresh` discards an earlier run.
    pub(crate) fn open(
        path: &Path,
        experiment: &Experiment,
        fresh: bool,
    ) -> Result<Self, RunError> {
        let (folder, saved) = Folder::open(path, experiment, fresh)?;
        let timing = folder.read("timing.json");
        let timing = timing.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        Ok(Self {
            folder,
            records: Vec::new(),
            timing,
            saved,
            lines: String::new(),
            samples: Samples::default(),
        })
    }

    /// Resumes the complete units of a stage from the saved records, and discards incomplete
    /// ones.
    pub(crate) fn take_saved(
        &mut self,
        setup: &Setup<'_>,
        pool: &Pool,
        scheduled: &ScheduledStage,
        results: &mut [MatchTally],
    ) -> Result<Taken, RunError> {
        let before = self.records.len();
        let units = self.saved_units(setup, pool, scheduled)?;
        let mut taken = Taken::default();
        while taken.units < units && !taken.decided {
            let (at, _) = scheduled.stage.unit(taken.units);
            let start = self.records.len();
            let end = start + scheduled.stage.matches[at].block() as usize;
            self.records.extend_from_slice(&self.saved.records[start..end]);
            taken.decided = self.count(setup, pool, scheduled, at, start, results);
            taken.units += 1;
        }
        taken.games = (self.records.len() - before) as u64;
        if !taken.decided && taken.units < scheduled.stage.units() {
            self.forget_rest()?;
        }
        Ok(taken)
    }

    /// Discards saved records that were not resumed. New records are written in their place.
    pub(super) fn forget_rest(&mut self) -> Result<(), RunError> {
        // After the first new game, no saved records are left.
        if self.records.len() <= self.saved.records.len() {
            self.folder.keep(&mut self.saved, self.records.len())?;
        }
        Ok(())
    }

    /// Returns the number of complete units of the stage, with their samples.
    fn saved_units(
        &self,
        setup: &Setup<'_>,
        pool: &Pool,
        scheduled: &ScheduledStage,
    ) -> Result<u64, RunError> {
        let (mut units, mut start) = (0, self.records.len());
        while units < scheduled.stage.units() {
            let (at, _) = scheduled.stage.unit(units);
            let pairing = &scheduled.stage.matches[at];
            let end = start + pairing.block() as usize;
            let Some(records) = self.saved.records.get(start..end) else { break };
            let first = scheduled.first_record(setup.experiment, units);
            for (game, (record, seating)) in records.iter().zip(&pairing.seatings).enumerate() {
                let labels = seating.iter().map(|&bot| pool.label(bot));
                let same = record.game == first.game + game as u64
                    && (record.stage, record.r#match, record.block)
                        == (first.stage, first.r#match, first.block)
                    && record.seed == first.seed
                    && labels.eq(record.bots.iter().map(String::as_str));
                if !same {
                    let path = self.folder.path().join("games.jsonl");
                    return Err(RunError::Damaged { path, line: start + game + 1 });
                }
            }
            (units, start) = (units + 1, end);
        }
        let Some(shard) = scheduled.stage.shard else { return Ok(units) };
        // Samples are written in shards, so only units of complete shards count.
        let table = scheduled.stage.matches[0].table;
        let files =
            if units == scheduled.stage.units() { units.div_ceil(shard) } else { units / shard };
        let whole = (0..files).take_while(|&file| self.folder.exists(&shard_name(table, file)));
        Ok((whole.count() as u64 * shard).min(units))
    }

    /// Records a finished block. Returns `Break` if it decides a test.
    pub(crate) fn take(
        &mut self,
        setup: &Setup<'_>,
        pool: &Pool,
        scheduled: &ScheduledStage,
        unit: u64,
        block: UnitDone,
        results: &mut [MatchTally],
    ) -> Result<ControlFlow<()>, RunError> {
        let (at, _) = scheduled.stage.unit(unit);
        let table = scheduled.stage.matches[at].table;
        for (replay, record) in block.replays.iter().zip(&block.records) {
            self.folder.write(&replay_name(record.game), replay.to_json().as_bytes())?;
        }
        for (&bot, times) in &block.times {
            self.timing.add(table, pool.label(bot), times);
        }
        self.timing.games += block.records.len() as u64;
        block.records.iter().for_each(|record| self.lines.push_str(&record.to_line()));
        self.samples.append(block.samples);
        match scheduled.stage.shard {
            Some(shard)
                if (unit + 1).is_multiple_of(shard) || unit + 1 == scheduled.stage.units() =>
            {
                let name = shard_name(table, unit / shard);
                let table = &setup.tables[table];
                let samples = std::mem::take(&mut self.samples);
                let layout = SampleLayout::of(&table.configs[0].info());
                let bytes = samples.to_bytes(&layout, &table.texts);
                let bytes = bytes.map_err(|error| RunError::Write {
                    path: self.folder.path().join(&name),
                    reason: error.to_string(),
                })?;
                self.folder.write(&name, &bytes)?;
                self.flush()?;
            }
            Some(_) => {}
            None => self.flush()?,
        }
        let start = self.records.len();
        self.records.extend(block.records);
        let decided = self.count(setup, pool, scheduled, at, start, results);
        Ok(if decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn flush(&mut self) -> Result<(), RunError> {
        let lines = std::mem::take(&mut self.lines);
        self.folder.append(&lines)
    }

    /// Scores the block of records from `start` on. Returns whether it decides a test.
    fn count(
        &self,
        setup: &Setup<'_>,
        pool: &Pool,
        scheduled: &ScheduledStage,
        at: usize,
        start: usize,
        results: &mut [MatchTally],
    ) -> bool {
        let Some([first, second]) = scheduled.stage.matches[at].pair else { return false };
        let (first, second) = (pool.label(first), pool.label(second));
        let records = &self.records[start..];
        let scoring = setup.tables[scheduled.stage.matches[at].table].scoring;
        let score = |record: &Record| record.score(first, second, scoring);
        let scores: Vec<f64> = records.iter().map(score).collect();
        results[at].add(&scores);
        let test = scheduled.stage.test.as_ref();
        test.is_some_and(|test| verdict(test, results) != Verdict::Open)
    }

    /// Flushes everything to disk, and updates the wall-clock measurements.
    pub(crate) fn conclude(&mut self, elapsed: Duration, threads: usize) -> Result<(), RunError> {
        self.timing.version = RUN_VERSION;
        self.timing.threads = threads;
        self.timing.seconds += elapsed.as_secs_f64();
        self.timing.conclude();
        self.folder.sync()
    }
}

/// Returns the file name of a replay.
pub(crate) fn replay_name(game: u64) -> String {
    format!("replays/{game:07}.json")
}

/// Returns the file name of a shard of samples.
fn shard_name(table: usize, number: u64) -> String {
    format!("samples/{table}-{number:05}.safetensors")
}
