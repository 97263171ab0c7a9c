//! What follows from choosing cards, targets, permanents and payments.

use crate::magic::actions::Choice;
use crate::magic::damage::DamageSource;
use crate::magic::language::{Effect, Place, Replacement};
use crate::magic::machine::{Machine, Watch};
use crate::magic::state::order::Known;
use crate::magic::state::seat::{Seat, SeatSet};
use crate::magic::state::{ChosenTarget, EffectKind, FIRST_HAND, Question, Task};
use crate::magic::table::program::Step;

impl<W: Watch> Machine<'_, W> {
    pub(super) fn answer_mulligan(&mut self, seat: Seat, again: bool) {
        self.end_task();
        let mine = &mut self.seats[seat];
        if again {
            mine.mulligans += 1;
            let mut hand =
                std::mem::replace(&mut mine.hand, crate::magic::state::pile::Pile::EMPTY);
            hand.pour(&mut mine.library);
            if mine.mulligans < 6 {
                self.tasks.push(Task::Mulligan { seat });
            } else {
                let left = self.seats[seat].mulligans;
                self.tasks.push(Task::PutOnBottom { seat, left });
            }
            self.tasks.push(Task::draw(seat, FIRST_HAND));
        } else {
            let left = mine.mulligans;
            self.tasks.push(Task::PutOnBottom { seat, left });
        }
    }

    pub(super) fn answer_target(&mut self, choice: Choice) {
        if choice == Choice::No {
            self.announcement.target += 1;
            self.announcement.chosen = 0;
            return;
        }
        let target = self.chosen_target(choice);
        self.announcement.item.targets.push(target);
        self.announcement.chosen += 1;
    }

    pub(super) fn answer_pay(&mut self, choice: Choice) {
        let Choice::Slot(slot) = choice else { return };
        let kinds = self.colours_for_payment(slot);
        if kinds & (kinds - 1) == 0 {
            self.tap_for_mana(slot, kinds.trailing_zeros() as u8);
            self.pay_by_hand();
        } else {
            self.ask(self.announcement.item.you, Question::Colour(slot));
        }
    }

    pub(super) fn answer_card(&mut self, seat: Seat, choice: Choice) {
        let Some(&task) = self.tasks.last() else { return };
        let Choice::Card(number) = choice else {
            self.end_take();
            return;
        };
        let card = number.in_deck();
        match task {
            Task::Take { .. } => self.take(card),
            Task::Arrange { .. } => self.arrange_card(card),
            Task::ReturnCard { .. } => {
                self.end_task();
                let copied = self.idle_copy(number);
                self.take_from_graveyard(copied);
                self.put_card(number, Place::Hand, SeatSet::BOTH);
            }
            Task::PutOnBottom { .. } => {
                self.one_done();
                self.take_from_hand(seat, card);
                self.put_card(number, Place::Bottom, seat.bit());
            }
            _ => self.discard(seat, card),
        }
    }

    pub(super) fn answer_permanent(&mut self, choice: Choice) {
        let (Choice::Slot(slot), Some(task)) = (choice, self.tasks.last().copied()) else { return };
        self.one_done();
        if matches!(task, Task::TapOther { .. }) {
            self.tap(slot);
        } else {
            self.sacrifice(slot.bit());
        }
    }

    pub(super) fn answer_way(&mut self, choice: Choice) {
        let Choice::Number(number) = choice else { return };
        if let Some(Task::AsEnters { slot, step, .. }) = self.tasks.last().copied() {
            if let Some(Step::Choose { ways, .. }) = self.entering_step(slot, step) {
                self.continue_entering(ways[number as usize]);
            }
        } else if let Some(Step::Choose { ways, .. }) = self.running_step() {
            self.resolution.step = ways[number as usize];
        }
    }

    pub(super) fn answer_land_type(&mut self, choice: Choice) {
        let Choice::Number(number) = choice else { return };
        if let Some(Task::AsEnters { slot, step, .. }) = self.tasks.last().copied() {
            self.continue_entering(step + 1);
            self.board.memo[slot] = number + 1;
            self.board.dirty = true;
        } else {
            self.resolution.kept = number + 1;
        }
    }

    pub(super) fn answer_source(&mut self, choice: Choice) {
        let Some(Effect::Shield { to, instead, .. }) = self.running() else { return };
        let (source, item) = match choice {
            Choice::Slot(slot) => (Some(slot), 0),
            Choice::Item(place) => (None, DamageSource::of(&self.stack[place as usize]).item),
            _ => return,
        };
        let ctx = self.run_ctx();
        let found = self.refer(to, &ctx);
        let (instead, you) = (*instead as u8, ctx.you);
        let kind = |seat| EffectKind::Shields { source, item, seat, instead, you };
        if !found.slots.is_empty() {
            self.add_continuous_effect(
                found.slots,
                kind(None),
                crate::magic::state::Duration::EndOfTurn,
            );
        }
        for seat in found.seats.iter() {
            self.add_seat_effect(kind(Some(seat)));
        }
    }

    pub(super) fn answer_buy(&mut self, seat: Seat, buys: bool) {
        let Some(Task::BuyDraw { seat: drawer, card, counted }) = self.tasks.pop() else { return };
        let known = Known::new(card, SeatSet::BOTH);
        match self.price_of_draws().filter(|_| buys) {
            Some(life) => {
                self.seats[seat].life -= i16::from(life);
                self.put_card(known.card().of(drawer), Place::Graveyard, SeatSet::BOTH);
            }
            None if self.replaces(drawer, Replacement::DrawFromGraveyard) => {
                // The draw that comes of it is replaced in its turn.
                self.put_card(known.card().of(drawer), Place::Top, SeatSet::BOTH);
                self.return_instead_of_draw(drawer);
            }
            None => self.take_drawn_card(drawer, known, counted),
        }
    }

    pub(super) fn chosen_target(&mut self, choice: Choice) -> ChosenTarget {
        match choice {
            Choice::Slot(slot) => ChosenTarget::Slot(slot),
            Choice::Seat(seat) => ChosenTarget::Seat(seat),
            Choice::Item(place) => ChosenTarget::Item(self.stack[place as usize].id),
            Choice::Card(card) => {
                let (card, copy) = self.idle_copy(card);
                ChosenTarget::Card(card, copy)
            }
            _ => ChosenTarget::Illegal,
        }
    }
}
