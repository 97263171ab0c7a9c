//! What a player may do: the numbers of the actions, and which are legal.

use super::data::{BUILDING, Building, FIRST_PAYMENT, PAYMENT, covers, kinds, payment_of};
use super::{HUNT, Step, StoneAge};

/// `PLACE + 7 * place + figures - 1` for the four resource places.
pub(super) const PLACE: u16 = 0;
/// `+ figures - 1`, up to ten.
pub(super) const PLACE_HUNT: u16 = 28;
pub(super) const PLACE_TOOL_MAKER: u16 = 38;
pub(super) const PLACE_FIELD: u16 = 39;
pub(super) const PLACE_HUT: u16 = 40;
/// `+ space`, the dearest first.
pub(super) const PLACE_CARD: u16 = 41;
/// `+ stack`.
pub(super) const PLACE_BUILDING: u16 = 45;
pub(super) const PLACE_PASS: u16 = 49;
/// `+ tool`.
pub(super) const TOOL: u16 = 50;
/// `+ its number among the player's one-use tools`.
pub(super) const ONE_USE: u16 = 53;
pub(super) const TOOLS_DONE: u16 = 61;
/// `+ payment`.
pub(super) const PAY: u16 = 62;
/// `+ resource`.
pub(super) const ANY: u16 = 391;
/// `+ die`.
pub(super) const GIFT: u16 = 395;
/// `+ space`.
pub(super) const FREE_CARD: u16 = 399;
/// `+ resource`.
pub(super) const FEED: u16 = 403;
pub(super) const PENALTY: u16 = 407;
pub(super) const DECLINE: u16 = 408;
/// `+ place`, in the fixed order of the actions module; unused there.
pub(super) const RESOLVE: u16 = 409;
/// The number of action ids.
pub(super) const ACTIONS: usize = 425;

impl StoneAge {
    /// Adds every legal action, in ascending order.
    #[inline]
    pub(super) fn menu(&self, mut add: impl FnMut(u16)) {
        match self.step {
            Step::Place => self.menu_place(add),
            Step::Choose => self.menu_choose(add),
            Step::Tools => self.menu_tools(add),
            Step::PayBuilding => self.menu_pay_building(add),
            Step::PayCard => {
                let cost = 4 - self.slot as usize;
                self.menu_payments(cost, cost, 0, &mut add);
                if self.may_decline() {
                    add(DECLINE);
                }
            }
            Step::TakeAny => self.menu_any(&mut add),
            Step::TakeGift => self.menu_gifts(add),
            Step::TakeCard => self.menu_cards(add),
            Step::Feed => self.menu_feed(add),
            _ => {}
        }
    }

    fn menu_place(&self, mut add: impl FnMut(u16)) {
        let mut found = false;
        let free = u16::from(self.me().available);
        for place in 0..4 {
            let most = free.min(u16::from(self.room(place)));
            for figures in 0..most {
                add(PLACE + 7 * place as u16 + figures);
            }
            found |= most > 0;
        }
        if self.places[HUNT][self.active as usize] == 0 {
            for figures in 0..free {
                add(PLACE_HUNT + figures);
            }
            found |= free > 0;
        }
        for place in [PLACE_TOOL_MAKER, PLACE_FIELD, PLACE_HUT] {
            if self.village_is_open(place) {
                add(place);
                found = true;
            }
        }
        if free > 0 {
            for slot in 0..4 {
                if self.cards[slot] >= 0 && self.card_figures[slot] < 0 {
                    add(PLACE_CARD + slot as u16);
                    found = true;
                }
            }
            for stack in 0..4 {
                if self.buildings[stack] >= 0 && self.building_figures[stack] < 0 {
                    add(PLACE_BUILDING + stack as u16);
                    found = true;
                }
            }
        }
        if !found || !self.must_place() {
            add(PLACE_PASS);
        }
    }

    fn menu_choose(&self, mut add: impl FnMut(u16)) {
        if self.two_holder == self.active as i8 {
            self.menu_any(&mut add);
        }
        let mut offered = self.offered();
        if offered == 0 {
            add(DECLINE);
        }
        while offered != 0 {
            add(RESOLVE + offered.trailing_zeros() as u16);
            offered &= offered - 1;
        }
    }

    fn menu_tools(&self, mut add: impl FnMut(u16)) {
        let me = self.me();
        for tool in 0..3 {
            if me.tools[tool] > 0 && me.used & (1 << tool) == 0 {
                add(TOOL + tool as u16);
            }
        }
        for tool in 0..u16::from(me.one_use_count()) {
            add(ONE_USE + tool);
        }
        add(TOOLS_DONE);
    }

    fn menu_pay_building(&self, mut add: impl FnMut(u16)) {
        match BUILDING[self.buildings[self.slot as usize] as usize] {
            Building::Fixed { cost } => add(PAY + payment_of(cost) as u16),
            Building::Variable { total, kinds } => {
                self.menu_payments(total as usize, total as usize, u32::from(kinds), &mut add);
            }
            Building::OneToSeven => self.menu_payments(1, 7, 0, &mut add),
        }
        if self.may_decline() {
            add(DECLINE);
        }
    }

    /// Payments of `fewest` to `most` pieces, of exactly `exact_kinds` unless
    /// that is 0.
    #[inline]
    fn menu_payments(
        &self,
        fewest: usize,
        most: usize,
        exact_kinds: u32,
        add: &mut impl FnMut(u16),
    ) {
        let purse = self.me().purse();
        let most = most.min(self.me().wealth() as usize);
        if most < fewest {
            return;
        }
        let (first, last) = (FIRST_PAYMENT[fewest], FIRST_PAYMENT[most + 1]);
        let payments = &PAYMENT[first as usize..last as usize];
        for (id, &payment) in (PAY + first..).zip(payments) {
            if covers(purse, payment) && (exact_kinds == 0 || kinds(payment) == exact_kinds) {
                add(id);
            }
        }
    }

    fn menu_any(&self, add: &mut impl FnMut(u16)) {
        // A choice from an empty supply gives nothing, and is one answer.
        if self.supply == [0; 4] {
            add(ANY);
            return;
        }
        for kind in 0..4 {
            if self.supply[kind] > 0 {
                add(ANY + kind as u16);
            }
        }
    }

    fn menu_gifts(&self, mut add: impl FnMut(u16)) {
        for die in 0..self.players as usize {
            let face = self.gifts[die];
            // Equal dice are one choice where dice are rolled together.
            let again = self.potpourri_joint() && self.gifts[..die].contains(&face);
            if face >= 0 && !again {
                add(GIFT + die as u16);
            }
        }
    }

    fn menu_cards(&self, mut add: impl FnMut(u16)) {
        if self.cards == [-1; 4] {
            add(DECLINE);
            return;
        }
        for slot in 0..4 {
            if self.cards[slot] >= 0 {
                add(FREE_CARD + slot as u16);
            }
        }
    }

    fn menu_feed(&self, mut add: impl FnMut(u16)) {
        let me = self.me();
        let holds = self.two_holder == self.active as i8;
        let within_reach = me.wealth() + if holds { 2 } else { 0 } >= u16::from(self.needed);
        let may_pay = !self.pay_in_full() || within_reach;
        if may_pay && holds {
            self.menu_any(&mut add);
        }
        for kind in 0..4 {
            if may_pay && me.resources[kind] > 0 {
                add(FEED + kind as u16);
            }
        }
        if !self.paying {
            add(PENALTY);
        }
    }

    /// The only legal action, where a player is asked and there is just one.
    #[inline]
    pub(super) fn only_answer(&self) -> Option<u16> {
        if self.step as u8 > Step::Feed as u8 || self.is_open() {
            return None;
        }
        let (mut count, mut first) = (0, 0);
        self.menu(|id| {
            first = if count == 0 { id } else { first };
            count += 1;
        });
        (count == 1).then_some(first)
    }

    /// Whether there is plainly more than one answer: what saves most states
    /// from listing them all.
    #[inline]
    fn is_open(&self) -> bool {
        let me = self.me();
        match self.step {
            Step::Place => me.available > 1 && self.places[HUNT][self.active as usize] == 0,
            Step::Tools => me.one_use != 0 || (me.tools[0] > 0 && me.used & 1 == 0),
            Step::PayCard | Step::PayBuilding => self.may_decline(),
            _ => false,
        }
    }
}
