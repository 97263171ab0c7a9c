//! Emits the code of sets and numbers; each set is computed once in a block.

use super::{Emitter, MAX_CONSTANTS};
use crate::code::Ins;
use crate::set::Bits;
use crate::tree::{CONSTANTS, Number, SetTree, Sets};

impl Emitter {
    /// Emits the code of a set and returns its register.
    pub(super) fn set(&mut self, tree: &Sets) -> u8 {
        match **tree {
            SetTree::Register(register) => return register,
            SetTree::Constant(set) => return self.constant(set),
            _ => {}
        }
        if let Some(&register) = self.known.get(tree) {
            return register;
        }
        let ins = match &**tree {
            SetTree::Register(_) | SetTree::Constant(_) => return 0,
            SetTree::And(a, b) => match &**a {
                SetTree::Step(way, from) if !self.known.contains_key(a) => {
                    let (from, other) = (self.set(from), self.set(b));
                    Ins::StepAnd(self.temp(), *way, from, other)
                }
                _ => {
                    let (a, b) = (self.set(a), self.set(b));
                    Ins::And(self.temp(), a, b)
                }
            },
            SetTree::Minus(a, b) => match &**a {
                SetTree::Step(way, from) if !self.known.contains_key(a) => {
                    let (from, other) = (self.set(from), self.set(b));
                    Ins::StepMinus(self.temp(), *way, from, other)
                }
                _ => {
                    let (a, b) = (self.set(a), self.set(b));
                    Ins::Minus(self.temp(), a, b)
                }
            },
            SetTree::Or(a, b) => {
                let (a, b) = (self.set(a), self.set(b));
                Ins::Or(self.temp(), a, b)
            }
            SetTree::Step(way, from) => {
                let from = self.set(from);
                Ins::Step(self.temp(), *way, from)
            }
            SetTree::Around(of) => {
                let of = self.set(of);
                Ins::Around(self.temp(), of)
            }
            SetTree::Opposite(of) => {
                let of = self.set(of);
                Ins::Opposite(self.temp(), of)
            }
            SetTree::SameRank(of) => {
                let of = self.set(of);
                Ins::SameRank(self.temp(), of)
            }
            SetTree::Spread(table, of) => {
                let of = self.set(of);
                Ins::Spread(self.temp(), *table, of)
            }
            SetTree::Enclosed { of, by } => {
                let (of, by) = (self.set(of), self.set(by));
                Ins::Enclosed(self.temp(), of, by)
            }
            SetTree::Quiet { own, other } => {
                let (own, other) = (self.set(own), self.set(other));
                Ins::Quiet(self.temp(), own, other)
            }
            SetTree::Repeating(register) => Ins::Repeating(self.temp(), *register),
            SetTree::Whenever { any, then } => {
                let (any, then) = (self.set(any), self.set(then));
                Ins::Whenever(self.temp(), any, then)
            }
            SetTree::Lands { of, heap, within } => {
                let (of, within) = (self.set(of), self.set(within));
                Ins::Lands { to: self.temp(), of, heap: *heap, within }
            }
            SetTree::Ray { direction, from, through } => {
                let (from, through) = (self.set(from), self.set(through));
                Ins::Ray(self.temp(), *direction, from, through)
            }
            SetTree::RayOver { direction, from, through, over } => {
                let (from, through, over) = (self.set(from), self.set(through), self.set(over));
                Ins::RayOver { to: self.temp(), direction: *direction, from, through, over }
            }
            SetTree::Between => Ins::Between(self.temp()),
            SetTree::SameSuit(of) => {
                let of = self.set(of);
                Ins::SameSuit(self.temp(), of)
            }
            SetTree::Best { of, by: [a, b] } => {
                let (of, a, b) = (self.set(of), self.set(a), self.set(b));
                Ins::Best(self.temp(), of, a, b)
            }
            SetTree::Above { value, low, count } => {
                let value = self.number(value);
                let bounds = self.bounds_at((*low, *count as i16));
                Ins::Above { to: self.temp(), value, bounds }
            }
            SetTree::Union(parts) => {
                let to = self.temp();
                // Parts share what sets they have in common, as long as there are registers.
                self.aside(|code| {
                    let mut before = code.constant(Bits::NONE);
                    let numbers = code.next_number;
                    for part in parts {
                        code.make_room();
                        let part = code.set(part);
                        code.push(Ins::Or(to, before, part));
                        before = to;
                        // The numbers of a part are of no use to others.
                        code.next_number = numbers;
                    }
                    if parts.is_empty() {
                        code.push(Ins::And(to, before, before));
                    }
                });
                self.known.insert(tree.clone(), to);
                return to;
            }
            SetTree::Flank { own, enemy } => {
                let (own, enemy) = (self.set(own), self.set(enemy));
                Ins::Flank(self.temp(), own, enemy)
            }
            SetTree::Flanked { own, enemy, at } => {
                let (own, enemy, at) = (self.set(own), self.set(enemy), self.set(at));
                Ins::Flanked(self.temp(), own, enemy, at)
            }
            SetTree::Line { of, length, members } => {
                let of = self.set(of);
                Ins::Line { to: self.temp(), of, length: *length, members: *members }
            }
            SetTree::Flood { seed, within } => {
                let (seed, within) = (self.set(seed), self.set(within));
                Ins::Flood(self.temp(), seed, within)
            }
            SetTree::Reach { from, through } => {
                let (from, through) = (self.set(from), self.set(through));
                Ins::Reach(self.temp(), from, through)
            }
            SetTree::RunBack { from, through } => {
                let (from, through) = (self.set(from), self.set(through));
                Ins::RunBack(self.temp(), from, through)
            }
            SetTree::With { of, heap, low, high } => {
                let of = self.set(of);
                let bounds = self.bounds_at((*low, *high));
                Ins::With { to: self.temp(), of, heap: *heap, bounds }
            }
        };
        self.push(ins);
        let register = (CONSTANTS as usize + MAX_CONSTANTS + self.next - 1) as u8;
        self.known.insert(tree.clone(), register);
        register
    }

    /// Returns the number of a pair of bounds, which is added if it is new.
    fn bounds_at(&mut self, bounds: (i16, i16)) -> u8 {
        let known = self.bounds.iter().position(|known| *known == bounds);
        let at = known.unwrap_or_else(|| {
            self.bounds.push(bounds);
            self.bounds.len() - 1
        });
        self.is_too_large |= at > usize::from(u8::MAX);
        at as u8
    }

    /// Emits the code of a number and returns its register.
    pub(super) fn number(&mut self, number: &Number) -> u8 {
        match number {
            Number::Register(register) => *register,
            Number::Constant(value) => {
                let to = self.number_temp();
                self.push(Ins::Constant(to, *value));
                to
            }
            Number::Count(of) => {
                let of = self.set(of);
                let to = self.number_temp();
                self.push(Ins::Count(to, of));
                to
            }
            Number::Highest(of) => {
                let of = self.set(of);
                let to = self.number_temp();
                self.push(Ins::Highest(to, of));
                to
            }
            Number::Worth(of) => {
                let of = self.set(of);
                let to = self.number_temp();
                self.push(Ins::Worth(to, of));
                to
            }
            Number::PlayersLeft => {
                let to = self.number_temp();
                self.push(Ins::PlayersLeft(to));
                to
            }
            Number::Whether(condition) => {
                // Copies are never left out when code is linked, unlike values.
                let (to, value) = (self.number_temp(), self.number_temp());
                self.push(Ins::Constant(value, 0));
                self.push(Ins::CopyNumber(to, value));
                let skip = self.jump(condition, false);
                let value = self.number_temp();
                self.push(Ins::Constant(value, 1));
                self.push(Ins::CopyNumber(to, value));
                self.land(&skip);
                to
            }
            Number::Sum(heap, on) => {
                let on = self.set(on);
                let to = self.number_temp();
                self.push(Ins::Sum(to, *heap, on));
                to
            }
            Number::Arithmetic(op, a, b) => {
                let (a, b) = (self.number(a), self.number(b));
                let to = self.number_temp();
                self.push(Ins::Arithmetic(*op, to, a, b));
                to
            }
        }
    }
}
