//! The suite `games`: what each part of the contract costs for each game.

use std::hint::black_box;

use meeple_game::{Action, ActionList, Game, Player, Rng, Turn, play_out};
use meeple_games::registry::{NameTaken, Of, find, names};

use super::measure::ns_per_op;
use super::record::{Row, Unit};
use crate::interrupt;
use crate::progress::Doing;

/// States taken from random games, few enough to stay in the cache.
const STATES: usize = 256;

pub(super) fn measure(only: Option<&str>) -> Vec<Row> {
    let doing = Doing::new();
    let wanted = |name: &str| {
        doing.say(name);
        only.is_none_or(|only| name.contains(only))
    };
    let mut rows = Vec::new();
    for name in names() {
        if interrupt::asked() {
            break;
        }
        if let Ok(game) = find::<Benchmarks>(name) {
            rows.extend(game.measure(&wanted));
        }
    }
    rows
}

trait Measured: Sync {
    /// Measures the parts of the contract whose names are `wanted`.
    fn measure(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<Row>;
}

meeple_games::family!(Benchmarks, Measured);

/// Adds a game of another crate to the suite.
pub(crate) fn register<G: Game>() -> Result<(), NameTaken> {
    meeple_games::registry::register::<Benchmarks, G>()
}

impl<G: Game> Measured for Of<G> {
    fn measure(&self, wanted: &dyn Fn(&str) -> bool) -> Vec<Row> {
        let config = G::Config::default();
        let states = decisions::<G>(&config);
        let mut actions = ActionList::new();
        let start = G::new(&config);
        let mut cells = vec![0; start.observation().len()];
        let mut rng = Rng::new(1);
        let mut rows = Vec::new();
        let mut add = |part: &str, unit: Unit, value: &mut dyn FnMut() -> f64| {
            let name = format!("{}/{part}", start.name());
            if wanted(&name) && !interrupt::asked() {
                rows.push(Row { name, unit, value: value() });
            }
        };
        add("copy", Unit::NsPerOp, &mut || {
            ns_per_op(each(&states, |(game, _)| {
                let mut copy = *game;
                black_box(&mut copy);
            }))
        });
        add("legal_actions", Unit::NsPerOp, &mut || {
            ns_per_op(each(&states, |(game, _)| {
                game.legal_actions(&mut actions);
                black_box(&actions);
            }))
        });
        add("copy_and_apply", Unit::NsPerOp, &mut || {
            ns_per_op(each(&states, |(game, action)| {
                let mut copy = *game;
                copy.apply(*action);
                black_box(&mut copy);
            }))
        });
        add("observe", Unit::NsPerOp, &mut || {
            ns_per_op(each(&states, |(game, _)| {
                game.observe(Player(0), &mut cells);
                black_box(&cells);
            }))
        });
        add("key", Unit::NsPerOp, &mut || {
            ns_per_op(each(&states, |(game, _)| {
                black_box(game.key());
            }))
        });
        add("random_games", Unit::GamesPerSecond, &mut || {
            1e9 / ns_per_op(|games| {
                for _ in 0..games {
                    let mut game = start;
                    play_out(&mut game, &mut rng, &mut actions);
                    black_box(&game);
                }
            })
        });
        let mut decisions = 0;
        add("random_decisions", Unit::DecisionsPerSecond, &mut || {
            let mut games = 0u64;
            let ns_per_game = ns_per_op(|repetitions| {
                for _ in 0..repetitions {
                    let mut game = start;
                    decisions += play_out(&mut game, &mut rng, &mut actions).decisions;
                    games += 1;
                }
            });
            1e9 / ns_per_game * decisions as f64 / games as f64
        });
        rows
    }
}

/// Repeats `work` over the states in turn.
fn each<S>(states: &[S], mut work: impl FnMut(&S)) -> impl FnMut(u64) {
    move |repetitions| {
        for state in states.iter().cycle().take(repetitions as usize) {
            work(black_box(state));
        }
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
