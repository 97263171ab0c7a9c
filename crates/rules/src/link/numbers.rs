//! Constants become part of the instructions that use them.

use super::region::Region;
use crate::code::Ins;
use crate::tree::{Arithmetic, Comparison};

/// Makes comparisons and sums of constants single instructions; `bounds` are those of the
/// numbers of the state.
pub(super) fn fold(region: &mut Region, bounds: &[(i16, i16, bool)]) {
    let mut known: [Option<i16>; 256] = [None; 256];
    for at in 0..region.len() {
        // What a number is where ways join depends on the way.
        if region.is_target(at) {
            known = [None; 256];
        }
        let value = |register: u8| known[usize::from(register)];
        let folded = match region.ins[at] {
            Ins::JumpCompare { by, one, other, is, to } => match (value(one), value(other)) {
                (Some(a), Some(b)) if by.holds(a.into(), b.into()) == is => Some(Ins::Jump(to)),
                (Some(_), Some(_)) => {
                    region.remove(at);
                    continue;
                }
                _ => compare(by, one, other, is, to, &value),
            },
            Ins::Bounded(to, from) => match value(from) {
                Some(value) => {
                    let (low, high, _) = bounds[usize::from(to)];
                    (low..=high).contains(&value).then_some(Ins::Assign(to, value))
                }
                None => add(region, at, to, from, &value),
            },
            Ins::JumpOffered { since, to } if marks_begin(region, since) => {
                Some(Ins::JumpAnyOffered(to))
            }
            _ => None,
        };
        if let Some(folded) = folded {
            region.ins[at] = folded;
        }
        let mut ins = region.ins[at];
        ins.each_number(|register, access| {
            if access.writes() {
                known[usize::from(*register)] = None;
            }
        });
        if let Ins::Constant(to, value) = ins {
            known[usize::from(to)] = i16::try_from(value).ok();
        }
    }
}

/// Returns whether nothing is offered yet where a register marks how much is, and nothing else
/// writes it.
fn marks_begin(region: &Region, register: u8) -> bool {
    let is_mark = |ins: &Ins| matches!(ins, Ins::Mark(to) if *to == register);
    region.ins.first().is_some_and(is_mark) && !region.ins[1..].iter().any(is_mark)
}

fn compare(
    by: Comparison,
    one: u8,
    other: u8,
    is: bool,
    to: u16,
    value: &impl Fn(u8) -> Option<i16>,
) -> Option<Ins> {
    if let Some(value) = value(other) {
        return Some(Ins::JumpCompareTo { by, one, value, is, to });
    }
    let value = value(one)?;
    let (by, is) = match by {
        Comparison::Equal => (Comparison::Equal, is),
        Comparison::Less => (Comparison::LessOrEqual, !is),
        Comparison::LessOrEqual => (Comparison::Less, !is),
    };
    Some(Ins::JumpCompareTo { by, one: other, value, is, to })
}

/// Returns the instruction that sets a number of the state to a sum that was just computed.
fn add(
    region: &Region,
    at: usize,
    to: u8,
    from: u8,
    value: &impl Fn(u8) -> Option<i16>,
) -> Option<Ins> {
    let Ins::Arithmetic(op, sum, a, b) = region.ins[region.before(at)?] else { return None };
    match op {
        _ if sum != from => None,
        Arithmetic::Add => match (value(a), value(b)) {
            (None, None) => Some(Ins::BoundedSum(to, a, b)),
            (None, Some(more)) if a == to => Some(Ins::Increase(to, more)),
            (Some(more), None) if b == to => Some(Ins::Increase(to, more)),
            _ => None,
        },
        Arithmetic::Sub if a == to => Some(Ins::Increase(to, value(b)?.checked_neg()?)),
        _ => None,
    }
}
