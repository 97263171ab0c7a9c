//! `meeple assess`, through the program.

mod program;

use program::{check_failure, json, meeple, refused, succeeds};

const QUICK: [&str; 8] =
    ["--games", "6", "--random-games", "20", "--sims", "16", "--doublings", "1"];

fn quick(arguments: &[&'static str]) -> Vec<&'static str> {
    [&["assess"], arguments, &QUICK].concat()
}

#[test]
fn figures_fit_a_terminal_and_files_are_assessed_by_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("three.game");
    let text = "game Three\nplayers 2\nboard square 4\npiece stone\nturn\n  place stone on empty\n\
                end\n  line of 3: next player wins\n  count of mine > 16: mover wins\n  board full: draw\n";
    std::fs::write(&file, text).expect("a file");
    let path = file.to_str().expect("a path that is text");
    let shown = succeeds(&[&["assess", path], &QUICK[..]].concat());
    for line in shown.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    for expected in [
        "three: 6 games of the bot, 20 random games, seed 0",
        "decisions per game",
        "wins of seat 1 (fair: 50.0 %)",
        "the game has no chance events",
        "Elo per doubling, of 1 doubling",
        "! Line 9 never applied: count of mine > 16: mover wins",
    ] {
        assert!(shown.contains(expected), "{expected} in {shown}");
    }
}

#[test]
fn the_page_and_the_figures_are_the_same_on_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |threads: &str| {
        let page = folder.path().join(format!("{threads}.html"));
        let path = page.to_str().expect("a path that is text");
        let more =
            ["pig", "--config", r#"{"players":3,"goal":20}"#, "--json", "--threads", threads];
        let found = json(&[&["assess"], &more[..], &QUICK, &["--html", path]].concat());
        (found, std::fs::read_to_string(page).expect("a page"))
    };
    let (figures, page) = run("1");
    assert_eq!((figures.clone(), page.clone()), run("3"));
    assert_eq!((&figures["players"], &figures["finished"]), (&3.into(), &true.into()));
    assert!(page.contains("Is pig any good?") && page.ends_with("</html>\n"), "{page}");
}

#[test]
fn what_cannot_be_assessed_is_refused() {
    refused(&quick(&["shogi"]), "unknown game \"shogi\"");
    refused(&["assess", "pig", "--bot", "random"], "--bot random: expected a search such as");
    refused(&["assess", "pig", "--bot", "puct:ms=5"], "is not repeatable");
    refused(&["assess", "pig", "--sims", "7"], "7 simulations cannot be halved 3 times");
    refused(&["assess", "pig", "--sims", "7", "--bot", "mcts"], "cannot be used with");
    refused(&["assess", "kuhn", "--bot", "puct:sims=100"], "bot puct cannot play kuhn");
    refused(&["assess", "no-such.game"], "cannot read the game file no-such.game");
    refused(&["assess", "pig", "--games", "0"], "expected a whole number from 1");
}

#[test]
fn a_page_that_cannot_be_written_does_not_lose_the_figures() {
    let arguments = quick(&["tic-tac-toe", "--html", "no/such/folder/page.html"]);
    let output = meeple(&arguments).output().expect("the program runs");
    check_failure(&arguments, &output, 1, "cannot write the page no/such/folder/page.html");
    assert!(program::text(&output.stdout).contains("decisions per game"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_what_is_known() {
    let shown = program::interrupted(&["assess", "tic-tac-toe", "--games", "1e6"]);
    assert!(
        shown.contains("games decided") && shown.contains("too few games were played"),
        "{shown}"
    );
}
