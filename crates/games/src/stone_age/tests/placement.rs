//! Tests of the placement phase.

use meeple_game::{Game, Player, Turn};

use super::{names, offers, play, refuses, simple};

#[test]
fn all_places_are_legal_at_first() {
    let game = simple("{}");
    let expected: Vec<String> = ["forest", "clay pit", "quarry", "river", "hunt"]
        .iter()
        .flat_map(|place| (1..=5).map(move |figures| format!("{place} {figures}")))
        .chain(["tool maker", "field", "hut"].map(String::from))
        .chain((1..=4).rev().map(|cost| format!("card at {cost}")))
        .chain((1..=2).map(|stack| format!("building {stack}")))
        .collect();
    assert_eq!(names(&game), expected);
}

#[test]
fn two_players_do_not_share_a_resource_place() {
    let mut game = simple("{}");
    play(&mut game, &["forest 1"]);
    refuses(&game, "forest 1");
    offers(&game, "clay pit 1");
}

#[test]
fn two_of_three_players_share_a_resource_place() {
    let mut game = simple(r#"{"players": 3}"#);
    play(&mut game, &["quarry 2"]);
    offers(&game, "quarry 5");
    play(&mut game, &["quarry 1"]);
    refuses(&game, "quarry 1");
}

#[test]
fn four_players_share_a_resource_place_up_to_seven_figures() {
    let mut game = simple(r#"{"players": 4}"#);
    play(&mut game, &["river 4"]);
    offers(&game, "river 3");
    refuses(&game, "river 4");
    play(&mut game, &["river 1", "river 1"]);
    offers(&game, "river 1");
    refuses(&game, "river 2");
    play(&mut game, &["river 1"]);
    refuses(&game, "river 1");
}

#[test]
fn a_player_places_only_once_on_a_place() {
    let mut game = simple(r#"{"players": 4}"#);
    play(&mut game, &["forest 1", "hunt 2", "hunt 1", "field"]);
    assert_eq!(game.turn(), Turn::Player(Player(0)));
    refuses(&game, "forest 1");
    offers(&game, "hunt 4");
    play(&mut game, &["hunt 1"]);
    refuses(&game, "hunt 1");
    offers(&game, "forest 1");
}

#[test]
fn two_or_three_players_leave_one_village_place_empty() {
    for players in [2, 3] {
        let mut game = simple(&format!(r#"{{"players": {players}}}"#));
        play(&mut game, &["tool maker"]);
        refuses(&game, "tool maker");
        offers(&game, "field");
        play(&mut game, &["hut"]);
        refuses(&game, "field");
    }
    let mut game = simple(r#"{"players": 4}"#);
    play(&mut game, &["tool maker", "hut", "field"]);
    refuses(&game, "hut");
}

#[test]
fn the_hut_takes_two_figures() {
    let mut game = simple("{}");
    play(&mut game, &["forest 4", "hunt 1"]);
    refuses(&game, "hut");
    offers(&game, "field");
    play(&mut game, &["field", "hut"]);
    assert_eq!(game.places[super::super::HUT], [0, 2, 0, 0]);
    assert_eq!(game.tribes[1].available, 2);
}

#[test]
fn ten_figures_may_occupy_the_hut_in_the_printed_rules_only() {
    for (json, open) in [("{}", true), (r#"{"rules": "document"}"#, false)] {
        let mut game = simple(json);
        (game.tribes[0].figures, game.tribes[0].available) = (10, 10);
        assert_eq!(game.parse_action("hut").is_some(), open);
    }
}

#[test]
fn cards_and_buildings_take_one_figure() {
    let mut game = simple("{}");
    play(&mut game, &["card at 4"]);
    refuses(&game, "card at 4");
    play(&mut game, &["building 2"]);
    refuses(&game, "building 2");
    offers(&game, "building 1");
    refuses(&game, "building 3");
    assert_eq!((game.card_figures, game.building_figures), ([0, -1, -1, -1], [-1, 1, -1, -1]));
}

#[test]
fn players_place_in_turn_while_they_have_figures() {
    let mut game = simple(r#"{"players": 3}"#);
    play(&mut game, &["hunt 5", "hunt 4", "hunt 5"]);
    assert_eq!(game.turn(), Turn::Player(Player(1)));
    play(&mut game, &["field"]);
    assert_eq!(game.turn(), Turn::Chance);
}

#[test]
fn in_the_printed_rules_placing_is_mandatory() {
    let mut game = simple(r#"{"forced": "ask"}"#);
    refuses(&game, "pass");
    play(&mut game, &["hunt 4", "forest 1", "field", "tool maker"]);
    // Seat 0 has placed all figures; seat 1 continues.
    refuses(&game, "pass");
}

#[test]
fn players_without_a_legal_placement_pass() {
    let mut game = simple(r#"{"forced": "ask"}"#);
    game.cards = [-1; 4];
    game.buildings = [-1; 4];
    game.tribes[0].available = 1;
    game.places[super::super::HUNT][0] = 1;
    for place in 0..4 {
        game.places[place][1] = 1;
        game.room[place] = 0;
    }
    game.places[super::super::FIELD][1] = 1;
    game.places[super::super::TOOL_MAKER][1] = 1;
    game.blocked = 2;
    game.vacant = game.vacancies();
    assert_eq!(names(&game), ["pass"]);
    game.blocked = 0;
    game.vacant = game.vacancies();
    assert_eq!(names(&game), ["pass"], "one figure is too few for the hut");
}

#[test]
fn passing_is_final_in_the_document_rules() {
    let mut game = simple(r#"{"rules": "document"}"#);
    play(&mut game, &["pass", "hunt 1"]);
    assert_eq!(game.turn(), Turn::Player(Player(1)));
    play(&mut game, &["pass"]);
    assert_eq!(game.turn(), Turn::Chance, "the hunt is rolled");
}

#[test]
fn decisions_are_counted_and_forced_moves_are_not() {
    let mut game = simple("{}");
    assert_eq!(game.move_number(), 0);
    play(&mut game, &["hunt 4", "hunt 5"]);
    assert_eq!(game.move_number(), 2);
    play(&mut game, &["field", "use hunt", "roll 12"]);
    // A roll without tools and a single unresolved place are forced.
    assert_eq!(game.move_number(), 4);
}
