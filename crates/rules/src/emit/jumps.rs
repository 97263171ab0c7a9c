//! Emits conditions as jumps.

use super::Emitter;
use crate::code::Ins;
use crate::tree::{Condition, SetTree, Sets};

impl Emitter {
    /// Emits a jump that is taken when the condition `is` so, and returns the places of jumps
    /// whose targets are not known yet.
    pub(super) fn jump(&mut self, condition: &Condition, is: bool) -> Vec<usize> {
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
            Condition::OneLeft => Ins::JumpOneLeft { is, to },
            Condition::Repeated => Ins::JumpRepeated { is, to },
        };
        self.push(ins);
        vec![self.ins.len() - 1]
    }

    /// Makes jumps lead to the next instruction.
    pub(super) fn land(&mut self, jumps: &[usize]) {
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
                    | Ins::JumpRepeated { to, .. }
                    | Ins::JumpOneLeft { to, .. }
                    | Ins::Longest { end: to }
                    | Ins::JumpOffered { to, .. },
                ) => *to = here,
                _ => self.is_too_large = true,
            }
        }
    }
}
