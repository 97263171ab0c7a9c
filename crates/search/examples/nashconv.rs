//! How much a best response gains against information-set search, in games small
//! enough to say exactly: `cargo run --release -p meeple-search --example nashconv`.
//!
//! Every information set is searched with some seeds. `answers` is the strategy of
//! a bot, which plays the action that a search likes best; `visits` the one that
//! plays each action as often as it was visited. Both are averaged over the seeds,
//! and NashConv is the sum of what both seats lose, in chips.

#![allow(clippy::print_stdout, reason = "an example prints what it measures")]

use std::error::Error;

use meeple_game::{Action, Game, Player, Turn, View, choices};
use meeple_games::small::{Kuhn, Leduc};
use meeple_search::solve::Cfr;
use meeple_search::{Budget, IsMcts, IsMctsOptions, Knower, Rollout, Search};
use rustc_hash::FxHashMap;

/// A state of every information set.
type Sets<G> = FxHashMap<(Player, u64), G>;

fn collect<G: Game>(state: &G, sets: &mut Sets<G>) {
    if let Turn::Player(player) = state.turn() {
        sets.entry((player, state.info_key(player))).or_insert(*state);
    }
    for action in choices(state) {
        let mut next = *state;
        next.apply(action);
        collect(&next, sets);
    }
}

/// The shares of the actions of one information set: by answers, and by visits.
fn shares<G: Game>(
    state: &G,
    player: Player,
    knower: Knower,
    sims: u64,
    seeds: u64,
) -> Result<[Vec<f64>; 2], Box<dyn Error>> {
    let actions = choices(state);
    let mut shares = [vec![0.0; actions.len()], vec![0.0; actions.len()]];
    for seed in 0..seeds {
        let options = IsMctsOptions { knower, ..Default::default() };
        let mut search = IsMcts::new(&options, Rollout::default())?;
        let view = View::new(state, player);
        let report = search.search(&view, &Budget::iterations(sims), seed)?;
        for (at, &action) in actions.iter().enumerate() {
            shares[0][at] += f64::from(u8::from(report.best == action));
            let entry = report.actions.iter().find(|entry| entry.action == action);
            shares[1][at] += entry.map_or(0.0, |entry| f64::from(entry.policy));
        }
    }
    Ok(shares)
}

fn measure<G: Game<Config: Default>>(chips: f64, seeds: u64) -> Result<(), Box<dyn Error>> {
    let start = G::new(&G::Config::default());
    let cfr = Cfr::new(&start, 100_000)?;
    let mut sets = Sets::default();
    collect(&start, &mut sets);
    for sims in [100, 1000, 10_000] {
        for knower in [Knower::Searcher, Knower::Mover] {
            let mut found: FxHashMap<(Player, u64), [Vec<f64>; 2]> = FxHashMap::default();
            for (&(player, key), state) in &sets {
                let seeds = if sims > 1000 { seeds.div_ceil(4) } else { seeds };
                found.insert((player, key), shares(state, player, knower, sims, seeds)?);
            }
            let nash_conv = |by: usize| {
                let play = |player, key, _: &[Action]| found[&(player, key)][by].clone();
                2.0 * chips * cfr.exploitability_of(play)
            };
            let (answers, visits) = (nash_conv(0), nash_conv(1));
            println!("{} {sims} {knower:?}: answers {answers:.3}, visits {visits:.3}", G::NAME);
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    measure::<Kuhn>(2.0, 40)?;
    measure::<Leduc>(13.0, 8)
}
