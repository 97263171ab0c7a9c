//! Tests of the card drawn face down.

use meeple_game::{Game, Player, Rng, Turn};

use super::{laid, play};
use crate::stone_age::{CardSet, StoneAge};

/// Seat 0 has bought card 2 and draws.
fn drawing(json: &str) -> StoneAge {
    let mut game = laid(json, [24, 22, 13, 2], &[0, 1]);
    game.tribes[0].resources = [1, 0, 0, 0];
    play(&mut game, &["card at 1", "hunt 5", "hunt 4"]);
    play(&mut game, &["use card at 1", "pay 1 wood"]);
    game
}

fn drawn(card: &str) -> StoneAge {
    let mut game = drawing("{}");
    assert_eq!(game.turn(), Turn::Chance);
    play(&mut game, &[&format!("draw: {card}")]);
    game
}

#[test]
fn only_its_owner_knows_it() {
    let (one, other) = (drawn("7 food / pottery"), drawn("1 tool / art"));
    assert_ne!(one.key(), other.key());
    assert_ne!(one.info_key(Player(0)), other.info_key(Player(0)));
    assert_eq!(one.info_key(Player(1)), other.info_key(Player(1)));
    assert!(one.text(Player(0)).contains("face down: pottery"));
    assert!(one.text(Player(1)).contains("face down: ?"));
    assert_eq!(one.text(Player(1)), other.text(Player(1)));
    assert_eq!(one.tribes[0].food, 12, "its immediate effect does not apply");
    let observe = |game: &StoneAge, seat| {
        let mut cells = vec![0; game.observation().len()];
        game.observe(Player(seat), &mut cells);
        cells
    };
    assert_eq!(observe(&one, 1), observe(&other, 1));
    assert_eq!(observe(&one, 0)[449..451], [7, 1]);
    assert_eq!(observe(&one, 1)[449..451], [0, 2]);
    // The deck and the drawn card are unseen by seat 1.
    let unseen = |cells: &[i32]| cells[386..420].iter().sum::<i32>();
    assert_eq!((unseen(&observe(&one, 0)), unseen(&observe(&one, 1))), (31, 32));
}

#[test]
fn determinization_redraws_it_from_the_unseen_cards() {
    let game = drawn("7 food / pottery");
    let mut rng = Rng::new(3);
    let mut counts = [0u32; 34];
    for _ in 0..32_000 {
        let dealt = game.determinize(Player(1), &mut rng);
        assert!(dealt.is_consistent());
        counts[dealt.hidden_card as usize] += 1;
        assert_eq!(game.determinize(Player(0), &mut rng), game);
    }
    for (card, &count) in counts.iter().enumerate() {
        let copies = u32::from(game.unseen_by(1).count(card));
        assert!(count.abs_diff(1000 * copies) < 200, "card {card} of {copies}: {count}");
    }
}

#[test]
fn an_empty_deck_gives_nothing() {
    let mut game = laid("{}", [24, 22, 13, 2], &[0, 1]);
    game.tribes[0].resources = [1, 0, 0, 0];
    play(&mut game, &["card at 1", "hunt 5", "hunt 4"]);
    game.deck = CardSet(0);
    play(&mut game, &["use card at 1", "pay 1 wood"]);
    assert_eq!((game.hidden_card, game.hidden_holder), (-1, -1));
}

#[test]
fn it_is_scored_and_revealed_at_the_end() {
    let mut game = drawn("3 points / 3 builders");
    game.tribes[0].buildings.add(0);
    (game.buildings[1], game.stacks[1]) = (-1, 0);
    play(&mut game, &["roll 12", "roll 15"]);
    assert_eq!(game.turn(), Turn::Over);
    assert_eq!(game.tribes[0].cards.count(20), 1);
    // Writing scores 1, three builders with one building 3.
    assert_eq!(game.score(Player(0)), 4);
    assert!(!game.text(Player(1)).contains("face down"));
}
