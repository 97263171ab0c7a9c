//! The legal events of a state: all of them, their number, or whether there are
//! any.

use std::ops::ControlFlow;

use crate::RuleSet;
use crate::generate::{Candidate, Spot};
use crate::plan::Plan;

/// The best-rated events of a state.
pub(crate) struct Best {
    spots: [Spot; Self::ROOM],
    /// How many there are, even if not all of them are held.
    pub(crate) count: usize,
    rating: u32,
}

impl Best {
    const ROOM: usize = 64;
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
        let _ = self.visit_spots(state, facts, |spot| {
            visit(self.candidate(spot));
            ControlFlow::Continue(())
        });
    }

    #[inline]
    pub(crate) fn visit_spots(
        &self,
        state: &R::State,
        facts: &R::Facts,
        visit: impl FnMut(Spot) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.maximal.is_none() {
            self.visit_accepted(state, facts, visit)
        } else {
            self.visit_best(state, facts, &self.best(state, facts), visit)
        }
    }

    /// The number of legal events.
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

    /// Whether any event is legal.
    #[must_use]
    #[inline]
    pub fn has_legal(&self, state: &R::State, facts: &R::Facts) -> bool {
        if R::surely_has_event(state, facts) {
            return true;
        }
        if self.generation.batches_suffice {
            return self.count_batches(state, facts, 1) > 0;
        }
        // Whatever is accepted, the best of it is legal.
        self.visit_accepted(state, facts, |_| ControlFlow::Break(())).is_break()
    }

    /// Rates every accepted event once and keeps the best.
    pub(crate) fn best(&self, state: &R::State, facts: &R::Facts) -> Best {
        let mut best = Best { spots: [Spot::default(); Best::ROOM], count: 0, rating: 0 };
        let Some(maximal) = &self.maximal else { return best };
        let _ = self.visit_accepted(state, facts, |spot| {
            let rating = (maximal.rating)(state, &self.candidate(spot).event);
            if rating > best.rating {
                (best.rating, best.count) = (rating, 0);
            }
            if rating == best.rating {
                if let Some(slot) = best.spots.get_mut(best.count) {
                    *slot = spot;
                }
                best.count += 1;
            }
            ControlFlow::Continue(())
        });
        best
    }

    /// Visits the best-rated events; they are rated again if they were too many
    /// to hold.
    pub(crate) fn visit_best(
        &self,
        state: &R::State,
        facts: &R::Facts,
        best: &Best,
        mut visit: impl FnMut(Spot) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if let Some(spots) = best.spots.get(..best.count) {
            return spots.iter().try_for_each(|&spot| visit(spot));
        }
        self.visit_accepted(state, facts, |spot| match &self.maximal {
            Some(maximal) if (maximal.rating)(state, &self.candidate(spot).event) < best.rating => {
                ControlFlow::Continue(())
            }
            _ => visit(spot),
        })
    }

    /// Whether an accepted event is rated higher than `rating`.
    pub(crate) fn is_outrated(&self, state: &R::State, rating: u32) -> bool {
        let Some(maximal) = &self.maximal else { return false };
        if rating >= (maximal.most)(state) {
            return false;
        }
        let higher = self.visit_accepted(state, &R::facts(state), |spot| {
            match (maximal.rating)(state, &self.candidate(spot).event) > rating {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        higher.is_break()
    }
}
