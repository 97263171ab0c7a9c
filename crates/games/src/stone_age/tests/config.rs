//! Tests of valid and invalid configurations.

use meeple_game::{Action, Forced, Game};

use super::{config, simple};
use crate::stone_age::{Config, Rules, StoneAge};

#[test]
fn the_default_is_two_players_with_the_printed_rules() {
    let default = config("{}");
    assert_eq!(default, Config::default());
    assert_eq!((default.players.get(), default.rules), (2, Rules::Official));
    assert_eq!(default.forced, Forced::Skip);
}

#[test]
fn rule_sets_are_opposites() {
    let official = config(r#"{"rules": "official"}"#).switches().0;
    let document = config(r#"{"rules": "document"}"#).switches().0;
    assert_eq!(official ^ document, (1 << Config::SWITCHES.len()) - 1);
    assert_eq!(document.count_ones(), 1);
}

#[test]
fn a_switch_overrides_its_rule_set() {
    for switch in Config::SWITCHES {
        for on in [true, false] {
            let game = StoneAge::new(&config(&format!(r#"{{"{switch}": {on}}}"#)));
            let at = Config::SWITCHES.iter().position(|name| name == switch).unwrap();
            assert_eq!(game.switches.0 >> at & 1 == 1, on, "{switch}");
        }
    }
}

#[test]
fn configurations_round_trip() {
    let json = r#"{"players":3,"rules":"document","forced":"ask","must_place":true}"#;
    assert_eq!(serde_json::to_string(&config(json)).unwrap(), json);
}

#[test]
fn invalid_configurations_are_rejected() {
    for (json, expected) in [
        (r#"{"players": 1}"#, "expected 2 to 4 players, got 1"),
        (r#"{"players": 5}"#, "expected 2 to 4 players, got 5"),
        (r#"{"rules": "house"}"#, "unknown variant `house`, expected `official` or `document`"),
        (r#"{"may_declin": true}"#, "unknown field `may_declin`, expected one of `players`"),
        (r#"{"may_decline": 1}"#, "invalid type: integer `1`"),
        (r#"{"forced": "never"}"#, "unknown variant `never`"),
    ] {
        let error = serde_json::from_str::<Config>(json).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn illegal_actions_do_not_change_the_state() {
    let game = simple("{}");
    for id in [48, 49, 61, 62, 408, 424, 425, u16::MAX] {
        let mut same = game;
        let error = same.try_apply(Action(id)).unwrap_err();
        assert!(error.to_string().contains("is not legal here"), "{error}");
        assert_eq!(same, game);
    }
    for nonsense in ["", "pay", "pay 8 wood", "pay 1 tin", "pay 255 wood 9 clay", "forest 8", "é"]
    {
        assert_eq!(game.parse_action(nonsense), None, "{nonsense}");
    }
}
