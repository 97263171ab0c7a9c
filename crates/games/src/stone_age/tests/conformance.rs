//! The contract, at every table.

use meeple_game::conform::{self, Rule};
use meeple_game::{Forced, Seats};

use crate::stone_age::{Config, Rules, StoneAge};

/// Checks a table. The type says that something can be hidden; where no card
/// is ever drawn face down, the suite must find just that missing, and it
/// looks for it after all else.
#[track_caller]
fn check(config: &Config, games: usize) {
    match conform::try_check::<StoneAge>(config, games, 7) {
        Ok(walk) => assert_eq!(walk.games, games),
        Err(fault) => {
            let hides = config.switches().0 & 0b10 != 0;
            let missing = fault.rule == Rule::DeterminizeHidden && fault.seen.contains("never");
            assert!(missing && !hides, "{config:?}: {fault}");
        }
    }
}

fn table(players: usize, rules: Rules, forced: Forced) -> Config {
    Config { players: Seats::new(players).unwrap(), rules, forced, ..Config::default() }
}

#[test]
fn the_printed_rules_keep_the_contract() {
    for players in 2..=4 {
        check(&table(players, Rules::Official, Forced::Skip), 4);
        check(&table(players, Rules::Official, Forced::Ask), 3);
    }
}

#[test]
fn the_document_rules_keep_the_contract() {
    for players in 2..=4 {
        check(&table(players, Rules::Document, Forced::Skip), 2);
        check(&table(players, Rules::Document, Forced::Ask), 2);
    }
}

/// Enough games to meet a tribe with two one-use tools that came the other way
/// round in a twin: numbered by when they came, they are caught.
#[test]
fn what_an_action_means_can_be_seen() {
    for players in 2..=4 {
        let config = table(players, Rules::Official, Forced::Skip);
        conform::check_menus::<StoneAge>(&config, 40, 3);
    }
}

/// Flips one switch of a rule set.
fn flipped(rules: &str, switch: &str) -> Config {
    let on = (rules == "document") != (switch == "limited_supply");
    let json = format!(r#"{{"players": 3, "rules": "{rules}", "{switch}": {on}}}"#);
    let config: Config = serde_json::from_str(&json).unwrap();
    let plain: Config = serde_json::from_str(&format!(r#"{{"rules": "{rules}"}}"#)).unwrap();
    assert_eq!((config.switches().0 ^ plain.switches().0).count_ones(), 1, "{json}");
    config
}

#[test]
fn each_switch_flipped_alone_keeps_the_contract() {
    for switch in Config::SWITCHES {
        // One game may never see the hidden card; no switch is about it here.
        let config = flipped("official", switch);
        check(&config, if *switch == "draw_hidden_card" { 1 } else { 3 });
        check(&flipped("document", switch), if *switch == "draw_hidden_card" { 3 } else { 1 });
    }
}
