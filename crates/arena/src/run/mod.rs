//! Runs experiments: plays games on several threads, records them in order, and resumes
//! interrupted runs.

mod error;
mod folder;
mod ledger;
mod mend;
mod plan;
mod play;
mod record;
mod stage;
mod timing;
mod tune;

use std::path::PathBuf;
use std::time::Instant;

use crate::experiment::Experiment;
use crate::play::{cores, in_order};
use crate::{MatchTally, RunProgress};

pub use error::RunError;
pub use record::Record;
#[cfg(test)]
pub(crate) use record::example_record;
pub use timing::{BotTiming, DecisionTimes, Timing};
pub use tune::{Tuned, TunedCandidate};

pub(crate) use folder::pretty;
pub(crate) use ledger::{Ledger, replay_name};
pub(crate) use plan::{Pool, StagePlan};
pub(crate) use play::{OpenTable, Programs, Unit};
pub(crate) use stage::{Match, Stage, counted};

/// The options of a run.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// The result folder. By default that of the experiment.
    pub folder: Option<PathBuf>,
    /// The number of threads; 0 means one for each core.
    pub threads: usize,
    /// Whether to discard earlier results in the folder.
    pub fresh: bool,
}

/// The data that all games of a run share.
pub(crate) struct Setup<'a> {
    pub(crate) experiment: &'a Experiment,
    pub(crate) tables: Vec<OpenTable>,
    pub(crate) progress: &'a RunProgress,
    pub(crate) threads: usize,
}

/// A stage that was played, possibly in part.
#[derive(Debug)]
pub(crate) struct PlayedStage {
    pub(crate) stage: Stage,
    pub(crate) results: Vec<MatchTally>,
}

/// A run: its games and their results.
pub(crate) struct Run<'a> {
    pub(crate) setup: Setup<'a>,
    pub(crate) pool: Pool,
    pub(crate) plan: StagePlan,
    pub(crate) stages: Vec<PlayedStage>,
    pub(crate) ledger: Ledger,
    /// The number of games resumed from an earlier run.
    pub(crate) resumed: u64,
    pub(crate) finished: bool,
}

impl<'a> Run<'a> {
    /// Opens the folder of the run.
    pub(crate) fn open(
        experiment: &'a Experiment,
        options: &RunOptions,
        progress: &'a RunProgress,
    ) -> Result<Self, RunError> {
        let path = options.folder.clone().unwrap_or_else(|| experiment.folder());
        let tables: Vec<OpenTable> = (experiment.tables.iter())
            .map(|table| OpenTable::new(table, experiment.scoring))
            .collect();
        let seats: Vec<usize> = tables.iter().map(|table| table.seats).collect();
        let mut pool = Pool::default();
        let plan = StagePlan::new(experiment, &seats, &mut pool);
        let threads = match options.threads {
            0 => cores(),
            threads => threads,
        };
        Ok(Self {
            setup: Setup { experiment, tables, progress, threads },
            pool,
            plan,
            stages: Vec::new(),
            ledger: Ledger::open(&path, experiment, options.fresh)?,
            resumed: 0,
            finished: false,
        })
    }

    /// Plays all stages, until the run is stopped.
    pub(crate) fn play(&mut self) -> Result<(), RunError> {
        let start = Instant::now();
        let played = self.play_stages();
        if self.finished {
            self.ledger.forget_rest()?;
        }
        self.ledger.conclude(start.elapsed(), self.setup.threads)?;
        played
    }

    fn play_stages(&mut self) -> Result<(), RunError> {
        loop {
            let last = self.stages.last().map(|played| &played.results[..]);
            let Some(stage) = self.plan.next(&mut self.pool, last) else {
                self.finished = true;
                return Ok(());
            };
            self.setup.progress.add_total(stage.games());
            let scheduled = stage.scheduled(self.stages.len(), self.ledger.records.len() as u64);
            let tables = &self.setup.tables;
            let tally = |pairing: &Match| MatchTally::new(tables[pairing.table].scoring);
            let mut results: Vec<MatchTally> = scheduled.stage.matches.iter().map(tally).collect();
            let taken =
                self.ledger.take_saved(&self.setup, &self.pool, &scheduled, &mut results)?;
            self.setup.progress.add_resumed(taken.games);
            self.resumed += taken.games;
            mend::mend_replays(&self.setup, &self.pool, &scheduled, taken.units, &self.ledger)?;
            let done = taken.decided || {
                let Self { setup, pool, ledger, .. } = self;
                let (setup, pool) = (&*setup, &*pool);
                let units = taken.units..scheduled.stage.units();
                in_order(
                    setup.threads,
                    units,
                    Programs::default,
                    |programs, unit, stop| {
                        Unit::new(setup, pool, &scheduled, unit, stop).play(programs)
                    },
                    |unit, done| ledger.take(setup, pool, &scheduled, unit, done, &mut results),
                )?
            };
            self.stages.push(PlayedStage { stage: scheduled.stage, results });
            if !done {
                return Ok(());
            }
        }
    }
}
