//! Chess on bitboards, described as rules for the rule engine.
#![doc = include_str!("README.md")]

mod attacks;
pub mod evaluation;
mod exchange;
mod fen;
mod notation;
mod pgn;
mod pgn_games;
mod position;
mod rules;
mod state;
mod tactics;

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use meeple_game::{Action, MAX_PLAYERS, ObservationSpec, Payoffs, Player, Tactics};
use meeple_plan::{Plan, RuleSet};
use serde::{Deserialize, Serialize};

use crate::described::{Described, DescribedGame, Engine, observation_of};
pub use fen::{Fen, FenError};
pub use pgn::{Pgn, PgnError, Score};
pub use pgn_games::{read_pgn, write_pgn};
pub use rules::{ChessRules, Move, plan};
pub use state::State;

use position::{EMPTY, KNIGHT, PAWN, QUEEN, kind_of};
use rules::relative_square;

/// Action ids of moves that are not underpromotions: from-square times to-square.
const PLAIN_MOVES: u16 = 64 * 64;
/// Underpromotions: eight files, three directions, three pieces.
const UNDERPROMOTIONS: u16 = 8 * 3 * 3;

/// Chess as a game.
pub type Chess = DescribedGame<ChessRules>;

/// The configuration: the starting position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The starting position, in FEN.
    pub fen: Fen,
}

static OBSERVATION: LazyLock<ObservationSpec> = LazyLock::new(|| observation_of(plan(), 1));

/// The expected payoffs by the evaluation.
fn evaluate(state: &State) -> Payoffs {
    let score = evaluation::evaluate(&state.position) as f32;
    let value = 0.98 * (score / tactics::SCALE as f32).tanh();
    let mut payoffs = [0.0; MAX_PLAYERS];
    let mover = state.position.mover();
    // A zero has no sign.
    (payoffs[mover], payoffs[mover ^ 1]) = (value + 0.0, 0.0 - value);
    payoffs
}

impl Described for ChessRules {
    type Config = Options;

    const NAME: &'static str = "chess";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const ACTIONS: usize = (PLAIN_MOVES + UNDERPROMOTIONS) as usize;
    const CHANCE: bool = false;
    const EVALUATION: Option<fn(&State) -> Payoffs> = Some(evaluate);
    const TACTICS: Option<Tactics<Chess>> = Some(tactics::TACTICS);

    fn plan() -> &'static Plan<Self> {
        plan()
    }

    fn engine() -> &'static Engine<Self> {
        static ENGINE: Engine<ChessRules> = Engine::NEW;
        &ENGINE
    }

    fn observation() -> &'static ObservationSpec {
        &OBSERVATION
    }

    fn start(options: &Options) -> State {
        State::new(options.fen.0)
    }

    fn mover(state: &State) -> Player {
        Player(state.position.mover() as u8)
    }

    /// Numbers squares from the side of the player to move, so that a policy network sees
    /// both colours alike.
    #[inline]
    fn action_of(state: &State, event: &Move) -> Action {
        let us = state.position.mover();
        if (KNIGHT..QUEEN).contains(&event.promotion) {
            let direction = 1 + event.to % 8 - event.from % 8;
            let index = (event.from % 8 * 3 + direction) * 3 + event.promotion - KNIGHT;
            return Action(PLAIN_MOVES + u16::from(index));
        }
        let (from, to) = (relative_square(us, event.from), relative_square(us, event.to));
        Action(u16::from(from) * 64 + u16::from(to))
    }

    #[inline]
    fn event_of(state: &State, action: Action) -> Move {
        let us = state.position.mover();
        if let Some(index) = action.0.checked_sub(PLAIN_MOVES) {
            let (file, direction) = (index / 9, index / 3 % 3);
            let to = 56 + (file + direction).saturating_sub(1) as u8;
            return Move {
                from: relative_square(us, 48 + file as u8),
                to: relative_square(us, to),
                promotion: KNIGHT + (index % 3) as u8,
            };
        }
        let from = relative_square(us, (action.0 / 64) as u8);
        let to = relative_square(us, (action.0 % 64) as u8);
        let piece = state.position.at(from);
        let promotes = piece != EMPTY && kind_of(piece) == PAWN && matches!(to / 8, 0 | 7);
        Move { from, to, promotion: if promotes { QUEEN } else { 0 } }
    }

    fn name_of(_: &State, event: &Move) -> String {
        notation::coordinates(event)
    }

    fn parse(state: &State, text: &str) -> Option<Move> {
        notation::parse_san(state, text)
    }

    fn read(state: &State, text: &str) -> Option<Move> {
        notation::parse_coordinates(text).or_else(|| notation::parse_san(state, text))
    }

    fn key(state: &State) -> u64 {
        state.key()
    }

    fn draw(state: &State, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Self::draw_for(state, Player(0), f)
    }

    /// Draws the board from the side of `player`.
    fn draw_for(state: &State, player: Player, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flip = |at: u8| if player == Player(0) { at } else { 7 - at };
        for rank in (0..8).rev().map(flip) {
            write!(f, "{}", rank + 1)?;
            for file in (0..8).map(flip) {
                let piece = state.position.at(rank * 8 + file);
                write!(f, " {}", if piece == EMPTY { '.' } else { fen::letter(piece) })?;
            }
            writeln!(f)?;
        }
        write!(f, " ")?;
        for file in (0..8).map(flip) {
            write!(f, " {}", char::from(b'a' + file))?;
        }
        write!(f, "\n{}", Fen(state.position))
    }

    fn is_consistent(state: &State) -> bool {
        state.position.is_consistent()
    }
}

/// Writes a legal move of `state` in standard algebraic notation, such as `Nbxd7+`.
#[must_use]
pub fn san(state: &State, event: &Move) -> String {
    notation::san(state, event)
}

/// Parses a move in coordinate notation (`e7e8q`) or SAN (`exd8=Q+`); `None` if it is not
/// legal.
#[must_use]
pub fn parse_move(state: &State, text: &str) -> Option<Move> {
    let event = notation::parse_coordinates(text).or_else(|| notation::parse_san(state, text))?;
    matches!(plan().handle(state, &event), meeple_plan::Handled::Applied(_)).then_some(event)
}

/// Returns the legal moves that match `text` in a lenient form of SAN: case, `x`, `=` and
/// the promotion piece may be left out (`nf3`, `ed5`, `oo`, `a8`), and the move may be
/// ambiguous, in which case all matches are returned.
///
/// ```
/// use meeple_game::Game;
/// use meeple_games::chess::{Chess, matching_moves, san};
///
/// let start = Chess::new(&Default::default());
/// let moves = matching_moves(start.state(), "nf3");
/// assert_eq!(moves.iter().map(|event| san(start.state(), event)).collect::<Vec<_>>(), ["Nf3"]);
/// assert!(matching_moves(start.state(), "e5").is_empty());
/// ```
#[must_use]
pub fn matching_moves(state: &State, text: &str) -> Vec<Move> {
    notation::matching(state, text)
}

/// Returns the legal moves of `state` in coordinate notation, each with the state after it.
#[must_use]
pub fn legal_moves(state: &State) -> Vec<(String, State)> {
    let mut moves = Vec::new();
    plan().visit_legal(state, &ChessRules::facts(state), |candidate| {
        let mut next = *state;
        plan().apply(&mut next, &candidate);
        moves.push((notation::coordinates(&candidate.event), next));
    });
    moves
}

/// Counts the leaf nodes at `depth` plies (perft), the standard test of move generation.
///
/// ```
/// use meeple_game::Game;
/// use meeple_games::chess::{Chess, perft};
///
/// let start = Chess::new(&Default::default());
/// assert_eq!(perft(start.state(), 3), 8902);
/// ```
#[must_use]
pub fn perft(state: &State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let facts = ChessRules::facts(state);
    if depth == 1 {
        return plan().count_legal(state, &facts);
    }
    let mut nodes = 0;
    plan().visit_legal(state, &facts, |candidate| {
        let mut next = *state;
        plan().apply(&mut next, &candidate);
        nodes += perft(&next, depth - 1);
    });
    nodes
}
