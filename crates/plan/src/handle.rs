//! One event through the plan: which entry takes it, and what it does.

use crate::observe::{Observer, Skip, Unwatched};
use crate::plan::Plan;
use crate::rules::Conflict;
use crate::{EventKind, RuleSet};

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

/// What one entry says to an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Valid,
    Ignore,
    Invalid(&'static str),
}

/// Which entries take an event.
pub(crate) enum Decision {
    Take(u64),
    Ignored,
    Invalid(usize, &'static str),
    Contested(usize, usize),
}

/// What is known of the predicates and conditions for one event.
struct Memo<'a, R: RuleSet> {
    plan: &'a Plan<R>,
    state: &'a R::State,
    event: &'a R::Event,
    known: u64,
    held: u64,
    conditions_known: u64,
    conditions_held: u64,
}

impl<R: RuleSet> Memo<'_, R> {
    #[inline]
    fn holds(&mut self, predicate: u8) -> bool {
        let bit = 1u64 << predicate;
        if self.known & bit == 0 {
            self.known |= bit;
            if (self.plan.predicates[usize::from(predicate)].holds)(self.state, self.event) {
                self.held |= bit;
            }
        }
        self.held & bit != 0
    }

    #[inline]
    fn condition_holds(&mut self, condition: usize) -> bool {
        let test = self.plan.conditions[condition].holds;
        if !self.plan.stages.grouping {
            return test(self.state);
        }
        let bit = 1u64 << condition;
        if self.conditions_known & bit == 0 {
            self.conditions_known |= bit;
            if test(self.state) {
                self.conditions_held |= bit;
            }
        }
        self.conditions_held & bit != 0
    }

    #[inline]
    fn gate_holds(&mut self, leaf: usize) -> bool {
        let plan = self.plan;
        plan.leaves[leaf].gate.iter().all(|&condition| self.condition_holds(condition))
    }

    /// The entries behind gates that let the event through.
    fn open_entries(&mut self) -> u64 {
        let plan = self.plan;
        if let Some(open) = plan.ungated {
            return open;
        }
        let mut open = 0;
        for leaf in 0..plan.leaves.len() {
            if self.gate_holds(leaf) {
                open |= plan.leaves[leaf].members;
                if plan.conflict == Conflict::FirstActiveLeaf {
                    break;
                }
            }
        }
        open
    }

    #[inline]
    fn judge(&mut self, entry: usize, kind: EventKind, subject: Option<u8>) -> Verdict {
        let plan = self.plan;
        let rule = &plan.entries[entry];
        // With filtering on, only fitting entries get here.
        if !plan.stages.filtering && !plan.fits(entry, kind, subject) {
            return Verdict::Ignore;
        }
        for &predicate in &rule.requires {
            if !self.holds(predicate) {
                return Verdict::Ignore;
            }
        }
        for &(predicate, reason) in &rule.ensures {
            if !self.holds(predicate) {
                return Verdict::Invalid(reason);
            }
        }
        Verdict::Valid
    }
}

impl<R: RuleSet> Plan<R> {
    /// Puts an event through the plan.
    pub fn handle(&self, state: &R::State, event: &R::Event) -> Handled<R::State> {
        self.handle_watched(state, event, &mut Unwatched)
    }

    /// Puts an event through the plan while `observer` watches.
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

    fn handle_one<O: Observer>(
        &self,
        state: &R::State,
        event: &R::Event,
        observer: &mut O,
    ) -> Handled<R::State> {
        match self.decide(state, event, observer) {
            Decision::Take(mut taken) => {
                let mut next = *state;
                // Under ApplyAll several entries apply, in order.
                while taken != 0 {
                    self.change(&mut next, event, taken.trailing_zeros() as usize);
                    taken &= taken - 1;
                }
                Handled::Applied(next)
            }
            Decision::Ignored => Handled::Ignored,
            Decision::Invalid(entry, reason) => Handled::Invalid { entry, reason },
            Decision::Contested(first, second) => Handled::Contested { first, second },
        }
    }

    /// Whether an entry is for events of this kind about this subject.
    #[inline]
    fn fits(&self, entry: usize, kind: EventKind, subject: Option<u8>) -> bool {
        let rule = &self.entries[entry];
        rule.kind.covers(kind) && self.is_about(entry, subject)
    }

    #[inline]
    fn is_about(&self, entry: usize, subject: Option<u8>) -> bool {
        match subject {
            Some(subject) => self.entries[entry].subjects.contains(subject),
            None => self.without_subject >> entry & 1 == 1,
        }
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
            open >> entry & 1 == 1
                && self.fits(entry, kind, subject)
                && (self.entries[entry].requires.iter())
                    .all(|&predicate| (self.predicates[usize::from(predicate)].holds)(state, event))
        })
    }

    /// Makes the changes of one entry.
    #[inline]
    pub(crate) fn change(&self, state: &mut R::State, event: &R::Event, entry: usize) {
        for mutator in &self.entries[entry].changes {
            (mutator.change)(state, event);
        }
    }

    /// The first of `waiting` in the order of consultation.
    #[inline]
    fn next_entry(&self, waiting: u64) -> Option<usize> {
        if self.conflict == Conflict::HighestPriority {
            let mut order = self.order.iter().map(|&entry| usize::from(entry));
            return order.find(|entry| waiting >> entry & 1 == 1);
        }
        (waiting != 0).then(|| waiting.trailing_zeros() as usize)
    }

    /// Finds the entries that take an event.
    pub(crate) fn decide<O: Observer>(
        &self,
        state: &R::State,
        event: &R::Event,
        observer: &mut O,
    ) -> Decision {
        let (kind, subject) = (R::kind(event), R::subject(state, event));
        let mut memo = Memo {
            plan: self,
            state,
            event,
            known: 0,
            held: 0,
            conditions_known: 0,
            conditions_held: 0,
        };
        let mut fitting = u64::MAX;
        if self.stages.filtering {
            fitting = self.by_kind[kind.index()]
                & match subject {
                    Some(subject) => self.by_subject[usize::from(subject)],
                    None => self.without_subject,
                };
        }
        let live = memo.open_entries() & fitting;
        if O::ON {
            self.tell_filtered(&mut memo, live, kind, subject, observer);
        }
        let mut decision = Decision::Ignored;
        let (mut taken, mut masked) = (0u64, 0u64);
        let mut waiting = live;
        while let Some(entry) = self.next_entry(waiting) {
            waiting &= !(1 << entry);
            if masked >> entry & 1 == 1 {
                if O::ON {
                    observer.skipped(entry, Skip::Masked);
                }
                continue;
            }
            let verdict = memo.judge(entry, kind, subject);
            if O::ON {
                self.tell(&mut memo, entry, verdict, kind, subject, observer);
            }
            match (verdict, self.conflict) {
                (Verdict::Ignore, _) => {}
                (Verdict::Valid, Conflict::ApplyAll) => {
                    let members = self.root_members[entry];
                    // Without masks, the group is looked through again.
                    if self.stages.masks {
                        masked |= members & !(1 << entry);
                    } else if taken & members != 0 {
                        continue;
                    }
                    taken |= 1 << entry;
                    decision = Decision::Take(taken);
                }
                (Verdict::Valid, Conflict::Exclusive) => {
                    if taken != 0 {
                        return Decision::Contested(taken.trailing_zeros() as usize, entry);
                    }
                    taken = 1 << entry;
                    decision = Decision::Take(taken);
                }
                (Verdict::Valid, _) => {
                    decision = Decision::Take(1 << entry);
                    break;
                }
                (Verdict::Invalid(reason), Conflict::ApplyAll | Conflict::Exclusive) => {
                    if taken == 0 && matches!(decision, Decision::Ignored) {
                        decision = Decision::Invalid(entry, reason);
                    }
                }
                (Verdict::Invalid(reason), _) => return Decision::Invalid(entry, reason),
            }
        }
        if let Decision::Take(taken) = decision {
            if let Some(refusal) = self.refuse_if_not_maximal(state, event, taken) {
                return refusal;
            }
            if O::ON {
                (0..self.entries.len())
                    .filter(|at| taken >> at & 1 == 1)
                    .for_each(|at| observer.applied(at));
            }
        }
        decision
    }

    fn refuse_if_not_maximal(
        &self,
        state: &R::State,
        event: &R::Event,
        taken: u64,
    ) -> Option<Decision> {
        let rating = self.maximal.as_ref()?;
        let entry = taken.trailing_zeros() as usize;
        if !self.entries[entry].generates {
            return None;
        }
        let mine = (rating.value)(state, event);
        let best = self.best_rating(state, &R::facts(state), rating.value);
        (mine < best).then_some(Decision::Invalid(entry, rating.name))
    }

    fn tell_filtered<O: Observer>(
        &self,
        memo: &mut Memo<'_, R>,
        live: u64,
        kind: EventKind,
        subject: Option<u8>,
        observer: &mut O,
    ) {
        for entry in (0..self.entries.len()).filter(|entry| live >> entry & 1 == 0) {
            let why = match () {
                () if !self.entries[entry].kind.covers(kind) => Skip::Kind,
                () if !self.is_about(entry, subject) => Skip::Subject,
                () if !memo.gate_holds(self.entries[entry].leaf) => Skip::Gate,
                () => Skip::PhaseShadowed,
            };
            observer.skipped(entry, why);
        }
    }

    fn tell<O: Observer>(
        &self,
        memo: &mut Memo<'_, R>,
        entry: usize,
        verdict: Verdict,
        kind: EventKind,
        subject: Option<u8>,
        observer: &mut O,
    ) {
        let why = match verdict {
            Verdict::Valid => return,
            Verdict::Invalid(reason) => Skip::Invalid(reason),
            Verdict::Ignore if !self.entries[entry].kind.covers(kind) => Skip::Kind,
            Verdict::Ignore if !self.is_about(entry, subject) => Skip::Subject,
            Verdict::Ignore => {
                let requires = &self.entries[entry].requires;
                let failed = requires.iter().find(|&&predicate| !memo.holds(predicate));
                let failed = failed.expect("a rule ignores an event for a predicate");
                Skip::Ignored(self.predicates[usize::from(*failed)].name)
            }
        };
        observer.skipped(entry, why);
    }
}
