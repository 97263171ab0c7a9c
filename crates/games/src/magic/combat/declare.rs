//! 506 to 511: attackers, blockers, and the damage they deal.

use meeple_game::{Action, ActionList, Rng};

use crate::magic::actions;
use crate::magic::language::Keyword;
use crate::magic::machine::{Machine, Note, Watch};
use crate::magic::stack::triggers::TriggerEvent;
use crate::magic::state::row::Row;
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::{Slot, Slots};
use crate::magic::state::{Phase, Question, Task, rule};
use crate::magic::table::listen;

impl<W: Watch> Machine<'_, W> {
    /// Asks about the next possible attacker.
    pub(in crate::magic) fn declare_attackers(&mut self, seat: Seat, after: Option<Slot>) {
        let left = (self.possible_attackers() & !self.board.attacking).above(after);
        match left.first() {
            Some(slot) => self.ask(seat, Question::Attack(slot)),
            None => {
                self.end_task();
                self.attack();
            }
        }
    }

    /// 508.1f, 508.1m: the attackers are declared.
    fn attack(&mut self) {
        let attackers = self.board.attacking;
        self.board.attacked |= attackers;
        self.board.dirty |= !attackers.is_empty();
        for slot in (attackers & !self.with(Keyword::Vigilance)).iter() {
            self.tap(slot);
        }
        for slot in attackers.iter() {
            self.watch.note(Note::Attack(self.controller(slot).into()));
            self.emit_for(listen::ATTACKS, slot);
        }
    }

    /// Asks about the next possible blocker.
    pub(in crate::magic) fn declare_blockers(&mut self, seat: Seat, after: Option<Slot>) {
        let left = (self.possible_blockers() & !self.board.blocking).above(after);
        for slot in left.iter() {
            let (able, must) = self.block_choices(slot);
            if !able.is_empty() {
                self.ask(seat, Question::Block(slot));
                self.list(|legal| list_blocks(able, must, legal));
                return;
            }
        }
        self.end_task();
        self.block();
    }

    /// Declares the rest of the attackers at random, from the one that is asked about on. How
    /// many decisions that were: each takes a number, as if they were asked for one by one.
    pub(in crate::magic) fn attack_at_random(&mut self, first: Slot, rng: &mut Rng) -> u64 {
        let left = self.possible_attackers() & !self.board.attacking & !first.below();
        let must = self.board.rules[rule::MUST_ATTACK];
        let mut decisions = 0;
        for slot in left.iter() {
            let attacks = must.has(slot) || {
                decisions += 1;
                rng.below(2) == 1
            };
            self.board.attacking.put(slot, attacks);
        }
        self.end_declaration();
        self.attack();
        decisions
    }

    /// Declares the rest of the blockers at random, from the one that is asked about on. How
    /// many decisions that were: each takes a number, as if they were asked for one by one.
    pub(in crate::magic) fn block_at_random(&mut self, first: Slot, rng: &mut Rng) -> u64 {
        let left = self.possible_blockers() & !self.board.blocking & !first.below();
        let mut decisions = 0;
        for slot in left.iter() {
            let (able, must) = self.block_choices(slot);
            // Not to block comes first, where that is possible.
            let choices = usize::from(!must && !able.is_empty()) + able.len();
            let pick = if choices > 1 {
                decisions += 1;
                rng.below(choices)
            } else {
                0
            };
            let pick = if must { Some(pick) } else { pick.checked_sub(1) };
            if let Some(attacker) = pick.and_then(|pick| able.iter().nth(pick)) {
                self.board.blocking |= slot.bit();
                self.board.link[slot] = Some(attacker);
            }
        }
        self.end_declaration();
        self.block();
        decisions
    }

    /// The question of the task on top is answered, and so is all of the task.
    fn end_declaration(&mut self) {
        self.question = Question::Nothing;
        self.clock.settled = false;
        self.is_listed = false;
        self.end_task();
    }

    /// 509.1h, 509.3: the blocks are declared.
    fn block(&mut self) {
        for attacker in (self.board.attacking & self.with(Keyword::Menace)).iter() {
            if let Some(alone) = self.blockers_of(attacker).only() {
                self.leave_combat(alone);
            }
        }
        for blocker in self.board.blocking.iter() {
            if let Some(attacker) = self.board.link[blocker] {
                self.board.blocked |= attacker.bit();
            }
            self.watch.note(Note::Block(self.controller(blocker).into()));
        }
        if !self.board.blocking.is_empty() {
            self.board.dirty = true;
            self.emit_blocks();
            let seat = self.clock.active;
            self.tasks.push(Task::OrderBlockers { seat, placed: 0 });
        }
    }

    fn emit_blocks(&mut self) {
        if self.board.listening & listen::BLOCKS == 0 {
            return;
        }
        let told = |slot, other, amount, card| TriggerEvent {
            slot: Some(slot),
            other,
            amount,
            card,
            ..TriggerEvent::new(listen::BLOCKS)
        };
        for attacker in self.board.blocked.iter() {
            self.emit(told(attacker, None, 0, self.board.card[attacker]));
        }
        for blocker in self.board.blocking.iter() {
            let Some(attacker) = self.board.link[blocker] else { continue };
            let cards = (self.board.card[blocker], self.board.card[attacker]);
            self.emit(told(blocker, None, 1, cards.0));
            self.emit(told(blocker, Some(attacker), 1, cards.1));
            self.emit(told(attacker, Some(blocker), 0, cards.0));
        }
    }

    /// 509.2: asks for the order in which an attacker damages its blockers.
    pub(in crate::magic) fn order_blockers(&mut self, seat: Seat) {
        for attacker in (self.board.blocked & self.board.attacking).iter() {
            let blockers = self.blockers_of(attacker);
            let unordered =
                blockers.iter().filter(|&slot| self.board.memo[slot] & 0x7f == 0).count();
            if unordered > 1 {
                self.ask(seat, Question::Order(attacker));
                return;
            }
        }
        self.end_task();
    }

    /// Whether a step of first-strike damage is needed.
    fn has_first_strike(&self) -> bool {
        let fighting = self.board.attacking | self.board.blocking;
        fighting.meets(self.with(Keyword::FirstStrike) | self.with(Keyword::DoubleStrike))
    }

    /// 511.3: combat is over.
    #[inline(never)]
    pub(in crate::magic) fn end_combat(&mut self) {
        for slot in self.board.blocking.iter() {
            self.board.link[slot] = None;
            self.board.memo[slot] &= 0x80;
        }
        if !(self.board.attacking | self.board.blocking).is_empty() {
            self.board.dirty = true;
        }
        self.board.attacking = Slots::EMPTY;
        self.board.blocking = Slots::EMPTY;
        self.board.blocked = Slots::EMPTY;
        self.board.first_struck = Slots::EMPTY;
        self.assigned = Row::new();
    }

    /// The step after attackers are declared, or after blockers are.
    pub(in crate::magic) fn next_combat_step(&self) -> Phase {
        match self.clock.phase {
            Phase::Attackers if self.board.attacking.is_empty() => Phase::EndCombat,
            Phase::Attackers => Phase::Blockers,
            Phase::Blockers if self.has_first_strike() => Phase::FirstDamage,
            _ => Phase::Damage,
        }
    }
}

/// Lists the blocks of a creature that is able to block these, and perhaps must.
pub(in crate::magic) fn list_blocks(able: Slots, must: bool, legal: &mut ActionList) {
    legal.clear();
    if !must {
        legal.push(Action(actions::NO));
    }
    able.iter().for_each(|attacker| legal.push(Action(actions::slot(attacker))));
}
