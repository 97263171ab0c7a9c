//! Applying an action: what follows from an answer.

use meeple_game::Action;

use crate::magic::actions::{self, Choice};
use crate::magic::language::{Cost, Place, Produce, Zone};
use crate::magic::machine::{Event, Machine, Watch};
use crate::magic::state::order::Known;
use crate::magic::state::seat::{Seat, SeatSet};
use crate::magic::state::slots::{Slot, Slots};
use crate::magic::state::{Magic, Owed, Question, Task, TaskFilter, rule};
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
}

impl Magic {
    pub(super) fn entering_step(&self, slot: Slot, step: u8) -> Option<&'static Step> {
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
