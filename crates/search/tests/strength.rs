//! Playing strength: every option reaches its stated lower bound, with fixed seeds.
//!
//! The lower end of the 95 % interval over 200 pairs of games, about 4 points below the
//! score, must reach the bound. Options that gain must stay above one half; for the others
//! the bound is their known cost. `docs/src/measurements/search.md` has results of more games.

#[path = "../examples/ablations/ablation.rs"]
mod ablation;

use ablation::{Ablation, connect_four, gumbel, knockout_whist, parallel, play};
use meeple_game::Game;

/// Pairs of games; card deals vary less and need fewer.
const PAIRS: u64 = 200;
const DEALS: u64 = 100;

fn check_lower_bounds<G: Game>(ablations: &[Ablation<G>], config: &G::Config, pairs: u64) {
    for ablation in ablations {
        let score = play(ablation, config, pairs);
        let (name, simulations, lower_bound) =
            (ablation.name, ablation.simulations, ablation.lower_bound);
        let lower = score.mean - score.margin;
        assert!(
            lower >= lower_bound,
            "{name} with {simulations:?}: {score:?} is not above {lower_bound}"
        );
    }
}

#[test]
fn connect_four_options() {
    check_lower_bounds(&connect_four(), &Default::default(), PAIRS);
}

#[test]
fn connect_four_gumbel_roots() {
    check_lower_bounds(&gumbel(), &Default::default(), PAIRS);
}

#[test]
fn connect_four_parallel_searches() {
    check_lower_bounds(&parallel(), &Default::default(), PAIRS);
}

#[test]
fn knockout_whist_ismcts() {
    check_lower_bounds(&knockout_whist(), &Default::default(), DEALS);
}
