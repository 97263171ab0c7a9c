//! Every game file that comes with the crate passes the conformance suite without help.

use std::collections::BTreeMap;

use meeple_game::{Game, conform};
use meeple_rules::{BUILTIN, Config, FileGame};

type Table = FileGame<15>;

fn config(name: &str, text: &str, options: &[(&str, i64)]) -> Config<15> {
    let options: BTreeMap<String, i64> =
        options.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    Config::new(name, text, options).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_file_conforms() {
    for (name, text) in BUILTIN {
        let config = config(name, text, &[]);
        assert_eq!(Table::new(&config).name(), *name);
        let coverage = conform::check::<Table>(&config, 5, 1);
        assert!(coverage.games == 5, "{name}: {coverage:?}");
        conform::check_action_names::<Table>(&config, 2, 1);
    }
}
