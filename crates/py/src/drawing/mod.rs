//! Pictures of states, made from the game's own picture where it has one, else from its text:
//! boards, a backgammon board, and tables with cards. One list of shapes becomes SVG for
//! notebooks and pixels for recorders.

mod backgammon;
mod board;
mod cards;
mod font;
mod raster;
mod svg;
mod table;

use meeple_game::Picture;
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

pub(crate) use svg::preformatted;

/// The advance and the height of a line of text, in units of the drawing.
const ADVANCE: i32 = 6;
const LINE: i32 = 12;
/// Pixels of a unit.
const SCALE: i32 = 2;
/// Units that a picture leaves free at its edges.
const MARGIN: i32 = 6;

/// A colour, red first.
type Color = [u8; 3];

const INK: Color = [34, 34, 34];
const PALE: Color = [120, 113, 98];
const LIGHT: Color = [240, 234, 214];
const DARK: Color = [201, 180, 143];
const PAPER: Color = [255, 255, 255];
const RED: Color = [178, 34, 34];
const BLUE: Color = [38, 84, 152];
/// The colours of the seats, as in the lab.
const SEATS: [Color; 6] =
    [[47, 109, 179], [194, 84, 45], [61, 138, 87], [184, 138, 23], [122, 79, 163], [75, 127, 134]];

/// Something to draw. Coordinates are units from the upper left corner.
#[derive(Clone, Debug, PartialEq)]
enum Shape {
    Rect {
        x: i32,
        y: i32,
        width: i32,
        height: i32,
        fill: Color,
    },
    Disc {
        x: i32,
        y: i32,
        radius: i32,
        fill: Color,
    },
    /// A triangle with a horizontal base from `x` to `x + width` at `y` and its tip
    /// `height` below, or above where that is negative.
    Spike {
        x: i32,
        y: i32,
        width: i32,
        height: i32,
        fill: Color,
    },
    /// A convex polygon.
    Polygon {
        points: Vec<(i32, i32)>,
        fill: Color,
    },
    /// A line of text whose upper left corner is given.
    Text {
        x: i32,
        y: i32,
        text: String,
        fill: Color,
    },
}

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Drawing {
    width: i32,
    height: i32,
    shapes: Vec<Shape>,
}

impl Drawing {
    /// The picture of a state from the game's own picture, or else from its text. Pictures of one
    /// game are all of one size, so that they make a film.
    pub(crate) fn of(picture: Option<&Picture>, text: &str) -> Self {
        if let Some(picture) = picture {
            return table::draw(picture);
        }
        backgammon::draw(text).or_else(|| board::draw(text)).unwrap_or_else(|| cards::draw(text))
    }

    fn new(width: i32, height: i32) -> Self {
        Self { width, height, shapes: Vec::new() }
    }

    fn rect(&mut self, x: i32, y: i32, width: i32, height: i32, fill: Color) {
        self.shapes.push(Shape::Rect { x, y, width, height, fill });
    }

    fn text(&mut self, x: i32, y: i32, text: &str, fill: Color) {
        if !text.trim().is_empty() {
            self.shapes.push(Shape::Text { x, y, text: text.to_owned(), fill });
        }
    }

    /// Text in the middle of a box.
    fn label(&mut self, (x, y): (i32, i32), (width, height): (i32, i32), text: &str, fill: Color) {
        let length = text.chars().count() as i32 * ADVANCE - 1;
        self.text(x + (width - length) / 2, y + (height - 7) / 2, text, fill);
    }

    /// A piece in the middle of a box.
    fn piece(&mut self, (x, y): (i32, i32), side: i32, sign: char) {
        let (fill, ink) = match sign {
            'X' => (RED, PAPER),
            'O' => (BLUE, PAPER),
            'A'..='Z' => (PAPER, INK),
            _ => (INK, PAPER),
        };
        let (middle, radius) = ((x + side / 2, y + side / 2), side * 2 / 5);
        self.shapes.push(Shape::Disc { x: middle.0, y: middle.1, radius, fill: INK });
        self.shapes.push(Shape::Disc { x: middle.0, y: middle.1, radius: radius - 1, fill });
        if !matches!(sign, 'X' | 'O') {
            let name = sign.to_ascii_uppercase().to_string();
            self.label((x, y), (side, side), &name, ink);
        }
    }
}

/// The pixels of a picture as an array `[height, width, 3]` of uint8.
pub(crate) fn pixels<'py>(
    py: Python<'py>,
    drawing: &Drawing,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let (width, height, bytes) = drawing.raster();
    PyArray1::from_vec(py, bytes).reshape([height, width, 3])
}
