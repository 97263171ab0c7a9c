//! Generation of all events that the plan accepts in a state, by intersecting the
//! target sets of predicates.

use std::ops::ControlFlow;

use crate::generator::{Branch, Generator, OfSource};
use crate::plan::Plan;
use crate::rules::Conflict;
use crate::sink::{Batch, Batches, Count, Sink};
use crate::split::{Reached, Split};
use crate::sweep::Steps;
use crate::{EventKind, RuleSet};

/// An event that the plan accepts, and the entry that takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate<E> {
    /// The event.
    pub event: E,
    /// The index of the entry.
    pub entry: usize,
}

/// An event before it is built: its entry, source, target and variant.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RawEvent {
    pub(crate) entry: u8,
    pub(crate) source: u8,
    pub(crate) target: u8,
    pub(crate) variant: u8,
}

/// The target sets of a state that do not depend on the source, slot by slot, and the
/// open entries.
pub(crate) struct TargetSets<const SLOTS: usize> {
    slots: [u64; SLOTS],
    open: u64,
    /// The exceptional sources.
    pub(crate) except: u64,
}

impl<R: RuleSet> Plan<R> {
    /// Returns the entries of open leaves in `state`, by the conflict strategy.
    #[inline]
    pub(crate) fn open_in(&self, state: &R::State) -> u64 {
        if let Some(open) = self.ungated {
            return open;
        }
        let mut open = 0;
        for leaf in &self.leaves {
            if leaf.gate.iter().all(|gate| (gate.holds)(state)) {
                open |= leaf.members;
                if self.conflict == Conflict::FirstActiveLeaf {
                    break;
                }
            }
        }
        open
    }

    /// Passes all accepted events of `state` to `sink`, without
    /// [`maximal`](crate::Rules::maximal) and predicates that have no set form.
    ///
    /// `facts` are those of `state`, here and below.
    #[inline]
    pub(crate) fn generate<'a, S: Sink<'a, R>>(
        &'a self,
        state: &R::State,
        facts: &R::Facts,
        sink: &mut S,
    ) -> ControlFlow<()> {
        // Small games do not pay for initializing large arrays.
        match self.generation.slots.max(self.predicates.len()) {
            0..=8 => self.generate_in::<8, S>(state, facts, sink),
            9..=16 => self.generate_in::<16, S>(state, facts, sink),
            _ => self.generate_in::<256, S>(state, facts, sink),
        }
    }

    #[inline]
    fn generate_in<'a, const SLOTS: usize, S: Sink<'a, R>>(
        &'a self,
        state: &R::State,
        facts: &R::Facts,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let open = self.open_in(state) & self.generation.entries;
        if open == 0 {
            return ControlFlow::Continue(());
        }
        let mut sets = TargetSets { slots: [u64::MAX; SLOTS], open, except: 0 };
        self.fill(&mut sets, state, facts);
        for generator in &self.generation.generators {
            if generator.entries & open == 0 {
                continue;
            }
            if let Some(first) = generator.splits
                && let Some(flow) = sets.split(generator, first, state, facts, sink)
            {
                flow?;
                continue;
            }
            for &subject in &generator.subjects {
                let sources = R::sources(state, facts, subject);
                if sources == 0 {
                    continue;
                }
                if generator.sweeps {
                    let branches = &generator.branches;
                    sink.sweep(&Steps { branches, sets: &sets, state, facts, sources })?;
                } else {
                    sets.visit_sources(generator, subject, state, facts, sources, sink)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Evaluates each set form that open entries need and that does not depend on the
    /// source, once.
    ///
    /// The sets are filled in place, here and in sweeps: a copy reads several words at once,
    /// which the processor cannot forward from the writes of single words just before.
    #[inline(always)]
    fn fill<const SLOTS: usize>(
        &self,
        sets: &mut TargetSets<SLOTS>,
        state: &R::State,
        facts: &R::Facts,
    ) {
        let generation = &self.generation;
        let TargetSets { slots, open, except } = sets;
        if self.ungated.is_some() {
            for (slot, of) in slots[1..].iter_mut().zip(&generation.of_state) {
                *slot = of(state, facts);
            }
        } else {
            let needs = bits(*open).fold(0, |needs, entry| needs | generation.needs[entry]);
            for form in bits(needs) {
                slots[(1 + form) % SLOTS] = (generation.of_state[form])(state, facts);
            }
        }
        let first = 1 + generation.of_state.len();
        for (at, &[one, other]) in (first..).zip(&generation.intersections) {
            slots[at % SLOTS] = slots[usize::from(one) % SLOTS] & slots[usize::from(other) % SLOTS];
        }
        *except = generation.except.iter().fold(0, |all, of| all | of(state, facts));
    }
}

impl<const SLOTS: usize> TargetSets<SLOTS> {
    /// Returns the sets that bound the targets of an entry from every source, and from
    /// usual ones; empty if the entry is closed.
    #[inline]
    pub(crate) fn bounds<R: RuleSet>(&self, branch: &Branch<R>) -> [u64; 2] {
        let open = (self.open >> branch.entry & 1).wrapping_neg();
        branch.bounds.map(|slot| self.slots[usize::from(slot) % SLOTS] & open)
    }

    /// Passes the events of all subjects to `sink`, those that sources must reach as a split;
    /// nothing if that is not possible in this state.
    #[inline(always)]
    fn split<'a, R: RuleSet, S: Sink<'a, R>>(
        &self,
        generator: &'a Generator<R>,
        first: usize,
        state: &R::State,
        facts: &R::Facts,
        sink: &mut S,
    ) -> Option<ControlFlow<()>> {
        let (before, branches) = generator.branches.split_at(first);
        let split = Split::new(branches, self)?;
        if !before.is_empty() {
            // Only from a single source are these events before all that must be reached.
            let source = R::sources(state, facts, generator.subjects[0]);
            if !source.is_power_of_two() {
                return None;
            }
            for branch in before {
                let targets = self.bounds(branch)[0];
                if targets != 0 {
                    let source = source.trailing_zeros() as u8;
                    let count = branch.count(targets) as u16;
                    let batch = Batch { entry: branch.entry, source, targets, count };
                    if sink.batch(batch).is_break() {
                        return Some(ControlFlow::Break(()));
                    }
                }
            }
        }
        let subjects = &generator.subjects;
        Some(sink.split(&Reached { split, subjects, except: self.except, state, facts }))
    }

    /// Passes the events of each source to `sink`.
    #[inline]
    fn visit_sources<'a, R: RuleSet, S: Sink<'a, R>>(
        &self,
        generator: &Generator<R>,
        subject: u8,
        state: &R::State,
        facts: &R::Facts,
        sources: u64,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let ceiling = generator.branches.iter().fold(0, |all, branch| all | self.bounds(branch)[0]);
        if ceiling == 0 {
            return ControlFlow::Continue(());
        }
        let mut values = [0u64; SLOTS];
        let mut emit = |branch: &Branch<R>, source: u8, targets: u64| {
            if targets == 0 {
                return ControlFlow::Continue(());
            }
            let count = branch.count(targets) as u16;
            sink.batch(Batch { entry: branch.entry, source, targets, count })
        };
        for source in bits(sources) {
            let source = source as u8;
            let common =
                generator.shared.iter().fold(ceiling, |all, of| all & of(state, facts, source));
            if common == 0 {
                continue;
            }
            let is_exception = self.except >> source & 1 == 1;
            let mut reached = u64::MAX;
            if generator.reaches {
                let _ = R::visit_reached(state, facts, subject, 1 << source, |_, targets| {
                    reached = targets;
                    ControlFlow::Continue(())
                });
            }
            if generator.shares_all && !is_exception {
                for branch in &generator.branches {
                    emit(branch, source, common & self.bounds(branch)[1])?;
                }
                continue;
            }
            // Predicates that several entries share are evaluated once per source.
            let mut known = 0u64;
            let mut restrict = |targets: u64, forms: &[(u8, OfSource<R>)]| {
                forms.iter().fold(targets, |targets, &(slot, of)| {
                    let at = usize::from(slot) % SLOTS;
                    if targets != 0 && known >> slot & 1 == 0 {
                        known |= 1 << slot;
                        values[at] = of(state, facts, source);
                    }
                    targets & values[at]
                })
            };
            for branch in &generator.branches {
                let [always, usually] = self.bounds(branch);
                let mut targets = if is_exception {
                    restrict(common & always, &branch.exceptional)
                } else {
                    common & usually
                };
                if branch.reaches {
                    targets &= reached;
                }
                targets = restrict(targets, &branch.of_source);
                for steps in &branch.steps {
                    let [one, other] = steps(state, facts);
                    targets &= one.target_of(source) | other.target_of(source);
                }
                emit(branch, source, targets)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Returns the positions of the set bits, in ascending order.
#[inline]
pub(crate) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then_some(set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        bit
    })
}

impl<R: RuleSet> Plan<R> {
    /// Visits every event that the rules accept, regardless of its rating.
    #[inline]
    pub(crate) fn visit_accepted(
        &self,
        state: &R::State,
        facts: &R::Facts,
        mut visit: impl FnMut(RawEvent) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut batches = Batches(|Batch { entry, source, targets, .. }: Batch| {
            let untested = &self.generation.one_by_one[usize::from(entry)];
            for target in bits(targets) {
                let target = target as u8;
                let (first, last) = self.variants_at(entry, target);
                for variant in first..=last {
                    let raw = RawEvent { entry, source, target, variant };
                    let holds = |&at: &u8| {
                        let event = self.candidate(raw).event;
                        (self.predicates[usize::from(at)].holds)(state, &event)
                    };
                    if untested.iter().all(holds) {
                        visit(raw)?;
                    }
                }
            }
            ControlFlow::Continue(())
        });
        self.generate(state, facts, &mut batches)
    }

    /// Returns the first and last variant of events to `target`.
    #[inline]
    pub(crate) fn variants_at(&self, entry: u8, target: u8) -> (u8, u8) {
        match self.entries[usize::from(entry)].variants {
            Some((at, first, last)) if at >> target & 1 == 1 => (first, last),
            _ => (0, 0),
        }
    }

    /// Builds an event.
    #[inline]
    pub(crate) fn candidate(&self, raw: RawEvent) -> Candidate<R::Event> {
        let entry = usize::from(raw.entry);
        let kind = match self.entries[entry].kind {
            EventKind::Any => EventKind::Move,
            kind => kind,
        };
        Candidate { event: R::event(kind, raw.source, raw.target, raw.variant), entry }
    }

    /// Returns the number of accepted events, counted by batches; stops once `limit` is
    /// reached.
    #[inline]
    pub(crate) fn count_batches(&self, state: &R::State, facts: &R::Facts, limit: u64) -> u64 {
        let mut count = Count { count: 0, limit };
        let _ = self.generate(state, facts, &mut count);
        count.count
    }
}
