//! The legal events of a state: all of them, their number, or whether any exists.

use std::ops::ControlFlow;

use crate::RuleSet;
use crate::generate::{Candidate, RawEvent};
use crate::plan::Plan;

/// The best-rated events of a state.
pub(crate) struct Best {
    raw_events: [RawEvent; Self::CAPACITY],
    /// Their number, which may exceed the capacity.
    pub(crate) count: usize,
    rating: u32,
}

impl Best {
    const CAPACITY: usize = 64;
}

impl<R: RuleSet> Plan<R> {
    /// Visits the legal events of `state`, each with the entry that takes it.
    ///
    /// `facts` are those of `state`, here and below.
    #[inline]
    pub fn visit_legal(
        &self,
        state: &R::State,
        facts: &R::Facts,
        mut visit: impl FnMut(Candidate<R::Event>),
    ) {
        let _ = self.visit_raw(state, facts, |raw| {
            visit(self.candidate(raw));
            ControlFlow::Continue(())
        });
    }

    #[inline]
    pub(crate) fn visit_raw(
        &self,
        state: &R::State,
        facts: &R::Facts,
        visit: impl FnMut(RawEvent) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.maximal.is_none() {
            self.visit_accepted(state, facts, visit)
        } else {
            self.visit_best(state, facts, &self.best(state, facts), visit)
        }
    }

    /// Returns the number of legal events.
    #[must_use]
    #[inline]
    pub fn count_legal(&self, state: &R::State, facts: &R::Facts) -> u64 {
        if self.generation.batches_suffice {
            return self.count_batches(state, facts, u64::MAX);
        }
        if self.maximal.is_some() {
            return self.best(state, facts).count as u64;
        }
        let mut count = 0;
        self.visit_legal(state, facts, |_| count += 1);
        count
    }

    /// Returns whether any event is legal.
    #[must_use]
    #[inline]
    pub fn has_legal(&self, state: &R::State, facts: &R::Facts) -> bool {
        if R::surely_has_event(state, facts) {
            return true;
        }
        if self.generation.batches_suffice {
            return self.count_batches(state, facts, 1) > 0;
        }
        // If any event is accepted, the best-rated one is legal.
        self.visit_accepted(state, facts, |_| ControlFlow::Break(())).is_break()
    }

    /// Rates every accepted event once and keeps the best.
    pub(crate) fn best(&self, state: &R::State, facts: &R::Facts) -> Best {
        let mut best =
            Best { raw_events: [RawEvent::default(); Best::CAPACITY], count: 0, rating: 0 };
        let Some(maximal) = &self.maximal else { return best };
        let _ = self.visit_accepted(state, facts, |raw| {
            let rating = (maximal.rating)(state, &self.candidate(raw).event);
            if rating > best.rating {
                (best.rating, best.count) = (rating, 0);
            }
            if rating == best.rating {
                if let Some(slot) = best.raw_events.get_mut(best.count) {
                    *slot = raw;
                }
                best.count += 1;
            }
            ControlFlow::Continue(())
        });
        best
    }

    /// Visits the best-rated events; rates all again if they exceed the capacity.
    pub(crate) fn visit_best(
        &self,
        state: &R::State,
        facts: &R::Facts,
        best: &Best,
        mut visit: impl FnMut(RawEvent) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if let Some(raw_events) = best.raw_events.get(..best.count) {
            return raw_events.iter().try_for_each(|&raw| visit(raw));
        }
        self.visit_accepted(state, facts, |raw| match &self.maximal {
            Some(maximal) if (maximal.rating)(state, &self.candidate(raw).event) < best.rating => {
                ControlFlow::Continue(())
            }
            _ => visit(raw),
        })
    }

    /// Whether an accepted event is rated higher than `rating`.
    pub(crate) fn is_outrated(&self, state: &R::State, rating: u32) -> bool {
        let Some(maximal) = &self.maximal else { return false };
        if rating >= (maximal.upper_bound)(state) {
            return false;
        }
        let higher = self.visit_accepted(state, &R::facts(state), |raw| {
            match (maximal.rating)(state, &self.candidate(raw).event) > rating {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        higher.is_break()
    }
}
