//! States on a page: boards as SVG where the text shows one, and the text itself.

use std::fmt::Write;

/// The side of a square.
const SIDE: usize = 36;

/// A state as HTML for notebooks, from its text.
///
/// A board is a block of lines of single signs, as chess, connect four and their like
/// print one; games that print no such block are shown as text alone.
pub(crate) fn page(text: &str) -> String {
    let mut page = String::new();
    if let Some(rows) = board(text) {
        draw(&mut page, &rows);
    }
    page.push_str("<pre>");
    escape(&mut page, text);
    page.push_str("</pre>");
    page
}

/// The largest block of lines that have equally many single signs each, without the
/// numbers at their ends.
fn board(text: &str) -> Option<Vec<Vec<char>>> {
    let mut best: Vec<Vec<char>> = Vec::new();
    let mut block: Vec<Vec<char>> = Vec::new();
    for line in text.lines().chain([""]) {
        let row = signs(line);
        let goes_on =
            block.last().is_none_or(|last| row.as_ref().is_some_and(|row| row.len() == last.len()));
        if !goes_on {
            if block.len() > best.len() {
                best = std::mem::take(&mut block);
            }
            block.clear();
        }
        block.extend(row);
    }
    // The letters of the columns stand below.
    if best.last().is_some_and(|row| ('a'..).zip(row).all(|(letter, &sign)| sign == letter)) {
        best.pop();
    }
    (best.len() >= 3).then_some(best)
}

fn signs(line: &str) -> Option<Vec<char>> {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    if words.first().is_some_and(|word| word.parse::<u32>().is_ok()) {
        words.remove(0);
    }
    let sign = |word: &&str| {
        let mut signs = word.chars();
        signs.next().filter(|_| signs.next().is_none())
    };
    let signs: Option<Vec<char>> = words.iter().map(sign).collect();
    signs.filter(|signs| signs.len() >= 3)
}

fn draw(page: &mut String, rows: &[Vec<char>]) {
    let (width, height) = (rows[0].len() * SIDE, rows.len() * SIDE);
    // Writing to a string cannot fail.
    let _ = write!(
        page,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-size="24" text-anchor="middle" font-family="sans-serif">"#
    );
    for (y, row) in rows.iter().enumerate() {
        for (x, &sign) in row.iter().enumerate() {
            let fill = if (x + y) % 2 == 0 { "#f0ead6" } else { "#c9b48f" };
            let (left, top) = (x * SIDE, y * SIDE);
            let _ = write!(
                page,
                r#"<rect x="{left}" y="{top}" width="{SIDE}" height="{SIDE}" fill="{fill}"/>"#
            );
            if !matches!(sign, '.' | '-' | '_') {
                let (middle, line) = (left + SIDE / 2, top + 3 * SIDE / 4);
                let _ = write!(page, r##"<text x="{middle}" y="{line}" fill="#222">"##);
                escape(page, sign.encode_utf8(&mut [0; 4]));
                page.push_str("</text>");
            }
        }
    }
    page.push_str("</svg>");
}

fn escape(page: &mut String, text: &str) {
    for sign in text.chars() {
        match sign {
            '<' => page.push_str("&lt;"),
            '>' => page.push_str("&gt;"),
            '&' => page.push_str("&amp;"),
            sign => page.push(sign),
        }
    }
}
