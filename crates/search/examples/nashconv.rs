//! Measures the NashConv of ISMCTS in Kuhn and Leduc poker: `cargo run --release -p
//! meeple-search --example nashconv`.
//!
//! Every information set is searched with several seeds. `answers` is the strategy that
//! plays the best action of a search, `visits` the one that plays actions in proportion to
//! their visits, both averaged over the seeds. NashConv is the sum of the gains of both
//! best responses, in chips.

#![allow(clippy::print_stdout, reason = "an example prints what it measures")]

use std::error::Error;

use meeple_game::{Action, Game, Player, Turn, View, choices};
use meeple_games::small::{Kuhn, Leduc};
use meeple_search::solve::Cfr;
use meeple_search::{Budget, IsMcts, IsMctsOptions, Observer, Rollout, Search};
use rustc_hash::FxHashMap;

/// One state of every information set.
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

/// The strategies at one information set: by answers and by visits.
fn shares<G: Game>(
    state: &G,
    player: Player,
    observer: Observer,
    sims: u64,
    seeds: u64,
) -> Result<[Vec<f64>; 2], Box<dyn Error>> {
    let actions = choices(state);
    let mut shares = [vec![0.0; actions.len()], vec![0.0; actions.len()]];
    for seed in 0..seeds {
        let options = IsMctsOptions { observer, ..Default::default() };
        let mut search = IsMcts::new(&options, Rollout::default())?;
        let view = View::new(state, player);
        let report = search.search(&view, &Budget::simulations(sims), seed)?;
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
        for observer in [Observer::Single, Observer::Multiple] {
            let mut found: FxHashMap<(Player, u64), [Vec<f64>; 2]> = FxHashMap::default();
            for (&(player, key), state) in &sets {
                let seeds = if sims > 1000 { seeds.div_ceil(4) } else { seeds };
                found.insert((player, key), shares(state, player, observer, sims, seeds)?);
            }
            let nash_conv = |by: usize| {
                let play = |player, key, _: &[Action]| found[&(player, key)][by].clone();
                2.0 * chips * cfr.exploitability_of(play)
            };
            let (answers, visits) = (nash_conv(0), nash_conv(1));
            println!(
                "{} {sims} {observer:?}: answers {answers:.3}, visits {visits:.3}",
                start.name()
            );
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    measure::<Kuhn>(2.0, 40)?;
    measure::<Leduc>(13.0, 8)
}
