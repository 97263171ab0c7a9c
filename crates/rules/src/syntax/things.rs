//! What a file says outside of its rules: boards, pieces, numbers, cards, dice.

use super::{Expr, Name, Range};
use crate::errors::Span;

/// What a file says outside of its rules, in order.
#[derive(Clone, Debug)]
pub(crate) enum Thing {
    Option {
        name: Name,
        default: Expr,
        values: Values,
    },
    Board {
        shape: BoardShape,
        each: bool,
        span: Span,
    },
    Piece {
        name: Name,
        shared: bool,
        seen: Seen,
        long: Option<Expr>,
    },
    Heap {
        name: Name,
        each: bool,
        start: Option<Expr>,
        sites: Option<Expr>,
    },
    Number {
        name: Name,
        each: bool,
        range: Range,
        start: Option<Expr>,
        capped: bool,
        seen: Seen,
    },
    /// A set of sites, or of cards, that effects set.
    Sites {
        name: Name,
        each: bool,
        cards: bool,
    },
    Region {
        name: Name,
        of: RegionOf,
        parts: Vec<Expr>,
    },
    Cards {
        ranks: Vec<Name>,
        suits: Vec<Name>,
        worth: Vec<Expr>,
        span: Span,
    },
    Pile {
        name: Name,
        each: bool,
        seen: Seen,
        full: bool,
    },
    /// Closed tracks; a site says whether the way to the next one is a bend.
    Loops {
        loops: Vec<Vec<(Name, bool)>>,
        span: Span,
    },
    /// The sites that pieces of a player follow, from first to last.
    Path {
        name: Name,
        of: RegionOf,
        points: Vec<Name>,
    },
    /// Dice that are thrown together.
    Dice {
        count: Expr,
        range: Range,
        twice: bool,
        span: Span,
    },
    /// Room for so many changes of sites, by which former positions are known.
    History {
        changes: Expr,
        span: Span,
    },
}

/// Who sees the cards of a pile; everybody sees how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    All,
    Owner,
    Nobody,
}

#[derive(Clone, Debug)]
pub(crate) enum Values {
    Range(Range),
    List(Vec<Expr>),
}

#[derive(Clone, Debug)]
pub(crate) enum RegionOf {
    Nobody,
    Each,
    Seat(Name),
}

#[derive(Clone, Debug)]
pub(crate) enum BoardShape {
    Square {
        width: Expr,
        height: Option<Expr>,
        kept: Kept,
        /// The side of the blocks that the board is made of.
        blocks: Option<Expr>,
    },
    /// The edges and cells of a grid.
    Dots {
        width: Expr,
        height: Expr,
    },
    Rhombus(Expr),
    Hexagon(Expr),
    /// A star whose points have this many sites on each side.
    Star(Expr),
    Track {
        rows: Expr,
        columns: Expr,
        stores: bool,
    },
    /// Lines of named points.
    Lines(Vec<Vec<Name>>),
}

/// What a board of squares is restricted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    All,
    /// The squares of one colour.
    Dark,
    /// All squares, whose neighbours are the orthogonal ones alone.
    Orthogonal,
}
