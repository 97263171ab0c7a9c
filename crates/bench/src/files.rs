//! Games in files: random games and UCT for each file that comes with the program.

use std::collections::BTreeMap;
use std::hint::black_box;

use meeple_game::{ActionList, Game, Rng, Turn, play_out};
use meeple_games::files::{FileConfig, FileGame};
use meeple_rules::BUILTIN;

use crate::search::{rollouts, search, uct};
use crate::{Bench, Unit};

/// Simulations of a search, as in the peer's measurement.
const SIMULATIONS: u64 = 2000;

/// Tables that differ from the default, to be as long as those of other libraries: OpenSpiel
/// plays at most 200 turns of nine men's morris.
const TABLES: [(&str, &str, i64); 1] = [("nine-mens-morris", "patience", 200)];

fn table(name: &'static str, text: &str) -> FileGame {
    let options: BTreeMap<String, i64> = TABLES
        .iter()
        .filter(|(game, ..)| *game == name)
        .map(|&(_, option, value)| (option.to_owned(), value))
        .collect();
    let config = FileConfig::new(name, text, options).expect("files of the program are valid");
    FileGame::new(&config)
}

/// Rows of the suite `games`.
pub(crate) fn measure_games(bench: &mut Bench<'_>) {
    let mut scratch = ActionList::new();
    for (name, text) in BUILTIN {
        bench.add(format!("files/{name}/random_games"), Unit::GamesPerSecond, &mut |bench| {
            let (start, mut rng) = (table(name, text), Rng::new(1));
            1e9 / bench.ns_per_op(&mut |games| {
                for _ in 0..games {
                    let mut game = start;
                    play_out(&mut game, &mut rng, &mut scratch);
                    black_box(&game);
                }
            })
        });
    }
}

/// Rows of the suite `search`: UCT where players know the state.
pub(crate) fn measure_searches(bench: &mut Bench<'_>) {
    for (name, text) in BUILTIN {
        let row = format!("files/{name}/uct");
        if !bench.may_want(&format!("search/{row}")) {
            continue;
        }
        let mut game = table(name, text);
        let mut rng = Rng::new(3);
        while game.turn() == Turn::Chance {
            game.apply(game.sample_chance(&mut rng));
        }
        if !game.has_imperfect_information() {
            search(bench, &row, &game, SIMULATIONS, || rollouts(&uct()));
        }
    }
}
