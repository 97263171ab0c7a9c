//! Consumers of generated events: what they are given, to visit, count or pick from.

use std::ops::ControlFlow;

use crate::RuleSet;
use crate::split::Reached;
use crate::sweep::{Steps, Sweep};

/// Events of one entry from one source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batch {
    pub(crate) entry: u8,
    pub(crate) source: u8,
    pub(crate) targets: u64,
    /// The number of events, variants included: at most 64 targets of 256 variants.
    pub(crate) count: u16,
}

/// A consumer of generated events: batches; sweeps, which hold the step events of a whole
/// subject; and splits, which hold what each source of some subjects reaches.
pub(crate) trait Sink<'a, R: RuleSet> {
    fn batch(&mut self, batch: Batch) -> ControlFlow<()>;
    fn sweep<const SLOTS: usize>(&mut self, steps: &Steps<'a, '_, R, SLOTS>) -> ControlFlow<()>;
    fn split(&mut self, reached: &Reached<'a, '_, R>) -> ControlFlow<()>;
}

/// A sink that splits everything into batches.
pub(crate) struct Batches<F>(pub(crate) F);

impl<R: RuleSet, F: FnMut(Batch) -> ControlFlow<()>> Sink<'_, R> for Batches<F> {
    #[inline]
    fn batch(&mut self, batch: Batch) -> ControlFlow<()> {
        (self.0)(batch)
    }

    #[inline]
    fn sweep<const SLOTS: usize>(&mut self, steps: &Steps<'_, '_, R, SLOTS>) -> ControlFlow<()> {
        let mut sweep = Sweep::EMPTY;
        sweep.collect(steps);
        sweep.visit(&mut self.0)
    }

    #[inline]
    fn split(&mut self, reached: &Reached<'_, '_, R>) -> ControlFlow<()> {
        reached.visit(|source, targets| reached.split.visit(source, targets, &mut self.0))
    }
}

/// A sink that counts events, up to a limit.
pub(crate) struct Count {
    pub(crate) count: u64,
    pub(crate) limit: u64,
}

impl Count {
    #[inline]
    fn add(&mut self, count: u32) -> ControlFlow<()> {
        self.count += u64::from(count);
        if self.count >= self.limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<R: RuleSet> Sink<'_, R> for Count {
    #[inline]
    fn batch(&mut self, batch: Batch) -> ControlFlow<()> {
        self.add(batch.count.into())
    }

    #[inline]
    fn sweep<const SLOTS: usize>(&mut self, steps: &Steps<'_, '_, R, SLOTS>) -> ControlFlow<()> {
        let mut count = 0;
        steps.visit(|branch, step| count += steps.branches[branch].count(step.targets()));
        self.add(count)
    }

    #[inline]
    fn split(&mut self, reached: &Reached<'_, '_, R>) -> ControlFlow<()> {
        let mut count = 0;
        let _ = reached.visit(|_, targets| {
            count += targets.count_ones();
            ControlFlow::Continue(())
        });
        self.add(count)
    }
}
