//! The syntax tree of a game file.

use crate::errors::Span;

/// A word with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

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
        start: Expr,
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
    History {
        positions: Expr,
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

/// A whole file.
#[derive(Clone, Debug, Default)]
pub(crate) struct File {
    pub(crate) title: String,
    pub(crate) title_span: Span,
    pub(crate) players: Option<Players>,
    pub(crate) things: Vec<Thing>,
    pub(crate) start: Vec<Effect>,
    pub(crate) phases: Vec<Phase>,
    pub(crate) ends: Vec<End>,
}

#[derive(Clone, Debug)]
pub(crate) struct Players {
    pub(crate) fewest: i64,
    pub(crate) most: i64,
    pub(crate) facing: bool,
    pub(crate) names: Vec<Name>,
    pub(crate) span: Span,
}

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
    Chain { items: Vec<Self>, may_stop: bool, longest: bool, span: Span },
    Otherwise(Vec<Self>),
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
    Deal {
        count: Expr,
        from: Name,
        to: Target,
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

#[derive(Clone, Debug)]
pub(crate) struct End {
    pub(crate) condition: Expr,
    pub(crate) effects: Vec<Effect>,
}
