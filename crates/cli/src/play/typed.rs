//! What a person typed: a choice read as the game's people write it, or a command.

use meeple_arena::Position;
use meeple_game::Action;
use meeple_games::backgammon::Backgammon;
use meeple_games::chess::{self, Chess};
use meeple_games::described::Described;
use meeple_games::holdem::Holdem;
use meeple_games::magic::Magic;

use super::words;
use crate::refusal;

/// The most candidates that a message lists.
const LISTED: usize = 10;

/// What was typed.
#[derive(Debug, PartialEq)]
pub(crate) enum Typed {
    /// Choices to make one after the other.
    Play(Vec<Action>),
    /// A bet or raise in hold'em to an amount that the table does not list.
    Bet(u32),
    Hint,
    Undo,
    Board,
    Help,
    Resign,
    /// What a card of Magic does.
    Card(String),
    /// Nothing of this, and why.
    Unclear(String),
}

/// Reads a line at a menu of a position, whose choices are numbered from 1.
///
/// The exact name of a choice wins over a command, a command over a number, and that over
/// looser readings, which count only if they leave one choice.
pub(crate) fn read(position: &dyn Position, menu: &[Action], text: &str) -> Typed {
    let text = text.trim();
    if let Some(action) = position.parse_action(text) {
        return Typed::Play(vec![action]);
    }
    match text.to_ascii_lowercase().as_str() {
        "" | "board" => return Typed::Board,
        "hint" => return Typed::Hint,
        "undo" => return Typed::Undo,
        "help" | "?" => return Typed::Help,
        "resign" | "quit" | "exit" => return Typed::Resign,
        _ => {}
    }
    if let Some(typed) = card(position, menu, text) {
        return typed;
    }
    if let Ok(number) = text.parse::<usize>() {
        return match number.checked_sub(1).and_then(|at| menu.get(at)) {
            Some(&action) => Typed::Play(vec![action]),
            None => Typed::Unclear(format!("expected a number from 1 to {}", menu.len())),
        };
    }
    if let Some(typed) = in_game(position, text) {
        return typed;
    }
    let short = |action: &&Action| abbreviates(text, &position.action_name(**action));
    match &menu.iter().filter(short).copied().collect::<Vec<_>>()[..] {
        [] => unknown(position, menu, text),
        [action] => Typed::Play(vec![*action]),
        several => ambiguous(position, several, text),
    }
}

/// `card NAME` and `? N` in Magic: the card, or the one that a choice is about.
fn card(position: &dyn Position, menu: &[Action], text: &str) -> Option<Typed> {
    let game = position.state().downcast_ref::<Magic>()?;
    let (command, about) = match text.strip_prefix('?') {
        Some(about) => ("?", about),
        None => text.split_once(char::is_whitespace)?,
    };
    let about = about.trim();
    let chosen = about.parse::<usize>().ok().map(|number| {
        number.checked_sub(1).and_then(|at| menu.get(at)).and_then(|&action| game.card_of(action))
    });
    match (command.to_ascii_lowercase().as_str(), chosen) {
        ("card" | "?", Some(Some(name))) => Some(Typed::Card(name.to_owned())),
        ("card" | "?", Some(None)) => {
            Some(Typed::Unclear(format!("choice {about} is not about a card")))
        }
        ("card" | "?", None) => Some(Typed::Card(about.to_owned())),
        _ => None,
    }
}

/// Readings of one game: free SAN, a whole turn of backgammon, an amount in hold'em.
fn in_game(position: &dyn Position, text: &str) -> Option<Typed> {
    let state = position.state();
    if let Some(game) = state.downcast_ref::<Chess>() {
        let meant = chess::matching_moves(game.state(), text);
        let meant: Vec<Action> =
            (meant.iter()).map(|event| chess::ChessRules::action_of(game.state(), event)).collect();
        return match meant.len() {
            0 => None,
            1 => Some(Typed::Play(meant)),
            _ => Some(ambiguous(position, &meant, text)),
        };
    }
    if let Some(game) = state.downcast_ref::<Backgammon>() {
        return game.parse_turn(text).map(Typed::Play);
    }
    let game = state.downcast_ref::<Holdem>()?;
    let amount = game.amount_named(text)?;
    let range = game.bet_range()?;
    if !range.contains(&amount) {
        let (least, most) = (range.start(), range.end());
        return Some(Typed::Unclear(format!(
            "{text} comes to {amount} chips in front of you, expected {least} to {most}"
        )));
    }
    Some(Typed::Bet(amount))
}

/// Whether `text` shortens the words of `name`: each is the beginning of a word of letters,
/// or the whole of any other word. A square is no abbreviation of a move from it.
fn abbreviates(text: &str, name: &str) -> bool {
    let letters = |word: &str| word.chars().all(char::is_alphabetic);
    let mut words = name.split_whitespace();
    text.split_whitespace().all(|typed| {
        words.next().is_some_and(|word| {
            let (typed, word) = (typed.to_lowercase(), word.to_lowercase());
            typed == word || letters(&word) && word.starts_with(&typed)
        })
    })
}

fn ambiguous(position: &dyn Position, several: &[Action], text: &str) -> Typed {
    let mut names: Vec<String> =
        several.iter().map(|&action| words::name(position, action)).collect();
    if names.len() > LISTED {
        let more = names.len() - LISTED;
        names.truncate(LISTED);
        names.push(format!("{more} others"));
    }
    Typed::Unclear(format!("{text:?} could be {}", words::either(&names)))
}

/// Nothing is written so: the rule that forbids it, what begins so, or what is near it.
fn unknown(position: &dyn Position, menu: &[Action], text: &str) -> Typed {
    if let Some(why) = refusal::of_text(position, text) {
        return Typed::Unclear(format!("{text} is not legal: {why}"));
    }
    let lower = text.to_lowercase();
    let begins =
        |action: &&Action| position.action_name(**action).to_lowercase().starts_with(&lower);
    let fitting: Vec<Action> = menu.iter().filter(begins).copied().collect();
    if !fitting.is_empty() {
        return ambiguous(position, &fitting, text);
    }
    let names: Vec<String> = menu.iter().map(|&action| words::name(position, action)).collect();
    let near = meeple_games::did_you_mean(text, names.iter().map(String::as_str));
    let near = near.unwrap_or_else(|| "help lists what can be typed".into());
    Typed::Unclear(format!("{text:?} is no action here; {near}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_arena::{choices_of, open};
    use meeple_game::Turn;

    fn at(game: &str, config: Option<&str>, moves: &[&str]) -> Box<dyn Position> {
        let mut position = open(game, config).unwrap();
        for text in moves {
            position.try_apply(position.parse_action(text).unwrap()).unwrap();
        }
        position
    }

    #[track_caller]
    fn plays(position: &dyn Position, text: &str, expected: &[&str]) {
        let Typed::Play(actions) = read(position, &choices_of(position), text) else {
            panic!("{text} is not played: {:?}", read(position, &choices_of(position), text));
        };
        let mut position = position.copy();
        for (action, expected) in actions.iter().zip(expected) {
            assert_eq!(position.action_name(*action), *expected);
            position.try_apply(*action).unwrap();
        }
        assert_eq!(actions.len(), expected.len());
    }

    #[track_caller]
    fn unclear(position: &dyn Position, text: &str, expected: &str) {
        match read(position, &choices_of(position), text) {
            Typed::Unclear(why) => assert!(why.contains(expected), "{why}"),
            other => panic!("{text} is {other:?}"),
        }
    }

    #[test]
    fn a_square_is_no_move_of_the_pawn_on_it() {
        let open = at("chess", None, &["e2e4", "a7a6"]);
        unclear(&*open, "e4", "\"e4\" could be e5");
        unclear(&*open, "e", "could be");
        unclear(&*at("breakthrough", None, &[]), "a2", "could be a2-a3 or a2-b3");
    }

    #[test]
    fn chess_is_read_as_people_write_it() {
        let start = at("chess", None, &[]);
        for text in ["Nf3", "nf3", "g1f3", "Ng1f3"] {
            plays(&*start, text, &["g1f3"]);
        }
        plays(&*start, "e4", &["e2e4"]);
        let castles = r#"{"fen": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"}"#;
        for text in ["O-O", "0-0", "oo", "o-o"] {
            plays(&*at("chess", Some(castles), &[]), text, &["e1g1"]);
        }
        plays(&*at("chess", Some(castles), &[]), "O-O-O", &["e1c1"]);
        unclear(&*at("chess", Some(castles), &[]), "rh1", "no action here");
        let promotes = r#"{"fen": "1n5k/P7/8/8/8/8/8/K7 w - - 0 1"}"#;
        let promotes = at("chess", Some(promotes), &[]);
        for text in ["a8=Q", "a8q", "a7a8q", "A8Q"] {
            plays(&*promotes, text, &["a7a8q"]);
        }
        plays(&*promotes, "axb8=N", &["a7b8n"]);
        unclear(&*promotes, "a8", "\"a8\" could be a8=");
        unclear(&*promotes, "a8", "a8=Q");
        let knights = r#"{"fen": "7k/8/8/8/8/5N2/8/KN6 w - - 0 1"}"#;
        unclear(&*at("chess", Some(knights), &[]), "Nd2", "Nbd2");
        let takes = at("chess", None, &["e2e4", "d7d5"]);
        for text in ["exd5", "ed5", "ed"] {
            match text {
                "ed" => unclear(&*takes, text, "no action"),
                _ => plays(&*takes, text, &["e4d5"]),
            }
        }
    }

    #[test]
    fn a_turn_of_backgammon_is_one_line() {
        let open = at("backgammon", None, &["seat 0 begins with 5-4"]);
        plays(&*open, "24/20 13/8", &["24/20", "13/8"]);
        plays(&*open, "13/8, 24/20", &["13/8", "24/20"]);
        plays(&*open, "24/20", &["24/20"]);
        unclear(&*open, "24/20 24/19 13/8", "no action here");
    }

    #[test]
    fn holdem_takes_amounts() {
        let mut position = open("holdem", None).unwrap();
        while position.turn() == Turn::Chance {
            let first = choices_of(&*position)[0];
            position.try_apply(first).unwrap();
        }
        let menu = words::in_order(&*position, &choices_of(&*position));
        assert!(position.action_name(*menu.last().unwrap()).starts_with("all-in"));
        assert_eq!(
            read(&*position, &menu, "raise 12"),
            Typed::Unclear(
                "raise 12 comes to 12 chips in front of you, expected 200 to 10000".into()
            )
        );
        assert_eq!(read(&*position, &menu, "raise to 250"), Typed::Bet(250));
        assert_eq!(read(&*position, &menu, "raise 3.5bb"), Typed::Bet(350));
        plays(&*position, "raise 3bb", &["raise to 300"]);
        plays(&*position, "raise pot", &["raise to 300"]);
        plays(&*position, "all-in", &["all-in 10000"]);
        plays(&*position, "ca", &["call 50"]);
    }

    #[test]
    fn words_may_be_shortened_where_one_choice_is_left() {
        let pig = at("pig", None, &["rolled 4"]);
        plays(&*pig, "h", &["hold"]);
        plays(&*pig, "2", &["roll"]);
        unclear(&*pig, "rolll", "did you mean roll?");
        assert_eq!(read(&*pig, &choices_of(&*pig), "UNDO"), Typed::Undo);
        unclear(&*at("tic-tac-toe", None, &[]), "a", "could be a1, a2 or a3");
    }
}
