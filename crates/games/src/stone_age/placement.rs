//! The placement phase: players take turns placing figures.

use super::actions::{FIRST_BUILDING, FIRST_CARD};
use super::legal::{
    PLACE_BUILDING, PLACE_CARD, PLACE_FIELD, PLACE_HUNT, PLACE_HUT, PLACE_PASS, PLACE_TOOL_MAKER,
};
use super::{FIELD, HUNT, HUT, Step, StoneAge, TOOL_MAKER};

/// The capacity of a resource place.
pub(super) const ROOM: u8 = 7;
/// The village places, in the order in which `blocked` numbers them.
const VILLAGE: [(usize, u16); 3] =
    [(TOOL_MAKER, PLACE_TOOL_MAKER), (HUT, PLACE_HUT), (FIELD, PLACE_FIELD)];

/// The bit of a place in [`StoneAge::vacant`].
const fn spot(id: u16) -> u16 {
    1 << (id - PLACE_TOOL_MAKER)
}

impl StoneAge {
    /// Applies a placement and passes the turn.
    #[inline(never)]
    pub(super) fn place_figures(&mut self, id: u16) {
        match id {
            0..PLACE_HUNT => {
                let (place, figures) = ((id / 7) as usize, (id % 7) as u8 + 1);
                self.place_on(place, figures, 3 + place);
                self.room[place] = self.room_left(place);
            }
            PLACE_HUNT..PLACE_TOOL_MAKER => {
                self.place_on(HUNT, (id - PLACE_HUNT) as u8 + 1, FIRST_CARD - 1);
            }
            PLACE_TOOL_MAKER..PLACE_CARD => self.place_in_village(id),
            PLACE_CARD..PLACE_PASS => self.place_on_tile((id - PLACE_CARD) as usize),
            _ => self.passed |= 1 << self.active,
        }
        self.pass_the_turn();
    }

    /// Places figures of the active player on a place, which has index `at` in the order of
    /// actions.
    #[inline]
    fn place_on(&mut self, place: usize, figures: u8, at: usize) {
        self.places[place][self.active as usize] = figures;
        let me = self.me_mut();
        me.available -= figures;
        me.todo |= 1 << at;
    }

    /// Places a figure on a card (`at` 0 to 3) or a building (4 to 7).
    #[inline]
    fn place_on_tile(&mut self, at: usize) {
        const { assert!(PLACE_BUILDING == PLACE_CARD + 4 && FIRST_BUILDING == FIRST_CARD + 4) };
        let figures = if at < 4 { &mut self.card_figures } else { &mut self.building_figures };
        figures[at % 4] = self.active as i8;
        self.vacant &= !spot(PLACE_CARD + at as u16);
        let me = self.me_mut();
        me.available -= 1;
        me.todo |= 1 << (FIRST_CARD + at);
    }

    fn place_in_village(&mut self, id: u16) {
        match id {
            PLACE_TOOL_MAKER => self.place_on(TOOL_MAKER, 1, 0),
            PLACE_HUT => self.place_on(HUT, 2, 1),
            _ => self.place_on(FIELD, 1, 2),
        }
        self.vacant &= !spot(id);
        let mut empty = (1..).zip(VILLAGE).filter(|(_, (place, _))| self.places[*place] == [0; 4]);
        // With two or three players one of the three village places stays empty.
        if let (Some((number, (_, last))), None) = (empty.next(), empty.next())
            && self.players < 4
        {
            self.blocked = number;
            self.vacant &= !spot(last);
        }
    }

    /// The number of figures that a player not yet there may place on a resource place.
    pub(super) fn room_left(&self, place: usize) -> u8 {
        let row = self.places[place];
        let sharers = row.iter().filter(|&&figures| figures > 0).count() as u8;
        // With two players one may use a resource place, with three players two.
        if self.players < 4 && sharers + 1 >= self.players {
            return 0;
        }
        ROOM - row.iter().sum::<u8>()
    }

    /// The vacant exclusive places, one bit each from the tool maker on.
    pub(super) fn vacancies(&self) -> u16 {
        let mut vacant = 0;
        for (number, (place, id)) in (1..).zip(VILLAGE) {
            let open = self.places[place] == [0; 4] && self.blocked != number;
            vacant |= if open { spot(id) } else { 0 };
        }
        for slot in 0..4 {
            let card = self.cards[slot] >= 0 && self.card_figures[slot] < 0;
            let tile = self.buildings[slot] >= 0 && self.building_figures[slot] < 0;
            vacant |= if card { spot(PLACE_CARD + slot as u16) } else { 0 };
            vacant |= if tile { spot(PLACE_BUILDING + slot as u16) } else { 0 };
        }
        vacant
    }

    /// Passes the turn to the next player with figures, or ends the phase.
    #[inline]
    fn pass_the_turn(&mut self) {
        for _ in 0..self.players {
            self.active = self.after(self.active, 1);
            if self.passed & (1 << self.active) == 0 {
                if self.me().available > 0 {
                    return;
                }
                self.passed |= 1 << self.active;
            }
        }
        self.start_actions();
    }

    /// Starts the placement phase of a round.
    pub(super) fn start_placement(&mut self) {
        self.active = self.first;
        self.room = [ROOM; 4];
        self.vacant = self.vacancies();
        self.await_decision(Step::Place);
    }
}
