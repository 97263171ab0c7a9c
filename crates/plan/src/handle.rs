//! One event through the plan: what becomes of the state.

use crate::RuleSet;
use crate::decide::Decision;
use crate::generate::{Candidate, bits};
use crate::observe::{Observer, Unwatched};
use crate::plan::{Effect, Plan};
use crate::rules::Conflict;

/// What became of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Handled<S> {
    /// Rules took it; this is the new state.
    Applied(S),
    /// No rule was about it.
    Ignored,
    /// A rule refused it.
    Invalid {
        /// The number of the entry.
        entry: usize,
        /// Why, in words for people.
        reason: &'static str,
    },
    /// Two rules would take it where only one may.
    Contested {
        /// The number of one entry.
        first: usize,
        /// The number of the other.
        second: usize,
    },
}

impl<R: RuleSet> Plan<R> {
    /// Puts an event through the plan.
    #[inline]
    pub fn handle(&self, state: &R::State, event: &R::Event) -> Handled<R::State> {
        self.handle_watched(state, event, &mut Unwatched)
    }

    /// Puts an event through the plan while `observer` watches.
    #[inline]
    pub fn handle_watched<O: Observer>(
        &self,
        state: &R::State,
        event: &R::Event,
        observer: &mut O,
    ) -> Handled<R::State> {
        if self.preprocessors.is_empty() {
            return self.handle_one(state, event, observer);
        }
        let mut now = *state;
        self.handle_expanded(state, &mut now, event, 0, observer)
    }

    /// Runs the preprocessors from number `step` on, which see the state before
    /// the event; every event that comes out must be taken, or none is.
    fn handle_expanded<O: Observer>(
        &self,
        before: &R::State,
        now: &mut R::State,
        event: &R::Event,
        step: usize,
        observer: &mut O,
    ) -> Handled<R::State> {
        let Some(expand) = self.preprocessors.get(step) else {
            let handled = self.handle_one(now, event, observer);
            if let Handled::Applied(next) = handled {
                *now = next;
            }
            return handled;
        };
        let mut result = Handled::Ignored;
        let mut failed = false;
        (expand.value)(before, event, &mut |event| {
            if !failed {
                result = self.handle_expanded(before, now, &event, step + 1, observer);
                failed = !matches!(result, Handled::Applied(_));
            }
        });
        result
    }

    #[inline]
    fn handle_one<O: Observer>(
        &self,
        state: &R::State,
        event: &R::Event,
        observer: &mut O,
    ) -> Handled<R::State> {
        match self.decide(state, event, observer) {
            Decision::Take(taken) => self.taken_by(state, event, taken),
            Decision::Ignored => Handled::Ignored,
            Decision::Invalid(entry, reason) => Handled::Invalid { entry, reason },
            Decision::Contested(first, second) => Handled::Contested { first, second },
        }
    }

    /// The state after entries have taken the event. It may be large: it is
    /// changed where it is returned, so that it is copied once.
    #[inline(never)]
    fn taken_by(&self, state: &R::State, event: &R::Event, entries: u64) -> Handled<R::State> {
        let mut handled = Handled::Applied(*state);
        if let Handled::Applied(next) = &mut handled {
            // Under ApplyAll several entries apply, in order.
            bits(entries).for_each(|entry| self.change(next, event, entry));
        }
        handled
    }

    /// The entry that takes an event which is known to be legal: `ensure`
    /// predicates are not asked again.
    #[must_use]
    #[inline]
    pub fn trusted_entry(&self, state: &R::State, event: &R::Event) -> Option<usize> {
        let (kind, subject) = (R::kind(event), R::subject(state, event));
        let open = self.open_in(state);
        let mut order = self.order.iter().map(|&entry| usize::from(entry));
        order.find(|&entry| {
            let asks = self.entries[entry].asks.iter();
            let mut requires = asks.take_while(|ask| ask.refusal.is_none());
            open >> entry & 1 == 1
                && self.fits(entry, kind, subject)
                && requires.all(|ask| (ask.holds)(state, event))
        })
    }

    /// Makes a candidate of this state happen; it is not judged again.
    #[inline]
    pub fn apply(&self, state: &mut R::State, candidate: &Candidate<R::Event>) {
        if self.conflict == Conflict::ApplyAll {
            // Other entries may apply too.
            if let Handled::Applied(next) = self.handle(state, &candidate.event) {
                *state = next;
            }
            return;
        }
        self.change(state, &candidate.event, candidate.entry);
    }

    /// Makes the changes of one entry.
    #[inline]
    pub(crate) fn change(&self, state: &mut R::State, event: &R::Event, entry: usize) {
        let Effect { first, rest } = &self.effects[entry];
        first(state, event);
        rest.iter().for_each(|change| change(state, event));
    }
}
