//! Legal actions: the answers to each question.

use meeple_game::{Action, ActionList};

use crate::magic::actions::{self, ITEM, NO, NUMBER, YES};
use crate::magic::combat::declare::list_blocks;
use crate::magic::language::{Effect, Produce, Target, Type};
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::{Slot, Slots};
use crate::magic::state::{ChosenTarget, Item, Magic, Question, Task, rule};
use crate::magic::table::card::bits;
use crate::magic::zones::select::Found;

impl Magic {
    /// Replaces `out` by the answers to the question.
    pub(in crate::magic) fn list_legal(&self, out: &mut ActionList) {
        self.candidate_actions(out);
        if self.table.0.costly_mana {
            self.keep_payable(out);
        }
    }

    /// The answer to the question, if there is one alone.
    // Not inlined, for a list takes long to make.
    #[inline(never)]
    pub(in crate::magic) fn only_legal(&self) -> Option<Action> {
        let mut legal = ActionList::new();
        self.list_legal(&mut legal);
        match *legal {
            [only] => Some(only),
            _ => None,
        }
    }

    /// The answers to the question, even those after which an announcement
    /// could not be paid.
    pub(in crate::magic) fn candidate_actions(&self, out: &mut ActionList) {
        out.clear();
        let seat = self.asked;
        let mut add = |id: u16| out.push(Action(id));
        match self.question {
            Question::Nothing
            | Question::Over
            | Question::TopCard(_)
            | Question::RandomCard(..)
            | Question::Coin => {}
            Question::Priority => {
                let lands = self.lands_to_play(seat);
                if self.rules.stops && !lands.is_empty() {
                    lands.iter().for_each(|card| add(actions::card(card.of(seat), seat)));
                } else {
                    self.list_priority(seat, out);
                }
            }
            Question::May => {
                add(NO);
                if self.can_agree(seat) {
                    add(YES);
                } else {
                    self.costly_mana_actions(seat, &mut add);
                }
            }
            Question::Mana => self.costly_mana_actions(seat, &mut add),
            Question::Produce(card, ability) => {
                let ability = &self.def(card).mana[ability as usize];
                let (Produce::All(mana) | Produce::OneOf(mana)) = &ability.add;
                let kinds = mana.iter().fold(0_u8, |all, &kind| all | 1 << kind as u8);
                (0..6).filter(|kind| kinds >> kind & 1 == 1).for_each(|kind| add(NUMBER + kind));
            }
            Question::Mulligan | Question::StayTapped(_) | Question::Buy => {
                add(NO);
                if !matches!(self.question, Question::Buy) || self.can_buy(seat) {
                    add(YES);
                }
            }
            Question::Attack(slot) => {
                if !self.board.rules[rule::MUST_ATTACK].has(slot) {
                    add(NO);
                }
                add(YES);
            }
            Question::Block(slot) => {
                let (able, must) = self.block_choices(slot);
                list_blocks(able, must, out);
            }
            Question::Order(attacker) => {
                let left = self
                    .blockers_of(attacker)
                    .iter()
                    .filter(|&slot| self.board.memo[slot] & 0x7f == 0);
                left.for_each(|slot| add(actions::slot(slot)));
            }
            Question::Mode => {
                let item = &self.announcement.item;
                for (index, &program) in self.def(item.card).modes.iter().enumerate() {
                    if self.has_legal_targets(&Item { program, ..*item }) {
                        add(NUMBER + index as u16);
                    }
                }
            }
            Question::X(most) => {
                let item = &self.announcement.item;
                for x in 0..=most {
                    if self.has_legal_targets(&Item { x, ..*item }) {
                        add(NUMBER + u16::from(x));
                    }
                }
            }
            Question::Target => {
                if let Some(target) = self.target_now() {
                    if matches!(target, Target::UpTo(..)) {
                        add(NO);
                    }
                    self.add_found(&self.targets_left(target), seat, &mut add);
                }
            }
            Question::Pay => self.payers().iter().for_each(|slot| add(actions::slot(slot))),
            Question::Colour(slot) => {
                let kinds = self.colours_for_payment(slot);
                (0..6).filter(|kind| kinds >> kind & 1 == 1).for_each(|kind| add(NUMBER + kind));
            }
            Question::Card => self.card_actions(seat, &mut add),
            Question::Permanent | Question::Legend => {
                if let Some(task) = self.tasks.last() {
                    self.add_slots(self.slots_for(task), &mut add);
                }
            }
            Question::Way(count) | Question::Number(count) => {
                let count =
                    if matches!(self.question, Question::Number(_)) { count + 1 } else { count };
                (0..u16::from(count)).for_each(|number| add(NUMBER + number));
            }
            Question::LandType => (0..5).for_each(|number| add(NUMBER + number)),
            Question::Trigger => {
                for (index, pending) in self.pending.iter().enumerate() {
                    let alike = |other: &crate::magic::state::PendingTrigger| {
                        other.card == pending.card
                            && other.program == pending.program
                            && other.you == seat
                    };
                    if pending.you == seat && !self.pending[..index].iter().any(alike) {
                        add(ITEM + index as u16);
                    }
                }
            }
            Question::Source => {
                if let Some(Effect::Shield { from, .. }) = self.running() {
                    self.add_found(&self.damage_sources(from, &self.run_ctx()), seat, &mut add);
                }
            }
            Question::Retarget(id) => self.add_found(&self.new_targets(id), seat, &mut add),
            Question::Greatest => {
                if let Some(Effect::ChooseGreatest { what, .. }) = self.running() {
                    self.add_slots(self.greatest(seat, what, &self.run_ctx()), &mut add);
                }
            }
            Question::Assign(blocker) => {
                let (least, most) = self.assignable(blocker);
                (least..=most).for_each(|amount| add(NUMBER + amount));
            }
            Question::Instead(slot) => {
                let options = self.instead_options(slot);
                (0..16).filter(|kind| options >> kind & 1 == 1).for_each(|kind| add(NUMBER + kind));
            }
            Question::Bid => {
                add(NO);
                let most = self.seats[seat].life.clamp(0, i16::from(u8::MAX));
                (i16::from(self.resolution.bid.0) + 1..=most)
                    .for_each(|bid| add(NUMBER + bid as u16));
            }
        }
    }

    fn card_actions(&self, seat: Seat, add: &mut impl FnMut(u16)) {
        let Some(task) = self.tasks.last() else { return };
        let (owner, cards) = match *task {
            Task::ReturnCard { seat } => (seat, self.seats[seat].graveyard.kinds()),
            Task::Take { owner, .. } => (owner, self.cards_to_take(owner)),
            Task::Arrange { .. } => (self.aside_owner, self.aside.kinds()),
            _ => (task.seat(), self.hand_for(task)),
        };
        if matches!(task, Task::Take { least: 0, .. }) {
            add(NO);
        }
        cards.iter().for_each(|card| add(actions::card(card.of(owner), seat)));
    }

    fn add_found(&self, found: &Found, seat: Seat, add: &mut impl FnMut(u16)) {
        found.seats.iter().for_each(|player| add(actions::player(player, seat)));
        self.add_slots(found.slots, add);
        bits(u64::from(found.items)).for_each(|place| add(ITEM + u16::from(place)));
        for owner in Seat::BOTH {
            found.cards[owner].iter().for_each(|card| add(actions::card(card.of(owner), seat)));
        }
    }

    /// Adds permanents; of several that are alike in everything, the first.
    fn add_slots(&self, slots: Slots, add: &mut impl FnMut(u16)) {
        for slot in slots.iter() {
            if !self.has_twin(slots & slot.below(), slot) {
                add(actions::slot(slot));
            }
        }
    }

    /// Whether one of `others` is like `slot` in everything that matters.
    pub(in crate::magic) fn has_twin(&self, others: Slots, slot: Slot) -> bool {
        let board = &self.board;
        let alike = |other: Slot| {
            let same = |set: Slots| set.has(slot) == set.has(other);
            board.card[other] == board.card[slot]
                && same(board.controller)
                && same(board.tapped)
                && same(board.summoning_sick)
                && same(board.damaged)
                && same(board.attacked)
                && board.damage[other] == board.damage[slot]
                && board.counters[other] == board.counters[slot]
                && board.memo[other] == board.memo[slot]
                && board.power[other] == board.power[slot]
                && board.toughness[other] == board.toughness[slot]
                && !self.is_entangled(slot)
                && !self.is_entangled(other)
        };
        others.iter().any(alike)
    }

    /// Whether anything but the permanent itself points at it.
    fn is_entangled(&self, slot: Slot) -> bool {
        let board = &self.board;
        let aimed = |item: &Item| {
            item.source == Some(slot)
                || self.named(item.event).has(slot)
                || item.targets.contains(ChosenTarget::Slot(slot))
        };
        let named = |pending: &crate::magic::state::PendingTrigger| {
            pending.source == Some(slot) || self.named(pending.event).has(slot)
        };
        (board.attacking | board.blocking).has(slot)
            || self.effects.iter().any(|effect| effect.on.has(slot))
            || board.link[slot].is_some()
            || board.types[Type::Enchantment as usize]
                .iter()
                .any(|aura| board.link[aura] == Some(slot))
            || self.stack.iter().any(aimed)
            || self.delayed.iter().any(|later| named(&later.what))
            || self.pending.iter().any(named)
            || self.resolution.active
                && (aimed(&self.resolution.item) || self.resolution.chosen.contains(&Some(slot)))
            || self.announcement.active && aimed(&self.announcement.item)
            || self.clock.guard.0.contains(&Some(slot))
    }
}
