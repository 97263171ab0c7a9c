//! The loop over instructions.

use super::{Machine, Sink, Standing, UNSAID};
use crate::code::{Code, Ins};
use crate::cpu::{Cpu, Task};
use crate::set::Set;
use crate::tree::{Arithmetic, Comparison, FROM, TO};

impl<'p, const W: usize, C: Cpu> Machine<'p, W, C> {
    /// Runs code from `at` until it stops.
    #[inline(always)]
    pub(super) fn run(&mut self, at: usize, sink: &mut Sink<'_, W>) {
        let cpu = self.cpu;
        cpu.call(Run { machine: self, at, sink });
    }

    /// Runs code from `at` until it stops, where it is not worth a copy of the loop.
    #[inline(never)]
    pub(super) fn run_apart(&mut self, at: usize, sink: &mut Sink<'_, W>) {
        self.run(at, sink);
    }

    #[inline(always)]
    fn execute(&mut self, mut at: usize, sink: &mut Sink<'_, W>) {
        let cpu = self.cpu;
        let code: &'p Code<W> = self.code;
        while let Some(&ins) = code.ins.get(at) {
            at += 1;
            match ins {
                Ins::And(to, a, b) => self.put(to, self.get(a).and(self.get(b))),
                Ins::Or(to, a, b) => self.put(to, self.get(a).or(self.get(b))),
                Ins::Minus(to, a, b) => self.put(to, self.get(a).minus(self.get(b))),
                Ins::Copy(to, a) => {
                    self.put(to, self.get(a));
                    self.kept = None;
                }
                Ins::Step(to, way, a) => self.put(to, code.steps[way as usize].of(self.get(a))),
                Ins::StepAnd(to, way, a, b) => {
                    self.put(to, code.steps[way as usize].of(self.get(a)).and(self.get(b)));
                }
                Ins::StepMinus(to, way, a, b) => {
                    self.put(to, code.steps[way as usize].of(self.get(a)).minus(self.get(b)));
                }
                Ins::Around(to, a) => {
                    let of = self.get(a);
                    self.put(to, cpu.call(|| code.around(of)));
                }
                Ins::Flank(to, own, enemy) => {
                    let (own, enemy) = (self.get(own), self.get(enemy));
                    self.put(to, cpu.call(|| code.flank(own, enemy)));
                }
                Ins::Flanked(to, own, enemy, from) => {
                    let (own, enemy, from) = (self.get(own), self.get(enemy), self.get(from));
                    self.put(to, cpu.call(|| code.flanked(own, enemy, from)));
                }
                Ins::Line { to, of, length, members } => {
                    let of = self.get(of);
                    self.put(to, cpu.call(|| code.line(of, usize::from(length), members)));
                }
                Ins::Flood(to, seed, within) => {
                    let (seed, within) = (self.get(seed), self.get(within));
                    self.put(to, cpu.call(|| code.flood(seed, within)));
                }
                Ins::Reach(to, from, through) => {
                    let (from, through) = (self.get(from), self.get(through));
                    self.put(to, cpu.call(|| code.reach(from, through)));
                }
                Ins::RunBack(to, from, through) => {
                    let (from, through) = (self.get(from), self.get(through));
                    self.put(to, cpu.call(|| code.run_back(from, through)));
                }
                Ins::With { to, of, heap, bounds } => {
                    let kept = cpu.call(|| self.with(of, heap, bounds));
                    self.put(to, kept);
                }
                Ins::Opposite(to, of) => {
                    let of = self.get(of);
                    self.put(to, cpu.call(|| code.across(of)));
                }
                Ins::SameRank(to, of) => {
                    let of = self.get(of);
                    self.put(to, cpu.call(|| code.same_rank(of)));
                }

                Ins::Spread(to, table, of) => {
                    let of = self.get(of);
                    self.put(to, cpu.call(|| code.spread(usize::from(table), of)));
                }
                Ins::Enclosed(to, of, by) => {
                    let (of, by) = (self.get(of), self.get(by));
                    self.put(to, cpu.call(|| code.enclosed(of, by)));
                }
                Ins::Ray(to, way, from, through) => {
                    let (from, through) = (self.get(from), self.get(through));
                    self.put(to, cpu.call(|| code.ray(way, from, through)));
                }
                Ins::RayOver { to, direction, from, through, over } => {
                    let sets = [self.get(from), self.get(through), self.get(over)];
                    self.put(to, cpu.call(|| code.ray_over(direction, sets)));
                }
                Ins::Between(to) => {
                    let (from, last) = (self.get(FROM), self.get(TO));
                    self.put(to, cpu.call(|| code.between(from, last)));
                }

                Ins::SameSuit(to, of) => {
                    let of = self.get(of);
                    self.put(to, cpu.call(|| code.same_suit(of)));
                }
                Ins::Best(to, of, first, then) => {
                    let sets = [of, first, then].map(|register| self.get(register));
                    self.put(to, cpu.call(|| code.best(sets)));
                }
                Ins::Above { to, value, bounds } => {
                    let (low, count) = code.bounds[usize::from(bounds)];
                    let value = self.number(value);
                    self.put(to, cpu.call(|| above(value, low.into(), count as usize)));
                }

                Ins::Constant(to, value) => self.put_number(to, value),
                Ins::CopyNumber(to, a) => {
                    self.put_number(to, self.number(a));
                    self.kept = None;
                }
                Ins::Count(to, a) => self.put_number(to, self.get(a).count() as i32),
                Ins::Highest(to, of) => {
                    let highest = self.get(of).sites().last();
                    self.put_number(to, highest.map_or(0, |card| (card / code.suits + 1) as i32));
                }
                Ins::Worth(to, of) => {
                    let worth = cpu.call(|| code.worth(self.get(of)));
                    self.put_number(to, worth);
                }
                Ins::PlayersLeft(to) => self.put_number(to, self.left().count_ones() as i32),
                Ins::Sum(to, heap, on) => {
                    let sum = cpu.call(|| self.sum(heap, on));
                    self.put_number(to, sum);
                }
                Ins::Arithmetic(op, to, a, b) => {
                    let (a, b) = (self.number(a), self.number(b));
                    let value = match op {
                        Arithmetic::Add => a.saturating_add(b),
                        Arithmetic::Sub => a.saturating_sub(b),
                        Arithmetic::Mul => a.saturating_mul(b),
                        Arithmetic::Div => a.checked_div(b).unwrap_or(0),
                    };
                    self.put_number(to, value);
                }
                Ins::Bounded(to, a) => self.put_bounded(to, self.number(a)),

                Ins::Jump(to) => at = usize::from(to),
                Ins::JumpAny { of, is, to } => {
                    if self.get(of).any() == is {
                        at = usize::from(to);
                    }
                }
                Ins::JumpMeet { one, other, is, to } => {
                    if self.get(one).and(self.get(other)).any() == is {
                        at = usize::from(to);
                    }
                }
                Ins::JumpSame { one, other, is, to } => {
                    if (self.get(one) == self.get(other)) == is {
                        at = usize::from(to);
                    }
                }
                Ins::JumpCompare { by, one, other, is, to } => {
                    let (one, other) = (self.number(one), self.number(other));
                    let holds = match by {
                        Comparison::Equal => one == other,
                        Comparison::Less => one < other,
                        Comparison::LessOrEqual => one <= other,
                    };
                    if holds == is {
                        at = usize::from(to);
                    }
                }
                Ins::JumpStuck { everybody, is, to } => {
                    if cpu.call(|| self.is_stuck(everybody, sink)) == is {
                        at = usize::from(to);
                    }
                }
                Ins::JumpGoesOn { is, to } => {
                    if self.goes_on == is {
                        at = usize::from(to);
                    }
                }
                Ins::JumpRepeated { is, to } => {
                    if cpu.call(|| self.is_repeated()) == is {
                        at = usize::from(to);
                    }
                }
                Ins::JumpOneLeft { is, to } => {
                    if self.left().is_power_of_two() == is {
                        at = usize::from(to);
                    }
                }
                Ins::Mark(to) => self.put_number(to, self.total as i32),
                Ins::JumpOffered { since, to } => {
                    if self.total as i32 != self.number(since) {
                        at = usize::from(to);
                    }
                }

                Ins::Offer(entry, to) => {
                    if self.offer(usize::from(entry), self.get(to), sink) {
                        return;
                    }
                }
                Ins::OfferStepAnd(entry, way, a, b) => {
                    let to = code.steps[way as usize].of(self.get(a)).and(self.get(b));
                    if self.offer(usize::from(entry), to, sink) {
                        return;
                    }
                }
                Ins::OfferStepMinus(entry, way, a, b) => {
                    let to = code.steps[way as usize].of(self.get(a)).minus(self.get(b));
                    if self.offer(usize::from(entry), to, sink) {
                        return;
                    }
                }
                Ins::Slide { entry, direction, from, through, to } => {
                    let (from, through, to) = (self.get(from), self.get(through), self.get(to));
                    let step = &code.steps[direction as usize];
                    let entry = usize::from(entry);
                    if cpu.call(|| self.slide(entry, step, [from, through, to], sink)) {
                        return;
                    }
                }
                Ins::Fly { entry, from, to } => {
                    let (from, to) = (self.get(from), self.get(to));
                    if cpu.call(|| self.fly(usize::from(entry), from, to, sink)) {
                        return;
                    }
                }
                Ins::Follow { entry, from, through, to } => {
                    let sets = [self.get(from), self.get(through), self.get(to)];
                    if cpu.call(|| self.follow(usize::from(entry), sets, sink)) {
                        return;
                    }
                }
                Ins::SlideOver { entry, direction, from, through, over } => {
                    let sets = [from, through, over, over + 1].map(|register| self.get(register));
                    let step = &code.steps[direction as usize];
                    if cpu.call(|| self.slide_over(usize::from(entry), step, sets, sink)) {
                        return;
                    }
                }
                Ins::Longest { end } => {
                    if self.offer_longest(at, sink) {
                        return;
                    }
                    at = usize::from(end);
                }
                Ins::One(entry) => {
                    if cpu.call(|| self.offer(usize::from(entry), Set::one(0), sink)) {
                        return;
                    }
                }

                Ins::Sow { heap, skipping } => cpu.call(|| self.sow(heap, self.get(skipping))),
                Ins::Clear { heap, on } => {
                    self.kept = None;
                    cpu.call(|| self.clear(heap, on));
                }
                Ins::SamePlayer => self.next = self.mover,
                Ins::FirstPlayer => self.next = self.left().trailing_zeros() as u8,
                Ins::ActsNext(seat) => self.next = seat,
                Ins::DropOut(seat) => self.out |= 1 << seat,
                Ins::Survivor => self.standing = Standing::Won(self.left()),
                Ins::NextPlayer => self.next = self.after_mover(),
                Ins::GoTo(phase) => {
                    self.phase = phase;
                    if self.next == UNSAID {
                        self.next = self.mover;
                    }
                }
                Ins::StopChain => self.goes_on = false,
                Ins::Amount(a) => self.amount = self.number(a) as i16,
                Ins::Draw => self.standing = Standing::Draw,
                Ins::Wins { seats, loses: false } => self.standing = Standing::Won(seats),
                Ins::Wins { seats, loses: true } => self.standing = Standing::Lost(seats),
                Ins::NextWins { loses } => {
                    let seats = 1 << self.next;
                    self.standing =
                        if loses { Standing::Lost(seats) } else { Standing::Won(seats) };
                }
                Ins::Most { first, fewest } => self.standing = self.most(first, fewest),
                Ins::Accept => self.accepted = true,
                Ins::Stop => return,
            }
        }
    }
}

/// Runs code from `at` until it stops.
struct Run<'r, 's, 'p, const W: usize, C> {
    machine: &'r mut Machine<'p, W, C>,
    at: usize,
    sink: &'r mut Sink<'s, W>,
}

impl<const W: usize, C: Cpu> Task for Run<'_, '_, '_, W, C> {
    type Out = ();

    #[inline(always)]
    fn run(self) {
        self.machine.execute(self.at, self.sink);
    }
}

/// The numbers from `low` on that are greater than `value`, as the sites of a set.
#[inline(always)]
fn above<const W: usize>(value: i32, low: i32, count: usize) -> Set<W> {
    let first = usize::try_from(value + 1 - low).unwrap_or(0);
    Set::of(first..count)
}
