//! The suite `games`: what each part of the contract costs for each game.

use std::hint::black_box;

use meeple_game::{Action, ActionList, Game, Player, Rng, Turn, play_out};
use meeple_games::registry::{NameTaken, Of, find, names};

use crate::{Bench, Unit, files};

/// States taken from random games, few enough to stay in the cache.
const STATES: usize = 256;

pub(crate) fn measure(bench: &mut Bench<'_>) {
    for name in names() {
        if let Ok(game) = find::<Benchmarks>(name) {
            game.measure(bench);
        }
    }
    files::measure_games(bench);
}

trait Measured: Sync {
    /// Measures the parts of the contract.
    fn measure(&self, bench: &mut Bench<'_>);
}

meeple_games::family!(Benchmarks, Measured);

/// Adds a game of another crate to the suite.
///
/// # Errors
///
/// When another game has the same name.
pub fn register<G: Game>() -> Result<(), NameTaken> {
    meeple_games::registry::register::<Benchmarks, G>()
}

impl<G: Game> Measured for Of<G> {
    fn measure(&self, bench: &mut Bench<'_>) {
        let config = G::Config::default();
        let start = G::new(&config);
        let (name, cells) = (start.name(), start.observation().len());
        let mut states = Vec::new();
        let mut scratch = Scratch::new(cells);
        for (part, operation) in OPERATIONS {
            bench.add(format!("{name}/{part}"), Unit::NsPerOp, &mut |bench| {
                if states.is_empty() {
                    states = decisions::<G>(&config);
                }
                bench.ns_per_op(&mut |times| repeat(&states, operation, times, &mut scratch))
            });
        }
        let mut rng = Rng::new(1);
        let mut decisions = 0;
        let mut play = |games: u64| {
            for _ in 0..games {
                let mut game = start;
                decisions += play_out(&mut game, &mut rng, &mut scratch.actions).decisions;
                black_box(&game);
            }
            std::mem::take(&mut decisions)
        };
        bench.add(format!("{name}/random_games"), Unit::GamesPerSecond, &mut |bench| {
            1e9 / bench.ns_per_op(&mut |games| {
                play(games);
            })
        });
        bench.add(format!("{name}/random_decisions"), Unit::DecisionsPerSecond, &mut |bench| {
            let (mut all, mut decisions) = (0, 0);
            let ns_per_game = bench.ns_per_op(&mut |games| {
                decisions += play(games);
                all += games;
            });
            1e9 / ns_per_game * decisions as f64 / all as f64
        });
    }
}

/// A part of the contract.
#[derive(Clone, Copy)]
enum Operation {
    Copy,
    LegalActions,
    CopyAndApply,
    Observe,
    Key,
}

const OPERATIONS: [(&str, Operation); 5] = [
    ("copy", Operation::Copy),
    ("legal_actions", Operation::LegalActions),
    ("copy_and_apply", Operation::CopyAndApply),
    ("observe", Operation::Observe),
    ("key", Operation::Key),
];

/// What operations write to.
struct Scratch {
    actions: ActionList,
    cells: Vec<i32>,
}

impl Scratch {
    fn new(cells: usize) -> Self {
        Self { actions: ActionList::new(), cells: vec![0; cells] }
    }
}

/// Repeats an operation over the states in turn.
fn repeat<G: Game>(
    states: &[(G, Action)],
    operation: Operation,
    times: u64,
    Scratch { actions, cells }: &mut Scratch,
) {
    // The operation is chosen outside the loop, which measures nothing else.
    let states = states.iter().cycle().take(times as usize).map(black_box);
    match operation {
        Operation::Copy => states.for_each(|(game, _)| {
            let mut copy = *game;
            black_box(&mut copy);
        }),
        Operation::LegalActions => states.for_each(|(game, _)| {
            game.legal_actions(actions);
            black_box(&actions);
        }),
        Operation::CopyAndApply => states.for_each(|(game, action)| {
            let mut copy = *game;
            copy.apply(*action);
            black_box(&mut copy);
        }),
        Operation::Observe => states.for_each(|(game, _)| {
            game.observe(Player(0), cells);
            black_box(&cells);
        }),
        Operation::Key => states.for_each(|(game, _)| {
            black_box(game.key());
        }),
    }
}

/// States in which a player decides, each with one of its actions.
fn decisions<G: Game>(config: &G::Config) -> Vec<(G, Action)> {
    let mut states = Vec::with_capacity(STATES);
    let mut rng = Rng::new(1);
    let mut scratch = ActionList::new();
    loop {
        let mut game = G::new(config);
        while game.turn() != Turn::Over {
            let action = match game.turn() {
                Turn::Player(_) => {
                    let action = game.sample_action(&mut rng, &mut scratch);
                    // One in four, so that the states differ.
                    if rng.below(4) == 0 {
                        states.push((game, action));
                    }
                    action
                }
                _ => game.sample_chance(&mut rng),
            };
            game.apply(action);
            if states.len() == STATES {
                return states;
            }
        }
    }
}
