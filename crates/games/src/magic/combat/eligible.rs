//! 508, 509: which creatures could attack, and what each could block.

use crate::magic::language::{Keyword, Rule, Type};
use crate::magic::state::slots::{BySlot, Slot, Slots};
use crate::magic::state::{Magic, rule};

impl Magic {
    #[inline]
    pub(super) fn with(&self, keyword: Keyword) -> Slots {
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
