//! Random games per second of the files that come with the crate: `cargo run --release -p
//! meeple-rules --example speed`.

#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use meeple_game::{ActionList, Game, Rng, play_out};
use meeple_rules::{BUILTIN, Config, FileGame};

fn main() {
    let mut scratch = ActionList::new();
    println!("{:<20} {:>10} {:>12} {:>10}", "game", "games/s", "actions/s", "load ms");
    for (name, text) in BUILTIN {
        let begun = Instant::now();
        let config: Config<15> = Config::new(name, text, BTreeMap::new()).expect("a valid file");
        let load = begun.elapsed();
        let first = FileGame::<15>::new(&config);
        let (mut games, mut steps) = (0u64, 0u64);
        let mut rng = Rng::new(1);
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_millis(500) {
            for _ in 0..20 {
                let mut game = first;
                steps += play_out(&mut game, &mut rng, &mut scratch).decisions;
                games += 1;
            }
        }
        let seconds = begun.elapsed().as_secs_f64();
        println!(
            "{name:<20} {:>10.0} {:>12.0} {:>10.2}",
            games as f64 / seconds,
            steps as f64 / seconds,
            load.as_secs_f64() * 1000.0
        );
    }
}
