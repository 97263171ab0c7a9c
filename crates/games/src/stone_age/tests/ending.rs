//! Tests of the end of the game, ranks and payoffs.

use meeple_game::{Action, ActionList, Game, Player, Rng, Turn, playout};

use super::{play, simple};
use crate::stone_age::{CardSet, LAST_ROUND, StoneAge};

fn feed_and_end(game: &mut StoneAge) -> Turn {
    game.start_feeding();
    game.turn()
}

#[test]
fn the_game_ends_when_the_deck_cannot_fill_the_display() {
    for (left, ends) in [(2, true), (3, false)] {
        let mut game = simple("{}");
        game.cards = [24, -1, -1, -1];
        game.deck = CardSet((1 << left) - 1);
        assert_eq!(feed_and_end(&mut game) == Turn::Over, ends);
        assert_eq!(game.cards, if ends { [24, -1, -1, -1] } else { [-1, -1, -1, 24] });
    }
}

#[test]
fn the_game_ends_when_a_stack_is_used_up() {
    for (building, tiles, ends) in [(-1, 0, true), (0, 0, false), (-1, 1, false)] {
        let mut game = simple("{}");
        (game.buildings[1], game.stacks[1]) = (building, tiles);
        assert_eq!(feed_and_end(&mut game) == Turn::Over, ends);
    }
}

#[test]
fn the_round_is_completed_when_a_stack_is_empty() {
    let mut game = simple("{}");
    game.stacks[0] = 0;
    game.tribes[0].resources = [2, 1, 0, 0];
    play(&mut game, &["building 1", "hunt 5", "hunt 4"]);
    play(&mut game, &["use building 1", "pay 2 wood 1 clay", "roll 12"]);
    assert_eq!(game.turn(), Turn::Chance, "seat 1 still hunts");
    play(&mut game, &["roll 15"]);
    assert_eq!(game.turn(), Turn::Over);
}

#[test]
fn cards_slide_and_are_filled_up_from_the_cheap_end() {
    let mut game = simple("{}");
    game.cards = [24, -1, 13, -1];
    (game.buildings[0], game.stacks[0]) = (-1, 6);
    game.start_feeding();
    assert_eq!(game.cards, [-1, -1, 24, 13]);
    play(&mut game, &["card: 7 food / pottery"]);
    assert_eq!(game.cards, [-1, 6, 24, 13]);
    play(&mut game, &["card: 1 tool / art"]);
    assert_eq!(game.cards, [10, 6, 24, 13]);
    play(&mut game, &["building: 4 resources of 2 kinds"]);
    assert_eq!((game.buildings[0], game.stacks[0]), (15, 5));
    assert_eq!(game.turn(), Turn::Player(Player(1)));
}

#[test]
fn the_game_ends_after_the_last_round() {
    let mut game = simple("{}");
    game.round = LAST_ROUND - 1;
    assert_ne!(feed_and_end(&mut game), Turn::Over);
    assert_eq!(feed_and_end(&mut game), Turn::Over);
}

/// A finished game with these points and these tie-breakers.
fn finished(json: &str, points: &[i16], fields: &[u8]) -> Vec<f32> {
    let mut game = simple(json);
    for (seat, (&points, &fields)) in points.iter().zip(fields).enumerate() {
        (game.tribes[seat].score, game.tribes[seat].agriculture) = (points, fields);
    }
    (game.buildings[0], game.stacks[0]) = (-1, 0);
    game.start_feeding();
    assert_eq!(game.turn(), Turn::Over);
    game.payoffs()[..game.players()].to_vec()
}

#[test]
fn payoffs_follow_ranks() {
    assert_eq!(finished("{}", &[9, 30], &[0, 0]), [-1.0, 1.0]);
    assert_eq!(finished(r#"{"players": 3}"#, &[9, 30, 10], &[0; 3]), [-1.0, 1.0, 0.0]);
    let four = finished(r#"{"players": 4}"#, &[9, -30, 10, 2], &[0; 4]);
    assert_eq!(four, [0.33, -1.0, 1.0, -0.33]);
}

#[test]
fn fields_tools_and_figures_break_ties() {
    assert_eq!(finished("{}", &[9, 9], &[1, 0]), [1.0, -1.0]);
    assert_eq!(finished("{}", &[9, 9], &[1, 2]), [-1.0, 1.0]);
}

#[test]
fn tied_players_share_or_the_lower_seat_is_ahead() {
    assert_eq!(finished("{}", &[9, 9], &[1, 1]), [0.0, 0.0]);
    assert_eq!(finished(r#"{"players": 3}"#, &[9, 9, 0], &[0; 3]), [0.5, 0.5, -1.0]);
    let four = finished(r#"{"players": 4}"#, &[1, 9, 9, 9], &[0; 4]);
    let shared = (1.0 + 0.33 - 0.33) / 3.0;
    assert_eq!(four, [-1.0, shared, shared, shared]);
    assert_eq!(finished(r#"{"shared_ties": false}"#, &[9, 9], &[1, 1]), [1.0, -1.0]);
}

#[test]
fn the_score_sheet_is_shown_at_the_end() {
    let mut game = simple("{}");
    game.tribes[0].score = 21;
    game.tribes[0].resources = [3, 0, 0, 1];
    (game.buildings[0], game.stacks[0]) = (-1, 0);
    game.start_feeding();
    let text = game.to_string();
    let line = |name: &str| {
        let line = text.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
        line[16..].split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(line("on the track"), ["21", "0"]);
    assert_eq!(line("resources"), ["4", "0"]);
    assert_eq!(line("total"), ["25", "0"]);
}

#[test]
fn random_games_end_well_before_the_last_round() {
    for seed in 0..300 {
        let mut game = StoneAge::new(&super::config(r#"{"players": 2}"#));
        let mut rng = Rng::new(seed);
        playout(&mut game, &mut rng, &mut ActionList::new());
        assert!(game.round() < 150, "seed {seed}: {} rounds", game.round());
        assert!(game.try_apply(Action(0)).is_err());
    }
}

/// Two bots that never buy: one takes the first action, one gathers as much as possible.
#[test]
fn games_of_bots_that_never_buy_end_within_the_layout() {
    let decline = |legal: &[Action]| legal.iter().copied().find(|&action| action == Action(408));
    let first = |legal: &[Action]| legal[0];
    let gather = |legal: &[Action]| {
        let largest = legal.iter().rev().find(|action| action.0 % 7 == 4 && action.0 < 28);
        *largest.unwrap_or(&legal[0])
    };
    for policy in [first, gather] {
        let mut game = StoneAge::new(&super::config("{}"));
        let (mut rng, mut legal) = (Rng::new(1), ActionList::new());
        while game.turn() != Turn::Over {
            let action = if game.turn() == Turn::Chance {
                game.sample_chance(&mut rng)
            } else {
                game.legal_actions(&mut legal);
                decline(&legal).unwrap_or_else(|| policy(&legal))
            };
            game.apply(action);
        }
        assert_eq!(game.round(), u32::from(LAST_ROUND));
        let mut cells = vec![0; game.observation().len()];
        game.observe(Player(1), &mut cells);
        for (cell, &value) in cells.iter().enumerate() {
            let (field, _) = game.observation().field_of(cell).unwrap();
            let (min, max) = field.kind().bounds();
            assert!((min..=max).contains(&value), "{} is {value}", field.name());
        }
    }
}
