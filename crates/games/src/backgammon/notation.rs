//! Text forms of moves and boards, and the position ids of GNU Backgammon.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::board::{BAR, Board, CHECKERS, Dice};

/// The name of a checker move: `8/5`, `bar/20*` for a hit, `6/off`; with the die where it
/// is larger than needed, as in `3/off(5)`.
pub(super) fn move_name(board: &Board, side: usize, point: usize, die: u8) -> String {
    let from = if point == BAR { "bar".into() } else { (point + 1).to_string() };
    let pips = usize::from(die);
    match point + 1 {
        needed if needed == pips => format!("{from}/off"),
        needed if needed < pips => format!("{from}/off({die})"),
        needed => {
            let hit = if board.hits(side, point, pips) { "*" } else { "" };
            format!("{from}/{}{hit}", needed - pips)
        }
    }
}

/// The moves of a turn as people write them, from the highest point down: `24/15` for a checker
/// that moves twice, `24/20*/15` if it hits on its way, `13/11(2)` for equal moves.
///
/// Each move is a point, a die and whether it hits.
pub(super) fn turn_name(moves: &[(usize, u8, bool)]) -> String {
    // The points of each checker, with the hits.
    let mut paths: Vec<Vec<(usize, bool)>> = Vec::new();
    for &(point, die, hits) in moves {
        let target = ((point + 1).saturating_sub(die.into()), hits);
        match paths.iter_mut().find(|path| path.last().is_some_and(|end| end.0 == point + 1)) {
            Some(path) => path.push(target),
            None => paths.push(vec![(point + 1, false), target]),
        }
    }
    for path in &mut paths {
        let last = path.len() - 1;
        let mut at = 0;
        path.retain(|&(_, hits)| {
            at += 1;
            at == 1 || at == last + 1 || hits
        });
    }
    paths.sort_by(|one, other| other.cmp(one));
    let mut words: Vec<(String, usize)> = Vec::new();
    for path in paths {
        let points: Vec<String> =
            path.iter().map(|&(point, hits)| point_name(point, hits)).collect();
        let word = points.join("/");
        match words.last_mut().filter(|(last, _)| *last == word) {
            Some((_, times)) => *times += 1,
            None => words.push((word, 1)),
        }
    }
    let words: Vec<String> = words
        .into_iter()
        .map(|(word, times)| if times > 1 { format!("{word}({times})") } else { word })
        .collect();
    if words.is_empty() { "cannot move".into() } else { words.join(" ") }
}

/// A point from 1, the bar, or off, with a star for a hit.
fn point_name(point: usize, hits: bool) -> String {
    let star = if hits { "*" } else { "" };
    match point {
        0 => "off".into(),
        point if point == BAR + 1 => "bar".into(),
        point => format!("{point}{star}"),
    }
}

/// The remaining dice, such as `3-1` or `2-2-2`.
pub(super) fn dice_left(dice: Dice) -> String {
    let all: Vec<String> = if dice.is_double() {
        vec![dice.high.to_string(); usize::from(dice.left)]
    } else {
        [dice.high, dice.low]
            .into_iter()
            .filter(|&die| dice.has(die))
            .map(|die| die.to_string())
            .collect()
    };
    all.join("-")
}

/// Draws the board from one side, whose checkers move down to point 1; X is seat 0, O is
/// seat 1.
pub(super) fn draw(board: &Board, side: usize, out: &mut impl fmt::Write) -> fmt::Result {
    let letters = if side == 0 { ['X', 'O'] } else { ['O', 'X'] };
    let row = |points: &mut dyn Iterator<Item = usize>, row: u8| -> String {
        let cell = |point: usize| {
            let (mine, theirs) =
                (board.checkers(side, point), board.checkers(1 - side, 23 - point));
            let (checkers, letter) =
                if mine > 0 { (mine, letters[0]) } else { (theirs, letters[1]) };
            match (row, checkers) {
                // The last row shows the count of more than five checkers.
                (4, 6..) => format!("{checkers:>3}"),
                _ if checkers > row => format!("  {letter}"),
                _ => "  .".into(),
            }
        };
        points.map(cell).collect()
    };
    writeln!(out, " 13 14 15 16 17 18 | 19 20 21 22 23 24")?;
    for height in 0..5 {
        let (left, right) = (row(&mut (12..18), height), row(&mut (18..24), height));
        writeln!(out, "{left} |{right}")?;
    }
    writeln!(out, "{:19}|", "")?;
    for height in (0..5).rev() {
        let (left, right) = (row(&mut (6..12).rev(), height), row(&mut (0..6).rev(), height));
        writeln!(out, "{left} |{right}")?;
    }
    writeln!(out, " 12 11 10  9  8  7 |  6  5  4  3  2  1")?;
    for (side, letter) in ['X', 'O'].into_iter().enumerate() {
        let (bar, off) = (board.checkers(side, BAR), board.off(side));
        writeln!(out, "{letter} (seat {side}): {bar} on the bar, {off} off")?;
    }
    Ok(())
}

/// A GNU Backgammon position id: a board in fourteen letters, from the side of the player
/// on roll.
///
/// ```
/// use meeple_games::backgammon::PositionId;
///
/// let start: PositionId = "4HPwATDgc/ABMA".parse()?;
/// assert_eq!(start.to_string(), "4HPwATDgc/ABMA");
/// assert!("4HPwATDgc/ABM".parse::<PositionId>().is_err());
/// # Ok::<_, meeple_games::backgammon::PositionIdError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PositionId(pub(super) Board);

/// An invalid position id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionIdError {
    /// The length is not fourteen letters.
    #[error("position id: expected 14 letters, found {0}")]
    Length(usize),
    /// An invalid letter.
    #[error("position id: letter {at}: expected one of A-Z, a-z, 0-9, + or /, found {letter:?}")]
    Letter {
        /// Its position, from 1.
        at: usize,
        /// The letter.
        letter: char,
    },
    /// Too many checkers, a point shared by both players, or a finished game.
    #[error("position id: expected a legal position of an unfinished game")]
    Checkers,
}

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

impl fmt::Display for PositionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Each point is encoded as one bit per checker and a zero bit, the player not on
        // roll first.
        let mut bits = [false; 84];
        let mut at = 0;
        for side in [1, 0] {
            for point in 0..=BAR {
                for _ in 0..self.0.checkers(side, point) {
                    bits[at] = true;
                    at += 1;
                }
                at += 1;
            }
        }
        let bytes: Vec<u8> =
            (0..10).map(|byte| bits_to_byte(&bits[8 * byte..8 * byte + 8])).collect();
        for chunk in bytes.chunks(3) {
            let word = chunk.iter().fold(0u32, |word, &byte| word << 8 | u32::from(byte))
                << (8 * (3 - chunk.len()));
            for letter in 0..=chunk.len() {
                let index = word >> (18 - 6 * letter) & 63;
                write!(f, "{}", char::from(LETTERS[index as usize]))?;
            }
        }
        Ok(())
    }
}

fn bits_to_byte(bits: &[bool]) -> u8 {
    bits.iter().enumerate().fold(0, |byte, (at, &bit)| byte | u8::from(bit) << at)
}

impl FromStr for PositionId {
    type Err = PositionIdError;

    fn from_str(text: &str) -> Result<Self, PositionIdError> {
        let letters: Vec<char> = text.chars().collect();
        if letters.len() != 14 {
            return Err(PositionIdError::Length(letters.len()));
        }
        let mut bits = Vec::new();
        for (at, &letter) in (1..).zip(&letters) {
            let index = LETTERS.iter().position(|&other| char::from(other) == letter);
            let index = index.ok_or(PositionIdError::Letter { at, letter })?;
            bits.extend((0..6).rev().map(|bit| index >> bit & 1 == 1));
        }
        // Letters hold the bits of bytes from the high end, bytes hold checkers from the
        // low end.
        let checkers: Vec<bool> = bits
            .chunks_exact(8)
            .flat_map(|byte| byte.iter().rev().copied().collect::<Vec<_>>())
            .collect();
        let mut board = Board::empty();
        let mut checkers = checkers.into_iter();
        for side in [1, 0] {
            let mut count = 0;
            for point in 0..=BAR {
                while checkers.next().ok_or(PositionIdError::Checkers)? {
                    count += 1;
                    if count > CHECKERS {
                        return Err(PositionIdError::Checkers);
                    }
                    board.put(side, point);
                }
            }
        }
        let shared =
            (0..24).any(|point| board.checkers(0, point) > 0 && board.checkers(1, 23 - point) > 0);
        let finished = board.is_clear(0) || board.is_clear(1);
        if shared || finished || checkers.any(|bit| bit) {
            return Err(PositionIdError::Checkers);
        }
        Ok(Self(board))
    }
}

impl TryFrom<String> for PositionId {
    type Error = PositionIdError;

    fn try_from(text: String) -> Result<Self, PositionIdError> {
        text.parse()
    }
}

impl From<PositionId> for String {
    fn from(position: PositionId) -> Self {
        position.to_string()
    }
}
