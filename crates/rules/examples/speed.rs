//! Random games per second of the files that come with the crate, as playouts and action by action
//! as a search plays them: `cargo run --release -p meeple-rules --example speed`, with names for
//! only those files.

#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use meeple_game::{ActionList, Game, Rng, Turn, play_out};
use meeple_rules::{BUILTIN, FileGame, Program};

/// How long a game is measured.
const TIME: Duration = Duration::from_millis(300);

fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    println!(
        "{:<22} {:>10} {:>12} {:>9} {:>8}",
        "game", "games/s", "actions/s", "stepped", "load ms"
    );
    for (name, text) in BUILTIN {
        if !names.is_empty() && !names.iter().any(|chosen| chosen == name) {
            continue;
        }
        let begun = Instant::now();
        let program = Program::load(name, text, &BTreeMap::new()).expect("a valid file");
        let load = begun.elapsed().as_secs_f64() * 1000.0;
        // States as small as the table allows, as the registry chooses them.
        if program.words() <= 15 {
            measure(&FileGame::<15>::start(program), load);
        } else {
            measure(&FileGame::<511>::start(program), load);
        }
    }
}

fn measure<G: Game>(first: &G, load: f64) {
    let (games, actions) = play(first, play_out_counted);
    let (stepped, _) = play(first, step_through);
    let name = first.name();
    println!("{name:<22} {games:>10.0} {actions:>12.0} {stepped:>9.0} {load:>8.2}");
}

/// Returns the games and actions per second.
fn play<G: Game>(first: &G, to_end: fn(&mut G, &mut Rng, &mut ActionList) -> u64) -> (f64, f64) {
    let (mut games, mut actions) = (0u64, 0u64);
    let (mut rng, mut scratch) = (Rng::new(1), ActionList::new());
    let begun = Instant::now();
    while begun.elapsed() < TIME {
        for _ in 0..20 {
            let mut game = *first;
            actions += to_end(&mut game, &mut rng, &mut scratch);
            games += 1;
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    (games as f64 / seconds, actions as f64 / seconds)
}

fn play_out_counted<G: Game>(game: &mut G, rng: &mut Rng, scratch: &mut ActionList) -> u64 {
    play_out(game, rng, scratch).decisions
}

/// Plays to the end by listing actions and applying one.
fn step_through<G: Game>(game: &mut G, rng: &mut Rng, scratch: &mut ActionList) -> u64 {
    let mut actions = 0;
    loop {
        let action = match game.turn() {
            Turn::Over => return actions,
            Turn::Chance => game.sample_chance(rng),
            Turn::Player(_) => {
                game.legal_actions(scratch);
                actions += 1;
                scratch[rng.below(scratch.len())]
            }
        };
        game.apply(action);
    }
}
