//! Gives every register of the emitted code a place in as small a file as possible.

use super::operands::Access;
use super::region::is_temporary;
use crate::code::Ins;
use crate::machine::STATE;
use crate::tree::{CONSTANTS, FROM, LETS, NUMBER_LETS, OVER, SCRATCH, TO};

/// The places of registers: the sites of the event come first, then the sets of the state,
/// constants, variables, and what one block computes.
pub(super) struct Places {
    fixed: [Option<u8>; 256],
    /// The first place for constants.
    pub(super) constants: usize,
    /// The first place for temporary sets.
    first: u8,
    /// The number of sets that are needed.
    pub(super) sets: usize,
    /// The number of numbers that are needed.
    pub(super) numbers: usize,
    state_numbers: u8,
}

impl Places {
    /// Makes places for the sets and numbers of a state, for constants, and for all variables
    /// that the code uses.
    pub(super) fn new(code: &[Ins], state: usize, constants: usize, numbers: usize) -> Self {
        let mut is_used = [false; 256];
        for ins in code {
            let mut ins = *ins;
            ins.each_set(|register, _| is_used[usize::from(*register)] = true);
        }
        let registers = [FROM, TO, OVER].into_iter().chain(0..state as u8);
        let registers = registers.chain((CONSTANTS..).take(constants));
        let registers = registers.chain((LETS..SCRATCH).filter(|&at| is_used[usize::from(at)]));
        let mut fixed = [None; 256];
        let mut first = 0;
        for (register, place) in registers.zip(0..) {
            fixed[usize::from(register)] = Some(place);
            first = place + 1;
        }
        let (sets, constants) = (usize::from(first), STATE + state);
        Self { fixed, constants, first, sets, numbers, state_numbers: numbers as u8 }
    }

    /// Returns the place of a number register.
    pub(super) fn number(&mut self, register: u8) -> u8 {
        let place = match register.checked_sub(NUMBER_LETS) {
            Some(more) => self.state_numbers + more,
            None => register,
        };
        self.numbers = self.numbers.max(usize::from(place) + 1);
        place
    }

    /// Returns the place of a set that is used in more than one block.
    pub(super) fn set(&self, register: u8) -> u8 {
        self.fixed[usize::from(register)].unwrap_or(0)
    }

    /// Puts the registers of a block into their places.
    pub(super) fn assign(&mut self, block: &mut [Ins]) {
        let last = last_reads(block);
        // Until when each temporary place is taken.
        let mut taken: Vec<usize> = Vec::new();
        let mut places = self.fixed;
        for (at, ins) in block.iter_mut().enumerate() {
            ins.each_number(|register, _| *register = self.number(*register));
            // What an instruction reads is seen before what it writes.
            ins.each_set(|register, access| {
                if access == Access::Write && is_temporary(*register) {
                    let free = taken.iter().position(|&until| until <= at);
                    let free = free.unwrap_or(taken.len());
                    taken.resize(taken.len().max(free + 1), 0);
                    taken[free] = last[at].max(at + 1);
                    let place = self.first.saturating_add(free as u8);
                    places[usize::from(*register)] = Some(place);
                }
                *register = places[usize::from(*register)].unwrap_or(0);
            });
        }
        self.sets = self.sets.max(usize::from(self.first) + taken.len());
    }
}

/// Returns where the value is read last that each instruction writes to a temporary register.
fn last_reads(block: &[Ins]) -> Vec<usize> {
    let mut last = vec![0; block.len()];
    let mut writer = [0; 256];
    for (at, ins) in block.iter().enumerate() {
        let mut ins = *ins;
        ins.each_set(|register, access| match access {
            Access::Write => writer[usize::from(*register)] = at,
            Access::Read | Access::Change => last[writer[usize::from(*register)]] = at,
        });
    }
    last
}
