//! Longest chains: of all offers, those that lead to most links.

use super::event::END;
use super::offers::{Asked, Keep};
use super::{Goal, Machine, Offers, UNSAID};
use crate::cpu::Cpu;
use crate::link::Target;
use crate::set::Set;

/// The most links that are tried for one state; beyond that a chain counts as ended.
const MAX_TRIES: u16 = 4096;
/// The most links of a chain that are looked ahead; a piece may go round for ever.
const MAX_LINKS: u8 = 32;

/// How offers are judged by the length of their chains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Longest {
    /// Not at all.
    Off,
    /// The length of the longest chain is sought, and this is the longest so far.
    Seek(u16),
    /// Only chains of this length are offered.
    Keep(u16),
}

impl<const W: usize, const R: usize, const N: usize, C: Cpu> Machine<'_, W, R, N, C> {
    /// Runs the offers at `at` twice where all are asked for: to find the longest chain, and to
    /// offer those as long. Returns whether it has; else they run as they are, since where there
    /// is any chain, there is a longest one.
    #[inline(never)]
    pub(super) fn offer_longest(&mut self, at: usize, offers: &mut Offers<'_, W>) -> bool {
        if self.longest != Longest::Off || !offers.are_all_asked() {
            return false;
        }
        (self.longest, self.tries) = (Longest::Seek(0), MAX_TRIES);
        self.run_apart(at, offers, &mut Goal::Offers);
        if let Longest::Seek(best) = self.longest {
            // The same chains are tried in the same order, so that they are as long again.
            (self.longest, self.tries) = (Longest::Keep(best), MAX_TRIES);
            self.run_apart(at, offers, &mut Goal::Offers);
        }
        self.longest = Longest::Off;
        true
    }

    /// Returns the targets that are offered: none while lengths are sought.
    #[inline(never)]
    pub(super) fn longest_of(&mut self, target: &Target, to: Set<W>, seat: u8) -> Set<W> {
        match self.longest {
            Longest::Off | Longest::Keep(0 | 1) => to,
            Longest::Keep(best) => {
                Set::of(to.sites().filter(|&site| self.links(target, site, seat) == best))
            }
            Longest::Seek(mut best) => {
                for site in to.sites() {
                    best = best.max(self.links(target, site, seat));
                }
                self.longest = Longest::Seek(best);
                Set::NONE
            }
        }
    }

    /// Returns the number of links of the longest chain that begins with an action.
    fn links(&mut self, target: &Target, site: usize, seat: u8) -> u16 {
        if self.tries == 0 || self.links == MAX_LINKS || !target.is_longest {
            return 1;
        }
        let mut after = self.twin();
        (after.next, after.goes_on, after.longest) = (UNSAID, true, Longest::Off);
        (after.mover, after.then, after.resume) = (seat, END, END);
        (after.tries, after.links) = (self.tries - 1, self.links + 1);
        after.aim(target.aim, site);
        let mut offers = Offers::new(Keep::Nothing);
        after.run_apart(target.effect as usize, &mut offers, &mut Goal::Offers);
        let goes_on = after.code.chain.is_some_and(|chain| after.get(chain).any());
        if goes_on {
            after.longest = Longest::Seek(0);
            after.generate_apart(seat, Asked::All, &mut offers);
        }
        let (longest, tries) = (after.longest, after.tries);
        self.tries = tries;
        match longest {
            Longest::Seek(more) if goes_on => more.saturating_add(1),
            _ => 1,
        }
    }
}
