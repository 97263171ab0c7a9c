//! Move notation: coordinates (as in UCI) and standard algebraic notation (SAN).

use super::fen::{LETTERS, parse_square, square_name};
use super::position::{EMPTY, KING, PAWN, kind_of};
use super::rules::{ChessRules, Move, is_mate, plan};
use super::state::State;
use meeple_plan::{Handled, RuleSet};

/// Writes a move in coordinate notation, such as `e7e8q`.
pub(super) fn coordinates(event: &Move) -> String {
    let mut text = square_name(event.from) + &square_name(event.to);
    if event.promotion != 0 {
        text.push(LETTERS[usize::from(event.promotion)]);
    }
    text
}

/// Parses coordinate notation.
pub(super) fn parse_coordinates(text: &str) -> Option<Move> {
    let from = parse_square(text.get(..2)?)?;
    let to = parse_square(text.get(2..4)?)?;
    let promotion = match text.get(4..)? {
        "" => 0,
        "n" => 1,
        "b" => 2,
        "r" => 3,
        "q" => 4,
        _ => return None,
    };
    Some(Move { from, to, promotion })
}

fn legal(state: &State) -> Vec<Move> {
    let mut moves = Vec::new();
    plan().visit_legal(state, &ChessRules::facts(state), |candidate| moves.push(candidate.event));
    moves
}

/// Writes a legal move in SAN, such as `Nbxd7+`.
pub(super) fn san(state: &State, event: &Move) -> String {
    let position = &state.position;
    let kind = kind_of(position.at(event.from));
    let castles = kind == KING && event.from.abs_diff(event.to) == 2;
    let captures = position.at(event.to) != EMPTY || kind == PAWN && event.from % 8 != event.to % 8;
    let mut text = String::new();
    if castles {
        text.push_str(if event.to % 8 == 6 { "O-O" } else { "O-O-O" });
    } else {
        if kind == PAWN {
            if captures {
                text.push(char::from(b'a' + event.from % 8));
            }
        } else {
            text.push(LETTERS[usize::from(kind)].to_ascii_uppercase());
            text.push_str(&disambiguation(state, event));
        }
        if captures {
            text.push('x');
        }
        text.push_str(&square_name(event.to));
        if event.promotion != 0 {
            text.push('=');
            text.push(LETTERS[usize::from(event.promotion)].to_ascii_uppercase());
        }
    }
    if let Handled::Applied(next) = plan().handle(state, event)
        && next.position.is_check(next.position.mover())
    {
        text.push(if is_mate(&next, &ChessRules::facts(&next)) { '#' } else { '+' });
    }
    text
}

/// The from-file, from-rank or both, if another piece of the same kind has a legal move to
/// the same square.
fn disambiguation(state: &State, event: &Move) -> String {
    let kind = kind_of(state.position.at(event.from));
    let rivals: Vec<u8> = (legal(state).into_iter())
        .filter(|other| {
            other.to == event.to
                && other.from != event.from
                && kind_of(state.position.at(other.from)) == kind
        })
        .map(|other| other.from)
        .collect();
    let name = square_name(event.from);
    if rivals.is_empty() {
        String::new()
    } else if rivals.iter().all(|from| from % 8 != event.from % 8) {
        name[..1].into()
    } else if rivals.iter().all(|from| from / 8 != event.from / 8) {
        name[1..].into()
    } else {
        name
    }
}

/// Parses SAN: the only legal move that matches. Check marks and annotations such as `!?`
/// are ignored, and redundant disambiguation is accepted.
pub(super) fn parse_san(state: &State, text: &str) -> Option<Move> {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    let fits: Box<dyn Fn(&Move) -> bool> = match text.replace('0', "O").as_str() {
        "O-O" => Box::new(|event| is_castling(state, event, 6)),
        "O-O-O" => Box::new(|event| is_castling(state, event, 2)),
        _ => {
            let san = San::parse(text)?;
            Box::new(move |event| san.fits(state, event))
        }
    };
    let mut fitting = legal(state).into_iter().filter(|event| fits(event));
    let event = fitting.next()?;
    fitting.next().is_none().then_some(event)
}

/// Returns the legal moves that match `text` in lenient SAN.
pub(super) fn matching(state: &State, text: &str) -> Vec<Move> {
    let text = normalize(text);
    legal(state).into_iter().filter(|event| lenient_forms(state, event).contains(&text)).collect()
}

/// Lower-cases `text` and removes all signs but files, ranks and pieces.
fn normalize(text: &str) -> String {
    let text = text.to_ascii_lowercase().replace('0', "o");
    text.chars().filter(|letter| !"x=+#-!?".contains(*letter)).collect()
}

/// All normalized forms of a move: with and without the from-square, with and without the
/// promotion piece.
fn lenient_forms(state: &State, event: &Move) -> Vec<String> {
    let position = &state.position;
    let kind = kind_of(position.at(event.from));
    if kind == KING && event.from.abs_diff(event.to) == 2 {
        return vec![if event.to % 8 == 6 { "oo".into() } else { "ooo".into() }];
    }
    let (from, to) = (square_name(event.from), square_name(event.to));
    let (file, rank) = from.split_at(1);
    let captures = event.from % 8 != event.to % 8;
    let (piece, origins) = match kind {
        PAWN if captures => (String::new(), vec![file, from.as_str()]),
        PAWN => (String::new(), vec!["", from.as_str()]),
        _ => (LETTERS[usize::from(kind)].to_string(), vec!["", file, rank, from.as_str()]),
    };
    let mut forms: Vec<String> =
        origins.iter().map(|origin| format!("{piece}{origin}{to}")).collect();
    if event.promotion != 0 {
        let letter = LETTERS[usize::from(event.promotion)];
        forms.extend(forms.clone().iter().map(|form| format!("{form}{letter}")));
    }
    forms
}

fn is_castling(state: &State, event: &Move, file: u8) -> bool {
    kind_of(state.position.at(event.from)) == KING
        && event.from.abs_diff(event.to) == 2
        && event.to % 8 == file
}

/// A parsed SAN move.
struct San {
    kind: u8,
    file: Option<u8>,
    rank: Option<u8>,
    captures: bool,
    to: u8,
    promotion: u8,
}

impl San {
    fn parse(text: &str) -> Option<Self> {
        if !text.is_ascii() {
            return None;
        }
        let (text, promotion) = match text.split_once('=') {
            Some((text, piece)) => (text, parse_piece(piece)?),
            None => match text.char_indices().next_back()? {
                (at, letter @ ('N' | 'B' | 'R' | 'Q')) if at > 0 => {
                    (&text[..at], parse_piece(&letter.to_string())?)
                }
                _ => (text, 0),
            },
        };
        let (kind, rest) = match text.chars().next()? {
            'K' => (KING, &text[1..]),
            'N' | 'B' | 'R' | 'Q' => (parse_piece(&text[..1])?, &text[1..]),
            _ => (PAWN, text),
        };
        let to = parse_square(rest.get(rest.len().checked_sub(2)?..)?)?;
        let before = &rest[..rest.len() - 2];
        let captures = before.contains('x');
        let (mut file, mut rank) = (None, None);
        for letter in before.trim_end_matches('x').bytes() {
            match letter {
                b'a'..=b'h' if file.is_none() && rank.is_none() => file = Some(letter - b'a'),
                b'1'..=b'8' if rank.is_none() => rank = Some(letter - b'1'),
                _ => return None,
            }
        }
        Some(Self { kind, file, rank, captures, to, promotion })
    }

    fn fits(&self, state: &State, event: &Move) -> bool {
        let position = &state.position;
        let kind = kind_of(position.at(event.from));
        let captures =
            position.at(event.to) != EMPTY || kind == PAWN && event.from % 8 != event.to % 8;
        kind == self.kind
            && event.to == self.to
            && event.promotion == self.promotion
            && (captures || !self.captures)
            && self.file.is_none_or(|file| file == event.from % 8)
            && self.rank.is_none_or(|rank| rank == event.from / 8)
            // A pawn capture must name the from-file.
            && (kind != PAWN || !captures || self.file.is_some())
    }
}

fn parse_piece(text: &str) -> Option<u8> {
    let kind = LETTERS.iter().position(|letter| text == letter.to_ascii_uppercase().to_string())?;
    (kind > 0 && kind < 5).then_some(kind as u8)
}
