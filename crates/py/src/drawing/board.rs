//! Boards that print a sign for each square, as chess, connect four and their like do.

use super::{DARK, Drawing, INK, LIGHT, LINE, MARGIN, PALE};

/// The side of a square.
const SIDE: i32 = 18;
/// Lines of text below the board for which room is kept.
const LINES: i32 = 4;

/// A row of squares with the number before it, if there is one.
struct Row {
    number: Option<String>,
    signs: Vec<char>,
    /// The column of the text where the signs begin. Rows of hexagons are printed a column
    /// apart, which is half a square.
    column: i32,
}

/// The board of a text, with what stands around it; nothing where it shows none.
pub(super) fn draw(text: &str) -> Option<Drawing> {
    let lines: Vec<&str> = text.lines().collect();
    let (start, mut rows) = largest_block(&lines)?;
    let end = start + rows.len();
    let letters = rows.pop_if(|last| is_alphabet(&last.signs));
    let (first, down) = (rows.iter().map(|row| row.column).min()?, rows.len() as i32);
    let indent = |row: &Row| (row.column - first) * SIDE / 2;
    let across = rows.iter().map(|row| indent(row) + row.signs.len() as i32 * SIDE).max()?;
    let left = MARGIN + if rows[0].number.is_some() { LINE } else { 0 };
    let bottom = MARGIN + down * SIDE;
    // A line of text may be wider than a small board.
    let width = (left + across + MARGIN).max(240);
    let mut drawing = Drawing::new(width, bottom + LINE * (2 + LINES));
    for (y, row) in (0..).zip(&rows) {
        let top = MARGIN + y * SIDE;
        if let Some(number) = &row.number {
            drawing.label((MARGIN - 2, top), (LINE, SIDE), number, PALE);
        }
        for (x, &sign) in (0..).zip(&row.signs) {
            let corner = (left + indent(row) + x * SIDE, top);
            let fill = if (x + y) % 2 == 0 { LIGHT } else { DARK };
            drawing.rect(corner.0, corner.1, SIDE, SIDE, fill);
            if !matches!(sign, '.' | '-' | '_') {
                drawing.piece(corner, SIDE, sign);
            }
        }
    }
    for (x, letter) in (0..).zip(letters.iter().flat_map(|row| &row.signs)) {
        let corner = (left + x * SIDE, bottom);
        drawing.label(corner, (SIDE, LINE), &letter.to_string(), PALE);
    }
    let rest = lines[..start].iter().chain(&lines[end..]).filter(|line| !line.trim().is_empty());
    for (y, line) in (0..LINES).zip(rest) {
        drawing.text(MARGIN, bottom + LINE + 4 + y * LINE, line.trim(), INK);
    }
    Some(drawing)
}

/// The largest block of lines that have equally many single signs each, or one more or less at
/// half a square's distance, and its start.
fn largest_block(lines: &[&str]) -> Option<(usize, Vec<Row>)> {
    let (mut best, mut block): ((usize, Vec<Row>), Vec<Row>) = ((0, Vec::new()), Vec::new());
    for (at, line) in lines.iter().chain([&""]).enumerate() {
        let row = signs(line);
        let goes_on = match (block.last(), &row) {
            (Some(last), Some(row)) => {
                let step = (last.column - row.column).abs();
                let difference = last.signs.len().abs_diff(row.signs.len());
                difference == 0 || (difference == 1 && step == 1)
            }
            _ => false,
        };
        if !goes_on {
            if block.len() > best.1.len() {
                best = (at - block.len(), std::mem::take(&mut block));
            }
            block.clear();
        }
        block.extend(row);
    }
    (best.1.len() >= 3).then_some(best)
}

fn signs(line: &str) -> Option<Row> {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    let is_number = words.first().is_some_and(|word| word.parse::<u32>().is_ok());
    let number = is_number.then(|| words.remove(0).to_owned());
    let sign = |word: &&str| {
        let mut signs = word.chars();
        signs.next().filter(|_| signs.next().is_none())
    };
    let number_length = number.as_ref().map_or(0, String::len);
    let rest = line.trim_start()[number_length..].trim_start();
    let column = (line.chars().count() - rest.chars().count()) as i32;
    let signs: Option<Vec<char>> = words.iter().map(sign).collect();
    signs.filter(|signs| signs.len() >= 3).map(|signs| Row { number, signs, column })
}

/// Whether these are the letters of the columns.
fn is_alphabet(signs: &[char]) -> bool {
    ('a'..).zip(signs).all(|(letter, &sign)| sign == letter)
}
