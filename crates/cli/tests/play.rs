//! `meeple play` through a pipe.

mod program;

use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use program::{check_failure, meeple, succeeds, text};
use serde_json::Value;

/// Runs `meeple play` with `typed` as its input.
fn play(arguments: &[&str], typed: &[u8]) -> Output {
    let mut command = meeple(&[&["play"], arguments].concat());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    // The game may be over before everything typed is read.
    let _ = child.stdin.take().expect("stdin is piped").write_all(typed);
    child.wait_with_output().expect("the program ends")
}

/// Returns the output of a successful game.
#[track_caller]
fn shown(arguments: &[&str], typed: &str) -> String {
    let output = play(arguments, typed.as_bytes());
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

fn replay(file: &Path) -> Value {
    let text = std::fs::read_to_string(file).expect("the replay was saved");
    serde_json::from_str(&text).expect("it is JSON")
}

#[test]
fn a_human_plays_to_the_end() {
    let typed = "help\nhint\nb2\nundo\nboard\nb2\n".to_owned() + &"1\n".repeat(9);
    let shown = shown(&["tic-tac-toe", "--vs", "random"], &typed);
    for expected in [
        "You are seat 0 (X)",
        "\n> \u{20} an action",
        "take back your last",
        "hint: ",
        "seat 1: ",
        "  a b c",
    ] {
        assert!(shown.contains(expected), "{expected} in {shown}");
    }
    assert!(["You win", "You lose", "A draw"].iter().any(|end| shown.contains(end)), "{shown}");
}

#[test]
fn a_random_seed_is_shown() {
    let first = shown(&["pig"], "resign\n");
    let seed = first.strip_prefix("Seed ").and_then(|rest| rest.split(':').next());
    let seed = seed.expect("the seed is on the first line");
    let shown_again = shown(&["pig", "--seed", seed], "resign\n");
    let after = |text: &str| text.split_once('\n').expect("lines").1.to_owned();
    assert_eq!(after(&first), after(&shown_again));
    let others = (0..8).map(|_| shown(&["pig"], "resign\n")).filter(|other| *other != first);
    assert!(others.count() > 0, "every game has seed {seed}");
}

#[test]
fn hands_of_poker_follow_each_other() {
    for game in ["kuhn", "leduc"] {
        let typed = "1\n".repeat(4).replace('\n', "\ny\n");
        let shown =
            shown(&[game, "--vs", "random", "--seed", "1"], &(typed.repeat(3) + "resign\n"));
        assert!(shown.contains("Another hand? [Y/n]"), "{shown}");
        assert!(shown.contains("Chips after 2 hands: "), "{shown}");
        assert!(shown.contains("You are seat 0") && shown.contains("You are seat 1"), "{shown}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("hand.json");
    let path = file.to_str().expect("a path that is text");
    let arguments = ["holdem", "--vs", "random", "--seed", "4", "--save", path];
    let shown = shown(&arguments, "fold\ncheck\ncheck\nfold\nfold\ny\nresign\nresign\n");
    assert!(shown.contains("Chips after 1 hand: you "), "{shown}");
    let first = replay(&file);
    let second = replay(&folder.path().join("hand-2.json"));
    assert_eq!(first["bots"][0], second["bots"][1]);
    let stacks = second["config"]["stacks"].as_array().expect("one stack each");
    assert_eq!(stacks.iter().map(|chips| chips.as_u64().expect("chips")).sum::<u64>(), 20_000);
}

/// An amount that is not among the bet sizes is played, saved and replayed exactly.
#[test]
fn holdem_accepts_any_amount() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("hand.json");
    let path = file.to_str().expect("a path that is text");
    let arguments = ["holdem", "--seat", "1", "--vs", "random", "--seed", "2", "--save", path];
    let shown = shown(&arguments, "raise 12\nraise 270\nresign\nresign\n");
    assert!(shown.contains("expected 200 to 10000"), "{shown}");
    assert!(shown.contains("or raise to any amount from 200 to 10000"), "{shown}");
    assert_eq!(replay(&file)["config"]["amounts"], serde_json::json!([270]));
    let all = succeeds(&["replay", path, "--all"]);
    assert!(all.contains("raise to 270"), "{all}");
}

#[test]
fn the_roller_is_named_and_undo_does_not_change_the_dice() {
    let shown = shown(&["pig", "--seed", "3"], "roll\nundo\nroll\nundo\nroll\nresign\n");
    let after_typing = |line: &&str| line.starts_with("> chance for seat 0: rolled");
    let rolls: Vec<&str> = shown.lines().filter(after_typing).collect();
    assert!(rolls.len() == 3 && rolls[0] == rolls[1] && rolls[1] == rolls[2], "{shown}");
}

#[test]
fn invalid_input_is_explained() {
    let typed = b"\n99\n0\n-1\nzz\n\xff\xfe\n18446744073709551616\nundo\na\nresign\n";
    let output = play(&["tic-tac-toe"], typed);
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}");
    assert!(shown.contains("expected a number from 1 to 9"), "{shown}");
    assert!(shown.contains("\"zz\" is not an action or a command"), "{shown}");
    assert!(shown.contains("\"a\" is ambiguous: a1, a2 or a3"), "{shown}");
    assert!(shown.contains("nothing to take back"), "{shown}");
}

#[test]
fn the_end_of_input_is_reported() {
    let output = play(&["kuhn"], b"");
    check_failure(&["play", "kuhn"], &output, 1, "the input ended before the game");
}

/// The card of the other seat is never shown before a showdown.
#[test]
fn play_shows_no_hidden_card() {
    for seed in 0..20 {
        let shown = shown(&["kuhn", "--seed", &seed.to_string()], "resign\n");
        assert!(shown.contains("chance for seat 0: deal "), "{shown}");
        assert!(shown.contains("chance for seat 1: (hidden from you)"), "{shown}");
        assert!(shown.contains("seat 1: ?"), "{shown}");
    }
}

/// In Stone Age only a card drawn face down is hidden.
#[test]
fn public_actions_are_shown() {
    let shown =
        shown(&["stone-age", "--vs", "random", "--seed", "5"], &("1\n".repeat(400) + "resign\n"));
    let hidden = shown.lines().filter(|line| line.contains("(hidden from you)"));
    for line in hidden {
        assert!(line.starts_with("chance for seat 1"), "{line}");
    }
}

#[test]
fn black_sees_the_board_from_the_other_side() {
    let shown = shown(&["chess", "--seat", "black", "--vs", "random", "--seed", "1"], "resign\n");
    assert!(shown.contains("You are seat 1 (black)"), "{shown}");
    assert!(shown.contains("8 r n b k q b n r\n  h g f e d c b a\n"), "{shown}");
}

#[test]
fn chess_is_played_in_san() {
    let typed = "e4\nNf3\ne4\nresign\n";
    let shown = shown(&["chess", "--vs", "random", "--seed", "1"], typed);
    assert!(shown.contains("Nf3"), "{shown}");
    assert!(shown.contains("\"e4\" ") || shown.contains("e4 is not legal"), "{shown}");
}

#[test]
fn two_people_share_a_terminal() {
    let shown = shown(&["tic-tac-toe", "--vs", "human"], "a1\nb1\na2\nb2\na3\n");
    assert!(shown.contains("seat 0> ") && shown.contains("seat 1> "), "{shown}");
    assert!(shown.contains("The game is over: seat 0 +1.00, seat 1 -1.00"), "{shown}");
    // Each player's cards are shown only after the screen was handed over.
    let shown = self::shown(&["kuhn", "--vs", "human", "--seed", "1"], "\nbet\n\nbet\nn\n");
    let parts: Vec<&str> = shown.split("press Enter when only you can see the screen. ").collect();
    assert_eq!(parts.len(), 3, "{shown}");
    assert!(parts[0].ends_with("seat 0: ") && parts[1].ends_with("seat 1: "), "{shown}");
    assert!(!parts[0].contains("deal "), "{shown}");
    assert!(parts[1].contains("chance for seat 1: (hidden from you)"), "{shown}");
    assert!(parts[2].contains("chance for seat 0: (hidden from you)"), "{shown}");
    assert!(parts[2].contains("seat 0: bet"), "{shown}");
}

#[test]
fn opponents_can_differ() {
    let table = r#"{"players":3}"#;
    for vs in
        [&["--vs", "flat:playouts=2,random"][..], &["--vs", "flat:playouts=2", "--vs", "random"]]
    {
        let shown = shown(&[&["pig", "--config", table], vs].concat(), "resign\n");
        assert!(shown.contains("seat 1 is flat:playouts=2, seat 2 is random"), "{shown}");
    }
}

#[test]
fn a_saved_game_is_resumed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, next) = (folder.path().join("game.json"), folder.path().join("next.json"));
    let paths = [&file, &next].map(|file| file.to_str().expect("a path that is text").to_owned());
    shown(
        &["connect-four", "--seat", "1", "--vs", "random", "--seed", "6", "--save", &paths[0]],
        "d\nresign\n",
    );
    let before = replay(&file);
    let shown = shown(&["--load", &paths[0], "--save", &paths[1]], "c\nresign\n");
    assert!(shown.contains("You are seat 1 (O) at connect-four; seat 0 (X) is random"), "{shown}");
    let after = replay(&next);
    let (before, after) = (&before["actions"], &after["actions"]);
    let (before, after) = (before.as_array().expect("a list"), after.as_array().expect("a list"));
    assert_eq!(after[..before.len()], before[..]);
    assert!(after.len() > before.len());
    // A finished game cannot be resumed.
    let over =
        self::shown(&["tic-tac-toe", "--vs", "human", "--save", &paths[0]], "a1\nb1\na2\nb2\na3\n");
    assert!(over.contains("The game is over"), "{over}");
    program::refused(&["play", "--load", &paths[0]], "this game is over; use meeple replay");
}

/// Ctrl-C at the prompt saves the game, like the end of the input; so do the signals of a
/// shutdown and of a closed terminal.
#[cfg(unix)]
#[test]
fn signals_save_the_game() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("game.json");
        let path = file.to_str().expect("a path that is text");
        let arguments = ["play", "tic-tac-toe", "--vs", "random", "--save", path];
        let mut command = meeple(&arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program runs");
        let mut stdin = child.stdin.take().expect("stdin is piped");
        stdin.write_all(b"b2\n").expect("it is read");
        program::wait_for(child.stdout.as_mut().expect("stdout is piped"), "\n> seat 1: ");
        let mut kill = std::process::Command::new("kill");
        let kill = kill.args([signal, &child.id().to_string()]).status();
        assert!(kill.expect("kill runs").success());
        let output = child.wait_with_output().expect("the program ends");
        check_failure(&arguments, &output, 130, "interrupted");
        drop(stdin);
        assert_eq!(replay(&file)["actions"][0], 4, "{signal}");
    }
}

/// A game of another program goes on here.
#[test]
fn a_game_from_pgn_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, next) = (folder.path().join("game.pgn"), folder.path().join("next.json"));
    let paths = [&file, &next].map(|file| file.to_str().expect("a path that is text").to_owned());
    std::fs::write(&file, "[Event \"?\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n").expect("a file");
    let arguments = ["--load", &paths[0], "--vs", "random", "--save", &paths[1]];
    let shown = shown(&arguments, "Bb5\nresign\n");
    assert!(shown.contains("You are seat 0 (white) at chess"), "{shown}");
    assert!(shown.contains("Bb5"), "{shown}");
    let actions = replay(&next)["actions"].as_array().expect("a list").len();
    assert!(actions >= 5, "{actions} actions");
    let two = "[Event \"?\"]\n\n1. e4 *\n\n[Event \"?\"]\n\n1. d4 *\n";
    std::fs::write(&file, two).expect("a file");
    program::refused(&["play", "--load", &paths[0]], "expected one game, found 2");
}

#[test]
fn magic_output_fits_the_terminal() {
    let typed = "keep\n? 1\ncard Shock\ncard Shok\n".to_owned() + &"1\n".repeat(60) + "resign\n";
    let shown = shown(&["magic", "--vs", "random", "--seed", "3"], &typed);
    for expected in [
        "Shock deals 2 damage to any target.",
        "no card \"Shok\", did you mean Shock?",
        "resolves",
        "Turn 2: seat 1",
        " life",
        "{R}",
    ] {
        assert!(shown.contains(expected), "{expected} in {shown}");
    }
    for line in shown.lines() {
        // In a terminal, the text after the prompt is on a new line.
        let line = line.trim_start_matches("> ");
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn a_stone_age_board_fits_a_screen() {
    let shown = shown(
        &["stone-age", "--config", r#"{"players":3}"#, "--vs", "random", "--seed", "2"],
        "resign\n",
    );
    let screen = shown.split_once("Round 1").expect("a round").1;
    assert!(screen.lines().count() <= 23, "{shown}");
    for expected in ["forest     /3  0/7", "hunt       /2  0/any", "hut            0/2"] {
        assert!(shown.contains(expected), "{expected} in {shown}");
    }
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
}

#[test]
fn action_lists_use_the_width_of_the_terminal() {
    let lines = |columns: &str| {
        let mut command = meeple(&["play", "chess", "--vs", "random", "--seed", "1"]);
        let output = command.env("COLUMNS", columns).output().expect("the program runs");
        text(&output.stdout).lines().count()
    };
    assert!(lines("40") > lines("80") && lines("80") > lines("160"));
}
