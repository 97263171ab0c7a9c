//! Parsing of typed input: an action in the notation of the game, or a command.

use meeple_bots::Position;
use meeple_game::Action;
use meeple_games::backgammon::Backgammon;
use meeple_games::chess::{self, Chess};
use meeple_games::described::Described;
use meeple_games::holdem::Holdem;
use meeple_games::magic::Magic;

use super::notation;
use crate::legality;

/// The maximum number of candidates in a message.
const MAX_LISTED: usize = 10;

/// A parsed line of input.
#[derive(Debug, PartialEq)]
pub(crate) enum Command {
    /// Actions to play in sequence.
    Play(Vec<Action>),
    /// A bet or raise in hold'em to an amount that is not among the bet sizes.
    Bet(u32),
    Hint,
    Undo,
    Board,
    Help,
    Resign,
    /// Show the text of a Magic card.
    Card(String),
    /// Invalid input, with a message.
    Invalid(String),
}

/// Parses a line in a position whose legal actions are numbered from 1.
///
/// The exact name of an action takes precedence over a command, a command over a number, and
/// a number over abbreviations, which must be unambiguous.
pub(crate) fn parse(position: &dyn Position, legal: &[Action], text: &str) -> Command {
    let text = text.trim();
    if let Some(turn) = several_checkers(position, text) {
        return Command::Play(turn);
    }
    if let Some(action) = position.parse_action(text) {
        return Command::Play(vec![action]);
    }
    match text.to_ascii_lowercase().as_str() {
        "" | "board" => return Command::Board,
        "hint" => return Command::Hint,
        "undo" => return Command::Undo,
        "help" | "?" => return Command::Help,
        "resign" | "quit" | "exit" => return Command::Resign,
        _ => {}
    }
    if let Some(command) = parse_card(position, legal, text) {
        return command;
    }
    if let Ok(number) = text.parse::<usize>() {
        return match number.checked_sub(1).and_then(|at| legal.get(at)) {
            Some(&action) => Command::Play(vec![action]),
            None => Command::Invalid(format!("expected a number from 1 to {}", legal.len())),
        };
    }
    if let Some(command) = parse_notation(position, text) {
        return command;
    }
    let short = |action: &&Action| abbreviates(text, &position.action_name(**action));
    match &legal.iter().filter(short).copied().collect::<Vec<_>>()[..] {
        [] => unknown(position, legal, text),
        [action] => Command::Play(vec![*action]),
        several => ambiguous(position, several, text),
    }
}

/// Parses equal moves of several checkers in backgammon, such as `2/off(2)`, which people mean where
/// `2/off(3)` also names the die of a single move.
fn several_checkers(position: &dyn Position, text: &str) -> Option<Vec<Action>> {
    let game = position.state().downcast_ref::<Backgammon>().filter(|_| text.ends_with(')'))?;
    game.parse_turn(text)
}

/// Parses `card NAME` and `? N` in Magic: a card by name, or the card of an action.
fn parse_card(position: &dyn Position, legal: &[Action], text: &str) -> Option<Command> {
    let game = position.state().downcast_ref::<Magic>()?;
    let (command, about) = match text.strip_prefix('?') {
        Some(about) => ("?", about),
        None => text.split_once(char::is_whitespace)?,
    };
    let about = about.trim();
    let chosen = about.parse::<usize>().ok().map(|number| {
        number.checked_sub(1).and_then(|at| legal.get(at)).and_then(|&action| game.card_of(action))
    });
    match (command.to_ascii_lowercase().as_str(), chosen) {
        ("card" | "?", Some(Some(name))) => Some(Command::Card(name.to_owned())),
        ("card" | "?", Some(None)) => Some(Command::Invalid(format!("action {about} has no card"))),
        ("card" | "?", None) => Some(Command::Card(about.to_owned())),
        _ => None,
    }
}

/// Parses the notation of a game: lenient SAN in chess, a whole turn in backgammon, a bet
/// amount in hold'em.
fn parse_notation(position: &dyn Position, text: &str) -> Option<Command> {
    let state = position.state();
    if let Some(game) = state.downcast_ref::<Chess>() {
        let moves = chess::matching_moves(game.state(), text);
        let moves: Vec<Action> =
            (moves.iter()).map(|event| chess::ChessRules::action_of(game.state(), event)).collect();
        return match moves.len() {
            0 => None,
            1 => Some(Command::Play(moves)),
            _ => Some(ambiguous(position, &moves, text)),
        };
    }
    if let Some(game) = state.downcast_ref::<Backgammon>() {
        return game.parse_turn(text).map(Command::Play);
    }
    let game = state.downcast_ref::<Holdem>()?;
    let amount = game.amount_named(text)?;
    let range = game.bet_range()?;
    if !range.contains(&amount) {
        let (least, most) = (range.start(), range.end());
        return Some(Command::Invalid(format!(
            "{text} means a bet of {amount} chips in all, expected {least} to {most}"
        )));
    }
    Some(Command::Bet(amount))
}

/// Returns whether `text` abbreviates `name`: each typed word is a prefix of an alphabetic
/// word, or equals any other word. So a square does not abbreviate a move from it.
fn abbreviates(text: &str, name: &str) -> bool {
    let letters = |word: &str| word.chars().all(char::is_alphabetic);
    let mut words = name.split_whitespace();
    text.split_whitespace().all(|prefix| {
        words.next().is_some_and(|word| {
            let (prefix, word) = (prefix.to_lowercase(), word.to_lowercase());
            prefix == word || letters(&word) && word.starts_with(&prefix)
        })
    })
}

fn ambiguous(position: &dyn Position, several: &[Action], text: &str) -> Command {
    let mut names: Vec<String> =
        several.iter().map(|&action| notation::action_name(position, action)).collect();
    if names.len() > MAX_LISTED {
        let more = names.len() - MAX_LISTED;
        names.truncate(MAX_LISTED);
        names.push(format!("{more} others"));
    }
    Command::Invalid(format!("{text:?} is ambiguous: {}", notation::any_of(&names)))
}

/// Explains unknown input: the rule that forbids the action, the actions with this prefix, or
/// the nearest name.
fn unknown(position: &dyn Position, legal: &[Action], text: &str) -> Command {
    if let Some(reason) = legality::explain(position, text) {
        return Command::Invalid(format!("{text} is not legal: {reason}"));
    }
    let lower = text.to_lowercase();
    let begins =
        |action: &&Action| position.action_name(**action).to_lowercase().starts_with(&lower);
    match &legal.iter().filter(begins).copied().collect::<Vec<_>>()[..] {
        [] => {}
        [action] => {
            let name = notation::action_name(position, *action);
            return Command::Invalid(format!("{text:?} is not an action; did you mean {name}?"));
        }
        several => return ambiguous(position, several, text),
    }
    let names: Vec<String> =
        legal.iter().map(|&action| notation::action_name(position, action)).collect();
    let near = meeple_games::did_you_mean(text, names.iter().map(String::as_str));
    let near = near.unwrap_or_else(|| "type help for the commands".into());
    Command::Invalid(format!("{text:?} is not an action or a command; {near}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_bots::{choices_of, open};
    use meeple_game::Turn;

    fn at(game: &str, config: Option<&str>, moves: &[&str]) -> Box<dyn Position> {
        let mut position = open(game, config).unwrap();
        for text in moves {
            position.try_apply(position.parse_action(text).unwrap()).unwrap();
        }
        position
    }

    #[track_caller]
    fn accepts(position: &dyn Position, text: &str, expected: &[&str]) {
        let Command::Play(actions) = parse(position, &choices_of(position), text) else {
            panic!(
                "{text} is not parsed as an action: {:?}",
                parse(position, &choices_of(position), text)
            );
        };
        let mut position = position.copy();
        for (action, expected) in actions.iter().zip(expected) {
            assert_eq!(position.action_name(*action), *expected);
            position.try_apply(*action).unwrap();
        }
        assert_eq!(actions.len(), expected.len());
    }

    #[track_caller]
    fn rejects(position: &dyn Position, text: &str, expected: &str) {
        match parse(position, &choices_of(position), text) {
            Command::Invalid(message) => assert!(message.contains(expected), "{message}"),
            other => panic!("{text} is {other:?}"),
        }
    }

    #[test]
    fn a_square_does_not_abbreviate_a_move_from_it() {
        let open = at("chess", None, &["e2e4", "a7a6"]);
        rejects(&*open, "e4", "\"e4\" is not an action; did you mean e5?");
        rejects(&*open, "e", "is ambiguous");
        rejects(&*at("breakthrough", None, &[]), "a2", "is ambiguous: a2-a3 or a2-b3");
    }

    #[test]
    fn chess_accepts_lenient_san() {
        let start = at("chess", None, &[]);
        for text in ["Nf3", "nf3", "g1f3", "Ng1f3"] {
            accepts(&*start, text, &["g1f3"]);
        }
        accepts(&*start, "e4", &["e2e4"]);
        let castles = r#"{"fen": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"}"#;
        for text in ["O-O", "0-0", "oo", "o-o"] {
            accepts(&*at("chess", Some(castles), &[]), text, &["e1g1"]);
        }
        accepts(&*at("chess", Some(castles), &[]), "O-O-O", &["e1c1"]);
        rejects(&*at("chess", Some(castles), &[]), "rh1", "not an action");
        let promotes = r#"{"fen": "1n5k/P7/8/8/8/8/8/K7 w - - 0 1"}"#;
        let promotes = at("chess", Some(promotes), &[]);
        for text in ["a8=Q", "a8q", "a7a8q", "A8Q"] {
            accepts(&*promotes, text, &["a7a8q"]);
        }
        accepts(&*promotes, "axb8=N", &["a7b8n"]);
        rejects(&*promotes, "a8", "\"a8\" is ambiguous: a8=");
        rejects(&*promotes, "a8", "a8=Q");
        let knights = r#"{"fen": "7k/8/8/8/8/5N2/8/KN6 w - - 0 1"}"#;
        rejects(&*at("chess", Some(knights), &[]), "Nd2", "Nbd2");
        let takes = at("chess", None, &["e2e4", "d7d5"]);
        for text in ["exd5", "ed5", "ed"] {
            match text {
                "ed" => rejects(&*takes, text, "not an action"),
                _ => accepts(&*takes, text, &["e4d5"]),
            }
        }
    }

    #[test]
    fn backgammon_accepts_a_whole_turn() {
        let open = at("backgammon", None, &["seat 0 begins with 5-4"]);
        accepts(&*open, "24/20 13/8", &["24/20", "13/8"]);
        accepts(&*open, "13/8, 24/20", &["13/8", "24/20"]);
        accepts(&*open, "24/20", &["24/20"]);
        rejects(&*open, "24/20 24/19 13/8", "not an action");
        let double = at("backgammon", None, &["seat 0 begins with 5-4", "24/20", "13/8", "6-6"]);
        accepts(&*double, "24/18(2) 13/7(2)", &["24/18", "24/18", "13/7", "13/7"]);
        accepts(&*double, "24/18(2)", &["24/18", "24/18"]);
    }

    #[test]
    fn holdem_accepts_amounts() {
        let mut position = open("holdem", None).unwrap();
        while position.turn() == Turn::Chance {
            let first = choices_of(&*position)[0];
            position.try_apply(first).unwrap();
        }
        let legal = notation::listing_order(&*position, &choices_of(&*position));
        assert!(position.action_name(*legal.last().unwrap()).starts_with("all-in"));
        assert_eq!(
            parse(&*position, &legal, "raise 12"),
            Command::Invalid(
                "raise 12 means a bet of 12 chips in all, expected 200 to 10000".into()
            )
        );
        assert_eq!(parse(&*position, &legal, "raise to 250"), Command::Bet(250));
        assert_eq!(parse(&*position, &legal, "raise 3.5bb"), Command::Bet(350));
        accepts(&*position, "raise 3bb", &["raise to 300"]);
        accepts(&*position, "raise pot", &["raise to 300"]);
        accepts(&*position, "all-in", &["all-in 10000"]);
        accepts(&*position, "ca", &["call 50"]);
    }

    #[test]
    fn unambiguous_abbreviations_are_accepted() {
        let pig = at("pig", None, &["rolled 4"]);
        accepts(&*pig, "h", &["hold"]);
        accepts(&*pig, "2", &["roll"]);
        rejects(&*pig, "rolll", "did you mean roll?");
        assert_eq!(parse(&*pig, &choices_of(&*pig), "UNDO"), Command::Undo);
        rejects(&*at("tic-tac-toe", None, &[]), "a", "is ambiguous: a1, a2 or a3");
    }
}
