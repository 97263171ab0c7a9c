//! 510: how combat damage is assigned, and the damage that comes of it.

use crate::magic::damage::{DamageRecipient, DamageSource, Packet, Packets};
use crate::magic::language::Keyword;
use crate::magic::machine::{Machine, Watch};
use crate::magic::state::row::Row;
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::{Slot, Slots};
use crate::magic::state::{Magic, Question, Task};

/// The most damage that can be chosen for one blocker.
const MOST: i16 = if crate::magic::actions::NUMBERS < 255 {
    crate::magic::actions::NUMBERS as i16 - 1
} else {
    254
};

/// A blocker's part of the damage of the creature it blocks.
#[derive(Clone, Copy)]
struct Part {
    blocker: Slot,
    /// 510.1c: lethal damage at least, if that much is left.
    least: i16,
    most: i16,
    amount: i16,
}

impl Magic {
    /// The creatures that deal damage in a damage step.
    fn striking(&self, first: bool) -> Slots {
        let fighting = self.board.attacking | self.board.blocking;
        let double = self.board.keywords[Keyword::DoubleStrike as usize];
        if first {
            fighting & (self.board.keywords[Keyword::FirstStrike as usize] | double)
        } else {
            fighting & (!self.board.first_struck | double)
        }
    }

    /// The damage of a damage step as it is assigned.
    pub(in crate::magic) fn combat_packets<const N: usize>(&self, first: bool) -> Packets<N> {
        let striking = self.striking(first);
        let mut packets = Packets::new();
        let mut add = |from: Slot, to: DamageRecipient, amount: i16| {
            let card = self.board.card[from];
            let from = DamageSource { slot: Some(from), card, you: self.controller(from), item: 0 };
            packets.push(Packet::new(from, to, amount, true));
        };
        for attacker in (self.board.attacking & striking).iter() {
            let mut left = i16::from(self.board.power[attacker]);
            let is_blocked = self.board.blocked.has(attacker);
            if is_blocked {
                for part in self.parts_of(attacker) {
                    add(attacker, DamageRecipient::Slot(part.blocker), part.amount);
                    left -= part.amount;
                }
            }
            if left > 0 && (!is_blocked || self.has_keyword(attacker, Keyword::Trample)) {
                add(attacker, DamageRecipient::Seat(self.clock.active.other()), left);
            }
        }
        for blocker in (self.board.blocking & striking).iter() {
            if let Some(attacker) = self.board.link[blocker] {
                let power = i16::from(self.board.power[blocker]);
                add(blocker, DamageRecipient::Slot(attacker), power);
            }
        }
        packets
    }

    /// 510.1c, 702.19b: what the blockers of an attacker are assigned, in the
    /// order of damage: what was chosen, or the least.
    fn parts_of(&self, attacker: Slot) -> impl Iterator<Item = Part> {
        let mut left = i16::from(self.board.power[attacker]).max(0);
        let mut blockers = self.blockers_of(attacker);
        let trample = self.has_keyword(attacker, Keyword::Trample);
        let deathtouch = self.has_keyword(attacker, Keyword::Deathtouch);
        let place = |&slot: &Slot| match self.board.memo[slot] & 0x7f {
            0 => u8::MAX,
            place => place,
        };
        std::iter::from_fn(move || {
            let blocker = blockers.iter().min_by_key(place)?;
            blockers &= !blocker.bit();
            let life =
                i16::from(self.board.toughness[blocker]) - i16::from(self.board.damage[blocker]);
            let lethal = if deathtouch { life.min(1) } else { life }.max(0);
            // All of it is assigned: what the last blocker is not tramples over.
            let takes_rest = blockers.is_empty() && !trample;
            let least = if takes_rest { left } else { lethal.min(left) };
            let most = left.min(MOST).max(least);
            let chosen = self.assigned_to(blocker);
            let amount = chosen.map_or(least, |amount| i16::from(amount).clamp(least, most));
            left -= amount;
            Some(Part { blocker, least, most, amount })
        })
    }

    /// The combat damage that was chosen for a blocker in this step.
    fn assigned_to(&self, blocker: Slot) -> Option<u8> {
        let chosen = self.assigned.iter().find(|&&(other, _)| other == blocker);
        chosen.map(|&(_, amount)| amount)
    }

    /// The least and the most damage that a blocker may be assigned.
    pub(in crate::magic) fn assignable(&self, blocker: Slot) -> (u16, u16) {
        let attacker = self.board.link[blocker];
        let mut parts = attacker.into_iter().flat_map(|attacker| self.parts_of(attacker));
        let part = parts.find(|part| part.blocker == blocker);
        part.map_or((0, 0), |part| (part.least as u16, part.most as u16))
    }

    /// The next blocker for which there is a choice.
    fn next_to_assign(&self, striking: Slots) -> Option<Slot> {
        (self.board.attacking & self.board.blocked & striking).iter().find_map(|attacker| {
            let mut parts = self.parts_of(attacker);
            let open =
                |part: &Part| part.least < part.most && self.assigned_to(part.blocker).is_none();
            parts.find(open).map(|part| part.blocker)
        })
    }
}

impl<W: Watch> Machine<'_, W> {
    /// 510.1: combat damage is assigned, then dealt.
    pub(in crate::magic) fn combat_damage(&mut self, first: bool) {
        self.assigned = Row::new();
        let blocked = self.board.attacking & self.board.blocked & self.striking(first);
        let trample = self.board.keywords[Keyword::Trample as usize];
        let divides = |attacker: Slot| self.blockers_of(attacker).len() > 1;
        if blocked.meets(trample) || blocked.iter().any(divides) {
            let seat = self.clock.active;
            self.tasks.push(Task::AssignDamage { seat, first_strike: first });
        } else {
            self.strike(first);
        }
    }

    /// Asks how much damage the next blocker is assigned, or deals all damage.
    pub(in crate::magic) fn assign_on(&mut self, seat: Seat, first: bool) {
        match self.next_to_assign(self.striking(first)) {
            Some(blocker) => self.ask(seat, Question::Assign(blocker)),
            None => {
                self.end_task();
                self.strike(first);
            }
        }
    }

    /// 510.2: combat damage is dealt, all at once.
    fn strike(&mut self, first: bool) {
        let striking = self.striking(first);
        self.deal_in_combat(first);
        if first {
            self.board.first_struck = striking;
        }
    }
}
