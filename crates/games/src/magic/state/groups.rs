//! Sets of permanents that one byte names.
//!
//! Many triggers of one ability that differ only in the permanent that set them
//! off (603.2: twenty tokens enter, eight creatures block) are kept as one, which
//! names a group of permanents and how often it triggered.

use crate::magic::state::Magic;
use crate::magic::state::slots::{SLOTS, Slot, Slots};

/// The most groups at once; triggers that find no free group are kept one by one.
pub(in crate::magic) const GROUPS: usize = 4;
/// The number of the first group: below are slots.
const FIRST_GROUP: u8 = SLOTS as u8;

/// Names a permanent, a group of permanents, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(in crate::magic) struct Named(u8);

impl Named {
    pub(in crate::magic) const NOTHING: Self = Self(u8::MAX);

    const fn of_group(index: usize) -> Self {
        Self(FIRST_GROUP + index as u8)
    }

    /// The permanent, if this names one and no group.
    #[inline]
    pub(in crate::magic) fn slot(self) -> Option<Slot> {
        (self.0 < FIRST_GROUP).then(|| Slot::new(self.0))
    }

    /// The index of the group, if this names one.
    #[inline]
    fn group(self) -> Option<usize> {
        self.is_group().then(|| (self.0 - FIRST_GROUP) as usize)
    }

    #[inline]
    pub(in crate::magic) const fn is_group(self) -> bool {
        self.0 >= FIRST_GROUP && !self.is_nothing()
    }

    #[inline]
    pub(in crate::magic) const fn is_nothing(self) -> bool {
        self.0 == Self::NOTHING.0
    }

    /// As a number, for hashes: below [`SLOTS`] for a permanent, 255 for nothing.
    #[inline]
    pub(in crate::magic) const fn byte(self) -> u8 {
        self.0
    }
}

impl Default for Named {
    fn default() -> Self {
        Self::NOTHING
    }
}

impl From<Slot> for Named {
    #[inline]
    fn from(slot: Slot) -> Self {
        Self(slot.number())
    }
}

impl From<Option<Slot>> for Named {
    #[inline]
    fn from(slot: Option<Slot>) -> Self {
        slot.map_or(Self::NOTHING, Self::from)
    }
}

impl Magic {
    /// The permanents that `event` names.
    pub(in crate::magic) fn named(&self, event: Named) -> Slots {
        match (event.slot(), event.group()) {
            (Some(slot), _) => slot.bit(),
            (_, Some(group)) => self.groups[group],
            _ => Slots::EMPTY,
        }
    }

    /// The last permanent that `event` names, or none.
    pub(in crate::magic) fn last_named(&self, event: Named) -> Option<Slot> {
        self.named(event).last()
    }

    /// Something that names what `event` names and `slot`, if there is room.
    pub(in crate::magic) fn join(&mut self, event: Named, slot: Slot) -> Option<Named> {
        if let Some(group) = event.group() {
            self.groups[group] |= slot.bit();
            return Some(event);
        }
        let free = self.groups.iter().position(|group| group.is_empty())?;
        self.groups[free] = self.named(event) | slot.bit();
        Some(Named::of_group(free))
    }

    /// Takes a permanent out of what `event` names: it, or nothing if there is
    /// none left, and what names the rest.
    pub(in crate::magic) fn split(&mut self, event: Named) -> (Named, Named) {
        let Some(group) = event.group() else { return (event, event) };
        let group = &mut self.groups[group];
        let last = group.last();
        if let Some(slot) = last {
            *group &= !slot.bit();
        }
        (last.into(), if group.is_empty() { Named::NOTHING } else { event })
    }

    /// A permanent is gone: nothing names it any more.
    pub(in crate::magic) fn leave_groups(&mut self, slot: Slot) {
        let mut emptied = [false; GROUPS];
        for (group, emptied) in self.groups.iter_mut().zip(&mut emptied) {
            *emptied = *group == slot.bit();
            *group &= !slot.bit();
        }
        if emptied == [false; GROUPS] {
            return;
        }
        let gone = |event: Named| event.group().is_some_and(|group| emptied[group]);
        let later = self.delayed.iter_mut().map(|later| &mut later.what.event);
        let pending = self.pending.iter_mut().map(|pending| &mut pending.event);
        let stack = self.stack.iter_mut().map(|item| &mut item.event);
        stack
            .chain(pending)
            .chain(later)
            .filter(|event| gone(**event))
            .for_each(|event| *event = Named::NOTHING);
    }
}
