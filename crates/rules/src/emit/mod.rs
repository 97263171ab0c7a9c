//! Turns checked rules into flat code; common subexpressions are computed once.

mod jumps;
mod statements;
mod values;

use rustc_hash::FxHashMap;

use crate::code::Ins;
use crate::set::Bits;
use crate::tree::{CONSTANTS, NUMBER_REGISTERS, NUMBER_TEMPS, REGISTERS, SetTree, Sets, Statement};

/// The most instructions of a program.
const MAX_CODE: usize = 65_000;

/// The code of a game as it grows.
#[derive(Debug, Default)]
pub(crate) struct Emitter {
    ins: Vec<Ins>,
    blocks: Vec<usize>,
    constants: Vec<Bits>,
    bounds: Vec<(i16, i16)>,
    known: FxHashMap<Sets, u8>,
    next: usize,
    /// The temporary registers that code further on still uses.
    floor: usize,
    next_number: usize,
    /// The number of questions whether somebody is stuck, which use the temporary registers.
    asked: usize,
    /// Whether every change of a set is an instruction of its own, as ends need it: there a
    /// change makes the actions out of date that were generated to see who is stuck.
    pub(crate) keeps_copies: bool,
    /// Whether the code needs more registers or instructions than there are.
    pub(crate) is_too_large: bool,
    /// The statements of each block with where it begins, if they are wanted.
    pub(crate) kept: Option<Vec<(usize, Vec<Statement>)>>,
}

/// The finished code of a game.
#[derive(Debug)]
pub(crate) struct Listing {
    pub(crate) ins: Vec<Ins>,
    /// Where each block begins.
    pub(crate) blocks: Vec<usize>,
    pub(crate) constants: Vec<Bits>,
    pub(crate) bounds: Vec<(i16, i16)>,
}

/// The most registers that constants may take.
pub(crate) const MAX_CONSTANTS: usize = 36;
/// The temporary registers that a statement finds free, unless those around it need them.
const ROOM: usize = 20;

impl Emitter {
    /// Returns all code that was emitted.
    pub(crate) fn finish(self) -> Listing {
        let Self { ins, blocks, constants, bounds, .. } = self;
        Listing { ins, blocks, constants, bounds }
    }

    /// Emits a block of code and returns where it begins.
    pub(crate) fn block(&mut self, statements: &[Statement]) -> usize {
        let start = self.ins.len();
        self.blocks.push(start);
        if let Some(kept) = &mut self.kept {
            kept.push((start, statements.to_vec()));
        }
        self.known.clear();
        // Constants are collected while code is emitted, so temporary registers are counted
        // from the last one down.
        (self.next, self.floor) = (0, 0);
        self.next_number = NUMBER_TEMPS as usize;
        self.statements(statements);
        self.push(Ins::Stop);
        start
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

    /// Forgets what earlier statements have computed where few temporary registers are left.
    fn make_room(&mut self) {
        let first = CONSTANTS as usize + MAX_CONSTANTS;
        if first + self.next + ROOM > REGISTERS {
            self.next = self.floor;
            self.known.retain(|_, register| usize::from(*register) < first + self.next);
        }
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

    /// Forgets the values that depend on a register.
    fn forget(&mut self, register: u8) {
        self.known.retain(|tree, _| !uses(tree, &|tree| *tree == SetTree::Register(register)));
    }

    /// Forgets the values that depend on a heap.
    fn forget_heaps(&mut self) {
        self.known.retain(|tree, _| {
            !uses(tree, &|tree| matches!(tree, SetTree::With { .. } | SetTree::Lands { .. }))
        });
    }

    /// Forgets the values that depend on numbers.
    fn forget_numbers(&mut self) {
        self.known.retain(|tree, _| !uses(tree, &|_| false));
    }

    /// Emits code that may be skipped: nothing that it computes is known afterwards.
    fn aside<T>(&mut self, emit: impl FnOnce(&mut Self) -> T) -> T {
        let (known, next, number) = (self.known.clone(), self.next, self.next_number);
        let (asked, floor) = (self.asked, self.floor);
        self.floor = self.next;
        let result = emit(self);
        self.floor = floor;
        (self.known, self.next, self.next_number) = (known, next, number);
        if self.asked > asked {
            self.known.clear();
        }
        result
    }
}

/// Returns whether `found` holds for a part of the tree.
fn uses(tree: &SetTree, found: &impl Fn(&SetTree) -> bool) -> bool {
    if found(tree) {
        return true;
    }
    match tree {
        SetTree::Register(_) | SetTree::Constant(_) => false,
        // What lies between the sites of an event is computed anew for every effect.
        SetTree::Between => true,
        // So may former positions be.
        SetTree::Repeating(_) => true,
        SetTree::Best { of, by: [a, b] } => uses(of, found) || uses(a, found) || uses(b, found),
        // Numbers may have changed.
        SetTree::Above { .. } => true,
        SetTree::Union(parts) => parts.iter().any(|part| uses(part, found)),
        SetTree::And(a, b)
        | SetTree::Or(a, b)
        | SetTree::Minus(a, b)
        | SetTree::Flank { own: a, enemy: b }
        | SetTree::Flood { seed: a, within: b }
        | SetTree::Reach { from: a, through: b }
        | SetTree::RunBack { from: a, through: b }
        | SetTree::Ray { from: a, through: b, .. }
        | SetTree::Quiet { own: a, other: b }
        | SetTree::Whenever { any: a, then: b }
        | SetTree::Lands { of: a, within: b, .. }
        | SetTree::Enclosed { of: a, by: b } => uses(a, found) || uses(b, found),
        SetTree::Flanked { own: a, enemy: b, at: c }
        | SetTree::RayOver { from: a, through: b, over: c, .. } => {
            uses(a, found) || uses(b, found) || uses(c, found)
        }
        SetTree::Step(_, of)
        | SetTree::Around(of)
        | SetTree::Opposite(of)
        | SetTree::SameRank(of)
        | SetTree::Spread(_, of)
        | SetTree::SameSuit(of)
        | SetTree::Line { of, .. }
        | SetTree::With { of, .. } => uses(of, found),
    }
}
