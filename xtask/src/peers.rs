//! `cargo xtask peers`: our speed beside that of other libraries, in one run.

use std::collections::BTreeMap;

use anyhow::Context;
use serde_json::Value;

use crate::python;
use crate::run::{self, cargo, command, output, root};

/// The peer's package and the script that measures it.
const PACKAGE: &str = "open_spiel==2.0.2";
const SCRIPT: &str = "bench/peers/open_spiel_playouts.py";
/// The program that measures a chess library.
const CHESS: &str = "bench/peers/chess/Cargo.toml";
const CHESS_TARGET: &str = "target/chess-peer";

/// Measures random games of both on the same core, ours before and after the
/// peer's, so that a change of the machine's mood shows.
pub(crate) fn run() -> anyhow::Result<()> {
    let python = python::environment("peers", &[PACKAGE], "pyspiel")?;
    run::run(&mut cargo(&["build", "--release", "--package", "meeple-cli"]))?;
    let build = ["build", "--release", "--locked", "--manifest-path", CHESS];
    run::run(&mut cargo(&[&build[..], &["--target-dir", CHESS_TARGET]].concat()))?;
    let before = ours("random_games", "games_per_second")?;
    let script = root().join(SCRIPT);
    let script = script.to_str().context("the project's path is not text")?;
    let peer = numbers(&output(&mut pinned(&[&python, script]))?)?;
    let after = ours("random_games", "games_per_second")?;
    print("random games/s", "OpenSpiel", &before, &peer, &after);
    let before = ours("random_decisions", "decisions_per_second")?;
    let program = format!("{CHESS_TARGET}/release/chess-peer");
    let peer = numbers(&output(&mut pinned(&[&program]))?)?;
    let after = ours("random_decisions", "decisions_per_second")?;
    print("random plies/s", "cozy-chess", &before, &peer, &after);
    Ok(())
}

/// Rates by game.
type Rates = BTreeMap<String, f64>;

fn print(what: &str, name: &str, before: &Rates, peer: &Rates, after: &Rates) {
    println!("{what:14} {:>16} {:>16} {name:>16} {:>8}", "ours", "ours again", "ratio");
    for (game, theirs) in peer {
        let (Some(first), Some(second)) = (before.get(game), after.get(game)) else { continue };
        let ratio = first.min(*second) / theirs;
        println!("{game:14} {first:>16.0} {second:>16.0} {theirs:>16.0} {ratio:>7.2}x");
    }
}

/// A command kept on one core.
fn pinned(arguments: &[&str]) -> std::process::Command {
    command("taskset", &[&["-c", "0"], arguments].concat())
}

fn ours(row: &str, unit: &str) -> anyhow::Result<Rates> {
    let arguments = ["target/release/meeple", "bench", "games", "--only", row, "--json"];
    let report: Value = serde_json::from_str(&output(&mut pinned(&arguments))?)?;
    let rows = report["rows"].as_array().context("the report has rows")?;
    let rate = |row: &Value| {
        let (game, _) = row["name"].as_str()?.split_once('/')?;
        Some((game.to_owned(), row[unit].as_f64()?))
    };
    Ok(rows.iter().filter_map(rate).collect())
}

/// Lines of a name and a number.
fn numbers(text: &str) -> anyhow::Result<Rates> {
    let read = |line: &str| {
        let (name, number) = line.split_once(' ').context("a name and a number")?;
        Ok((name.to_owned(), number.parse()?))
    };
    text.lines().map(read).collect()
}
