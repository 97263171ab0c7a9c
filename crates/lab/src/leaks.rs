//! Tests that views leak no hidden information: states in the same information set have equal
//! views.

use meeple_arena::Analysis;
use meeple_game::{Action, Player, Rng, Turn};
use serde_json::{Value, json};

use crate::Options;
use crate::error::ApiError;
use crate::game_session::GameSession;
use crate::keys::{Access, Keys};
use crate::seats::Seat;
use crate::store::{Entry, Header};
use crate::view::{Activity, View};

fn header(game: &str, config: Value, seats: &[&str]) -> Header {
    let seats: Vec<Seat> = seats.iter().map(|seat| seat.parse().expect("a seat")).collect();
    let keys = Keys::new(&seats).expect("random numbers");
    Header::new(game, config, 1, seats, keys)
}

fn open(header: Header) -> Result<GameSession, ApiError> {
    let first = meeple_bots::open(&header.game, Some(&header.config.to_string()))?;
    GameSession::new(header, first, &Options::default())
}

fn table(game: &str, config: Value, seats: &[&str]) -> GameSession {
    open(header(game, config, seats)).expect("a table")
}

/// Returns everything that the holder of a seat is sent.
fn view_of(table: &GameSession, seat: Player) -> String {
    let view = View::of(table, "session", Activity::default(), Access::to_seats(&[seat.0]));
    serde_json::to_string(&view).expect("a view is plain data")
}

/// Returns the view of the first person.
fn first_view(table: &GameSession) -> String {
    view_of(table, table.humans().next().unwrap_or(Player(0)))
}

/// Plays random games, and compares the view of each person with that of a determinization
/// after each event.
fn check_views(game: &str, config: &Value, seats: &[&str], games: u64) {
    let mut differed = 0;
    for seed in 0..games {
        let (mut one, mut rng) = (table(game, config.clone(), seats), Rng::new(seed));
        let mut other = table(game, config.clone(), seats);
        while one.turn() != Turn::Over {
            let mut choices = meeple_bots::choices_of(one.position());
            if one.turn() == Turn::Chance {
                choices = vec![one.position().sample_chance(&mut rng)];
            }
            one.apply_action(*rng.pick(&choices), None, false).expect("a choice");
            if one.is_over() {
                break;
            }
            for human in one.humans().collect::<Vec<_>>() {
                other.events.clone_from(&one.events);
                let sampled = one.position().determinize(human, &mut rng);
                other.driver.set_state(sampled);
                other.header.seed = rng.bits();
                differed += usize::from(other.position().key() != one.position().key());
                let (mine, theirs) = (view_of(&one, human), view_of(&other, human));
                assert_eq!(mine, theirs, "{game} at event {}", one.events.len());
                if one.humans().count() > 1 {
                    continue;
                }
                for searcher in Player::all(seats.len()) {
                    assert_eq!(
                        one.is_search_public(searcher),
                        other.is_search_public(searcher),
                        "{game}"
                    );
                }
            }
        }
    }
    assert!(differed > 10, "{game}: the determinizations differed {differed} times");
}

#[test]
fn small_card_games_do_not_leak() {
    let seats = ["person", "random"];
    for game in ["kuhn", "leduc", "knockout-whist", "kuhn-poker", "leduc-poker"] {
        check_views(game, &json!({}), &seats, 20);
        check_views(game, &json!({}), &["random", "person"], 20);
    }
    let three = json!({ "players": 3 });
    check_views("knockout-whist", &three, &["random", "person", "random"], 5);
    // Two people in one game: each sees only their own hand.
    for game in ["kuhn", "leduc", "knockout-whist", "holdem"] {
        check_views(game, &json!({}), &["person", "person"], 10);
    }
}

#[test]
fn stone_age_does_not_leak() {
    let config = json!({ "players": 2 });
    check_views("stone-age", &config, &["person", "random"], 8);
}

#[test]
fn magic_does_not_leak() {
    let config = json!({ "decks": ["red-burn", "green-midrange"] });
    check_views("magic", &config, &["person", "random"], 1);
}

/// With the same actions and another card of the bot all views are equal, and its search
/// statistics are hidden until the end.
#[test]
fn views_of_kuhn_poker_do_not_depend_on_the_other_card() {
    let analysis = |value: f32| Analysis {
        iterations: 9,
        values: vec![-value, value],
        candidates: Vec::new(),
        variation: Vec::new(),
    };
    let play = |theirs: &str, value: f32| {
        let mut table = table("kuhn", json!({}), &["person", "mcts-ismcts:sims=9"]);
        let mut views = Vec::new();
        for name in ["deal Q", theirs, "pass", "bet", "bet"] {
            views.push(first_view(&table));
            let action = table.position().parse_action(name).expect("a choice");
            let searches = table.turn() == Turn::Player(Player(1));
            if let Turn::Player(player) = table.turn() {
                assert_eq!(table.is_search_public(player), player == Player(0));
            }
            table.apply_action(action, searches.then(|| analysis(value)), false).expect("a choice");
        }
        (views, first_view(&table))
    };
    let (with_king, end_with_king) = play("deal K", 0.9);
    let (with_jack, end_with_jack) = play("deal J", -0.9);
    assert_eq!(with_king, with_jack);
    assert_ne!(end_with_king, end_with_jack, "everything is public at the end");
    assert!(end_with_king.contains("0.9"), "{end_with_king}");
}

/// Search statistics are public while a game with hidden information hides nothing.
#[test]
fn searches_are_public_where_nothing_is_hidden() {
    let chess = table("chess", json!({}), &["person", "mcts:sims=9"]);
    assert!(chess.is_search_public(Player(1)));
    let watched = table("kuhn", json!({}), &["random", "random"]);
    assert!(watched.is_search_public(Player(1)));
    let mut stone_age = table("stone-age", json!({}), &["person", "random"]);
    stone_age.resolve_chance();
    assert!(stone_age.is_search_public(Player(1)), "no card is face down yet");
}

/// A game with undo and resignation is restored exactly from its entries.
#[test]
fn games_are_restored_exactly() {
    let mut table = table("pig", json!({}), &["person", "random"]);
    table.resolve_chance();
    let mut entries = table.take_unwritten();
    while table.events.len() < 12 && !table.is_over() {
        let action = if table.turn() == Turn::Player(Player(1)) { Action(0) } else { Action(1) };
        table.apply_action(action, None, false).expect("hold or roll");
        table.resolve_chance();
    }
    let before = table.events.len();
    let first = first_view(&table);
    table.undo().expect("something was played");
    assert!(table.events.len() < before);
    table.resolve_chance();
    while table.events.len() < before {
        let action = if table.turn() == Turn::Player(Player(1)) { Action(0) } else { Action(1) };
        table.apply_action(action, None, false).expect("hold or roll");
        table.resolve_chance();
    }
    assert_eq!(first_view(&table), first, "undo does not change the dice");
    table.resign(Access::to_seats(&[0])).expect("a person plays");
    entries.extend(table.take_unwritten());
    for entries in [entries, table.entries()] {
        let restored = restore(table.header.clone(), entries).expect("valid entries");
        assert_eq!(first_view(&restored), first_view(&table));
        assert_eq!(restored.payoffs(), table.payoffs());
    }
}

fn restore(header: Header, entries: Vec<Entry>) -> Result<GameSession, ApiError> {
    let mut table = open(header)?;
    for entry in entries {
        table.redo(entry, &Options::default().limits)?;
    }
    Ok(table)
}

/// Entries of files are validated like requests.
#[test]
fn stored_games_are_validated_like_requests() {
    let pig = || header("pig", json!({}), &["person", "random"]);
    for (entry, expected) in [
        (Entry::Resigned(1), "resigned: no person has seat 1"),
        (Entry::Resigned(2), "resigned: no person has seat 2"),
        (Entry::Back(3), "back: expected at most 0, found 3"),
        (Entry::Budget(Some(0)), "iterations: expected 1 to"),
        (Entry::Budget(Some(u64::MAX)), "iterations: expected 1 to"),
        (Entry::Key { seat: 1, key: "x".into() }, "key: no person has seat 1"),
        (Entry::Did { action: Action(999), analysis: None, open: false }, "999"),
    ] {
        let refused = restore(pig(), vec![entry]).expect_err("an error").to_string();
        assert!(refused.contains(expected), "{refused}");
    }
    for bot in [
        "program:command=touch pwned",
        "uci:command=touch pwned",
        "puct:model=/etc/passwd",
        "puct:model=../../etc/passwd.safetensors",
        "mcts:sims=90000000",
        "mcts-transposition:memory=64GB",
    ] {
        let refused = open(header("tic-tac-toe", json!({}), &["person", bot]));
        let refused = refused.expect_err("an error").to_string();
        assert!(refused.starts_with(&format!("bot {}", &bot[..4])), "{refused}");
    }
    let mut keyless = pig();
    keyless.seats.swap(0, 1);
    assert!(open(keyless).expect_err("an error").to_string().starts_with("keys: "));
    let analysis = |action: u16, values: usize| Analysis {
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
    let first = header("tic-tac-toe", json!({}), &["person", "random"]);
    for (analysis, is_right) in
        [(analysis(3, 2), true), (analysis(9, 2), false), (analysis(3, 1), false)]
    {
        let did = Entry::Did { action: Action(0), analysis: Some(analysis), open: true };
        assert_eq!(restore(first.clone(), vec![did]).is_ok(), is_right);
    }
}

/// The seed and hidden cards are revealed only at the end.
#[test]
fn seeds_are_revealed_at_the_end() {
    let seat = Access::to_seats(&[0]);
    let look =
        |table: &GameSession, access: Access| View::of(table, "s", Activity::default(), access);
    let mut chess = table("chess", json!({}), &["person", "random"]);
    assert_eq!(look(&chess, seat).seed, None);
    let first = meeple_bots::choices_of(chess.position())[0];
    chess.play(first, None, seat).expect("a legal move");
    chess.resign(seat).expect("a person plays");
    assert_eq!(look(&chess, Access::default()).seed, Some(1));
    chess.undo().expect("the rules hide nothing");
    let watched = table("leduc", json!({}), &["random", "random"]);
    assert_eq!(look(&watched, Access::default()).seed, Some(1));
    let mut leduc = table("leduc", json!({}), &["person", "random"]);
    leduc.resolve_chance();
    assert!(
        leduc.check_visibility(Access::default()).is_err() && leduc.check_visibility(seat).is_ok()
    );
    assert!(leduc.resign(Access::default()).is_err());
    leduc.resign(seat).expect("a person plays");
    leduc.check_visibility(Access::default()).expect("all cards are known");
    let refused = leduc.undo().expect_err("cards were seen").to_string();
    assert!(refused.contains("cards are known"), "{refused}");
}
