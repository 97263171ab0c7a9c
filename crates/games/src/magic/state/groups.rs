//! Sets of permanents that one byte names.
//!
//! Many triggers of one ability that differ only in the permanent that set them
//! off (603.2: twenty tokens enter, eight creatures block) are kept as one, which
//! names a group of permanents and how often it triggered.

use crate::magic::state::Magic;
use crate::magic::state::slots::{NONE, Slots, bit};

/// The most groups at once; triggers that find no free group are kept one by one.
pub(in crate::magic) const GROUPS: usize = 4;
/// The number of the first group: below are slots.
pub(in crate::magic) const FIRST_GROUP: u8 = 128;

/// Whether this names a group.
pub(in crate::magic) const fn is_group(event: u8) -> bool {
    event >= FIRST_GROUP && event != NONE
}

impl Magic {
    /// The permanents that `event` names.
    pub(in crate::magic) fn named(&self, event: u8) -> Slots {
        match event {
            NONE => 0,
            slot if slot < FIRST_GROUP => bit(slot),
            group => self.groups[(group - FIRST_GROUP) as usize],
        }
    }

    /// The last permanent that `event` names, or none.
    pub(in crate::magic) fn last_named(&self, event: u8) -> u8 {
        match is_group(event) {
            true => self.named(event).checked_ilog2().map_or(NONE, |slot| slot as u8),
            false => event,
        }
    }

    /// Something that names what `event` names and `slot`, if there is room.
    pub(in crate::magic) fn join(&mut self, event: u8, slot: u8) -> Option<u8> {
        if is_group(event) {
            self.groups[(event - FIRST_GROUP) as usize] |= bit(slot);
            return Some(event);
        }
        let free = self.groups.iter().position(|&group| group == 0)?;
        self.groups[free] = bit(event) | bit(slot);
        Some(FIRST_GROUP + free as u8)
    }

    /// Takes a permanent out of what `event` names: it, or none if there is
    /// none left, and what names the rest.
    pub(in crate::magic) fn split(&mut self, event: u8) -> (u8, u8) {
        if !is_group(event) {
            return (event, event);
        }
        let last = self.last_named(event);
        let group = &mut self.groups[(event - FIRST_GROUP) as usize];
        if last != NONE {
            *group &= !bit(last);
        }
        (last, if *group == 0 { NONE } else { event })
    }

    /// A permanent is gone: nothing names it any more.
    pub(in crate::magic) fn leave_groups(&mut self, slot: u8) {
        let mut emptied = 0_u8;
        for (index, group) in self.groups.iter_mut().enumerate() {
            let before = *group;
            *group &= !bit(slot);
            emptied |= u8::from(before != *group && *group == 0) << index;
        }
        if emptied == 0 {
            return;
        }
        let gone = |event: u8| is_group(event) && emptied >> (event - FIRST_GROUP) & 1 == 1;
        let later = self.delayed.iter_mut().map(|later| &mut later.what.event);
        let pending = self.pending.iter_mut().map(|pending| &mut pending.event);
        let stack = self.stack.iter_mut().map(|item| &mut item.event);
        stack
            .chain(pending)
            .chain(later)
            .filter(|event| gone(**event))
            .for_each(|event| *event = NONE);
    }
}
