//! Tests of tricks, trumps, knockouts and determinization.

use meeple_game::{Action, ActionList, Game, Player, Rng, Turn, playout};

use super::{KnockoutWhist, Options, SUITS};

fn dealt(players: usize, hands: &[&str], trumps: &str) -> KnockoutWhist {
    let mut game = KnockoutWhist::new(&Options { players: (players as i64).try_into().unwrap() });
    game.cards = hands[0].split(' ').count() as u8;
    game.start_deal();
    for card in hands.iter().flat_map(|hand| hand.split(' ')) {
        game.apply(game.parse_action(card).expect("a card of the deck"));
    }
    game.apply(game.parse_action(trumps).expect("a suit"));
    game
}

fn play(game: &mut KnockoutWhist, cards: &str) {
    for card in cards.split(' ') {
        let action = game.parse_action(card).unwrap_or_else(|| panic!("{card} in {game}"));
        game.try_apply(action).expect("it was just parsed");
    }
}

fn legal_names(game: &KnockoutWhist) -> Vec<String> {
    let mut actions = ActionList::new();
    game.legal_actions(&mut actions);
    actions.iter().map(|&action| game.action_name(action)).collect()
}

#[test]
fn suits_are_followed_and_trumps_win() {
    let mut game = dealt(3, &["Ks 2h", "As 3h", "2d 9c"], "diamonds are trumps");
    play(&mut game, "Ks");
    assert_eq!(legal_names(&game), ["As"]);
    play(&mut game, "As");
    assert_eq!(legal_names(&game), ["2d", "9c"]);
    play(&mut game, "2d");
    assert_eq!(game.turn(), Turn::Player(Player(2)));
    // An off-suit card that is no trump cannot win the trick.
    play(&mut game, "9c 2h 3h");
    assert_eq!(game.payoffs()[..3], [-0.5, -0.5, 1.0]);
}

#[test]
fn players_without_a_trick_are_out_and_the_next_deal_is_smaller() {
    let mut game = dealt(3, &["As 2h", "2s Ah", "3s 3h"], "clubs are trumps");
    play(&mut game, "As 2s 3s 2h Ah 3h");
    assert_eq!((game.active, game.cards, game.turn()), (0b011, 1, Turn::Chance));
    play(&mut game, "2c 3c");
    game.apply(game.parse_action("hearts are trumps").unwrap());
    // Seat 1 took the last trick, so it leads.
    play(&mut game, "3c 2c");
    assert_eq!(game.payoffs()[..3], [-0.5, 1.0, -0.5]);
}

#[test]
fn determinizations_respect_known_voids() {
    let mut game = dealt(2, &["As Ks 2h", "2d 3d 4h"], "clubs are trumps");
    play(&mut game, "As 2d");
    let mut rng = Rng::new(1);
    for _ in 0..200 {
        let other = game.determinize(Player(0), &mut rng);
        assert_eq!(other.hands[1] & SUITS[0], 0);
        assert_eq!(other.info_key(Player(0)), game.info_key(Player(0)));
    }
}

#[test]
fn a_game_has_at_most_28_tricks() {
    let (mut rng, mut scratch) = (Rng::new(1), ActionList::new());
    for _ in 0..2000 {
        let mut game = KnockoutWhist::new(&Options::default());
        let steps = playout(&mut game, &mut rng, &mut scratch);
        assert!((14..=56).contains(&steps.decisions));
        let trumps = steps.chances - steps.decisions;
        assert!((1..=7).contains(&trumps), "a card is played for each one dealt");
    }
}

#[test]
fn actions_are_cards() {
    let game = dealt(2, &["2s", "Ac"], "spades are trumps");
    assert_eq!(game.action_name(Action(0)), "2s");
    assert_eq!(
        game.text(Player(1)),
        "deal of 1, trumps: spades\n> seat 0: ??; tricks: 0\n  seat 1: Ac; tricks: 0"
    );
}
