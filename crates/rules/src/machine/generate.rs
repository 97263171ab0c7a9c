//! Generation: the legal actions of a seat, and whether there are any.

use meeple_game::{Action, MAX_ACTIONS};

use super::longest::Longest;
use super::offers::list_ids;
use super::{Fault, Machine, Pick, Sink, Standing, UNSAID};
use crate::code::{Code, Entry};
use crate::cpu::Cpu;
use crate::set::{Set, Step};

impl<'p, const W: usize, C: Cpu> Machine<'p, W, C> {
    /// Offers the actions of a seat in a phase.
    #[inline(always)]
    pub(crate) fn generate(&mut self, seat: u8, phase: u8, sink: &mut Sink<'_, W>) {
        (self.total, self.choices, self.found) = (0, 0, false);
        let mover = std::mem::replace(&mut self.mover, seat);
        self.run(self.code.seats[seat as usize].phases[phase as usize], sink);
        self.mover = mover;
    }

    /// Keeps the actions of a seat in a phase, unless they are the ones already kept.
    #[inline(always)]
    fn keep(&mut self, seat: u8, phase: u8, sink: &mut Sink<'_, W>) {
        if self.kept == Some((seat, phase)) {
            return;
        }
        if let Sink::Keep(offers) = sink {
            offers.clear();
        }
        self.generate(seat, phase, sink);
        self.kept = Some((seat, phase));
    }

    /// Draws one of the legal actions, all equally likely; the state has at least one.
    #[inline(always)]
    pub(crate) fn draw(
        &mut self,
        sink: &mut Sink<'_, W>,
        below: impl FnOnce(usize) -> usize,
    ) -> Pick {
        self.keep(self.mover, self.phase, sink);
        let Sink::Keep(offers) = sink else { return Pick::Id(Action(0)) };
        let nth = below(self.total as usize);
        if let Some(&action) = offers.list.get(nth) {
            return Pick::Id(action);
        }
        let mut nth = (nth - offers.list.len()) as u32;
        for (set, entry) in &offers.sets[..offers.len] {
            let count = set.count();
            if nth < count {
                return Pick::Target(*entry, set.nth(nth, self.cpu));
            }
            nth -= count;
        }
        Pick::Id(Action(0))
    }

    /// Returns the id of an action of the player to move.
    #[inline(always)]
    pub(crate) fn id(&self, pick: Pick) -> Action {
        match pick {
            Pick::Id(action) => action,
            Pick::Target(entry, site) => {
                let entries = &self.code.seats[self.mover as usize].entries;
                Action(entries[usize::from(entry)].ids[site])
            }
        }
    }

    /// Returns whether a phase of the player to move is a chance node, and if so whether it has
    /// an outcome.
    #[inline(always)]
    fn has_outcome(&self, seat: u8, phase: u8) -> Option<bool> {
        self.code.seats[seat as usize].rolls[phase as usize]?;
        let from = self.code.deals[phase as usize];
        Some(from.is_none_or(|from| self.get(from).any()))
    }

    /// Returns whether a seat has an action that is no pass in the current phase.
    #[inline(always)]
    fn can_choose(&mut self, seat: u8, sink: &mut Sink<'_, W>) -> bool {
        if let Some(has_outcome) = self.has_outcome(seat, self.phase) {
            return has_outcome;
        }
        if matches!(sink, Sink::Keep(_)) {
            self.keep(seat, self.phase, sink);
            return self.choices > 0;
        }
        self.generate(seat, self.phase, &mut Sink::Exists { pass: false });
        if self.found {
            self.kept = Some((seat, self.phase));
        }
        self.found
    }

    /// Judges whether the next player can act, and whether a list holds the actions.
    #[inline(always)]
    pub(super) fn judge_room(&mut self, sink: &mut Sink<'_, W>, is_wide: bool) {
        if self.standing != Standing::Open {
            return;
        }
        let (seat, phase) = (self.mover, self.phase);
        let (can_act, is_too_wide) = if let Some(has_outcome) = self.has_outcome(seat, phase) {
            (has_outcome, false)
        } else if matches!(sink, Sink::Keep(_)) {
            self.keep(seat, phase, sink);
            (self.total > 0, self.total > MAX_ACTIONS as u32)
        } else if is_wide {
            self.generate(seat, phase, &mut Sink::Count);
            (self.total > 0, self.total > MAX_ACTIONS as u32)
        } else if self.kept == Some((seat, phase)) {
            (true, false)
        } else {
            self.generate(seat, phase, &mut Sink::Exists { pass: true });
            (self.found, false)
        };
        if !can_act {
            self.standing = Standing::Fault(Fault::Stuck);
        } else if is_too_wide {
            self.standing = Standing::Fault(Fault::Wide);
        }
    }
    /// The targets for which `such that` holds.
    #[inline(never)]
    fn accepted(&self, entry: &Entry, such_that: usize, to: Set<W>) -> Set<W> {
        Set::of(to.sites().filter(|&site| self.accepts(entry, such_that, site)))
    }

    #[inline(never)]
    fn first_accepted(&self, entry: &Entry, such_that: usize, to: Set<W>) -> Set<W> {
        let first = to.sites().find(|&site| self.accepts(entry, such_that, site));
        first.map_or(Set::NONE, Set::one)
    }

    /// Judges `such that` for one target, in a copy.
    fn accepts(&self, entry: &Entry, such_that: usize, site: usize) -> bool {
        let mut after = self.clone();
        (after.next, after.goes_on, after.accepted) = (UNSAID, true, false);
        after.forget_event();
        after.aim_at(entry, site);
        after.longest = Longest::Off;
        after.run_apart(entry.effect, &mut Sink::Count);
        after.run_apart(such_that, &mut Sink::Count);
        after.accepted
    }

    /// Adds actions of one entry; returns whether the question is answered.
    #[inline(always)]
    pub(super) fn offer(
        &mut self,
        entry_at: usize,
        mut to: Set<W>,
        sink: &mut Sink<'_, W>,
    ) -> bool {
        if !to.any() {
            return false;
        }
        let code: &'p Code<W> = self.code;
        let entries = &code.seats[self.mover as usize].entries;
        let entry = &entries[entry_at];
        if let Some(such_that) = entry.such_that {
            let all = to;
            to = match sink {
                // One answers the question.
                Sink::Exists { .. } => self.first_accepted(entry, such_that, to),
                _ => self.accepted(entry, such_that, to),
            };
            if let Sink::Refused(refused) = sink {
                *refused = refused.or(all.minus(to));
            }
        }
        if self.longest != Longest::Off {
            to = self.longest_of(entry, to);
        }
        match sink {
            Sink::List(list) => {
                self.cpu.call(|| list_ids(list, entry, to));
                self.total += to.count();
                false
            }
            Sink::Exists { pass } => {
                self.found |= to.any() && (*pass || !entry.is_pass);
                self.found
            }
            Sink::Count | Sink::Refused(_) => {
                self.total += to.count();
                false
            }
            Sink::Keep(offers) => {
                offers.push(entries, entry_at, to);
                let count = to.count();
                self.total += count;
                self.choices += if entry.is_pass { 0 } else { count };
                false
            }
        }
    }

    /// Offers slides in one direction: from, through and to sets; returns whether the question
    /// is answered.
    #[inline(always)]
    pub(super) fn slide(
        &mut self,
        mut entry: usize,
        step: &Step<W>,
        [from, through, to]: [Set<W>; 3],
        sink: &mut Sink<'_, W>,
    ) -> bool {
        let mut front = step.of(from);
        while front.any() {
            if self.offer(entry, front.and(to), sink) {
                return true;
            }
            front = step.of(front.and(through));
            entry += 1;
        }
        false
    }

    #[inline(always)]
    pub(super) fn fly(
        &mut self,
        entry: usize,
        from: Set<W>,
        to: Set<W>,
        sink: &mut Sink<'_, W>,
    ) -> bool {
        from.sites().any(|site| self.offer(entry + site, to, sink))
    }

    #[inline(always)]
    pub(super) fn is_stuck(&mut self, everybody: bool, sink: &mut Sink<'_, W>) -> bool {
        // Most often the next player can act, and the question is answered.
        if self.can_choose(self.next, sink) {
            return false;
        }
        if !everybody {
            return true;
        }
        let (next, kept) = (self.next, self.kept.take());
        let counts = (self.total, self.choices);
        let mut others = (0..self.players()).filter(|&seat| seat != next);
        let mut alone = Sink::Exists { pass: false };
        let is_stuck = others.all(|seat| !self.can_choose(seat, &mut alone));
        (self.kept, self.total, self.choices) = (kept, counts.0, counts.1);
        is_stuck
    }

    /// Offers slides in one direction through a set and over one site of another: from,
    /// through, over and to sets.
    #[inline(always)]
    pub(super) fn slide_over(
        &mut self,
        mut entry: usize,
        step: &Step<W>,
        [from, through, over, to]: [Set<W>; 4],
        sink: &mut Sink<'_, W>,
    ) -> bool {
        let (mut before, mut beyond) = (step.of(from), Set::NONE);
        while before.or(beyond).any() {
            if self.offer(entry, beyond.and(to), sink) {
                return true;
            }
            let passed = before.and(over);
            beyond = step.of(passed.or(beyond.and(through)));
            before = step.of(before.and(through));
            entry += 1;
        }
        false
    }

    /// Offers moves along the loops of the board: from, through and to sets.
    #[inline(always)]
    pub(super) fn follow(
        &mut self,
        entry: usize,
        [from, through, to]: [Set<W>; 3],
        sink: &mut Sink<'_, W>,
    ) -> bool {
        let code = self.code;
        from.sites().any(|site| self.offer(entry + site, code.follow(site, through, to), sink))
    }
}
