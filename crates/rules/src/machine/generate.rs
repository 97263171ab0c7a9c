//! Generation: the legal actions of a seat, and whether there are any.

use meeple_game::{Action, ActionList, MAX_ACTIONS};

use super::event::END;
use super::longest::Longest;
use super::offers::{Asked, Keep, MAX_KEPT};
use super::{Goal, Machine, Offers, Standing, UNSAID};
use crate::cpu::Cpu;
use crate::link::Target;
use crate::set::{Ones, Set, Step};

impl<'p, const W: usize, const R: usize, const N: usize, C: Cpu> Machine<'p, W, R, N, C> {
    /// Offers the actions of a seat in the current phase.
    #[inline(always)]
    pub(super) fn generate(&mut self, seat: u8, asked: Asked, offers: &mut Offers<'_, W>) {
        let turn = self.turn_code(seat);
        offers.begin(seat, turn, asked);
        self.run(turn.offers as usize, offers, &mut Goal::Offers);
    }

    /// Offers the actions of a seat where it is not worth a copy of the loop.
    pub(super) fn generate_apart(&mut self, seat: u8, asked: Asked, offers: &mut Offers<'_, W>) {
        let turn = self.turn_code(seat);
        offers.begin(seat, turn, asked);
        self.run_apart(turn.offers as usize, offers, &mut Goal::Offers);
    }

    /// Lists the legal actions of the player to move.
    #[inline(always)]
    pub(crate) fn list(&mut self, out: &mut ActionList) {
        self.generate(self.mover, Asked::All, &mut Offers::new(Keep::List(out)));
    }

    /// Lists the actions of an entry, as many as there is room for.
    #[inline(always)]
    fn list_set(&self, first: usize, entry: u16, to: Set<W>, list: &mut ActionList) {
        let target = self.target(first, entry);
        let ids = &self.code.linked.tables.ids[target.ids as usize..];
        let room = MAX_ACTIONS - list.len();
        if room >= to.count() as usize {
            for (at, ids) in ids.chunks(64).enumerate().take(W) {
                list.extend(Ones(to.0[at]).map(|bit| Action(ids[bit])));
            }
        } else {
            list.extend(to.sites().take(room).map(|site| Action(ids[site])));
        }
    }

    /// Lists actions where they are not kept as sets, or no more sets can be kept.
    #[inline(always)]
    fn list_offered(&self, entry: u16, to: Set<W>, offers: &mut Offers<'_, W>) {
        match &mut offers.keep {
            Keep::List(list) => self.list_set(offers.first, entry, to, list),
            Keep::Sets(kept) => {
                for at in 0..kept.len {
                    self.list_set(offers.first, kept.entries[at], kept.sets[at], kept.list);
                }
                kept.len = 0;
            }
            Keep::Nothing => {}
        }
    }

    /// Adds actions of one entry without a condition; returns whether enough are known.
    #[inline(always)]
    pub(super) fn offer(&mut self, entry: u16, to: Set<W>, offers: &mut Offers<'_, W>) -> bool {
        let is_listed = match &offers.keep {
            Keep::Nothing => false,
            Keep::Sets(kept) => kept.len == MAX_KEPT,
            Keep::List(_) => to.any(),
        };
        if is_listed {
            self.cpu.call(|| self.list_offered(entry, to, offers));
        }
        offers.add(entry, to)
    }

    /// Adds actions of one entry for which its condition holds; returns whether enough are
    /// known.
    #[inline(always)]
    pub(super) fn offer_if(&mut self, entry: u16, to: Set<W>, offers: &mut Offers<'_, W>) -> bool {
        self.offer_sure(entry, to, Set::NONE, offers)
    }

    /// The same, where the condition is known to hold for some targets.
    #[inline(always)]
    pub(super) fn offer_sure(
        &mut self,
        entry: u16,
        to: Set<W>,
        sure: Set<W>,
        offers: &mut Offers<'_, W>,
    ) -> bool {
        let target = self.target(offers.first, entry);
        let (sure, open) = (to.and(sure), to.minus(sure));
        let mut accepted = match target.such_that {
            Some(such_that) if open.any() && offers.are_all_asked() => {
                sure.or(self.accepted(target, such_that, open, offers.seat))
            }
            // One answers the question.
            Some(_) if sure.any() => sure,
            Some(such_that) if open.any() => {
                self.first_accepted(target, such_that, open, offers.seat)
            }
            _ => to,
        };
        if let Some(refused) = &mut offers.refused {
            *refused = refused.or(to.minus(accepted));
        }
        if self.longest != Longest::Off {
            accepted = self.longest_of(target, accepted, offers.seat);
        }
        self.offer(entry, accepted, offers)
    }

    /// Adds an action without a site; returns whether enough are known.
    #[inline(always)]
    pub(super) fn offer_word(&mut self, entry: u16, offers: &mut Offers<'_, W>) -> bool {
        let before = offers.total;
        let is_enough = self.offer_if(entry, Set::one(0), offers);
        if self.target(offers.first, entry).is_pass {
            return offers.count_passes(offers.total - before);
        }
        is_enough
    }

    /// The targets for which `such that` holds.
    #[inline(never)]
    fn accepted(&self, target: &Target, such_that: u32, to: Set<W>, seat: u8) -> Set<W> {
        Set::of(to.sites().filter(|&site| self.accepts(target, such_that, site, seat)))
    }

    #[inline(never)]
    fn first_accepted(&self, target: &Target, such_that: u32, to: Set<W>, seat: u8) -> Set<W> {
        let first = to.sites().find(|&site| self.accepts(target, such_that, site, seat));
        first.map_or(Set::NONE, Set::one)
    }

    /// Returns the targets that `such that` refuses to the player to move.
    pub(crate) fn refused(&mut self) -> Set<W> {
        let mut offers = Offers::new(Keep::Nothing);
        offers.refused = Some(Set::NONE);
        self.generate(self.mover, Asked::All, &mut offers);
        offers.refused.unwrap_or(Set::NONE)
    }

    /// Judges `such that` for one target, in a copy.
    fn accepts(&self, target: &Target, such_that: u32, site: usize, seat: u8) -> bool {
        let mut after = self.twin();
        (after.next, after.goes_on, after.accepted) = (UNSAID, true, false);
        (after.mover, after.then) = (seat, such_that as usize);
        (after.longest, after.resume) = (Longest::Off, END);
        after.aim(target.aim, site);
        let mut offers = Offers::new(Keep::Nothing);
        after.run_apart(target.effect as usize, &mut offers, &mut Goal::Offers);
        // Effects that end the game do not go on to the condition.
        if after.standing != Standing::Open {
            after.run_apart(such_that as usize, &mut offers, &mut Goal::Offers);
        }
        after.accepted
    }

    /// Offers slides in one direction: from, through and to sets; returns whether enough
    /// actions are known.
    #[inline(always)]
    pub(super) fn slide(
        &mut self,
        mut entry: u16,
        step: &Step<W>,
        [from, through, to]: [Set<W>; 3],
        offers: &mut Offers<'_, W>,
    ) -> bool {
        let mut front = step.of(from);
        while front.any() {
            if self.offer_if(entry, front.and(to), offers) {
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
        entry: u16,
        from: Set<W>,
        to: Set<W>,
        offers: &mut Offers<'_, W>,
    ) -> bool {
        from.sites().any(|site| self.offer_if(entry + site as u16, to, offers))
    }

    /// Returns whether the next player or everybody has no action but to pass, if the actions
    /// of the next player are known.
    #[inline(always)]
    pub(super) fn is_stuck(&mut self, everybody: bool, offers: &Offers<'_, W>) -> Option<bool> {
        let can_choose = match self.has_outcome() {
            Some(has_outcome) => has_outcome,
            None if self.kept == Some((self.next, self.phase)) => offers.has_choice(),
            None => return None,
        };
        Some(!can_choose && (!everybody || self.are_others_stuck()))
    }

    /// Begins to offer actions to the next player, after which the code goes on at `resume`;
    /// returns the next address.
    #[inline(always)]
    pub(super) fn ask(
        &mut self,
        resume: usize,
        offers: &mut Offers<'_, W>,
        goal: &Goal<'_>,
    ) -> usize {
        self.resume = resume;
        let turn = self.turn_code(self.next);
        let is_all = matches!(goal, Goal::Playout { .. });
        offers.begin(self.next, turn, if is_all { Asked::All } else { Asked::OneChoice });
        turn.offers as usize
    }

    /// Returns whether nobody but the next player has an action, other than to pass.
    #[inline(never)]
    fn are_others_stuck(&mut self) -> bool {
        let next = self.next;
        (0..self.code.linked.players).filter(|&seat| seat != next).all(|seat| {
            let mut offers = Offers::new(Keep::Nothing);
            self.has_outcome() == Some(false) || {
                self.generate(seat, Asked::OneChoice, &mut offers);
                !offers.has_choice()
            }
        })
    }

    /// Offers slides in one direction through a set and over one site of another: from,
    /// through, over and to sets.
    #[inline(always)]
    pub(super) fn slide_over(
        &mut self,
        mut entry: u16,
        step: &Step<W>,
        [from, through, over, to]: [Set<W>; 4],
        offers: &mut Offers<'_, W>,
    ) -> bool {
        let (mut before, mut beyond) = (step.of(from), Set::NONE);
        while before.or(beyond).any() {
            if self.offer_if(entry, beyond.and(to), offers) {
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
        entry: u16,
        [from, through, to]: [Set<W>; 3],
        offers: &mut Offers<'_, W>,
    ) -> bool {
        let code = self.code;
        from.sites()
            .any(|site| self.offer_if(entry + site as u16, code.follow(site, through, to), offers))
    }
}
