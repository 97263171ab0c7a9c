//! Games in files: random games and UCT for each file that comes with the program.

use std::collections::BTreeMap;
use std::hint::black_box;

use meeple_game::{ActionList, Game, Rng, Turn, play_out};
use meeple_games::files::{FileConfig, FileGame, LargeFileConfig, LargeFileGame};
use meeple_rules::BUILTIN;

use crate::search::{rollouts, search, uct};
use crate::{Bench, Unit};

/// Simulations of a search, as in the peer's measurement.
const SIMULATIONS: u64 = 2000;

/// Tables that differ from the default, to be as long as those of other libraries: OpenSpiel
/// plays at most 200 turns of nine men's morris.
const TABLES: [(&str, &str, i64); 1] = [("nine-mens-morris", "patience", 200)];

/// Work that is compiled for both types of games in files.
trait Work {
    fn measure<G: Game>(&mut self, start: &G);
}

/// Does work with the first decision of a table; chance acts before it as it happens to.
fn with_table(name: &'static str, text: &str, work: &mut impl Work) {
    fn begin<G: Game>(mut game: G, work: &mut impl Work) {
        let mut rng = Rng::new(3);
        while game.turn() == Turn::Chance {
            game.apply(game.sample_chance(&mut rng));
        }
        work.measure(&game);
    }
    let options: BTreeMap<String, i64> = TABLES
        .iter()
        .filter(|(game, ..)| *game == name)
        .map(|&(_, option, value)| (option.to_owned(), value))
        .collect();
    match FileConfig::new(name, text, options.clone()) {
        Ok(config) => begin(FileGame::new(&config), work),
        Err(_) => {
            let config = LargeFileConfig::new(name, text, options);
            begin(LargeFileGame::new(&config.expect("files of the program are valid")), work);
        }
    }
}

struct Games<'b, 'a> {
    row: String,
    bench: &'b mut Bench<'a>,
}

impl Work for Games<'_, '_> {
    fn measure<G: Game>(&mut self, start: &G) {
        let mut scratch = ActionList::new();
        self.bench.add(self.row.clone(), Unit::GamesPerSecond, &mut |bench| {
            let mut rng = Rng::new(1);
            1e9 / bench.ns_per_op(&mut |games| {
                for _ in 0..games {
                    let mut game = *start;
                    play_out(&mut game, &mut rng, &mut scratch);
                    black_box(&game);
                }
            })
        });
    }
}

struct Searches<'b, 'a> {
    row: String,
    bench: &'b mut Bench<'a>,
}

impl Work for Searches<'_, '_> {
    fn measure<G: Game>(&mut self, start: &G) {
        if !start.has_imperfect_information() {
            search(self.bench, &self.row, start, SIMULATIONS, || rollouts(&uct()));
        }
    }
}

/// Rows of the suite `games`: random games from the first decision on, as other libraries play
/// them.
pub(crate) fn measure_games(bench: &mut Bench<'_>) {
    for (name, text) in BUILTIN {
        let row = format!("files/{name}/random_games");
        if bench.may_want(&row) {
            with_table(name, text, &mut Games { row, bench });
        }
    }
}

/// Rows of the suite `search`: UCT where players know the state.
pub(crate) fn measure_searches(bench: &mut Bench<'_>) {
    for (name, text) in BUILTIN {
        let row = format!("files/{name}/uct");
        if bench.may_want(&format!("search/{row}")) {
            with_table(name, text, &mut Searches { row, bench });
        }
    }
}
