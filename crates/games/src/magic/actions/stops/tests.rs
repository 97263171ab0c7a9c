//! What a focused table asks about, held against the same rules said of one
//! action at a time.

use meeple_game::{Action, ActionList, Game, Rng, Turn};

use super::Worth;
use crate::magic::actions::{Choice, NO, choice};
use crate::magic::language::{Keyword, Timing, Type};
use crate::magic::state::seat::Seat;
use crate::magic::state::{Magic, Phase, Question};
use crate::magic::table::Activated;
use crate::magic::{Config, decks};

const GAMES: u64 = 12;

/// Whether one action is worth asking about.
fn is_worth_a_stop(game: &Magic, seat: Seat, action: Action) -> bool {
    let is_timed = |ability: &Activated| ability.only.contains(&Timing::YourUpkeep);
    let action = choice(action, seat);
    if !game.is_a_moment(seat) {
        return game.is_upkeep_of(seat)
            && match action {
                Choice::Use(slot, number) => {
                    let mut abilities = game.abilities_of(slot);
                    abilities.nth(number as usize).is_some_and(|(_, ability)| is_timed(ability))
                }
                Choice::Recall(card) => game.def(card.of(seat)).activated.iter().any(is_timed),
                _ => false,
            };
    }
    let waits = game.is_sorcery_time(seat)
        && game.clock.phase == Phase::Main
        && game.possible_attackers().is_empty();
    !waits
        || matches!(action, Choice::Card(card)
            if game.def(card).is(Type::Land) || game.def(card).keywords.has(Keyword::Haste))
}

/// Lands come first, and then all that is worth a stop and nothing else.
#[test]
fn all_that_is_worth_a_stop_is_asked_about() {
    let (mut whole, mut asked) = (ActionList::new(), ActionList::new());
    // Abilities for the upkeep, spells with haste, other options that were met.
    let mut met = [0; 3];
    for (number, deck) in decks::builtin().iter().enumerate() {
        let config = Config::of_decks(&deck.name, &deck.name).unwrap();
        for seed in 0..GAMES {
            let mut rng = Rng::new(number as u64).split(seed);
            let mut game = Magic::new(&config);
            while game.turn() != Turn::Over {
                let Turn::Player(player) = game.turn() else {
                    game.apply(game.sample_chance(&mut rng));
                    continue;
                };
                if game.question == Question::Priority {
                    let seat = Seat::from(player);
                    let mut focused = game;
                    meeple_game::focus(&mut focused);
                    focused.list_legal(&mut asked);
                    game.list_legal(&mut whole);
                    let lands = game.lands_to_play(seat).iter().count();
                    let expected: Vec<Action> = match lands {
                        0 => (whole.iter().copied())
                            .filter(|&action| {
                                action.0 == NO || is_worth_a_stop(&game, seat, action)
                            })
                            .collect(),
                        // After passing.
                        _ => whole[1..=lands].to_vec(),
                    };
                    assert_eq!(&asked[..], &expected[..], "{game}");
                    assert_eq!(focused.can_act(seat), lands > 0 || expected.len() > 1, "{game}");
                    let kind = match focused.worth_a_stop(seat) {
                        Worth::Upkeep => 0,
                        Worth::Haste => 1,
                        Worth::Anything | Worth::Nothing => 2,
                    };
                    met[kind] += usize::from(lands == 0 && expected.len() > 1);
                }
                game.apply(game.sample_action(&mut rng, &mut whole));
            }
        }
    }
    assert!(met.iter().all(|&met| met >= 10), "{met:?}");
}
