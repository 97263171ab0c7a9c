//! PGN games as actions of the game, and back.

use meeple_game::{Action, Game, IllegalAction};

use super::pgn::{Pgn, PgnError, Score};
use super::{Chess, ChessRules, Options};
use crate::RecordedGame;
use crate::described::Described;

/// Reads the games of a PGN file.
///
/// ```
/// use meeple_games::chess::read_pgn;
///
/// let games = read_pgn("[White \"Anna\"]\n\n1. f3 e5 2. g4 Qh4# 0-1")?;
/// assert_eq!((games[0].names[0].as_str(), &games[0].payoffs[..]), ("Anna", &[-1.0, 1.0][..]));
/// # Ok::<_, meeple_games::chess::PgnError>(())
/// ```
///
/// # Errors
///
/// When a game is invalid; the error has its line.
pub fn read_pgn(text: &str) -> Result<Vec<RecordedGame>, PgnError> {
    Ok(Pgn::parse_all(text)?.iter().map(recorded).collect())
}

fn recorded(pgn: &Pgn) -> RecordedGame {
    let config = Options { fen: pgn.start };
    let mut game = Chess::new(&config);
    let mut actions = Vec::with_capacity(pgn.moves.len());
    for event in &pgn.moves {
        let action = ChessRules::action_of(game.state(), event);
        game.apply(action);
        actions.push(action);
    }
    let white = match pgn.result {
        Score::White => 1.0,
        Score::Black => -1.0,
        Score::Draw | Score::Open => 0.0,
    };
    let name = |tag: &str| pgn.tag(tag).unwrap_or("?").to_owned();
    let names = vec![name("White"), name("Black")];
    // A game may end by resignation or agreement, so the result is that of the file.
    RecordedGame {
        payoffs: vec![white, -white],
        ..RecordedGame::new::<Chess>(&config, names, actions)
    }
}

/// Writes a game as PGN.
///
/// `payoff` is that of White, if the game is over; its result is open otherwise.
///
/// # Errors
///
/// When an action is not legal.
pub fn write_pgn(
    config: &Options,
    actions: &[Action],
    names: [&str; 2],
    payoff: Option<f32>,
) -> Result<String, IllegalAction> {
    let mut game = Chess::new(config);
    let start = game.state().fen();
    let mut moves = Vec::with_capacity(actions.len());
    for &action in actions {
        let before = game;
        game.try_apply(action)?;
        moves.push(ChessRules::event_of(before.state(), action));
    }
    let result = payoff.map_or(Score::Open, Score::of_payoff);
    let tags = [("Event", "Meeple"), ("White", names[0]), ("Black", names[1])];
    let tags = tags.map(|(tag, value)| (tag.to_owned(), value.to_owned())).to_vec();
    Ok(Pgn { tags, start, moves, result }.to_string())
}
