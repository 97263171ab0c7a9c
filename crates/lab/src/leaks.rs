//! Nothing that a person cannot see reaches the page: tables that differ in that alone
//! are told alike.

use meeple_arena::Thought;
use meeple_game::{Action, Player, Rng, Turn};
use serde_json::{Value, json};

use crate::seats::Seat;
use crate::store::Head;
use crate::table::Table;
use crate::view::{Going, View};

fn table(game: &str, config: Value, seats: &[&str]) -> Table {
    let seats: Vec<Seat> = seats.iter().map(|seat| seat.parse().expect("a seat")).collect();
    Table::new(Head::new(game, config, 1, seats)).expect("a table")
}

/// All that pages are sent of a table.
fn told(table: &Table) -> String {
    let view = View::of(table, "session", Going::default());
    serde_json::to_string(&view).expect("a view is plain data")
}

/// Plays at random, and lets what the person cannot see be dealt anew at each event.
fn views_do_not_depend_on_the_unseen(game: &str, config: &Value, seats: &[&str], games: u64) {
    let mut differed = 0;
    for seed in 0..games {
        let (mut one, mut rng) = (table(game, config.clone(), seats), Rng::new(seed));
        let mut other = table(game, config.clone(), seats);
        while one.turn() != Turn::Over {
            let person = one.viewer();
            let mut choices = meeple_arena::choices_of(&*one.position);
            if one.turn() == Turn::Chance {
                choices = vec![one.position.sample_chance(&mut rng)];
            }
            one.did(*rng.pick(&choices), None, false).expect("a choice");
            if one.is_over() {
                break;
            }
            other.events.clone_from(&one.events);
            other.position = one.position.determinize(person, &mut rng);
            differed += usize::from(other.position.key() != one.position.key());
            assert_eq!(told(&one), told(&other), "{game} at event {}", one.events.len());
            for thinker in Player::all(seats.len()) {
                assert_eq!(one.is_open_mind(thinker), other.is_open_mind(thinker), "{game}");
            }
        }
    }
    assert!(differed > 10, "{game}: the deals differed {differed} times");
}

#[test]
fn small_card_games_tell_nothing() {
    let seats = ["person", "random"];
    for game in ["kuhn", "leduc", "knockout-whist"] {
        views_do_not_depend_on_the_unseen(game, &json!({}), &seats, 20);
        views_do_not_depend_on_the_unseen(game, &json!({}), &["random", "person"], 20);
    }
    let three = json!({ "players": 3 });
    views_do_not_depend_on_the_unseen("knockout-whist", &three, &["random", "person", "random"], 5);
}

#[test]
fn stone_age_tells_nothing() {
    let config = json!({ "players": 2 });
    views_do_not_depend_on_the_unseen("stone-age", &config, &["person", "random"], 8);
}

#[test]
fn magic_tells_nothing() {
    let config = json!({ "decks": ["red-burn", "green-midrange"] });
    views_do_not_depend_on_the_unseen("magic", &config, &["person", "random"], 1);
}

/// The same moves with another card in the bot's hand: every word is the same, and what
/// the bot thought is not told before the end.
#[test]
fn whole_games_of_kuhn_poker_are_told_alike() {
    let thought = |value: f32| Thought {
        iterations: 9,
        values: vec![-value, value],
        candidates: Vec::new(),
        variation: Vec::new(),
    };
    let play = |theirs: &str, value: f32| {
        let mut table = table("kuhn", json!({}), &["person", "mcts-ismcts:sims=9"]);
        let mut words = Vec::new();
        for name in ["deal Q", theirs, "pass", "bet", "bet"] {
            words.push(told(&table));
            let action = table.position.parse_action(name).expect("a choice");
            let thinks = table.turn() == Turn::Player(Player(1));
            if let Turn::Player(player) = table.turn() {
                assert_eq!(table.is_open_mind(player), player == Player(0));
            }
            table.did(action, thinks.then(|| thought(value)), false).expect("a choice");
        }
        (words, told(&table))
    };
    let (with_king, end_with_king) = play("deal K", 0.9);
    let (with_jack, end_with_jack) = play("deal J", -0.9);
    assert_eq!(with_king, with_jack);
    assert_ne!(end_with_king, end_with_jack, "at the end all is told");
    assert!(end_with_king.contains("0.9"), "{end_with_king}");
}

/// Where a hidden game hides nothing at the moment, thoughts may be followed.
#[test]
fn minds_are_open_where_nothing_is_hidden() {
    let chess = table("chess", json!({}), &["person", "mcts:sims=9"]);
    assert!(chess.is_open_mind(Player(1)));
    let watched = table("kuhn", json!({}), &["random", "random"]);
    assert!(watched.is_open_mind(Player(1)));
    let mut stone_age = table("stone-age", json!({}), &["person", "random"]);
    stone_age.let_luck_decide().expect("cards are turned up");
    assert!(stone_age.is_open_mind(Player(1)), "no card is face down yet");
}

/// What was taken back, resigned and played again is as if read from disk.
#[test]
fn tables_are_restored_as_they_were() {
    let mut table = table("pig", json!({}), &["person", "random"]);
    table.let_luck_decide().expect("luck");
    let mut entries = table.take_unwritten();
    while table.events.len() < 12 && !table.is_over() {
        let action = if table.turn() == Turn::Player(Player(1)) { Action(0) } else { Action(1) };
        table.did(action, None, false).expect("hold or roll");
        table.let_luck_decide().expect("luck");
    }
    let before = table.events.len();
    let first = told(&table);
    table.undo().expect("something was played");
    assert!(table.events.len() < before);
    table.let_luck_decide().expect("luck");
    while table.events.len() < before {
        let action = if table.turn() == Turn::Player(Player(1)) { Action(0) } else { Action(1) };
        table.did(action, None, false).expect("hold or roll");
        table.let_luck_decide().expect("luck");
    }
    assert_eq!(told(&table), first, "taking back does not change the dice");
    table.resign().expect("a person plays");
    entries.extend(table.take_unwritten());
    let restored = Table::restore(table.head.clone(), entries).expect("what was written");
    assert_eq!(told(&restored), told(&table));
    assert_eq!(restored.payoffs(), table.payoffs());
}
