//! Expressions: sets, numbers and conditions, and the words they are made of.

use super::Name;
use crate::errors::Span;

/// An expression: a set of sites or cards, a number or a condition, told apart by the checker.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Int(i64),
    Name(String),
    /// A built-in function with its arguments.
    Call(Word, Vec<Expr>),
    Binary(Op, Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    /// `my x`, `their x`, `any x`.
    Of(Whose, Name),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    My,
    Their,
    Any,
}

/// The functions that are written with words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// `row N`, `rows A..B`.
    Rows,
    /// `column N`, `columns A..B`.
    Columns,
    /// `rows of S`: all sites of the rows that `S` is in.
    RowsOf,
    /// `columns of S`.
    ColumnsOf,
    /// `row number of S`, from 1.
    RowNumber,
    /// `column number of S`, from 1.
    ColumnNumber,
    /// `dice left`: how many dice are not used yet.
    DiceLeft,
    /// `total of dice`: the sum of their faces.
    DiceTotal,
    /// `dice showing N`.
    DiceShowing,
    /// `doubles`: all dice show the same face.
    Doubles,
    /// `pairs of dice`: the columns whose numbers are sums of two dice.
    Pairs,
    /// `around S`: the neighbours of a set.
    Around,
    /// `count of S`.
    Count,
    /// `line of N [in S]`.
    Line,
    /// `north of S`, by the index of the compass or `ahead` and `back`.
    Neighbour(Way),
    /// `north edge`.
    Edge(Way),
    /// `north point`: a point of a star.
    Point(Way),
    /// `reach of S through T`.
    Reach,
    /// `run back from S through T`.
    RunBack,
    /// `S with A..B heap`: the heap is the last argument.
    With,
    /// `all heap`.
    All,
    /// `next player stuck`.
    Stuck,
    /// `everybody stuck`.
    EverybodyStuck,
    /// `board full`.
    BoardFull,
    /// `S joins REGION`.
    Joins,
    /// `S flanking T`.
    Flanking,
    /// `highest of S`: the rank of the highest card, from 1; 0 without a card.
    Highest,
    /// `same rank as S`.
    SameRank,
    /// `opposite S`: across the board of a track.
    Opposite,
    /// `block of S`: all sites of the blocks that `S` is in.
    Block,
    /// `block for S`: the block that has the place among blocks that `S` has in its own.
    BlockFor,
    /// `S enclosed by T`: the parts of `S` whose neighbours are all in `T`.
    Enclosed,
    /// `attacked by mine` or `attacked by theirs`.
    Attacked(Whose),
    /// `position repeated`.
    Repeated,
    /// `PILE has S`.
    Has,
    /// `same suit as S`.
    SameSuit,
    /// `best of S by T, U`: the highest card of the first of these that is in `S`.
    Best,
    /// `worth of S`: the sum of what cards are worth.
    Worth,
    /// `rank R`: all cards of a rank.
    Rank,
    /// `players left`.
    PlayersLeft,
    /// `one player left`.
    OneLeft,
    /// `whether CONDITION`: 1 if it holds, else 0.
    Whether,
    /// `total X`: the sum of a number over all players.
    Total,
}

/// A direction as a file names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Compass(i8, i8),
    Ahead,
    Back,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Or,
    And,
    Minus,
    Add,
    Sub,
    Mul,
    Div,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// A range of numbers, both ends included.
#[derive(Clone, Debug)]
pub(crate) struct Range {
    pub(crate) low: Expr,
    pub(crate) high: Expr,
}
