//! Pictures: what a state looks like to a player, as cells, pieces and piles.

use serde::Serialize;

/// A picture of a state, for pages and notebooks to draw. It says what is where, not how it
/// looks.
///
/// Coordinates count in cells, to the right and downwards: neighbouring cells of a board of
/// squares or hexagons are 1 apart.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Picture {
    /// The cells of the board.
    pub cells: Vec<Cell>,
    /// Words on the board, such as whose part of it is where.
    pub labels: Vec<Label>,
    /// Pairs of cells that a line joins.
    pub lines: Vec<[usize; 2]>,
    /// Numbers beside the board.
    pub counters: Vec<Counter>,
    /// Piles of cards, and hands.
    pub piles: Vec<CardPile>,
    /// Whose turn it is, or how the game ended.
    pub caption: String,
}

/// A cell of a board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// Its name, as in the names of actions; empty for cells that no piece can enter.
    pub name: String,
    /// Its shape.
    pub shape: CellShape,
    /// The coordinates of its centre.
    pub x: f32,
    /// See `x`.
    pub y: f32,
    /// Whether it is one of the darker cells of its board.
    pub is_dark: bool,
    /// The piece on it.
    pub piece: Option<BoardPiece>,
    /// The number of things in it, such as seeds.
    pub count: Option<i32>,
}

/// A word on the board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Label {
    /// What it says.
    pub text: String,
    /// The coordinates of its centre.
    pub x: f32,
    /// See `x`.
    pub y: f32,
}

/// The shape of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CellShape {
    /// A square with sides of length 1.
    Square,
    /// A hexagon whose upper corner is above its centre, at a distance of 1 from its neighbours.
    Hexagon,
    /// A round pit.
    Pit,
    /// A point where lines meet.
    Point,
    /// A line of length 1 from left to right, between two squares.
    HorizontalEdge,
    /// A line of length 1 from top to bottom.
    VerticalEdge,
}

/// A piece on a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardPiece {
    /// The seat that owns it; `None` for pieces of nobody.
    pub seat: Option<u8>,
    /// Its kind.
    pub kind: String,
    /// The letter that distinguishes it from other kinds; empty where there is one kind.
    pub letter: String,
}

/// A number, or one number for each seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Counter {
    /// Its name.
    pub name: String,
    /// The number, or that of each seat.
    pub values: Vec<i32>,
}

/// A pile of cards, or a hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CardPile {
    /// Its name.
    pub name: String,
    /// The seat that owns it, if any.
    pub seat: Option<u8>,
    /// The cards that are seen.
    pub cards: Vec<String>,
    /// The number of cards that are not seen.
    pub face_down: usize,
}
