//! What rules offer: legal actions, counted or kept as sets of targets.

use meeple_game::ActionList;

use crate::link::TurnCode;
use crate::set::Set;

/// The most sets of targets that are kept.
pub(super) const MAX_KEPT: usize = 32;

/// How many actions are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    All,
    /// One, to see whether there is any.
    One,
    /// One that is no pass.
    OneChoice,
}

/// The legal actions of a seat, which are counted, and kept where that is wanted.
pub(super) struct Offers<'k, const W: usize> {
    pub(super) seat: u8,
    /// The first entry of the seat.
    pub(super) first: usize,
    /// The number of actions.
    pub(super) total: u32,
    /// The number of actions that are passes.
    passes: u32,
    /// The number of actions that are enough.
    enough: u32,
    is_choice_asked: bool,
    pub(super) keep: Keep<'k, W>,
    /// The targets that `such that` refuses, where they are asked for.
    pub(super) refused: Option<Set<W>>,
}

impl<'k, const W: usize> Offers<'k, W> {
    #[inline(always)]
    pub(super) fn new(keep: Keep<'k, W>) -> Self {
        Self {
            seat: 0,
            first: 0,
            total: 0,
            passes: 0,
            enough: u32::MAX,
            is_choice_asked: false,
            keep,
            refused: None,
        }
    }

    /// Begins with the offers to a seat.
    #[inline(always)]
    pub(super) fn begin(&mut self, seat: u8, turn: &TurnCode, asked: Asked) {
        (self.seat, self.first) = (seat, turn.entries as usize);
        (self.total, self.passes) = (0, 0);
        self.enough = if asked == Asked::All { u32::MAX } else { 1 };
        self.is_choice_asked = asked == Asked::OneChoice;
        match &mut self.keep {
            Keep::Nothing => {}
            Keep::List(list) => list.clear(),
            Keep::Sets(kept) => {
                kept.len = 0;
                kept.list.clear();
            }
        }
    }

    /// Returns whether all actions are asked for.
    #[inline(always)]
    pub(super) fn are_all_asked(&self) -> bool {
        self.enough == u32::MAX
    }

    /// Adds actions of one entry; returns whether enough are known. If sets are kept, there must
    /// be room; if actions are listed, these are already.
    #[inline(always)]
    pub(super) fn add(&mut self, entry: u16, to: Set<W>) -> bool {
        let count = to.count();
        self.total += count;
        if let Keep::Sets(kept) = &mut self.keep {
            let at = kept.len % MAX_KEPT;
            kept.sets[at] = to;
            kept.entries[at] = entry;
            kept.ends[at] = self.total;
            kept.len += usize::from(count > 0);
        }
        self.total >= self.enough
    }

    /// Counts actions that were added as passes.
    #[inline(always)]
    pub(super) fn count_passes(&mut self, passes: u32) -> bool {
        self.passes += passes;
        self.enough = self.enough.saturating_add(if self.is_choice_asked { passes } else { 0 });
        self.total >= self.enough
    }

    /// Returns whether there is an action that is no pass.
    #[inline(always)]
    pub(super) fn has_choice(&self) -> bool {
        self.total > self.passes
    }
}

/// What becomes of legal actions besides that they are counted.
pub(super) enum Keep<'k, const W: usize> {
    Nothing,
    /// They are kept as sets, from which one is drawn.
    Sets(&'k mut Kept<'k, W>),
    /// They are listed, as many as there is room for.
    List(&'k mut ActionList),
}

/// Legal actions as sets of targets, after those that were listed because there were more
/// sets.
pub(super) struct Kept<'l, const W: usize> {
    pub(super) sets: [Set<W>; MAX_KEPT],
    /// The entry of each set, counted from the first one of the seat.
    pub(super) entries: [u16; MAX_KEPT],
    /// The number of actions up to and with each set.
    pub(super) ends: [u32; MAX_KEPT],
    pub(super) len: usize,
    pub(super) list: &'l mut ActionList,
}

impl<'l, const W: usize> Kept<'l, W> {
    #[inline(always)]
    pub(super) fn new(list: &'l mut ActionList) -> Self {
        list.clear();
        let (sets, entries, ends) = ([Set::NONE; MAX_KEPT], [0; MAX_KEPT], [0; MAX_KEPT]);
        Self { sets, entries, ends, len: 0, list }
    }
}
