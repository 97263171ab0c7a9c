//! Magic on the command line: decks, cards and statistics.

mod program;

use program::{json, refused, succeeds};

#[test]
fn decks_and_matchups_configure_the_game() {
    let report = json(&["simulate", "magic", "--games", "20", "--matchup", "ogre", "--json"]);
    assert_eq!(report["config"]["matchup"], "ogre");
    let decks = "red-burn,green-midrange";
    let report = json(&["simulate", "magic", "--games", "20", "--decks", decks, "--json"]);
    assert_eq!(report["config"]["decks"][1], "green-midrange");
    let hand = r#"{"hand_limit": 5}"#;
    let both = ["simulate", "magic", "--games", "2", "--decks", decks, "--config", hand, "--json"];
    assert_eq!(json(&both)["config"]["hand_limit"], 5);
}

#[test]
fn decks_and_cards_can_be_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_str().expect("a plain path").to_owned()
    };
    let mine = write("mine.deck", "20 Mountain\n20 Shock\n");
    let decks = format!("{mine},red-burn");
    let report = json(&["simulate", "magic", "--games", "5", "--decks", &decks, "--json"]);
    assert_eq!(report["config"]["decks"][0]["cards"]["Shock"], 20);

    let exported = write(
        "x.dck",
        "NAME:Red\n20 [6ED:343] Mountain\n20 [6ED:206] Shock\nSB: 2 [6ED:205] Shatter\n",
    );
    let decks = format!("{exported},red-burn");
    let report = json(&["simulate", "magic", "--games", "5", "--decks", &decks, "--json"]);
    let kept = serde_json::json!(
        {"name": "Red", "cards": {"Mountain": 20, "Shock": 20}, "sideboard": {"Shatter": 2}}
    );
    assert_eq!(report["config"]["decks"][0], kept);

    let wrong = write("wrong.deck", "20 Mountain\n20 Shok\n");
    let decks = format!("{wrong},red-burn");
    refused(&["simulate", "magic", "--decks", &decks], "wrong.deck:2: no card \"Shok\", did you");
    let cards = write("mine.ron", "[\n(name: 3)\n]");
    refused(&["simulate", "magic", "--cards", &cards], "mine.ron:2");
}

#[test]
fn errors_name_the_option() {
    for (arguments, expected) in [
        (&["magic", "--decks", "red-bun,red-burn"][..], "did you mean red-burn?"),
        (&["magic", "--decks", "red-burn"], "--decks: expected two decks such as a,b, found 1"),
        (&["magic", "--decks", "no.deck,red-burn"], "cannot read the file \"no.deck\""),
        (&["magic", "--matchup", "ogres"], "expected one of ogre, default, cli, mix"),
        (&["chess", "--matchup", "ogre"], "are for magic, not chess"),
        (&["chess", "--stats"], "--stats is only for magic, not chess"),
        (
            &["magic", "--stats", "--bots", "program:command=cat"],
            "--stats replays the games, but program:",
        ),
        (
            &["magic", "--matchup", "mix", "--config", r#"{"matchup": "cli"}"#],
            "the configuration given by --config already has matchup",
        ),
    ] {
        refused(&[&["simulate"], arguments].concat(), expected);
    }
}

#[test]
fn statistics_are_counted_and_the_same_on_any_number_of_threads() {
    let run = |bots, threads| {
        let arguments = ["simulate", "magic", "--games", "50", "--matchup", "mix", "--stats"];
        json(&[&arguments[..], &["--json", "--bots", bots, "--threads", threads]].concat())
    };
    for bots in ["random", "greedy,random"] {
        let report = run(bots, "1");
        assert_eq!(report["stats"], run(bots, "2")["stats"]);
        let stats = &report["stats"];
        assert_eq!(stats["games"], 50);
        // The replayed games are the simulated ones.
        let mean = stats["decisions"].as_f64().expect("a number") / 50.0;
        assert_eq!(report["decisions_per_game"].as_f64(), Some(mean));
        assert!(stats["seats"][0]["lands"].as_u64() > Some(100), "{stats}");
    }
    let table = succeeds(&["simulate", "magic", "--games", "50", "--stats"]);
    assert!(table.contains("mana wasted") && table.contains("per decision"), "{table}");
}
