//! Dice that are thrown together, and what can be said about those that are left.

use std::rc::Rc;

use super::sets::arithmetic;
use super::{Checker, NumberDef, Value};
use crate::dice::{Dice, MAX_DICE, MAX_FACES};
use crate::errors::Span;
use crate::syntax::{Expr, Op, Range, Word};
use crate::tree::{Comparison, Condition, Number, SetTree};

impl Checker<'_> {
    /// Defines the dice: a number for each face says how many dice show it.
    pub(super) fn define_dice(&mut self, count: &Expr, range: &Range, twice: bool, span: Span) {
        if self.dice.is_some() {
            self.problems.add(span, "the dice are defined twice");
            return;
        }
        let count = self.constant_in(count, 1, MAX_DICE as i64);
        let low = self.constant_in(&range.low, 0, 999);
        let high = self.constant_in(&range.high, 0, 999);
        let (Some(count), Some(low), Some(high)) = (count, low, high) else { return };
        let faces = high - low + 1;
        if !(2..=MAX_FACES as i64).contains(&faces) {
            let message = format!("a die has 2 to {MAX_FACES} faces, this has {faces}");
            self.problems.add(span, message);
            return;
        }
        let Some(register) = self.new_numbers(faces as usize, span) else { return };
        let (low, count, faces) = (low as i16, count as u8, faces as u8);
        let dice = Dice { register, low, faces, count, twice };
        let most = meeple_game::MAX_OUTCOMES;
        if dice.outcomes() > most {
            let message =
                format!("these dice fall in {} ways, expected at most {most}", dice.outcomes());
            self.problems.add(span, message);
            return;
        }
        let high = if twice { 2 * i16::from(count) } else { count.into() };
        for face in 0..faces {
            self.numbers.push(NumberDef {
                name: format!("dice_{}", low + i16::from(face)),
                each: false,
                low: 0,
                high,
                start: 0,
                capped: false,
                is_hidden: false,
                register: register + face,
            });
        }
        self.dice = Some(dice);
    }

    /// Returns the dice of the game.
    pub(super) fn the_dice(&mut self, span: Span) -> Option<Dice> {
        if self.dice.is_none() {
            let help = "`dice 2 of 1..6` defines two dice";
            self.problems.add_with_help(span, "this game has no dice", help);
        }
        self.dice
    }

    pub(super) fn dice_word(
        &mut self,
        word: Word,
        arguments: &[Expr],
        whole: &Expr,
    ) -> Option<Value> {
        let dice = self.the_dice(whole.span)?;
        let faces = i32::from(dice.low)..i32::from(dice.low) + i32::from(dice.faces);
        Some(match word {
            Word::DiceLeft => Value::Number(sum(faces.map(|face| dice.showing(face)))),
            Word::DiceTotal => {
                let value = |face| arithmetic(Op::Mul, Number::Constant(face), dice.showing(face));
                Value::Number(sum(faces.map(value)))
            }
            Word::DiceShowing => {
                let (low, high) = (i64::from(faces.start), i64::from(faces.end) - 1);
                let face = self.constant_in(&arguments[0], low, high)?;
                Value::Number(dice.showing(face as i32))
            }
            Word::Doubles => {
                // All are alike if the square of the sum is the sum of squares.
                let left = sum(faces.clone().map(|face| dice.showing(face)));
                let square = arithmetic(Op::Mul, left.clone(), left.clone());
                let alike = Condition::Compare(Comparison::Equal, square, dice.squares());
                let two = Condition::Compare(Comparison::LessOrEqual, Number::Constant(2), left);
                Value::Condition(Condition::And(Box::new(two), Box::new(alike)))
            }
            _ => self.pairs(dice, whole.span)?,
        })
    }

    /// Returns the columns whose numbers are sums of two dice.
    fn pairs(&mut self, dice: Dice, span: Span) -> Option<Value> {
        let columns = self.board.size().0 as i32;
        let (low, high) = (i32::from(dice.low), i32::from(dice.low) + i32::from(dice.faces) - 1);
        let mut all = Vec::new();
        for total in (2 * low..=2 * high).filter(|total| (1..=columns).contains(total)) {
            let ways = (low..=total / 2).filter(|one| total - one <= high).map(|one| {
                let other = match dice.showing(total - one) {
                    // Two dice with the same face.
                    same if total == 2 * one => arithmetic(Op::Sub, same, Number::Constant(1)),
                    other => other,
                };
                arithmetic(Op::Mul, dice.showing(one), other)
            });
            let none = arithmetic(Op::Sub, Number::Constant(0), sum(ways));
            // A set with one element if there is a way, which stands for the column.
            let any = Rc::new(SetTree::Above { value: Box::new(none), low: 0, count: 1 });
            let column = self.board.at(|x, _| i32::from(x) + 1 == total);
            let mut table = vec![crate::set::Bits::NONE; self.board.positions];
            table[0] = column;
            let table = self.table(table, span)?;
            all.push(Rc::new(SetTree::Spread(table, any)));
        }
        Some(Value::Set(Rc::new(SetTree::Union(all))))
    }
}

impl Dice {
    /// Returns how many dice that are not used yet show a face.
    pub(super) fn showing(&self, face: i32) -> Number {
        Number::Register(self.register + (face - i32::from(self.low)) as u8)
    }

    /// Returns the sum of the squares of how many dice show each face.
    fn squares(&self) -> Number {
        let registers = self.register..self.register + self.faces;
        let square =
            |register| arithmetic(Op::Mul, Number::Register(register), Number::Register(register));
        sum(registers.map(square))
    }

    /// Returns whether two dice with different faces are left, and no other.
    pub(super) fn are_two_different(&self) -> Condition {
        Condition::Compare(Comparison::Equal, self.squares(), Number::Constant(2))
    }
}

fn sum(numbers: impl Iterator<Item = Number>) -> Number {
    numbers.reduce(|a, b| arithmetic(Op::Add, a, b)).unwrap_or(Number::Constant(0))
}
