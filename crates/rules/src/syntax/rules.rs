//! Phases, rules and groups of rules.

use super::{Effect, Expr, Name, Range, Target};
use crate::errors::Span;

#[derive(Clone, Debug)]
pub(crate) struct Phase {
    pub(crate) name: Name,
    pub(crate) items: Vec<Item>,
    pub(crate) after: Vec<Effect>,
    /// What must hold after the effects of every rule.
    pub(crate) such_that: Option<Expr>,
    /// What follows the last move of a chain, and every other rule.
    pub(crate) after_chain: Vec<Effect>,
}

/// A rule or a group of rules.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Rule(Box<Rule>),
    FirstOf(Vec<Self>),
    AnyOf(Vec<Self>),
    Chain {
        items: Vec<Self>,
        may_stop: bool,
        longest: bool,
        span: Span,
    },
    Otherwise(Vec<Self>),
    /// Of two dice, both are used if that is possible, else the greater one.
    MostDice {
        items: Vec<Self>,
        span: Span,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) action: Action,
    pub(crate) condition: Option<Expr>,
    pub(crate) such_that: Option<Expr>,
    /// What is added to the names of the actions.
    pub(crate) called: Option<Name>,
    pub(crate) effects: Vec<Effect>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Action {
    Place {
        piece: Name,
        on: Expr,
    },
    Move {
        what: Name,
        how: How,
        over: Option<Expr>,
        to: Expr,
    },
    /// Along a path, by a number of sites.
    Travel {
        what: Name,
        from: Option<Expr>,
        path: Name,
        by: Distance,
        to: Goal,
    },
    Aim {
        at: Expr,
        secretly: bool,
    },
    Sow {
        heap: Name,
        from: Expr,
        skipping: Option<Expr>,
    },
    Say(Name),
    Pass,
    /// A card goes from a pile to another: one of `among`, or one of `preferring` if there is
    /// any.
    Play {
        from: Name,
        to: Name,
        among: Option<Expr>,
        preferring: Option<Expr>,
    },
    /// A number of a range is named, greater than another.
    Bid {
        name: Name,
        range: Range,
        above: Option<Expr>,
    },
    Roll {
        name: Name,
        range: Range,
    },
    /// A hidden number of each player gets a random value.
    RollEach {
        number: Name,
        range: Range,
    },
    /// All dice are thrown.
    RollDice,
    Deal {
        count: Expr,
        from: Name,
        to: Target,
    },
}

/// How far a piece goes along a path.
#[derive(Clone, Debug)]
pub(crate) enum Distance {
    /// By one of the dice, which is used up.
    Die,
    Number(Expr),
}

/// Where a piece on a path comes to.
#[derive(Clone, Debug)]
pub(crate) enum Goal {
    Sites(Expr),
    /// Off the end of the path; beyond it the hindmost piece alone, where that is allowed.
    Off {
        beyond: bool,
    },
}

#[derive(Clone, Debug)]
pub(crate) enum How {
    Step(Directions),
    Slide(Directions),
    Jump(Directions),
    Leap {
        far: Expr,
        wide: Expr,
        ahead: bool,
    },
    Fly,
    /// Along the loops of the board, round at least one bend.
    Follow,
}

/// Directions: a family, narrowed to those that go ahead, back or sideways.
#[derive(Clone, Debug)]
pub(crate) struct Directions {
    pub(crate) parts: Vec<(Family, Option<Toward>)>,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Any,
    Orthogonal,
    Diagonal,
    Straight,
    Compass(i8, i8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Toward {
    Ahead,
    Back,
    Sideways,
}
