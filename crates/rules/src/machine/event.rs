//! Events: an action or a chance outcome, its effects, the ends, and whose turn is next.

use super::{Fault, Machine, Pick, Sink, Standing, UNSAID};
use crate::code::{Code, Decoded, Entry, Shape};
use crate::cpu::Cpu;
use crate::lower::{Deal, RollEach};
use crate::set::Set;
use crate::tree::{FROM, NUMBER_LETS, OVER, TO};

impl<'p, const W: usize, C: Cpu> Machine<'p, W, C> {
    /// Runs the code that sets the board up.
    pub(crate) fn begin(&mut self, start: usize, is_wide: bool) {
        self.run(start, &mut Sink::Count);
        self.remember();
        self.judge_room(&mut Sink::Count, is_wide);
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
    pub(super) fn aim_at(&mut self, entry: &Entry, site: usize) {
        match &entry.shape {
            Shape::Word => {}
            Shape::Target => self.put(TO, Set::one(site)),
            Shape::Strip { table, .. } => {
                self.put(TO, self.code.tables[usize::from(*table)][site]);
            }
            Shape::Card => self.put(TO, Set::one(site)),
            Shape::Number(low) => {
                self.put_number(NUMBER_LETS, i32::from(*low) + site as i32);
            }
            Shape::Source => self.put(FROM, Set::one(site)),
            Shape::From(from) => {
                self.put(TO, Set::one(site));
                self.put(FROM, Set::one(usize::from(*from)));
            }
            Shape::Move { from, over, .. } => {
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
    pub(super) fn forget_event(&mut self) {
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

    /// Gives a hidden number of the next player a value, and runs the effects of the phase after
    /// the last one.
    pub(crate) fn roll_each(
        &mut self,
        roll: &RollEach,
        value: i32,
        sink: &mut Sink<'_, W>,
        is_wide: bool,
    ) {
        self.forget_event();
        let seat = self.number(roll.counter);
        self.put_number(roll.register + seat as u8, value);
        let is_last = seat + 1 >= i32::from(self.players());
        self.put_number(roll.counter, if is_last { 0 } else { seat + 1 });
        let code = &self.code.seats[self.mover as usize];
        if is_last && let Some(effect) = code.rolls[self.phase as usize] {
            self.event(effect, self.mover, sink, is_wide);
        }
    }

    /// Deals a card, and runs the effects of the phase after the last one.
    pub(crate) fn deal(&mut self, deal: &Deal, card: usize, sink: &mut Sink<'_, W>, is_wide: bool) {
        self.forget_event();
        let dealt = self.number(deal.counter);
        let seat = deal.seat(dealt, self.mover);
        let (to, card) = (deal.to + seat, Set::one(card));
        self.put(deal.from, self.get(deal.from).minus(card));
        self.put(to, self.get(to).or(card));
        if let Some(lacks) = deal.lacks {
            self.put(lacks + seat, Set::NONE);
        }
        let is_last = dealt + 1 >= deal.cards(|register| self.number(register));
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
        self.remember();
        self.mover = self.next;
        self.judge_room(sink, is_wide);
    }

    /// Judges the ends as if a seat had just acted.
    pub(crate) fn judge_ends(&mut self, seat: u8) {
        self.forget_event();
        self.mover = seat;
        self.next = self.after_mover();
        self.run(self.code.seats[seat as usize].ends, &mut Sink::Count);
    }

    #[inline(always)]
    pub(super) fn after_mover(&self) -> u8 {
        if self.out == 0 {
            return if self.mover + 1 == self.players() { 0 } else { self.mover + 1 };
        }
        let players = self.players();
        let after = (1..=players).map(|steps| (self.mover + steps) % players);
        after.into_iter().find(|seat| self.out >> seat & 1 == 0).unwrap_or(self.mover)
    }

    /// The seats that have not dropped out, as bits.
    #[inline(always)]
    pub(super) fn left(&self) -> u8 {
        ((1u16 << self.players()) - 1) as u8 & !self.out
    }
}
