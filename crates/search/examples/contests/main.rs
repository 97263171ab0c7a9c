//! Measures what each option of the searches is worth, as a table.
//!
//! `cargo run --release -p meeple-search --example contests -- 500` plays 500
//! pairs of games for each row; a word after the number picks rows by name.

mod contest;

use contest::{Contest, connect_four, gumbel, knockout_whist, parallel, play};
use meeple_game::Game;

fn rows<G: Game>(contests: &[Contest<G>], config: &G::Config, pairs: u64, only: &str) {
    for contest in contests.iter().filter(|contest| contest.name.contains(only)) {
        let score = play(contest, config, pairs);
        let sims = match contest.sims {
            [one, other] if one == other => one.to_string(),
            [one, other] => format!("{one} to {other}"),
        };
        let (mean, margin) = (100.0 * score.mean, 100.0 * score.margin);
        let (name, games, least) = (contest.name, 2 * pairs, 100.0 * contest.least);
        #[expect(clippy::print_stdout, reason = "the table is what this program is for")]
        {
            println!(
                "| {} | {name} | {sims} | {games} | {mean:.1} ± {margin:.1} % | {least:.0} % |",
                G::NAME
            );
        }
    }
}

fn main() {
    let pairs = std::env::args().nth(1).map_or(Ok(100), |text| text.parse());
    let pairs = pairs.expect("the number of pairs of games for each row");
    let only = std::env::args().nth(2).unwrap_or_default();
    for contests in [connect_four(), gumbel(), parallel()] {
        rows(&contests, &Default::default(), pairs, &only);
    }
    rows(&knockout_whist(), &Default::default(), pairs, &only);
}
