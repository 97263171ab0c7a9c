//! Plays one block of games: the same luck for every seating.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use meeple_game::{Action, Game, Rng, Turn};
use meeple_games::registry::{Visit, with_game};
use serde_json::Value;

use super::error::RunError;
use super::plan::Pool;
use super::record::Record;
use super::stage::Match;
use super::timing::DecisionTimes;
use crate::experiment::Table;
use crate::replay::{REPLAY_VERSION, Replay, SeatForfeit, Thought};
use crate::samples::Samples;
use crate::{Bot, BotSpec, Error, Progress, Watch, play_game};

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
}

impl OpenTable {
    /// Reads the configurations of a table that was checked.
    pub(crate) fn new(table: &Table) -> Self {
        with_game(&table.game, Open(table)).expect("the game was checked")
    }
}

struct Open<'a>(&'a Table);

impl Visit for Open<'_> {
    type Out = OpenTable;

    fn visit<G: Game>(self) -> OpenTable {
        let configs: Vec<G::Config> = (self.0.configs.iter())
            .map(|value| serde_json::from_value(value.clone()).expect("it was checked"))
            .collect();
        OpenTable {
            game: G::NAME.to_owned(),
            limit: self.0.limit,
            seats: G::new(&configs[0]).players(),
            texts: (configs.iter())
                .map(|config| serde_json::to_value(config).unwrap_or(Value::Null))
                .collect(),
            configs: (configs.into_iter())
                .map(|config| Box::new(config) as Box<dyn Any + Send + Sync>)
                .collect(),
        }
    }
}

/// What to keep of the games of a block.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Keep {
    pub(crate) replays: bool,
    pub(crate) thoughts: bool,
    pub(crate) samples: bool,
}

/// A block of games to play.
pub(crate) struct Block<'a> {
    pub(crate) table: &'a OpenTable,
    pub(crate) contest: &'a Match,
    pub(crate) pool: &'a Pool,
    pub(crate) config: usize,
    pub(crate) seed: u64,
    /// The record of its first game, as far as it is known beforehand.
    pub(crate) first: Record,
    pub(crate) keep: Keep,
    pub(crate) progress: &'a Progress,
    pub(crate) stop: &'a AtomicBool,
}

/// What became of a block.
#[derive(Default)]
pub(crate) struct BlockDone {
    pub(crate) records: Vec<Record>,
    pub(crate) replays: Vec<Replay>,
    pub(crate) samples: Samples,
    /// How long each bot took.
    pub(crate) times: BTreeMap<usize, DecisionTimes>,
}

/// Programs that a worker has started, kept from game to game.
#[derive(Default)]
pub(crate) struct Programs {
    idle: Vec<(usize, usize, usize, Box<dyn Any + Send>)>,
}

impl Programs {
    fn take<G: Game>(&mut self, key: (usize, usize, usize)) -> Option<Box<dyn Bot<G>>> {
        let same = |(table, config, bot, _): &(usize, usize, usize, Box<dyn Any + Send>)| {
            (*table, *config, *bot) == key
        };
        let at = self.idle.iter().position(same)?;
        let (.., program) = self.idle.swap_remove(at);
        program.downcast::<Box<dyn Bot<G>>>().ok().map(|program| *program)
    }
}

impl Block<'_> {
    /// Plays the block; nothing if it was left.
    pub(crate) fn play(&self, programs: &mut Programs) -> Result<Option<BlockDone>, RunError> {
        let work = AssertUnwindSafe(|| {
            with_game(&self.table.game, Play { block: self, programs }).expect("it was checked")
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
            seed: self.seed,
            table: self.contest.table,
            config: self.config,
            reason: reason.to_owned(),
        }
    }
}

struct Play<'a, 'b> {
    block: &'a Block<'b>,
    programs: &'a mut Programs,
}

impl Visit for Play<'_, '_> {
    type Out = Result<Option<BlockDone>, RunError>;

    fn visit<G: Game>(self) -> Self::Out {
        let Self { block, programs } = self;
        let config = block.table.configs[block.config].downcast_ref::<G::Config>();
        let config = config.expect("configurations are of the table's game");
        let mut done = BlockDone::default();
        for (at, seating) in block.contest.seatings.iter().enumerate() {
            let mut bots = seat_bots::<G>(block, config, seating, programs)?;
            let mut watcher = Watcher {
                block,
                actions: Vec::new(),
                thoughts: BTreeMap::new(),
                samples: Samples::default(),
                times: vec![DecisionTimes::default(); seating.len()],
            };
            let mut game = G::new(config);
            let seed = Rng::new(block.seed);
            let Some(played) = play_game(&mut game, &mut bots, &seed, &mut watcher) else {
                return Ok(None);
            };
            let Watcher { actions, thoughts, mut samples, times, .. } = watcher;
            let payoffs = played.payoffs[..seating.len()].to_vec();
            let forfeit = played.forfeit.map(|(seat, reason)| SeatForfeit { seat: seat.0, reason });
            let record = Record {
                game: block.first.game + at as u64,
                bots: seating.iter().map(|&bot| block.pool.label(bot).to_owned()).collect(),
                payoffs: payoffs.clone(),
                decisions: played.steps.decisions,
                chances: played.steps.chances,
                cut: played.cut,
                forfeit: forfeit.clone(),
                ..block.first.clone()
            };
            for (seat, (&bot, times)) in seating.iter().zip(&times).enumerate() {
                done.times.entry(bot).or_default().merge(times);
                // One that failed starts anew.
                let failed = forfeit.as_ref().is_some_and(|loser| usize::from(loser.seat) == seat);
                if is_program(&block.pool.0[bot].bot) && !failed {
                    let bot_now = std::mem::replace(&mut bots[seat], Box::new(Gone));
                    let key = (block.contest.table, block.config, bot);
                    programs.idle.push((key.0, key.1, key.2, Box::new(bot_now)));
                }
            }
            if block.keep.replays {
                done.replays.push(Replay {
                    meeple_replay: REPLAY_VERSION,
                    game: G::NAME.to_owned(),
                    config: block.table.texts[block.config].clone(),
                    seed: block.seed,
                    bots: record.bots.clone(),
                    actions,
                    payoffs: payoffs.clone(),
                    forfeit,
                    thoughts,
                });
            }
            if block.keep.samples {
                samples.finish(record.game, block.config, &payoffs, played.cut);
                done.samples.append(samples);
            }
            done.records.push(record);
        }
        block.progress.add_done(done.records.len() as u64);
        Ok(Some(done))
    }
}

/// The bots of a game: new ones, so that no game depends on another, but for
/// programs, which are told that a game begins.
fn seat_bots<G: Game>(
    block: &Block<'_>,
    config: &G::Config,
    seating: &[usize],
    programs: &mut Programs,
) -> Result<Vec<Box<dyn Bot<G>>>, Error> {
    (seating.iter())
        .map(|&bot| {
            let spec = &block.pool.0[bot].bot;
            let key = (block.contest.table, block.config, bot);
            let kept = if is_program(spec) { programs.take(key) } else { None };
            kept.map_or_else(|| spec.build(config), Ok)
        })
        .collect()
}

fn is_program(bot: &BotSpec) -> bool {
    matches!(bot, BotSpec::External(_))
}

/// An empty chair.
struct Gone;

impl<G: Game> Bot<G> for Gone {
    fn choose(
        &mut self,
        _view: &meeple_game::View<'_, G>,
        _rng: &mut Rng,
    ) -> Result<Action, crate::Forfeit> {
        unreachable!("the game is over")
    }
}

/// Writes down what is to be kept.
struct Watcher<'a, 'b> {
    block: &'a Block<'b>,
    actions: Vec<Action>,
    thoughts: BTreeMap<usize, Thought>,
    samples: Samples,
    times: Vec<DecisionTimes>,
}

impl<G: Game> Watch<G> for Watcher<'_, '_> {
    const TIMED: bool = true;

    fn decided(&mut self, game: &G, action: Action, bot: &dyn Bot<G>, time: Duration) {
        let Turn::Player(seat) = game.turn() else { return };
        let report = bot.thoughts();
        let (iterations, nodes) = report.map_or((0, 0), |report| (report.iterations, report.nodes));
        self.times[seat.index()].add(time, iterations, nodes);
        if self.block.keep.samples {
            self.samples.add(game, seat, action, report);
        }
        if self.block.keep.replays {
            if let (true, Some(report)) = (self.block.keep.thoughts, report) {
                let thought = Thought::of(report, seat, game.players());
                self.thoughts.insert(self.actions.len(), thought);
            }
            self.actions.push(action);
        }
    }

    fn chanced(&mut self, action: Action) {
        if self.block.keep.replays {
            self.actions.push(action);
        }
    }

    fn limit(&self) -> Option<u64> {
        self.block.table.limit
    }

    fn is_stopped(&self) -> bool {
        self.block.progress.is_stopped() || self.block.stop.load(Ordering::Relaxed)
    }
}
