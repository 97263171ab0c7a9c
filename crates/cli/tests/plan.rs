//! `meeple plan` and `meeple analyze`, run as people run them.

mod program;

use program::{json, refused, succeeds};

#[test]
fn plans_are_checked() {
    for game in ["tic-tac-toe", "connect_four", "breakthrough", "backgammon"] {
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
    for part in ["enter from the bar", "only the best by: as many dice", "no warnings\nsignature "]
    {
        assert!(table.contains(part), "{part} in {table}");
    }
    assert!(succeeds(&["plan", "explain", "chess"]).contains("pawn double step"));
}

#[test]
fn games_without_rules_are_refused() {
    let expected = "no rules of a game \"pig\", expected one of tic-tac-toe, connect-four";
    refused(&["plan", "check", "pig"], expected);
    refused(&["plan", "explain", "pig"], expected);
    refused(&["plan", "check", "chess", "--games", "0"], "expected a whole number from 1");
    refused(&["plan", "fly"], "unrecognized subcommand 'fly'");
}
