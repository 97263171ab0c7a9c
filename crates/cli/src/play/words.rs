//! Moves and seats as people at the table call them.

use meeple_arena::Position;
use meeple_game::{Action, Player};
use meeple_games::chess::{self, Chess};
use meeple_games::described::Described;
use meeple_games::holdem::{ALL_IN, Holdem};
use meeple_games::magic::{Magic, Story};

/// The seats that have a name, by game.
const SEATS: [(&str, [&str; 2]); 5] = [
    ("tic-tac-toe", ["X", "O"]),
    ("connect-four", ["X", "O"]),
    ("breakthrough", ["X", "O"]),
    ("backgammon", ["X", "O"]),
    ("chess", ["white", "black"]),
];

/// The names of the seats of a game, where they have names.
pub(crate) fn seat_names(game: &str) -> &'static [&'static str] {
    SEATS.iter().find(|(name, _)| *name == game).map_or(&[], |(_, names)| names)
}

/// A seat with its name: `seat 1 (black)`.
pub(crate) fn seat(game: &str, player: Player) -> String {
    match seat_names(game).get(player.index()) {
        Some(name) => format!("{player} ({name})"),
        None => player.to_string(),
    }
}

/// A choice as people write it: moves of chess in SAN, spells of Magic with their cost.
pub(crate) fn name(position: &dyn Position, action: Action) -> String {
    let state = position.state();
    if let Some(game) = state.downcast_ref::<Chess>() {
        return chess::san(game.state(), &chess::ChessRules::event_of(game.state(), action));
    }
    let name = position.action_name(action);
    match state.downcast_ref::<Magic>().and_then(|game| game.cost_of(action)) {
        Some(cost) => format!("{name} {cost}"),
        None => name,
    }
}

/// What somebody did, for others: an answer such as `yes` with its question.
pub(crate) fn told(position: &dyn Position, action: Action) -> String {
    let name = name(position, action);
    match position.state().downcast_ref::<Magic>().and_then(Magic::open_question) {
        Some(question) => format!("{name} ({})", question.trim_end_matches('.')),
        None => name,
    }
}

/// What follows from an action, line by line, as `viewer` may hear it.
pub(crate) fn consequences(position: &dyn Position, action: Action, viewer: Player) -> Vec<String> {
    match position.state().downcast_ref::<Magic>() {
        Some(game) => Story::of(game, action, viewer),
        None => Vec::new(),
    }
}

/// The card of Magic whose effect asks, where its text helps to answer.
pub(crate) fn asking_card(position: &dyn Position) -> Option<&'static str> {
    let game = position.state().downcast_ref::<Magic>()?;
    game.open_question().and_then(|_| game.asking_card())
}

/// The order in which choices are listed: that of the game, but all-in comes last.
pub(crate) fn in_order(position: &dyn Position, menu: &[Action]) -> Vec<Action> {
    let mut menu = menu.to_vec();
    if position.state().is::<Holdem>() {
        menu.sort_by_key(|&action| action == ALL_IN);
    }
    menu
}

/// What may be typed besides the listed choices, in a line.
pub(crate) fn more_choices(position: &dyn Position) -> Option<String> {
    let game = position.state().downcast_ref::<Holdem>()?;
    let range = game.bet_range().filter(|range| range.start() < range.end())?;
    let verb = if game.highest_bet() > 0 { "raise to" } else { "bet" };
    let (least, most) = (range.start(), range.end());
    Some(format!("or {verb} any amount from {least} to {most}, in chips, as 3.5bb or as 75%"))
}

/// The fewest choices that are listed as a range.
const RANGE: usize = 4;

/// Names with their numbers from 1; runs such as `forest 1`, `forest 2`, … as one.
pub(crate) fn numbered(names: &[String]) -> Vec<String> {
    let count_of = |name: &str| -> Option<(String, u32)> {
        let (kind, count) = name.rsplit_once(' ')?;
        Some((kind.to_owned(), count.parse().ok()?))
    };
    let (mut lines, mut at) = (Vec::new(), 0);
    while at < names.len() {
        let run = match count_of(&names[at]) {
            Some((kind, first)) => (first..)
                .zip(&names[at..])
                .take_while(|(count, name)| count_of(name) == Some((kind.clone(), *count)))
                .count(),
            None => 1,
        };
        if run >= RANGE {
            let last = names[at + run - 1].rsplit(' ').next().unwrap_or_default();
            lines.push(format!("{}-{}) {}-{last}", at + 1, at + run, names[at]));
            at += run;
        } else {
            lines.push(format!("{}) {}", at + 1, names[at]));
            at += 1;
        }
    }
    lines
}

/// A list in words: `a, b or c`.
pub(crate) fn either(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_numbers_are_listed_as_one() {
        let names =
            ["hut", "forest 1", "forest 2", "forest 3", "forest 4", "card at 2", "card at 3"];
        assert_eq!(
            numbered(&names.map(str::to_owned)),
            ["1) hut", "2-5) forest 1-4", "6) card at 2", "7) card at 3"]
        );
    }
}
