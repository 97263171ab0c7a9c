//! The action phase: players resolve their placements one by one.
//!
//! The fixed order of places is tool maker, hut, field, forest, clay pit, quarry, river,
//! hunt, the four cards from the most expensive, the four building stacks.

use super::data::{BUILDING, Building, FOOD_VALUE, VALUES};
use super::legal::{ANY, DECLINE, ONE_USE, PAY, RESOLVE, TOOLS_DONE};
use super::payments::{PAYMENT, covers, worth};
use super::{FIELD, HUNT, HUT, MAX_LEVEL, Phase, Step, StoneAge, TOOL_MAKER};

/// The number of places in the fixed order.
pub(super) const ORDER: usize = 16;
/// The index of the first place with dice in that order.
const ROLLED: usize = 3;
/// The index of the first card.
pub(super) const FIRST_CARD: usize = 8;
/// The index of the first building.
pub(super) const FIRST_BUILDING: usize = 12;
/// The rows of the first eight in [`StoneAge::places`].
pub(super) const ROWS: [usize; FIRST_CARD] = [TOOL_MAKER, HUT, FIELD, 0, 1, 2, 3, HUNT];

impl StoneAge {
    /// Starts the action phase of a round.
    pub(super) fn start_actions(&mut self) {
        self.phase = Phase::Actions;
        self.asked = 0;
        self.done = 0;
        self.start_turn(self.first);
        self.advance();
    }

    fn start_turn(&mut self, seat: u8) {
        self.resolver = seat;
        self.place = 0;
    }

    /// Advances the action phase to the next decision or roll.
    pub(super) fn advance(&mut self) {
        loop {
            self.active = self.resolver;
            let todo = self.me().todo;
            if todo == 0 {
                self.done |= 1 << self.resolver;
                let next = self.after(self.resolver, 1);
                if self.done & (1 << next) != 0 {
                    return self.start_feeding();
                }
                self.start_turn(next);
            } else if self.free_action_order() {
                if self.resolvable() != 0 || self.two_holder == self.active as i8 {
                    return self.await_decision(Step::Choose);
                }
                self.take_figures_back();
            } else if self.resolve(todo.trailing_zeros() as usize) {
                return;
            }
        }
    }

    /// The unresolved places that can be resolved now. Cards and buildings that cannot be
    /// paid yet may become payable after another place.
    pub(super) fn resolvable(&self) -> u16 {
        let todo = self.tribes[self.resolver as usize].todo;
        let mut resolvable = todo & ((1 << FIRST_CARD) - 1);
        let mut purchases = todo & !resolvable;
        while purchases != 0 {
            let place = purchases.trailing_zeros() as usize;
            purchases &= purchases - 1;
            resolvable |= u16::from(self.is_payable(place)) << place;
        }
        resolvable
    }

    /// Whether the resolving player occupies this card or building and can pay for it.
    fn is_payable(&self, place: usize) -> bool {
        let (seat, slot) = (self.resolver as i8, place % 4);
        if place < FIRST_BUILDING {
            return self.card_figures[slot] == seat
                && self.tribes[self.resolver as usize].total_resources() >= 4 - slot as u16;
        }
        self.building_figures[slot] == seat && self.can_build(self.buildings[slot] as usize)
    }

    pub(super) fn can_build(&self, building: usize) -> bool {
        let tribe = &self.tribes[self.resolver as usize];
        match BUILDING[building] {
            Building::Fixed { cost } => covers(tribe.packed_resources(), u32::from_le_bytes(cost)),
            Building::OneToSeven => tribe.total_resources() > 0,
            Building::Variable { total, kinds } => {
                // The largest holdings cover the most, and each kind must be present.
                let mut held = tribe.resources;
                held.sort_unstable_by(|one, other| other.cmp(one));
                let used = &held[..kinds as usize];
                used.iter().sum::<u16>() >= u16::from(total) && used[used.len() - 1] > 0
            }
        }
    }

    /// Removes the figures from cards and buildings that cannot be paid.
    fn take_figures_back(&mut self) {
        let todo = std::mem::take(&mut self.tribes[self.resolver as usize].todo);
        for slot in 0..4 {
            if todo & (1 << (FIRST_CARD + slot)) != 0 {
                self.card_figures[slot] = -1;
            }
            if todo & (1 << (FIRST_BUILDING + slot)) != 0 {
                self.building_figures[slot] = -1;
            }
        }
    }

    /// Resolves a place; returns whether a decision or a roll follows.
    fn resolve(&mut self, place: usize) -> bool {
        self.place = place as u8;
        let seat = self.resolver as usize;
        self.tribes[seat].todo &= !(1 << place);
        match place {
            0 => self.tribes[seat].raise_tool(),
            1 => self.tribes[seat].figures = (self.tribes[seat].figures + 1).min(MAX_LEVEL),
            2 => self.tribes[seat].raise_agriculture(),
            ROLLED..FIRST_CARD => {
                let kind = if place == FIRST_CARD - 1 { -1 } else { (place - ROLLED) as i8 };
                self.roll(self.places[ROWS[place]][seat], kind);
                return true;
            }
            _ => return self.await_payment(place),
        }
        false
    }

    fn await_payment(&mut self, place: usize) -> bool {
        let slot = place % 4;
        let payable = self.is_payable(place);
        let (figures, step) = if place < FIRST_BUILDING {
            (&mut self.card_figures, Step::PayCard)
        } else {
            (&mut self.building_figures, Step::PayBuilding)
        };
        if payable {
            self.slot = slot as u8;
            self.await_decision(step);
        } else if figures[slot] == self.resolver as i8 {
            figures[slot] = -1;
        }
        payable
    }

    /// Starts a roll for a resource, or for food (`kind` -1).
    pub(super) fn roll(&mut self, dice: u8, kind: i8) {
        self.rolling = dice;
        self.rolling_for = kind;
        self.step = Step::Roll;
    }

    /// Applies the choice of the next place, or of a resource kept for later.
    #[inline(never)]
    pub(super) fn choose(&mut self, id: u16) {
        match id {
            DECLINE => {
                self.take_figures_back();
                self.advance();
            }
            RESOLVE.. => {
                if !self.resolve((id - RESOLVE) as usize) {
                    self.advance();
                }
            }
            _ => self.take_first_of_two(id),
        }
    }

    /// Takes the first of two resources kept for later.
    pub(super) fn take_first_of_two(&mut self, id: u16) {
        self.two_holder = -1;
        self.picks = 2;
        self.await_decision(Step::TakeAny);
        self.take_any(id);
    }

    /// Applies the choice of any resource.
    #[inline(never)]
    pub(super) fn take_any(&mut self, id: u16) {
        self.gain(self.active, (id - ANY) as usize, 1);
        self.picks -= 1;
        if self.picks == 0 {
            if self.phase == Phase::Feed { self.await_decision(Step::Feed) } else { self.advance() }
        }
    }

    /// Adds a tool to the roll, or ends it.
    #[inline(never)]
    pub(super) fn use_tool(&mut self, id: u16) {
        match id {
            TOOLS_DONE => {
                self.collect(self.pending, self.dice);
                self.advance();
            }
            ONE_USE.. => {
                let tribe = &mut self.tribes[self.active as usize];
                let at = id - ONE_USE;
                self.dice += tribe.one_use(at);
                let before = (1 << (4 * at)) - 1;
                tribe.one_use = (tribe.one_use & before) | ((tribe.one_use >> 4) & !before);
            }
            _ => {
                let tool = (id - super::legal::TOOL) as usize;
                self.dice += self.me().tools[tool];
                self.me_mut().used |= 1 << tool;
            }
        }
    }

    /// Gives the active player the yield of a roll.
    pub(super) fn collect(&mut self, kind: i8, sum: u8) {
        if kind < 0 {
            self.me_mut().food += u16::from(sum / FOOD_VALUE);
        } else {
            self.gain(self.active, kind as usize, u16::from(sum / VALUES[kind as usize]));
        }
    }

    /// Pays for a building, or declines it.
    #[inline(never)]
    pub(super) fn pay_building(&mut self, id: u16) {
        let slot = self.slot as usize;
        self.building_figures[slot] = -1;
        if id == DECLINE {
            return self.advance();
        }
        let points = self.pay(id);
        let building = self.buildings[slot] as usize;
        let me = self.me_mut();
        me.score += points;
        me.buildings.add(building);
        self.buildings[slot] = -1;
        if self.reveal_as_chance() && self.stacks[slot] > 0 {
            self.step = Step::RevealTile;
        } else {
            self.advance();
        }
    }

    /// Pays for a card, or declines it.
    #[inline(never)]
    pub(super) fn pay_card(&mut self, id: u16) {
        if id == DECLINE {
            self.card_figures[self.slot as usize] = -1;
            return self.advance();
        }
        self.pay(id);
        self.receive_card(self.slot as usize);
    }

    /// Pays, and returns the value of the payment in points.
    #[inline]
    fn pay(&mut self, id: u16) -> i16 {
        let pieces = PAYMENT[(id - PAY) as usize].to_le_bytes();
        for (kind, amount) in pieces.into_iter().enumerate() {
            self.give_back(kind, amount);
        }
        worth(pieces)
    }
}
