//! The backgammon board: 24 points, the bar, and the checkers that are off.

use super::{DARK, Drawing, INK, LIGHT, LINE, MARGIN, PALE, Shape};

/// The side of a checker, and so of a point.
const SIDE: i32 = 18;
/// Checkers that are stacked before a number says how many there are.
const STACK: i32 = 5;
/// The lines from the upper numbers of the points to the lower ones.
const ROWS: usize = 13;
/// Lines of text below the board.
const LINES: i32 = 4;

/// The board, if the text shows one.
pub(super) fn draw(text: &str) -> Option<Drawing> {
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.iter().position(|line| line.trim_start().starts_with("13 14 15 "))?;
    let rows = lines.get(start..start + ROWS)?;
    let cells: Vec<Vec<&str>> = rows.iter().map(|row| points(row)).collect();
    let (upper, lower) = (&cells[1..6], &cells[7..12]);
    if ![upper, lower].iter().all(|half| half.iter().all(|row| row.len() == 12)) {
        return None;
    }
    let rest: Vec<&str> = lines[start + ROWS..].to_vec();
    let (top, bottom) = (MARGIN + LINE, MARGIN + LINE + 11 * SIDE);
    let mut drawing = Drawing::new(2 * MARGIN + 14 * SIDE, bottom + LINE * (2 + LINES));
    for (x, width) in [(0, 6), (6, 1), (7, 6), (13, 1)] {
        let fill = if width == 6 { LIGHT } else { PALE };
        drawing.rect(MARGIN + x * SIDE, top, width * SIDE, 11 * SIDE, fill);
    }
    for column in 0..12 {
        let x = MARGIN + (column + column / 6) * SIDE;
        let fill = |is_even: bool| if is_even { DARK } else { [150, 111, 80] };
        let even = column % 2 == 0;
        let height = STACK * SIDE;
        drawing.shapes.push(Shape::Spike { x, y: top, width: SIDE, height, fill: fill(even) });
        let spike = Shape::Spike { x, y: bottom, width: SIDE, height: -height, fill: fill(!even) };
        drawing.shapes.push(spike);
        let at = column as usize;
        drawing.label((x, MARGIN), (SIDE, LINE), cells[0][at], PALE);
        drawing.label((x, bottom), (SIDE, LINE), cells[12][at], PALE);
        stack(&mut drawing, (x, top), 1, checkers(upper.iter().map(|row| row[at])));
        stack(
            &mut drawing,
            (x, bottom - SIDE),
            -1,
            checkers(lower.iter().rev().map(|row| row[at])),
        );
    }
    for (sign, from, step) in [('X', bottom - SIDE, -1), ('O', top, 1)] {
        let line = rest.iter().find(|line| line.starts_with(sign)).copied().unwrap_or_default();
        for (word, column) in [("on the bar", 6), ("off", 13)] {
            let count = before(line, word);
            stack(&mut drawing, (MARGIN + column * SIDE, from), step, (sign, count));
        }
    }
    for (y, line) in (0..LINES).zip(rest.iter().filter(|line| !line.trim().is_empty())) {
        drawing.text(MARGIN, bottom + LINE + 4 + y * LINE, line.trim(), INK);
    }
    Some(drawing)
}

/// The twelve points of a row.
fn points(row: &str) -> Vec<&str> {
    row.split_whitespace().filter(|word| *word != "|").collect()
}

/// Whose checkers are on a point and how many, from the edge of the board inwards: the
/// last sign is a number where there are more than fit.
fn checkers<'a>(signs: impl Iterator<Item = &'a str>) -> (char, i32) {
    let (mut owner, mut count) = ('X', 0);
    for sign in signs {
        match sign.parse::<i32>() {
            Ok(all) => count = all,
            Err(_) if sign == "." => {}
            Err(_) => {
                owner = sign.chars().next().unwrap_or('X');
                count += 1;
            }
        }
    }
    (owner, count)
}

/// The number that stands before `word` in a line.
fn before(line: &str, word: &str) -> i32 {
    let words = line.split_once(word).map_or("", |(words, _)| words);
    words.split_whitespace().next_back().and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Draws checkers from `corner` on, `step` of 1 downwards or -1 upwards.
fn stack(drawing: &mut Drawing, corner: (i32, i32), step: i32, (owner, count): (char, i32)) {
    for at in 0..count.min(STACK) {
        drawing.piece((corner.0, corner.1 + at * step * SIDE), SIDE, owner);
    }
    if count > STACK {
        let last = (corner.0, corner.1 + (STACK - 1) * step * SIDE);
        drawing.label(last, (SIDE, SIDE), &count.to_string(), super::PAPER);
    }
}
