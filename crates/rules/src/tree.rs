//! The checked rules of one seat: sets, numbers, conditions and statements without names.

use std::rc::Rc;

use crate::set::Bits;

/// The most sets of a state.
pub(crate) const MAX_SETS: usize = 48;
/// The registers of the event: where a piece comes from, goes to and jumps over.
pub(crate) const FROM: u8 = MAX_SETS as u8;
pub(crate) const TO: u8 = FROM + 1;
pub(crate) const OVER: u8 = FROM + 2;
/// The registers of `let`.
pub(crate) const LETS: u8 = FROM + 3;
pub(crate) const MAX_LETS: u8 = 6;
/// A register for intermediate results of one effect.
pub(crate) const SCRATCH: u8 = LETS + MAX_LETS;
/// The first register for constants; temporary values follow them.
pub(crate) const CONSTANTS: u8 = SCRATCH + 1;
/// The number of set registers before linking, which needs fewer places for them.
pub(crate) const REGISTERS: usize = 250;

/// The most numbers of a state.
pub(crate) const MAX_NUMBERS: usize = 64;
/// The number registers of `let` and `roll`.
pub(crate) const NUMBER_LETS: u8 = MAX_NUMBERS as u8;
/// The first number register for temporary values.
pub(crate) const NUMBER_TEMPS: u8 = NUMBER_LETS + MAX_LETS;
/// The number of number registers.
pub(crate) const NUMBER_REGISTERS: usize = 128;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SetTree {
    Register(u8),
    Constant(Bits),
    And(Sets, Sets),
    Or(Sets, Sets),
    Minus(Sets, Sets),
    /// The neighbours in one direction.
    Step(u8, Sets),
    /// The neighbours in every direction.
    Around(Sets),
    /// The sites from which a run of `enemy` leads to `own`.
    Flank {
        own: Sets,
        enemy: Sets,
    },
    /// The runs of `enemy` between `at` and `own`.
    Flanked {
        own: Sets,
        enemy: Sets,
        at: Sets,
    },
    /// The sites that end lines of this many, or all sites of such lines.
    Line {
        of: Sets,
        length: u8,
        members: bool,
    },
    /// What is joined to `seed` within `within`.
    Flood {
        seed: Sets,
        within: Sets,
    },
    /// The sites that pieces at `from` reach by sliding through `through`.
    Reach {
        from: Sets,
        through: Sets,
    },
    /// The sites before and including `from` on a track, as long as they are in `through`.
    RunBack {
        from: Sets,
        through: Sets,
    },
    /// The sites of a set with so many of a heap.
    With {
        of: Sets,
        heap: u8,
        low: i16,
        high: i16,
    },
    /// The pits on the other side of a track.
    Opposite(Sets),
    /// All cards of the ranks in a set.
    SameRank(Sets),
    /// The sites that a table has for those of a set.
    Spread(u8, Sets),
    /// The connected parts of `of` whose neighbours outside of it are all in `by`.
    Enclosed {
        of: Sets,
        by: Sets,
    },
    /// The free sites where a piece of `own` is not enclosed and encloses nothing of `other`.
    Quiet {
        own: Sets,
        other: Sets,
    },
    /// The sites where one piece more in a register would repeat a position.
    Repeating(u8),
    /// A set if there is anything in another.
    Whenever {
        any: Sets,
        then: Sets,
    },
    /// The sites of a set from which sowing ends in another.
    Lands {
        of: Sets,
        heap: u8,
        within: Sets,
    },
    /// The sites that pieces reach in one direction, up to the first that is not in `through`.
    Ray {
        direction: u8,
        from: Sets,
        through: Sets,
    },
    /// The sites beyond one site of `over`, in one direction.
    RayOver {
        direction: u8,
        from: Sets,
        through: Sets,
        over: Sets,
    },
    /// The sites between FROM and TO.
    Between,
    /// All cards of the suits in a set.
    SameSuit(Sets),
    /// The highest card of `of` in the first set that has any of them, else of all.
    Best {
        of: Sets,
        by: [Sets; 2],
    },
    /// The numbers of a bid that are above another, counted from its lowest.
    Above {
        value: Box<Number>,
        low: i16,
        count: u16,
    },
    /// All of several sets, whose intermediate results are forgotten.
    Union(Vec<Sets>),
}

pub(crate) type Sets = Rc<SetTree>;

pub(crate) fn and(a: &Sets, b: &Sets) -> Sets {
    Rc::new(SetTree::And(a.clone(), b.clone()))
}

pub(crate) fn or(a: &Sets, b: &Sets) -> Sets {
    Rc::new(SetTree::Or(a.clone(), b.clone()))
}

pub(crate) fn minus(a: &Sets, b: &Sets) -> Sets {
    Rc::new(SetTree::Minus(a.clone(), b.clone()))
}

pub(crate) fn step(direction: usize, of: &Sets) -> Sets {
    Rc::new(SetTree::Step(direction as u8, of.clone()))
}

pub(crate) fn register(register: u8) -> Sets {
    Rc::new(SetTree::Register(register))
}

pub(crate) fn constant(set: Bits) -> Sets {
    Rc::new(SetTree::Constant(set))
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Number {
    Constant(i32),
    Register(u8),
    Count(Sets),
    /// The rank of the highest card, from 1; 0 without a card.
    Highest(Sets),
    /// The sum of a heap on a set.
    Sum(u8, Sets),
    Arithmetic(Arithmetic, Box<Self>, Box<Self>),
    /// The sum of what cards are worth.
    Worth(Sets),
    /// The number of players who have not dropped out.
    PlayersLeft,
    /// 1 if a condition holds, else 0.
    Whether(Box<Condition>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Arithmetic {
    Add,
    Sub,
    Mul,
    Div,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Condition {
    Any(Sets),
    Same(Sets, Sets),
    Compare(Comparison, Number, Number),
    Not(Box<Self>),
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
    /// Whoever acts next has no action, other than to pass.
    NextStuck,
    /// Nobody has an action in the next phase, other than to pass.
    EverybodyStuck,
    /// The rule has not said `stop chain`.
    GoesOn,
    /// The pieces stand as they did in an earlier position.
    Repeated,
    /// All players but one have dropped out.
    OneLeft,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Comparison {
    Equal,
    Less,
    LessOrEqual,
}

impl Comparison {
    /// Returns whether two numbers compare so.
    #[inline(always)]
    pub(crate) fn holds(self, one: i32, other: i32) -> bool {
        match self {
            Self::Equal => one == other,
            Self::Less => one < other,
            Self::LessOrEqual => one <= other,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Set(u8, Sets),
    Number(u8, Number),
    /// Sets a number of the state, which has bounds.
    Bounded {
        register: u8,
        value: Number,
    },
    If(Condition, Vec<Self>, Vec<Self>),
    /// Offers one action for each site of a set.
    Offer {
        entry: u16,
        to: Sets,
    },
    /// The same, where the condition of the entry holds for the targets of another set.
    OfferSure {
        entry: u16,
        to: Sets,
        sure: Sets,
    },
    /// Offers moves along a line: through `through`, to `to`.
    Slide {
        entry: u16,
        direction: u8,
        from: Sets,
        through: Sets,
        to: Sets,
    },
    /// Offers moves from each site of one set to each site of another.
    Fly {
        entry: u16,
        from: Sets,
        to: Sets,
    },
    /// Offers moves along the loops of the board.
    Follow {
        entry: u16,
        from: Sets,
        through: Sets,
        to: Sets,
    },
    /// Offers moves along a line through `through` and over one site of `over`.
    SlideOver {
        entry: u16,
        direction: u8,
        from: Sets,
        through: Sets,
        over: Sets,
        to: Sets,
    },
    /// Offers only what leads to the longest chains.
    Longest(Vec<Self>),
    /// Offers an action without a site.
    One {
        entry: u16,
    },
    /// What is offered only if nothing was offered by the statements before, in this group.
    Otherwise(Vec<Self>, Vec<Self>),
    /// Sows a heap from FROM on, and writes the last site to TO.
    Sow {
        heap: u8,
        skipping: Sets,
    },
    /// Adds to a heap on each site of a set.
    AddToHeap {
        heap: u8,
        on: Sets,
        by: Number,
    },
    /// Empties a heap on a set.
    Clear {
        heap: u8,
        on: Sets,
    },
    SamePlayer,
    NextPlayer,
    FirstPlayer,
    /// A seat acts next.
    ActsNext(u8),
    DropOut(u8),
    /// Notes which end applies.
    Ended(u8),
    GoTo(u8),
    StopChain,
    /// The game is over, for an amount where payoffs are stakes.
    Result(Outcome, Option<Number>),
    /// The condition of `such that` holds.
    Accept,
}

#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    Draw,
    /// These seats win, as bits, or the next player does.
    Wins(u8),
    NextWins,
    Loses(u8),
    NextLoses,
    /// Whoever has not dropped out wins.
    Survivor,
    /// The seat with most of a number wins.
    Most {
        numbers: Vec<Number>,
        fewest: bool,
    },
}
