//! The same table backwards: all events that the plan accepts in a state.

use std::ops::ControlFlow;

use crate::plan::Plan;
use crate::rules::{Conflict, Ending, Rating};
use crate::{EventKind, RuleSet, Targets};

/// An event that the plan accepts, and the entry that takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate<E> {
    /// The event.
    pub event: E,
    /// The number of the entry.
    pub entry: usize,
}

/// Events of one entry from one source.
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    /// The number of the entry.
    pub entry: usize,
    /// Where the events start.
    pub source: u8,
    /// Where they end.
    pub targets: u64,
}

impl<R: RuleSet> Plan<R> {
    /// Sorts entries by subject and predicates by what their targets depend on.
    pub(crate) fn prepare_generation(&mut self) {
        for subject in 0..64 {
            let generates = |&at: &usize| {
                let entry = &self.entries[at];
                // Rules about everything generate from the single subject 0.
                let about = if entry.subjects == crate::Subjects::ALL {
                    subject == 0
                } else {
                    entry.subjects.contains(subject)
                };
                entry.generates && about
            };
            let entries: Vec<u8> =
                (0..self.entries.len()).filter(generates).map(|at| at as u8).collect();
            if !entries.is_empty() {
                self.generators.push((subject, entries));
            }
        }
        for entry in &self.entries {
            let asked = || entry.requires.iter().chain(entry.ensures.iter().map(|(at, _)| at));
            let of = |wanted: &dyn Fn(&Targets<R>) -> bool| -> Vec<u8> {
                let keep = |&&at: &&u8| wanted(&self.predicates[usize::from(at)].targets);
                asked().filter(keep).copied().collect()
            };
            let hoisted = of(&|targets| matches!(targets, Targets::OfState(_)));
            let local = of(&|targets| matches!(targets, Targets::OfSource(_)));
            let one_by_one = of(&|targets| matches!(targets, Targets::OneByOne));
            self.hoisted.push(hoisted);
            self.local.push(local);
            self.one_by_one.push(one_by_one);
        }
    }

    /// The entries whose gates hold in `state`, by the conflict strategy.
    #[inline]
    pub(crate) fn open_in(&self, state: &R::State) -> u64 {
        let mut open = 0;
        for leaf in &self.leaves {
            if leaf.gate.iter().all(|&at| (self.conditions[at].holds)(state)) {
                open |= leaf.members;
                if self.conflict == Conflict::FirstActiveLeaf {
                    break;
                }
            }
        }
        open
    }

    /// Visits the accepted events of `state` in batches, before variants and
    /// [`maximal`](crate::Rules::maximal), until `visit` breaks.
    #[inline]
    pub fn visit_batches(
        &self,
        state: &R::State,
        mut visit: impl FnMut(&R::Facts, Batch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let open = self.open_in(state);
        if open == 0 {
            return ControlFlow::Continue(());
        }
        let facts = R::facts(state);
        let mut of_state = [0u64; 64];
        let mut of_state_known = 0u64;
        let mut ceilings = [0u64; 64];
        for (at, ceiling) in ceilings[..self.entries.len()].iter_mut().enumerate() {
            if open >> at & 1 == 0 {
                continue;
            }
            *ceiling = u64::MAX;
            for &predicate in &self.hoisted[at] {
                let slot = usize::from(predicate);
                if of_state_known >> slot & 1 == 0 {
                    of_state_known |= 1 << slot;
                    if let Targets::OfState(targets) = self.predicates[slot].targets {
                        of_state[slot] = targets(state, &facts);
                    }
                }
                *ceiling &= of_state[slot];
            }
        }
        let mut of_source = [0u64; 64];
        for (subject, entries) in &self.generators {
            if entries.iter().all(|&at| ceilings[usize::from(at)] == 0) {
                continue;
            }
            let mut sources = R::sources(state, &facts, *subject);
            while sources != 0 {
                let source = sources.trailing_zeros() as u8;
                sources &= sources - 1;
                let mut known = 0u64;
                for &at in entries {
                    let entry = usize::from(at);
                    let mut targets = ceilings[entry];
                    for &predicate in &self.local[entry] {
                        if targets == 0 {
                            break;
                        }
                        let slot = usize::from(predicate);
                        if known >> slot & 1 == 0 {
                            known |= 1 << slot;
                            if let Targets::OfSource(of) = self.predicates[slot].targets {
                                of_source[slot] = of(state, &facts, source);
                            }
                        }
                        targets &= of_source[slot];
                    }
                    if targets != 0 {
                        visit(&facts, Batch { entry, source, targets })?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits every event that the rules accept, whatever its rating.
    #[inline]
    fn visit_accepted(
        &self,
        state: &R::State,
        mut visit: impl FnMut(Candidate<R::Event>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.visit_batches(state, |_, batch| {
            let rule = &self.entries[batch.entry];
            let kind = if rule.kind == EventKind::Any { EventKind::Move } else { rule.kind };
            let mut targets = batch.targets;
            while targets != 0 {
                let target = targets.trailing_zeros() as u8;
                targets &= targets - 1;
                let (first, last) = match rule.variants {
                    Some((at, first, last)) if at >> target & 1 == 1 => (first, last),
                    _ => (0, 0),
                };
                for variant in first..=last {
                    let event = R::event(kind, batch.source, target, variant);
                    let holds = |&at: &u8| (self.predicates[usize::from(at)].holds)(state, &event);
                    if self.one_by_one[batch.entry].iter().all(holds) {
                        visit(Candidate { event, entry: batch.entry })?;
                    }
                }
            }
            ControlFlow::Continue(())
        })
    }

    /// The highest rating of an event that the rules accept; 0 without one.
    pub(crate) fn best_rating(&self, state: &R::State, rating: Rating<R>) -> u32 {
        let mut best = 0;
        let _ = self.visit_accepted(state, |candidate| {
            best = best.max(rating(state, &candidate.event));
            ControlFlow::Continue(())
        });
        best
    }

    /// Visits the legal events of `state`, each with the entry that takes it.
    #[inline]
    pub fn visit_legal(&self, state: &R::State, mut visit: impl FnMut(Candidate<R::Event>)) {
        let best = self.maximal.as_ref().map(|rating| {
            let best = self.best_rating(state, rating.value);
            (rating.value, best)
        });
        let _ = self.visit_accepted(state, |candidate| {
            if best.is_none_or(|(rating, best)| rating(state, &candidate.event) == best) {
                visit(candidate);
            }
            ControlFlow::Continue(())
        });
    }

    /// The number of legal events.
    #[must_use]
    #[inline]
    pub fn count_legal(&self, state: &R::State) -> u64 {
        let simple = self.maximal.is_none() && self.one_by_one.iter().all(Vec::is_empty);
        let mut count = 0;
        if simple {
            // Whole batches are counted without looking at their events.
            let _ = self.visit_batches(state, |_, batch| {
                count += u64::from(batch.targets.count_ones());
                if let Some((at, first, last)) = self.entries[batch.entry].variants {
                    let several = u64::from((batch.targets & at).count_ones());
                    count += several * u64::from(last - first);
                }
                ControlFlow::Continue(())
            });
        } else {
            self.visit_legal(state, |_| count += 1);
        }
        count
    }

    /// Whether any event is legal.
    #[must_use]
    #[inline]
    pub fn has_legal(&self, state: &R::State) -> bool {
        self.visit_accepted(state, |_| ControlFlow::Break(())).is_break()
    }

    /// Makes a candidate of this state happen; it is not judged again.
    #[inline]
    pub fn apply(&self, state: &mut R::State, candidate: &Candidate<R::Event>) {
        if self.conflict == Conflict::ApplyAll {
            // Other entries may apply too.
            if let crate::Handled::Applied(next) = self.handle(state, &candidate.event) {
                *state = next;
            }
            return;
        }
        self.change(state, &candidate.event, candidate.entry);
    }

    /// What luck may do in `state`: nothing unless the first open phase is one
    /// of chance.
    pub fn visit_outcomes(&self, state: &R::State, mut visit: impl FnMut(R::Event, f32)) {
        if let Some(outcomes) = self.chance_in(state) {
            outcomes(state, &mut visit);
        }
    }

    /// Whether luck decides in `state`.
    #[must_use]
    #[inline]
    pub fn is_chance(&self, state: &R::State) -> bool {
        self.chance_in(state).is_some()
    }

    #[inline]
    fn chance_in(&self, state: &R::State) -> Option<crate::rules::Outcomes<R>> {
        let is_open = |leaf: &&crate::plan::Leaf<R>| {
            leaf.gate.iter().all(|&at| (self.conditions[at].holds)(state))
        };
        self.leaves.iter().find(is_open)?.chance
    }

    /// The end that `state` is at: its name and how it is paid.
    #[inline]
    pub fn ending(&self, state: &R::State) -> Option<(&'static str, crate::rules::Result<R>)> {
        let reached = |when: &Ending<R>| match when {
            Ending::Holds(holds) => holds(state),
            Ending::NoEvent => !self.is_chance(state) && !self.has_legal(state),
        };
        self.ends.iter().find(|end| reached(&end.when)).map(|end| (end.name, end.result))
    }
}
