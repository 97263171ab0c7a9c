//! Games with pictures, such as those in files: boards of any shape, numbers and piles of cards.

use std::collections::BTreeMap;

use meeple_game::{CardPile, Cell, CellShape, Counter, Picture};

use super::{
    ADVANCE, Color, DARK, Drawing, INK, LIGHT, LINE, MARGIN, PALE, PAPER, RED, SEATS, Shape,
};

/// The distance of two cells.
const SIDE: i32 = 20;
/// The size of a card, the room that one takes, and that of a line of them.
const CARD: (i32, i32) = (21, 22);
const CARD_ROOM: i32 = CARD.0 + 2;
const CARD_LINE: i32 = CARD.1 + 2;
/// The least width of a picture: room for its caption and some cards.
const WIDTH: i32 = 260;
/// Where numbers and cards begin, after their names.
const INDENT: i32 = MARGIN + 14 * ADVANCE;
/// Half of the width and the height of a hexagon whose neighbours are 1 apart.
const HALF: f32 = 0.5;
const TIP: f32 = 0.577_35;

/// The picture of a table. All pictures of a game have one size, because cards go from pile to
/// pile but never away.
pub(super) fn draw(picture: &Picture) -> Drawing {
    let board = Board::new(&picture.cells);
    let width = (board.right + MARGIN).max(WIDTH);
    let across = ((width - MARGIN - INDENT) / CARD_ROOM).max(1);
    let cards: usize = picture.piles.iter().map(|pile| pile.cards.len() + pile.face_down).sum();
    let card_lines = picture.piles.len() as i32 + cards as i32 / across;
    let counters = picture.counters.len() as i32 * LINE;
    let height = board.bottom + counters + card_lines * CARD_LINE + 2 * LINE + MARGIN;
    let mut drawing = Drawing::new(width, height);
    board.draw(&mut drawing, picture);
    let mut y = board.bottom + MARGIN;
    drawing.text(MARGIN, y, &picture.caption, INK);
    y += LINE + MARGIN;
    for counter in &picture.counters {
        drawing.counter(y, counter);
        y += LINE;
    }
    for pile in &picture.piles {
        y += drawing.pile(y, across, pile) * CARD_LINE;
    }
    drawing
}

/// Where the cells of a board are.
struct Board {
    /// The least coordinates, which are at the upper left.
    least: (f32, f32),
    corner: (i32, i32),
    right: i32,
    bottom: i32,
}

impl Board {
    fn new(cells: &[Cell]) -> Self {
        let bounds = |of: fn(&Cell) -> f32| {
            let all = cells.iter().map(of);
            (all.clone().fold(f32::MAX, f32::min), all.fold(f32::MIN, f32::max))
        };
        if cells.is_empty() {
            let corner = (MARGIN, MARGIN);
            return Self { least: (0.0, 0.0), corner, right: 0, bottom: 0 };
        }
        let ((left, right), (top, bottom)) = (bounds(|cell| cell.x), bounds(|cell| cell.y));
        let has_names = cells.iter().any(|cell| cell.shape == CellShape::Square);
        let names = if has_names { LINE } else { 0 };
        let length = |from: f32, to: f32| ((to - from) * SIDE as f32).round() as i32 + SIDE;
        let corner = (MARGIN + names, MARGIN);
        Self {
            least: (left, top),
            corner,
            right: corner.0 + length(left, right),
            bottom: corner.1 + length(top, bottom) + names,
        }
    }

    /// The place of a point beside a cell's centre.
    fn place(&self, cell: &Cell, (right, down): (f32, f32)) -> (i32, i32) {
        let units = |cells: f32| (cells * SIDE as f32).round() as i32 + SIDE / 2;
        let (x, y) = (cell.x + right - self.least.0, cell.y + down - self.least.1);
        (self.corner.0 + units(x), self.corner.1 + units(y))
    }

    fn draw(&self, drawing: &mut Drawing, picture: &Picture) {
        for &[one, other] in &picture.lines {
            let (Some(one), Some(other)) = (picture.cells.get(one), picture.cells.get(other))
            else {
                continue;
            };
            let ends = (self.place(one, (0.0, 0.0)), self.place(other, (0.0, 0.0)));
            drawing.shapes.push(line(ends.0, ends.1));
        }
        for cell in &picture.cells {
            self.draw_cell(drawing, cell);
        }
        self.draw_names(drawing, &picture.cells);
    }

    fn draw_cell(&self, drawing: &mut Drawing, cell: &Cell) {
        let (x, y) = self.place(cell, (0.0, 0.0));
        let (left, top) = (x - SIDE / 2, y - SIDE / 2);
        let fill = if cell.is_dark { DARK } else { LIGHT };
        match cell.shape {
            CellShape::Square => drawing.rect(left, top, SIDE, SIDE, fill),
            CellShape::Pit => {
                drawing.shapes.push(Shape::Disc { x, y, radius: SIDE / 2 - 1, fill: DARK });
            }
            CellShape::Point => drawing.shapes.push(Shape::Disc { x, y, radius: 3, fill: DARK }),
            CellShape::HorizontalEdge | CellShape::VerticalEdge => {
                let (wide, high) = if cell.shape == CellShape::HorizontalEdge {
                    (SIDE - 6, 2)
                } else {
                    (2, SIDE - 6)
                };
                let fill = if cell.piece.is_some() { INK } else { DARK };
                drawing.rect(x - wide / 2, y - high / 2, wide, high, fill);
                return;
            }
            CellShape::Hexagon => {
                // A little smaller than the cell, which leaves a line between two of them.
                let (half, tip) = (HALF * 0.94, TIP * 0.94);
                let corners = [
                    (0.0, -tip),
                    (half, -tip / 2.0),
                    (half, tip / 2.0),
                    (0.0, tip),
                    (-half, tip / 2.0),
                    (-half, -tip / 2.0),
                ];
                let points = corners.map(|corner| self.place(cell, corner)).to_vec();
                drawing.shapes.push(Shape::Polygon { points, fill: DARK });
            }
        }
        if let Some(piece) = &cell.piece {
            let (fill, ink) = match piece.seat {
                Some(seat) => (seat_color(seat), PAPER),
                None => (PALE, PAPER),
            };
            drawing.shapes.push(Shape::Disc { x, y, radius: SIDE * 2 / 5, fill: INK });
            drawing.shapes.push(Shape::Disc { x, y, radius: SIDE * 2 / 5 - 1, fill });
            drawing.label((left, top), (SIDE, SIDE), &piece.letter, ink);
        }
        if let Some(count) = cell.count {
            drawing.label((left, top), (SIDE, SIDE), &count.to_string(), INK);
        }
    }

    /// The letters of columns below a board of squares, and the numbers of rows before it.
    fn draw_names(&self, drawing: &mut Drawing, cells: &[Cell]) {
        let (mut columns, mut rows) = (BTreeMap::new(), BTreeMap::new());
        for cell in cells.iter().filter(|cell| cell.shape == CellShape::Square) {
            let (x, y) = self.place(cell, (-0.5, -0.5));
            let Some(digits) = cell.name.find(|sign: char| sign.is_ascii_digit()) else { continue };
            let (letters, number) = cell.name.split_at(digits);
            columns.insert(x, letters);
            rows.insert(y, number);
        }
        for (x, letters) in columns {
            drawing.label((x, self.bottom - LINE), (SIDE, LINE), letters, PALE);
        }
        for (y, number) in rows {
            drawing.label((MARGIN - 2, y), (LINE, SIDE), number, PALE);
        }
    }
}

impl Drawing {
    fn counter(&mut self, y: i32, Counter { name, values }: &Counter) {
        self.text(MARGIN, y + 2, name, PALE);
        let mut x = INDENT;
        for (seat, value) in (0..).zip(values) {
            if values.len() > 1 {
                self.seat(x, y + LINE / 2, seat);
                x += 2 * ADVANCE;
            }
            let text = value.to_string();
            self.text(x, y + 2, &text, INK);
            x += (text.len() as i32 + 2) * ADVANCE;
        }
    }

    /// Draws a pile, and returns how many lines it takes.
    fn pile(&mut self, y: i32, across: i32, pile: &CardPile) -> i32 {
        let mut x = MARGIN;
        if let Some(seat) = pile.seat {
            self.seat(x, y + CARD.1 / 2, seat);
            x += 2 * ADVANCE;
        }
        self.text(x, y + CARD.1 / 2 - 3, &pile.name, PALE);
        for (at, card) in (0..).zip(&pile.cards) {
            let (column, row) = (at % across, at / across);
            let ink = if card.ends_with(['h', 'd']) { RED } else { INK };
            self.card((INDENT + column * CARD_ROOM, y + row * CARD_LINE), card, PAPER, ink);
        }
        if pile.face_down > 0 {
            self.card((INDENT, y), &pile.face_down.to_string(), SEATS[0], PAPER);
        } else if pile.cards.is_empty() {
            self.text(INDENT, y + CARD.1 / 2 - 3, "-", PALE);
        }
        (pile.cards.len() as i32 - 1).max(0) / across + 1
    }

    fn card(&mut self, (x, y): (i32, i32), name: &str, fill: Color, ink: Color) {
        self.rect(x, y, CARD.0, CARD.1, PALE);
        self.rect(x + 1, y + 1, CARD.0 - 2, CARD.1 - 2, fill);
        self.label((x, y), CARD, name, ink);
    }

    /// The mark of a seat.
    fn seat(&mut self, x: i32, y: i32, seat: u8) {
        self.shapes.push(Shape::Disc { x: x + 4, y, radius: 4, fill: seat_color(seat) });
    }
}

fn seat_color(seat: u8) -> Color {
    SEATS[usize::from(seat) % SEATS.len()]
}

/// A line between two points, two units wide.
fn line(from: (i32, i32), to: (i32, i32)) -> Shape {
    let (right, down) = ((to.0 - from.0) as f32, (to.1 - from.1) as f32);
    let length = right.hypot(down).max(1.0);
    let aside = ((down / length).round() as i32, (-right / length).round() as i32);
    let beside = |(x, y): (i32, i32), sign: i32| (x + sign * aside.0, y + sign * aside.1);
    let points = vec![beside(from, 1), beside(to, 1), beside(to, -1), beside(from, -1)];
    Shape::Polygon { points, fill: DARK }
}
