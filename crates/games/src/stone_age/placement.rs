//! The first part of a round: players put figures on places, in turn.

use super::menu::{
    PLACE_BUILDING, PLACE_CARD, PLACE_FIELD, PLACE_HUNT, PLACE_HUT, PLACE_PASS, PLACE_TOOL_MAKER,
};
use super::{FIELD, HUNT, HUT, MOST, Step, StoneAge, TOOL_MAKER};

/// Figures that a resource place holds.
const ROOM: u32 = 7;
/// How many players may share a resource place, by the number at the table.
const SHARERS: [u32; 5] = [0, 0, 1, 2, 4];
/// The village places, in the order the observation numbers the empty one.
const VILLAGE: [usize; 3] = [TOOL_MAKER, HUT, FIELD];

impl StoneAge {
    /// The figures that the active player may put on a resource place.
    #[inline]
    pub(super) fn room(&self, place: usize) -> u8 {
        let row = self.places[place];
        let figures = u32::from_le_bytes(row);
        // A byte above 0 carries into its highest bit.
        let sharers = (figures.wrapping_add(0x7f7f_7f7f) & 0x8080_8080).count_ones();
        if row[self.active as usize] > 0 || sharers >= SHARERS[self.players as usize] {
            return 0;
        }
        (ROOM - (figures.wrapping_mul(0x0101_0101) >> 24)) as u8
    }

    /// Whether the active player may go to the tool maker, the field or the
    /// hut.
    #[inline]
    pub(super) fn village_is_open(&self, place: u16) -> bool {
        let (row, number, figures) = match place {
            PLACE_TOOL_MAKER => (TOOL_MAKER, 1, 1),
            PLACE_HUT => (HUT, 2, 2),
            _ => (FIELD, 3, 1),
        };
        self.blocked != number
            && self.places[row] == [0; 4]
            && self.me().available >= figures
            && (row != HUT || self.hut_at_ten() || self.me().figures < MOST)
    }

    /// Plays a placement, then finds who is next.
    pub(super) fn place_figures(&mut self, id: u16) {
        let seat = self.active as usize;
        let figures = match id {
            0..PLACE_HUNT => self.settle((id / 7) as usize, (id % 7) as u8 + 1),
            PLACE_HUNT..PLACE_TOOL_MAKER => self.settle(HUNT, (id - PLACE_HUNT) as u8 + 1),
            PLACE_TOOL_MAKER => self.settle_village(TOOL_MAKER, 1),
            PLACE_FIELD => self.settle_village(FIELD, 1),
            PLACE_HUT => self.settle_village(HUT, 2),
            PLACE_CARD..PLACE_BUILDING => {
                self.card_figures[(id - PLACE_CARD) as usize] = seat as i8;
                1
            }
            PLACE_BUILDING..PLACE_PASS => {
                self.building_figures[(id - PLACE_BUILDING) as usize] = seat as i8;
                1
            }
            _ => {
                self.passed |= 1 << seat;
                0
            }
        };
        self.tribes[seat].available -= figures;
        self.pass_the_turn();
    }

    #[inline]
    fn settle(&mut self, place: usize, figures: u8) -> u8 {
        self.places[place][self.active as usize] = figures;
        figures
    }

    fn settle_village(&mut self, place: usize, figures: u8) -> u8 {
        self.settle(place, figures);
        let is_empty = |place: &usize| self.places[*place] == [0; 4];
        if self.players < 4 && VILLAGE.iter().filter(|place| is_empty(place)).count() == 1 {
            let last = VILLAGE.iter().position(is_empty).expect("one place is empty");
            self.blocked = last as u8 + 1;
        }
        figures
    }

    /// Hands the turn to the next player with figures, or ends the phase.
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

    /// Begins the placement of a round.
    pub(super) fn start_placement(&mut self) {
        self.active = self.first;
        self.ask(Step::Place);
    }
}
