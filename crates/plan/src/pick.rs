//! A legal event by its index, found by counting, without listing the others.

use std::ops::ControlFlow;

use crate::RuleSet;
use crate::generate::{Candidate, RawEvent};
use crate::plan::Plan;
use crate::select::nth_bit;
use crate::sink::{Batch, Sink};
use crate::split::{Reached, Split};
use crate::sweep::{Steps, Sweep};

/// The maximum number of batches collected: enough for the fifteen pieces of a side in
/// chess, plus castling and pawn moves.
const CAPACITY: usize = 24;

/// The entry that marks the position of a sweep among batches.
const SWEEP: u8 = u8::MAX;

/// The maximum number of splits kept: in chess those of the king and of the other pieces.
const SPLITS: usize = 2;

/// The first entry that marks the targets of a source that are still to be split: a number of
/// a split is added. Real entries are below 64.
const FIRST_SPLIT: u8 = 64;

/// The batches of a state; the first sweep and the first splits are kept as they are.
struct Collected<'a, R: RuleSet> {
    batches: [Batch; CAPACITY],
    len: usize,
    count: u32,
    sweep: Sweep<'a, R>,
    sweeps: bool,
    splits: [Option<Split<'a, R>>; SPLITS],
    split_count: usize,
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
    fn sweep<const SLOTS: usize>(&mut self, steps: &Steps<'a, '_, R, SLOTS>) -> ControlFlow<()> {
        if self.sweeps {
            let mut sweep = Sweep::EMPTY;
            sweep.collect(steps);
            return sweep.visit(|batch| self.batch(batch));
        }
        self.sweeps = true;
        self.sweep.collect(steps);
        let count = self.sweep.count() as u16;
        self.batch(Batch { entry: SWEEP, source: 0, targets: 0, count })
    }

    #[inline]
    fn split(&mut self, reached: &Reached<'a, '_, R>) -> ControlFlow<()> {
        if self.split_count == SPLITS {
            return reached.visit(|source, targets| {
                reached.split.visit(source, targets, |batch| self.batch(batch))
            });
        }
        let number = self.split_count;
        self.split_count += 1;
        let entry = FIRST_SPLIT + number as u8;
        let flow = reached.visit(|source, targets| {
            self.batch(Batch { entry, source, targets, count: targets.count_ones() as u16 })
        });
        // Copied only now, long after it was written (see `Plan::fill`).
        self.splits[number] = Some(reached.split);
        flow
    }
}

/// Picks an event of a plan that generates nothing but one sweep.
struct PickSwept<'a, R: RuleSet, F> {
    plan: &'a Plan<R>,
    pick: Option<F>,
    picked: Option<RawEvent>,
}

impl<'a, R: RuleSet, F: FnOnce(usize) -> usize> Sink<'a, R> for PickSwept<'a, R, F> {
    #[inline]
    fn batch(&mut self, _: Batch) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    #[inline]
    fn sweep<const SLOTS: usize>(&mut self, steps: &Steps<'a, '_, R, SLOTS>) -> ControlFlow<()> {
        let mut sweep = Sweep::EMPTY;
        sweep.collect(steps);
        if let Some(pick) = self.pick.take() {
            let index = pick(sweep.count() as usize);
            self.picked = Some(sweep.pick(self.plan, index as u32));
        }
        ControlFlow::Break(())
    }

    #[inline]
    fn split(&mut self, _: &Reached<'a, '_, R>) -> ControlFlow<()> {
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
            return self.candidate(self.pick_in(&batch, pick(count as usize) as u32));
        }
        if self.generation.one_sweep {
            let mut swept = PickSwept { plan: self, pick: Some(pick), picked: None };
            let _ = self.generate(state, facts, &mut swept);
            return self.candidate(swept.picked.expect("a state has a legal event"));
        }
        if self.generation.batches_suffice {
            let empty = Batch { entry: 0, source: 0, targets: 0, count: 0 };
            let mut collected = Collected {
                batches: [empty; CAPACITY],
                len: 0,
                count: 0,
                sweep: Sweep::EMPTY,
                sweeps: false,
                splits: [None; SPLITS],
                split_count: 0,
            };
            if self.generate(state, facts, &mut collected).is_continue() {
                let index = pick(collected.count as usize) as u32;
                return self.candidate(self.pick_collected(&collected, index));
            }
        }
        self.pick_listed(state, facts, pick)
    }

    #[inline]
    fn pick_collected(&self, collected: &Collected<'_, R>, mut left: u32) -> RawEvent {
        let mut at = 0;
        while left >= u32::from(collected.batches[at].count) {
            left -= u32::from(collected.batches[at].count);
            at += 1;
        }
        let batch = &collected.batches[at];
        if batch.entry == SWEEP {
            return collected.sweep.pick(self, left);
        }
        match collected.splits.get(usize::from(batch.entry.wrapping_sub(FIRST_SPLIT))) {
            Some(Some(split)) => {
                let (batch, left) = split.find(batch.source, batch.targets, left);
                self.pick_in(&batch, left)
            }
            _ => self.pick_in(batch, left),
        }
    }

    /// Returns the event of a batch with this index.
    #[inline]
    pub(crate) fn pick_in(&self, batch: &Batch, mut left: u32) -> RawEvent {
        let Batch { entry, source, mut targets, .. } = *batch;
        if self.entries[usize::from(entry)].variants.is_none() {
            let target = nth_bit(targets, left);
            return RawEvent { entry, source, target, variant: 0 };
        }
        loop {
            let target = targets.trailing_zeros() as u8;
            let (first, last) = self.variants_at(entry, target);
            let variants = u32::from(last - first) + 1;
            if left < variants {
                let variant = first + left as u8;
                return RawEvent { entry, source, target, variant };
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
