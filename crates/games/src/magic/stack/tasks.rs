//! Working on tasks: what takes several steps or questions.

use crate::magic::language::{Cost, Effect, Filter, Place};
use crate::magic::machine::{Machine, Watch};
use crate::magic::state::seat::{Seat, SeatSet};
use crate::magic::state::slots::{Slot, Slots};
use crate::magic::state::{Magic, Question, Task, TaskFilter, rule};
use crate::magic::table::card::{DeckCard, DeckCards};
use crate::magic::table::program::Step;
use crate::magic::zones::select::Ctx;

impl Magic {
    /// The instruction that is being followed.
    pub(in crate::magic) fn running(&self) -> Option<&'static Effect> {
        match self.running_step() {
            Some(Step::Do(effect)) => Some(effect),
            _ => None,
        }
    }

    /// The filter that a task goes by.
    pub(in crate::magic) fn task_filter(&self, at: TaskFilter) -> Option<&'static Filter> {
        let cost = |cost: &'static Cost| match cost {
            Cost::Sacrifice(_, filter) | Cost::TapOther(_, filter) | Cost::Discard(_, filter) => {
                Some(filter)
            }
            _ => None,
        };
        match at {
            TaskFilter::Any => None,
            TaskFilter::Instruction => match self.running()? {
                Effect::Sacrifice { what, .. } => Some(what),
                Effect::Discard { card, .. }
                | Effect::Take { card, .. }
                | Effect::RevealUntil { card, .. } => Some(card),
                _ => None,
            },
            TaskFilter::ManaAbilityCost { card, ability, part } => {
                let ability = self.def(card).mana.get(ability as usize)?;
                cost(ability.cost.get(part as usize)?)
            }
            TaskFilter::AnnouncedCost(part) => {
                let ability = self.activated(&self.announcement.item)?;
                cost(ability.cost.get(part as usize)?)
            }
            TaskFilter::ResolutionCost(part) => match self.running_step()? {
                Step::May { cost: parts, .. } => cost(parts.get(part as usize)?),
                _ => None,
            },
        }
    }

    /// What "you" and so on mean for a task of `seat`.
    fn task_ctx(&self, task: &Task) -> Ctx {
        let announced = task.filter().is_announced();
        let item = if announced { &self.announcement.item } else { &self.resolution.item };
        Ctx { you: task.seat(), ..Ctx::of_item(item) }
    }

    /// Cards in hand that the task on top may take.
    pub(in crate::magic) fn hand_for(&self, task: &Task) -> DeckCards {
        let seat = task.seat();
        let hand = &self.seats[seat].hand;
        match self.task_filter(task.filter()) {
            None => hand.kinds(),
            Some(filter) => {
                let ctx = self.task_ctx(task);
                let fits = |&card: &DeckCard| self.card_fits(filter, card.of(seat), &ctx);
                hand.iter().filter(fits).collect()
            }
        }
    }

    /// Permanents that the task on top may take.
    pub(in crate::magic) fn slots_for(&self, task: &Task) -> Slots {
        let mine = self.controlled(task.seat());
        match *task {
            Task::KeepLegend { card, .. } => {
                mine.iter().filter(|&slot| self.def_at(slot).name == self.def(card).name).collect()
            }
            _ => {
                let fits = self
                    .task_filter(task.filter())
                    .map_or(mine, |filter| self.matching(filter, &self.task_ctx(task)));
                let taps = matches!(task, Task::TapOther { .. });
                let able = if taps { !self.board.tapped } else { Slots::ALL };
                fits & mine & able
            }
        }
    }
}

impl<W: Watch> Machine<'_, W> {
    /// Goes on with the task on top.
    pub(in crate::magic) fn task(&mut self) {
        let Some(&task) = self.tasks.last() else { return };
        match task {
            Task::Draw { seat, left, counted, choice } => {
                self.draw_on(seat, left, counted, choice);
            }
            Task::DrawUpTo { seat, most } => self.ask(seat, Question::Number(most)),
            Task::BuyDraw { seat, .. } => self.ask(seat.other(), Question::Buy),
            Task::ReturnCard { seat } => self.ask(seat, Question::Card),
            Task::Discard { seat, left, .. } | Task::PutOnBottom { seat, left } => {
                if left == 0 || self.hand_for(&task).is_empty() {
                    self.end_task();
                } else {
                    self.ask(seat, Question::Card);
                }
            }
            Task::DiscardAtRandom { seat, left, .. } => self.discard_at_random(&task, seat, left),
            Task::Sacrifice { seat, left, .. } | Task::TapOther { seat, left, .. } => {
                if left == 0 || self.slots_for(&task).is_empty() {
                    self.end_task();
                } else {
                    self.ask(seat, Question::Permanent);
                }
            }
            Task::KeepLegend { seat, .. } => self.ask(seat, Question::Legend),
            Task::Take { seat, owner, left, .. } => {
                if left == 0 || self.cards_to_take(owner).is_empty() {
                    self.end_take();
                } else {
                    self.ask(seat, Question::Card);
                }
            }
            Task::Arrange { seat, .. } => self.arrange_on(seat),
            Task::Mill { seat, left } => self.mill_on(seat, left),
            Task::Look { seat, left, seen } => self.look_on(seat, left, seen),
            Task::RevealUntil { seat } => self.reveal_on(seat),
            Task::Mulligan { seat } => self.ask(seat, Question::Mulligan),
            Task::Untap { seat, after } => self.untap_on(seat, after),
            Task::AsEnters { seat, slot, step } => self.as_enters_on(seat, slot, step),
            Task::DeclareAttackers { seat, after } => self.declare_attackers(seat, after),
            Task::DeclareBlockers { seat, after } => self.declare_blockers(seat, after),
            Task::OrderBlockers { seat, .. } => self.order_blockers(seat),
            Task::Die => self.die_on(),
            Task::CombatDamage { .. } | Task::InstructionDamage | Task::ManaDamage { .. } => {
                self.damage_on(task);
            }
            Task::AssignDamage { seat, first_strike } => self.assign_on(seat, first_strike),
        }
    }

    pub(in crate::magic) fn end_task(&mut self) {
        self.tasks.pop();
    }

    /// Counts one thing of the task on top as done.
    pub(in crate::magic) fn one_done(&mut self) {
        if let Some(task) = self.tasks.last_mut() {
            task.count_one();
        }
    }

    fn discard_at_random(&mut self, task: &Task, seat: Seat, left: u8) {
        let kinds = self.hand_for(task);
        if left == 0 || kinds.is_empty() {
            self.end_task();
        } else if let Some(card) = kinds.only() {
            self.discard(seat, card);
        } else {
            self.question = Question::RandomCard(seat);
        }
    }

    /// Discards a card for the task on top.
    pub(in crate::magic) fn discard(&mut self, seat: Seat, card: DeckCard) {
        self.one_done();
        self.resolution.kept = self.resolution.kept.saturating_add(1);
        self.take_from_hand(seat, card);
        self.put_card(card.of(seat), Place::Graveyard, SeatSet::BOTH);
    }

    fn untap_on(&mut self, seat: Seat, after: Option<Slot>) {
        let may =
            self.board.rules[rule::MAY_STAY_TAPPED] & self.board.tapped & self.controlled(seat);
        match may.above(after).first() {
            Some(slot) => self.ask(seat, Question::StayTapped(slot)),
            None => self.end_task(),
        }
    }

    /// 614.12: the choices of a permanent that enters.
    fn as_enters_on(&mut self, seat: Seat, slot: Slot, step: u8) {
        let card = self.board.card[slot];
        let Some(program) = self.def(card).as_enters else {
            self.end_task();
            return;
        };
        let ctx = Ctx::new(seat, Some(slot), card);
        let next = match self.def(card).programs[program as usize].steps.get(step as usize) {
            None => {
                self.end_task();
                return;
            }
            Some(Step::Do(Effect::ChooseLandType)) => {
                self.ask(seat, Question::LandType);
                return;
            }
            Some(Step::Choose { ways, .. }) => {
                self.ask(seat, Question::Way(ways.len() as u8));
                return;
            }
            Some(Step::Jump(to)) => *to,
            Some(Step::Do(effect @ (Effect::Becomes { .. } | Effect::Gets { .. }))) => {
                let at = crate::magic::state::At { card, program, step };
                self.perform_at(effect, &ctx, at);
                step + 1
            }
            Some(Step::Do(effect)) => {
                self.perform(effect, &ctx);
                step + 1
            }
            Some(_) => step + 1,
        };
        self.continue_entering(next);
    }

    /// The permanent that entered last continues with this step of its program.
    pub(in crate::magic) fn continue_entering(&mut self, next: u8) {
        let entering = self.tasks.iter_mut().rev().find_map(|task| match task {
            Task::AsEnters { step, .. } => Some(step),
            _ => None,
        });
        if let Some(step) = entering {
            *step = next;
        }
    }
}
