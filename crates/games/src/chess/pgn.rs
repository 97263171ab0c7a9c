//! Games in Portable Game Notation (PGN).

use std::fmt;
use std::str::FromStr;

use meeple_plan::Handled;

use super::fen::Fen;
use super::notation;
use super::rules::{Move, plan};
use super::state::State;

/// The maximum length of a line of moves.
const WIDTH: usize = 79;
/// The Seven Tag Roster, in its order.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// A game of chess with its tags and moves.
///
/// Comments, variations and numeric annotation glyphs are skipped when a game is read.
///
/// ```
/// use meeple_games::chess::Pgn;
///
/// let game: Pgn = "[White \"Anna\"]\n\n1. f3 {why?} e5 2. g4 Qh4# 0-1".parse()?;
/// assert_eq!(game.tag("White"), Some("Anna"));
/// assert_eq!(game.moves.len(), 4);
/// assert!(game.to_string().ends_with("1. f3 e5 2. g4 Qh4# 0-1\n"));
/// # Ok::<_, meeple_games::chess::PgnError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pgn {
    /// The tag pairs, such as `White` and a name.
    pub tags: Vec<(String, String)>,
    /// The starting position.
    pub start: Fen,
    /// The moves, all legal.
    pub moves: Vec<Move>,
    /// The result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: Score,
}

/// The result of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Score {
    /// White wins.
    White,
    /// Black wins.
    Black,
    /// A draw.
    Draw,
    /// In progress or unknown.
    #[default]
    Open,
}

/// An invalid PGN text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PgnError {
    /// A malformed tag pair.
    #[error("PGN line {line}: expected [Name \"value\"], found {found:?}")]
    Tag {
        /// The line, from 1.
        line: usize,
        /// The text found.
        found: String,
    },
    /// The `FEN` tag is invalid.
    #[error("PGN line {line}: {error}")]
    Start {
        /// The line of the tag.
        line: usize,
        /// The error in the FEN.
        error: super::FenError,
    },
    /// An illegal or unreadable move.
    #[error("PGN line {line}: expected a legal move in position {fen}, found {found:?}")]
    Move {
        /// The line, from 1.
        line: usize,
        /// The text found.
        found: String,
        /// The position before the move.
        fen: String,
    },
    /// An unclosed comment or variation.
    #[error("PGN line {line}: unclosed {what}")]
    Unclosed {
        /// The line, from 1.
        line: usize,
        /// `comment` or `variation`.
        what: &'static str,
    },
    /// The text does not contain exactly one game.
    #[error("PGN: expected one game, found {0}")]
    Games(usize),
}

impl Score {
    const ALL: [Self; 4] = [Self::White, Self::Black, Self::Draw, Self::Open];

    fn text(self) -> &'static str {
        match self {
            Self::White => "1-0",
            Self::Black => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Open => "*",
        }
    }

    /// The result given by the payoff of white.
    #[must_use]
    pub fn of_payoff(payoff: f32) -> Self {
        match payoff {
            _ if payoff > 0.0 => Self::White,
            _ if payoff < 0.0 => Self::Black,
            _ => Self::Draw,
        }
    }
}

impl Pgn {
    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// Parses all games of a text.
    ///
    /// # Errors
    ///
    /// The first syntax error or illegal move, with its line.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, PgnError> {
        let mut reader = Reader::default();
        for token in Tokens::new(text) {
            reader.take(&token?)?;
        }
        reader.finish()
    }
}

impl FromStr for Pgn {
    type Err = PgnError;

    fn from_str(text: &str) -> Result<Self, PgnError> {
        let mut games = Self::parse_all(text)?;
        match games.len() {
            1 => Ok(games.remove(0)),
            count => Err(PgnError::Games(count)),
        }
    }
}

/// A token with its line.
struct Token<'a> {
    line: usize,
    kind: Kind<'a>,
}

enum Kind<'a> {
    Tag(&'a str),
    Word(&'a str),
}

/// Iterates over tags and words, skipping comments, variations and escaped lines.
struct Tokens<'a> {
    text: &'a str,
    line: usize,
    line_start: bool,
}

impl<'a> Tokens<'a> {
    fn new(text: &'a str) -> Self {
        Self { text: text.trim_start_matches('\u{feff}'), line: 1, line_start: true }
    }

    /// Consumes `bytes` bytes of the text, counting lines.
    fn advance(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.text.split_at(bytes);
        self.line += taken.matches('\n').count();
        self.line_start = taken.ends_with('\n');
        self.text = rest;
        taken
    }

    fn skip_line(&mut self) {
        let end = self.text.find('\n').map_or(self.text.len(), |at| at + 1);
        self.advance(end);
    }

    /// Skips a comment, or a variation with everything nested in it.
    fn skip_nested(&mut self, what: &'static str) -> Result<(), PgnError> {
        let line = self.line;
        let (mut variations, mut in_comment) = (0, false);
        for (at, letter) in self.text.char_indices() {
            match letter {
                '}' => in_comment = false,
                _ if in_comment => {}
                '{' => in_comment = true,
                '(' => variations += 1,
                ')' => variations -= 1,
                _ => {}
            }
            if variations == 0 && !in_comment {
                self.advance(at + 1);
                return Ok(());
            }
        }
        Err(PgnError::Unclosed { line, what })
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Result<Token<'a>, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let first = self.text.chars().next()?;
            let line = self.line;
            match first {
                _ if first.is_whitespace() => {
                    self.advance(first.len_utf8());
                }
                '%' if self.line_start => self.skip_line(),
                ';' => self.skip_line(),
                '{' | '(' => {
                    let what = if first == '{' { "comment" } else { "variation" };
                    if let Err(error) = self.skip_nested(what) {
                        self.text = "";
                        return Some(Err(error));
                    }
                }
                '[' => {
                    let end = self.text.find('\n').unwrap_or(self.text.len());
                    return Some(Ok(Token { line, kind: Kind::Tag(self.advance(end).trim()) }));
                }
                _ => {
                    let stops = |letter: char| letter.is_whitespace() || "{(;[".contains(letter);
                    let end = self.text.find(stops).unwrap_or(self.text.len());
                    return Some(Ok(Token { line, kind: Kind::Word(self.advance(end)) }));
                }
            }
        }
    }
}

/// The parser state.
#[derive(Default)]
struct Reader {
    games: Vec<Pgn>,
    tags: Vec<(String, String)>,
    start: Option<Fen>,
    moves: Vec<Move>,
    state: Option<State>,
}

impl Reader {
    fn take(&mut self, token: &Token<'_>) -> Result<(), PgnError> {
        match token.kind {
            Kind::Tag(text) => {
                // A tag after moves starts the next game.
                if self.state.is_some() {
                    self.close(Score::Open);
                }
                self.read_tag(token.line, text)
            }
            Kind::Word(word) => self.read_word(token.line, word),
        }
    }

    fn read_tag(&mut self, line: usize, text: &str) -> Result<(), PgnError> {
        let wrong = || PgnError::Tag { line, found: text.into() };
        let inner =
            text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).ok_or_else(wrong)?;
        let (name, value) = inner.trim().split_once(char::is_whitespace).ok_or_else(wrong)?;
        let value = value.trim().strip_prefix('"').and_then(|value| value.strip_suffix('"'));
        let value = value.ok_or_else(wrong)?.replace("\\\"", "\"").replace("\\\\", "\\");
        if name == "FEN" {
            self.start = Some(value.parse().map_err(|error| PgnError::Start { line, error })?);
        }
        self.tags.push((name.into(), value));
        Ok(())
    }

    fn read_word(&mut self, line: usize, word: &str) -> Result<(), PgnError> {
        if let Some(score) = Score::ALL.into_iter().find(|score| score.text() == word) {
            self.close(score);
            return Ok(());
        }
        // A move number is a word of its own or a prefix of the move: "1.", "1.e4", "3...".
        let digits = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let san = if digits.starts_with('.') { digits.trim_start_matches('.') } else { word };
        if san.is_empty() || san.starts_with('$') || san.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(());
        }
        let start = self.start.unwrap_or_default();
        let state = self.state.get_or_insert_with(|| State::new(start.0));
        let event = super::parse_move(state, san);
        let next = event.map(|event| (event, plan().handle(state, &event)));
        let Some((event, Handled::Applied(next))) = next else {
            let fen = Fen(state.position).to_string();
            return Err(PgnError::Move { line, found: san.into(), fen });
        };
        *state = next;
        self.moves.push(event);
        Ok(())
    }

    fn close(&mut self, result: Score) {
        self.games.push(Pgn {
            tags: std::mem::take(&mut self.tags),
            start: self.start.take().unwrap_or_default(),
            moves: std::mem::take(&mut self.moves),
            result,
        });
        self.state = None;
    }

    fn finish(mut self) -> Result<Vec<Pgn>, PgnError> {
        if !self.tags.is_empty() || self.state.is_some() {
            self.close(Score::Open);
        }
        Ok(self.games)
    }
}

impl fmt::Display for Pgn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let result = self.result.text();
        let mut tag = |name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")
        };
        for name in ROSTER {
            let value = if name == "Result" { Some(result) } else { self.tag(name) };
            tag(name, value.unwrap_or(if name == "Date" { "????.??.??" } else { "?" }))?;
        }
        let written = |name: &str| ROSTER.contains(&name) || name == "FEN" || name == "SetUp";
        for (name, value) in self.tags.iter().filter(|(name, _)| !written(name)) {
            tag(name, value)?;
        }
        if self.start != Fen::default() {
            tag("SetUp", "1")?;
            tag("FEN", &self.start.to_string())?;
        }
        writeln!(f)?;
        let mut column = 0;
        for word in self.words().into_iter().chain([result.to_owned()]) {
            if column > 0 && column + 1 + word.len() > WIDTH {
                writeln!(f)?;
                column = 0;
            }
            let space = if column > 0 { " " } else { "" };
            write!(f, "{space}{word}")?;
            column += space.len() + word.len();
        }
        writeln!(f)
    }
}

impl Pgn {
    /// Move numbers and moves in SAN, in order.
    fn words(&self) -> Vec<String> {
        let mut state = State::new(self.start.0);
        let mut words = Vec::new();
        for (at, event) in self.moves.iter().enumerate() {
            let (number, white) = (state.position.number(), state.position.mover() == 0);
            if white {
                words.push(format!("{number}."));
            } else if at == 0 {
                words.push(format!("{number}..."));
            }
            words.push(notation::san(&state, event));
            if let Handled::Applied(next) = plan().handle(&state, event) {
                state = next;
            }
        }
        words
    }
}
