//! Plays one block of an experiment, and keeps its records, replays and samples.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use meeple_bots::{
    Block, BlockObserver, Entrant, Error, IdlePrograms, Played, Position, SeatView, open_value,
};
use meeple_game::{Action, MAX_PLAYERS, Rng, Stakes};
use meeple_search::{SearchReport, StopFlag};
use serde_json::Value;

use super::Setup;
use super::error::RunError;
use super::plan::Pool;
use super::record::Record;
use super::stage::ScheduledStage;
use super::timing::DecisionTimes;
use crate::RunProgress;
use crate::experiment::{Scoring, Table};
use crate::replay::{Analysis, REPLAY_VERSION, Replay, SeatForfeit};
use crate::samples::Samples;

/// A table with parsed configurations.
pub(crate) struct OpenTable {
    pub(crate) game: String,
    pub(crate) seats: usize,
    /// The initial position of each configuration.
    pub(crate) configs: Vec<Box<dyn Position>>,
    /// The configurations, defaults included.
    pub(crate) texts: Vec<Value>,
    /// The maximum number of decisions of a game.
    limit: Option<u64>,
    /// The chip value of payoffs, in games for stakes.
    pub(crate) stakes: Option<Stakes>,
    /// How games are scored.
    pub(crate) scoring: Scoring,
}

impl OpenTable {
    /// Parses the configurations of a validated table.
    pub(crate) fn new(table: &Table, scoring: Option<Scoring>) -> Self {
        let configs: Vec<Box<dyn Position>> = (table.configs.iter())
            .map(|value| open_value(&table.game, value).expect("it was checked"))
            .collect();
        let first = &*configs[0];
        Self {
            game: first.info().name.to_owned(),
            limit: table.limit,
            seats: first.players(),
            stakes: same_stakes(&configs),
            scoring: scoring.unwrap_or_else(|| Scoring::of_table(first)),
            texts: configs.iter().map(|first| first.config()).collect(),
            configs,
        }
    }
}

/// Returns the stakes, if all configurations agree on them.
fn same_stakes(configs: &[Box<dyn Position>]) -> Option<Stakes> {
    let mut stakes = configs.iter().map(|first| first.stakes());
    let first = stakes.next().flatten();
    first.filter(|_| stakes.all(|stakes| stakes == first))
}

/// What to keep of the games of a block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Keep {
    pub(super) replays: bool,
    analysis: bool,
    samples: bool,
}

/// A unit of work: one block of a stage.
pub(crate) struct Unit<'a> {
    table: &'a OpenTable,
    pub(super) seatings: &'a [Vec<usize>],
    pool: &'a Pool,
    /// The record of its first game, without the result.
    first: Record,
    pub(super) keep: Keep,
    progress: &'a RunProgress,
    stop: &'a AtomicBool,
}

/// The results of a block.
#[derive(Default)]
pub(crate) struct UnitDone {
    pub(crate) records: Vec<Record>,
    pub(crate) replays: Vec<Replay>,
    pub(crate) samples: Samples,
    /// The decision times of each bot.
    pub(crate) times: BTreeMap<usize, DecisionTimes>,
}

/// The idle external programs of a thread, by table and configuration.
pub(crate) type Programs = BTreeMap<(u32, u32), IdlePrograms>;

impl<'a> Unit<'a> {
    /// Returns the block of a unit.
    pub(crate) fn new(
        setup: &'a Setup<'_>,
        pool: &'a Pool,
        scheduled: &'a ScheduledStage,
        unit: u64,
        stop: &'a AtomicBool,
    ) -> Self {
        let (at, number) = scheduled.stage.unit(unit);
        let pairing = &scheduled.stage.matches[at];
        let output = &setup.experiment.output;
        Self {
            table: &setup.tables[pairing.table],
            seatings: &pairing.seatings,
            pool,
            first: scheduled.first_record(setup.experiment, unit),
            keep: Keep {
                replays: number * pairing.block() < output.replays,
                analysis: output.analysis,
                samples: scheduled.stage.shard.is_some(),
            },
            progress: setup.progress,
            stop,
        }
    }

    /// Plays the block; `None` if it was aborted. A panic in a game becomes an error.
    pub(crate) fn play(&self, programs: &mut Programs) -> Result<Option<UnitDone>, RunError> {
        let work = AssertUnwindSafe(|| self.play_games(programs));
        catch_unwind(work).unwrap_or_else(|panic| {
            let words = panic.downcast_ref::<String>().map(String::as_str);
            let words = words.or_else(|| panic.downcast_ref::<&str>().copied());
            Err(self.failed(words.unwrap_or("no reason was given")))
        })
    }

    fn failed(&self, reason: &str) -> RunError {
        RunError::Game {
            game: self.table.game.clone(),
            seed: self.first.seed,
            table: self.first.table as usize,
            config: self.first.config as usize,
            reason: reason.to_owned(),
        }
    }

    /// Plays the games of the block; `None` if it was aborted.
    fn play_games(&self, programs: &mut Programs) -> Result<Option<UnitDone>, RunError> {
        let entrant = |bot: usize| Entrant { bot: &self.pool.0[bot].bot, network: None };
        let seed = Rng::new(self.first.seed);
        let block = Block { entrant: &entrant, seatings: self.seatings, openings: 0, seed };
        let idle = programs.entry((self.first.table, self.first.config)).or_default();
        let mut recorder =
            Recorder { unit: self, game: GameSoFar::default(), done: UnitDone::default() };
        let config = &self.table.configs[self.first.config as usize];
        let is_whole = config.play_block(&block, idle, &mut recorder);
        let is_whole = is_whole.map_err(|error| match error {
            Error::Failed { reason, .. } => self.failed(&reason),
            other => other.into(),
        })?;
        if !is_whole {
            return Ok(None);
        }
        self.progress.add_done(recorder.done.records.len() as u64);
        Ok(Some(recorder.done))
    }
}

/// What is kept of the game in progress.
#[derive(Default)]
struct GameSoFar {
    actions: Vec<Action>,
    analysis: BTreeMap<usize, Analysis>,
    samples: Samples,
    /// The decision times of each seat.
    times: [DecisionTimes; MAX_PLAYERS],
}

/// Records what is to be kept.
struct Recorder<'a, 'b> {
    unit: &'a Unit<'b>,
    game: GameSoFar,
    done: UnitDone,
}

impl BlockObserver for Recorder<'_, '_> {
    fn is_timed(&self) -> bool {
        true
    }

    fn finished(&mut self, seating: &[usize], played: Played) {
        let GameSoFar { actions, analysis, mut samples, times } = std::mem::take(&mut self.game);
        let (unit, done) = (self.unit, &mut self.done);
        let forfeit = played.forfeit.map(|(seat, reason)| SeatForfeit { seat: seat.0, reason });
        let record = Record {
            game: unit.first.game + done.records.len() as u64,
            bots: seating.iter().map(|&bot| unit.pool.label(bot).to_owned()).collect(),
            payoffs: played.payoffs[..seating.len()].to_vec(),
            decisions: played.steps.decisions,
            chances: played.steps.chances,
            cut: played.cut,
            fault: played.fault.map(str::to_owned),
            forfeit,
            ..unit.first.clone()
        };
        for (&bot, times) in seating.iter().zip(&times) {
            done.times.entry(bot).or_default().merge(times);
        }
        if unit.keep.replays {
            done.replays.push(Replay {
                meeple_replay: REPLAY_VERSION,
                game: unit.table.game.clone(),
                config: unit.table.texts[record.config as usize].clone(),
                seed: record.seed,
                bots: record.bots.clone(),
                actions,
                payoffs: record.payoffs.clone(),
                forfeit: record.forfeit.clone(),
                analysis,
            });
        }
        if unit.keep.samples {
            samples.finish(record.game, record.config as usize, &record.payoffs, record.cut);
            done.samples.append(samples);
        }
        done.records.push(record);
    }

    fn decided(
        &mut self,
        view: &dyn SeatView,
        action: Action,
        report: Option<&SearchReport>,
        time: Duration,
    ) {
        let (keep, game, seat) = (self.unit.keep, &mut self.game, view.seat());
        let (iterations, nodes) =
            report.map_or((0, 0), |report| (report.simulations, report.nodes));
        game.times[seat.index()].add(time, iterations, nodes);
        if keep.samples {
            game.samples.add(view, action, report);
        }
        if keep.replays {
            if let (true, Some(report)) = (keep.analysis, report) {
                let analysis = Analysis::of(report, seat, view.players());
                game.analysis.insert(game.actions.len(), analysis);
            }
            game.actions.push(action);
        }
    }

    fn chanced(&mut self, action: Action) {
        if self.unit.keep.replays {
            self.game.actions.push(action);
        }
    }

    fn limit(&self) -> Option<u64> {
        self.unit.table.limit
    }

    fn is_stopped(&self) -> bool {
        self.unit.progress.is_stopped() || self.unit.stop.load(Ordering::Relaxed)
    }

    fn switch(&self) -> Option<&StopFlag> {
        Some(self.unit.progress.switch())
    }
}
