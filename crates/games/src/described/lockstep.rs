//! Plays random games through a compiled plan and its rule tree in lockstep, and compares
//! them.

use std::ops::AddAssign;

use meeple_game::{Action, Game, Rng, Turn, choices};
use meeple_plan::{Mismatch, Parity, Stages};
use serde::Serialize;

use super::{Described, DescribedGame};

/// A plan in every combination of its optimization stages, each paired with the tree.
#[derive(Clone, Debug)]
pub struct Lockstep<R: Described> {
    parities: [Parity<R>; 8],
}

/// The amount of comparison done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Compared {
    /// Games played.
    pub games: u64,
    /// States whose generated events equal the events that the tree accepts.
    pub states: u64,
    /// Events that plan and tree handled equally at every combination of stages: the played
    /// ones, and as many random ones, legal or not.
    pub events: u64,
}

impl AddAssign for Compared {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.states += other.states;
        self.events += other.events;
    }
}

impl<R: Described> Default for Lockstep<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: Described> Lockstep<R> {
    /// Pairs the plan of `R` with its tree, at every combination of stages.
    #[must_use]
    pub fn new() -> Self {
        let parity = |stages| Parity::new(&R::plan().with_stages(stages));
        Self { parities: Stages::combinations().map(parity) }
    }

    /// Injects a fault into the plans, to test that it is detected.
    #[must_use]
    pub fn with_fault(self, fault: fn(&mut R::State)) -> Self {
        Self { parities: self.parities.map(|parity| parity.with_fault(fault)) }
    }

    /// Plays one random game and compares plan and tree at every step.
    ///
    /// # Errors
    ///
    /// The first difference.
    pub fn play(&self, config: &R::Config, rng: &mut Rng) -> Result<Compared, Mismatch> {
        let mut game = DescribedGame::<R>::new(config);
        let mut checked = Compared { games: 1, ..Compared::default() };
        while game.turn() != Turn::Over {
            let state = game.state();
            // Stages affect event handling only; generation is the same for all.
            self.parities[0].generated(state)?;
            checked.states += 1;
            let played = *rng.pick(&choices(&game));
            let random = Action(rng.below(R::ACTIONS) as u16);
            for action in [played, random] {
                let event = R::event_of(state, action);
                for parity in &self.parities {
                    parity.handle(state, &event)?;
                }
                checked.events += 1;
            }
            game.apply(played);
        }
        Ok(checked)
    }
}
