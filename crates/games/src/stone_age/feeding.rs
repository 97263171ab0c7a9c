//! The feeding phase, and the setup of the next round.

use super::legal::{ANY, FEED, PENALTY};
use super::{LAST_ROUND, Phase, Step, StoneAge};

/// The penalty of a tribe that is not fed, in points.
const PENALTY_POINTS: i16 = 10;

impl StoneAge {
    /// Starts the feeding phase of a round.
    pub(super) fn start_feeding(&mut self) {
        self.phase = Phase::Feed;
        self.asked = Step::Feed as u8 - 1;
        self.fed = 0;
        self.feed_from(self.first);
    }

    /// Feeds `seat` and the seats after it, up to the next decision.
    fn feed_from(&mut self, mut seat: u8) {
        while self.fed & (1 << seat) == 0 {
            self.active = seat;
            self.eat();
            if self.needed > 0 {
                self.paying = false;
                return self.await_decision(Step::Feed);
            }
            self.fed |= 1 << seat;
            seat = self.after(seat, 1);
        }
        self.end_round();
    }

    /// Pays with food, and sets the missing amount.
    fn eat(&mut self) {
        let keeps = self.keep_surplus_food();
        let me = self.me_mut();
        let mut need = u16::from(me.figures);
        if keeps {
            me.food += u16::from(me.agriculture);
        } else {
            need = need.saturating_sub(u16::from(me.agriculture));
        }
        let eaten = need.min(me.food);
        me.food -= eaten;
        self.needed = (need - eaten) as u8;
    }

    /// Pays a resource for a missing food, or takes the penalty.
    #[inline(never)]
    pub(super) fn feed(&mut self, id: u16) {
        match id {
            PENALTY => {
                self.me_mut().score -= PENALTY_POINTS;
                self.needed = 0;
            }
            FEED.. => {
                self.give_back((id - FEED) as usize, 1);
                self.needed -= 1;
                self.paying = self.pay_in_full();
            }
            _ => {
                debug_assert!(id >= ANY, "only kept resources are left");
                return self.take_first_of_two(id);
            }
        }
        if self.needed == 0 {
            self.paying = false;
            self.fed |= 1 << self.active;
            self.feed_from(self.after(self.active, 1));
        }
    }

    fn end_round(&mut self) {
        let empty_spaces = self.cards.iter().filter(|&&card| card < 0).count();
        let stacks = self.buildings.iter().zip(self.stacks).take(self.players as usize);
        let no_cards = self.deck.len() < empty_spaces;
        let no_tiles = stacks.into_iter().any(|(&building, tiles)| building < 0 && tiles == 0);
        if no_cards || no_tiles || self.round == LAST_ROUND {
            self.score_all();
            self.phase = Phase::Over;
            self.step = Step::Over;
            return;
        }
        self.round += 1;
        self.first = self.after(self.first, 1);
        self.active = self.first;
        self.phase = Phase::Place;
        self.asked = 0;
        self.places = [[0; 4]; 8];
        self.blocked = 0;
        self.passed = 0;
        self.card_figures = [-1; 4];
        self.building_figures = [-1; 4];
        for tribe in &mut self.tribes[..self.players as usize] {
            tribe.available = tribe.figures;
            tribe.used = 0;
        }
        self.slide_cards();
        self.reveal_next();
    }

    /// Moves the cards to the cheap end of the display.
    fn slide_cards(&mut self) {
        let mut to = 4;
        for from in (0..4).rev() {
            if self.cards[from] >= 0 {
                to -= 1;
                self.cards.swap(from, to);
            }
        }
    }

    /// Reveals the next missing card or building, or starts the placement phase.
    pub(super) fn reveal_next(&mut self) {
        if self.cards.contains(&-1) {
            self.step = Step::RevealCard;
        } else if self.open_stack().is_some() {
            self.step = Step::RevealTile;
        } else {
            self.start_placement();
        }
    }

    /// The first stack whose next tile is to be revealed.
    pub(super) fn open_stack(&self) -> Option<usize> {
        (0..self.players as usize).find(|&at| self.buildings[at] < 0 && self.stacks[at] > 0)
    }
}
