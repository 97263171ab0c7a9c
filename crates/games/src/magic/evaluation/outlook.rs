//! What combat will bring: the one in progress, and the next.

use crate::magic::evaluation::evaluate::life_worth;
use crate::magic::evaluation::weights::Weights;
use crate::magic::language::Keyword;
use crate::magic::state::seat::{BySeat, Seat};
use crate::magic::state::slots::{Slot, Slots};
use crate::magic::state::{Magic, Phase, Question, rule};

/// What the combat in progress will probably do.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::magic) struct Outlook {
    /// Creatures that will die.
    pub(in crate::magic) dead: Slots,
    /// Damage to each seat; less than 0 where life is gained.
    pub(in crate::magic) damage: BySeat<i16>,
}

impl Magic {
    /// How the combat in progress will end: declared blocks are fought, and
    /// where blocks are still to come the defender makes those that pay.
    pub(super) fn outlook(&self, weights: &Weights) -> Outlook {
        let mut outlook = Outlook::default();
        let phase = self.clock.phase;
        let before_damage =
            matches!(phase, Phase::Attackers | Phase::Blockers | Phase::FirstDamage);
        if self.board.attacking.is_empty() || self.clock.combat_damage_prevented || !before_damage {
            return outlook;
        }
        let mut free = self.blockers_to_come();
        for attacker in self.board.attacking.iter() {
            let mut blockers = self.blockers_of(attacker);
            if blockers.is_empty() && !self.board.blocked.has(attacker) {
                blockers = self.likely_block(attacker, free, &outlook, weights);
                free &= !blockers;
            }
            self.fight(attacker, blockers, &mut outlook);
        }
        outlook
    }

    /// Creatures that may still be declared as blockers.
    fn blockers_to_come(&self) -> Slots {
        let able = self.possible_blockers() & !self.board.blocking;
        match self.question {
            _ if self.clock.phase == Phase::Attackers => able,
            Question::Block(slot) => able & !slot.below(),
            _ => Slots::EMPTY,
        }
    }

    /// The block of one creature that pays best, if one does.
    fn likely_block(
        &self,
        attacker: Slot,
        free: Slots,
        outlook: &Outlook,
        weights: &Weights,
    ) -> Slots {
        if self.has_keyword(attacker, Keyword::Menace) {
            return Slots::EMPTY;
        }
        let defender = self.clock.active.other();
        let power = i16::from(self.board.power[attacker].max(0));
        let life = self.seats[defender].life - outlook.damage[defender];
        let saved = life_worth(life, weights) - life_worth((life - power).max(0), weights)
            + if power >= life { 20.0 } else { 0.0 };
        let mut best = (0.0, Slots::EMPTY);
        for blocker in free.iter() {
            if !self.could_block(blocker, attacker) {
                continue;
            }
            let mut after = Outlook::default();
            self.fight(attacker, blocker.bit(), &mut after);
            let mut gain = saved;
            if after.dead.has(attacker) {
                gain += self.creature_worth(attacker, weights);
            }
            if after.dead.has(blocker) {
                gain -= self.creature_worth(blocker, weights);
            }
            if gain > best.0 {
                best = (gain, blocker.bit());
            }
        }
        best.1
    }

    /// Deals the damage of an attacker and of its blockers.
    fn fight(&self, attacker: Slot, blockers: Slots, outlook: &mut Outlook) {
        let board = &self.board;
        let defender = self.clock.active.other();
        let with = |slot: Slot, keyword| self.has_keyword(slot, keyword);
        let fast =
            |slot: Slot| with(slot, Keyword::FirstStrike) || with(slot, Keyword::DoubleStrike);
        let twice = if with(attacker, Keyword::DoubleStrike) { 2 } else { 1 };
        let mut left = i16::from(board.power[attacker].max(0)) * twice;
        if board.rules[rule::DEALS_NONE].has(attacker) {
            left = 0;
        }
        let mut dealt = left;
        if blockers.is_empty() {
            if board.blocked.has(attacker) && !with(attacker, Keyword::Trample) {
                dealt = 0;
            }
            outlook.damage[defender] += dealt;
        } else {
            let mut taken = 0;
            let mut poisoned = false;
            for blocker in blockers.iter() {
                let lethal = self.damage_to_kill(blocker, with(attacker, Keyword::Deathtouch));
                let killed = left >= lethal;
                if killed {
                    outlook.dead |= blocker.bit();
                }
                left -= lethal.min(left);
                let struck_first = killed && fast(attacker) && !fast(blocker);
                if !struck_first && !board.rules[rule::DEALS_NONE].has(blocker) {
                    let power = i16::from(board.power[blocker].max(0));
                    taken += power;
                    poisoned |= power > 0 && with(blocker, Keyword::Deathtouch);
                }
            }
            if taken >= self.damage_to_kill(attacker, poisoned) {
                outlook.dead |= attacker.bit();
            }
            if with(attacker, Keyword::Trample) {
                outlook.damage[defender] += left;
            }
        }
        if with(attacker, Keyword::Lifelink) {
            outlook.damage[self.clock.active] -= dealt;
        }
    }

    /// The damage that destroys a creature; more than there is where none does.
    fn damage_to_kill(&self, slot: Slot, deadly: bool) -> i16 {
        let safe = self.has_keyword(slot, Keyword::Indestructible)
            || self.board.rules[rule::TAKES_NONE].has(slot);
        let left = i16::from(self.board.toughness[slot]) - i16::from(self.board.damage[slot]);
        match (safe, deadly) {
            (true, _) => i16::MAX,
            (_, true) => left.clamp(0, 1),
            _ => left.max(0),
        }
    }

    /// What the opponent's next attack costs a seat in prospect.
    pub(super) fn danger(
        &self,
        seat: Seat,
        life: i16,
        outlook: &Outlook,
        weights: &Weights,
    ) -> f32 {
        let board = &self.board;
        let held = board.keywords[Keyword::Defender as usize]
            & !board.rules[rule::IGNORES_DEFENDER]
            | board.rules[rule::CANT_ATTACK];
        let attackers = self.creatures() & self.controlled(seat.other()) & !outlook.dead & !held;
        if attackers.is_empty() {
            return 0.0;
        }
        // In one's own turn what is tapped stays so until the attack; in the
        // opponent's after combat all untap before it.
        let attack = board.attacking & !board.keywords[Keyword::Vigilance as usize];
        let untaps = self.clock.active != seat && self.clock.phase > Phase::BeginCombat;
        let ready = if untaps { Slots::ALL } else { !(board.tapped | attack) };
        let blockers = self.creatures()
            & self.controlled(seat)
            & !outlook.dead
            & !board.rules[rule::CANT_BLOCK]
            & ready;
        let flying = board.keywords[Keyword::Flying as usize];
        let unblockable = board.keywords[Keyword::Unblockable as usize];
        let climbers = blockers & (flying | board.keywords[Keyword::Reach as usize]);
        let ground = attackers & !flying & !unblockable;
        let through = self.unblocked(ground, blockers.len())
            + self.unblocked(attackers & flying & !unblockable, climbers.len())
            + self.unblocked(attackers & unblockable, 0);
        let share = (f32::from(through) / f32::from(life.max(1))).min(1.0);
        weights.threat * share + if through >= life { weights.lethal } else { 0.0 }
    }

    /// The power of attackers when so many of the strongest are blocked.
    fn unblocked(&self, attackers: Slots, blockers: usize) -> i16 {
        let mut powers = [0_i8; 128];
        let mut count = 0;
        for slot in attackers.iter() {
            powers[count] = self.board.power[slot].max(0);
            count += 1;
        }
        let powers = &mut powers[..count];
        if blockers > 0 {
            powers.sort_unstable_by(|a, b| b.cmp(a));
        }
        powers.iter().skip(blockers).map(|&power| i16::from(power)).sum()
    }
}
