//! Chance: rolls and deals, drawn in playouts or given as outcomes.

use meeple_game::Action;

use super::event::END;
use super::{Fault, Goal, Machine, Standing};
use crate::cpu::Cpu;
use crate::dice::Dice;
use crate::link::Aim;
use crate::lower::{Chance, Deal};
use crate::play::draw;
use crate::set::Set;

/// The most chance events in a row; a game in which only chance acts need not end.
pub(super) const MAX_STREAK: u16 = 4000;

impl<const W: usize, const R: usize, const N: usize, C: Cpu> Machine<'_, W, R, N, C> {
    /// Returns what chance decides in the current phase.
    #[inline(always)]
    pub(super) fn chance(&self) -> Option<Chance> {
        self.code.linked.chances[usize::from(self.phase)]
    }

    /// Returns whether a phase is a chance node, and if so whether it has an outcome.
    #[inline(always)]
    pub(super) fn has_outcome(&self) -> Option<bool> {
        match self.chance()? {
            Chance::Roll { .. } | Chance::RollEach(_) | Chance::Dice(_) => Some(true),
            Chance::Deal(deal) => Some(self.get(deal.from).any()),
        }
    }

    /// Begins a turn in which chance decides; returns the next address.
    #[inline(always)]
    pub(super) fn begin_chance(&mut self, goal: &mut Goal<'_>) -> usize {
        let Some(chance) = self.chance() else { return END };
        if self.streak >= MAX_STREAK {
            self.standing = Standing::Fault(Fault::Endless);
            return END;
        }
        if self.has_outcome() == Some(false) {
            self.standing = Standing::Fault(Fault::Stuck);
            return END;
        }
        let Goal::Playout { rng, steps } = goal else { return END };
        self.begin_outcome();
        loop {
            steps.chances += 1;
            let is_last = match &chance {
                Chance::Roll { register, low, high } => {
                    let face = draw((high - low + 1) as usize, rng);
                    self.put_number(*register, i32::from(*low) + face as i32);
                    true
                }
                Chance::RollEach(roll) => {
                    let face = draw((roll.high - roll.low + 1) as usize, rng);
                    self.roll_one(roll.register, roll.counter, i32::from(roll.low) + face as i32)
                }
                Chance::Dice(dice) => {
                    let outcome = dice.sample(rng);
                    self.throw(dice, outcome);
                    true
                }
                Chance::Deal(deal) => {
                    let cards = self.get(deal.from);
                    let nth = draw(cards.count() as usize, rng);
                    self.deal(deal, cards.nth(nth as u32, self.cpu))
                }
            };
            if is_last {
                return self.end_outcome();
            }
            if self.standing != Standing::Open {
                return END;
            }
        }
    }

    /// Begins an outcome of a chance event; returns the address of its effects.
    pub(super) fn happen(&mut self, chance: Chance, outcome: Action) -> usize {
        self.begin_outcome();
        let is_last = match chance {
            Chance::Roll { register, low, .. } => {
                self.put_number(register, i32::from(low) + i32::from(outcome.0));
                true
            }
            Chance::RollEach(roll) => {
                let value = i32::from(roll.low) + i32::from(outcome.0);
                self.roll_one(roll.register, roll.counter, value)
            }
            Chance::Dice(dice) => {
                self.throw(&dice, outcome);
                true
            }
            Chance::Deal(deal) => self.deal(&deal, outcome.index()),
        };
        if is_last { self.end_outcome() } else { END }
    }

    #[inline(always)]
    fn begin_outcome(&mut self) {
        self.aim(Aim::Word, 0);
        // Chance never passes the turn by itself, not even before its last outcome.
        self.next = self.mover;
    }

    /// Goes on after the last outcome of a chance event; returns the address of its effects.
    #[inline(always)]
    fn end_outcome(&mut self) -> usize {
        self.streak += 1;
        let turn = self.turn_code(self.mover);
        self.begin_event(self.mover, turn);
        turn.roll.map_or(END, |at| at as usize)
    }

    /// Writes how many dice show each face.
    fn throw(&mut self, dice: &Dice, outcome: Action) {
        let thrown = dice.thrown(outcome);
        for (face, &count) in (0..dice.faces).zip(&thrown) {
            self.put_number(dice.register + face, count.into());
        }
    }

    /// Writes the roll of the next seat; returns whether it was the last one.
    #[inline(always)]
    fn roll_one(&mut self, first: u8, counter: u8, value: i32) -> bool {
        let seat = self.number(counter);
        self.put_number(first + seat as u8, value);
        let is_last = seat + 1 >= i32::from(self.code.linked.players);
        self.put_number(counter, if is_last { 0 } else { seat + 1 });
        is_last
    }

    /// Deals a card; returns whether it was the last one.
    #[inline(always)]
    fn deal(&mut self, deal: &Deal, card: usize) -> bool {
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
        if !is_last && !self.get(deal.from).any() {
            self.standing = Standing::Fault(Fault::Stuck);
        }
        is_last
    }
}
