//! What a player sees, in cells.

use meeple_game::{Field, Game, ObservationSpec, Player};
use meeple_poker::{Card, CardSet};

use super::{Holdem, Phase, SEATS};

/// Chips are told in hundredths of the big blind, up to this many.
const MOST: i32 = 1_000_000;
/// A hundred big blinds, which is much.
const MUCH: i32 = 10_000;
/// Raises of a street that are told apart.
const MOST_RAISES: i32 = 15;

pub(super) static LAYOUT: ObservationSpec = ObservationSpec::new(
    1,
    &[
        Field::flag("hand").times(52),
        Field::flag("board").times(52),
        Field::category("street", 4),
        Field::count("stack", MOST).scale(MUCH).times(SEATS),
        Field::count("bet", MOST).scale(MUCH).times(SEATS),
        Field::count("pot", MOST).scale(MUCH),
        Field::count("owed", MOST).scale(MUCH),
        Field::count("least_raise", MOST).scale(MUCH),
        Field::flag("in").times(SEATS),
        Field::flag("all_in").times(SEATS),
        Field::category("last_act", 5).times(4 * SEATS),
        Field::count("raises", MOST_RAISES).scale(4).times(4),
        Field::category("dealer", SEATS as i32),
        Field::category("mover", SEATS as i32 + 1),
        Field::count("players", SEATS as i32),
    ],
);

/// The cells of an observation, filled one after the other.
struct Cells<'a>(std::slice::IterMut<'a, i32>);

impl Cells<'_> {
    fn put(&mut self, value: i32) {
        *self.0.next().expect("the layout has a cell") = value;
    }

    fn put_cards(&mut self, cards: CardSet) {
        Card::all().for_each(|card| self.put(i32::from(cards.contains(card))));
    }
}

impl Holdem {
    /// Writes what `player` sees.
    pub(super) fn write_observation(&self, player: Player, out: &mut [i32]) {
        let players = self.players();
        let mut cells = Cells(out.iter_mut());
        // The observer comes first, and chairs that nobody has taken come last
        // and hold nothing.
        let chairs: [Option<usize>; SEATS] = std::array::from_fn(|step| {
            (step < players).then(|| player.after(step, players).index())
        });
        let chips = |chips: u32| {
            let hundredths = 100 * u64::from(chips) / u64::from(self.big_blind);
            hundredths.min(MOST as u64) as i32
        };
        let has = |seats: u8, chair: Option<usize>| {
            i32::from(chair.is_some_and(|seat| seats >> seat & 1 == 1))
        };
        cells.put_cards(self.hands[player.index()]);
        cells.put_cards(self.board());
        cells.put(self.street.into());
        for row in [&self.stacks, &self.bets] {
            chairs.iter().for_each(|chair| cells.put(chair.map_or(0, |seat| chips(row[seat]))));
        }
        cells.put(chips(self.pot));
        cells.put(chips(self.high - self.bets[player.index()]));
        cells.put(chips(self.step));
        chairs.iter().for_each(|&chair| cells.put(has(self.live, chair)));
        chairs.iter().for_each(|&chair| cells.put(has(self.live & !self.able, chair)));
        for acts in self.acts {
            let act = |seat: usize| (acts >> (4 * seat) & 15) as i32;
            chairs.iter().for_each(|chair| cells.put(chair.map_or(0, act)));
        }
        self.raises.iter().for_each(|&raises| cells.put(i32::from(raises).min(MOST_RAISES)));
        let steps_to = |seat: u8| Player(seat).after(players - player.index(), players).0;
        cells.put(steps_to(self.players - 1).into());
        let asked = self.phase == Phase::Bet;
        cells.put(if asked { 1 + i32::from(steps_to(self.mover)) } else { 0 });
        cells.put(self.players.into());
    }
}
