//! Plays one block of an experiment, and keeps what is wanted of its games.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use meeple_game::{Action, Game, Rng, Stakes, Turn};
use meeple_search::StopFlag;
use serde_json::Value;

use super::Setup;
use super::error::RunError;
use super::plan::Pool;
use super::record::Record;
use super::stage::Course;
use super::timing::DecisionTimes;
use crate::any_game;
use crate::experiment::{Scoring, Table};
use crate::play::{Block, Idle, Roster};
use crate::replay::{REPLAY_VERSION, Replay, SeatForfeit, Thought};
use crate::samples::Samples;
use crate::{Bot, Contender, Error, Played, Progress, Watch};

/// A table with its configurations read.
pub(crate) struct OpenTable {
    pub(crate) game: String,
    pub(crate) seats: usize,
    /// Each is a configuration of the game's type.
    configs: Vec<Box<dyn Any + Send + Sync>>,
    /// The same with every default filled in.
    pub(crate) texts: Vec<Value>,
    /// Decisions after which a game is broken off.
    limit: Option<u64>,
    /// What payoffs are worth, in games for stakes.
    pub(crate) stakes: Option<Stakes>,
    /// How games are scored.
    pub(crate) scoring: Scoring,
}

impl OpenTable {
    /// Reads the configurations of a table that was checked.
    pub(crate) fn new(table: &Table, scoring: Option<Scoring>) -> Self {
        any_game::find(&table.game).expect("the game was checked").open_table(table, scoring)
    }

    pub(crate) fn of<G: Game>(table: &Table, scoring: Option<Scoring>) -> Self {
        let configs: Vec<G::Config> = (table.configs.iter())
            .map(|value| serde_json::from_value(value.clone()).expect("it was checked"))
            .collect();
        let first = G::new(&configs[0]);
        Self {
            game: G::NAME.to_owned(),
            limit: table.limit,
            seats: first.players(),
            stakes: same_stakes::<G>(&configs),
            scoring: scoring.unwrap_or_else(|| Scoring::of_game(&first)),
            texts: (configs.iter())
                .map(|config| serde_json::to_value(config).unwrap_or(Value::Null))
                .collect(),
            configs: (configs.into_iter())
                .map(|config| Box::new(config) as Box<dyn Any + Send + Sync>)
                .collect(),
        }
    }
}

/// What payoffs are worth, if that is the same in all configurations.
fn same_stakes<G: Game>(configs: &[G::Config]) -> Option<Stakes> {
    let mut stakes = configs.iter().map(|config| G::new(config).stakes());
    let first = stakes.next().flatten();
    first.filter(|_| stakes.all(|stakes| stakes == first))
}

/// What to keep of the games of a block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Keep {
    pub(super) replays: bool,
    thoughts: bool,
    samples: bool,
}

/// A block of a stage to play.
pub(crate) struct Unit<'a> {
    table: &'a OpenTable,
    pub(super) seatings: &'a [Vec<usize>],
    pool: &'a Pool,
    /// The record of its first game, as far as it is known beforehand.
    first: Record,
    pub(super) keep: Keep,
    progress: &'a Progress,
    stop: &'a AtomicBool,
}

/// What became of a block.
#[derive(Default)]
pub(crate) struct UnitDone {
    pub(crate) records: Vec<Record>,
    pub(crate) replays: Vec<Replay>,
    pub(crate) samples: Samples,
    /// How long each bot took.
    pub(crate) times: BTreeMap<usize, DecisionTimes>,
}

/// Programs that a thread has started, by table and configuration.
#[derive(Default)]
pub(crate) struct Programs(BTreeMap<(u32, u32), Box<dyn Any + Send>>);

impl Programs {
    fn idle<G: Game>(&mut self, record: &Record) -> &mut Idle<G> {
        let idle = self.0.entry((record.table, record.config));
        let idle = idle.or_insert_with(|| Box::new(Idle::<G>::new()));
        idle.downcast_mut().expect("a table has one game")
    }
}

impl<'a> Unit<'a> {
    /// The block of a unit.
    pub(crate) fn new(
        setup: &'a Setup<'_>,
        pool: &'a Pool,
        course: &'a Course,
        unit: u64,
        stop: &'a AtomicBool,
    ) -> Self {
        let (at, number) = course.stage.unit(unit);
        let pairing = &course.stage.matches[at];
        let output = &setup.experiment.output;
        Self {
            table: &setup.tables[pairing.table],
            seatings: &pairing.seatings,
            pool,
            first: course.first_record(setup.experiment, unit),
            keep: Keep {
                replays: number * pairing.block() < output.replays,
                thoughts: output.thoughts,
                samples: course.stage.shard.is_some(),
            },
            progress: setup.progress,
            stop,
        }
    }

    /// Plays the block; nothing if it was left.
    pub(crate) fn play(&self, programs: &mut Programs) -> Result<Option<UnitDone>, RunError> {
        let work = AssertUnwindSafe(|| {
            any_game::find(&self.table.game).expect("it was checked").play_unit(self, programs)
        });
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

    /// Keeps what is wanted of a game.
    fn keep<G: Game>(
        &self,
        seating: &[usize],
        played: Played,
        watcher: Watcher<'_, '_>,
        done: &mut UnitDone,
    ) {
        let Watcher { actions, thoughts, mut samples, times, .. } = watcher;
        let forfeit = played.forfeit.map(|(seat, reason)| SeatForfeit { seat: seat.0, reason });
        let record = Record {
            game: self.first.game + done.records.len() as u64,
            bots: seating.iter().map(|&bot| self.pool.label(bot).to_owned()).collect(),
            payoffs: played.payoffs[..seating.len()].to_vec(),
            decisions: played.steps.decisions,
            chances: played.steps.chances,
            cut: played.cut,
            fault: played.fault.map(str::to_owned),
            forfeit,
            ..self.first.clone()
        };
        for (&bot, times) in seating.iter().zip(&times) {
            done.times.entry(bot).or_default().merge(times);
        }
        if self.keep.replays {
            done.replays.push(Replay {
                meeple_replay: REPLAY_VERSION,
                game: G::NAME.to_owned(),
                config: self.table.texts[record.config as usize].clone(),
                seed: record.seed,
                bots: record.bots.clone(),
                actions,
                payoffs: record.payoffs.clone(),
                forfeit: record.forfeit.clone(),
                thoughts,
            });
        }
        if self.keep.samples {
            samples.finish(record.game, record.config as usize, &record.payoffs, record.cut);
            done.samples.append(samples);
        }
        done.records.push(record);
    }
}

impl Unit<'_> {
    /// Plays the games of the block; nothing if it was left.
    pub(crate) fn play_games<G: Game>(
        &self,
        programs: &mut Programs,
    ) -> Result<Option<UnitDone>, RunError> {
        let unit = self;
        let config = unit.table.configs[unit.first.config as usize].downcast_ref::<G::Config>();
        let config = config.expect("configurations are of the table's game");
        let contender = |bot: usize| Contender { bot: &unit.pool.0[bot].bot, network: None };
        let idle = programs.idle::<G>(&unit.first);
        let mut roster = Roster { config, contender: &contender, idle };
        let seed = Rng::new(unit.first.seed);
        let block = Block { start: G::new(config), seatings: unit.seatings, seed };
        let mut done = UnitDone::default();
        let is_whole = block.play(
            &mut roster,
            |seating| Watcher::new(unit, seating.len()),
            |seating, played, watcher| unit.keep::<G>(seating, played, watcher, &mut done),
        );
        let is_whole = is_whole.map_err(|error| match error {
            Error::Failed { reason, .. } => unit.failed(&reason),
            other => other.into(),
        })?;
        if !is_whole {
            return Ok(None);
        }
        unit.progress.add_done(done.records.len() as u64);
        Ok(Some(done))
    }
}

/// Writes down what is to be kept.
struct Watcher<'a, 'b> {
    unit: &'a Unit<'b>,
    actions: Vec<Action>,
    thoughts: BTreeMap<usize, Thought>,
    samples: Samples,
    times: Vec<DecisionTimes>,
}

impl<'a, 'b> Watcher<'a, 'b> {
    fn new(unit: &'a Unit<'b>, seats: usize) -> Self {
        Self {
            unit,
            actions: Vec::new(),
            thoughts: BTreeMap::new(),
            samples: Samples::default(),
            times: vec![DecisionTimes::default(); seats],
        }
    }
}

impl<G: Game> Watch<G> for Watcher<'_, '_> {
    const TIMED: bool = true;

    fn decided(&mut self, game: &G, action: Action, bot: &dyn Bot<G>, time: Duration) {
        let Turn::Player(seat) = game.turn() else { return };
        let report = bot.thoughts();
        let (iterations, nodes) =
            report.map_or((0, 0), |report| (report.simulations, report.nodes));
        self.times[seat.index()].add(time, iterations, nodes);
        if self.unit.keep.samples {
            self.samples.add(game, seat, action, report);
        }
        if self.unit.keep.replays {
            if let (true, Some(report)) = (self.unit.keep.thoughts, report) {
                let thought = Thought::of(report, seat, game.players());
                self.thoughts.insert(self.actions.len(), thought);
            }
            self.actions.push(action);
        }
    }

    fn chanced(&mut self, action: Action) {
        if self.unit.keep.replays {
            self.actions.push(action);
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
