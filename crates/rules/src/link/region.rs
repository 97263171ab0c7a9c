//! One block of code while it is linked: who reads what an instruction writes.
//!
//! Code only jumps ahead, so the order of instructions is an order of time: the value in a
//! temporary register is what the last instruction before has written.

use super::operands::Access;
use crate::code::Ins;
use crate::emit::MAX_CONSTANTS;
use crate::tree::{CONSTANTS, NUMBER_TEMPS, SCRATCH, TO};

/// The most instructions between a value and where it is moved to.
const FARTHEST: usize = 24;

/// Instructions whose jumps lead to places in the same block.
pub(super) struct Region {
    pub(super) ins: Vec<Ins>,
    is_dead: Vec<bool>,
    is_target: Vec<bool>,
    /// How often the set is read that each instruction writes to a temporary register.
    reads: Vec<u32>,
}

/// Returns whether a set register is used in one block only.
pub(super) fn is_temporary(register: u8) -> bool {
    register == SCRATCH || register >= CONSTANTS + MAX_CONSTANTS as u8
}

/// Returns whether a number register is used in one block only.
fn is_temporary_number(register: u8) -> bool {
    register >= NUMBER_TEMPS
}

impl Region {
    /// Takes a block of code that begins at an address.
    pub(super) fn new(code: &[Ins], start: usize) -> Self {
        let mut ins = code.to_vec();
        let mut is_target = vec![false; ins.len() + 1];
        for target in ins.iter_mut().filter_map(Ins::target) {
            *target -= start as u16;
            is_target[usize::from(*target)] = true;
        }
        // A block that runs twice takes nothing from before it.
        for (at, _) in ins.iter().enumerate().filter(|(_, ins)| matches!(ins, Ins::Longest { .. }))
        {
            is_target[at + 1] = true;
        }
        let mut region =
            Self { is_dead: vec![false; ins.len()], is_target, reads: Vec::new(), ins };
        region.count_reads();
        region
    }

    pub(super) fn len(&self) -> usize {
        self.ins.len()
    }

    pub(super) fn is_dead(&self, at: usize) -> bool {
        self.is_dead[at]
    }

    pub(super) fn remove(&mut self, at: usize) {
        self.is_dead[at] = true;
    }

    /// Returns whether anything jumps to an instruction.
    pub(super) fn is_target(&self, at: usize) -> bool {
        self.is_target[at]
    }

    /// Returns where the value of a temporary register is computed that is read at `reader`.
    pub(super) fn written(&self, register: u8, reader: usize) -> Option<usize> {
        let near = reader.saturating_sub(FARTHEST)..reader;
        let mut writers = near.rev().filter(|&at| !self.is_dead[at]);
        writers.find(|&at| is_temporary(register) && writes(self.ins[at], register))
    }

    /// Counts how often values are read, before instructions are fused.
    pub(super) fn count_reads(&mut self) {
        let mut writer = [None; 256];
        self.reads = vec![0; self.ins.len()];
        for at in (0..self.ins.len()).filter(|&at| !self.is_dead[at]) {
            let mut ins = self.ins[at];
            ins.each_set(|register, access| {
                if access.reads()
                    && let Some(writer) = writer[usize::from(*register)]
                {
                    self.reads[writer] += 1;
                }
            });
            ins.each_set(|register, access| {
                if access.writes() {
                    writer[usize::from(*register)] = is_temporary(*register).then_some(at);
                }
            });
        }
    }

    /// Returns where the value of a temporary register is computed that is read at `reader`,
    /// and nowhere else, if that could as well be done at `place`.
    pub(super) fn source(&self, register: u8, reader: usize, place: usize) -> Option<usize> {
        let alive = |at: &usize| !self.is_dead[*at];
        let at = self.written(register, reader)?;
        let is_joined = (at + 1..=place).any(|other| self.is_target[other]);
        let mut is_changed = false;
        let mut ins = self.ins[at];
        ins.each_set(|operand, access| {
            let between = (at + 1..place).filter(alive);
            is_changed |= access == Access::Read
                && between.clone().any(|other| writes(self.ins[other], *operand));
        });
        (self.reads[at] == 1 && !is_joined && !is_changed && ins.is_pure()).then_some(at)
    }

    /// Returns the living instruction before another, if nothing jumps in between.
    pub(super) fn before(&self, at: usize) -> Option<usize> {
        let before = (0..at).rev().find(|&before| !self.is_dead[before])?;
        (!(before + 1..=at).any(|other| self.is_target[other])).then_some(before)
    }

    /// Returns the living instruction after another, if nothing jumps in between.
    pub(super) fn after(&self, at: usize) -> Option<usize> {
        let after = (at + 1..self.ins.len()).find(|&after| !self.is_dead[after])?;
        (!(at + 1..=after).any(|other| self.is_target[other])).then_some(after)
    }

    /// Returns the place that is reached after an instruction, as jumps would name it.
    pub(super) fn place_after(&self, at: usize) -> usize {
        (at + 1..self.ins.len())
            .find(|&next| !self.is_dead[next] || self.is_target[next])
            .unwrap_or(at)
    }

    /// Ends the block with its last instruction: what comes before it does the same where it
    /// can, and jumps to it go straight to `end`.
    pub(super) fn end(&mut self, last: Ins, end: u16) {
        let Some(at) = self.ins.len().checked_sub(1) else { return };
        self.ins[at] = last;
        for target in self.ins.iter_mut().filter_map(Ins::target) {
            if usize::from(*target) == at {
                *target = end;
            }
        }
        let Some(before) = (0..at).rev().find(|&before| !self.is_dead[before]) else { return };
        match (&mut self.ins[before], last) {
            (
                Ins::OfferAnd { is_last, .. }
                | Ins::OfferMinus { is_last, .. }
                | Ins::OfferRest { is_last, .. }
                | Ins::OfferWords { is_last, .. }
                | Ins::OfferSteps { is_last, .. },
                Ins::EndOffers,
            )
            | (
                Ins::Place { is_last, .. } | Ins::Move { is_last, .. } | Ins::Take { is_last, .. },
                Ins::EndEffects,
            ) => *is_last = true,
            _ => return,
        }
        self.is_dead[at] = true;
    }

    /// Removes instructions that compute what nobody reads.
    pub(super) fn remove_unread(&mut self) {
        let (mut sets, mut numbers) = ([false; 256], [false; 256]);
        for at in (0..self.ins.len()).rev().filter(|&at| !self.is_dead[at]).collect::<Vec<_>>() {
            let mut ins = self.ins[at];
            let mut is_read = !ins.is_pure();
            ins.each_set(|register, access| {
                let is_kept = !is_temporary(*register) || sets[usize::from(*register)];
                is_read |= access.writes() && is_kept;
            });
            ins.each_number(|register, access| {
                let is_kept = !is_temporary_number(*register) || numbers[usize::from(*register)];
                is_read |= access.writes() && is_kept;
            });
            if !is_read {
                self.is_dead[at] = true;
                continue;
            }
            // Operands are seen in order: what is read before what is written.
            let mark = |is_read: &mut [bool; 256], register: u8, access: Access| {
                is_read[usize::from(register)] = access.reads();
            };
            ins.each_set(|register, access| {
                if access == Access::Write {
                    mark(&mut sets, *register, access);
                }
            });
            ins.each_set(|register, access| {
                if access != Access::Write {
                    mark(&mut sets, *register, access);
                }
            });
            ins.each_number(|register, access| {
                if access == Access::Write {
                    mark(&mut numbers, *register, access);
                }
            });
            ins.each_number(|register, access| {
                if access != Access::Write {
                    mark(&mut numbers, *register, access);
                }
            });
        }
    }

    /// Returns the living instructions, with jumps from `start` on.
    pub(super) fn finish(self, start: usize) -> Vec<Ins> {
        let mut address = vec![start as u16; self.ins.len() + 1];
        for at in 0..self.ins.len() {
            address[at + 1] = address[at] + u16::from(!self.is_dead[at]);
        }
        let alive = (0..self.ins.len()).filter(|&at| !self.is_dead[at]);
        let mut ins: Vec<Ins> = alive.map(|at| self.ins[at]).collect();
        for target in ins.iter_mut().filter_map(Ins::target) {
            if let Some(address) = address.get(usize::from(*target)) {
                *target = *address;
            }
        }
        ins
    }
}

/// Returns whether an instruction writes a set register.
pub(super) fn writes(mut ins: Ins, register: u8) -> bool {
    if let Ins::MinusEach { first, count, .. } = ins {
        return (first..first + count).contains(&register);
    }
    let mut found = matches!(ins, Ins::Sow { .. }) && register == TO;
    ins.each_set(|operand, access| found |= access.writes() && *operand == register);
    found
}
