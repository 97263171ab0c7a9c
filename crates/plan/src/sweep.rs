//! Set-wise generation of step events: all sources of a subject at once, by shifts of
//! bitboards.

use std::ops::ControlFlow;

use crate::generate::{RawEvent, TargetSets, bits};
use crate::generator::{Branch, OfSource, SWEPT};
use crate::plan::Plan;
use crate::select::{nth, nth_bit};
use crate::sink::Batch;
use crate::{RuleSet, Step};

/// The steps of all entries of one subject from all of `sources` at once.
pub(crate) struct Steps<'a, 's, R: RuleSet, const SLOTS: usize> {
    pub(crate) branches: &'a [Branch<R>],
    pub(crate) sets: &'s TargetSets<SLOTS>,
    pub(crate) state: &'s R::State,
    pub(crate) facts: &'s R::Facts,
    pub(crate) sources: u64,
}

impl<R: RuleSet, const SLOTS: usize> Steps<'_, '_, R, SLOTS> {
    /// Visits the steps, each with the index of its branch, in the order of branches.
    #[inline(always)]
    pub(crate) fn visit(&self, mut visit: impl FnMut(usize, Step)) {
        let (state, facts) = (self.state, self.facts);
        let except = self.sources & self.sets.except;
        let usual = self.sources & !except;
        for (at, branch) in self.branches.iter().enumerate() {
            let [always, usually] = self.sets.bounds(branch);
            if always == 0 {
                continue;
            }
            for step in (branch.steps[0])(state, facts) {
                let mut open = step.only(usual).only_to(usually);
                if except != 0 {
                    for source in bits(step.only(except).only_to(always).sources()) {
                        let target = step.target_of(source as u8);
                        let reaches = |(_, of): &(u8, OfSource<R>)| {
                            of(state, facts, source as u8) & target != 0
                        };
                        if branch.exceptional.iter().all(reaches) {
                            open = open.and(source as u8);
                        }
                    }
                }
                visit(at, open);
            }
        }
    }
}

/// The step events of all entries of one subject.
#[derive(Debug)]
pub(crate) struct Sweep<'a, R: RuleSet> {
    branches: &'a [Branch<R>],
    /// The sources of each step that has any, in the order of branches and targets.
    from: [u64; 2 * SWEPT],
    /// The rotation of each step.
    by: [u8; 2 * SWEPT],
    /// The branch of each step.
    takers: [u8; 2 * SWEPT],
    len: usize,
    /// The number of events, variants included.
    count: u32,
    /// The number of events if each had one variant.
    steps: u32,
}

impl<'a, R: RuleSet> Sweep<'a, R> {
    pub(crate) const EMPTY: Self = Self {
        branches: &[],
        from: [0; 2 * SWEPT],
        by: [0; 2 * SWEPT],
        takers: [0; 2 * SWEPT],
        len: 0,
        count: 0,
        steps: 0,
    };

    /// Adds the steps; the sweep must be empty.
    ///
    /// A sweep is filled in place, because a copy would have to wait for the writes.
    #[inline]
    pub(crate) fn collect<const SLOTS: usize>(&mut self, steps: &Steps<'a, '_, R, SLOTS>) {
        self.branches = steps.branches;
        steps.visit(|branch, step| {
            if step.sources() == 0 {
                return;
            }
            let at = self.len % self.from.len();
            (self.from[at], self.by[at], self.takers[at]) =
                (step.sources(), step.rotation(), branch as u8);
            // The two steps of a branch are kept in the order of their targets.
            let before = at.saturating_sub(1);
            if self.takers[before] == self.takers[at] && self.offset(before) > self.offset(at) {
                self.from.swap(before, at);
                self.by.swap(before, at);
            }
            self.len += 1;
            self.count += steps.branches[branch].count(step.targets());
            self.steps += step.sources().count_ones();
        });
    }

    /// The distance of a step, down if its rotation takes sources around the end.
    #[inline]
    fn offset(&self, step: usize) -> i32 {
        let by = i32::from(self.by[step]);
        if self.from[step].trailing_zeros() as i32 + by < 64 { by } else { by - 64 }
    }

    /// The number of events, variants included.
    #[inline]
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// Visits the events as batches, source by source.
    #[inline]
    pub(crate) fn visit(&self, mut visit: impl FnMut(Batch) -> ControlFlow<()>) -> ControlFlow<()> {
        let sources = self.from[..self.len].iter().fold(0, |all, from| all | from);
        bits(sources).try_for_each(|source| self.visit_from(source as u8, &mut visit))
    }

    #[inline]
    fn visit_from(
        &self,
        source: u8,
        mut visit: impl FnMut(Batch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut at = 0;
        while at < self.len {
            let (taker, mut targets) = (self.takers[at], 0);
            while at < self.len && self.takers[at] == taker {
                targets |= self.target(at, source);
                at += 1;
            }
            if targets != 0 {
                let branch = &self.branches[usize::from(taker)];
                let count = branch.count(targets) as u16;
                visit(Batch { entry: branch.entry, source, targets, count })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The target of a step from `source`, as a set; empty if it has no such source.
    #[inline]
    fn target(&self, step: usize, source: u8) -> u64 {
        (self.from[step] & 1 << source).rotate_left(self.by[step].into())
    }

    /// Returns the event with this index.
    ///
    /// # Panics
    ///
    /// Panics when the index is not below the number of events.
    #[inline]
    pub(crate) fn pick(&self, plan: &Plan<R>, mut left: u32) -> RawEvent {
        if self.count == self.steps && self.steps <= nth::MOST {
            if self.len <= SWEPT {
                return self.pick_among::<SWEPT>(plan, left);
            }
            return self.pick_among::<{ 2 * SWEPT }>(plan, left);
        }
        let mut found = None;
        let _ = self.visit(|batch| {
            if left < batch.count.into() {
                found = Some(batch);
                return ControlFlow::Break(());
            }
            left -= u32::from(batch.count);
            ControlFlow::Continue(())
        });
        plan.pick_in(&found.expect("the index is below the number of events"), left)
    }

    /// Returns the event with this index among the first `STEPS` steps, of which each is one
    /// event, without a loop over sources.
    #[inline]
    fn pick_among<const STEPS: usize>(&self, plan: &Plan<R>, left: u32) -> RawEvent {
        let from: &[u64; STEPS] = self.from.first_chunk().expect("there are as many steps");
        let (source, left) = nth::among(from, left);
        // The steps of one branch are in the order of their targets.
        let taken = (0..STEPS).fold(0, |taken, at| taken | (from[at] >> source & 1) << at);
        let at = usize::from(nth_bit(taken, left)) % self.from.len();
        let target = source.wrapping_add(self.by[at]) & 63;
        let entry = self.branches[usize::from(self.takers[at])].entry;
        let (variant, _) = plan.variants_at(entry, target);
        RawEvent { entry, source, target, variant }
    }
}
