//! Emits statements: effects, offers and results.

use super::Emitter;
use crate::code::Ins;
use crate::tree::{Outcome, Statement};

impl Emitter {
    pub(super) fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.make_room();
            self.statement(statement);
        }
    }

    pub(super) fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Set(register, set) => {
                let before = self.ins.len();
                let value = self.set(set);
                let made = self.ins[before..].last_mut().filter(|_| !self.keeps_copies);
                match made.and_then(Ins::target_mut) {
                    // What was just computed is written where it belongs.
                    Some(target) if *target == value => {
                        *target = *register;
                        self.known.remove(set);
                    }
                    _ => self.push(Ins::Copy(*register, value)),
                }
                self.forget(*register);
            }
            Statement::Number(register, number) => {
                let value = self.number(number);
                self.push(Ins::CopyNumber(*register, value));
                self.forget_numbers();
            }
            Statement::Bounded { register, value } => {
                let value = self.number(value);
                self.push(Ins::Bounded(*register, value));
                self.forget_numbers();
            }
            Statement::If(condition, then, otherwise) => {
                let skip = self.jump(condition, false);
                self.aside(|code| code.statements(then));
                if otherwise.is_empty() {
                    self.land(&skip);
                } else {
                    self.push(Ins::Jump(u16::MAX));
                    let end = self.ins.len() - 1;
                    self.land(&skip);
                    self.aside(|code| code.statements(otherwise));
                    self.land(&[end]);
                }
                self.forget_changes(then);
                self.forget_changes(otherwise);
            }
            Statement::Offer { entry, to } => {
                let to = self.set(to);
                self.push(Ins::Offer(*entry, to));
            }
            Statement::OfferSure { entry, to, sure } => {
                let (of, sure) = (self.set(to), self.set(sure));
                self.push(Ins::OfferSure { entry: *entry, of, sure });
            }
            Statement::Slide { entry, direction, from, through, to } => {
                let (from, through, to) = (self.set(from), self.set(through), self.set(to));
                let (entry, direction) = (*entry, *direction);
                self.push(Ins::Slide { entry, direction, from, through, to });
            }
            Statement::Fly { entry, from, to } => {
                let (from, to) = (self.set(from), self.set(to));
                self.push(Ins::Fly { entry: *entry, from, to });
            }
            Statement::Follow { entry, from, through, to } => {
                let (from, through, to) = (self.set(from), self.set(through), self.set(to));
                self.push(Ins::Follow { entry: *entry, from, through, to });
            }
            Statement::SlideOver { entry, direction, from, through, over, to } => {
                let (from, through) = (self.set(from), self.set(through));
                let (over, to) = (self.set(over), self.set(to));
                let (entry, direction) = (*entry, *direction);
                self.push(Ins::SlideOver { entry, direction, from, through, over, to });
            }
            Statement::Longest(offers) => {
                self.push(Ins::Longest { end: u16::MAX });
                let at = self.ins.len() - 1;
                // The block may run twice, so that it cannot use what was computed before it.
                self.aside(|code| {
                    code.known.clear();
                    code.statements(offers);
                });
                self.push(Ins::EndLongest);
                self.land(&[at]);
            }
            Statement::One { entry } => self.push(Ins::One(*entry)),
            Statement::Otherwise(first, then) => {
                let since = self.number_temp();
                self.push(Ins::Mark(since));
                self.statements(first);
                self.push(Ins::JumpOffered { since, to: u16::MAX });
                let skip = self.ins.len() - 1;
                self.aside(|code| code.statements(then));
                self.land(&[skip]);
            }
            Statement::Sow { heap, skipping } => {
                let skipping = self.set(skipping);
                self.push(Ins::Sow { heap: *heap, skipping });
                self.forget_changes(std::slice::from_ref(statement));
            }
            Statement::AddToHeap { heap, on, by } => {
                let (on, by) = (self.set(on), self.number(by));
                self.push(Ins::AddToHeap { heap: *heap, on, by });
                self.forget_heaps();
            }
            Statement::Clear { heap, on } => {
                let on = self.set(on);
                self.push(Ins::Clear { heap: *heap, on });
                self.forget_heaps();
            }
            Statement::SamePlayer => self.push(Ins::SamePlayer),
            Statement::NextPlayer => self.push(Ins::NextPlayer),
            Statement::FirstPlayer => self.push(Ins::FirstPlayer),
            Statement::ActsNext(seat) => self.push(Ins::ActsNext(*seat)),
            Statement::DropOut(seat) => self.push(Ins::DropOut(*seat)),
            Statement::Ended(end) => self.push(Ins::Ended(*end)),
            Statement::GoTo(phase) => self.push(Ins::GoTo(*phase)),
            Statement::StopChain => self.push(Ins::StopChain),
            Statement::Accept => self.push(Ins::Accept),
            Statement::Result(outcome, amount) => {
                if let Some(amount) = amount {
                    let amount = self.number(amount);
                    self.push(Ins::Amount(amount));
                }
                self.outcome(outcome);
            }
        }
    }

    pub(super) fn outcome(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Draw => self.push(Ins::Draw),
            Outcome::Wins(seats) => self.push(Ins::Wins { seats: *seats, loses: false }),
            Outcome::Loses(seats) => self.push(Ins::Wins { seats: *seats, loses: true }),
            Outcome::Survivor => self.push(Ins::Survivor),
            Outcome::NextWins => self.push(Ins::NextWins { loses: false }),
            Outcome::NextLoses => self.push(Ins::NextWins { loses: true }),
            Outcome::Most { numbers, fewest } => {
                let values: Vec<u8> = numbers.iter().map(|number| self.number(number)).collect();
                let targets: Vec<u8> = values.iter().map(|_| self.number_temp()).collect();
                for (&to, &value) in targets.iter().zip(&values) {
                    self.push(Ins::CopyNumber(to, value));
                }
                self.push(Ins::Most { first: targets[0], fewest: *fewest });
            }
        }
        self.push(Ins::Stop);
    }

    /// Forgets what statements that may have run can have changed.
    pub(super) fn forget_changes(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Set(register, _) => self.forget(*register),
                Statement::Number(..) | Statement::Bounded { .. } => self.forget_numbers(),
                Statement::If(_, then, otherwise) => {
                    self.forget_changes(then);
                    self.forget_changes(otherwise);
                }
                Statement::Sow { .. } => {
                    self.forget(crate::tree::TO);
                    self.forget_heaps();
                }
                Statement::AddToHeap { .. } | Statement::Clear { .. } => self.forget_heaps(),
                _ => {}
            }
        }
    }
}
