//! Tests of positions.

use std::collections::BTreeSet;

use super::*;

#[test]
fn others_are_told_what_they_see() {
    let mut kuhn = open("kuhn", None).unwrap();
    let deal = choices_of(&*kuhn)[0];
    assert_eq!(kuhn.told_name(deal, Player(0)), Some(kuhn.action_name(deal)));
    assert_eq!(kuhn.told_name(deal, Player(1)), None);
    kuhn.try_apply(deal).unwrap();
    kuhn.try_apply(choices_of(&*kuhn)[0]).unwrap();
    let bet = choices_of(&*kuhn)[1];
    assert!(kuhn.told_name(bet, Player(1)).is_some());
}

/// The names of actions in random games that some player does not learn, without duplicates.
fn untold(game: &str, config: Option<&str>, games: u64) -> BTreeSet<String> {
    let (table, mut untold) = (open(game, config).unwrap(), BTreeSet::new());
    for seed in 0..games {
        let (mut position, mut rng) = (table.first(), Rng::new(seed));
        while position.turn() != Turn::Over {
            let action = match position.turn() {
                Turn::Chance => position.sample_chance(&mut rng),
                _ => {
                    let choices = choices_of(&*position);
                    choices[rng.below(choices.len())]
                }
            };
            let by = position.turn();
            for player in Player::all(position.players()) {
                if position.told_name(action, player).is_none() {
                    assert_ne!(by, Turn::Player(player), "players see what they do");
                    untold.insert(position.action_name(action));
                }
            }
            position.try_apply(action).unwrap();
        }
    }
    untold
}

/// Only secrets of the rules are withheld: cards that are dealt, drawn, put away or searched
/// for face down.
#[test]
fn only_face_down_cards_are_not_told() {
    for open in ["tic-tac-toe", "pig", "backgammon"] {
        assert_eq!(untold(open, None, 3), BTreeSet::new(), "{open}");
    }
    for (game, config, games, first_words) in [
        ("kuhn", None, 50, &["deal"][..]),
        ("leduc", None, 50, &["deal"]),
        ("holdem", Some(r#"{"players": 4}"#), 50, &["deal"]),
        ("stone-age", Some(r#"{"players": 3}"#), 30, &["draw:"]),
        ("magic", None, 10, &["draw", "put", "take", "turn"]),
    ] {
        let untold = untold(game, config, games);
        assert!(!untold.is_empty(), "{game}");
        for name in untold {
            let first = name.split(' ').next().unwrap_or_default();
            assert!(first_words.contains(&first), "{game}: {name} is not told");
        }
    }
}

/// Whist hands are dealt face down, and every played card is public.
#[test]
fn whist_cards_are_told_when_they_are_played() {
    let table = open("knockout-whist", Some(r#"{"players": 3}"#)).unwrap();
    for seed in 0..20 {
        let (mut position, mut rng) = (table.first(), Rng::new(seed));
        while position.turn() != Turn::Over {
            let choices = choices_of(&*position);
            let action = choices[rng.below(choices.len())];
            let told = Player::all(3).filter(|&seat| position.told_name(action, seat).is_some());
            let trumps = position.action_name(action).ends_with("trumps");
            let dealt = position.turn() == Turn::Chance && !trumps;
            assert_eq!(told.count(), if dealt { 1 } else { 3 });
            position.try_apply(action).unwrap();
        }
    }
}

#[test]
fn nobody_thinks_where_luck_decides() {
    let kuhn = open("kuhn", None).unwrap();
    let Ok(BotSpec::Search(spec)) = "mcts-ismcts:sims=10".parse() else { panic!("a search") };
    let refused = kuhn.search(&spec, &spec.budget(2), 1, &mut Control::default());
    assert_eq!(refused.unwrap_err(), Error::NothingToDecide);
}

#[test]
fn there_must_be_such_a_game_and_table() {
    let error = open("shogi", None).unwrap_err().to_string();
    assert!(error.starts_with("unknown game \"shogi\""), "{error}");
    let error = open("pig", Some(r#"{"chairs": 3}"#)).unwrap_err().to_string();
    assert!(error.contains("chairs") && error.ends_with("in the table of pig"), "{error}");
    assert!(open("pig", Some("{} {}")).is_err());
}
