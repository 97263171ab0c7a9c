//! Observations.

use meeple_game::{Field, Game, ObservationSpec, Player};
use meeple_poker::{Card, CardSet};

use super::{Holdem, Phase, SEATS};

/// The maximum of chip counts, which are in hundredths of the big blind.
const MAX_VALUE: i32 = 1_000_000;
/// The scale of chip counts: 100 big blinds.
const SCALE: i32 = 10_000;
/// The maximum of the raise count of a street.
const MAX_RAISES: i32 = 15;

pub(super) static LAYOUT: ObservationSpec = ObservationSpec::new(
    1,
    &[
        Field::flag("hand").times(52),
        Field::flag("board").times(52),
        Field::category("street", 4),
        Field::count("stack", MAX_VALUE).scale(SCALE).times(SEATS),
        Field::count("bet", MAX_VALUE).scale(SCALE).times(SEATS),
        Field::count("pot", MAX_VALUE).scale(SCALE),
        Field::count("owed", MAX_VALUE).scale(SCALE),
        Field::count("least_raise", MAX_VALUE).scale(SCALE),
        Field::flag("in").times(SEATS),
        Field::flag("all_in").times(SEATS),
        Field::category("last_act", 5).times(4 * SEATS),
        Field::count("raises", MAX_RAISES).scale(4).times(4),
        Field::category("dealer", SEATS as i32),
        Field::category("mover", SEATS as i32 + 1),
        Field::count("players", SEATS as i32),
    ],
);

/// The cells of an observation, filled in order.
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
    /// Writes the observation of `player`.
    pub(super) fn write_observation(&self, player: Player, out: &mut [i32]) {
        let players = self.players();
        let mut cells = Cells(out.iter_mut());
        // Seats rotate so that the observer comes first; unused seats come last and are 0.
        let seats: [Option<usize>; SEATS] = std::array::from_fn(|step| {
            (step < players).then(|| player.after(step, players).index())
        });
        let chips = |chips: u32| {
            let hundredths = 100 * u64::from(chips) / u64::from(self.big_blind);
            hundredths.min(MAX_VALUE as u64) as i32
        };
        let has =
            |set: u8, seat: Option<usize>| i32::from(seat.is_some_and(|seat| set >> seat & 1 == 1));
        cells.put_cards(self.hands[player.index()]);
        cells.put_cards(self.board());
        cells.put(self.street.into());
        for row in [&self.stacks, &self.bets] {
            seats.iter().for_each(|seat| cells.put(seat.map_or(0, |seat| chips(row[seat]))));
        }
        cells.put(chips(self.pot));
        cells.put(chips(self.current_bet - self.bets[player.index()]));
        cells.put(chips(self.min_raise));
        seats.iter().for_each(|&seat| cells.put(has(self.live, seat)));
        seats.iter().for_each(|&seat| cells.put(has(self.live & !self.can_act, seat)));
        for acts in self.acts {
            let act = |seat: usize| (acts >> (4 * seat) & 15) as i32;
            seats.iter().for_each(|seat| cells.put(seat.map_or(0, act)));
        }
        self.raises.iter().for_each(|&raises| cells.put(i32::from(raises).min(MAX_RAISES)));
        let steps_to = |seat: u8| Player(seat).after(players - player.index(), players).0;
        cells.put(steps_to(self.players - 1).into());
        let betting = self.phase == Phase::Bet;
        cells.put(if betting { 1 + i32::from(steps_to(self.mover)) } else { 0 });
        cells.put(self.players.into());
    }
}
