//! Positions in Forsyth-Edwards Notation (FEN).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::position::{
    ALL_RIGHTS, EMPTY, KING, NO_SQUARE, PAWN, Position, ROOK, kind_of, piece, side_of,
};

/// The letters of the piece kinds, in lower case (black).
pub(super) const LETTERS: [char; 6] = ['p', 'n', 'b', 'r', 'q', 'k'];
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A legal position, read from and written as FEN.
///
/// ```
/// use meeple_games::chess::Fen;
///
/// let fen: Fen = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1".parse()?;
/// assert_eq!(fen.to_string(), "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1");
/// let error = "8/8/8/8/8/8/8/K7 w - - 0 1".parse::<Fen>().unwrap_err();
/// assert_eq!(error.to_string(), "FEN: expected one black king, found 0");
/// # Ok::<_, meeple_games::chess::FenError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Fen(pub(super) Position);

/// The standard starting position.
impl Default for Fen {
    fn default() -> Self {
        START.parse().expect("the starting position is valid")
    }
}

/// An invalid FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// The number of fields is not four to six.
    #[error(
        "FEN: expected 4 to 6 fields (board, side, castling, en passant, two clocks), found {0}"
    )]
    Fields(usize),
    /// The board is not eight ranks.
    #[error("FEN: expected 8 ranks separated by '/', found {0}")]
    Ranks(usize),
    /// A rank is not eight squares.
    #[error("FEN: rank {rank}: expected 8 squares, found {squares}")]
    Squares {
        /// The rank, 1 to 8.
        rank: u8,
        /// The number of squares found.
        squares: u32,
    },
    /// An invalid character in the board field.
    #[error("FEN: rank {rank}: expected one of PNBRQKpnbrqk or a digit, found {letter:?}")]
    Letter {
        /// The rank, 1 to 8.
        rank: u8,
        /// The letter.
        letter: char,
    },
    /// An invalid field.
    #[error("FEN: {field}: expected {expected}, found {found:?}")]
    Field {
        /// The name of the field.
        field: &'static str,
        /// The expected format.
        expected: &'static str,
        /// The text found.
        found: String,
    },
    /// A side does not have exactly one king.
    #[error("FEN: expected one {side} king, found {kings}")]
    Kings {
        /// The side.
        side: &'static str,
        /// The number of kings found.
        kings: u32,
    },
    /// Pawns on the first or last rank.
    #[error("FEN: a pawn stands on the first or last rank")]
    Pawns,
    /// A castling right without king and rook on their home squares.
    #[error("FEN: castling right {0} needs its king and rook on their home squares")]
    Right(char),
    /// The side that is not to move is in check.
    #[error("FEN: the side that is not to move is in check")]
    Check,
}

impl FromStr for Fen {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let (&[board, side, rights, en_passant], clocks) = fields
            .split_first_chunk()
            .filter(|(_, clocks)| clocks.len() <= 2)
            .ok_or(FenError::Fields(fields.len()))?;
        let mut position = Position::empty();
        read_board(board, &mut position)?;
        match side {
            "w" => {}
            "b" => position.pass_turn(),
            _ => return Err(wrong("side to move", "w or b", side)),
        }
        check_pieces(&position)?;
        read_rights(rights, &mut position)?;
        read_en_passant(en_passant, &mut position)?;
        position.clock = match clocks.first() {
            Some(text) => text
                .parse()
                .ok()
                .filter(|clock| *clock <= 100)
                .ok_or_else(|| wrong("half-move clock", "a number from 0 to 100", text))?,
            None => 0,
        };
        position.set_number(match clocks.get(1) {
            // Some programs write 0 for the first move number.
            Some(text) => text
                .parse::<u16>()
                .map_err(|_| wrong("move number", "a number from 1 to 65535", text))?
                .max(1),
            None => 1,
        });
        Ok(Self(position))
    }
}

fn wrong(field: &'static str, expected: &'static str, found: &str) -> FenError {
    FenError::Field { field, expected, found: found.into() }
}

fn read_board(text: &str, position: &mut Position) -> Result<(), FenError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(FenError::Ranks(ranks.len()));
    }
    for (rank, row) in (0..8u8).rev().zip(ranks) {
        let mut file = 0;
        for letter in row.chars() {
            let kind = LETTERS.iter().position(|&other| other == letter.to_ascii_lowercase());
            match (kind, letter.to_digit(10)) {
                (Some(kind), _) => {
                    if file < 8 {
                        let side = usize::from(letter.is_ascii_lowercase());
                        position.put(rank * 8 + file as u8, piece(kind as u8, side));
                    }
                    file += 1;
                }
                (None, Some(empty @ 1..=8)) => file += empty,
                _ => return Err(FenError::Letter { rank: rank + 1, letter }),
            }
        }
        if file != 8 {
            return Err(FenError::Squares { rank: rank + 1, squares: file });
        }
    }
    Ok(())
}

fn check_pieces(position: &Position) -> Result<(), FenError> {
    for (side, name) in ["white", "black"].into_iter().enumerate() {
        let kings = (position.kind(KING) & position.side(side)).count_ones();
        if kings != 1 {
            return Err(FenError::Kings { side: name, kings });
        }
    }
    if position.kind(PAWN) & 0xff00_0000_0000_00ff != 0 {
        return Err(FenError::Pawns);
    }
    if position.is_check(position.mover() ^ 1) {
        return Err(FenError::Check);
    }
    Ok(())
}

fn read_rights(text: &str, position: &mut Position) -> Result<(), FenError> {
    let mut rights = 0;
    for letter in text.chars().filter(|_| text != "-") {
        let Some(at) = "KQkq".find(letter) else {
            return Err(wrong("castling", "- or some of KQkq", text));
        };
        let (side, home) = (at / 2, 56 * (at as u8 / 2));
        let rook = if at % 2 == 0 { home + 7 } else { home };
        if position.at(home + 4) != piece(KING, side) || position.at(rook) != piece(ROOK, side) {
            return Err(FenError::Right(letter));
        }
        rights |= 1 << at;
    }
    debug_assert!(rights <= ALL_RIGHTS);
    position.set_rights(rights);
    Ok(())
}

fn read_en_passant(text: &str, position: &mut Position) -> Result<(), FenError> {
    const EXPECTED: &str = "- or the empty square behind a pawn that has just moved two squares";
    if text == "-" {
        return Ok(());
    }
    let square = parse_square(text).ok_or_else(|| wrong("en passant", EXPECTED, text))?;
    let them = position.mover() ^ 1;
    let rank = if them == 0 { 2 } else { 5 };
    // `square ^ 8` is one rank beyond the en passant square, where the pawn stands.
    let fits = square / 8 == rank
        && position.at(square) == EMPTY
        && position.at(square ^ 8) == piece(PAWN, them);
    if !fits {
        return Err(wrong("en passant", EXPECTED, text));
    }
    // An en passant square without a legal capture is dropped, so that equal positions
    // compare equal.
    position.pass_turn();
    let legal = position.can_capture_en_passant(square);
    position.pass_turn();
    position.set_en_passant(if legal { square } else { NO_SQUARE });
    Ok(())
}

/// Parses a square such as `e4`.
pub(super) fn parse_square(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some((rank - b'1') * 8 + (file - b'a')),
        _ => None,
    }
}

/// The name of a square, such as `e4`.
pub(super) fn square_name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 8), 1 + square / 8)
}

/// The letter of a piece, upper case for white.
pub(super) fn letter(piece: u8) -> char {
    let letter = LETTERS[usize::from(kind_of(piece))];
    if side_of(piece) == 0 { letter.to_ascii_uppercase() } else { letter }
}

impl fmt::Display for Fen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = &self.0;
        for rank in (0..8u8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                let piece = position.at(rank * 8 + file);
                if piece == EMPTY {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    write!(f, "{empty}")?;
                    empty = 0;
                }
                write!(f, "{}", letter(piece))?;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            write!(f, "{}", if rank > 0 { "/" } else { " " })?;
        }
        write!(f, "{} ", if position.mover() == 0 { 'w' } else { 'b' })?;
        for (at, right) in "KQkq".chars().enumerate() {
            if position.rights() >> at & 1 == 1 {
                write!(f, "{right}")?;
            }
        }
        if position.rights() == 0 {
            write!(f, "-")?;
        }
        let en_passant = match position.en_passant() {
            NO_SQUARE => "-".into(),
            square => square_name(square),
        };
        write!(f, " {en_passant} {} {}", position.clock, position.number())
    }
}

impl TryFrom<String> for Fen {
    type Error = FenError;

    fn try_from(text: String) -> Result<Self, FenError> {
        text.parse()
    }
}

impl From<Fen> for String {
    fn from(fen: Fen) -> Self {
        fen.to_string()
    }
}
