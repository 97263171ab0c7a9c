//! The contract, at every table.

use meeple_game::{Forced, Seats, conform};

use crate::stone_age::{Config, Rules, StoneAge};

fn table(players: usize, rules: Rules, forced: Forced) -> Config {
    Config { players: Seats::new(players).unwrap(), rules, forced, ..Config::default() }
}

#[test]
fn every_table_keeps_the_contract() {
    for players in 2..=4 {
        for rules in [Rules::Official, Rules::Document] {
            for forced in [Forced::Skip, Forced::Ask] {
                conform::check::<StoneAge>(&table(players, rules, forced), 4, 7);
            }
        }
    }
}
