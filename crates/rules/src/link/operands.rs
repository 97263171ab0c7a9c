//! The registers and addresses of instructions: which are read, written and jumped to.

use crate::code::Ins;

/// What an instruction does with a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
    /// Reads the register, then writes it.
    Change,
}

impl Access {
    pub(super) fn reads(self) -> bool {
        self != Self::Write
    }

    pub(super) fn writes(self) -> bool {
        self != Self::Read
    }
}

impl Ins {
    /// Calls `see` with every operand that is a set register. FROM, TO and OVER may be read and
    /// written without being operands.
    pub(super) fn each_set(&mut self, mut see: impl FnMut(&mut u8, Access)) {
        use Access::{Change, Read, Write};
        match self {
            Self::And(to, a, b)
            | Self::Or(to, a, b)
            | Self::Minus(to, a, b)
            | Self::StepAnd(to, _, a, b)
            | Self::StepMinus(to, _, a, b)
            | Self::StepOr(to, _, a, b)
            | Self::Flank(to, a, b)
            | Self::Flood(to, a, b)
            | Self::Reach(to, a, b)
            | Self::RunBack(to, a, b)
            | Self::Enclosed(to, a, b)
            | Self::Quiet(to, a, b)
            | Self::Whenever(to, a, b)
            | Self::Lands { to, of: a, within: b, .. }
            | Self::Ray(to, _, a, b) => {
                see(a, Read);
                see(b, Read);
                see(to, Write);
            }
            Self::Copy(to, a)
            | Self::Step(to, _, a)
            | Self::Around(to, a)
            | Self::Opposite(to, a)
            | Self::SameRank(to, a)
            | Self::SameSuit(to, a)
            | Self::Repeating(to, a)
            | Self::Spread(to, _, a)
            | Self::Line { to, of: a, .. }
            | Self::With { to, of: a, .. } => {
                see(a, Read);
                see(to, Write);
            }
            Self::Flanked(to, a, b, c)
            | Self::Best(to, a, b, c)
            | Self::RayOver { to, from: a, through: b, over: c, .. } => {
                see(a, Read);
                see(b, Read);
                see(c, Read);
                see(to, Write);
            }
            Self::Between(to) | Self::Above { to, .. } => see(to, Write),
            Self::SlideOver { from, through, over, to, .. } => {
                see(from, Read);
                see(through, Read);
                see(over, Read);
                see(to, Read);
            }
            Self::Rest(to, a, without) => {
                see(a, Read);
                without.iter_mut().for_each(|other| see(other, Read));
                see(to, Write);
            }
            Self::Count(_, a)
            | Self::Highest(_, a)
            | Self::Worth(_, a)
            | Self::Sum(_, _, a)
            | Self::JumpAny { of: a, .. }
            | Self::JumpLine { of: a, .. }
            | Self::Offer(_, a)
            | Self::OfferSuchThat(_, a)
            | Self::Sow { skipping: a, .. }
            | Self::AddToHeap { on: a, .. }
            | Self::Clear { on: a, .. } => see(a, Read),
            Self::JumpMeet { one: a, other: b, .. }
            | Self::JumpSame { one: a, other: b, .. }
            | Self::OfferAnd { a, b, .. }
            | Self::OfferSure { of: a, sure: b, .. }
            | Self::OfferMinus { of: a, without: b, .. }
            | Self::OfferSteps { from: a, to: b, .. }
            | Self::Fly { from: a, to: b, .. } => {
                see(a, Read);
                see(b, Read);
            }
            Self::OfferRest { of: a, without: [b, c], .. }
            | Self::JumpJumps { from: a, over: b, on: c, .. }
            | Self::JumpRest { of: a, without: [b, c], .. }
            | Self::OfferJumps { from: a, over: b, to: c, .. }
            | Self::Follow { from: a, through: b, to: c, .. }
            | Self::Slide { from: a, through: b, to: c, .. } => {
                see(a, Read);
                see(b, Read);
                see(c, Read);
            }
            Self::Place { own, .. } | Self::Move { own, .. } => see(own, Change),
            Self::Take { own, other, .. } => {
                see(own, Change);
                see(other, Change);
            }
            // Registers in a row are those of the state, whose places are in a row.
            Self::MinusEach { of, first, .. } => {
                see(of, Read);
                see(first, Change);
            }
            Self::Transfer { of, from, to } => {
                see(of, Read);
                see(from, Change);
                see(to, Change);
            }
            Self::Constant(..)
            | Self::CopyNumber(..)
            | Self::Arithmetic(..)
            | Self::Bounded(..)
            | Self::Assign(..)
            | Self::Increase(..)
            | Self::BoundedSum(..)
            | Self::Jump(_)
            | Self::JumpCompare { .. }
            | Self::JumpCompareTo { .. }
            | Self::JumpStuck { .. }
            | Self::JumpGoesOn { .. }
            | Self::JumpRepeated { .. }
            | Self::JumpOneLeft { .. }
            | Self::PlayersLeft(_)
            | Self::Longest { .. }
            | Self::EndLongest
            | Self::ActsNext(_)
            | Self::DropOut(_)
            | Self::Ended(_)
            | Self::Survivor
            | Self::Mark(_)
            | Self::JumpOffered { .. }
            | Self::JumpAnyOffered(_)
            | Self::One(_)
            | Self::OfferWords { .. }
            | Self::EndOffers
            | Self::EndEffects
            | Self::EndEnds
            | Self::SamePlayer
            | Self::NextPlayer
            | Self::FirstPlayer
            | Self::GoTo(_)
            | Self::StopChain
            | Self::Amount(_)
            | Self::Draw
            | Self::Wins { .. }
            | Self::NextWins { .. }
            | Self::Most { .. }
            | Self::Accept
            | Self::Stop => {}
        }
    }

    /// Calls `see` with every operand that is a number register. Heaps are registers of the
    /// state in a row, which keep their places.
    pub(super) fn each_number(&mut self, mut see: impl FnMut(&mut u8, Access)) {
        use Access::{Change, Read, Write};
        match self {
            Self::Constant(to, _)
            | Self::Count(to, _)
            | Self::Sum(to, ..)
            | Self::Highest(to, _)
            | Self::Worth(to, _)
            | Self::PlayersLeft(to)
            | Self::Mark(to)
            | Self::Assign(to, _) => see(to, Write),
            Self::CopyNumber(to, a) | Self::Bounded(to, a) => {
                see(a, Read);
                see(to, Write);
            }
            Self::Arithmetic(_, to, a, b) | Self::BoundedSum(to, a, b) => {
                see(a, Read);
                see(b, Read);
                see(to, Write);
            }
            Self::Increase(to, _) => see(to, Change),
            Self::JumpCompare { one: a, other: b, .. } => {
                see(a, Read);
                see(b, Read);
            }
            Self::Above { value: a, .. }
            | Self::JumpCompareTo { one: a, .. }
            | Self::JumpOffered { since: a, .. }
            | Self::Amount(a)
            | Self::AddToHeap { by: a, .. }
            | Self::Most { first: a, .. } => see(a, Read),
            _ => {}
        }
    }

    /// Returns the address to which an instruction may jump.
    pub(super) fn target(&mut self) -> Option<&mut u16> {
        match self {
            Self::Jump(to)
            | Self::JumpAnyOffered(to)
            | Self::JumpJumps { to, .. }
            | Self::JumpAny { to, .. }
            | Self::JumpMeet { to, .. }
            | Self::JumpSame { to, .. }
            | Self::JumpCompare { to, .. }
            | Self::JumpCompareTo { to, .. }
            | Self::JumpLine { to, .. }
            | Self::JumpRest { to, .. }
            | Self::JumpStuck { to, .. }
            | Self::JumpGoesOn { to, .. }
            | Self::JumpRepeated { to, .. }
            | Self::JumpOneLeft { to, .. }
            | Self::Longest { end: to }
            | Self::JumpOffered { to, .. } => Some(to),
            _ => None,
        }
    }

    /// Returns whether all that an instruction does is to write its first operand.
    pub(super) fn is_pure(&self) -> bool {
        let mut copy = *self;
        copy.target_mut().is_some()
            || matches!(
                self,
                Self::Constant(..)
                    | Self::Arithmetic(..)
                    | Self::Count(..)
                    | Self::Sum(..)
                    | Self::Highest(..)
                    | Self::Worth(..)
                    | Self::PlayersLeft(..)
            )
    }
}
