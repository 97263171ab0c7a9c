//! Values that are known already are not computed again.

use super::operands::Access;
use super::region::{Region, is_temporary, writes};
use crate::code::Ins;

/// The most values that are remembered.
const MOST: usize = 32;

/// Removes computations whose result another register has.
pub(super) fn simplify(region: &mut Region) {
    share(region);
    for at in 0..region.len() {
        if let Some(same) = subset(region, at) {
            region.ins[at] = same;
        }
    }
    for at in 0..region.len() {
        propagate(region, at);
    }
}

/// Computes a set once that is needed more often on a straight way.
fn share(region: &mut Region) {
    // Values with the register where they are.
    let mut known: Vec<(Ins, u8)> = Vec::new();
    for at in 0..region.len() {
        if region.is_target(at) {
            known.clear();
        }
        let mut ins = region.ins[at];
        let target = ins.target_mut().map(|to| std::mem::replace(to, 0));
        let value = ins;
        if let Some(to) = target.filter(|&to| is_temporary(to)) {
            match known.iter().find(|(other, _)| *other == value) {
                Some(&(_, register)) if register == to => {
                    region.remove(at);
                    continue;
                }
                Some(&(_, register)) => region.ins[at] = Ins::Copy(to, register),
                None => {}
            }
        }
        let ins = region.ins[at];
        known.retain(|(value, register)| !is_changed(ins, *value, *register));
        if let Some(to) = target.filter(|&to| is_temporary(to) && !reads(value, to)) {
            known.truncate(MOST);
            known.insert(0, (value, to));
        }
    }
}

/// Returns whether an instruction changes a register that a value depends on, or the one it is
/// in.
fn is_changed(ins: Ins, mut value: Ins, register: u8) -> bool {
    let depends_on_numbers =
        matches!(value, Ins::With { .. } | Ins::Above { .. } | Ins::Lands { .. });
    let mut changes_numbers =
        matches!(ins, Ins::Sow { .. } | Ins::AddToHeap { .. } | Ins::Clear { .. });
    let mut other = ins;
    other.each_number(|_, access| changes_numbers |= access.writes());
    let mut found = writes(ins, register)
        || depends_on_numbers && changes_numbers
        || matches!(ins, Ins::JumpStuck { .. });
    value.each_set(|operand, access| found |= access.reads() && writes(ins, *operand));
    found
}

fn reads(mut ins: Ins, register: u8) -> bool {
    let mut found = false;
    ins.each_set(|operand, access| found |= access.reads() && *operand == register);
    found
}

/// Returns a copy for an intersection of a set with a part of it.
fn subset(region: &Region, at: usize) -> Option<Ins> {
    let Ins::And(to, a, b) = region.ins[at] else { return None };
    [(a, b), (b, a)].into_iter().find_map(|(part, whole)| {
        let from = region.written(part, at)?;
        let is_part = match region.ins[from] {
            Ins::And(_, one, other) => one == whole || other == whole,
            Ins::Minus(_, of, _) => of == whole,
            Ins::StepAnd(_, _, _, of) | Ins::Flanked(_, _, of, _) => of == whole,
            _ => false,
        };
        let is_same = !(from + 1..at).any(|other| writes(region.ins[other], whole));
        (is_part && is_same).then_some(Ins::Copy(to, part))
    })
}

/// Reads the register that was copied instead of the copy, as long as both are the same.
fn propagate(region: &mut Region, at: usize) {
    let Ins::Copy(copy, from) = region.ins[at] else { return };
    if region.is_dead(at) || !is_temporary(copy) {
        return;
    }
    let rewritten = (at + 1..region.len()).find(|&other| writes(region.ins[other], copy));
    // An instruction that writes the copy may read it before.
    let end = rewritten.map_or(region.len(), |end| end + 1);
    let readers: Vec<usize> =
        (at + 1..end).filter(|&other| reads(region.ins[other], copy)).collect();
    let Some(&last) = readers.last() else { return region.remove(at) };
    if (at + 1..last).any(|other| writes(region.ins[other], from)) {
        return;
    }
    for reader in readers {
        region.ins[reader].each_set(|operand, access| {
            if access == Access::Read && *operand == copy {
                *operand = from;
            }
        });
    }
    region.remove(at);
}
