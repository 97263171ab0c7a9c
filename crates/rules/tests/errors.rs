//! Errors of game files: their exact text, and that no input whatsoever makes the crate panic.

use std::collections::BTreeMap;
use std::path::Path;

use meeple_rules::{BUILTIN, Program};
use proptest::prelude::*;

/// Compares the report of every file in `tests/bad` with the text beside it. Set `BLESS` to
/// write the texts anew.
#[test]
fn bad_files_are_explained() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder of bad files")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "game"))
        .collect();
    files.sort();
    assert!(files.len() >= 15, "{} bad files", files.len());
    for path in files {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        let text = std::fs::read_to_string(&path).expect("a text");
        let error = Program::check(&name, &text, &BTreeMap::new())
            .expect_err(&format!("{name} has errors"))
            .to_string();
        let golden = path.with_extension("txt");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&golden, format!("{error}\n")).expect("to write the golden text");
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        assert_eq!(format!("{error}\n"), expected, "{name}");
    }
}

/// Compares the warnings about every file in `tests/warned` with the text beside it. Set `BLESS`
/// to write the texts anew.
#[test]
fn warnings_are_explained() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/warned");
    for name in ["idle", "large"] {
        let path = folder.join(format!("{name}.game"));
        let text = std::fs::read_to_string(&path).expect("a text");
        let config = meeple_rules::Config::<511>::new(name, &text, BTreeMap::new());
        let warnings = config.expect("a valid file").warnings(name, 20, 1);
        let golden = path.with_extension("txt");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&golden, format!("{warnings}\n")).expect("to write the golden text");
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        assert_eq!(format!("{warnings}\n"), expected, "{name}");
    }
}

/// Files that come with the crate have no warnings, but for those that are meant.
#[test]
fn shipped_files_have_no_other_warnings() {
    for (name, text) in BUILTIN {
        let config = meeple_rules::Config::<511>::new(name, text, BTreeMap::new());
        let warnings = config.expect("a valid file").warnings(name, 300, 1);
        let is_meant = |message: &&String| match *name {
            // All positions of a game are many bytes.
            "go" if message.starts_with("a state has") => true,
            // A position is judged by what it attacks, or by its history.
            "go" | "gardner-minichess" | "los-alamos-chess" => {
                message.starts_with("`such that` is judged") || message.starts_with("no state of")
            }
            // Only tables with two dice have this phase.
            "liars-dice" => message.ends_with("`more`"),
            // A player is hardly ever shut in.
            "chinese-checkers" => message.starts_with("no state of"),
            _ => false,
        };
        let others = warnings.messages().iter().find(|message| !is_meant(message));
        assert_eq!(others, None, "{warnings}");
    }
}

#[test]
fn bytes_that_are_no_text_are_an_error() {
    let error = Program::load_bytes("x.game", b"game X\nplayers \xff 2\n", &BTreeMap::new());
    let error = error.expect_err("no UTF-8").to_string();
    assert!(error.contains("x.game:2:9") && error.contains("not UTF-8"), "{error}");
}

#[test]
fn a_byte_order_mark_is_no_error() {
    let text = meeple_rules::builtin("hex").expect("a file");
    for text in [format!("\u{feff}{text}"), text.replace('\n', "\r\n")] {
        assert!(Program::check("hex.game", &text, &BTreeMap::new()).is_ok());
    }
}

#[test]
fn large_and_deep_files_are_refused_quickly() {
    let long = "game X\n".to_owned() + &"a".repeat(1 << 20);
    let deep: String = (0..2000).map(|depth| " ".repeat(depth % 60) + "first of\n").collect();
    let wide = format!("game X\nplayers 2\nboard square 3\nend\n  {}1: draw\n", "no ".repeat(5000));
    let sum = format!("game X\nplayers 2\nboard square {}1\n", "1 + ".repeat(5000));
    for text in [long, deep, wide, sum] {
        assert!(Program::check("x.game", &text, &BTreeMap::new()).is_err());
    }
}

#[test]
fn two_pieces_on_a_site_are_an_error() {
    let text = "\
game Crowded
players 2
board square 3
piece rook
start
  each player: put rook on row 1
turn
  move rook step any to empty
end
  no theirs: mover wins
";
    let error = Program::load("crowded.game", text, &BTreeMap::new()).expect_err("two on a site");
    assert!(error.to_string().contains("two pieces stand on a1"), "{error}");
    assert!(
        Program::load(
            "facing.game",
            &text.replace("players 2", "players 2 facing"),
            &BTreeMap::new()
        )
        .is_ok()
    );
}

#[test]
fn options_are_checked() {
    let text = meeple_rules::builtin("breakthrough").expect("a file");
    let check = |name: &str, value| {
        let options = BTreeMap::from([(name.to_owned(), value)]);
        Program::check("b.game", text, &options).map_err(|error| error.to_string())
    };
    assert!(check("size", 5).is_ok());
    assert!(check("size", 99).unwrap_err().contains("option size is 99, expected 4 to 16"));
    assert!(check("sise", 5).unwrap_err().contains("did you mean `size`?"));
}

/// Words that mutations put into files.
const WORDS: [&str; 40] = [
    "place",
    "move",
    "mine",
    "theirs",
    "empty",
    "row",
    "rows",
    "1",
    "0",
    "99",
    "2147483647",
    "-",
    "..",
    ":",
    ",",
    "(",
    ")",
    "and",
    "or",
    "minus",
    "no",
    "line of 3",
    "around",
    "it",
    "over",
    "from",
    "chain",
    "first of",
    "otherwise",
    "same player",
    "go to",
    "stuck",
    "my",
    "their",
    "jump",
    "slide",
    "diagonal",
    "hex",
    "track 2 by 6",
    "size",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    /// A file with a few of its words changed is read or refused, but never panics; what is
    /// read can be played.
    #[test]
    fn mutated_files_never_panic(
        file in 0..BUILTIN.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..WORDS.len(), 0..4u8), 1..6),
        seed in any::<u64>(),
    ) {
        let mut pieces: Vec<String> =
            BUILTIN[file].1.split_inclusive([' ', '\n']).map(str::to_owned).collect();
        for (place, word, kind) in changes {
            let at = place.index(pieces.len());
            match kind {
                0 => pieces[at] = format!("{} ", WORDS[word]),
                1 => pieces.insert(at, format!("{} ", WORDS[word])),
                2 => { pieces.remove(at); }
                _ => { let other = (at * 7 + word) % pieces.len(); pieces.swap(at, other); }
            }
            if pieces.is_empty() { pieces.push("\n".into()); }
        }
        play(&pieces.concat(), seed);
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = Program::load_bytes("random.game", &bytes, &BTreeMap::new());
    }
}

/// Plays a few moves of a file if it is valid.
fn play(text: &str, seed: u64) {
    use meeple_game::{ActionList, Game, Turn};
    let Ok(config) = meeple_rules::Config::<511>::new("mutated.game", text, BTreeMap::new()) else {
        return;
    };
    let mut game = meeple_rules::FileGame::<511>::new(&config);
    let mut rng = meeple_rng::Rng::new(seed);
    let mut scratch = ActionList::new();
    for _ in 0..40 {
        let action = match game.turn() {
            Turn::Player(_) => game.sample_action(&mut rng, &mut scratch),
            Turn::Chance => game.sample_chance(&mut rng),
            Turn::Over => return,
        };
        assert!(!game.action_name(action).is_empty());
        game.apply(action);
        let _ = game.to_string();
    }
}
