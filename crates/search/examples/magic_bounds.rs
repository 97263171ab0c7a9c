//! Measures the peak usage of the bounded state arrays in searched games of Magic: `cargo
//! run --release -p meeple-search --example magic_bounds -- 10000`.
//!
//! Both seats search with SO-ISMCTS, the heuristic evaluation and one-step priors, at every
//! decision. All pairs of built-in decks play in turn. `soak` in `meeple-games` does the
//! same for random games.

#![allow(clippy::print_stdout, reason = "an example prints what it measures")]

use std::error::Error;
use std::sync::Arc;

use meeple_game::{Game, Rng, Turn, View};
use meeple_games::magic::{Config, Magic, Note, Usage, Watch, decks};
use meeple_search::{
    Budget, Focused, IsMcts, IsMctsOptions, MctsOptions, OneStepLookahead, Rollout, Search,
    Selection,
};

/// Simulations per decision.
const SIMULATIONS: u64 = 24;

/// The peak usage.
#[derive(Default)]
struct Most(Vec<Usage>);

impl Watch for Most {
    fn note(&mut self, _note: Note) {}

    fn look(&mut self, state: &Magic) {
        let usage = state.usage();
        if self.0.is_empty() {
            self.0 = usage.to_vec();
        }
        for (most, now) in self.0.iter_mut().zip(&usage) {
            most.used = most.used.max(now.used);
        }
    }
}

/// Plays a game; returns the bound it exceeded, if any.
fn play(
    config: &Config,
    seed: u64,
    search: &mut impl Search<Magic>,
    most: &mut Most,
) -> Result<Option<&'static str>, Box<dyn Error>> {
    let mut game = Magic::new(config);
    let mut rng = Rng::new(seed);
    loop {
        let action = match game.turn() {
            Turn::Over => return Ok(game.fault()),
            Turn::Chance => game.sample_chance(&mut rng),
            Turn::Player(player) => {
                let view = View::new(&game, player);
                search.search(&view, &Budget::simulations(SIMULATIONS), rng.bits())?.best
            }
        };
        game.apply_watched(action, most);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let games: u64 = std::env::args().nth(1).map_or(Ok(1000), |text| text.parse())?;
    let selection = Selection::Puct { exploration: 0.2, base: 19_652.0 };
    let first_play = MctsOptions::puct().first_play;
    let options = IsMctsOptions { selection, first_play, ..IsMctsOptions::default() };
    let ordering = Some(Arc::new(OneStepLookahead::default()) as _);
    let mut search = Focused(IsMcts::with_ordering(&options, Rollout::new(Some(0)), ordering)?);
    let names: Vec<&str> = decks::builtin().iter().map(|deck| deck.name.as_str()).collect();
    let mut most = Most::default();
    let mut faults = 0;
    for number in 0..games as usize {
        let (one, other) = (number % names.len(), number / names.len() % names.len());
        let config = Config::of_decks(names[one], names[other])?;
        if let Some(fault) = play(&config, number as u64, &mut search, &mut most)? {
            faults += 1;
            println!("{} against {}, game {number}: {fault}", names[one], names[other]);
        }
    }
    println!("{games} games, {faults} met a bound");
    for Usage { what, used, most } in &most.0 {
        println!("  {what:34} {used:4} of {most}");
    }
    Ok(())
}
