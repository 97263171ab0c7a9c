//! `meeple plan` and `meeple analyze` through the command line.

mod program;

use std::io::Write;
use std::process::Stdio;

use program::{json, meeple, refused, succeeds, text};

#[test]
fn plans_are_checked() {
    for game in ["tic-tac-toe", "connect_four", "breakthrough", "backgammon", "chess"] {
        let report = json(&["plan", "check", game, "--games", "1", "--seed", "3", "--json"]);
        assert_eq!(report["games"], 1, "{report}");
        assert_eq!(report["stage_combinations"], 8);
        let [states, events] = ["states", "events"].map(|key| report[key].as_u64().expect(key));
        assert!(states > 4 && events == 2 * states, "{report}");
    }
    let report = succeeds(&["plan", "check", "tic-tac-toe", "--games", "20"]);
    assert!(report.starts_with("tic-tac-toe: plan and tree agree, seed 0\n20 games"), "{report}");
}

#[test]
fn plans_are_explained() {
    let table = succeeds(&["plan", "explain", "backgammon"]);
    for part in ["enter from the bar", "maximal: as many dice", "no warnings\nsignature "] {
        assert!(table.contains(part), "{part} in {table}");
    }
    assert!(succeeds(&["plan", "explain", "chess"]).contains("pawn double step"));
}

#[test]
fn games_without_rules_are_rejected() {
    let expected = "no rules for game \"pig\", expected one of tic-tac-toe, connect-four";
    refused(&["plan", "check", "pig"], expected);
    refused(&["plan", "explain", "pig"], expected);
    refused(&["plan", "check", "chess", "--games", "0"], "expected a whole number from 1");
    refused(&["plan", "fly"], "unrecognized subcommand 'fly'");
}

#[test]
fn events_are_traced_through_the_rules() {
    let table = succeeds(&["analyze", "chess", "--trace", "e2e4"]);
    assert!(table.starts_with("chess: e2e4 is legal\n"), "{table}");
    assert!(table.contains("pawn double step  applies"), "{table}");
    let report = json(&["analyze", "chess", "--trace", "e2e5", "--json"]);
    assert_eq!(report["legal"], false);
    assert_eq!(report["rules"][6]["said"], "does not match: step is false");
    let pinned = r#"{"fen":"4k3/8/8/8/8/4r3/4R3/4K3 w - - 0 1"}"#;
    let table = succeeds(&["analyze", "chess", "--config", pinned, "--trace", "e2d2"]);
    assert!(table.contains("e2d2 is not legal: it would leave the king in check"), "{table}");
}

#[test]
fn events_are_traced_after_others() {
    let begin = ["analyze", "backgammon", "--after", "seat 0 begins with 3-1"];
    let legal = succeeds(&[&begin[..], &["--trace", "8/5"]].concat());
    assert!(legal.contains("8/5 is legal") && legal.contains("its phase is not active"), "{legal}");
    let blocked = succeeds(&[&begin[..], &["--trace", "13/12"]].concat());
    assert!(blocked.contains("illegal: the opponent has made the point"), "{blocked}");
    let again = [&begin[..], &["--after", "13/12", "--trace", "8/5"]].concat();
    refused(&again, "--after \"13/12\": the opponent has made the point");
    refused(
        &["analyze", "chess", "--trace", "xyz"],
        "this is not the notation of an event of chess",
    );
    refused(&["analyze", "pig", "--trace", "roll"], "no rules for game \"pig\"");
}

/// Returns the output of `meeple play` for this input.
fn shown(arguments: &[&str], typed: &[u8]) -> String {
    let mut child = meeple(&[&["play"], arguments, &["--vs", "random"]].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut input = child.stdin.take().expect("stdin is piped");
    input.write_all(typed).expect("it is read");
    drop(input);
    text(&child.wait_with_output().expect("the program ends").stdout)
}

#[test]
fn illegal_moves_are_explained() {
    let shown = shown(&["chess"], b"e2e5\nhello\nresign\n");
    assert!(
        shown.contains("e2e5 is not legal: no rule allows it (pawn capture requires"),
        "{shown}"
    );
    assert!(shown.contains("\"hello\" is not an action or a command"), "{shown}");
}

/// Backgammon has a hand-written engine; its rule-based twin gives the reasons.
#[test]
fn illegal_moves_are_explained_for_hand_written_games() {
    // With 5-3 to play: no such die, no checker, a blocked point.
    let shown = shown(&["backgammon", "--seed", "1"], b"24/23\n7/4\n24/19\nresign\n");
    for part in [
        "24/23 is not legal: no die of this value is left",
        "7/4 is not legal: you have no checker there",
        "24/19 is not legal: the opponent has made the point",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
}
