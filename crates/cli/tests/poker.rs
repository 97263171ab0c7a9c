//! The poker commands through the command line.

mod program;

use program::{json, refused, succeeds};

#[test]
fn equities_are_exact_where_enumeration_is_cheap() {
    let shown = succeeds(&["equity", "AhAs", "KdKc"]);
    assert!(shown.contains("1,712,304 deals, exact"), "{shown}");
    assert!(shown.contains("81.26 %") && !shown.contains("interval"), "{shown}");
    let report = json(&["equity", "AhAs", "KdKc", "--json"]);
    assert_eq!(report["players"][0]["wins"], 1_388_072.0);
    assert_eq!(report["players"][0]["ties"], 6_538.0);
    assert_eq!(report["equity"], report["players"][0]["equity"]);
    assert_eq!(report["method"], "exact");
    let arguments =
        ["equity", "QQ+,AKs", "22+,A2s+,K9s+,QTs+", "--board", "2c7h9d", "--exact", "--json"];
    let equity = json(&arguments)["equity"].as_f64().expect("a number");
    assert!((equity - 0.709182).abs() < 5e-7, "{equity}");
}

#[test]
fn sampled_equities_have_an_interval_and_do_not_depend_on_threads() {
    let run = |threads| {
        let arguments =
            ["equity", "AhAs", "--opponents", "3", "--sims", "1e5", "--json", "--threads", threads];
        let mut report = json(&arguments);
        report["seconds"] = 0.into();
        report
    };
    let report = run("1");
    assert_eq!(report, run("3"));
    assert_eq!(report["players"].as_array().expect("a list").len(), 4);
    let [low, equity, high] = ["ci_low", "equity", "ci_high"].map(|key| report[key].as_f64());
    assert!(low < equity && equity < high);
    let shown = succeeds(&["equity", "AhAs", "KdKc", "--sims", "1000", "--categories"]);
    assert!(shown.contains("95 % interval") && shown.contains("█"), "{shown}");
}

#[test]
fn other_variants_have_equities() {
    let report = json(&["equity", "AhAsKdKc", "JhTh9s8s", "--game", "omaha", "--json"]);
    assert!(report["equity"].as_f64().expect("a number") > 0.5);
    let report = json(&["equity", "AhAs", "KdKc", "--game", "short-deck", "--json"]);
    assert_eq!(report["deals"], 201_376.0);
}

#[test]
fn hands_are_ranked() {
    assert!(succeeds(&["rank", "KhKcKd3s3dAc9h"]).contains("full house, kings over threes"));
    let ranked = json(&["rank", "AhAs", "KdQc", "--board", "2c7h9dTsJc", "--json"]);
    assert_eq!(ranked[0]["category"], "pair");
    assert_eq!(ranked[1]["description"], "straight, king high");
    assert_eq!((&ranked[0]["best"], &ranked[1]["best"]), (&false.into(), &true.into()));
}

#[test]
fn ranges_are_shown() {
    let shown = succeeds(&["range", "QQ+, AKs, KTs-K7s:0.5"]);
    assert!(shown.starts_with("QQ+, AKs, KTs-K7s:0.5\n38 hands of weight 30.00"), "{shown}");
    assert!(shown.contains("KK   ·") && shown.contains("KTs~"), "{shown}");
    assert!(shown.lines().all(|line| line.trim_end() == line), "{shown}");
    let report = json(&["range", "top 15%", "--json"]);
    assert_eq!(report["grid"].as_array().expect("rows").len(), 13);
    assert_eq!(report["grid"][0][0], 1.0);
    assert_eq!(json(&["range", "AA", "--dead", "Ah", "--json"])["combos"], 3);
}

#[test]
fn invalid_arguments_are_rejected() {
    refused(&["equity", "AhAs", "KdXc"], "player 2: unknown item 'KdXc'");
    refused(&["equity", "AhAs", "KdKcQc"], "player 2: 'KdKcQc' names 3 cards");
    refused(&["equity", "AhAh", "KdKc"], "player 1: Ah is named twice");
    refused(
        &["equity", "AhAs", "AhKc"],
        "Ah is in the hand of player 1 and in the hand of player 2",
    );
    refused(&["equity", "AhAs", "KdKc", "--board", "2c3c4c5c6c7c"], "found 6");
    refused(&["equity", "AhAs", "KdKc", "--board", "Ah3c4c"], "Ah is on the board and in the hand");
    refused(&["equity", "AhAs", "KdKc", "--dead", "2x"], "--dead: expected a suit");
    refused(&["equity", "AhAs", ""], "player 2: empty range");
    refused(&["equity", "AhAs", "AhKh,AsKs"], "every hand in player 2's range shares a card");
    refused(&["equity", "AhAs"], "expected 2 to 10 players, found 1");
    for sims in ["0", "1e30", "-5", "many"] {
        let sims = format!("--sims={sims}");
        refused(&["equity", "AhAs", "KdKc", &sims], "expected a whole number from 1");
    }
    refused(&["equity", "AhAs", "KdKc", "--sims", "1e15"], "expected 1 to 1000000000000 deals");
    refused(&["equity", "AhAs", "KdKc", "--sims", "10", "--exact"], "cannot be used with");
    refused(&["equity", "*", "*", "*", "--exact"], "an exact count would take");
    refused(&["rank", "AsKs"], "expected 5 to 7 cards, found 2");
    refused(
        &["rank", "AsKs", "AsQs", "--board", "2c3c4c"],
        "As is on the board or in another hand",
    );
    refused(&["rank", "AsKsQsJsT"], "hand 1: expected a suit");
    refused(&["range", "AA:2"], "expected a weight from 0 to 1");
    refused(&["range", ""], "empty range");
    refused(&["bench", "games", "--validate"], "only the suite poker");
}

#[test]
fn speed_is_measured() {
    let report = json(&["bench", "poker", "--only", "preflop_table", "--json"]);
    assert_eq!(report["rows"][0]["name"], "poker/exact/preflop_table");
    assert!(report["rows"][0]["ns_per_op"].as_f64().expect("a number") > 0.0);
    let report = json(&["bench", "poker", "--only", "sample/river", "--json"]);
    assert!(report["rows"][0]["deals_per_second"].as_f64().expect("a number") > 0.0);
}
