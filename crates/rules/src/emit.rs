//! Turns checked rules into flat code; common subexpressions are computed once.

use rustc_hash::FxHashMap;

use crate::code::Ins;
use crate::set::Bits;
use crate::tree::{
    CONSTANTS, Condition, NUMBER_REGISTERS, NUMBER_TEMPS, Number, Outcome, REGISTERS, SetTree,
    Sets, Statement,
};

/// The most instructions of a program.
const MAX_CODE: usize = u16::MAX as usize;

/// The code of a game as it grows.
#[derive(Debug, Default)]
pub(crate) struct Emitter {
    ins: Vec<Ins>,
    constants: Vec<Bits>,
    bounds: Vec<(i16, i16)>,
    known: FxHashMap<Sets, u8>,
    next: usize,
    next_number: usize,
    /// The number of questions whether somebody is stuck, which use the temporary registers.
    asked: usize,
    /// Whether every change of a set is an instruction of its own, as ends need it: there a
    /// change makes the actions out of date that were generated to see who is stuck.
    pub(crate) keeps_copies: bool,
    /// Whether the code needs more registers or instructions than there are.
    pub(crate) is_too_large: bool,
}

/// The finished code of a game.
#[derive(Debug)]
pub(crate) struct Listing {
    pub(crate) ins: Vec<Ins>,
    pub(crate) constants: Vec<Bits>,
    pub(crate) bounds: Vec<(i16, i16)>,
}

/// The most registers that constants may take.
const MAX_CONSTANTS: usize = 36;

impl Emitter {
    /// Returns all code that was emitted.
    pub(crate) fn finish(self) -> Listing {
        Listing { ins: self.ins, constants: self.constants, bounds: self.bounds }
    }

    /// Emits a block of code and returns where it begins.
    pub(crate) fn block(&mut self, statements: &[Statement]) -> usize {
        self.block_in_parts(statements).0
    }

    /// Emits a block of code; returns where it begins, and where each statement does.
    pub(crate) fn block_in_parts(&mut self, statements: &[Statement]) -> (usize, Vec<usize>) {
        let start = self.ins.len();
        self.known.clear();
        // Constants are collected while code is emitted, so temporary registers are counted
        // from the last one down.
        self.next = 0;
        self.next_number = NUMBER_TEMPS as usize;
        let mut parts = Vec::with_capacity(statements.len());
        for statement in statements {
            parts.push(self.ins.len());
            self.statement(statement);
        }
        self.push(Ins::Stop);
        (start, parts)
    }

    fn push(&mut self, ins: Ins) {
        if self.ins.len() >= MAX_CODE {
            self.is_too_large = true;
        } else {
            self.ins.push(ins);
        }
    }

    fn temp(&mut self) -> u8 {
        let first = CONSTANTS as usize + MAX_CONSTANTS;
        if first + self.next >= REGISTERS {
            self.is_too_large = true;
            return (REGISTERS - 1) as u8;
        }
        self.next += 1;
        (first + self.next - 1) as u8
    }

    fn number_temp(&mut self) -> u8 {
        if self.next_number >= NUMBER_REGISTERS {
            self.is_too_large = true;
            return (NUMBER_REGISTERS - 1) as u8;
        }
        self.next_number += 1;
        (self.next_number - 1) as u8
    }

    fn constant(&mut self, set: Bits) -> u8 {
        let at = self.constants.iter().position(|known| *known == set).unwrap_or_else(|| {
            self.constants.push(set);
            self.constants.len() - 1
        });
        if at >= MAX_CONSTANTS {
            self.is_too_large = true;
            return CONSTANTS;
        }
        CONSTANTS + at as u8
    }

    /// Emits the code of a set and returns its register.
    fn set(&mut self, tree: &Sets) -> u8 {
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
                let bounds = (*low, *high);
                let known = self.bounds.iter().position(|known| *known == bounds);
                let at = known.unwrap_or_else(|| {
                    self.bounds.push(bounds);
                    self.bounds.len() - 1
                });
                self.is_too_large |= at > usize::from(u8::MAX);
                Ins::With { to: self.temp(), of, heap: *heap, bounds: at as u8 }
            }
        };
        self.push(ins);
        let register = (CONSTANTS as usize + MAX_CONSTANTS + self.next - 1) as u8;
        self.known.insert(tree.clone(), register);
        register
    }

    /// Emits the code of a number and returns its register.
    fn number(&mut self, number: &Number) -> u8 {
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

    /// Forgets the values that depend on a register.
    fn forget(&mut self, register: u8) {
        self.known.retain(|tree, _| !uses(tree, &|tree| *tree == SetTree::Register(register)));
    }

    /// Forgets the values that depend on a heap.
    fn forget_heaps(&mut self) {
        self.known.retain(|tree, _| !uses(tree, &|tree| matches!(tree, SetTree::With { .. })));
    }

    /// Emits code that may be skipped: nothing that it computes is known afterwards.
    fn aside<T>(&mut self, emit: impl FnOnce(&mut Self) -> T) -> T {
        let (known, next, number) = (self.known.clone(), self.next, self.next_number);
        let asked = self.asked;
        let result = emit(self);
        (self.known, self.next, self.next_number) = (known, next, number);
        if self.asked > asked {
            self.known.clear();
        }
        result
    }

    /// Emits a jump that is taken when the condition `is` so, and returns the places of jumps
    /// whose targets are not known yet.
    fn jump(&mut self, condition: &Condition, is: bool) -> Vec<usize> {
        let to = u16::MAX;
        let ins = match condition {
            Condition::Not(inner) => return self.jump(inner, !is),
            Condition::And(a, b) if is => {
                let skip = self.jump(a, false);
                let taken = self.aside(|code| code.jump(b, true));
                self.land(&skip);
                return taken;
            }
            Condition::And(a, b) => {
                let mut taken = self.jump(a, false);
                taken.extend(self.aside(|code| code.jump(b, false)));
                return taken;
            }
            Condition::Or(a, b) if is => {
                let mut taken = self.jump(a, true);
                taken.extend(self.aside(|code| code.jump(b, true)));
                return taken;
            }
            Condition::Or(a, b) => {
                let skip = self.jump(a, true);
                let taken = self.aside(|code| code.jump(b, false));
                self.land(&skip);
                return taken;
            }
            Condition::Any(set) => match &**set {
                SetTree::And(a, b) if !self.known.contains_key(set) => {
                    let (one, other) = (self.set(a), self.set(b));
                    Ins::JumpMeet { one, other, is, to }
                }
                SetTree::Line { of, length, members: true } => {
                    let (of, length) = (of.clone(), *length);
                    let ends = SetTree::Line { of, length, members: false };
                    Ins::JumpAny { of: self.set(&Sets::new(ends)), is, to }
                }
                _ => Ins::JumpAny { of: self.set(set), is, to },
            },
            Condition::Same(one, other) => {
                let (one, other) = (self.set(one), self.set(other));
                Ins::JumpSame { one, other, is, to }
            }
            Condition::Compare(by, one, other) => {
                let (one, other) = (self.number(one), self.number(other));
                Ins::JumpCompare { by: *by, one, other, is, to }
            }
            Condition::NextStuck | Condition::EverybodyStuck => {
                // Asking uses the temporary registers.
                self.known.clear();
                self.asked += 1;
                let everybody = matches!(condition, Condition::EverybodyStuck);
                Ins::JumpStuck { everybody, is, to }
            }
            Condition::GoesOn => Ins::JumpGoesOn { is, to },
        };
        self.push(ins);
        vec![self.ins.len() - 1]
    }

    /// Makes jumps lead to the next instruction.
    fn land(&mut self, jumps: &[usize]) {
        let here = self.ins.len() as u16;
        for &at in jumps {
            match self.ins.get_mut(at) {
                Some(
                    Ins::Jump(to)
                    | Ins::JumpAny { to, .. }
                    | Ins::JumpMeet { to, .. }
                    | Ins::JumpSame { to, .. }
                    | Ins::JumpCompare { to, .. }
                    | Ins::JumpStuck { to, .. }
                    | Ins::JumpGoesOn { to, .. }
                    | Ins::JumpOffered { to, .. },
                ) => *to = here,
                _ => self.is_too_large = true,
            }
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
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
            }
            Statement::Bounded { register, value } => {
                let value = self.number(value);
                self.push(Ins::Bounded(*register, value));
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
                let before = self.ins.len();
                let value = self.set(to);
                // A step that was just computed is offered in the same instruction.
                let fused = match self.ins[before..].last() {
                    Some(&Ins::StepAnd(_, way, a, b)) => Ins::OfferStepAnd(*entry, way, a, b),
                    Some(&Ins::StepMinus(_, way, a, b)) => Ins::OfferStepMinus(*entry, way, a, b),
                    _ => {
                        self.push(Ins::Offer(*entry, value));
                        return;
                    }
                };
                self.ins.pop();
                self.known.remove(to);
                self.push(fused);
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
            Statement::Clear { heap, on } => {
                let on = self.set(on);
                self.push(Ins::Clear { heap: *heap, on });
                self.forget_heaps();
            }
            Statement::SamePlayer => self.push(Ins::SamePlayer),
            Statement::NextPlayer => self.push(Ins::NextPlayer),
            Statement::FirstPlayer => self.push(Ins::FirstPlayer),
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

    fn outcome(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Draw => self.push(Ins::Draw),
            Outcome::Wins(seats) => self.push(Ins::Wins { seats: *seats, loses: false }),
            Outcome::Loses(seats) => self.push(Ins::Wins { seats: *seats, loses: true }),
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
    fn forget_changes(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Set(register, _) => self.forget(*register),
                Statement::If(_, then, otherwise) => {
                    self.forget_changes(then);
                    self.forget_changes(otherwise);
                }
                Statement::Sow { .. } => {
                    self.forget(crate::tree::TO);
                    self.forget_heaps();
                }
                Statement::Clear { .. } => self.forget_heaps(),
                _ => {}
            }
        }
    }
}

/// Returns whether `found` holds for a part of the tree.
fn uses(tree: &SetTree, found: &impl Fn(&SetTree) -> bool) -> bool {
    if found(tree) {
        return true;
    }
    match tree {
        SetTree::Register(_) | SetTree::Constant(_) => false,
        SetTree::And(a, b)
        | SetTree::Or(a, b)
        | SetTree::Minus(a, b)
        | SetTree::Flank { own: a, enemy: b }
        | SetTree::Flood { seed: a, within: b }
        | SetTree::Reach { from: a, through: b }
        | SetTree::RunBack { from: a, through: b } => uses(a, found) || uses(b, found),
        SetTree::Flanked { own, enemy, at } => {
            uses(own, found) || uses(enemy, found) || uses(at, found)
        }
        SetTree::Step(_, of)
        | SetTree::Around(of)
        | SetTree::Opposite(of)
        | SetTree::SameRank(of)
        | SetTree::Line { of, .. }
        | SetTree::With { of, .. } => uses(of, found),
    }
}
