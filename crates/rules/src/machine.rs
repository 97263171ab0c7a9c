//! The interpreter: a register file, loaded from a state, that runs flat code.

use meeple_game::{Action, ActionList, MAX_ACTIONS};

use crate::code::{Code, Decoded, Entry, Ins, Shape};
use crate::lower::Deal;
use crate::set::Set;
use crate::tree::{Arithmetic, CONSTANTS, Comparison, FROM, NUMBER_REGISTERS, OVER, REGISTERS, TO};

/// How a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Open,
    Draw,
    /// These seats win, as bits.
    Won(u8),
    /// These seats lose, as bits.
    Lost(u8),
    /// A bound of the implementation was exceeded.
    Fault(Fault),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A number left its bounds.
    Number,
    /// A player has no action, and the file does not say what happens then.
    Stuck,
    /// There are more legal actions than a list holds.
    Wide,
}

/// What becomes of the actions that the rules offer.
pub(crate) enum Sink<'a> {
    /// Their ids are listed.
    List(&'a mut ActionList),
    /// The first one answers the question whether there is any; `pass` says whether a pass
    /// counts.
    Exists { pass: bool },
    /// They are counted.
    Count,
}

/// The amount of a game that is won or lost as such.
pub(crate) const FULL: i16 = i16::MIN;
/// Whoever acts next as long as no effect says so.
const UNSAID: u8 = u8::MAX;

/// A state in registers.
#[derive(Clone)]
pub(crate) struct Machine<'p, const W: usize> {
    code: &'p Code<W>,
    pub(crate) sets: [Set<W>; REGISTERS],
    pub(crate) numbers: [i32; NUMBER_REGISTERS],
    pub(crate) mover: u8,
    pub(crate) phase: u8,
    pub(crate) standing: Standing,
    /// The amount for which the game has ended.
    pub(crate) amount: i16,
    next: u8,
    goes_on: bool,
    accepted: bool,
    total: u32,
    found: bool,
}

impl<'p, const W: usize> Machine<'p, W> {
    #[inline(always)]
    pub(crate) fn new(code: &'p Code<W>) -> Self {
        let mut sets = [Set::NONE; REGISTERS];
        let first = CONSTANTS as usize;
        sets[first..first + code.constants.len()].copy_from_slice(&code.constants);
        Self {
            code,
            sets,
            numbers: [0; NUMBER_REGISTERS],
            mover: 0,
            phase: 0,
            standing: Standing::Open,
            amount: FULL,
            next: UNSAID,
            goes_on: true,
            accepted: false,
            total: 0,
            found: false,
        }
    }

    #[inline(always)]
    fn get(&self, register: u8) -> Set<W> {
        self.sets[register as usize % REGISTERS]
    }

    #[inline(always)]
    fn put(&mut self, register: u8, set: Set<W>) {
        self.sets[register as usize % REGISTERS] = set;
    }

    #[inline(always)]
    fn number(&self, register: u8) -> i32 {
        self.numbers[register as usize % NUMBER_REGISTERS]
    }

    #[inline(always)]
    fn put_number(&mut self, register: u8, value: i32) {
        self.numbers[register as usize % NUMBER_REGISTERS] = value;
    }

    fn players(&self) -> u8 {
        self.code.seats.len() as u8
    }

    /// Runs the code that sets the board up.
    pub(crate) fn begin(&mut self, start: usize) {
        self.run(start, &mut Sink::Count);
        if self.standing == Standing::Open && !self.can_act(self.mover, self.phase, true) {
            self.standing = Standing::Fault(Fault::Stuck);
        }
    }

    /// Offers the actions of a seat in a phase.
    pub(crate) fn generate(&mut self, seat: u8, phase: u8, sink: &mut Sink<'_>) {
        (self.total, self.found) = (0, false);
        let mover = std::mem::replace(&mut self.mover, seat);
        self.run(self.code.seats[seat as usize].phases[phase as usize], sink);
        self.mover = mover;
    }

    /// Returns the number of legal actions.
    pub(crate) fn count(&mut self) -> u32 {
        self.generate(self.mover, self.phase, &mut Sink::Count);
        self.total
    }

    /// Returns whether a seat has an action in a phase.
    fn can_act(&mut self, seat: u8, phase: u8, pass: bool) -> bool {
        let code = &self.code.seats[seat as usize];
        if code.rolls[phase as usize].is_some() {
            let from = self.code.deals[phase as usize];
            return from.is_none_or(|from| self.get(from).any());
        }
        self.generate(seat, phase, &mut Sink::Exists { pass });
        self.found
    }

    /// Loads the sites of an action, and returns its entry.
    fn aim(&mut self, action: usize) -> &'p Entry {
        let code: &'p Code<W> = self.code;
        let seat = &code.seats[self.mover as usize];
        let Decoded { entry, site } = seat.actions[action];
        let entry = &seat.entries[usize::from(entry)];
        self.aim_at(entry, usize::from(site));
        entry
    }

    #[inline(always)]
    fn aim_at(&mut self, entry: &Entry, site: usize) {
        match &entry.shape {
            Shape::Word => {}
            Shape::Target => self.put(TO, Set::one(site)),
            Shape::Source => self.put(FROM, Set::one(site)),
            Shape::From(from) => {
                self.put(TO, Set::one(site));
                self.put(FROM, Set::one(usize::from(*from)));
            }
            Shape::Move { from, over } => {
                self.put(TO, Set::one(site));
                self.put(FROM, Set::one(usize::from(from[site])));
                if let Some(&over) = over.get(site) {
                    self.put(OVER, Set::one(usize::from(over)));
                }
            }
        }
    }

    /// Forgets the sites of the event before.
    #[inline(always)]
    fn forget_event(&mut self) {
        for register in [FROM, TO, OVER] {
            self.put(register, Set::NONE);
        }
    }

    /// Plays an action of the player to move.
    pub(crate) fn act(&mut self, action: usize) {
        self.forget_event();
        let entry = self.aim(action);
        self.event(entry.effect, UNSAID);
    }

    /// Plays an outcome of the phase, a chance node.
    pub(crate) fn roll(&mut self, register: u8, value: i32) {
        self.forget_event();
        self.put_number(register, value);
        let seat = &self.code.seats[self.mover as usize];
        if let Some(effect) = seat.rolls[self.phase as usize] {
            self.event(effect, self.mover);
        }
    }

    /// Deals a card, and runs the effects of the phase after the last one.
    pub(crate) fn deal(&mut self, deal: &Deal, card: usize) {
        self.forget_event();
        let dealt = self.number(deal.counter);
        let to = deal.to + (dealt as usize % deal.piles) as u8;
        let card = Set::one(card);
        self.put(deal.from, self.get(deal.from).minus(card));
        self.put(to, self.get(to).or(card));
        let is_last = dealt as usize + 1 == deal.cards();
        self.put_number(deal.counter, if is_last { 0 } else { dealt + 1 });
        let seat = &self.code.seats[self.mover as usize];
        if is_last && let Some(effect) = seat.rolls[self.phase as usize] {
            self.event(effect, self.mover);
        } else if !self.get(deal.from).any() {
            self.standing = Standing::Fault(Fault::Stuck);
        }
    }

    /// Runs the effects of an event, judges the ends and passes the turn.
    fn event(&mut self, effect: usize, next: u8) {
        (self.next, self.goes_on) = (next, true);
        self.run(effect, &mut Sink::Count);
        if self.next == UNSAID {
            self.next = (self.mover + 1) % self.players();
        }
        if self.standing == Standing::Open {
            self.run(self.code.seats[self.mover as usize].ends, &mut Sink::Count);
        }
        self.mover = self.next;
        if self.standing == Standing::Open && !self.can_act(self.mover, self.phase, true) {
            self.standing = Standing::Fault(Fault::Stuck);
        }
    }

    /// Judges `such that` for one target, in a copy.
    fn accepts(&self, entry: &Entry, such_that: usize, site: usize) -> bool {
        let mut after = self.clone();
        (after.next, after.goes_on, after.accepted) = (UNSAID, true, false);
        after.aim_at(entry, site);
        after.run(entry.effect, &mut Sink::Count);
        after.run(such_that, &mut Sink::Count);
        after.accepted
    }

    /// Adds actions of one entry; returns whether the question is answered.
    #[inline(always)]
    fn offer(&mut self, entry: usize, mut to: Set<W>, sink: &mut Sink<'_>) -> bool {
        let code: &'p Code<W> = self.code;
        let entry = &code.seats[self.mover as usize].entries[entry];
        if let Some(such_that) = entry.such_that {
            let accepted = to.sites().filter(|&site| self.accepts(entry, such_that, site));
            to = Set::of(accepted);
        }
        match sink {
            Sink::List(list) => {
                let room = MAX_ACTIONS - list.len();
                list.extend(to.sites().take(room).map(|site| Action(entry.ids[site])));
                self.total += to.count();
                false
            }
            Sink::Exists { pass } => {
                self.found |= to.any() && (*pass || !entry.is_pass);
                self.found
            }
            Sink::Count => {
                self.total += to.count();
                false
            }
        }
    }

    /// Runs code from `at` until it stops.
    fn run(&mut self, mut at: usize, sink: &mut Sink<'_>) {
        let code: &'p Code<W> = self.code;
        while let Some(&ins) = code.ins.get(at) {
            at += 1;
            match ins {
                Ins::And(to, a, b) => self.put(to, self.get(a).and(self.get(b))),
                Ins::Or(to, a, b) => self.put(to, self.get(a).or(self.get(b))),
                Ins::Minus(to, a, b) => self.put(to, self.get(a).minus(self.get(b))),
                Ins::Copy(to, a) => self.put(to, self.get(a)),
                Ins::Step(to, way, a) => self.put(to, code.steps[way as usize].of(self.get(a))),
                Ins::StepAnd(to, way, a, b) => {
                    self.put(to, code.steps[way as usize].of(self.get(a)).and(self.get(b)));
                }
                Ins::StepMinus(to, way, a, b) => {
                    self.put(to, code.steps[way as usize].of(self.get(a)).minus(self.get(b)));
                }
                Ins::Around(to, a) => self.put(to, code.around(self.get(a))),
                Ins::Flank(to, own, enemy) => {
                    self.put(to, code.flank(self.get(own), self.get(enemy)));
                }
                Ins::Flanked(to, own, enemy, from) => {
                    let flanked = code.flanked(self.get(own), self.get(enemy), self.get(from));
                    self.put(to, flanked);
                }
                Ins::Line { to, of, length, members } => {
                    self.put(to, code.line(self.get(of), usize::from(length), members));
                }
                Ins::Flood(to, seed, within) => {
                    self.put(to, code.flood(self.get(seed), self.get(within)));
                }
                Ins::Reach(to, from, through) => {
                    self.put(to, code.reach(self.get(from), self.get(through)));
                }
                Ins::RunBack(to, from, through) => {
                    self.put(to, code.run_back(self.get(from), self.get(through)));
                }
                Ins::With { to, of, heap, bounds } => {
                    let (low, high) = code.bounds[bounds as usize];
                    let range = i32::from(low)..=i32::from(high);
                    let fits = |site: &usize| range.contains(&self.heap(heap, *site));
                    let kept = Set::of(self.get(of).sites().filter(fits));
                    self.put(to, kept);
                }
                Ins::Opposite(to, of) => {
                    let sites = self.get(of).sites().map(|site| usize::from(code.opposite[site]));
                    self.put(to, Set::of(sites));
                }

                Ins::SameRank(to, of) => {
                    let ranks = self.get(of).sites().map(|card| card / code.suits);
                    let cards =
                        ranks.flat_map(|rank| (0..code.suits).map(move |suit| (rank, suit)));
                    let cards = cards.map(|(rank, suit)| rank * code.suits + suit);
                    self.put(to, Set::of(cards));
                }

                Ins::Constant(to, value) => self.put_number(to, value),
                Ins::CopyNumber(to, a) => self.put_number(to, self.number(a)),
                Ins::Count(to, a) => self.put_number(to, self.get(a).count() as i32),
                Ins::Highest(to, of) => {
                    let highest = self.get(of).sites().last();
                    self.put_number(to, highest.map_or(0, |card| (card / code.suits + 1) as i32));
                }
                Ins::Sum(to, heap, on) => {
                    let sum = self.get(on).sites().map(|site| self.heap(heap, site)).sum();
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
                    if self.is_stuck(everybody) == is {
                        at = usize::from(to);
                    }
                }
                Ins::JumpGoesOn { is, to } => {
                    if self.goes_on == is {
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
                Ins::Slide { entry, direction, from, through, to } => {
                    let step = &code.steps[direction as usize];
                    let (mut front, mut entry) = (step.of(self.get(from)), usize::from(entry));
                    while front.any() {
                        if self.offer(entry, front.and(self.get(to)), sink) {
                            return;
                        }
                        front = step.of(front.and(self.get(through)));
                        entry += 1;
                    }
                }
                Ins::Fly { entry, from, to } => {
                    for site in self.get(from).sites() {
                        if self.offer(usize::from(entry) + site, self.get(to), sink) {
                            return;
                        }
                    }
                }
                Ins::One(entry) => {
                    if self.offer(usize::from(entry), Set::one(0), sink) {
                        return;
                    }
                }

                Ins::Sow { heap, skipping } => self.sow(heap, self.get(skipping)),
                Ins::Clear { heap, on } => {
                    for site in self.get(on).sites() {
                        self.put_number(heap + site as u8, 0);
                    }
                }
                Ins::SamePlayer => self.next = self.mover,
                Ins::FirstPlayer => self.next = 0,
                Ins::NextPlayer => self.next = (self.mover + 1) % self.players(),
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

    #[inline(always)]
    fn heap(&self, heap: u8, site: usize) -> i32 {
        self.number(heap + site as u8)
    }

    fn put_bounded(&mut self, register: u8, value: i32) {
        let (low, high, capped) = self.code.numbers[register as usize];
        let bounded = value.clamp(low.into(), high.into());
        self.put_number(register, bounded);
        if bounded != value && !capped && self.standing == Standing::Open {
            self.standing = Standing::Fault(Fault::Number);
        }
    }

    fn is_stuck(&mut self, everybody: bool) -> bool {
        let phase = self.phase;
        if everybody {
            (0..self.players()).all(|seat| !self.can_act(seat, phase, false))
        } else {
            !self.can_act(self.next, phase, false)
        }
    }

    /// Sows the heap at FROM, one to each following site, and writes the last site to TO.
    fn sow(&mut self, heap: u8, skipping: Set<W>) {
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

    fn most(&self, first: u8, fewest: bool) -> Standing {
        let players = self.players();
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
