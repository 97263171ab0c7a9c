//! The notation of actions and seats shown to humans.

use meeple_bots::Position;
use meeple_game::{Action, Player};
use meeple_games::chess::{self, Chess};
use meeple_games::described::Described;
use meeple_games::holdem::{ALL_IN, Holdem};
use meeple_games::magic::{Magic, Story};

/// The names of seats, by game.
const SEATS: [(&str, [&str; 2]); 5] = [
    ("tic-tac-toe", ["X", "O"]),
    ("connect-four", ["X", "O"]),
    ("breakthrough", ["X", "O"]),
    ("backgammon", ["X", "O"]),
    ("chess", ["white", "black"]),
];

/// Returns the names of the seats of a game; empty if they have none.
pub(crate) fn seat_names(game: &str) -> &'static [&'static str] {
    SEATS.iter().find(|(name, _)| *name == game).map_or(&[], |(_, names)| names)
}

/// Formats a seat with its name: `seat 1 (black)`.
pub(crate) fn seat(game: &str, player: Player) -> String {
    match seat_names(game).get(player.index()) {
        Some(name) => format!("{player} ({name})"),
        None => player.to_string(),
    }
}

/// Formats an action: chess moves in SAN, Magic spells with their cost.
pub(crate) fn action_name(position: &dyn Position, action: Action) -> String {
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

/// Formats an action for the other players: an answer such as `yes` with its question.
pub(crate) fn announcement(position: &dyn Position, action: Action) -> String {
    let name = action_name(position, action);
    match position.state().downcast_ref::<Magic>().and_then(Magic::open_question) {
        Some(question) => format!("{name} ({})", question.trim_end_matches('.')),
        None => name,
    }
}

/// Describes the consequences of an action, as `viewer` may see them.
pub(crate) fn consequences(position: &dyn Position, action: Action, viewer: Player) -> Vec<String> {
    match position.state().downcast_ref::<Magic>() {
        Some(game) => Story::of(game, action, viewer),
        None => Vec::new(),
    }
}

/// Returns the Magic card whose effect asks the open question.
pub(crate) fn asking_card(position: &dyn Position) -> Option<&'static str> {
    let game = position.state().downcast_ref::<Magic>()?;
    game.open_question().and_then(|_| game.asking_card())
}

/// Returns the legal actions in listing order: that of the game, but all-in last.
pub(crate) fn listing_order(position: &dyn Position, legal: &[Action]) -> Vec<Action> {
    let mut legal = legal.to_vec();
    if position.state().is::<Holdem>() {
        legal.sort_by_key(|&action| action == ALL_IN);
    }
    legal
}

/// Describes the accepted input besides the listed actions.
pub(crate) fn further_input(position: &dyn Position) -> Option<String> {
    let game = position.state().downcast_ref::<Holdem>()?;
    let range = game.bet_range().filter(|range| range.start() < range.end())?;
    let verb = if game.highest_bet() > 0 { "raise to" } else { "bet" };
    let (least, most) = (range.start(), range.end());
    Some(format!("or {verb} any amount from {least} to {most}, in chips, as 3.5bb or as 75%"))
}

/// The minimum number of actions listed as a range.
const MIN_RANGE: usize = 4;

/// Numbers the names from 1; consecutive ones such as `forest 1`, `forest 2`, … form a range.
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
        if run >= MIN_RANGE {
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

/// Formats a list of alternatives: `a, b or c`.
pub(crate) fn any_of(names: &[String]) -> String {
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
    fn consecutive_counts_form_a_range() {
        let names =
            ["hut", "forest 1", "forest 2", "forest 3", "forest 4", "card at 2", "card at 3"];
        assert_eq!(
            numbered(&names.map(str::to_owned)),
            ["1) hut", "2-5) forest 1-4", "6) card at 2", "7) card at 3"]
        );
    }
}
