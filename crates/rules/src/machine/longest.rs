//! Longest chains: of all offers, those that lead to most links.

use super::{Machine, Sink, UNSAID};
use crate::code::Entry;
use crate::cpu::Cpu;
use crate::set::Set;

/// The most links that are tried for one state; beyond that a chain counts as ended.
const MAX_TRIES: u16 = 4096;

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

impl<const W: usize, C: Cpu> Machine<'_, W, C> {
    /// Runs the offers at `at` twice: to find the longest chain, and to offer those as long.
    /// Returns whether the question is answered.
    #[inline(never)]
    pub(super) fn offer_longest(&mut self, at: usize, sink: &mut Sink<'_, W>) -> bool {
        if let Longest::Seek(_) = self.longest {
            self.run_apart(at, sink);
            return false;
        }
        if let Sink::Exists { .. } = sink {
            // Where there is any chain, there is a longest one.
            self.run_apart(at, sink);
            return self.found;
        }
        (self.longest, self.tries) = (Longest::Seek(0), MAX_TRIES);
        self.run_apart(at, &mut Sink::Count);
        if let Longest::Seek(best) = self.longest {
            // The same chains are tried in the same order, so that they are as long again.
            (self.longest, self.tries) = (Longest::Keep(best), MAX_TRIES);
            self.run_apart(at, sink);
        }
        self.longest = Longest::Off;
        false
    }

    /// Returns the targets that are offered: none while lengths are sought.
    #[inline(never)]
    pub(super) fn longest_of(&mut self, entry: &Entry, to: Set<W>) -> Set<W> {
        match self.longest {
            Longest::Off | Longest::Keep(0 | 1) => to,
            Longest::Keep(best) => {
                Set::of(to.sites().filter(|&site| self.links(entry, site) == best))
            }
            Longest::Seek(mut best) => {
                for site in to.sites() {
                    best = best.max(self.links(entry, site));
                }
                self.longest = Longest::Seek(best);
                Set::NONE
            }
        }
    }

    /// Returns the number of links of the longest chain that begins with an action.
    fn links(&mut self, entry: &Entry, site: usize) -> u16 {
        if self.tries == 0 {
            return 1;
        }
        let mut after = self.clone();
        (after.next, after.goes_on, after.longest) = (UNSAID, true, Longest::Off);
        after.tries -= 1;
        after.forget_event();
        after.aim_at(entry, site);
        after.run_apart(entry.effect, &mut Sink::Count);
        let goes_on = after.code.chain.is_some_and(|chain| after.get(chain).any());
        if goes_on {
            after.longest = Longest::Seek(0);
            let at = after.code.seats[after.mover as usize].phases[after.phase as usize];
            after.run_apart(at, &mut Sink::Count);
        }
        self.tries = after.tries;
        match after.longest {
            Longest::Seek(more) if goes_on => more.saturating_add(1),
            _ => 1,
        }
    }
}
