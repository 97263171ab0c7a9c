//! Measures the effect of search options on playing strength, as a table.
//!
//! `cargo run --release -p meeple-search --example ablations -- 500` plays 500 pairs of
//! games per row; a word after the number selects rows by name.

mod ablation;

use ablation::{Ablation, connect_four, gumbel, knockout_whist, parallel, play};
use meeple_game::Game;

fn rows<G: Game>(ablations: &[Ablation<G>], config: &G::Config, pairs: u64, only: &str) {
    for ablation in ablations.iter().filter(|ablation| ablation.name.contains(only)) {
        let score = play(ablation, config, pairs);
        let simulations = match ablation.simulations {
            [one, other] if one == other => one.to_string(),
            [one, other] => format!("{one} to {other}"),
        };
        let (mean, margin) = (100.0 * score.mean, 100.0 * score.margin);
        let (name, games, lower_bound) = (ablation.name, 2 * pairs, 100.0 * ablation.lower_bound);
        #[expect(clippy::print_stdout, reason = "the table is what this program is for")]
        {
            println!(
                "| {} | {name} | {simulations} | {games} | {mean:.1} ± {margin:.1} % | {lower_bound:.0} % |",
                G::new(config).name()
            );
        }
    }
}

fn main() {
    let pairs = std::env::args().nth(1).map_or(Ok(100), |text| text.parse());
    let pairs = pairs.expect("the number of pairs of games for each row");
    let only = std::env::args().nth(2).unwrap_or_default();
    for ablations in [connect_four(), gumbel(), parallel()] {
        rows(&ablations, &Default::default(), pairs, &only);
    }
    rows(&knockout_whist(), &Default::default(), pairs, &only);
}
