//! Tests of feeding and its penalty.

use meeple_game::{Forced, Game, Player, Turn};

use super::{names, offers, play, refuses, simple};
use crate::stone_age::StoneAge;

/// Seat 0 enters the feeding phase with these holdings.
fn hungry(json: &str, food: u16, agriculture: u8, resources: [u16; 4]) -> StoneAge {
    let mut game = simple(json);
    let tribe = &mut game.tribes[0];
    (tribe.food, tribe.agriculture, tribe.resources) = (food, agriculture, resources);
    for (supply, held) in game.supply.iter_mut().zip(resources) {
        *supply -= if game.switches.0 & 1 << 7 == 0 { 0 } else { held as u8 };
    }
    game.start_feeding();
    if game.forced == Forced::Skip {
        game.skip_forced();
    }
    game
}

#[test]
fn agriculture_feeds_first_and_spare_food_is_kept() {
    let game = hungry("{}", 7, 2, [0; 4]);
    assert_eq!(game.tribes[0].food, 4);
    assert_eq!(game.tribes[1].food, 7);
    assert_eq!(game.round(), 1);
}

#[test]
fn surplus_of_agriculture_is_kept_in_the_printed_rules_only() {
    assert_eq!(hungry("{}", 1, 8, [0; 4]).tribes[0].food, 4);
    assert_eq!(hungry(r#"{"rules": "document"}"#, 1, 8, [0; 4]).tribes[0].food, 1);
}

#[test]
fn a_shortfall_is_paid_in_full_or_costs_ten_points() {
    let start = hungry("{}", 2, 1, [2, 0, 0, 1]);
    assert_eq!(start.turn(), Turn::Player(Player(0)));
    assert_eq!((start.needed, start.tribes[0].food), (2, 0));
    assert_eq!(names(&start), ["feed wood", "feed gold", "lose 10 points"]);
    let mut paid = start;
    play(&mut paid, &["feed gold"]);
    // Two wood are left for one missing food; the penalty is no longer legal.
    assert_eq!(paid.tribes[0].resources, [1, 0, 0, 0]);
    assert_eq!((paid.score(Player(0)), paid.round()), (0, 1));
    let mut lost = start;
    play(&mut lost, &["lose 10 points"]);
    assert_eq!(lost.tribes[0].resources, [2, 0, 0, 1]);
    assert_eq!((lost.score(Player(0)), lost.tribes[0].food), (-10, 0));
}

#[test]
fn a_started_payment_must_be_completed() {
    let mut game = hungry(r#"{"forced": "ask"}"#, 2, 0, [2, 2, 0, 0]);
    play(&mut game, &["feed wood"]);
    assert_eq!(names(&game), ["feed wood", "feed clay"]);
    play(&mut game, &["feed clay", "feed clay"]);
    assert_eq!(game.tribes[0].resources, [1, 0, 0, 0]);
}

#[test]
fn too_few_resources_cannot_be_paid() {
    let mut game = hungry(r#"{"forced": "ask"}"#, 2, 0, [1, 1, 0, 0]);
    assert_eq!(names(&game), ["lose 10 points"]);
    play(&mut game, &["lose 10 points"]);
    assert_eq!(game.tribes[0].resources, [1, 1, 0, 0]);
    let skipped = hungry("{}", 2, 0, [1, 1, 0, 0]);
    assert_eq!(skipped.score(Player(0)), -10, "the forced decision is skipped");
}

#[test]
fn the_document_takes_resources_one_by_one_and_the_penalty_at_any_time() {
    let mut game = hungry(r#"{"rules": "document"}"#, 2, 0, [1, 1, 0, 0]);
    play(&mut game, &["feed clay"]);
    offers(&game, "lose 10 points");
    play(&mut game, &["lose 10 points"]);
    assert_eq!(game.tribes[0].resources, [1, 0, 0, 0], "the clay is gone");
    assert_eq!(game.supply, [27, 18, 12, 10]);
    assert_eq!(game.score(Player(0)), -10);
}

#[test]
fn new_figures_are_fed() {
    let mut game = simple("{}");
    play(&mut game, &["hut", "hunt 5", "tool maker", "river 2"]);
    play(&mut game, &["use hut", "use tool maker", "roll 4"]);
    assert_eq!((game.tribes[0].figures, game.tribes[0].tools), (6, [1, 0, 0]));
    offers(&game, "tool 1 (+1)");
    play(&mut game, &["done", "roll 20"]);
    assert_eq!(game.tribes[0].food, 12 - 6);
    assert_eq!(game.tribes[1].food, 12 + 10 - 5);
    assert_eq!(game.tribes[0].available, 6);
}

#[test]
fn the_first_player_feeds_first_and_the_marker_moves_on() {
    let mut game = simple(r#"{"players": 3}"#);
    game.first = 1;
    for tribe in &mut game.tribes {
        (tribe.food, tribe.resources) = (4, [1, 1, 0, 0]);
    }
    game.start_feeding();
    assert_eq!(game.turn(), Turn::Player(Player(1)));
    play(&mut game, &["feed wood"]);
    assert_eq!(game.turn(), Turn::Player(Player(2)));
    play(&mut game, &["lose 10 points"]);
    assert_eq!(game.turn(), Turn::Player(Player(0)));
    play(&mut game, &["feed wood"]);
    assert_eq!(game.turn(), Turn::Player(Player(2)), "the next first player");
}

#[test]
fn kept_resources_may_feed() {
    let mut game = hungry("{}", 2, 1, [1, 0, 0, 0]);
    assert_eq!(game.score(Player(0)), -10, "one wood is too little");
    game = simple("{}");
    (game.tribes[0].food, game.tribes[0].agriculture) = (2, 1);
    game.tribes[0].resources = [1, 0, 0, 0];
    game.two_holder = 0;
    game.start_feeding();
    let offered =
        ["take wood", "take clay", "take stone", "take gold", "feed wood", "lose 10 points"];
    assert_eq!(names(&game), offered);
    play(&mut game, &["take gold", "take clay"]);
    refuses(&game, "take wood");
    play(&mut game, &["feed clay", "feed wood"]);
    assert_eq!(game.tribes[0].resources, [0, 0, 0, 1]);
}

/// Otherwise a payment could be started that cannot be completed.
#[test]
fn kept_resources_count_as_far_as_the_supply_goes() {
    for (supply, offered) in [
        ([0; 4], &["lose 10 points"][..]),
        ([0, 1, 0, 0], &["lose 10 points"]),
        ([0, 2, 0, 0], &["take clay", "feed wood", "lose 10 points"]),
    ] {
        let mut game = simple(r#"{"limited_supply": true, "forced": "ask"}"#);
        (game.tribes[0].food, game.tribes[0].resources) = (2, [1, 0, 0, 0]);
        (game.supply, game.two_holder) = (supply, 0);
        game.start_feeding();
        assert_eq!(names(&game), offered, "{supply:?}");
    }
}
