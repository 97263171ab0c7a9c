//! Handling of one event by the plan.

use crate::RuleSet;
use crate::decide::Decision;
use crate::generate::{Candidate, bits};
use crate::observe::{NoObserver, Observer};
use crate::plan::{Effect, Plan};
use crate::rules::Conflict;

/// The result of handling an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Handled<S> {
    /// The event was applied; this is the new state.
    Applied(S),
    /// All rules ignored it.
    Ignored,
    /// A rule rejected it.
    Invalid {
        /// The index of the entry.
        entry: usize,
        /// The reason, for people.
        reason: &'static str,
    },
    /// Two rules accept it where only one may.
    Contested {
        /// The index of one entry.
        first: usize,
        /// The index of the other.
        second: usize,
    },
}

impl<R: RuleSet> Plan<R> {
    /// Handles an event.
    #[inline]
    pub fn handle(&self, state: &R::State, event: &R::Event) -> Handled<R::State> {
        self.handle_observed(state, event, &mut NoObserver)
    }

    /// Handles an event and reports every entry's part to `observer`.
    #[inline]
    pub fn handle_observed<O: Observer>(
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

    /// Runs the preprocessors from index `step` on, which see the state before the
    /// event; all resulting events must be applied, or none is.
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
            Decision::Take(taken) => self.apply_entries(state, event, taken),
            Decision::Ignored => Handled::Ignored,
            Decision::Invalid(entry, reason) => Handled::Invalid { entry, reason },
            Decision::Contested(first, second) => Handled::Contested { first, second },
        }
    }

    /// Applies the entries to a copy of the state. The copy is changed in place in the
    /// return value, so that a large state is copied only once.
    #[inline(never)]
    fn apply_entries(&self, state: &R::State, event: &R::Event, entries: u64) -> Handled<R::State> {
        let mut handled = Handled::Applied(*state);
        if let Handled::Applied(next) = &mut handled {
            // Under ApplyAll several entries apply, in order.
            bits(entries).for_each(|entry| self.change(next, event, entry));
        }
        handled
    }

    /// Returns the entry that takes a legal event, without evaluating `ensure`
    /// predicates.
    #[must_use]
    #[inline]
    pub fn trusted_entry(&self, state: &R::State, event: &R::Event) -> Option<usize> {
        let (kind, subject) = (R::kind(event), R::subject(state, event));
        let open = self.open_in(state);
        let mut order = self.order.iter().map(|&entry| usize::from(entry));
        order.find(|&entry| {
            let checks = self.entries[entry].checks.iter();
            let mut requires = checks.take_while(|check| check.refusal.is_none());
            open >> entry & 1 == 1
                && self.fits(entry, kind, subject)
                && requires.all(|check| (check.holds)(state, event))
        })
    }

    /// Applies a candidate of this state, without evaluating predicates again.
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

    /// Applies the changes of one entry.
    #[inline]
    pub(crate) fn change(&self, state: &mut R::State, event: &R::Event, entry: usize) {
        let Effect { first, rest } = &self.effects[entry];
        first(state, event);
        rest.iter().for_each(|change| change(state, event));
    }
}
