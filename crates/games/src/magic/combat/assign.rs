//! 510: how combat damage is assigned, and the damage that comes of it.

use crate::magic::damage::{DamageRecipient, DamageSource, Packet, Packets};
use crate::magic::language::Keyword;
use crate::magic::machine::{Machine, Watch};
use crate::magic::state::row::Row;
use crate::magic::state::slots::{NONE, Slots, bit, each, has};
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
    blocker: u8,
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
        let mut add = |from: u8, to: DamageRecipient, amount: i16| {
            let card = self.board.card[from as usize];
            let from = DamageSource { slot: from, card, you: self.controller(from), item: 0 };
            packets.push(Packet::new(from, to, amount, true));
        };
        for attacker in each(self.board.attacking & striking) {
            let mut left = i16::from(self.board.power[attacker as usize]);
            let is_blocked = has(self.board.blocked, attacker);
            if is_blocked {
                for part in self.parts_of(attacker) {
                    add(attacker, DamageRecipient::Slot(part.blocker), part.amount);
                    left -= part.amount;
                }
            }
            if left > 0 && (!is_blocked || self.has_keyword(attacker, Keyword::Trample)) {
                add(attacker, DamageRecipient::Seat(1 - self.clock.active), left);
            }
        }
        for blocker in each(self.board.blocking & striking) {
            let attacker = self.board.link[blocker as usize];
            if attacker != NONE {
                let power = i16::from(self.board.power[blocker as usize]);
                add(blocker, DamageRecipient::Slot(attacker), power);
            }
        }
        packets
    }

    /// 510.1c, 702.19b: what the blockers of an attacker are assigned, in the
    /// order of damage: what was chosen, or the least.
    fn parts_of(&self, attacker: u8) -> impl Iterator<Item = Part> {
        let mut left = i16::from(self.board.power[attacker as usize]).max(0);
        let mut blockers = self.blockers_of(attacker);
        let trample = self.has_keyword(attacker, Keyword::Trample);
        let deathtouch = self.has_keyword(attacker, Keyword::Deathtouch);
        let place = |&slot: &u8| match self.board.memo[slot as usize] & 0x7f {
            0 => u8::MAX,
            place => place,
        };
        std::iter::from_fn(move || {
            let blocker = each(blockers).min_by_key(place)?;
            blockers &= !bit(blocker);
            let index = blocker as usize;
            let life = i16::from(self.board.toughness[index]) - i16::from(self.board.damage[index]);
            let lethal = if deathtouch { life.min(1) } else { life }.max(0);
            // All of it is assigned: what the last blocker is not tramples over.
            let takes_rest = blockers == 0 && !trample;
            let least = if takes_rest { left } else { lethal.min(left) };
            let most = left.min(MOST).max(least);
            let chosen = self.assigned_to(blocker);
            let amount = chosen.map_or(least, |amount| i16::from(amount).clamp(least, most));
            left -= amount;
            Some(Part { blocker, least, most, amount })
        })
    }

    /// The combat damage that was chosen for a blocker in this step.
    fn assigned_to(&self, blocker: u8) -> Option<u8> {
        let chosen = self.assigned.iter().find(|&&(other, _)| other == blocker);
        chosen.map(|&(_, amount)| amount)
    }

    /// The least and the most damage that a blocker may be assigned.
    pub(in crate::magic) fn assignable(&self, blocker: u8) -> (u16, u16) {
        let mut parts = self.parts_of(self.board.link[blocker as usize]);
        let part = parts.find(|part| part.blocker == blocker);
        part.map_or((0, 0), |part| (part.least as u16, part.most as u16))
    }

    /// The next blocker for which there is a choice.
    fn next_to_assign(&self, striking: Slots) -> Option<u8> {
        each(self.board.attacking & self.board.blocked & striking).find_map(|attacker| {
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
        let divides = |attacker: u8| self.blockers_of(attacker).count_ones() > 1;
        if blocked & trample != 0 || each(blocked).any(divides) {
            let seat = self.clock.active;
            self.tasks.push(Task::AssignDamage { seat, first_strike: first });
        } else {
            self.strike(first);
        }
    }

    /// Asks how much damage the next blocker is assigned, or deals all damage.
    pub(in crate::magic) fn assign_on(&mut self, seat: u8, first: bool) {
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
