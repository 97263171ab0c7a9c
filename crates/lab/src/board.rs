//! The board data of a page: the observation of a seat.

use meeple_bots::Position;
use meeple_game::Player;
use meeple_games::magic::Magic;
use meeple_games::stone_age::{building_in_words, card_in_words};
use meeple_poker::{CardSet, try_rank};
use serde_json::{Map, Value, json};

/// Returns the board as `seat` sees it.
///
/// It is the observation of the seat by field name, so a page shows exactly what a bot in that
/// seat observes, and the picture that the seat sees if the game has pictures. Magic has a separate scene, because its observation covers only part of a
/// large battlefield and encodes cards as numbers.
pub(crate) fn board_of(position: &dyn Position, seat: Player) -> Value {
    if let Some(magic) = position.state().downcast_ref::<Magic>() {
        return json!(magic.scene(seat));
    }
    let mut fields = observed(position, seat);
    if let Some(picture) = position.picture(Some(seat)) {
        fields.insert("picture".into(), json!(picture));
    }
    match position.info().name {
        "stone-age" => {
            let words = words_of(&fields);
            fields.extend(words);
        }
        "holdem" => {
            fields.insert("hand_words".into(), hands_of(&position.text(seat)));
        }
        _ => {}
    }
    Value::Object(fields)
}

/// Returns an observation by field name: a list of numbers, or one number for a single cell.
fn observed(position: &dyn Position, seat: Player) -> Map<String, Value> {
    let layout = position.observation();
    let mut cells = vec![0; layout.len()];
    position.observe(seat, &mut cells);
    let mut fields = Map::new();
    let mut rest = &cells[..];
    for field in layout.fields() {
        let (own, after) = rest.split_at(field.cells());
        let value = if let [single] = own { json!(single) } else { json!(own) };
        fields.insert(field.name().into(), value);
        rest = after;
    }
    fields
}

/// Describes the cards and buildings of Stone Age that the fields encode as numbers.
fn words_of(fields: &Map<String, Value>) -> Map<String, Value> {
    let number =
        |name: &str| fields.get(name).and_then(Value::as_u64).map(|number| number as usize);
    let shown = |kind: &str, words: fn(usize) -> String| -> Value {
        (0..4).map(|slot| number(&format!("{kind}{slot}")).map(words)).collect()
    };
    let hidden = number("hidden_card").and_then(|kind| kind.checked_sub(1)).map(card_in_words);
    let mut words = Map::new();
    words.insert("card_words".into(), shown("card", card_in_words));
    words.insert("building_words".into(), shown("building", building_in_words));
    words.insert("hidden_words".into(), json!(hidden));
    words
}

/// Returns the rank of each hold'em hand, from the text of the position; null if the hand is
/// hidden or there is no flop.
fn hands_of(text: &str) -> Value {
    let mut lines = text.lines();
    let board = lines.next().and_then(|line| line.split("board:").nth(1)).unwrap_or_default();
    let board: CardSet = board.replace(' ', "").parse().unwrap_or_default();
    let made = |line: &str| {
        let hand = line.split_once(": ")?.1.split(',').next()?;
        let hand: CardSet = hand.parse().ok()?;
        Some(try_rank(board | hand)?.to_string())
    };
    lines.map(made).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_the_observation_by_name() {
        let mut position = meeple_bots::open("tic-tac-toe", None).unwrap();
        let centre = position.parse_action("b2").unwrap();
        position.try_apply(centre).unwrap();
        let expected = json!({"squares": [0, 0, 0, 0, 2, 0, 0, 0, 0], "to_move": 1});
        assert_eq!(board_of(&*position, Player(1)), expected);
    }

    #[test]
    fn games_in_files_have_pictures() {
        let mut position = meeple_bots::open("hex", Some(r#"{"size": 3}"#)).unwrap();
        position.try_apply(position.parse_action("b1").unwrap()).unwrap();
        let picture = &board_of(&*position, Player(1))["picture"];
        assert_eq!(picture["cells"].as_array().unwrap().len(), 9);
        let piece = json!({"seat": 0, "kind": "stone", "letter": ""});
        let cell = json!({"name": "b1", "shape": "hexagon", "x": 1.0, "y": 0.0, "is_dark": false,
                          "piece": piece, "count": null});
        assert_eq!(picture["cells"][1], cell);
        assert_eq!(picture["caption"], "blue to move");
    }

    #[test]
    fn visible_hands_are_ranked() {
        let text = "no limit, flop, pot 4; board: Ah Kd 2c\nseat 0: AsAc, 98 chips\n\
                    seat 1: ??, 98 chips, folded\nseat 2: KhQs, 9 chips, dealer, to act";
        let hands = hands_of(text);
        assert!(hands[0].as_str().unwrap().starts_with("three of a kind, aces"), "{hands}");
        assert_eq!(hands[1], Value::Null);
        assert!(hands[2].as_str().unwrap().starts_with("pair"), "{hands}");
        let before = hands_of("no limit, before the flop, pot 3; board:\nseat 0: AsAc, 98 chips");
        assert_eq!(before, json!([null]));
    }

    #[test]
    fn stone_age_cards_are_described() {
        let mut position = meeple_bots::open("stone-age", None).unwrap();
        let mut rng = meeple_game::Rng::new(1);
        while position.turn() == meeple_game::Turn::Chance {
            let outcome = position.sample_chance(&mut rng);
            position.try_apply(outcome).unwrap();
        }
        let board = board_of(&*position, Player(0));
        let kind = board["card0"].as_u64().unwrap() as usize;
        assert_eq!(board["card_words"][0], card_in_words(kind));
        assert_eq!(board["hidden_words"], Value::Null);
    }
}
