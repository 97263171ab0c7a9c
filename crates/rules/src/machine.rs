//! The interpreter: a register file, loaded from a state, that runs flat code.

use meeple_game::{Action, ActionList, MAX_ACTIONS};

use crate::code::{Code, Decoded, Entry, Ins, Shape};
use crate::cpu::{Cpu, Task};
use crate::lower::Deal;
use crate::set::{Set, Step};
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
pub(crate) enum Sink<'a, const W: usize> {
    /// Their ids are listed.
    List(&'a mut ActionList),
    /// The first one answers the question whether there is any; `pass` says whether a pass
    /// counts.
    Exists { pass: bool },
    /// They are counted.
    Count,
    /// They are kept as sets, from which a playout draws one.
    Keep(Offers<'a, W>),
}

/// The most sets of targets that are kept.
const MAX_OFFERS: usize = 64;

/// Legal actions as sets of targets, after those that were listed because there were more sets.
pub(crate) struct Offers<'a, const W: usize> {
    sets: [(Set<W>, u16); MAX_OFFERS],
    len: usize,
    list: &'a mut ActionList,
}

impl<'a, const W: usize> Offers<'a, W> {
    #[inline(always)]
    pub(crate) fn new(list: &'a mut ActionList) -> Self {
        list.clear();
        Self { sets: [(Set::NONE, 0); MAX_OFFERS], len: 0, list }
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.len = 0;
        self.list.clear();
    }

    #[inline(always)]
    fn push(&mut self, entries: &[Entry], entry: usize, to: Set<W>) {
        if self.len == MAX_OFFERS {
            self.list_all(entries);
        }
        self.sets[self.len % MAX_OFFERS] = (to, entry as u16);
        self.len += 1;
    }

    #[cold]
    fn list_all(&mut self, entries: &[Entry]) {
        for (set, entry) in &self.sets[..self.len] {
            list_ids(self.list, &entries[usize::from(*entry)], *set);
        }
        self.len = 0;
    }
}

/// Lists the actions of an entry to targets, as many as there is room for.
#[inline(always)]
fn list_ids<const W: usize>(list: &mut ActionList, entry: &Entry, to: Set<W>) {
    let room = MAX_ACTIONS - list.len();
    list.extend(to.sites().take(room).map(|site| Action(entry.ids[site])));
}

/// A legal action.
#[derive(Clone, Copy)]
pub(crate) enum Pick {
    Id(Action),
    /// The target of an entry of the player to move.
    Target(u16, usize),
}

/// The amount of a game that is won or lost as such.
pub(crate) const FULL: i16 = i16::MIN;
/// Whoever acts next as long as no effect says so.
const UNSAID: u8 = u8::MAX;

/// A state in registers.
#[derive(Clone)]
pub(crate) struct Machine<'p, const W: usize, C> {
    code: &'p Code<W>,
    cpu: C,
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
    /// The number of actions that are no pass.
    choices: u32,
    found: bool,
    /// The seat and phase whose actions are kept, as long as no set or number changes.
    kept: Option<(u8, u8)>,
}

impl<'p, const W: usize, C: Cpu> Machine<'p, W, C> {
    #[inline(always)]
    pub(crate) fn new(code: &'p Code<W>, cpu: C) -> Self {
        let mut sets = [Set::NONE; REGISTERS];
        let first = CONSTANTS as usize;
        sets[first..first + code.constants.len()].copy_from_slice(&code.constants);
        Self {
            code,
            cpu,
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
            choices: 0,
            found: false,
            kept: None,
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
    pub(crate) fn begin(&mut self, start: usize, is_wide: bool) {
        self.run(start, &mut Sink::Count);
        self.judge_room(&mut Sink::Count, is_wide);
    }

    /// Offers the actions of a seat in a phase.
    #[inline(always)]
    pub(crate) fn generate(&mut self, seat: u8, phase: u8, sink: &mut Sink<'_, W>) {
        (self.total, self.choices, self.found) = (0, 0, false);
        let mover = std::mem::replace(&mut self.mover, seat);
        self.run(self.code.seats[seat as usize].phases[phase as usize], sink);
        self.mover = mover;
    }

    /// Keeps the actions of a seat in a phase, unless they are the ones already kept.
    #[inline(always)]
    fn keep(&mut self, seat: u8, phase: u8, sink: &mut Sink<'_, W>) {
        if self.kept == Some((seat, phase)) {
            return;
        }
        if let Sink::Keep(offers) = sink {
            offers.clear();
        }
        self.generate(seat, phase, sink);
        self.kept = Some((seat, phase));
    }

    /// Draws one of the legal actions, all equally likely; the state has at least one.
    #[inline(always)]
    pub(crate) fn draw(
        &mut self,
        sink: &mut Sink<'_, W>,
        below: impl FnOnce(usize) -> usize,
    ) -> Pick {
        self.keep(self.mover, self.phase, sink);
        let Sink::Keep(offers) = sink else { return Pick::Id(Action(0)) };
        let nth = below(self.total as usize);
        if let Some(&action) = offers.list.get(nth) {
            return Pick::Id(action);
        }
        let mut nth = (nth - offers.list.len()) as u32;
        for (set, entry) in &offers.sets[..offers.len] {
            let count = set.count();
            if nth < count {
                return Pick::Target(*entry, set.nth(nth, self.cpu));
            }
            nth -= count;
        }
        Pick::Id(Action(0))
    }

    /// Returns the id of an action of the player to move.
    #[inline(always)]
    pub(crate) fn id(&self, pick: Pick) -> Action {
        match pick {
            Pick::Id(action) => action,
            Pick::Target(entry, site) => {
                let entries = &self.code.seats[self.mover as usize].entries;
                Action(entries[usize::from(entry)].ids[site])
            }
        }
    }

    /// Returns whether a phase of the player to move is a chance node, and if so whether it has
    /// an outcome.
    #[inline(always)]
    fn has_outcome(&self, seat: u8, phase: u8) -> Option<bool> {
        self.code.seats[seat as usize].rolls[phase as usize]?;
        let from = self.code.deals[phase as usize];
        Some(from.is_none_or(|from| self.get(from).any()))
    }

    /// Returns whether a seat has an action that is no pass in the current phase.
    #[inline(always)]
    fn can_choose(&mut self, seat: u8, sink: &mut Sink<'_, W>) -> bool {
        if let Some(has_outcome) = self.has_outcome(seat, self.phase) {
            return has_outcome;
        }
        if matches!(sink, Sink::Keep(_)) {
            self.keep(seat, self.phase, sink);
            return self.choices > 0;
        }
        self.generate(seat, self.phase, &mut Sink::Exists { pass: false });
        if self.found {
            self.kept = Some((seat, self.phase));
        }
        self.found
    }

    /// Judges whether the next player can act, and whether a list holds the actions.
    #[inline(always)]
    fn judge_room(&mut self, sink: &mut Sink<'_, W>, is_wide: bool) {
        if self.standing != Standing::Open {
            return;
        }
        let (seat, phase) = (self.mover, self.phase);
        let (can_act, is_too_wide) = if let Some(has_outcome) = self.has_outcome(seat, phase) {
            (has_outcome, false)
        } else if matches!(sink, Sink::Keep(_)) {
            self.keep(seat, phase, sink);
            (self.total > 0, self.total > MAX_ACTIONS as u32)
        } else if is_wide {
            self.generate(seat, phase, &mut Sink::Count);
            (self.total > 0, self.total > MAX_ACTIONS as u32)
        } else if self.kept == Some((seat, phase)) {
            (true, false)
        } else {
            self.generate(seat, phase, &mut Sink::Exists { pass: true });
            (self.found, false)
        };
        if !can_act {
            self.standing = Standing::Fault(Fault::Stuck);
        } else if is_too_wide {
            self.standing = Standing::Fault(Fault::Wide);
        }
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
    #[inline(always)]
    pub(crate) fn act(&mut self, pick: Pick, sink: &mut Sink<'_, W>, is_wide: bool) {
        self.forget_event();
        let entry = match pick {
            Pick::Id(action) => self.aim(action.index()),
            Pick::Target(entry, site) => {
                let code: &'p Code<W> = self.code;
                let entry = &code.seats[self.mover as usize].entries[usize::from(entry)];
                self.aim_at(entry, site);
                entry
            }
        };
        self.event(entry.effect, UNSAID, sink, is_wide);
    }

    /// Plays an outcome of the phase, a chance node.
    pub(crate) fn roll(&mut self, register: u8, value: i32, sink: &mut Sink<'_, W>, is_wide: bool) {
        self.forget_event();
        self.put_number(register, value);
        let seat = &self.code.seats[self.mover as usize];
        if let Some(effect) = seat.rolls[self.phase as usize] {
            self.event(effect, self.mover, sink, is_wide);
        }
    }

    /// Deals a card, and runs the effects of the phase after the last one.
    pub(crate) fn deal(&mut self, deal: &Deal, card: usize, sink: &mut Sink<'_, W>, is_wide: bool) {
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
            self.event(effect, self.mover, sink, is_wide);
        } else if !self.get(deal.from).any() {
            self.standing = Standing::Fault(Fault::Stuck);
        }
    }

    /// Runs the effects of an event, judges the ends and passes the turn.
    #[inline(always)]
    fn event(&mut self, effect: usize, next: u8, sink: &mut Sink<'_, W>, is_wide: bool) {
        (self.next, self.goes_on) = (next, true);
        self.run(effect, sink);
        if self.next == UNSAID {
            self.next = self.after_mover();
        }
        self.kept = None;
        if self.standing == Standing::Open {
            self.run(self.code.seats[self.mover as usize].ends, sink);
        }
        self.mover = self.next;
        self.judge_room(sink, is_wide);
    }

    #[inline(always)]
    fn after_mover(&self) -> u8 {
        if self.mover + 1 == self.players() { 0 } else { self.mover + 1 }
    }

    /// The targets for which `such that` holds.
    #[inline(never)]
    fn accepted(&self, entry: &Entry, such_that: usize, to: Set<W>) -> Set<W> {
        Set::of(to.sites().filter(|&site| self.accepts(entry, such_that, site)))
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
    fn offer(&mut self, entry_at: usize, mut to: Set<W>, sink: &mut Sink<'_, W>) -> bool {
        if !to.any() {
            return false;
        }
        let code: &'p Code<W> = self.code;
        let entries = &code.seats[self.mover as usize].entries;
        let entry = &entries[entry_at];
        if let Some(such_that) = entry.such_that {
            to = self.accepted(entry, such_that, to);
        }
        match sink {
            Sink::List(list) => {
                self.cpu.call(|| list_ids(list, entry, to));
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
            Sink::Keep(offers) => {
                offers.push(entries, entry_at, to);
                let count = to.count();
                self.total += count;
                self.choices += if entry.is_pass { 0 } else { count };
                false
            }
        }
    }

    /// Runs code from `at` until it stops.
    #[inline(always)]
    fn run(&mut self, at: usize, sink: &mut Sink<'_, W>) {
        let cpu = self.cpu;
        cpu.call(Run { machine: self, at, sink });
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
                Ins::FirstPlayer => self.next = 0,
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

    /// Offers slides in one direction: from, through and to sets; returns whether the question
    /// is answered.
    #[inline(always)]
    fn slide(
        &mut self,
        mut entry: usize,
        step: &Step<W>,
        [from, through, to]: [Set<W>; 3],
        sink: &mut Sink<'_, W>,
    ) -> bool {
        let mut front = step.of(from);
        while front.any() {
            if self.offer(entry, front.and(to), sink) {
                return true;
            }
            front = step.of(front.and(through));
            entry += 1;
        }
        false
    }

    #[inline(always)]
    fn fly(&mut self, entry: usize, from: Set<W>, to: Set<W>, sink: &mut Sink<'_, W>) -> bool {
        from.sites().any(|site| self.offer(entry + site, to, sink))
    }

    /// The sites of a set whose heaps are within bounds.
    #[inline(always)]
    fn with(&self, of: u8, heap: u8, bounds: u8) -> Set<W> {
        let (low, high) = self.code.bounds[bounds as usize];
        let range = i32::from(low)..=i32::from(high);
        Set::of(self.get(of).sites().filter(|&site| range.contains(&self.heap(heap, site))))
    }

    #[inline(always)]
    fn sum(&self, heap: u8, on: u8) -> i32 {
        self.get(on).sites().map(|site| self.heap(heap, site)).sum()
    }

    #[inline(always)]
    fn clear(&mut self, heap: u8, on: u8) {
        for site in self.get(on).sites() {
            self.put_number(heap + site as u8, 0);
        }
    }

    #[inline(always)]
    fn heap(&self, heap: u8, site: usize) -> i32 {
        self.number(heap + site as u8)
    }

    fn put_bounded(&mut self, register: u8, value: i32) {
        self.kept = None;
        let (low, high, capped) = self.code.numbers[register as usize];
        let bounded = value.clamp(low.into(), high.into());
        self.put_number(register, bounded);
        if bounded != value && !capped && self.standing == Standing::Open {
            self.standing = Standing::Fault(Fault::Number);
        }
    }

    #[inline(always)]
    fn is_stuck(&mut self, everybody: bool, sink: &mut Sink<'_, W>) -> bool {
        // Most often the next player can act, and the question is answered.
        if self.can_choose(self.next, sink) {
            return false;
        }
        if !everybody {
            return true;
        }
        let (next, kept) = (self.next, self.kept.take());
        let counts = (self.total, self.choices);
        let mut others = (0..self.players()).filter(|&seat| seat != next);
        let mut alone = Sink::Exists { pass: false };
        let is_stuck = others.all(|seat| !self.can_choose(seat, &mut alone));
        (self.kept, self.total, self.choices) = (kept, counts.0, counts.1);
        is_stuck
    }

    /// Sows the heap at FROM, one to each following site, and writes the last site to TO.
    #[inline(always)]
    fn sow(&mut self, heap: u8, skipping: Set<W>) {
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
