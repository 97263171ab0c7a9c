//! Every game file that comes with the crate passes the conformance suite without help.

use std::collections::BTreeMap;

use meeple_game::{Game, conform};
use meeple_rules::{BUILTIN, Config, FileGame};

/// Most states are small; those with a history of positions are not.
const FEW: usize = 15;
const MANY: usize = 511;

fn config<const WORDS: usize>(
    name: &str,
    text: &str,
    options: &[(&str, i64)],
) -> Option<Config<WORDS>> {
    let options: BTreeMap<String, i64> =
        options.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    let large: Config<MANY> =
        Config::new(name, text, options.clone()).unwrap_or_else(|error| panic!("{error}"));
    let fits = large.program().words() <= WORDS;
    fits.then(|| Config::new(name, text, options).expect("a table that is known"))
}

/// Checks a table with the smallest states that hold it.
fn check(name: &str, text: &str, options: &[(&str, i64)], games: usize, seed: u64) {
    fn run<const WORDS: usize>(config: &Config<WORDS>, name: &str, games: usize, seed: u64) {
        let coverage = conform::check::<FileGame<WORDS>>(config, games, seed);
        assert!(coverage.games == games, "{name}: {coverage:?}");
        conform::check_action_names::<FileGame<WORDS>>(config, 2, seed);
    }
    match config::<FEW>(name, text, options) {
        Some(config) => run(&config, name, games, seed),
        None => run(&config::<MANY>(name, text, options).expect("a table"), name, games, seed),
    }
}

#[test]
fn every_file_conforms() {
    for (name, text) in BUILTIN {
        let config = config::<MANY>(name, text, &[]).expect("a table");
        assert_eq!(FileGame::new(&config).name(), *name);
        check(name, text, &[], 5, 1);
    }
}

/// Random games end by the rules of their file, and both a win and a loss of the first seat
/// occur.
#[test]
fn every_file_is_played_by_its_rules() {
    for (name, text) in BUILTIN {
        let config = config::<MANY>(name, text, &[]).expect("a table");
        let (mut won, mut lost) = (0, 0);
        for seed in 0..60 {
            let mut rng = meeple_game::Rng::new(seed);
            let mut game = FileGame::new(&config);
            meeple_game::playout(&mut game, &mut rng, &mut meeple_game::ActionList::new());
            assert_eq!(game.fault(), None, "{name}\n{game}");
            won += i32::from(game.payoffs()[0] > 0.0);
            lost += i32::from(game.payoffs()[0] < 0.0);
        }
        assert!(won > 0 && lost > 0, "{name}: {won} won, {lost} lost");
    }
}

/// Options change the table: other boards, other numbers of players.
#[test]
fn tables_with_options_conform() {
    let table = |name: &str, options: &[(&str, i64)]| {
        let text = meeple_rules::builtin(name).expect("a built-in file");
        check(name, text, options, 2, 1);
    };
    table("tic-tac-toe", &[("size", 4), ("length", 4)]);
    table("breakthrough", &[("size", 5)]);
    table("breakthrough", &[("size", 12)]);
    table("hex", &[("size", 19)]);
    table("gomoku", &[("size", 19)]);
    table("reversi", &[("size", 10)]);
    table("pig", &[("players", 5), ("goal", 30)]);
    table("yavalath", &[("side", 9)]);
    table("go", &[("size", 5), ("superko", 1)]);
    table("oware", &[("filling", 2)]);
    table("chinese-checkers", &[("players", 3), ("side", 3)]);
    table("chinese-checkers", &[("players", 4), ("limit", 100)]);
}

/// Words that no shipped file needs: a chain that may stop, more than two players, a tie.
#[test]
fn other_words_conform() {
    let may_chain = "\
game May chain
players 2 facing
board square 6 dark
piece man
number quiet 0..20
start
  each player: put man on rows 1..2
turn
  may chain
    move man jump diagonal over theirs to empty: capture over, set quiet to 0
  move mine step diagonal to empty: add 1 to quiet
end
  no theirs: mover wins
  next player stuck: mover loses
  quiet = 20: fewest man wins
";
    let three = "\
game Three
players 3..4
board square 4
piece stone
number score of each player 0..20 capped
turn
  place stone on empty: add count of (mine on around it) to my score
end
  board full: most score wins
";
    for (name, text, options) in
        [("may", may_chain, &[][..]), ("three", three, &[]), ("four", three, &[("players", 4)])]
    {
        check(name, text, options, 20, 3);
    }
}
