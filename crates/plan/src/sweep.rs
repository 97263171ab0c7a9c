//! Set-wise generation of step events: all sources of a subject at once, by shifts of
//! bitboards.

use std::ops::ControlFlow;

use crate::generate::{Batch, bits};
use crate::generator::{Branch, SWEPT};
use crate::{RuleSet, Step};

/// The step events of all entries of one subject.
#[derive(Debug)]
pub(crate) struct Sweep<'a, R: RuleSet> {
    branches: &'a [Branch<R>],
    /// The possible steps, in the order of branches.
    steps: [Step; 2 * SWEPT],
    /// The branch of each step.
    takers: [u8; 2 * SWEPT],
    len: usize,
}

impl<R: RuleSet> Clone for Sweep<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: RuleSet> Copy for Sweep<'_, R> {}

impl<'a, R: RuleSet> Sweep<'a, R> {
    #[inline]
    pub(crate) fn new(branches: &'a [Branch<R>]) -> Self {
        Self { branches, steps: [Step::NONE; 2 * SWEPT], takers: [0; 2 * SWEPT], len: 0 }
    }

    /// Adds a step of a branch, if it has a source; branches must come in order.
    #[inline]
    pub(crate) fn add(&mut self, branch: usize, step: Step) {
        if step.sources() != 0 {
            self.steps[self.len] = step;
            self.takers[self.len] = branch as u8;
            self.len += 1;
        }
    }

    #[inline]
    fn steps(&self) -> &[Step] {
        &self.steps[..self.len]
    }

    fn sources(&self) -> u64 {
        self.steps().iter().fold(0, |all, step| all | step.sources())
    }

    /// Returns the number of events, variants included.
    #[inline]
    pub(crate) fn count(&self) -> u32 {
        let taken = self.steps().iter().zip(&self.takers);
        taken.map(|(step, &taker)| self.branches[usize::from(taker)].count(step.targets())).sum()
    }

    /// Visits the events as batches, source by source.
    #[inline]
    pub(crate) fn visit(&self, mut visit: impl FnMut(Batch) -> ControlFlow<()>) -> ControlFlow<()> {
        bits(self.sources()).try_for_each(|source| self.visit_from(source as u8, &mut visit))
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
                targets |= self.steps[at].target_of(source);
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

    /// Returns the batch of the event with this index, and its index in the batch.
    ///
    /// # Panics
    ///
    /// Panics when the index is not below the number of events.
    #[inline]
    pub(crate) fn find(&self, mut left: u32) -> (Batch, u32) {
        let source = self.source_of(left);
        if let Some((_, within)) = source {
            left = within;
        }
        let mut found = None;
        let look = |batch: Batch| {
            if left < batch.count.into() {
                found = Some((batch, left));
                return ControlFlow::Break(());
            }
            left -= u32::from(batch.count);
            ControlFlow::Continue(())
        };
        let _ = match source {
            Some((source, _)) => self.visit_from(source, look),
            None => self.visit(look),
        };
        found.expect("the index is below the number of events")
    }

    /// Returns the source of the event with this index, and its index there, by binary
    /// search; `None` unless each step is one event.
    #[inline]
    fn source_of(&self, mut left: u32) -> Option<(u8, u32)> {
        let events = |sources: u64| -> u32 {
            self.steps().iter().map(|step| (step.sources() & sources).count_ones()).sum()
        };
        if self.count() != events(u64::MAX) {
            return None;
        }
        let (mut source, mut half) = (0, 32);
        while half > 0 {
            let below = events(((1 << half) - 1) << source);
            if left >= below {
                left -= below;
                source += half;
            }
            half /= 2;
        }
        Some((source, left))
    }
}
