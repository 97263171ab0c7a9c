//! Card effects.

use super::data::{CARD, Top};
use super::legal::{DECLINE, FREE_CARD, GIFT};
use super::{Step, StoneAge};

impl StoneAge {
    /// Gives the active player the card on a space and applies its immediate effect.
    pub(super) fn receive_card(&mut self, slot: usize) {
        let kind = self.cards[slot] as usize;
        self.cards[slot] = -1;
        self.card_figures[slot] = -1;
        self.me_mut().cards.add(kind);
        match CARD[kind].top {
            Top::Food(food) => self.me_mut().food += u16::from(food),
            Top::Resource { kind, amount } => {
                self.gain(self.active, kind as usize, u16::from(amount));
            }
            Top::Points(points) => self.me_mut().score += i16::from(points),
            Top::Field => self.me_mut().raise_agriculture(),
            Top::Tool => self.me_mut().raise_tool(),
            Top::OneUse(2) if !self.card31_one_use() => {
                self.me_mut().raise_tool();
                self.me_mut().raise_tool();
            }
            Top::OneUse(value) => {
                self.me_mut().add_one_use(value);
            }
            Top::AnyTwo if self.free_action_order() && self.keep_two_resources() => {
                self.two_holder = self.active as i8;
            }
            Top::AnyTwo => {
                self.picks = 2;
                return self.await_decision(Step::TakeAny);
            }
            Top::Dice { kind } => return self.roll(2, kind as i8),
            Top::Gifts => {
                self.gifts = [-1; 4];
                self.gift = 0;
                self.step = if self.potpourri_joint() { Step::RollGifts } else { Step::RollGift };
                return;
            }
            Top::Draw if !self.draw_hidden_card() => return self.await_decision(Step::TakeCard),
            Top::Draw if self.deck.len() > 0 => {
                self.step = Step::DrawCard;
                return;
            }
            Top::Draw => {}
        }
        self.advance();
    }

    /// Applies the choice of a displayed card.
    #[inline(never)]
    pub(super) fn take_card(&mut self, id: u16) {
        if id == DECLINE {
            return self.advance();
        }
        self.receive_card((id - FREE_CARD) as usize);
    }

    /// Starts the choice of gift dice, beginning with the buyer.
    pub(super) fn offer_gifts(&mut self) {
        self.gift = 0;
        self.await_decision(Step::TakeGift);
    }

    /// Applies the choice of a gift die.
    #[inline(never)]
    pub(super) fn take_gift(&mut self, id: u16) {
        let die = (id - GIFT) as usize;
        match self.gifts[die] {
            4 => self.me_mut().raise_tool(),
            5 => self.me_mut().raise_agriculture(),
            kind => self.gain(self.active, kind as usize, 1),
        }
        self.gifts[die] = -1;
        self.gift += 1;
        if self.gift < self.players {
            self.active = self.after(self.active, 1);
        } else {
            self.advance();
        }
    }
}
