//! 506 to 511: attackers, blockers, and the damage they deal.

use meeple_game::{Action, ActionList, Rng};

use crate::magic::actions;
use crate::magic::language::{Keyword, Rule, Type};
use crate::magic::machine::{Machine, Note, Watch};
use crate::magic::stack::triggers::TriggerEvent;
use crate::magic::state::row::Row;
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::{BySlot, Slot, Slots};
use crate::magic::state::{Magic, Phase, Question, Task, rule};
use crate::magic::table::listen;

impl Magic {
    #[inline]
    fn with(&self, keyword: Keyword) -> Slots {
        self.board.keywords[keyword as usize]
    }

    /// 508.1a: the creatures that could attack.
    #[inline]
    pub(in crate::magic) fn possible_attackers(&self) -> Slots {
        let board = &self.board;
        let held = self.with(Keyword::Defender) & !board.rules[rule::IGNORES_DEFENDER];
        self.creatures()
            & self.controlled(self.clock.active)
            & !board.tapped
            & !(board.summoning_sick & !self.with(Keyword::Haste))
            & !held
            & !board.rules[rule::CANT_ATTACK]
    }

    /// 509.1a: the creatures that could block something.
    #[inline]
    pub(in crate::magic) fn possible_blockers(&self) -> Slots {
        self.creatures()
            & self.controlled(self.clock.active.other())
            & !self.board.tapped
            & !self.board.rules[rule::CANT_BLOCK]
    }

    /// 509.1b: whether this creature could block that one, others aside.
    pub(in crate::magic) fn could_block(&self, blocker: Slot, attacker: Slot) -> bool {
        !self.blockable(blocker, attacker.bit()).is_empty()
    }

    /// 509.1b: those of some attackers that this creature could block, others
    /// aside.
    fn blockable(&self, blocker: Slot, attackers: Slots) -> Slots {
        let board = &self.board;
        let mut able = attackers & !self.with(Keyword::Unblockable);
        if able.meets(self.with(Keyword::Flying))
            && !self.has_keyword(blocker, Keyword::Flying)
            && !self.has_keyword(blocker, Keyword::Reach)
        {
            able &= !self.with(Keyword::Flying);
        }
        let (fear, intimidate) = (self.with(Keyword::Fear), self.with(Keyword::Intimidate));
        if able.meets(fear | intimidate) && !board.types[Type::Artifact as usize].has(blocker) {
            let colours = self.colours_at(blocker);
            if colours & 1 << 2 == 0 {
                able &= !fear;
            }
            let shared = (0..5)
                .filter(|&colour| colours >> colour & 1 == 1)
                .fold(Slots::EMPTY, |all, colour| all | board.colours[colour]);
            able &= !intimidate | shared;
        }
        let defended = self.controlled(self.clock.active.other());
        for index in 0..5 {
            let walks = board.keywords[Keyword::Plainswalk as usize + index];
            if able.meets(walks) && board.land_types[index].meets(defended) {
                able &= !walks;
            }
            let protected = board.keywords[Keyword::ProtectionFromWhite as usize + index];
            if able.meets(protected) && board.colours[index].has(blocker) {
                able &= !protected;
            }
        }
        if board.statics.is_empty() {
            return able;
        }
        able.iter().filter(|&attacker| self.rules_let_block(blocker, attacker)).collect()
    }

    fn rules_let_block(&self, blocker: Slot, attacker: Slot) -> bool {
        let forbidden = |(rule, ctx): (&Rule, crate::magic::zones::select::Ctx)| match rule {
            Rule::CantBeBlockedBy(filter) => self.matching(filter, &ctx).has(blocker),
            Rule::CantBeBlockedExceptBy(filter) => !self.matching(filter, &ctx).has(blocker),
            _ => false,
        };
        let refuses = |(rule, ctx): (&Rule, crate::magic::zones::select::Ctx)| match rule {
            Rule::CantBlockThese(filter) => self.matching(filter, &ctx).has(attacker),
            _ => false,
        };
        !self.rules_on(attacker).any(forbidden) && !self.rules_on(blocker).any(refuses)
    }

    /// The creatures that block an attacker.
    pub(in crate::magic) fn blockers_of(&self, attacker: Slot) -> Slots {
        self.board
            .blocking
            .iter()
            .filter(|&blocker| self.board.link[blocker] == Some(attacker))
            .collect()
    }

    /// What a creature may block, given the blocks so far, and whether it must
    /// block one of them.
    pub(in crate::magic) fn block_choices(&self, blocker: Slot) -> (Slots, bool) {
        let mut able = self.blockable(blocker, self.board.attacking);
        let (single, menace) = (self.board.rules[rule::ONE_BLOCKER], self.with(Keyword::Menace));
        for attacker in (able & (single | menace)).iter() {
            let taken = single.has(attacker) && !self.blockers_of(attacker).is_empty();
            if taken || !self.menace_allows(blocker, attacker) {
                able &= !attacker.bit();
            }
        }
        let lured = self.board.rules[rule::ALL_MUST_BLOCK] & self.board.attacking;
        let mut must = false;
        if !lured.is_empty() {
            (able, must) = self.dutiful_blocks(blocker, able, lured);
        }
        // 702.111b: one who blocks a creature with menace needs another, and
        // this is the last who can.
        let halves = (able & menace).iter().filter(|&attacker| {
            self.blockers_of(attacker).len() == 1 && self.later_blockers(blocker, attacker) == 0
        });
        let half: Slots = halves.collect();
        if half.is_empty() { (able, must) } else { (half, true) }
    }

    /// 509.1c: of the attackers that a creature is able to block, those with
    /// which as many creatures as possible block what they must; and whether
    /// it must block one of them. The creatures asked later count too.
    fn dutiful_blocks(&self, blocker: Slot, able: Slots, lured: Slots) -> (Slots, bool) {
        let value =
            |chosen: Slots| (chosen & lured).len() + self.later_duties(blocker, chosen, lured);
        let none = value(Slots::EMPTY);
        let most = able.iter().map(|attacker| value(attacker.bit())).fold(none, usize::max);
        let best = able.iter().filter(|&attacker| value(attacker.bit()) == most).collect();
        (best, none < most)
    }

    /// How many of the creatures that are asked after `blocker` can block
    /// attackers they must, if it blocks what was `chosen`.
    fn later_duties(&self, blocker: Slot, chosen: Slots, lured: Slots) -> usize {
        let later = self.possible_blockers().above(Some(blocker));
        let single = self.board.rules[rule::ONE_BLOCKER];
        let (mut open, mut alone) = (Slots::EMPTY, Slots::EMPTY);
        for attacker in lured.iter() {
            let blockers = self.blockers_of(attacker) | chosen & attacker.bit();
            let menace = self.has_keyword(attacker, Keyword::Menace);
            if single.has(attacker) {
                alone.put(attacker, blockers.is_empty() && !menace);
            } else {
                let could = || self.later_blockers(blocker, attacker) > 1;
                open.put(attacker, !menace || !blockers.is_empty() || could());
            }
        }
        let mut count = 0;
        let mut blocked_by = BySlot::all(None);
        for other in later.iter() {
            let blocks = !self.blockable(other, open).is_empty()
                || self.finds_attacker(other, alone, &mut Slots::default(), &mut blocked_by);
            count += usize::from(blocks);
        }
        count
    }

    /// Whether a creature finds an attacker that only one may block, if those
    /// who have one make room (an augmenting path of a bipartite matching).
    fn finds_attacker(
        &self,
        blocker: Slot,
        alone: Slots,
        seen: &mut Slots,
        blocked_by: &mut BySlot<Option<Slot>>,
    ) -> bool {
        for attacker in self.blockable(blocker, alone).iter() {
            if seen.has(attacker) {
                continue;
            }
            *seen |= attacker.bit();
            let other = blocked_by[attacker];
            if other.is_none_or(|other| self.finds_attacker(other, alone, seen, blocked_by)) {
                blocked_by[attacker] = Some(blocker);
                return true;
            }
        }
        false
    }

    /// Whether blocking a creature with menace can end well.
    fn menace_allows(&self, blocker: Slot, attacker: Slot) -> bool {
        if !self.with(Keyword::Menace).has(attacker) || !self.blockers_of(attacker).is_empty() {
            return true;
        }
        if self.board.rules[rule::ONE_BLOCKER].has(attacker) {
            return false;
        }
        let half = (self.board.attacking & self.with(Keyword::Menace))
            .iter()
            .filter(|&other| self.blockers_of(other).len() == 1)
            .count();
        self.later_blockers(blocker, attacker) > half
    }

    /// How many creatures that are asked later could block this one.
    fn later_blockers(&self, blocker: Slot, attacker: Slot) -> usize {
        let later = self.possible_blockers().above(Some(blocker));
        later.iter().filter(|&other| self.could_block(other, attacker)).count()
    }
}

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
