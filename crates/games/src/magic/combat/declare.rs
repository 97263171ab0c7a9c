//! 506 to 511: attackers, blockers, and the damage they deal.

use crate::magic::language::{Keyword, Rule, Type};
use crate::magic::machine::{Machine, Note, Watch};
use crate::magic::stack::triggers::TriggerEvent;
use crate::magic::state::row::Row;
use crate::magic::state::slots::{NONE, SLOTS, Slots, bit, each, has};
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
            & self.controlled(1 - self.clock.active)
            & !self.board.tapped
            & !self.board.rules[rule::CANT_BLOCK]
    }

    /// 509.1b: whether this creature could block that one, others aside.
    pub(in crate::magic) fn could_block(&self, blocker: u8, attacker: u8) -> bool {
        self.blockable(blocker, bit(attacker)) != 0
    }

    /// 509.1b: those of some attackers that this creature could block, others
    /// aside.
    fn blockable(&self, blocker: u8, attackers: Slots) -> Slots {
        let board = &self.board;
        let mut able = attackers & !self.with(Keyword::Unblockable);
        if able & self.with(Keyword::Flying) != 0
            && !self.has_keyword(blocker, Keyword::Flying)
            && !self.has_keyword(blocker, Keyword::Reach)
        {
            able &= !self.with(Keyword::Flying);
        }
        let (fear, intimidate) = (self.with(Keyword::Fear), self.with(Keyword::Intimidate));
        if able & (fear | intimidate) != 0 && !has(board.types[Type::Artifact as usize], blocker) {
            let colours = self.colours_at(blocker);
            if colours & 1 << 2 == 0 {
                able &= !fear;
            }
            let shared = (0..5)
                .filter(|&colour| colours >> colour & 1 == 1)
                .fold(0, |all, colour| all | board.colours[colour]);
            able &= !intimidate | shared;
        }
        let defended = self.controlled(1 - self.clock.active);
        for index in 0..5 {
            let walks = board.keywords[Keyword::Plainswalk as usize + index];
            if able & walks != 0 && board.land_types[index] & defended != 0 {
                able &= !walks;
            }
            let protected = board.keywords[Keyword::ProtectionFromWhite as usize + index];
            if able & protected != 0 && has(board.colours[index], blocker) {
                able &= !protected;
            }
        }
        if board.statics == 0 {
            return able;
        }
        each(able)
            .filter(|&attacker| self.rules_let_block(blocker, attacker))
            .fold(0, |all, attacker| all | bit(attacker))
    }

    fn rules_let_block(&self, blocker: u8, attacker: u8) -> bool {
        let forbidden = |(rule, ctx): (&Rule, crate::magic::zones::select::Ctx)| match rule {
            Rule::CantBeBlockedBy(filter) => has(self.matching(filter, &ctx), blocker),
            Rule::CantBeBlockedExceptBy(filter) => !has(self.matching(filter, &ctx), blocker),
            _ => false,
        };
        let refuses = |(rule, ctx): (&Rule, crate::magic::zones::select::Ctx)| match rule {
            Rule::CantBlockThese(filter) => has(self.matching(filter, &ctx), attacker),
            _ => false,
        };
        !self.rules_on(attacker).any(forbidden) && !self.rules_on(blocker).any(refuses)
    }

    /// The creatures that block an attacker.
    pub(in crate::magic) fn blockers_of(&self, attacker: u8) -> Slots {
        each(self.board.blocking)
            .filter(|&blocker| self.board.link[blocker as usize] == attacker)
            .fold(0, |all, blocker| all | bit(blocker))
    }

    /// What a creature may block, given the blocks so far, and whether it must
    /// block one of them.
    pub(in crate::magic) fn block_choices(&self, blocker: u8) -> (Slots, bool) {
        let mut able = self.blockable(blocker, self.board.attacking);
        let (single, menace) = (self.board.rules[rule::ONE_BLOCKER], self.with(Keyword::Menace));
        for attacker in each(able & (single | menace)) {
            let taken = has(single, attacker) && self.blockers_of(attacker) != 0;
            if taken || !self.menace_allows(blocker, attacker) {
                able &= !bit(attacker);
            }
        }
        let lured = self.board.rules[rule::ALL_MUST_BLOCK] & self.board.attacking;
        let mut must = false;
        if lured != 0 {
            (able, must) = self.dutiful_blocks(blocker, able, lured);
        }
        // 702.111b: one who blocks a creature with menace needs another, and
        // this is the last who can.
        let halves = each(able & menace).filter(|&attacker| {
            self.blockers_of(attacker).count_ones() == 1
                && self.later_blockers(blocker, attacker) == 0
        });
        let half = halves.fold(0, |all, attacker| all | bit(attacker));
        if half != 0 { (half, true) } else { (able, must) }
    }

    /// 509.1c: of the attackers that a creature is able to block, those with
    /// which as many creatures as possible block what they must; and whether
    /// it must block one of them. The creatures asked later count too.
    fn dutiful_blocks(&self, blocker: u8, able: Slots, lured: Slots) -> (Slots, bool) {
        let value = |chosen: Slots| {
            (chosen & lured).count_ones() + self.later_duties(blocker, chosen, lured)
        };
        let none = value(0);
        let most = each(able).map(|attacker| value(bit(attacker))).fold(none, u32::max);
        let best = each(able)
            .filter(|&attacker| value(bit(attacker)) == most)
            .fold(0, |all, attacker| all | bit(attacker));
        (best, none < most)
    }

    /// How many of the creatures that are asked after `blocker` can block
    /// attackers they must, if it blocks what was `chosen`.
    fn later_duties(&self, blocker: u8, chosen: Slots, lured: Slots) -> u32 {
        let later = self.possible_blockers() & !(bit(blocker) | (bit(blocker) - 1));
        let single = self.board.rules[rule::ONE_BLOCKER];
        let (mut open, mut alone): (Slots, Slots) = (0, 0);
        for attacker in each(lured) {
            let blockers = self.blockers_of(attacker) | chosen & bit(attacker);
            let menace = self.has_keyword(attacker, Keyword::Menace);
            if has(single, attacker) {
                alone |= if blockers == 0 && !menace { bit(attacker) } else { 0 };
            } else {
                let could = || self.later_blockers(blocker, attacker) > 1;
                open |= if !menace || blockers != 0 || could() { bit(attacker) } else { 0 };
            }
        }
        let mut count = 0;
        let mut blocked_by = [NONE; SLOTS];
        for other in each(later) {
            let blocks = self.blockable(other, open) != 0
                || self.finds_attacker(other, alone, &mut 0, &mut blocked_by);
            count += u32::from(blocks);
        }
        count
    }

    /// Whether a creature finds an attacker that only one may block, if those
    /// who have one make room (an augmenting path of a bipartite matching).
    fn finds_attacker(
        &self,
        blocker: u8,
        alone: Slots,
        seen: &mut Slots,
        blocked_by: &mut [u8; SLOTS],
    ) -> bool {
        for attacker in each(self.blockable(blocker, alone)) {
            if has(*seen, attacker) {
                continue;
            }
            *seen |= bit(attacker);
            let other = blocked_by[attacker as usize];
            if other == NONE || self.finds_attacker(other, alone, seen, blocked_by) {
                blocked_by[attacker as usize] = blocker;
                return true;
            }
        }
        false
    }

    /// Whether blocking a creature with menace can end well.
    fn menace_allows(&self, blocker: u8, attacker: u8) -> bool {
        if !has(self.with(Keyword::Menace), attacker) || self.blockers_of(attacker) != 0 {
            return true;
        }
        if has(self.board.rules[rule::ONE_BLOCKER], attacker) {
            return false;
        }
        let half = each(self.board.attacking & self.with(Keyword::Menace))
            .filter(|&other| self.blockers_of(other).count_ones() == 1)
            .count();
        self.later_blockers(blocker, attacker) > half
    }

    /// How many creatures that are asked later could block this one.
    fn later_blockers(&self, blocker: u8, attacker: u8) -> usize {
        let later = self.possible_blockers() & !(bit(blocker) | (bit(blocker) - 1));
        each(later).filter(|&other| self.could_block(other, attacker)).count()
    }
}

impl<W: Watch> Machine<'_, W> {
    /// Asks about the next possible attacker.
    pub(in crate::magic) fn declare_attackers(&mut self, seat: u8, next: u8) {
        let left = from(self.possible_attackers() & !self.board.attacking, next);
        if left == 0 {
            self.end_task();
            self.attack();
        } else {
            self.ask(seat, Question::Attack(left.trailing_zeros() as u8));
        }
    }

    /// 508.1f, 508.1m: the attackers are declared.
    fn attack(&mut self) {
        let attackers = self.board.attacking;
        self.board.attacked |= attackers;
        self.board.dirty |= attackers != 0;
        for slot in each(attackers & !self.with(Keyword::Vigilance)) {
            self.tap(slot);
        }
        for slot in each(attackers) {
            self.watch.note(Note::Attack(self.controller(slot)));
            self.emit_for(listen::ATTACKS, slot);
        }
    }

    /// Asks about the next possible blocker.
    pub(in crate::magic) fn declare_blockers(&mut self, seat: u8, next: u8) {
        let mut left = from(self.possible_blockers() & !self.board.blocking, next);
        while left != 0 {
            let slot = left.trailing_zeros() as u8;
            if self.block_choices(slot).0 != 0 {
                self.ask(seat, Question::Block(slot));
                return;
            }
            left &= left - 1;
        }
        self.end_task();
        self.block();
    }

    /// 509.1h, 509.3: the blocks are declared.
    fn block(&mut self) {
        for attacker in each(self.board.attacking & self.with(Keyword::Menace)) {
            let blockers = self.blockers_of(attacker);
            if blockers.count_ones() == 1 {
                self.leave_combat(blockers.trailing_zeros() as u8);
            }
        }
        for blocker in each(self.board.blocking) {
            self.board.blocked |= bit(self.board.link[blocker as usize]);
            self.watch.note(Note::Block(self.controller(blocker)));
        }
        if self.board.blocking != 0 {
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
            slot,
            other,
            amount,
            card,
            seat: NONE,
            ..TriggerEvent::new(listen::BLOCKS)
        };
        for attacker in each(self.board.blocked) {
            self.emit(told(attacker, NONE, 0, self.board.card[attacker as usize]));
        }
        for blocker in each(self.board.blocking) {
            let attacker = self.board.link[blocker as usize];
            let cards = (self.board.card[blocker as usize], self.board.card[attacker as usize]);
            self.emit(told(blocker, NONE, 1, cards.0));
            self.emit(told(blocker, attacker, 1, cards.1));
            self.emit(told(attacker, blocker, 0, cards.0));
        }
    }

    /// 509.2: asks for the order in which an attacker damages its blockers.
    pub(in crate::magic) fn order_blockers(&mut self, seat: u8) {
        for attacker in each(self.board.blocked & self.board.attacking) {
            let blockers = self.blockers_of(attacker);
            let unordered =
                each(blockers).filter(|&slot| self.board.memo[slot as usize] & 0x7f == 0).count();
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
        fighting & (self.with(Keyword::FirstStrike) | self.with(Keyword::DoubleStrike)) != 0
    }

    /// 511.3: combat is over.
    pub(in crate::magic) fn end_combat(&mut self) {
        for slot in each(self.board.blocking) {
            self.board.link[slot as usize] = NONE;
            self.board.memo[slot as usize] &= 0x80;
        }
        if self.board.attacking | self.board.blocking != 0 {
            self.board.dirty = true;
        }
        self.board.attacking = 0;
        self.board.blocking = 0;
        self.board.blocked = 0;
        self.board.first_struck = 0;
        self.assigned = Row::new();
    }

    /// The step after attackers are declared, or after blockers are.
    pub(in crate::magic) fn next_combat_step(&self) -> Phase {
        match self.clock.phase {
            Phase::Attackers if self.board.attacking == 0 => Phase::EndCombat,
            Phase::Attackers => Phase::Blockers,
            Phase::Blockers if self.has_first_strike() => Phase::FirstDamage,
            _ => Phase::Damage,
        }
    }
}

/// The slots of a set from `start` on.
fn from(set: Slots, start: u8) -> Slots {
    if start >= 128 { 0 } else { set >> start << start }
}
