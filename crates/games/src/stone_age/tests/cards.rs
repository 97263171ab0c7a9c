//! Tests of card effects.

use meeple_game::{Game, Player, Turn};

use super::{laid, names, play, refuses};
use crate::stone_age::{Step, StoneAge, Tribe};

/// Seat 0 has one wood, occupies `card` at 1, and has just paid for it.
fn bought(json: &str, card: u16) -> (Tribe, StoneAge) {
    let fillers = [24, 22, 13, 12].map(|filler| if filler == card { 1 } else { filler });
    let players = super::config(json).players.get();
    let mut game = laid(json, [fillers[0], fillers[1], fillers[2], card], &[0, 1, 2, 3][..players]);
    play(&mut game, &["card at 1", "hunt 5"]);
    for _ in 2..players {
        play(&mut game, &["hunt 5"]);
    }
    game.tribes[0].resources = [1, 0, 0, 0];
    game.tribes[0].tools = [2, 1, 1];
    if game.limited_supply() {
        game.supply[0] -= 1;
    }
    play(&mut game, &["hunt 4"]);
    let mut before = game.tribes[0];
    before.resources = [0; 4];
    before.cards.add(card as usize);
    if game.free_action_order() {
        before.todo &= !(1 << 11);
        play(&mut game, &["use card at 1"]);
    } else {
        play(&mut game, &["roll 12", "done"]);
        (before.food, before.todo) = (game.tribes[0].food, 0);
    }
    if game.step == Step::PayCard {
        play(&mut game, &["pay 1 wood"]);
    }
    assert_eq!((game.cards[3], game.card_figures[3]), (-1, -1));
    (before, game)
}

/// Checks a card without decisions or dice.
#[track_caller]
fn gives(card: u16, change: impl Fn(&mut Tribe)) {
    let (mut expected, game) = bought(r#"{"forced": "ask"}"#, card);
    change(&mut expected);
    assert_eq!(game.tribes[0], expected, "card {card}");
    assert_eq!(names(&game), ["use hunt"]);
}

#[test]
fn food() {
    for (card, food) in [(1, 5), (6, 7), (12, 3), (13, 1), (22, 2), (24, 4), (27, 3)] {
        gives(card, |tribe| tribe.food += food);
    }
}

#[test]
fn resources() {
    for (card, gained) in [
        (9, [0, 0, 2, 0]),
        (16, [0, 1, 0, 0]),
        (17, [0, 0, 0, 1]),
        (19, [0, 0, 1, 0]),
        (29, [0, 0, 1, 0]),
    ] {
        gives(card, |tribe| tribe.resources = gained);
    }
}

#[test]
fn points_fields_and_tools() {
    for card in [14, 20] {
        gives(card, |tribe| tribe.score += 3);
    }
    for card in [4, 25] {
        gives(card, |tribe| tribe.agriculture += 1);
    }
    gives(10, |tribe| tribe.tools = [2, 2, 1]);
    for (card, value) in [(31, 2), (32, 4), (33, 3)] {
        gives(card, |tribe| tribe.one_use = value);
    }
}

#[test]
fn card_31_is_two_tool_steps_in_the_document() {
    let (_, game) = bought(r#"{"card31_one_use": false}"#, 31);
    assert_eq!((game.tribes[0].tools, game.tribes[0].one_use), ([2, 2, 2], 0));
}

#[test]
fn dice_for_a_resource_take_tools_in_the_printed_rules() {
    for (card, kind, pieces) in [(15, 0, 4), (18, 2, 2), (11, 3, 2)] {
        let (_, mut game) = bought(r#"{"forced": "ask"}"#, card);
        assert_eq!((game.turn(), names(&game).len()), (Turn::Chance, 11));
        play(&mut game, &["roll 9"]);
        assert_eq!(names(&game), ["tool 1 (+2)", "tool 2 (+1)", "tool 3 (+1)", "done"]);
        play(&mut game, &["tool 1 (+2)", "tool 3 (+1)", "done"]);
        assert_eq!(game.tribes[0].resources[kind], pieces, "12 for card {card}");
        assert_eq!(names(&game), ["use hunt"]);
    }
    let (_, mut game) = bought(r#"{"rules": "document", "forced": "ask"}"#, 15);
    play(&mut game, &["roll 9"]);
    assert_eq!(game.tribes[0].resources[0], 3);
    assert_eq!(game.active, 1, "seat 1 is next");
}

/// The kinds of cards with gift dice; one of them exists twice.
const PRESENTS: [u16; 9] = [3, 5, 7, 8, 21, 23, 26, 28, 30];

#[test]
fn gift_dice_are_taken_clockwise() {
    for card in PRESENTS {
        let (_, mut game) = bought(r#"{"players": 3, "forced": "ask"}"#, card);
        assert_eq!(names(&game).len(), 56);
        play(&mut game, &["dice show wood tool field"]);
        let seat = |game: &StoneAge| game.turn();
        assert_eq!(seat(&game), Turn::Player(Player(0)));
        play(&mut game, &["die 2: tool"]);
        assert_eq!(game.tribes[0].tools, [2, 2, 1]);
        assert_eq!(seat(&game), Turn::Player(Player(1)));
        assert_eq!(names(&game), ["die 1: wood", "die 3: field"]);
        play(&mut game, &["die 3: field"]);
        assert_eq!(game.tribes[1].agriculture, 1);
        assert_eq!(names(&game), ["die 1: wood"]);
        play(&mut game, &["die 1: wood"]);
        assert_eq!(game.tribes[2].resources, [1, 0, 0, 0]);
        assert_eq!(names(&game), ["use hunt"]);
    }
}

#[test]
fn gifts_beyond_the_maximum_are_lost() {
    let (_, mut game) = bought("{}", 3);
    game.tribes[0].agriculture = 10;
    game.tribes[1].tools = [4, 4, 4];
    play(&mut game, &["dice show tool field", "die 2: field"]);
    assert_eq!((game.tribes[0].agriculture, game.tribes[1].tools), (10, [4, 4, 4]));
}

#[test]
fn equal_dice_are_one_action_when_rolled_jointly() {
    let (_, mut game) = bought(r#"{"players": 4}"#, 3);
    assert_eq!(names(&game).len(), 126);
    play(&mut game, &["dice show clay clay clay gold"]);
    assert_eq!(names(&game), ["die 1: clay", "die 4: gold"]);
    let (_, mut game) = bought(r#"{"players": 4, "rules": "document"}"#, 3);
    assert_eq!(names(&game).len(), 6);
    play(&mut game, &["die shows clay", "die shows gold", "die shows clay", "die shows clay"]);
    assert_eq!(names(&game), ["die 1: clay", "die 2: gold", "die 3: clay", "die 4: clay"]);
}

#[test]
fn any_two_resources_may_be_kept() {
    let (_, mut game) = bought("{}", 0);
    assert_eq!(game.two_holder, 0);
    assert_eq!(names(&game), ["take wood", "take clay", "take stone", "take gold", "use hunt"]);
    let mut kept = game;
    play(&mut kept, &["use hunt", "roll 12", "done", "roll 15"]);
    assert_eq!((kept.two_holder, kept.round()), (0, 1), "it is still there next round");
    play(&mut game, &["take gold"]);
    refuses(&game, "use hunt");
    play(&mut game, &["take gold"]);
    assert_eq!((game.tribes[0].resources, game.two_holder), ([0, 0, 0, 2], -1));
}

#[test]
fn kept_resources_can_pay_for_what_is_left() {
    let mut game = laid("{}", [24, 22, 12, 0], &[0, 1]);
    game.tribes[0].resources = [1, 0, 0, 0];
    play(&mut game, &["card at 1", "hunt 5", "card at 2", "hunt 3"]);
    play(&mut game, &["use card at 1", "pay 1 wood", "use hunt", "roll 9"]);
    assert_eq!(names(&game), ["take wood", "take clay", "take stone", "take gold", "decline"]);
    let mut declined = game;
    play(&mut declined, &["decline"]);
    assert_eq!((declined.card_figures, declined.two_holder), ([-1; 4], 0));
    play(&mut game, &["take wood", "take clay", "pay 1 wood 1 clay"]);
    assert_eq!(game.tribes[0].cards.count(12), 1);
}

#[test]
fn kept_resources_count_at_the_end() {
    let (_, mut game) = bought("{}", 0);
    (game.buildings[1], game.stacks[1]) = (-1, 0);
    play(&mut game, &["use hunt", "roll 12", "done", "roll 15"]);
    assert_eq!((game.turn(), game.score(Player(0))), (Turn::Over, 1 + 2));
}

#[test]
fn any_two_resources_are_taken_at_once_in_the_document() {
    let (_, mut game) = bought(r#"{"rules": "document"}"#, 0);
    game.supply = [0, 18, 12, 10];
    assert_eq!(names(&game), ["take clay", "take stone", "take gold"]);
    game.supply = [0; 4];
    assert_eq!(names(&game), ["take wood"], "an empty supply gives nothing");
    game.supply = [27, 18, 12, 10];
    play(&mut game, &["take stone", "take gold"]);
    assert_eq!(game.tribes[0].resources, [0, 0, 1, 1]);
}

#[test]
fn card_2_takes_a_displayed_card_in_the_document() {
    let (_, mut game) = bought(r#"{"rules": "document"}"#, 2);
    assert_eq!(game.step, Step::TakeCard);
    assert_eq!(names(&game), ["take card at 4", "take card at 3", "take card at 2"]);
    let food = game.tribes[0].food;
    game.card_figures[0] = 1;
    game.tribes[1].todo |= 1 << 8;
    play(&mut game, &["take card at 4"]);
    assert_eq!(game.tribes[0].food, food + 4, "its immediate effect applies");
    assert_eq!((game.tribes[0].cards.count(2), game.tribes[0].cards.count(24)), (1, 1));
    assert_eq!(game.card_figures[0], -1, "the figure on it is removed");
}

#[test]
fn card_2_alone_on_the_display_takes_nothing() {
    let (_, mut game) = bought(r#"{"rules": "document", "forced": "ask"}"#, 2);
    game.cards = [-1; 4];
    assert_eq!(names(&game), ["decline"]);
    play(&mut game, &["decline"]);
    assert_eq!(game.active, 1);
}

#[test]
fn cards_cost_the_price_of_their_space() {
    let mut game = laid("{}", [24, 22, 13, 12], &[0, 1]);
    game.tribes[0].resources = [9, 9, 0, 0];
    play(&mut game, &["card at 4", "hunt 5", "card at 3", "card at 2", "card at 1", "hunt 1"]);
    for (cost, ways) in [(4, 5), (3, 4), (2, 3), (1, 2)] {
        let mut paying = game;
        play(&mut paying, &[&format!("use card at {cost}")]);
        assert_eq!(names(&paying).len(), ways + 1, "ways to pay {cost}, or to decline");
    }
}
