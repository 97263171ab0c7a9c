//! Applying an action: what follows from an answer.

use meeple_game::Action;

use crate::magic::actions::{self, Choice};
use crate::magic::damage::DamageSource;
use crate::magic::language::{Cost, Effect, Place, Produce, Replacement, Zone};
use crate::magic::machine::{Event, Machine, Watch};
use crate::magic::state::order::Known;
use crate::magic::state::seat::{Seat, SeatSet};
use crate::magic::state::slots::{Slot, Slots};
use crate::magic::state::{
    ChosenTarget, EffectKind, FIRST_HAND, Magic, Owed, Question, Task, TaskFilter, rule,
};
use crate::magic::table::card::{CardId, DeckCard};
use crate::magic::table::program::Step;
use crate::magic::zones::select::Ctx;

impl<W: Watch> Machine<'_, W> {
    /// Answers a question that has one answer. Whether it had.
    pub(in crate::magic) fn answer_if_forced(&mut self) -> bool {
        match self.question {
            _ if self.is_listed => self.answer_if_only(),
            Question::Over | Question::TopCard(_) | Question::RandomCard(_) | Question::Coin => {
                false
            }
            Question::Priority if self.rules.stops => self.play_only_land(),
            // A player who cannot act is not asked at all.
            Question::Priority | Question::Mulligan | Question::StayTapped(_) | Question::May => {
                false
            }
            Question::Attack(slot) if !self.board.rules[rule::MUST_ATTACK].has(slot) => false,
            // A creature that could block nothing is not asked about either.
            Question::Block(slot) if !self.block_choices(slot).1 => false,
            _ => self.answer_if_only(),
        }
    }

    /// Answers with the one legal action there is. Whether there was one alone.
    fn answer_if_only(&mut self) -> bool {
        let Some(only) = self.only_action() else { return false };
        self.show(Event::Automatic(only));
        self.answer(only);
        true
    }

    /// Plays a legal action or a chance outcome, up to the next piece of work.
    pub(in crate::magic) fn answer(&mut self, action: Action) {
        self.is_listed = false;
        let seat = self.asked;
        let question = std::mem::replace(&mut self.question, Question::Nothing);
        let choice = actions::choice(action, seat);
        self.clock.settled &= matches!(question, Question::Priority);
        match question {
            Question::Nothing | Question::Over => {}
            Question::TopCard(owner) => {
                let known = Known::new(DeckCard::new(action.0 as u8), SeatSet::NONE);
                self.seats[owner].library.take(known.card());
                match self.tasks.last() {
                    // Nothing has replaced the draw, or nobody would have been asked.
                    Some(&Task::Draw { seat, left, counted, .. }) => {
                        self.draw_card(seat, known, left, counted);
                    }
                    _ => self.seats[owner].order.push_top(known),
                }
            }
            Question::RandomCard(owner) => self.discard(owner, DeckCard::new(action.0 as u8)),
            Question::Coin => {
                if let (0, Some(Step::Flip(lose))) = (action.0, self.running_step()) {
                    self.resolution.step = *lose;
                }
            }
            Question::Priority => self.act(seat, choice),
            Question::Mulligan => self.answer_mulligan(seat, choice == Choice::Yes),
            Question::Attack(slot) => {
                if choice == Choice::Yes {
                    self.board.attacking |= slot.bit();
                }
                self.task_after(slot);
            }
            Question::Block(slot) => {
                if let Choice::Slot(attacker) = choice {
                    self.board.blocking |= slot.bit();
                    self.board.link[slot] = Some(attacker);
                }
                self.task_after(slot);
            }
            Question::Order(_) => {
                let task = self.tasks.last_mut();
                if let (Choice::Slot(slot), Some(Task::OrderBlockers { placed, .. })) =
                    (choice, task)
                {
                    *placed += 1;
                    let place = *placed;
                    self.board.memo[slot] |= place & 0x7f;
                }
            }
            Question::Mode => {
                if let Choice::Number(mode) = choice {
                    self.announcement.item.program =
                        self.def(self.announcement.item.card).modes[mode as usize];
                }
            }
            Question::X(_) => {
                if let Choice::Number(x) = choice {
                    self.announcement.item.x = x;
                }
            }
            Question::Target => self.answer_target(choice),
            Question::Pay => self.answer_pay(choice),
            Question::Colour(slot) => {
                if let Choice::Number(kind) = choice {
                    self.tap_for_mana(slot, kind);
                    self.pay_by_hand();
                }
            }
            Question::Mana => {
                if let Choice::Use(slot, number) = choice {
                    self.begin_ability(seat, slot, number);
                }
            }
            Question::Produce(..) => {
                if let Choice::Number(kind) = choice {
                    self.add_mana(seat, kind, 1);
                }
            }
            Question::Card => self.answer_card(seat, choice),
            Question::Permanent => self.answer_permanent(choice),
            Question::May => {
                if choice == Choice::Yes {
                    self.pay_for_may(seat);
                } else if let Choice::Use(slot, number) = choice {
                    // The question comes again with the mana there.
                    self.resolution.step -= 1;
                    self.begin_ability(seat, slot, number);
                } else if let Some(Step::May { otherwise, .. }) = self.running_step() {
                    self.resolution.step = *otherwise;
                }
            }
            Question::Way(_) => self.answer_way(choice),
            Question::Number(_) => {
                if let (Choice::Number(left), Some(task)) = (choice, self.tasks.last_mut()) {
                    let seat = task.seat();
                    *task = Task::Draw { seat, left, counted: true, choice: None };
                }
            }
            Question::LandType => self.answer_land_type(choice),
            Question::Trigger => {
                if let Choice::Item(index) = choice {
                    self.place_trigger(index as usize);
                }
            }
            Question::Source => self.answer_source(choice),
            Question::Retarget(id) => {
                let target = self.chosen_target(choice);
                if let Some(item) = self.stack.iter_mut().find(|item| item.id == id) {
                    item.targets.set(0, target);
                }
            }
            Question::StayTapped(slot) => {
                if choice == Choice::No {
                    self.untap(slot.bit());
                }
                self.task_after(slot);
            }
            Question::Greatest => {
                if let Choice::Slot(slot) = choice {
                    self.choose_thing(Some(slot));
                }
            }
            Question::Buy => self.answer_buy(seat, choice == Choice::Yes),
            Question::Bid => match choice {
                Choice::Number(bid) => {
                    self.resolution.bid = (bid, Some(seat));
                    self.next_bid(seat.other());
                }
                _ => self.end_auction(),
            },
            Question::Assign(blocker) => {
                if let Choice::Number(amount) = choice {
                    self.assigned.push((blocker, amount));
                }
            }
            Question::Instead(slot) => {
                if let Choice::Number(kind) = choice {
                    self.answer_instead(slot, kind);
                }
            }
            Question::Legend => {
                if let (Choice::Slot(kept), Some(task)) = (choice, self.tasks.pop()) {
                    let others = self.slots_for(&task) & !kept.bit();
                    self.move_all(others, Place::Graveyard);
                }
            }
        }
    }

    /// The task on top goes on after this slot.
    fn task_after(&mut self, slot: Slot) {
        if let Some(
            Task::Untap { after, .. }
            | Task::DeclareAttackers { after, .. }
            | Task::DeclareBlockers { after, .. },
        ) = self.tasks.last_mut()
        {
            *after = Some(slot);
        }
    }

    fn act(&mut self, seat: Seat, choice: Choice) {
        self.clock.settled &= choice == Choice::No;
        match choice {
            Choice::Card(card) => self.begin_cast(seat, card),
            Choice::Use(slot, number) => self.begin_ability(seat, slot, number),
            Choice::Recall(card) => {
                let card = card.of(seat);
                let available = self.available_mana(seat);
                let abilities = self
                    .def(card)
                    .activated
                    .iter()
                    .filter(|ability| ability.from == Zone::Graveyard);
                let usable = abilities
                    .enumerate()
                    .find(|(_, ability)| self.can_use(seat, None, card, ability, &available));
                if let Some((number, ability)) = usable {
                    let mut item = self.ability_item(seat, None, card, ability);
                    item.source_copy = self.idle_copy(card).1;
                    self.begin_use(item, number as u8);
                }
            }
            _ => self.pass(),
        }
    }

    pub(in crate::magic) fn begin_ability(&mut self, seat: Seat, slot: Slot, number: u8) {
        let nth = self.abilities_of(slot).nth(number as usize);
        if let Some((card, ability)) = nth {
            let item = self.ability_item(seat, Some(slot), card, ability);
            self.begin_use(item, number);
            return;
        }
        let others = self.abilities_of(slot).count();
        let card = self.board.card[slot];
        let index = (self.def(card).mana.iter().enumerate())
            .filter(|(_, ability)| !ability.free)
            .nth(number as usize - others)
            .map(|(index, _)| index);
        if let Some(index) = index {
            self.use_mana_ability(seat, slot, card, index as u8);
        }
    }

    /// 605.3b: a mana ability with costs of its own, at once.
    fn use_mana_ability(&mut self, seat: Seat, slot: Slot, card: CardId, index: u8) {
        let ability = &self.def(card).mana[index as usize];
        let ctx = Ctx::new(seat, Some(slot), card);
        if ability.cost.contains(&Cost::Tap) {
            // First, so that it does not pay for itself.
            self.tap(slot);
        }
        for cost in &ability.cost {
            if let Cost::Mana(mana) = cost {
                self.pay(seat, Owed::new(mana, 0, None));
            }
        }
        match &ability.add {
            Produce::All(mana) => {
                for &kind in mana {
                    self.add_mana(seat, kind as u8, 1);
                }
            }
            Produce::OneOf(_) => self.ask(seat, Question::Produce(card, index)),
        }
        if ability.cost.contains(&Cost::Tap) {
            self.emit_for(crate::magic::table::listen::MANA, slot);
        }
        if let Some(program) = ability.program {
            self.perform_all(card, program, &ctx);
        }
        for (part, cost) in ability.cost.iter().enumerate() {
            if !matches!(cost, Cost::Tap) {
                let (ability, part) = (index, part as u8);
                let filter = TaskFilter::ManaAbilityCost { card, ability, part };
                self.pay_part(cost, filter, &ctx);
            }
        }
        self.clock.passes = 0;
    }

    fn answer_mulligan(&mut self, seat: Seat, again: bool) {
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

    fn answer_target(&mut self, choice: Choice) {
        if choice == Choice::No {
            self.announcement.target += 1;
            self.announcement.chosen = 0;
            return;
        }
        let target = self.chosen_target(choice);
        self.announcement.item.targets.push(target);
        self.announcement.chosen += 1;
    }

    fn answer_pay(&mut self, choice: Choice) {
        let Choice::Slot(slot) = choice else { return };
        let kinds = self.colours_for_payment(slot);
        if kinds & (kinds - 1) == 0 {
            self.tap_for_mana(slot, kinds.trailing_zeros() as u8);
            self.pay_by_hand();
        } else {
            self.ask(self.announcement.item.you, Question::Colour(slot));
        }
    }

    fn answer_card(&mut self, seat: Seat, choice: Choice) {
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

    fn answer_permanent(&mut self, choice: Choice) {
        let (Choice::Slot(slot), Some(task)) = (choice, self.tasks.last().copied()) else { return };
        self.one_done();
        if matches!(task, Task::TapOther { .. }) {
            self.tap(slot);
        } else {
            self.sacrifice(slot.bit());
        }
    }

    fn answer_way(&mut self, choice: Choice) {
        let Choice::Number(number) = choice else { return };
        if let Some(Task::AsEnters { slot, step, .. }) = self.tasks.last().copied() {
            if let Some(Step::Choose { ways, .. }) = self.entering_step(slot, step) {
                self.continue_entering(ways[number as usize]);
            }
        } else if let Some(Step::Choose { ways, .. }) = self.running_step() {
            self.resolution.step = ways[number as usize];
        }
    }

    fn answer_land_type(&mut self, choice: Choice) {
        let Choice::Number(number) = choice else { return };
        if let Some(Task::AsEnters { slot, step, .. }) = self.tasks.last().copied() {
            self.continue_entering(step + 1);
            self.board.memo[slot] = number + 1;
            self.board.dirty = true;
        } else {
            self.resolution.kept = number + 1;
        }
    }

    fn answer_source(&mut self, choice: Choice) {
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

    fn answer_buy(&mut self, seat: Seat, buys: bool) {
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

    fn chosen_target(&mut self, choice: Choice) -> ChosenTarget {
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

impl Magic {
    fn entering_step(&self, slot: Slot, step: u8) -> Option<&'static Step> {
        let def = self.def_at(slot);
        def.programs[def.as_enters? as usize].steps.get(step as usize)
    }

    /// What may be tapped for the announced cost: the rest must stay payable.
    pub(super) fn payers(&self) -> Slots {
        let seat = self.announcement.item.you;
        self.mana_sources(seat).iter().filter(|&slot| self.colours_for_payment(slot) != 0).collect()
    }

    /// The mana that a permanent could make for the announced cost, one bit
    /// each.
    pub(super) fn colours_for_payment(&self, slot: Slot) -> u8 {
        let seat = self.announcement.item.you;
        let kinds = self.mana_of(slot);
        (0..6)
            .filter(|&kind| kinds >> kind & 1 == 1 && self.stays_payable(seat, slot, kind))
            .fold(0, |all, kind| all | 1 << kind)
    }

    /// Whether the cost can still be paid after this permanent made this mana
    /// for it.
    fn stays_payable(&self, seat: Seat, slot: Slot, kind: u8) -> bool {
        let mut after = *self;
        after.board.tapped |= slot.bit();
        let pool = &mut after.seats[seat].pool[kind as usize];
        *pool = pool.saturating_add(self.mana_amount(slot));
        let owed = self.announcement.owed;
        let useful = owed.generic() > 0 || owed.of_kind(kind as usize) > 0;
        useful && after.available_mana(seat).pays(owed)
    }
}
