//! No option is weaker than is said of it: contests with fixed seeds.
//!
//! Each row states what its side scores at least, and the lower end of the 95 %
//! interval over 200 pairs of games, about 4 points below the score, must reach
//! that. Options that gain must stay above one half; those that cost are allowed
//! what they are known to cost. What was measured on more games is in
//! `docs/src/measurements/search.md`.

#[path = "../examples/contests/contest.rs"]
mod contest;

use contest::{Contest, connect_four, gumbel, knockout_whist, parallel, play};
use meeple_game::Game;

/// Pairs of open games; deals of cards scatter less, and take fewer.
const PAIRS: u64 = 200;
const DEALS: u64 = 100;

fn hold_their_own<G: Game>(contests: &[Contest<G>], config: &G::Config, pairs: u64) {
    for contest in contests {
        let score = play(contest, config, pairs);
        let (name, sims, least) = (contest.name, contest.sims, contest.least);
        let lower = score.mean - score.margin;
        assert!(lower >= least, "{name} with {sims:?}: {score:?} is not above {least}");
    }
}

#[test]
fn options_hold_their_own_on_connect_four() {
    hold_their_own(&connect_four(), &Default::default(), PAIRS);
}

#[test]
fn gumbel_roots_hold_their_own_on_connect_four() {
    hold_their_own(&gumbel(), &Default::default(), PAIRS);
}

#[test]
fn parallel_searches_hold_their_own_on_connect_four() {
    hold_their_own(&parallel(), &Default::default(), PAIRS);
}

#[test]
fn information_sets_hold_their_own_on_knockout_whist() {
    hold_their_own(&knockout_whist(), &Default::default(), DEALS);
}
