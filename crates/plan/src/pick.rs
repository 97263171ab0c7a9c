//! A legal event by its index, found by counting, without listing the others.

use std::ops::ControlFlow;

use crate::RuleSet;
use crate::generate::{Batch, Candidate, RawEvent, Sink};
use crate::plan::Plan;
use crate::select::nth_bit;
use crate::sweep::Sweep;

/// The maximum number of batches collected: enough for the fifteen pieces of a side in
/// chess, plus castling and pawn moves.
const CAPACITY: usize = 32;

/// The entry that marks the position of a sweep among batches.
const SWEEP: u8 = u8::MAX;

/// The batches of a state; the first sweep is kept as one.
struct Collected<'a, R: RuleSet> {
    batches: [Batch; CAPACITY],
    len: usize,
    count: u32,
    sweep: Option<Sweep<'a, R>>,
}

impl<'a, R: RuleSet> Sink<'a, R> for Collected<'a, R> {
    #[inline]
    fn batch(&mut self, batch: Batch) -> ControlFlow<()> {
        let Some(slot) = self.batches.get_mut(self.len) else { return ControlFlow::Break(()) };
        *slot = batch;
        self.len += 1;
        self.count += u32::from(batch.count);
        ControlFlow::Continue(())
    }

    #[inline]
    fn sweep(&mut self, sweep: Sweep<'a, R>) -> ControlFlow<()> {
        if self.sweep.is_some() {
            return sweep.visit(|batch| self.batch(batch));
        }
        let count = sweep.count() as u16;
        self.sweep = Some(sweep);
        self.batch(Batch { entry: SWEEP, source: 0, targets: 0, count })
    }
}

/// The sweep of a plan that generates nothing else.
struct SingleSweep<'a, R: RuleSet>(Option<Sweep<'a, R>>);

impl<'a, R: RuleSet> Sink<'a, R> for SingleSweep<'a, R> {
    #[inline]
    fn batch(&mut self, _: Batch) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    #[inline]
    fn sweep(&mut self, sweep: Sweep<'a, R>) -> ControlFlow<()> {
        self.0 = Some(sweep);
        ControlFlow::Break(())
    }
}

impl<R: RuleSet> Plan<R> {
    /// Returns one legal event: `pick` maps the number of legal events to the index of
    /// the event, in the order of [`visit_legal`](Self::visit_legal).
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
        if self.generation.one_batch {
            let forms = self.generation.of_state.iter();
            let targets = forms.fold(u64::MAX, |targets, of| targets & of(state, facts));
            let count = self.generation.generators[0].branches[0].count(targets);
            let batch = Batch { entry: 0, source: 0, targets, count: count as u16 };
            return self.pick_in(&batch, pick(count as usize) as u32);
        }
        if self.generation.one_sweep {
            let mut only = SingleSweep(None);
            let _ = self.generate(state, facts, &mut only);
            let sweep = only.0.expect("a state has a legal event");
            let (batch, left) = sweep.find(pick(sweep.count() as usize) as u32);
            return self.pick_in(&batch, left);
        }
        if self.generation.batches_suffice {
            let empty = Batch { entry: 0, source: 0, targets: 0, count: 0 };
            let mut collected =
                Collected { batches: [empty; CAPACITY], len: 0, count: 0, sweep: None };
            if self.generate(state, facts, &mut collected).is_continue() {
                return self.pick_collected(&collected, pick(collected.count as usize) as u32);
            }
        }
        self.pick_listed(state, facts, pick)
    }

    #[inline]
    fn pick_collected(&self, collected: &Collected<'_, R>, mut left: u32) -> Candidate<R::Event> {
        let mut at = 0;
        while left >= u32::from(collected.batches[at].count) {
            left -= u32::from(collected.batches[at].count);
            at += 1;
        }
        let mut batch = collected.batches[at];
        if batch.entry == SWEEP
            && let Some(sweep) = &collected.sweep
        {
            (batch, left) = sweep.find(left);
        }
        self.pick_in(&batch, left)
    }

    /// Returns the event of a batch with this index.
    #[inline]
    fn pick_in(&self, batch: &Batch, mut left: u32) -> Candidate<R::Event> {
        let Batch { entry, source, mut targets, .. } = *batch;
        if self.entries[usize::from(entry)].variants.is_none() {
            let target = nth_bit(targets, left);
            return self.candidate(RawEvent { entry, source, target, variant: 0 });
        }
        loop {
            let target = targets.trailing_zeros() as u8;
            let (first, last) = self.variants_at(entry, target);
            let variants = u32::from(last - first) + 1;
            if left < variants {
                let variant = first + left as u8;
                return self.candidate(RawEvent { entry, source, target, variant });
            }
            left -= variants;
            targets &= targets - 1;
        }
    }

    /// As [`pick_legal`](Self::pick_legal), by visiting every event.
    fn pick_listed(
        &self,
        state: &R::State,
        facts: &R::Facts,
        pick: impl FnOnce(usize) -> usize,
    ) -> Candidate<R::Event> {
        let best = self.best(state, facts);
        let rated = self.maximal.is_some();
        let count = if rated { best.count } else { self.count_legal(state, facts) as usize };
        let (mut left, mut found) = (pick(count), None);
        let take = |raw| {
            if left == 0 {
                found = Some(self.candidate(raw));
                return ControlFlow::Break(());
            }
            left -= 1;
            ControlFlow::Continue(())
        };
        let _ = if rated {
            self.visit_best(state, facts, &best, take)
        } else {
            self.visit_accepted(state, facts, take)
        };
        found.expect("the index is below the number of legal events")
    }
}
