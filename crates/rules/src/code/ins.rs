//! The instructions of flat register code.

use crate::tree::{Arithmetic, Comparison};

/// One instruction. Set registers and number registers are counted apart; the first operand is
/// the one that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ins {
    And(u8, u8, u8),
    Or(u8, u8, u8),
    Minus(u8, u8, u8),
    Copy(u8, u8),
    Step(u8, u8, u8),
    /// A step and an intersection in one.
    StepAnd(u8, u8, u8, u8),
    /// A step and a difference in one.
    StepMinus(u8, u8, u8, u8),
    Around(u8, u8),
    Flank(u8, u8, u8),
    Flanked(u8, u8, u8, u8),
    Line {
        to: u8,
        of: u8,
        length: u8,
        members: bool,
    },
    Flood(u8, u8, u8),
    Reach(u8, u8, u8),
    RunBack(u8, u8, u8),
    With {
        to: u8,
        of: u8,
        heap: u8,
        bounds: u8,
    },
    Opposite(u8, u8),
    SameRank(u8, u8),
    /// The sites that a table has for those of a set.
    Spread(u8, u8, u8),
    Enclosed(u8, u8, u8),
    /// Where a piece of one set has a free neighbour and encloses nothing of another.
    Quiet(u8, u8, u8),
    /// Where one piece more of a set would repeat a position.
    Repeating(u8, u8),
    /// A set if there is anything in another, which comes first.
    Whenever(u8, u8, u8),
    /// The sites of a set from which sowing ends in another. Sowing skips the site itself.
    Lands {
        to: u8,
        of: u8,
        heap: u8,
        within: u8,
    },
    /// Where pieces slide in one direction, through a set.
    Ray(u8, u8, u8, u8),
    /// Where pieces slide in one direction through a set and over one site of another.
    RayOver {
        to: u8,
        direction: u8,
        from: u8,
        through: u8,
        over: u8,
    },
    /// The sites between FROM and TO.
    Between(u8),
    SameSuit(u8, u8),
    Best(u8, u8, u8, u8),
    Above {
        to: u8,
        value: u8,
        /// The lowest number and the number of numbers.
        bounds: u8,
    },

    Constant(u8, i32),
    CopyNumber(u8, u8),
    Count(u8, u8),
    Sum(u8, u8, u8),
    Highest(u8, u8),
    Worth(u8, u8),
    PlayersLeft(u8),
    Arithmetic(Arithmetic, u8, u8, u8),
    /// Sets a number of the state, within its bounds.
    Bounded(u8, u8),

    Jump(u16),
    /// Jumps if there is anything in a set, or if there is nothing.
    JumpAny {
        of: u8,
        is: bool,
        to: u16,
    },
    JumpMeet {
        one: u8,
        other: u8,
        is: bool,
        to: u16,
    },
    JumpSame {
        one: u8,
        other: u8,
        is: bool,
        to: u16,
    },
    JumpCompare {
        by: Comparison,
        one: u8,
        other: u8,
        is: bool,
        to: u16,
    },
    JumpStuck {
        everybody: bool,
        is: bool,
        to: u16,
    },
    JumpGoesOn {
        is: bool,
        to: u16,
    },
    JumpRepeated {
        is: bool,
        to: u16,
    },
    JumpOneLeft {
        is: bool,
        to: u16,
    },
    /// Writes the number of actions offered so far to a number register.
    Mark(u8),
    /// Jumps if anything was offered since the mark.
    JumpOffered {
        since: u8,
        to: u16,
    },

    Offer(u16, u8),
    Slide {
        entry: u16,
        direction: u8,
        from: u8,
        through: u8,
        to: u8,
    },
    Fly {
        entry: u16,
        from: u8,
        to: u8,
    },
    Follow {
        entry: u16,
        from: u8,
        through: u8,
        to: u8,
    },
    SlideOver {
        entry: u16,
        direction: u8,
        from: u8,
        through: u8,
        over: u8,
        to: u8,
    },
    /// Of the offers from here to the end of the block, those that lead to the longest chains;
    /// the code goes on at `end`.
    Longest {
        end: u16,
    },
    EndLongest,
    One(u16),

    // What linking makes of sequences of the others.
    /// What is left of a set without four others.
    Rest(u8, u8, [u8; 4]),
    /// A step and a union in one.
    StepOr(u8, u8, u8, u8),
    /// TO joins a set. Here and below, the effects may end with the instruction.
    Place {
        own: u8,
        is_last: bool,
    },
    /// A piece of a set goes from FROM to TO.
    Move {
        own: u8,
        is_last: bool,
    },
    /// The same, and a piece of another set at TO is taken off.
    Take {
        own: u8,
        other: u8,
        is_last: bool,
    },
    /// Takes a set from each of several registers in a row.
    MinusEach {
        first: u8,
        count: u8,
        of: u8,
    },
    /// Takes a part of one set from it and adds it to another.
    Transfer {
        of: u8,
        from: u8,
        to: u8,
    },
    /// Sets a number of the state to a value within its bounds.
    Assign(u8, i16),
    /// Adds to a number of the state, within its bounds.
    Increase(u8, i16),
    /// Sets a number of the state to a sum, within its bounds.
    BoundedSum(u8, u8, u8),
    JumpLine {
        of: u8,
        length: u8,
        is: bool,
        to: u16,
    },
    /// Jumps if anything is left of a set without two others, or if nothing is.
    JumpRest {
        of: u8,
        without: [u8; 2],
        is: bool,
        to: u16,
    },
    JumpCompareTo {
        by: Comparison,
        one: u8,
        value: i16,
        is: bool,
        to: u16,
    },
    /// Jumps if a piece of a set can jump in one of several directions, or if none can.
    JumpJumps {
        ways: u8,
        from: u8,
        over: u8,
        on: u8,
        is: bool,
        to: u16,
    },
    /// Jumps if anything is offered.
    JumpAnyOffered(u16),
    /// Offers an intersection. Here and below, the offers may end with the instruction.
    OfferAnd {
        entry: u16,
        a: u8,
        b: u8,
        is_last: bool,
    },
    OfferMinus {
        entry: u16,
        of: u8,
        without: u8,
        is_last: bool,
    },
    /// Offers what is left of a set without two others.
    OfferRest {
        entry: u16,
        of: u8,
        without: [u8; 2],
        is_last: bool,
    },
    /// Offers words whose entries follow each other.
    OfferWords {
        entry: u16,
        count: u8,
        is_last: bool,
    },
    /// Offers the targets for which the condition of the entry holds.
    OfferSuchThat(u16, u8),
    /// The same, where the condition holds for some targets in any case.
    OfferSure {
        entry: u16,
        of: u8,
        sure: u8,
    },
    /// Offers steps in several directions, whose entries follow each other.
    OfferSteps {
        entry: u16,
        ways: u8,
        from: u8,
        to: u8,
        is_last: bool,
    },
    /// Offers jumps in several directions, whose entries follow each other.
    OfferJumps {
        entry: u16,
        ways: u8,
        from: u8,
        over: u8,
        to: u8,
    },
    /// The end of the code that offers actions.
    EndOffers,
    /// The end of effects: the ends of the game are judged next.
    EndEffects,
    /// The end of the ends, none of which applied.
    EndEnds,

    Sow {
        heap: u8,
        skipping: u8,
    },
    /// Adds a number to a heap on each site of a set.
    AddToHeap {
        heap: u8,
        on: u8,
        by: u8,
    },
    Clear {
        heap: u8,
        on: u8,
    },
    SamePlayer,
    NextPlayer,
    FirstPlayer,
    ActsNext(u8),
    DropOut(u8),
    /// Notes which end applies.
    Ended(u8),
    GoTo(u8),
    StopChain,
    /// The amount for which the game ends.
    Amount(u8),
    Draw,
    Wins {
        seats: u8,
        loses: bool,
    },
    NextWins {
        loses: bool,
    },
    Most {
        first: u8,
        fewest: bool,
    },
    Survivor,
    Accept,
    Stop,
}

impl Ins {
    /// Returns the set register that an operation on sets writes.
    pub(crate) fn target_mut(&mut self) -> Option<&mut u8> {
        match self {
            Self::And(to, ..)
            | Self::Or(to, ..)
            | Self::Minus(to, ..)
            | Self::Step(to, ..)
            | Self::StepAnd(to, ..)
            | Self::StepMinus(to, ..)
            | Self::Around(to, ..)
            | Self::Flank(to, ..)
            | Self::Flanked(to, ..)
            | Self::Flood(to, ..)
            | Self::Reach(to, ..)
            | Self::RunBack(to, ..)
            | Self::Opposite(to, ..)
            | Self::SameRank(to, ..)
            | Self::Spread(to, ..)
            | Self::Enclosed(to, ..)
            | Self::Quiet(to, ..)
            | Self::Repeating(to, ..)
            | Self::Whenever(to, ..)
            | Self::Lands { to, .. }
            | Self::Ray(to, ..)
            | Self::Between(to)
            | Self::SameSuit(to, ..)
            | Self::Best(to, ..)
            | Self::Above { to, .. }
            | Self::RayOver { to, .. }
            | Self::Rest(to, ..)
            | Self::StepOr(to, ..)
            | Self::Line { to, .. }
            | Self::With { to, .. } => Some(to),
            _ => None,
        }
    }
}
