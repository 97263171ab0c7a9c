//! Effects: what a rule, an end or the start of a game does.

use super::{Expr, Name, Whose};
use crate::errors::Span;

#[derive(Clone, Debug)]
pub(crate) struct Effect {
    pub(crate) kind: EffectKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum EffectKind {
    Set(Target, Expr),
    Add(Target, Expr),
    Take(Target, Expr),
    Remove(Expr),
    Flip(Expr),
    Put {
        piece: Name,
        on: Expr,
    },
    /// Things are added to a heap on each of several sites.
    PutHeap {
        amount: Expr,
        heap: Target,
        on: Expr,
    },
    Promote {
        sites: Expr,
        piece: Name,
    },
    Rotate {
        sites: Expr,
        left: bool,
    },
    Collect {
        heap: Name,
        sites: Expr,
        into: Target,
    },
    SamePlayer,
    NextPlayer,
    FirstPlayer,
    /// The player to whom the effects apply acts next.
    ActsNext,
    DropOut,
    /// The player, or everybody, sees sites from now on.
    Show {
        sites: Expr,
        everybody: bool,
    },
    MoveCards {
        cards: Expr,
        to: Target,
    },
    GoTo(Name),
    StopChain,
    Let(Name, Expr),
    If {
        condition: Expr,
        then: Vec<Effect>,
        otherwise: Vec<Effect>,
    },
    EachPlayer(Vec<Effect>),
    ForSeat(Name, Vec<Effect>),
    Wins {
        who: Who,
        amount: Option<Expr>,
    },
    Loses {
        who: Who,
        amount: Option<Expr>,
    },
    /// Whoever is left wins.
    Survivor,
    Draw,
    Most {
        what: Expr,
        fewest: bool,
        amount: Option<Expr>,
    },
}

/// A number or a set variable that an effect changes.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) whose: Option<Whose>,
    pub(crate) name: Name,
}

#[derive(Clone, Debug)]
pub(crate) enum Who {
    Mover,
    Next,
    Seat(Name),
}
