//! The same table backwards: all events that the plan accepts in a state.

use std::ops::ControlFlow;

use crate::plan::Plan;
use crate::rules::{Conflict, Rating, When};
use crate::{EventKind, RuleSet, Subjects, Targets};

/// An event that the plan accepts, and the entry that takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate<E> {
    /// The event.
    pub event: E,
    /// The number of the entry.
    pub entry: usize,
}

/// The set forms of predicates.
type OfState<R> = fn(&<R as RuleSet>::State, &<R as RuleSet>::Facts) -> u64;
type OfSource<R> = fn(&<R as RuleSet>::State, &<R as RuleSet>::Facts, u8) -> u64;

/// The entries that generate events from one subject.
#[derive(Clone, Debug)]
pub(crate) struct Generator<R: RuleSet> {
    subject: u8,
    /// The predicates that all of them ask and whose targets depend on the
    /// source.
    shared: Vec<OfSource<R>>,
    steps: Vec<Step<R>>,
}

/// One of those entries, with all that its events take. Predicates that other
/// entries ask too stand with their number, so that each is asked once.
#[derive(Clone, Debug)]
struct Step<R: RuleSet> {
    entry: u8,
    of_state: Vec<(u8, OfState<R>)>,
    of_source: Vec<(u8, OfSource<R>)>,
    /// Targets at which an event has more variants than one, and how many more.
    several: (u64, u32),
}

/// Events of one entry from one source.
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    /// The number of the entry.
    pub entry: u8,
    /// Where the events start.
    pub source: u8,
    /// Where they end.
    pub targets: u64,
    /// How many there are, variants included.
    pub count: u32,
}

impl<R: RuleSet> Plan<R> {
    /// Sorts entries by subject and predicates by what their targets depend on.
    pub(crate) fn prepare_generation(&mut self) {
        self.generators = (0..64).filter_map(|subject| self.generator(subject)).collect();
        for at in 0..self.entries.len() {
            let one_by_one = self.asked_by(at).filter_map(|(slot, targets)| match targets {
                Targets::OneByOne => Some(slot),
                _ => None,
            });
            let one_by_one = one_by_one.collect();
            self.one_by_one.push(one_by_one);
        }
        self.batches_suffice = self.maximal.is_none() && self.one_by_one.iter().all(Vec::is_empty);
        let [entry] = &self.entries[..] else { return };
        self.one_batch = self.batches_suffice && entry.subjects == Subjects::ALL;
    }

    /// The predicates of an entry by number, with their set forms.
    fn asked_by(&self, entry: usize) -> impl Iterator<Item = (u8, Targets<R>)> {
        let rule = &self.entries[entry];
        let asked = rule.requires.iter().chain(rule.ensures.iter().map(|(at, _)| at));
        asked.map(|&slot| (slot, self.predicates[usize::from(slot)].targets))
    }

    fn generator(&self, subject: u8) -> Option<Generator<R>> {
        let generates = |&at: &usize| {
            let entry = &self.entries[at];
            // Rules about everything generate from the single subject 0.
            let about = if entry.subjects == Subjects::ALL {
                subject == 0
            } else {
                entry.subjects.contains(subject)
            };
            entry.generates && about
        };
        let entries: Vec<usize> = (0..self.entries.len()).filter(generates).collect();
        let all_ask =
            |slot: u8| entries.iter().all(|&at| self.asked_by(at).any(|(other, _)| other == slot));
        let shared = self.asked_by(*entries.first()?).filter_map(|(slot, targets)| match targets {
            Targets::OfSource(of) if all_ask(slot) => Some(of),
            _ => None,
        });
        let shared = shared.collect();
        let steps = entries.iter().map(|&at| Step {
            entry: at as u8,
            of_state: (self.asked_by(at))
                .filter_map(|(slot, targets)| match targets {
                    Targets::OfState(of) => Some((slot, of)),
                    _ => None,
                })
                .collect(),
            of_source: (self.asked_by(at))
                .filter_map(|(slot, targets)| match targets {
                    Targets::OfSource(of) if !all_ask(slot) => Some((slot, of)),
                    _ => None,
                })
                .collect(),
            several: (self.entries[at].variants)
                .map_or((0, 0), |(at, first, last)| (at, u32::from(last - first))),
        });
        Some(Generator { subject, shared, steps: steps.collect() })
    }

    /// The entries whose gates hold in `state`, by the conflict strategy.
    #[inline]
    pub(crate) fn open_in(&self, state: &R::State) -> u64 {
        if let Some(open) = self.ungated {
            return open;
        }
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
    ///
    /// `facts` are those of `state`, here and below.
    #[inline]
    pub fn visit_batches(
        &self,
        state: &R::State,
        facts: &R::Facts,
        visit: impl FnMut(Batch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // Small games do not pay for clearing large tables.
        match self.entries.len().max(self.predicates.len()) {
            0..=4 => self.visit_batches_in::<4>(state, facts, visit),
            5..=16 => self.visit_batches_in::<16>(state, facts, visit),
            _ => self.visit_batches_in::<64>(state, facts, visit),
        }
    }

    #[inline]
    fn visit_batches_in<const MOST: usize>(
        &self,
        state: &R::State,
        facts: &R::Facts,
        mut visit: impl FnMut(Batch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let open = self.open_in(state);
        if open == 0 {
            return ControlFlow::Continue(());
        }
        let (mut of_state, mut of_state_known) = ([0u64; MOST], 0u64);
        let (mut ceilings, mut ceilings_known) = ([0u64; MOST], 0u64);
        let mut of_source = [0u64; MOST];
        for generator in &self.generators {
            let mut ceiling = 0;
            for step in &generator.steps {
                let entry = usize::from(step.entry);
                if ceilings_known >> entry & 1 == 1 {
                    ceiling |= ceilings[entry];
                    continue;
                }
                ceilings_known |= 1 << entry;
                let mut targets = if open >> entry & 1 == 1 { u64::MAX } else { 0 };
                for &(slot, of) in &step.of_state {
                    let slot = usize::from(slot);
                    if of_state_known >> slot & 1 == 0 {
                        of_state_known |= 1 << slot;
                        of_state[slot] = of(state, facts);
                    }
                    targets &= of_state[slot];
                }
                ceilings[entry] = targets;
                ceiling |= targets;
            }
            if ceiling == 0 {
                continue;
            }
            let mut sources = R::sources(state, facts, generator.subject);
            while sources != 0 {
                let source = sources.trailing_zeros() as u8;
                sources &= sources - 1;
                let mut common = ceiling;
                for of in &generator.shared {
                    common &= of(state, facts, source);
                    if common == 0 {
                        break;
                    }
                }
                if common == 0 {
                    continue;
                }
                let mut known = 0u64;
                for step in &generator.steps {
                    let mut targets = common & ceilings[usize::from(step.entry)];
                    for &(slot, of) in &step.of_source {
                        if targets == 0 {
                            break;
                        }
                        let slot = usize::from(slot);
                        if known >> slot & 1 == 0 {
                            known |= 1 << slot;
                            of_source[slot] = of(state, facts, source);
                        }
                        targets &= of_source[slot];
                    }
                    if targets != 0 {
                        let (at, more) = step.several;
                        let count = targets.count_ones() + (targets & at).count_ones() * more;
                        visit(Batch { entry: step.entry, source, targets, count })?;
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
        facts: &R::Facts,
        mut visit: impl FnMut(Candidate<R::Event>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.visit_batches(state, facts, |batch| {
            let mut targets = batch.targets;
            while targets != 0 {
                let target = targets.trailing_zeros() as u8;
                targets &= targets - 1;
                let (first, last) = self.variants_at(batch.entry.into(), target);
                for variant in first..=last {
                    let candidate = self.candidate(batch, target, variant);
                    let holds = |&at: &u8| {
                        (self.predicates[usize::from(at)].holds)(state, &candidate.event)
                    };
                    if self.one_by_one[usize::from(batch.entry)].iter().all(holds) {
                        visit(candidate)?;
                    }
                }
            }
            ControlFlow::Continue(())
        })
    }

    #[inline]
    fn variants_at(&self, entry: usize, target: u8) -> (u8, u8) {
        match self.entries[entry].variants {
            Some((at, first, last)) if at >> target & 1 == 1 => (first, last),
            _ => (0, 0),
        }
    }

    #[inline]
    fn candidate(&self, batch: Batch, target: u8, variant: u8) -> Candidate<R::Event> {
        let kind = match self.entries[usize::from(batch.entry)].kind {
            EventKind::Any => EventKind::Move,
            kind => kind,
        };
        Candidate {
            event: R::event(kind, batch.source, target, variant),
            entry: batch.entry.into(),
        }
    }

    /// The highest rating of an event that the rules accept; 0 without one.
    pub(crate) fn best_rating(&self, state: &R::State, facts: &R::Facts, rating: Rating<R>) -> u32 {
        let mut best = 0;
        let _ = self.visit_accepted(state, facts, |candidate| {
            best = best.max(rating(state, &candidate.event));
            ControlFlow::Continue(())
        });
        best
    }

    /// Visits the legal events of `state`, each with the entry that takes it.
    #[inline]
    pub fn visit_legal(
        &self,
        state: &R::State,
        facts: &R::Facts,
        mut visit: impl FnMut(Candidate<R::Event>),
    ) {
        let best = self.maximal.as_ref().map(|rating| {
            let best = self.best_rating(state, facts, rating.value);
            (rating.value, best)
        });
        let _ = self.visit_accepted(state, facts, |candidate| {
            if best.is_none_or(|(rating, best)| rating(state, &candidate.event) == best) {
                visit(candidate);
            }
            ControlFlow::Continue(())
        });
    }

    /// The number of legal events.
    #[must_use]
    #[inline]
    pub fn count_legal(&self, state: &R::State, facts: &R::Facts) -> u64 {
        let mut count = 0;
        if self.batches_suffice {
            // Whole batches are counted without looking at their events.
            let _ = self.visit_batches(state, facts, |batch| {
                count += u64::from(batch.count);
                ControlFlow::Continue(())
            });
        } else {
            self.visit_legal(state, facts, |_| count += 1);
        }
        count
    }

    /// One legal event, the one whose number `pick` gives when told how many
    /// there are; in the order of [`visit_legal`](Self::visit_legal).
    ///
    /// # Panics
    ///
    /// Panics when no event is legal.
    #[must_use]
    #[inline]
    pub fn pick_legal(
        &self,
        state: &R::State,
        facts: &R::Facts,
        pick: impl FnOnce(usize) -> usize,
    ) -> Candidate<R::Event> {
        if self.one_batch {
            let mut only = None;
            let _ = self.visit_batches(state, facts, |batch| {
                only = Some(batch);
                ControlFlow::Break(())
            });
            let batch = only.expect("there is a legal event");
            return self.pick_in(batch, pick(batch.count as usize) as u32);
        }
        const ROOM: usize = 48;
        let mut batches = [Batch { entry: 0, source: 0, targets: 0, count: 0 }; ROOM];
        let (mut held, mut count) = (0, 0);
        let all_held = self.batches_suffice
            && self
                .visit_batches(state, facts, |batch| {
                    let Some(slot) = batches.get_mut(held) else { return ControlFlow::Break(()) };
                    *slot = batch;
                    held += 1;
                    count += batch.count;
                    ControlFlow::Continue(())
                })
                .is_continue();
        if !all_held {
            return self.pick_listed(state, facts, pick);
        }
        let mut left = pick(count as usize) as u32;
        let mut at = 0;
        while left >= batches[at].count {
            left -= batches[at].count;
            at += 1;
        }
        self.pick_in(batches[at], left)
    }

    /// One event of a batch by number.
    #[inline]
    fn pick_in(&self, batch: Batch, mut left: u32) -> Candidate<R::Event> {
        let mut targets = batch.targets;
        loop {
            let target = targets.trailing_zeros() as u8;
            let (first, last) = self.variants_at(batch.entry.into(), target);
            let variants = u32::from(last - first) + 1;
            if left < variants {
                return self.candidate(batch, target, first + left as u8);
            }
            left -= variants;
            targets &= targets - 1;
        }
    }

    /// [`pick_legal`](Self::pick_legal) by listing every event.
    fn pick_listed(
        &self,
        state: &R::State,
        facts: &R::Facts,
        pick: impl FnOnce(usize) -> usize,
    ) -> Candidate<R::Event> {
        let wanted = pick(self.count_legal(state, facts) as usize);
        let (mut at, mut found) = (0, None);
        self.visit_legal(state, facts, |candidate| {
            if at == wanted {
                found = Some(candidate);
            }
            at += 1;
        });
        found.expect("there is a legal event with that number")
    }

    /// Whether any event is legal.
    #[must_use]
    #[inline]
    pub fn has_legal(&self, state: &R::State, facts: &R::Facts) -> bool {
        R::surely_has_event(state, facts)
            || self.visit_accepted(state, facts, |_| ControlFlow::Break(())).is_break()
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
    pub fn ending(
        &self,
        state: &R::State,
        facts: &R::Facts,
    ) -> Option<(&'static str, crate::rules::Result<R>)> {
        // Looking for events takes the longest, so it is done once at most.
        let mut stuck = None;
        for end in &self.ends {
            let holds = (end.holds)(state, facts)
                && (end.when == When::Holds
                    || *stuck.get_or_insert_with(|| {
                        !self.is_chance(state) && !self.has_legal(state, facts)
                    }));
            if holds {
                return Some((end.name, end.result));
            }
        }
        None
    }
}
