//! Counts of what happens in games.

use serde::Serialize;

use super::machine::{Note, Watch};

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
/// [`apply_watched`](super::Magic::apply_watched).
///
/// ```
/// use meeple_game::{ActionList, Game, Rng, Turn};
/// use meeple_games::magic::{Config, Magic, Stats};
///
/// let (mut game, mut rng) = (Magic::new(&Config::matchup("ogre")?), Rng::new(1));
/// let (mut stats, mut scratch) = (Stats::default(), ActionList::new());
/// while game.turn() != Turn::Over {
///     let action = match game.turn() {
///         Turn::Chance => game.sample_chance(&mut rng),
///         _ => game.sample_action(&mut rng, &mut scratch),
///     };
///     game.apply_watched(action, &mut stats);
/// }
/// assert!(stats.seats[0].lands > 0 && stats.steps > 12);
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
    /// Adds the counts of other games.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.seats.iter_mut().zip(&other.seats) {
            mine.lands += theirs.lands;
            mine.spells += theirs.spells;
            mine.attacks += theirs.attacks;
            mine.blocks += theirs.blocks;
            mine.damage_taken += theirs.damage_taken;
            mine.mana_spent += theirs.mana_spent;
            mine.mana_wasted += theirs.mana_wasted;
        }
        self.steps += other.steps;
        self.rounds += other.rounds;
    }
}

impl Watch for Stats {
    #[inline]
    fn note(&mut self, note: Note) {
        let seats = &mut self.seats;
        match note {
            Note::Land(seat) => seats[seat as usize].lands += 1,
            Note::Spell(seat) => seats[seat as usize].spells += 1,
            Note::Attack(seat) => seats[seat as usize].attacks += 1,
            Note::Block(seat) => seats[seat as usize].blocks += 1,
            Note::Damage(seat, amount) => seats[seat as usize].damage_taken += u64::from(amount),
            Note::Spent(seat, mana) => seats[seat as usize].mana_spent += u64::from(mana),
            Note::Wasted(seat, mana) => seats[seat as usize].mana_wasted += u64::from(mana),
            Note::Step => self.steps += 1,
            Note::Round => self.rounds += 1,
        }
    }
}
