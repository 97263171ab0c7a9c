//! Tables without a board: lines of text, in which cards and entries are drawn as such.

use super::{ADVANCE, BLUE, Color, DARK, Drawing, INK, LIGHT, LINE, MARGIN, PALE, PAPER, RED};

/// The size of every such picture.
const WIDTH: i32 = 480;
const HEIGHT: i32 = 480;
/// The size of a card.
const CARD: (i32, i32) = (18, 22);
/// Units between two entries.
const GAP: i32 = 4;

/// Where the next word goes.
struct Pen<'a> {
    drawing: &'a mut Drawing,
    left: i32,
    x: i32,
    y: i32,
    /// The height of the line so far.
    tall: i32,
}

/// The picture of a table from its text.
pub(super) fn draw(text: &str) -> Drawing {
    let mut drawing = Drawing::new(WIDTH, HEIGHT);
    // Games with two or three ranks of cards name them by one letter.
    let has_ranks = text.contains("betting:");
    let mut y = MARGIN;
    for line in text.lines() {
        if line.trim().is_empty() {
            y += LINE / 2;
            continue;
        }
        let indent = (line.len() - line.trim_start().len()) as i32 * ADVANCE;
        let left = MARGIN + indent;
        let mut pen = Pen { drawing: &mut drawing, left, x: left, y, tall: LINE };
        if is_entries(line) {
            pen.entries(line);
        } else {
            pen.words(line, has_ranks);
        }
        y = pen.y + pen.tall;
    }
    drawing
}

/// Whether a line lists things: it is indented, and nobody's turn is marked before it.
fn is_entries(line: &str) -> bool {
    line.starts_with("  ") && !line.trim_start().starts_with("seat")
}

impl Pen<'_> {
    /// Room for something so wide, in the next line where this one is full.
    fn take(&mut self, width: i32, height: i32) -> (i32, i32) {
        if self.x + width > WIDTH - MARGIN && self.x > self.left {
            (self.x, self.y, self.tall) = (self.left, self.y + self.tall, LINE);
        }
        self.tall = self.tall.max(height + 2);
        let corner = (self.x, self.y);
        self.x += width;
        corner
    }

    /// A line whose columns are apart by two spaces or more: a label, then entries.
    fn entries(&mut self, line: &str) {
        let columns = line.trim().split("  ").map(str::trim).filter(|column| !column.is_empty());
        let columns: Vec<&str> = columns.collect();
        let (label, entries) = match columns.split_first() {
            Some((label, entries)) if !entries.is_empty() => (Some(*label), entries),
            _ => (None, &columns[..]),
        };
        if let Some(label) = label {
            let width = (label.chars().count() as i32 + 1) * ADVANCE;
            let (x, y) = self.take(width.max(11 * ADVANCE), LINE);
            self.drawing.text(x, y + 3, label, PALE);
        }
        let split = |entry: &&str| match label {
            Some(_) => entry.split(", ").map(str::to_owned).collect::<Vec<_>>(),
            None => vec![(*entry).to_owned()],
        };
        for entry in entries.iter().flat_map(split) {
            let width = entry.chars().count() as i32 * ADVANCE + 2 * GAP;
            let (x, y) = self.take(width + GAP, LINE);
            if entry != "-" {
                self.drawing.rect(x, y, width, LINE, LIGHT);
            }
            self.drawing.text(x + GAP, y + 3, &entry, INK);
        }
    }

    /// A line of words, some of which are cards.
    fn words(&mut self, line: &str, has_ranks: bool) {
        if line.starts_with('>') {
            self.drawing.rect(MARGIN - 2, self.y, WIDTH - 2 * MARGIN, CARD.1 + 2, [255, 243, 196]);
        }
        for word in line.split_whitespace() {
            let bare = word.trim_end_matches([',', ';', ':', '.']);
            match cards_of(bare, has_ranks) {
                Some(cards) => cards.iter().for_each(|card| self.card(card)),
                None => {
                    let width = (word.chars().count() as i32 + 1) * ADVANCE;
                    let (x, y) = self.take(width, LINE);
                    // What stands before a colon says what follows.
                    let ink = if word.ends_with(':') { PALE } else { INK };
                    self.drawing.text(x, y + 3, word, ink);
                }
            }
        }
    }

    fn card(&mut self, name: &str) {
        let (x, y) = self.take(CARD.0 + GAP, CARD.1);
        let is_hidden = name.starts_with('?');
        let (edge, fill): (Color, Color) = if is_hidden { (INK, BLUE) } else { (DARK, PAPER) };
        self.drawing.rect(x, y, CARD.0, CARD.1, edge);
        self.drawing.rect(x + 1, y + 1, CARD.0 - 2, CARD.1 - 2, fill);
        let ink = if name.ends_with(['h', 'd']) { RED } else { INK };
        let ink = if is_hidden { PAPER } else { ink };
        self.drawing.label((x, y), CARD, name, ink);
    }
}

/// The cards that a word names, if it names cards alone: "Kd4c", "??", or "K" in games
/// that know no suits.
fn cards_of(word: &str, has_ranks: bool) -> Option<Vec<String>> {
    if has_ranks && matches!(word, "J" | "Q" | "K" | "?") {
        return Some(vec![word.to_owned()]);
    }
    if word == "??" {
        return Some(vec!["?".to_owned()]);
    }
    let signs: Vec<char> = word.chars().collect();
    let is_card = |pair: &[char]| matches!(pair, [rank, suit] if "23456789TJQKA".contains(*rank) && "cdhs".contains(*suit));
    let are_cards = !signs.is_empty() && signs.chunks(2).all(is_card);
    are_cards.then(|| signs.chunks(2).map(|pair| pair.iter().collect()).collect())
}
