//! What becomes of the actions that rules offer: listed, counted, or kept as sets.

use meeple_game::{Action, ActionList, MAX_ACTIONS};

use crate::code::Entry;
use crate::set::Set;

/// What becomes of the actions that the rules offer.
pub(crate) enum Sink<'a, const W: usize> {
    /// Their ids are listed.
    List(&'a mut ActionList),
    /// The first one answers the question whether there is any; `pass` says whether a pass
    /// counts.
    Exists { pass: bool },
    /// They are counted.
    Count,
    /// The targets that `such that` refuses are collected.
    Refused(Set<W>),
    /// They are kept as sets, from which a playout draws one.
    Keep(Offers<'a, W>),
}

/// The most sets of targets that are kept.
const MAX_OFFERS: usize = 64;

/// Legal actions as sets of targets, after those that were listed because there were more sets.
pub(crate) struct Offers<'a, const W: usize> {
    pub(super) sets: [(Set<W>, u16); MAX_OFFERS],
    pub(super) len: usize,
    pub(super) list: &'a mut ActionList,
}

impl<'a, const W: usize> Offers<'a, W> {
    #[inline(always)]
    pub(crate) fn new(list: &'a mut ActionList) -> Self {
        list.clear();
        Self { sets: [(Set::NONE, 0); MAX_OFFERS], len: 0, list }
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.list.clear();
    }

    #[inline(always)]
    pub(super) fn push(&mut self, entries: &[Entry], entry: usize, to: Set<W>) {
        if self.len == MAX_OFFERS {
            self.list_all(entries);
        }
        self.sets[self.len % MAX_OFFERS] = (to, entry as u16);
        self.len += 1;
    }

    #[cold]
    fn list_all(&mut self, entries: &[Entry]) {
        for (set, entry) in &self.sets[..self.len] {
            list_ids(self.list, &entries[usize::from(*entry)], *set);
        }
        self.len = 0;
    }
}

/// Lists the actions of an entry to targets, as many as there is room for.
#[inline(always)]
pub(super) fn list_ids<const W: usize>(list: &mut ActionList, entry: &Entry, to: Set<W>) {
    let room = MAX_ACTIONS - list.len();
    list.extend(to.sites().take(room).map(|site| Action(entry.ids[site])));
}

/// A legal action.
#[derive(Clone, Copy)]
pub(crate) enum Pick {
    Id(Action),
    /// The target of an entry of the player to move.
    Target(u16, usize),
}
