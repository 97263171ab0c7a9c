//! Nothing that a person cannot see reaches the page: tables that differ in that alone
//! are told alike.

use meeple_arena::Thought;
use meeple_game::{Action, Player, Rng, Turn};
use serde_json::{Value, json};

use crate::Options;
use crate::keys::{Access, Keys};
use crate::refusal::Refusal;
use crate::seats::Seat;
use crate::store::{Entry, Head};
use crate::table::Table;
use crate::view::{Going, View};

fn head(game: &str, config: Value, seats: &[&str]) -> Head {
    let seats: Vec<Seat> = seats.iter().map(|seat| seat.parse().expect("a seat")).collect();
    let keys = Keys::new(&seats).expect("random numbers");
    Head::new(game, config, 1, seats, keys)
}

fn open(head: Head) -> Result<Table, Refusal> {
    let first = meeple_arena::open(&head.game, Some(&head.config.to_string()))?;
    Table::new(head, first, &Options::default())
}

fn table(game: &str, config: Value, seats: &[&str]) -> Table {
    open(head(game, config, seats)).expect("a table")
}

/// All that the holder of a seat is sent of a table.
fn told_to(table: &Table, seat: Player) -> String {
    let view = View::of(table, "session", Going::default(), Access::to_seats(&[seat.0]));
    serde_json::to_string(&view).expect("a view is plain data")
}

/// The same for the first person.
fn told(table: &Table) -> String {
    told_to(table, table.persons().next().unwrap_or(Player(0)))
}

/// Plays at random, and lets what a person cannot see be dealt anew at each event.
fn views_do_not_depend_on_the_unseen(game: &str, config: &Value, seats: &[&str], games: u64) {
    let mut differed = 0;
    for seed in 0..games {
        let (mut one, mut rng) = (table(game, config.clone(), seats), Rng::new(seed));
        let mut other = table(game, config.clone(), seats);
        while one.turn() != Turn::Over {
            let mut choices = meeple_arena::choices_of(&*one.position);
            if one.turn() == Turn::Chance {
                choices = vec![one.position.sample_chance(&mut rng)];
            }
            one.did(*rng.pick(&choices), None, false).expect("a choice");
            if one.is_over() {
                break;
            }
            for person in one.persons().collect::<Vec<_>>() {
                other.events.clone_from(&one.events);
                other.position = one.position.determinize(person, &mut rng);
                other.head.seed = rng.bits();
                differed += usize::from(other.position.key() != one.position.key());
                let (mine, theirs) = (told_to(&one, person), told_to(&other, person));
                assert_eq!(mine, theirs, "{game} at event {}", one.events.len());
                if one.persons().count() > 1 {
                    continue;
                }
                for thinker in Player::all(seats.len()) {
                    assert_eq!(one.is_open_mind(thinker), other.is_open_mind(thinker), "{game}");
                }
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
    // Two persons at one table: each sees their own hand only.
    for game in ["kuhn", "leduc", "knockout-whist", "holdem"] {
        views_do_not_depend_on_the_unseen(game, &json!({}), &["person", "person"], 10);
    }
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
    table.resign(Access::to_seats(&[0])).expect("a person plays");
    entries.extend(table.take_unwritten());
    for entries in [entries, table.entries()] {
        let restored = restore(table.head.clone(), entries).expect("what was written");
        assert_eq!(told(&restored), told(&table));
        assert_eq!(restored.payoffs(), table.payoffs());
    }
}

fn restore(head: Head, entries: Vec<Entry>) -> Result<Table, Refusal> {
    let mut table = open(head)?;
    for entry in entries {
        table.redo(entry, &Options::default().limits)?;
    }
    Ok(table)
}

/// What no caller could ask for is not taken from a file either.
#[test]
fn stored_tables_are_checked_like_those_of_callers() {
    let pig = || head("pig", json!({}), &["person", "random"]);
    for (entry, expected) in [
        (Entry::Resigned(1), "resigned: no person has seat 1"),
        (Entry::Resigned(2), "resigned: no person has seat 2"),
        (Entry::Back(3), "back: expected at most 0, found 3"),
        (Entry::Budget(Some(0)), "iterations: expected 1 to"),
        (Entry::Budget(Some(u64::MAX)), "iterations: expected 1 to"),
        (Entry::Key { seat: 1, key: "x".into() }, "key: no person has seat 1"),
        (Entry::Did { action: Action(999), thought: None, open: false }, "999"),
    ] {
        let refused = restore(pig(), vec![entry]).expect_err("a refusal").to_string();
        assert!(refused.contains(expected), "{refused}");
    }
    for bot in [
        "program:command=touch pwned",
        "uci:command=touch pwned",
        "puct:model=/etc/passwd",
        "puct:model=../../etc/passwd.safetensors",
        "mcts:sims=90000000",
        "mcts-transposition:table=64GB",
    ] {
        let refused = open(head("tic-tac-toe", json!({}), &["person", bot]));
        let refused = refused.expect_err("a refusal").to_string();
        assert!(refused.starts_with(&format!("bot {}", &bot[..4])), "{refused}");
    }
    let mut keyless = pig();
    keyless.seats.swap(0, 1);
    assert!(open(keyless).expect_err("a refusal").to_string().starts_with("keys: "));
    let thought = |action: u16, values: usize| Thought {
        iterations: 9,
        values: vec![0.0; values],
        candidates: vec![meeple_arena::Candidate {
            action: Action(action),
            visits: 9,
            value: 0.0,
            prior: 0.0,
        }],
        variation: Vec::new(),
    };
    let first = head("tic-tac-toe", json!({}), &["person", "random"]);
    for (thought, is_right) in
        [(thought(3, 2), true), (thought(9, 2), false), (thought(3, 1), false)]
    {
        let did = Entry::Did { action: Action(0), thought: Some(thought), open: true };
        assert_eq!(restore(first.clone(), vec![did]).is_ok(), is_right);
    }
}

/// Who wants the seed must wait for the end; so must they who want the cards.
#[test]
fn seeds_are_told_at_the_end() {
    let seat = Access::to_seats(&[0]);
    let look = |table: &Table, access: Access| View::of(table, "s", Going::default(), access);
    let mut chess = table("chess", json!({}), &["person", "random"]);
    assert_eq!(look(&chess, seat).seed, None);
    let first = meeple_arena::choices_of(&*chess.position)[0];
    chess.play(first, None, seat).expect("a legal move");
    chess.resign(seat).expect("a person plays");
    assert_eq!(look(&chess, Access::default()).seed, Some(1));
    chess.undo().expect("the rules hide nothing");
    let watched = table("leduc", json!({}), &["random", "random"]);
    assert_eq!(look(&watched, Access::default()).seed, Some(1));
    let mut leduc = table("leduc", json!({}), &["person", "random"]);
    leduc.let_luck_decide().expect("cards are dealt");
    assert!(leduc.check_look(Access::default()).is_err() && leduc.check_look(seat).is_ok());
    assert!(leduc.resign(Access::default()).is_err());
    leduc.resign(seat).expect("a person plays");
    leduc.check_look(Access::default()).expect("all cards are known");
    let refused = leduc.undo().expect_err("cards were seen").to_string();
    assert!(refused.contains("cards are known"), "{refused}");
}
