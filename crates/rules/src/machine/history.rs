//! The keys of former positions, in number registers: the latest first.

use meeple_rng::mix;

use super::{Machine, STATE};
use crate::cpu::Cpu;
use crate::set::Ones;

impl<const W: usize, const R: usize, const N: usize, C: Cpu> Machine<'_, W, R, N, C> {
    /// Returns a key of how the pieces stand; never 0, which is no position.
    #[inline(always)]
    fn position(&self, sets: u64) -> u32 {
        let mut key = 0x9e37_79b9_7f4a_7c15;
        for register in Ones(sets) {
            for word in self.get((register + STATE) as u8).0 {
                key = mix(key ^ word);
            }
        }
        (key >> 32) as u32 | 1
    }

    fn former(&self, first: u8, at: u8) -> u32 {
        let half = |number: i32| u32::from(number as i16 as u16);
        let register = first + 2 * at;
        half(self.number(register)) << 16 | half(self.number(register + 1))
    }

    /// Returns whether an event has led to an earlier position.
    #[inline(always)]
    pub(super) fn is_repeated(&self) -> bool {
        let Some(history) = self.code.history else { return false };
        let key = self.position(history.sets);
        let former = |at: u8| self.former(history.first, at);
        former(0) != key && (1..history.positions).any(|at| former(at) == key)
    }

    /// Adds the current position, unless it is the latest.
    #[inline(always)]
    pub(super) fn remember(&mut self) {
        let Some(history) = self.code.history else { return };
        let key = self.position(history.sets);
        if self.former(history.first, 0) == key {
            return;
        }
        let first = usize::from(history.first);
        let registers = &mut self.numbers[first..first + 2 * usize::from(history.positions)];
        registers.copy_within(..registers.len() - 2, 2);
        registers[0] = i32::from((key >> 16) as u16 as i16);
        registers[1] = i32::from(key as u16 as i16);
    }
}
