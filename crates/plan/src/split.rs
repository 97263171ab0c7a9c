//! Events of sources whose targets are known before the entries that take them: what a
//! source reaches, divided among entries by disjoint sets.

use std::ops::ControlFlow;

use crate::RuleSet;
use crate::generate::TargetSets;
use crate::generator::{Branch, SPLIT};
use crate::sink::Batch;

/// How the targets of a source are divided among entries.
#[derive(Debug)]
pub(crate) struct Split<'a, R: RuleSet> {
    branches: &'a [Branch<R>],
    /// The targets that each entry takes from every source, disjoint.
    bounds: [u64; SPLIT],
    /// The targets that any entry takes from every source, and from usual ones.
    always: u64,
    usually: u64,
}

impl<R: RuleSet> Clone for Split<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: RuleSet> Copy for Split<'_, R> {}

/// What the sources of some subjects reach, as a [`Split`].
pub(crate) struct Reached<'a, 's, R: RuleSet> {
    pub(crate) split: Split<'a, R>,
    pub(crate) subjects: &'a [u8],
    /// The exceptional sources.
    pub(crate) except: u64,
    pub(crate) state: &'s R::State,
    pub(crate) facts: &'s R::Facts,
}

impl<R: RuleSet> Reached<'_, '_, R> {
    /// Visits the sources in order, each with the targets that entries take.
    #[inline(always)]
    pub(crate) fn visit(
        &self,
        mut visit: impl FnMut(u8, u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (state, facts, split) = (self.state, self.facts, &self.split);
        let (always, usually, except) = (split.always, split.usually, self.except);
        for &subject in self.subjects {
            let sources = R::sources(state, facts, subject);
            R::visit_reached(state, facts, subject, sources, |source, reached| {
                if except >> source & 1 == 0 {
                    return visit(source, reached & usually);
                }
                let exceptional = split.branches[0].exceptional.iter();
                let safe = exceptional.map(|(_, of)| of(state, facts, source));
                visit(source, safe.fold(reached & always, |targets, safe| targets & safe))
            })?;
        }
        ControlFlow::Continue(())
    }
}

impl<'a, R: RuleSet> Split<'a, R> {
    /// Divides targets among `branches`; `None` if two of them may take the same target.
    #[inline]
    pub(crate) fn new<const SLOTS: usize>(
        branches: &'a [Branch<R>],
        sets: &TargetSets<SLOTS>,
    ) -> Option<Self> {
        let mut split = Self { branches, bounds: [0; SPLIT], always: 0, usually: 0 };
        let mut twice = 0;
        for (bound, branch) in split.bounds.iter_mut().zip(branches) {
            let [always, usually] = sets.bounds(branch);
            *bound = always;
            twice |= split.always & always;
            split.always |= always;
            split.usually |= usually;
        }
        (twice == 0).then_some(split)
    }

    /// Visits the events from one source to `targets` as batches, in the order of entries.
    #[inline]
    pub(crate) fn visit(
        &self,
        source: u8,
        targets: u64,
        mut visit: impl FnMut(Batch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (branch, bound) in self.branches.iter().zip(self.bounds) {
            let targets = targets & bound;
            if targets != 0 {
                let count = targets.count_ones() as u16;
                visit(Batch { entry: branch.entry, source, targets, count })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the batch of the event with this index among those from one source to
    /// `targets`, and its index in the batch.
    ///
    /// # Panics
    ///
    /// Panics when the index is not below the number of events.
    #[inline]
    pub(crate) fn find(&self, source: u8, targets: u64, mut left: u32) -> (Batch, u32) {
        let mut found = None;
        let _ = self.visit(source, targets, |batch| {
            if left < batch.count.into() {
                found = Some((batch, left));
                return ControlFlow::Break(());
            }
            left -= u32::from(batch.count);
            ControlFlow::Continue(())
        });
        found.expect("the index is below the number of events")
    }
}
