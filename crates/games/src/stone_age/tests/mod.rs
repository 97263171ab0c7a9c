//! Tests of Stone Age, by part of the rules.

mod actions;
mod buildings;
mod cards;
mod config;
mod conformance;
mod conservation;
mod ending;
mod feeding;
mod greedy;
mod hidden;
mod parity;
mod placement;
mod scoring;
mod statistics;

use meeple_game::{Action, Game, choices};

use super::{Config, StoneAge};

/// A configuration from its JSON.
fn config(json: &str) -> Config {
    serde_json::from_str(json).unwrap()
}

/// A game with these cards, the most expensive first, and these buildings on the stacks.
fn laid(json: &str, cards: [u16; 4], buildings: &[u16]) -> StoneAge {
    let mut game = StoneAge::new(&config(json));
    cards.iter().rev().for_each(|&card| game.apply(Action(card)));
    buildings.iter().for_each(|&building| game.apply(Action(building)));
    game
}

/// A game with plain cards and buildings.
fn simple(json: &str) -> StoneAge {
    let players = config(json).players.get();
    laid(json, [24, 22, 13, 12], &[0, 1, 2, 3][..players])
}

/// The names of the legal actions or chance outcomes.
fn names(game: &StoneAge) -> Vec<String> {
    choices(game).into_iter().map(|choice| game.action_name(choice)).collect()
}

/// Applies actions and chance outcomes by name.
#[track_caller]
fn play(game: &mut StoneAge, moves: &[&str]) {
    for &name in moves {
        let action = game.parse_action(name);
        let action = action.unwrap_or_else(|| panic!("{name} is none of {:?}", names(game)));
        game.apply(action);
    }
}

#[track_caller]
fn offers(game: &StoneAge, name: &str) {
    assert!(game.parse_action(name).is_some(), "{name} is none of {:?}", names(game));
}

#[track_caller]
fn refuses(game: &StoneAge, name: &str) {
    assert!(game.parse_action(name).is_none(), "{name} is offered");
}
