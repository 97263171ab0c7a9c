//! Magic keeps the contract with every deck.

use meeple_game::conform;
use meeple_games::magic::{Config, Magic, decks};

/// Plays a few games of each deck against itself; tables with stops ask less.
fn conforms(decks: &[decks::Deck]) {
    for deck in decks {
        let config = Config::of_decks(&deck.name, &deck.name).expect("a built-in deck");
        let walk = conform::check::<Magic>(&config, 3, 7);
        assert!(walk.widest > 2, "{}: {walk:?}", deck.name);
        let table = serde_json::json!({ "decks": [deck.name, deck.name], "stops": true });
        let stops: Config = serde_json::from_value(table).expect("a built-in deck");
        let walk = conform::check::<Magic>(&stops, 3, 7);
        assert!(walk.widest > 2, "{}: {walk:?}", deck.name);
    }
}

#[test]
fn the_first_decks_conform() {
    let decks = decks::builtin();
    conforms(&decks[..decks.len() / 2]);
}

#[test]
fn the_other_decks_conform() {
    let decks = decks::builtin();
    conforms(&decks[decks.len() / 2..]);
}
