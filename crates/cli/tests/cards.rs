//! `meeple cards` through the command line.

mod program;

use std::fs;

use program::{check_failure, json, meeple, refused, succeeds};

const OGRE: &str = r#"[
    (name: "Big Ogre", cost: "3R", types: [Creature], power: N(4), toughness: N(3)),
]
"#;

/// Writes card files with these texts; they live as long as the returned folder.
fn card_files(texts: &[&str]) -> (tempfile::TempDir, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |(at, text): (usize, &&str)| {
        let path = folder.path().join(format!("{at}.ron"));
        fs::write(&path, text).expect("a writable folder");
        path.display().to_string()
    };
    let paths = texts.iter().enumerate().map(path).collect();
    (folder, paths)
}

#[track_caller]
fn invalid(text: &str, expected: &[&str]) {
    let (_folder, paths) = card_files(&[text]);
    let arguments = ["cards", "check", &paths[0]];
    let output = meeple(&arguments).output().expect("the program runs");
    for part in expected {
        check_failure(&arguments, &output, 1, part);
    }
}

#[test]
fn cards_are_shown() {
    let text = succeeds(&["cards", "show", "serra ANGEL"]);
    assert_eq!(text, "Serra Angel {3}{W}{W}\nCreature - Angel, 4/4\nFlying, vigilance\n");
    let facts = json(&["cards", "show", "Nightmare", "--json"]);
    assert_eq!((&facts["power"], &facts["mana_value"]), (&"*".into(), &6.into()));
    refused(&["cards", "show", "Sera Angle"], "no card \"Sera Angle\", did you mean Serra Angel?");
    refused(&["cards", "show", "qqqqqqqq"], "no card \"qqqqqqqq\", see `meeple cards list`");
}

#[test]
fn cards_are_listed() {
    let table = succeeds(&["cards", "list", "--colour", "blue", "--type", "instant"]);
    assert!(table.starts_with("card            cost       type     body\nBoomerang "), "{table}");
    assert!(table.contains("\nSpell Blast     {X}{U}     instant\n"), "{table}");
    assert!(table.ends_with("\n13 cards\n"), "{table}");
    assert!(succeeds(&["cards", "list"]).ends_with("\n348 cards\n"));
    let both = json(&["cards", "list", "--type", "artifact", "--type", "creature", "--json"]);
    let names: Vec<&str> =
        both.as_array().expect("a list").iter().filter_map(|card| card["name"].as_str()).collect();
    assert_eq!(names.len(), 7, "{names:?}");
    assert!(names.contains(&"Ornithopter"));
    assert!(succeeds(&["cards", "list", "--type", "token"]).ends_with("\n7 cards\n"));
    refused(&["cards", "list", "--colour", "pink"], "[possible values: white, blue, black, red,");
}

#[test]
fn valid_files_pass() {
    let (_folder, paths) = card_files(&[OGRE]);
    let said = succeeds(&["cards", "check", &paths[0]]);
    assert_eq!(said, format!("{}: 1 card, no errors\n", paths[0]));
    let shown = succeeds(&["cards", "show", "big ogre", "--cards", &paths[0]]);
    assert!(shown.starts_with("Big Ogre {3}{R}\n"), "{shown}");
    assert!(succeeds(&["cards", "list", "--cards", &paths[0]]).ends_with("\n349 cards\n"));
}

#[test]
fn errors_show_the_line_and_what_was_expected() {
    invalid(
        &OGRE.replace("N(4)", "4"),
        &["0.ron:2:", "Big Ogre: ", "\n 2 |     (name: \"Big Ogre\"", "1 error in card files"],
    );
    invalid(
        &OGRE.replace("Creature", "Creatur"),
        &["`Creatur` in enum `Type`, expected one of `Creature`, `Land`"],
    );
    invalid(
        &OGRE.replace("Big Ogre", "Shock").replace("toughness: N(3)", "toughness: N(0)"),
        &["a creature has a toughness", "a built-in card has this name", "2 errors in card files"],
    );
    invalid("", &["0.ron:1:1: "]);
}

#[test]
fn errors_are_reported_as_json() {
    let (_folder, paths) = card_files(&[&OGRE.replace("cost: \"3R\", ", ""), OGRE]);
    let output = meeple(&["cards", "check", &paths[0], &paths[1], "--json"]).output();
    let output = output.expect("the program runs");
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let faults = report["faults"].as_array().expect("a list");
    assert_eq!(faults.len(), 2, "{report}");
    assert_eq!(faults[0]["line"], 2);
    assert_eq!(faults[0]["card"], "Big Ogre");
    assert_eq!(faults[1]["problem"], "this name is taken");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let arguments = ["cards", "check", "no/such.ron"];
    let output = meeple(&arguments).output().expect("the program runs");
    check_failure(&arguments, &output, 1, "cannot read no/such.ron: No such file");
    refused(&["cards", "check"], "required arguments were not provided");
}
