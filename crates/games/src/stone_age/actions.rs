//! The second part of a round: players resolve their places one by one.
//!
//! The fixed order of places is tool maker, hut, field, forest, clay pit,
//! quarry, river, hunt, the four cards from dear to cheap, the four stacks.

use super::data::{BUILDING, Building, FOOD_VALUE, VALUES};
use super::menu::{ANY, DECLINE, ONE_USE, PAY, RESOLVE, TOOLS_DONE};
use super::payments::{PAYMENT, covers, worth};
use super::{FIELD, HUNT, HUT, MOST, Phase, Step, StoneAge, TOOL_MAKER};

/// The number of places in the fixed order.
pub(super) const ORDER: usize = 16;
/// Where the rolled places begin in that order.
const ROLLED: usize = 3;
/// Where the cards begin.
pub(super) const FIRST_CARD: usize = 8;
/// Where the buildings begin.
pub(super) const FIRST_BUILDING: usize = 12;
/// The rows of the first eight in [`StoneAge::places`].
pub(super) const ROWS: [usize; FIRST_CARD] = [TOOL_MAKER, HUT, FIELD, 0, 1, 2, 3, HUNT];

impl StoneAge {
    /// Begins the actions of a round.
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

    /// Goes on with the actions until somebody has to decide or to roll.
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
                if self.offered() != 0 || self.two_holder == self.active as i8 {
                    return self.ask(Step::Choose);
                }
                self.take_figures_back();
            } else if self.resolve(todo.trailing_zeros() as usize) {
                return;
            }
        }
    }

    /// Of the places to resolve, those that can be resolved now: whoever
    /// cannot pay yet may be able to after another place.
    pub(super) fn offered(&self) -> u16 {
        let todo = self.tribes[self.resolver as usize].todo;
        let mut offered = todo & ((1 << FIRST_CARD) - 1);
        let mut paid = todo & !offered;
        while paid != 0 {
            let place = paid.trailing_zeros() as usize;
            paid &= paid - 1;
            offered |= u16::from(self.is_payable(place)) << place;
        }
        offered
    }

    /// Whether the resolving player stands on this card or building and can
    /// pay for it.
    fn is_payable(&self, place: usize) -> bool {
        let (seat, slot) = (self.resolver as i8, place % 4);
        if place < FIRST_BUILDING {
            return self.card_figures[slot] == seat
                && self.tribes[self.resolver as usize].wealth() >= 4 - slot as u16;
        }
        self.building_figures[slot] == seat && self.can_build(self.buildings[slot] as usize)
    }

    pub(super) fn can_build(&self, building: usize) -> bool {
        let tribe = &self.tribes[self.resolver as usize];
        match BUILDING[building] {
            Building::Fixed { cost } => covers(tribe.purse(), u32::from_le_bytes(cost)),
            Building::OneToSeven => tribe.wealth() > 0,
            Building::Variable { total, kinds } => {
                // The richest kinds reach furthest, and each must be there.
                let mut held = tribe.resources;
                held.sort_unstable_by(|one, other| other.cmp(one));
                let used = &held[..kinds as usize];
                used.iter().sum::<u16>() >= u16::from(total) && used[used.len() - 1] > 0
            }
        }
    }

    /// Returns the figures from cards and buildings that cannot be paid.
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

    /// Resolves a place; whether somebody has to decide or to roll for it.
    fn resolve(&mut self, place: usize) -> bool {
        self.place = place as u8;
        let seat = self.resolver as usize;
        self.tribes[seat].todo &= !(1 << place);
        match place {
            0 => self.tribes[seat].raise_tool(),
            1 => self.tribes[seat].figures = (self.tribes[seat].figures + 1).min(MOST),
            2 => self.tribes[seat].raise_agriculture(),
            ROLLED..FIRST_CARD => {
                let kind = if place == FIRST_CARD - 1 { -1 } else { (place - ROLLED) as i8 };
                self.roll(self.places[ROWS[place]][seat], kind);
                return true;
            }
            _ => return self.ask_to_pay(place),
        }
        false
    }

    fn ask_to_pay(&mut self, place: usize) -> bool {
        let slot = place % 4;
        let payable = self.is_payable(place);
        let (figures, step) = if place < FIRST_BUILDING {
            (&mut self.card_figures, Step::PayCard)
        } else {
            (&mut self.building_figures, Step::PayBuilding)
        };
        if payable {
            self.slot = slot as u8;
            self.ask(step);
        } else if figures[slot] == self.resolver as i8 {
            figures[slot] = -1;
        }
        payable
    }

    /// Dice are to be rolled for a resource, or for food.
    pub(super) fn roll(&mut self, dice: u8, kind: i8) {
        self.rolling = dice;
        self.rolling_for = kind;
        self.step = Step::Roll;
    }

    /// Plays the choice of the next place, or of a resource kept from before.
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

    /// Takes the first of two resources that were kept for later.
    pub(super) fn take_first_of_two(&mut self, id: u16) {
        self.two_holder = -1;
        self.picks = 2;
        self.ask(Step::TakeAny);
        self.take_any(id);
    }

    /// Plays the choice of any resource.
    #[inline(never)]
    pub(super) fn take_any(&mut self, id: u16) {
        self.gain(self.active, (id - ANY) as usize, 1);
        self.picks -= 1;
        if self.picks == 0 {
            if self.phase == Phase::Feed { self.ask(Step::Feed) } else { self.advance() }
        }
    }

    /// Plays a tool, or ends the roll.
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
                let tool = (id - super::menu::TOOL) as usize;
                self.dice += self.me().tools[tool];
                self.me_mut().used |= 1 << tool;
            }
        }
    }

    /// Gives the active player what a roll is worth.
    pub(super) fn collect(&mut self, kind: i8, sum: u8) {
        if kind < 0 {
            self.me_mut().food += u16::from(sum / FOOD_VALUE);
        } else {
            self.gain(self.active, kind as usize, u16::from(sum / VALUES[kind as usize]));
        }
    }

    /// Plays a payment for a building, or declines it.
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

    /// Plays a payment for a card, or declines it.
    #[inline(never)]
    pub(super) fn pay_card(&mut self, id: u16) {
        if id == DECLINE {
            self.card_figures[self.slot as usize] = -1;
            return self.advance();
        }
        self.pay(id);
        self.receive_card(self.slot as usize);
    }

    /// Pays, and says what was paid is worth.
    #[inline]
    fn pay(&mut self, id: u16) -> i16 {
        let pieces = PAYMENT[(id - PAY) as usize].to_le_bytes();
        for (kind, amount) in pieces.into_iter().enumerate() {
            self.give_back(kind, amount);
        }
        worth(pieces)
    }
}
