//! Tests of resolving placements: order, rolls, tools, payments.

use meeple_game::{Game, Player, Turn};

use super::{names, offers, play, refuses, simple};
use crate::stone_age::{HUNT, HUT, Step, StoneAge};

/// Seat 0 has figures on each `place`, which has index `at` in the order of actions; seat 1
/// has none, and seat 0 is to act.
fn with_figures(json: &str, places: &[(usize, usize, u8)]) -> StoneAge {
    let mut game = simple(json);
    for &(place, at, figures) in places {
        game.places[place][0] = figures;
        game.tribes[0].todo |= 1 << at;
    }
    for tribe in &mut game.tribes {
        tribe.available = 0;
    }
    game
}

fn rolling(json: &str, place: usize, at: usize, figures: u8) -> StoneAge {
    let mut game = with_figures(json, &[(place, at, figures)]);
    game.tribes[0].tools = [2, 1, 1];
    game.start_actions();
    if game.free_action_order() && game.step == Step::Choose {
        play(&mut game, &[&format!("use {}", super::super::notation::PLACES[at])]);
    }
    assert_eq!(game.turn(), Turn::Chance);
    game
}

#[test]
fn a_roll_is_divided_by_the_value_of_its_resource() {
    for json in [r#"{"forced": "ask"}"#, r#"{"rules": "document", "forced": "ask"}"#] {
        for (place, at, figures, roll, gained) in [
            (0, 3, 2, 11, 3),
            (1, 4, 2, 11, 2),
            (2, 5, 3, 14, 2),
            (3, 6, 1, 5, 0),
            (3, 6, 7, 42, 7),
        ] {
            let mut game = rolling(json, place, at, figures);
            play(&mut game, &[&format!("roll {roll}"), "done"]);
            let mut expected = [0; 4];
            expected[place] = gained;
            assert_eq!(game.tribes[0].resources, expected);
        }
        let mut game = rolling(json, HUNT, 7, 10);
        let before = game.tribes[0].food;
        assert_eq!(names(&game).len(), 51);
        play(&mut game, &["roll 59", "done"]);
        // The tribe has five figures to feed, whatever the number of hunters.
        assert_eq!(game.tribes[0].food, before + 29 - 5);
    }
}

#[test]
fn tools_are_added_once_a_round() {
    let mut game = with_figures(r#"{"forced": "ask"}"#, &[(0, 3, 1), (2, 5, 1)]);
    game.tribes[0].tools = [2, 1, 1];
    game.tribes[0].one_use = 0x43;
    game.start_actions();
    play(&mut game, &["use forest", "roll 3"]);
    assert_eq!(
        names(&game),
        [
            "tool 1 (+2)",
            "tool 2 (+1)",
            "tool 3 (+1)",
            "one-use tool 1 (+3)",
            "one-use tool 2 (+4)",
            "done"
        ]
    );
    play(&mut game, &["tool 1 (+2)", "one-use tool 1 (+3)", "tool 3 (+1)"]);
    assert_eq!(names(&game), ["tool 2 (+1)", "one-use tool 1 (+4)", "done"]);
    play(&mut game, &["done"]);
    assert_eq!(game.tribes[0].resources, [3, 0, 0, 0], "9 for wood");
    play(&mut game, &["use quarry", "roll 1", "tool 2 (+1)", "one-use tool 1 (+4)"]);
    assert_eq!(names(&game), ["done"]);
    play(&mut game, &["done"]);
    assert_eq!(game.tribes[0].resources, [3, 0, 1, 0], "6 for stone");
    assert_eq!((game.tribes[0].one_use, game.tribes[0].used), (0, 0), "a new round has started");
}

#[test]
fn one_use_tools_are_numbered_by_value() {
    let mut game = rolling(r#"{"forced": "ask"}"#, 0, 3, 1);
    [4, 2, 3].into_iter().for_each(|value| game.tribes[0].add_one_use(value));
    assert_eq!(game.tribes[0].one_use, 0x432);
    play(&mut game, &["roll 1", "one-use tool 2 (+3)"]);
    assert_eq!(game.tribes[0].one_use, 0x42);
    offers(&game, "one-use tool 1 (+2)");
    offers(&game, "one-use tool 2 (+4)");
    play(&mut game, &["one-use tool 1 (+2)", "one-use tool 1 (+4)", "done"]);
    assert_eq!(game.tribes[0].resources[0], 3, "10 for wood");
}

#[test]
fn tool_steps_raise_the_lowest_tool() {
    let mut tribe = super::super::Tribe::START;
    let mut seen = vec![tribe.tools];
    for _ in 0..13 {
        tribe.raise_tool();
        seen.push(tribe.tools);
    }
    let firsts = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1], [2, 1, 1]];
    assert_eq!(seen[..5], firsts);
    assert_eq!(seen[11..], [[4, 4, 3], [4, 4, 4], [4, 4, 4]], "a thirteenth step is lost");
}

#[test]
fn a_used_tool_stays_used_when_it_is_raised() {
    let mut game = with_figures("{}", &[(0, 3, 1), (2, 5, 1), (super::super::TOOL_MAKER, 0, 1)]);
    game.tribes[0].tools = [1, 0, 0];
    game.tribes[0].tools = [1, 1, 1];
    game.start_actions();
    play(&mut game, &["use forest", "roll 3", "tool 1 (+1)", "done", "use tool maker"]);
    assert_eq!(game.tribes[0].tools, [2, 1, 1]);
    play(&mut game, &["roll 2"]);
    refuses(&game, "tool 1 (+2)");
    offers(&game, "tool 2 (+1)");
}

#[test]
fn village_places_stop_at_their_maximum() {
    let village = [(super::super::TOOL_MAKER, 0, 1), (HUT, 1, 2), (super::super::FIELD, 2, 1)];
    for (figures, agriculture, tools) in [(5, 0, [0, 0, 0]), (10, 10, [4, 4, 4])] {
        let mut game = with_figures(r#"{"rules": "document"}"#, &village);
        game.tribes[0].food = 50;
        game.tribes[0].figures = figures;
        game.tribes[0].agriculture = agriculture;
        game.tribes[0].tools = tools;
        game.start_actions();
        let tribe = &game.tribes[0];
        assert_eq!(tribe.figures, (figures + 1).min(10));
        assert_eq!(tribe.agriculture, (agriculture + 1).min(10));
        assert_eq!(tribe.tool_value(), (tools.iter().sum::<u8>() + 1).min(12));
    }
}

#[test]
fn the_order_is_free_in_the_printed_rules_and_fixed_in_the_document() {
    let places = [(0, 3, 1), (HUNT, 7, 1), (super::super::FIELD, 2, 1)];
    let mut game = with_figures("{}", &places);
    game.start_actions();
    assert_eq!(names(&game), ["use field", "use forest", "use hunt"]);
    play(&mut game, &["use hunt", "roll 4"]);
    assert_eq!(names(&game), ["use field", "use forest"]);
    let mut game = with_figures(r#"{"rules": "document"}"#, &places);
    game.start_actions();
    assert_eq!(game.tribes[0].agriculture, 1);
    assert_eq!((game.turn(), game.rolling_for), (Turn::Chance, 0));
    play(&mut game, &["roll 6"]);
    assert_eq!((game.turn(), game.rolling_for), (Turn::Chance, -1));
}

/// Seat 0 occupies the card at 1 and building 1 (two wood, one clay).
fn occupying(json: &str, resources: [u16; 4]) -> StoneAge {
    let mut game = simple(json);
    game.tribes[0].resources = resources;
    for (supply, held) in game.supply.iter_mut().zip(resources) {
        *supply -= if game.switches.0 & 1 << 7 == 0 { 0 } else { held as u8 };
    }
    play(&mut game, &["card at 1", "hunt 5", "building 1", "hunt 3"]);
    game
}

#[test]
fn unaffordable_purchases_wait_for_other_places() {
    let mut game = simple("{}");
    play(&mut game, &["card at 1", "hunt 5", "forest 3"]);
    // The hunter of seat 1 has five figures; seat 0 has one left.
    play(&mut game, &["building 1"]);
    play(&mut game, &["roll 18"]);
    // Six wood: the card can be paid, the building lacks clay.
    assert_eq!(names(&game), ["pay 1 wood", "decline"]);
    play(&mut game, &["pay 1 wood"]);
    assert_eq!(game.building_figures[0], -1, "the figure is returned");
    assert_eq!(game.buildings[0], 0);
}

#[test]
fn declining_is_legal_in_the_printed_rules_only() {
    for (json, may) in [(r#"{"forced": "ask"}"#, true), (r#"{"rules": "document"}"#, false)] {
        let mut game = occupying(json, [4, 2, 0, 0]);
        play(&mut game, if may { &["use hunt"] } else { &[] });
        play(&mut game, &["roll 9", "done"][..if may { 2 } else { 1 }]);
        if may {
            play(&mut game, &["use card at 1"]);
        }
        assert_eq!(game.step, Step::PayCard);
        assert_eq!(game.parse_action("decline").is_some(), may);
        if may {
            play(&mut game, &["decline"]);
            assert_eq!((game.cards[3], game.card_figures[3]), (12, -1));
            play(&mut game, &["use building 1"]);
            assert_eq!(names(&game), ["pay 2 wood 1 clay", "decline"]);
        }
    }
}

#[test]
fn payments_go_back_to_a_limited_supply() {
    let mut game = occupying(r#"{"rules": "document", "forced": "ask"}"#, [4, 2, 0, 0]);
    assert_eq!(game.supply, [24, 16, 12, 10]);
    play(&mut game, &["roll 9", "done", "pay 1 wood"]);
    assert_eq!(game.supply, [25, 16, 12, 10]);
    play(&mut game, &["pay 2 wood 1 clay"]);
    assert_eq!(game.supply, [27, 17, 12, 10]);
    assert_eq!(game.tribes[0].resources, [1, 1, 0, 0]);
    assert_eq!(game.score(Player(0)), 10);
}

#[test]
fn a_gain_is_capped_by_a_limited_supply() {
    for (json, gained) in [(r#"{"limited_supply": true}"#, 2), ("{}", 5)] {
        let mut game = rolling(json, 0, 3, 3);
        game.supply[0] = 2;
        game.tribes[1].resources[0] = 26;
        play(&mut game, &["roll 15", "done"]);
        assert_eq!(game.tribes[0].resources[0], gained);
    }
}

#[test]
fn a_bought_building_is_replaced_at_once_or_with_the_next_round() {
    let mut game = occupying(r#"{"forced": "ask"}"#, [4, 2, 0, 0]);
    play(&mut game, &["use building 1", "pay 2 wood 1 clay"]);
    assert_eq!((game.turn(), game.buildings[0], game.stacks[0]), (Turn::Chance, -1, 6));
    refuses(&game, "building: 2 wood 1 clay for 10 points");
    play(&mut game, &["building: 1 to 7 resources"]);
    assert_eq!((game.buildings[0], game.building_figures[0], game.stacks[0]), (13, -1, 5));
    assert_eq!(names(&game), ["use hunt", "use card at 1"]);
    let mut game = occupying(r#"{"rules": "document"}"#, [3, 1, 0, 0]);
    play(&mut game, &["roll 9", "pay 1 wood"]);
    assert_eq!(game.tribes[0].buildings.count(0), 1, "a single payment is skipped as forced");
    assert_eq!((game.buildings[0], game.stacks[0]), (-1, 6));
    assert_eq!((game.step, game.active), (Step::Roll, 1), "nothing was revealed");
}
