//! No option makes a search weaker than it says: contests with fixed seeds.

#[path = "../examples/contests/contest.rs"]
mod contest;

use contest::{Contest, connect_four, knockout_whist, play};
use meeple_game::Game;

/// Known to cost strength at equal simulations, or to gain nothing: said so in
/// the table of measured results, and allowed to lose here.
const WEAKER: &[&str] = &[
    "batches of 8 with virtual loss",
    "tree-parallel, batches of 8",
    "root-parallel, 4 workers",
    "exploration 1.4 instead of 1",
    "by the mover's knowledge, not the searcher's",
];

/// Each option must hold its own within the error of few games.
fn hold_their_own<G: Game>(contests: &[Contest<G>], config: &G::Config, pairs: u64) {
    for contest in contests {
        let score = play(contest, config, pairs);
        let least = if WEAKER.contains(&contest.name) { 0.3 } else { 0.5 - 1.5 * score.margin };
        assert!(score.mean >= least, "{}: {score:?}", contest.name);
    }
}

#[test]
fn options_hold_their_own_on_connect_four() {
    hold_their_own(&connect_four(), &Default::default(), 20);
}

#[test]
fn information_sets_hold_their_own_on_knockout_whist() {
    hold_their_own(&knockout_whist(), &Default::default(), 20);
}
