//! Counts of what happens in games.

use meeple_game::{Action, ActionList, Game, Rng, Steps, Turn};
use serde::Serialize;

use crate::magic::machine::{Note, Watch};
use crate::magic::{Config, Magic};

/// What one seat did, over all games counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SeatStats {
    /// Lands played.
    pub lands: u64,
    /// Spells cast.
    pub spells: u64,
    /// Creatures that attacked.
    pub attacks: u64,
    /// Creatures that blocked.
    pub blocks: u64,
    /// Damage dealt to the seat.
    pub damage_taken: u64,
    /// Mana spent.
    pub mana_spent: u64,
    /// Mana that was made and lost.
    pub mana_wasted: u64,
}

/// What happened in games that were watched with
/// [`apply_watched`](crate::magic::Magic::apply_watched).
///
/// ```
/// use meeple_games::magic::{Config, Stats};
///
/// let (stats, steps) = Stats::of_random_games(&Config::matchup("ogre")?, 10, 1);
/// assert!(stats.seats[0].lands > 0 && stats.seats[1].spells > 0);
/// assert!(stats.steps > 0 && steps.decisions > stats.seats[0].attacks);
/// # Ok::<_, String>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// Each seat's counts.
    pub seats: [SeatStats; 2],
    /// Steps of turns begun.
    pub steps: u64,
    /// Rounds of priority in which somebody may have been able to act.
    pub rounds: u64,
}

impl Stats {
    /// What happens in random games, each from its own stream of `seed` as in
    /// every simulation, and how many decisions they took.
    #[must_use]
    pub fn of_random_games(config: &Config, games: u64, seed: u64) -> (Self, Steps) {
        let (mut stats, mut steps) = (Self::default(), Steps::default());
        let (root, start) = (Rng::new(seed), Magic::new(config));
        let mut scratch = ActionList::new();
        for index in 0..games {
            let (mut game, mut rng) = (start, root.split(index));
            loop {
                match game.turn() {
                    Turn::Player(_) => {
                        let action = game.sample_action(&mut rng, &mut scratch);
                        game.apply_watched(action, &mut stats);
                        steps.decisions += 1;
                    }
                    Turn::Chance => {
                        let action = game.sample_chance(&mut rng);
                        game.apply_watched(action, &mut stats);
                        steps.chances += 1;
                    }
                    Turn::Over => break,
                }
            }
        }
        (stats, steps)
    }
}

impl Stats {
    /// Adds what happens in a game in which `actions`, chance outcomes included, were
    /// played; how many decisions they took.
    ///
    /// # Panics
    ///
    /// May panic when they are not the actions of a game at this table.
    pub fn add_game(&mut self, config: &Config, actions: &[Action]) -> u64 {
        let mut game = Magic::new(config);
        let mut decisions = 0;
        for &action in actions {
            decisions += u64::from(matches!(game.turn(), Turn::Player(_)));
            game.apply_watched(action, self);
        }
        decisions
    }
}

impl Watch for Stats {
    #[inline]
    fn note(&mut self, note: Note) {
        let seats = &mut self.seats;
        match note {
            Note::Land(seat) => seats[seat.index()].lands += 1,
            Note::Spell(seat) => seats[seat.index()].spells += 1,
            Note::Attack(seat) => seats[seat.index()].attacks += 1,
            Note::Block(seat) => seats[seat.index()].blocks += 1,
            Note::Damage(seat, amount) => seats[seat.index()].damage_taken += u64::from(amount),
            Note::Spent(seat, mana) => seats[seat.index()].mana_spent += u64::from(mana),
            Note::Wasted(seat, mana) => seats[seat.index()].mana_wasted += u64::from(mana),
            Note::Step => self.steps += 1,
            Note::Round => self.rounds += 1,
        }
    }
}
