//! Effects on heaps and numbers, and who has most of one.

use super::{FROM, Fault, Machine, Standing, TO};
use crate::cpu::Cpu;
use crate::set::Set;

impl<const W: usize, const R: usize, const N: usize, C: Cpu> Machine<'_, W, R, N, C> {
    /// The sites of a set whose heaps are within bounds.
    #[inline(always)]
    pub(super) fn with(&self, of: u8, heap: u8, bounds: u8) -> Set<W> {
        let (low, high) = self.code.bounds[bounds as usize];
        let range = i32::from(low)..=i32::from(high);
        let mut found = Set::NONE;
        // Whether a heap is within bounds is hard to predict: no branch asks for it.
        for site in self.get(of).sites() {
            found.0[site / 64 % W] |=
                u64::from(range.contains(&self.heap(heap, site))) << (site % 64);
        }
        found
    }

    /// Writes the numbers from the first of the bounds on that are greater than one, as the
    /// sites of a set.
    #[inline(always)]
    pub(super) fn put_above(&mut self, to: u8, value: u8, bounds: u8) {
        let (low, count) = self.code.bounds[usize::from(bounds)];
        let first = usize::try_from(self.number(value) + 1 - i32::from(low)).unwrap_or(0);
        self.put(to, self.cpu.call(|| Set::of(first..count as usize)));
    }

    #[inline(always)]
    pub(super) fn sum(&self, heap: u8, on: u8) -> i32 {
        self.get(on).sites().map(|site| self.heap(heap, site)).sum()
    }

    #[inline(always)]
    pub(super) fn clear(&mut self, heap: u8, on: u8) {
        for site in self.get(on).sites() {
            self.put_number(heap + site as u8, 0);
        }
    }

    #[inline(always)]
    pub(super) fn add_to_heap(&mut self, heap: u8, on: u8, by: u8) {
        let by = self.number(by);
        for site in self.get(on).sites() {
            self.put_number(heap + site as u8, self.heap(heap, site) + by);
        }
    }

    #[inline(always)]
    pub(super) fn heap(&self, heap: u8, site: usize) -> i32 {
        self.number(heap + site as u8)
    }

    pub(super) fn put_bounded(&mut self, register: u8, value: i32) {
        self.kept = None;
        let (low, high, capped) = self.code.numbers[register as usize];
        let bounded = value.clamp(low.into(), high.into());
        self.put_number(register, bounded);
        if bounded != value && !capped && self.standing == Standing::Open {
            self.standing = Standing::Fault(Fault::Number);
        }
    }

    /// Sows the heap at FROM, one to each following site, and writes the last site to TO.
    #[inline(always)]
    pub(super) fn sow(&mut self, heap: u8, skipping: Set<W>) {
        self.kept = None;
        let Some(from) = self.get(FROM).sites().next() else { return };
        let mut left = self.heap(heap, from);
        self.put_number(heap + from as u8, 0);
        // A ring whose every site is skipped takes no seeds.
        if !self.code.all.minus(skipping).any() {
            return;
        }
        let mut site = from;
        while left > 0 {
            site = usize::from(self.code.ring[site]);
            if !skipping.has(site) {
                self.put_number(heap + site as u8, self.heap(heap, site) + 1);
                left -= 1;
            }
        }
        self.put(TO, Set::one(site));
    }

    /// The sites of a set from which sowing ends in `within`, if it skips the site itself.
    #[inline(always)]
    pub(super) fn lands(&self, of: Set<W>, heap: u8, within: Set<W>) -> Set<W> {
        let ring = &self.code.ring;
        let ends_within = |&from: &usize| {
            let mut at = from;
            for _ in 0..self.heap(heap, from) {
                at = usize::from(ring[at]);
                if at == from {
                    at = usize::from(ring[at]);
                }
            }
            within.has(at)
        };
        Set::of(of.sites().filter(ends_within))
    }

    pub(super) fn most(&self, first: u8, fewest: bool) -> Standing {
        let players = self.code.linked.players;
        let sign = if fewest { -1 } else { 1 };
        let value = |seat: u8| sign * self.number(first + seat);
        let best = (0..players).map(value).max().unwrap_or(0);
        let seats = (0..players).filter(|&seat| value(seat) == best);
        let winners = seats.fold(0u8, |seats, seat| seats | 1 << seat);
        if winners.count_ones() == u32::from(players) {
            Standing::Draw
        } else {
            Standing::Won(winners)
        }
    }
}
