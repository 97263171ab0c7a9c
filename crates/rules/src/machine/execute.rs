//! The loop over instructions.

use super::{FROM, Goal, Longest, Machine, Offers, Standing, TO, UNSAID};
use crate::code::{Code, Ins};
use crate::cpu::Cpu;
use crate::link::{END_EFFECTS, END_ENDS, END_OFFERS};
use crate::set::{Set, Step};
use crate::tree::Arithmetic;

impl<'p, const W: usize, const R: usize, const N: usize, C: Cpu> Machine<'p, W, R, N, C> {
    /// Moves a piece of a set from FROM to TO.
    #[inline(always)]
    fn go(&mut self, own: u8) {
        self.put(own, self.get(own).minus(self.get(FROM)).or(self.get(TO)));
    }

    #[inline(always)]
    pub(super) fn execute(
        &mut self,
        mut at: usize,
        offers: &mut Offers<'_, W>,
        goal: &mut Goal<'_>,
    ) {
        let cpu = self.cpu;
        let code: &'p Code<W> = self.code;
        let listing = &code.linked.ins[..];
        loop {
            let Some(&ins) = listing.get(at) else {
                at = match u16::try_from(at) {
                    Ok(END_OFFERS) => self.after_offers(offers, goal),
                    Ok(END_EFFECTS) => self.after_effects(),
                    Ok(END_ENDS) => self.after_ends(offers, goal),
                    _ => return,
                };
                continue;
            };
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
                Ins::Quiet(to, own, other) => {
                    let (own, other) = (self.get(own), self.get(other));
                    self.put(to, cpu.call(|| code.quiet(own, other)));
                }
                Ins::Repeating(to, own) => self.put(to, cpu.call(|| self.repeating(own))),
                Ins::Whenever(to, any, then) => {
                    let then = if self.get(any).any() { self.get(then) } else { Set::NONE };
                    self.put(to, then);
                }
                Ins::Lands { to, of, heap, within } => {
                    let (of, within) = (self.get(of), self.get(within));
                    self.put(to, cpu.call(|| self.lands(of, heap, within)));
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
                    let [of, first, then] = [of, first, then].map(|register| self.get(register));
                    self.put(to, cpu.call(|| code.best(of, first, then)));
                }
                Ins::Above { to, value, bounds } => self.put_above(to, value, bounds),

                Ins::Constant(to, value) => self.put_number(to, value),
                Ins::CopyNumber(to, a) => {
                    self.put_number(to, self.number(a));
                    self.kept = None;
                }
                Ins::Count(to, a) => self.put_number(to, self.get(a).count() as i32),
                Ins::Highest(to, of) => {
                    let highest = self.get(of).last();
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
                    if by.holds(one, other) == is {
                        at = usize::from(to);
                    }
                }
                Ins::JumpStuck { everybody, is, to } => match self.is_stuck(everybody, offers) {
                    Some(is_stuck) if is_stuck == is => at = usize::from(to),
                    Some(_) => {}
                    None => at = self.ask(at - 1, offers, goal),
                },
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
                Ins::Mark(to) => self.put_number(to, offers.total as i32),
                Ins::JumpOffered { since, to } => {
                    if offers.total as i32 != self.number(since) {
                        at = usize::from(to);
                    }
                }

                Ins::Offer(entry, to) => {
                    if self.offer(entry, self.get(to), offers) {
                        at = self.after_offers(offers, goal);
                    }
                }
                Ins::OfferAnd { entry, a, b, is_last } => {
                    let is_enough = self.offer(entry, self.get(a).and(self.get(b)), offers);
                    if is_enough || is_last {
                        at = self.after_offers(offers, goal);
                    }
                }
                Ins::OfferMinus { entry, of, without, is_last } => {
                    let to = self.get(of).minus(self.get(without));
                    if self.offer(entry, to, offers) || is_last {
                        at = self.after_offers(offers, goal);
                    }
                }
                Ins::OfferRest { entry, of, without: [a, b], is_last } => {
                    let to = self.get(of).minus(self.get(a).or(self.get(b)));
                    if self.offer(entry, to, offers) || is_last {
                        at = self.after_offers(offers, goal);
                    }
                }
                Ins::OfferSteps { entry, ways, from, to, is_last } => {
                    let (from, to) = (self.get(from), self.get(to));
                    let mut is_enough = is_last;
                    // Some kinds of pieces are rarely there.
                    if from.any() {
                        for (step, entry) in code.fans[ways as usize].iter().zip(entry..) {
                            if self.offer(entry, step.of(from).and(to), offers) {
                                is_enough = true;
                                break;
                            }
                        }
                    }
                    if is_enough {
                        at = self.after_offers(offers, goal);
                    }
                }
                Ins::OfferJumps { entry, ways, from, over, to } => {
                    let (from, over, to) = (self.get(from), self.get(over), self.get(to));
                    if !from.any() {
                        continue;
                    }
                    for (step, entry) in code.fans[ways as usize].iter().zip(entry..) {
                        let targets = step.of(step.of(from).and(over)).and(to);
                        if self.offer(entry, targets, offers) {
                            at = self.after_offers(offers, goal);
                            break;
                        }
                    }
                }
                Ins::OfferWords { entry, count, is_last } => {
                    let mut is_enough = is_last;
                    for entry in entry..entry + u16::from(count) {
                        is_enough |= self.offer(entry, Set::one(0), offers);
                    }
                    if is_enough {
                        at = self.after_offers(offers, goal);
                    }
                }
                Ins::OfferSuchThat(entry, of) => {
                    let of = self.get(of);
                    if cpu.call(|| self.offer_if(entry, of, offers)) {
                        at = self.after_offers(offers, goal);
                    }
                }
                Ins::OfferSure { entry, of, sure } => {
                    let (of, sure) = (self.get(of), self.get(sure));
                    if cpu.call(|| self.offer_sure(entry, of, sure, offers)) {
                        at = self.after_offers(offers, goal);
                    }
                }
                Ins::Slide { entry, direction, from, through, to } => {
                    let (from, through, to) = (self.get(from), self.get(through), self.get(to));
                    let step = &code.steps[direction as usize];
                    if cpu.call(|| self.slide(entry, step, [from, through, to], offers)) {
                        at = self.after_offers(offers, goal);
                    }
                }
                Ins::Fly { entry, from, to } => {
                    let (from, to) = (self.get(from), self.get(to));
                    if cpu.call(|| self.fly(entry, from, to, offers)) {
                        at = self.after_offers(offers, goal);
                    }
                }
                Ins::Follow { entry, from, through, to } => {
                    let sets = [self.get(from), self.get(through), self.get(to)];
                    if cpu.call(|| self.follow(entry, sets, offers)) {
                        at = self.after_offers(offers, goal);
                    }
                }
                Ins::SlideOver { entry, direction, from, through, over, to } => {
                    let sets = [from, through, over, to].map(|register| self.get(register));
                    let step = &code.steps[direction as usize];
                    if cpu.call(|| self.slide_over(entry, step, sets, offers)) {
                        at = self.after_offers(offers, goal);
                    }
                }
                Ins::Longest { end } => {
                    if self.offer_longest(at, offers) {
                        at = usize::from(end);
                    }
                }
                // Where lengths matter, only the block runs.
                Ins::EndLongest => {
                    if self.longest != Longest::Off {
                        return;
                    }
                }
                Ins::One(entry) => {
                    if cpu.call(|| self.offer_word(entry, offers)) {
                        at = self.after_offers(offers, goal);
                    }
                }
                Ins::EndOffers => at = self.after_offers(offers, goal),

                Ins::Rest(to, of, [a, b, c, d]) => {
                    let taken = self.get(a).or(self.get(b)).or(self.get(c).or(self.get(d)));
                    self.put(to, self.get(of).minus(taken));
                }
                Ins::StepOr(to, way, a, b) => {
                    self.put(to, code.steps[way as usize].of(self.get(a)).or(self.get(b)));
                }
                Ins::Place { own, is_last } => {
                    self.put(own, self.get(own).or(self.get(TO)));
                    if is_last {
                        at = self.after_effects();
                    }
                }
                Ins::Move { own, is_last } => {
                    self.go(own);
                    if is_last {
                        at = self.after_effects();
                    }
                }
                Ins::Take { own, other, is_last } => {
                    self.put(other, self.get(other).minus(self.get(TO)));
                    self.go(own);
                    if is_last {
                        at = self.after_effects();
                    }
                }
                Ins::MinusEach { first, count, of } => {
                    let of = self.get(of);
                    for register in first..first + count {
                        self.put(register, self.get(register).minus(of));
                    }
                }
                Ins::Transfer { of, from, to } => {
                    let of = self.get(of);
                    self.put(from, self.get(from).minus(of));
                    self.put(to, self.get(to).or(of));
                }
                Ins::Assign(to, value) => {
                    self.put_number(to, value.into());
                    self.kept = None;
                }
                Ins::Increase(to, more) => self.put_bounded(to, self.number(to) + i32::from(more)),
                Ins::BoundedSum(to, a, b) => {
                    self.put_bounded(to, self.number(a).saturating_add(self.number(b)));
                }
                Ins::JumpLine { of, length, is, to } => {
                    let (of, length) = (self.get(of), usize::from(length));
                    // Short enough to be part of the loop on boards of one word.
                    let line = match &code.axis_lanes {
                        Some(lanes) if W == 1 => Set([lanes.line(of.0[0], length, false); W]),
                        _ => cpu.call(|| code.line(of, length, false)),
                    };
                    if line.any() == is {
                        at = usize::from(to);
                    }
                }
                Ins::JumpRest { of, without: [a, b], is, to } => {
                    let taken = self.get(a).or(self.get(b));
                    if self.get(of).minus(taken).any() == is {
                        at = usize::from(to);
                    }
                }
                Ins::JumpJumps { ways, from, over, on, is, to } => {
                    let (from, over, on) = (self.get(from), self.get(over), self.get(on));
                    let steps = &code.fans[ways as usize];
                    let can = |step: &Step<W>| step.of(step.of(from).and(over)).and(on).any();
                    if (from.any() && steps.iter().any(can)) == is {
                        at = usize::from(to);
                    }
                }
                Ins::JumpAnyOffered(to) => {
                    if offers.total > 0 {
                        at = usize::from(to);
                    }
                }
                Ins::JumpCompareTo { by, one, value, is, to } => {
                    if by.holds(self.number(one), value.into()) == is {
                        at = usize::from(to);
                    }
                }
                Ins::EndEffects => at = self.after_effects(),
                Ins::EndEnds => at = self.after_ends(offers, goal),

                Ins::Sow { heap, skipping } => cpu.call(|| self.sow(heap, self.get(skipping))),
                Ins::AddToHeap { heap, on, by } => {
                    self.kept = None;
                    cpu.call(|| self.add_to_heap(heap, on, by));
                }
                Ins::Clear { heap, on } => {
                    self.kept = None;
                    cpu.call(|| self.clear(heap, on));
                }
                Ins::SamePlayer => self.next = self.mover,
                Ins::FirstPlayer => self.next = self.left().trailing_zeros() as u8,
                Ins::ActsNext(seat) => self.next = seat,
                Ins::DropOut(seat) => self.out |= 1 << seat,
                Ins::Ended(end) => self.end = end,
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
