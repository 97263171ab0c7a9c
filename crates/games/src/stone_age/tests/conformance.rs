//! Conformance to the contract of `Game`, in every configuration.

use meeple_game::conform::{self, Rule};
use meeple_game::{Forced, Seats};

use crate::stone_age::{Config, Rules, StoneAge};

/// Checks a configuration. The type declares imperfect information; where no card is ever
/// drawn face down, the suite must report exactly its absence, which it checks last.
#[track_caller]
fn check(config: &Config, games: usize) {
    match conform::try_check::<StoneAge>(config, games, 7) {
        Ok(coverage) => assert_eq!(coverage.games, games),
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
fn the_printed_rules_conform() {
    for players in 2..=4 {
        check(&table(players, Rules::Official, Forced::Skip), 4);
        check(&table(players, Rules::Official, Forced::Ask), 3);
    }
}

#[test]
fn the_document_rules_conform() {
    for players in 2..=4 {
        check(&table(players, Rules::Document, Forced::Skip), 2);
        check(&table(players, Rules::Document, Forced::Ask), 2);
    }
}

/// Plays enough games to find two one-use tools obtained in different orders in equal
/// information sets: numbering tools by the time they were obtained would fail.
#[test]
fn the_meaning_of_actions_is_observable() {
    for players in 2..=4 {
        let config = table(players, Rules::Official, Forced::Skip);
        conform::check_action_names::<StoneAge>(&config, 40, 3);
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
fn each_switch_flipped_alone_conforms() {
    for switch in Config::SWITCHES {
        // A single game may never draw the hidden card; that is no failure here.
        let config = flipped("official", switch);
        check(&config, if *switch == "draw_hidden_card" { 1 } else { 3 });
        check(&flipped("document", switch), if *switch == "draw_hidden_card" { 3 } else { 1 });
    }
}
