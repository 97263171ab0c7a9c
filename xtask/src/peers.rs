//! `cargo xtask peers`: our speed beside that of other libraries, in one run.

use std::collections::BTreeMap;

use anyhow::Context;
use serde_json::Value;

use crate::run::{self, cargo, command, output, root};
use crate::{package, python};

/// The peer's package and the scripts that measure it.
const PACKAGE: &str = "open_spiel==2.0.2";
const PLAYOUTS: &str = "bench/peers/open_spiel_playouts.py";
const SEARCH: &str = "bench/peers/open_spiel_search.py";
const STEPS: &str = "bench/peers/python_steps.py";
/// The program that measures a chess library.
const CHESS: &str = "bench/peers/chess/Cargo.toml";
const CHESS_TARGET: &str = "target/chess-peer";
/// The program that measures search libraries beside ours.
const SEARCHES: &str = "bench/peers/search/Cargo.toml";
const SEARCHES_TARGET: &str = "target/search-peers";
/// What measures networks.
const ONNX_PACKAGES: [&str; 2] = ["numpy==2.4.6", "onnxruntime==1.31.1"];
const PREDICTIONS: &str = "bench/peers/onnx_predictions.py";
const MODEL: &str = "target/speed.onnx";

/// Measures random games and searches of both on the same core, ours before and
/// after the peer's, so that a change of the machine's mood shows.
pub(crate) fn run() -> anyhow::Result<()> {
    let python = python::environment("peers", &[PACKAGE], "pyspiel")?;
    run::run(&mut cargo(&["build", "--release", "--package", "meeple-cli"]))?;
    for (manifest, target) in [(CHESS, CHESS_TARGET), (SEARCHES, SEARCHES_TARGET)] {
        let build = ["build", "--release", "--locked", "--manifest-path", manifest];
        run::run(&mut cargo(&[&build[..], &["--target-dir", target]].concat()))?;
    }
    compare("random games/s", "OpenSpiel", &[&python, &script(PLAYOUTS)?], || {
        ours("games", "random_games", "games_per_second")
    })?;
    // The random games of a search by UCT are ours and theirs, and so is its constant.
    compare("simulations/s", "OpenSpiel", &[&python, &script(SEARCH)?], || {
        ours("search", "/uct", "iterations_per_second")
    })?;
    compare(
        "random plies/s",
        "cozy-chess",
        &[&format!("{CHESS_TARGET}/release/chess-peer")],
        || ours("games", "random_decisions", "decisions_per_second"),
    )?;
    println!();
    run::run(&mut pinned(&[&format!("{SEARCHES_TARGET}/release/search-peers")]))?;
    println!();
    networks()?;
    python_steps()
}

/// Predictions of the default network, ours and onnxruntime's of the same weights.
fn networks() -> anyhow::Result<()> {
    let python = python::environment("peers-onnx", &ONNX_PACKAGES, "onnxruntime, numpy")?;
    let export = ["run", "--release", "--package", "meeple-net", "--example", "speed", "--", MODEL];
    run::run(&mut cargo(&export))?;
    let peer = [&python, &script(PREDICTIONS)?, MODEL];
    compare("predictions/s", "onnxruntime", &peer, || {
        let rates = ours("net", "", "evaluations_per_second")?;
        let float =
            |(name, rate): (String, f64)| Some((name.strip_prefix("net/float/")?.to_owned(), rate));
        Ok(rates.into_iter().filter_map(float).collect())
    })
}

/// Steps from Python: many tables of ours on all cores, and one state of the peer's
/// after the other.
fn python_steps() -> anyhow::Result<()> {
    let python = package::measured()?;
    let measure = |who: &str| numbers(&output(&mut command(&python, &[&script(STEPS)?, who]))?);
    let (before, peer, after) = (measure("ours")?, measure("open_spiel")?, measure("ours")?);
    print("Python steps/s", "OpenSpiel", &before, &peer, &after);
    Ok(())
}

fn script(path: &str) -> anyhow::Result<String> {
    let path = root().join(path);
    Ok(path.to_str().context("the project's path is not text")?.to_owned())
}

/// Measures ours, the peer's and ours again, and prints all three.
fn compare(
    what: &str,
    name: &str,
    peer: &[&str],
    ours: impl Fn() -> anyhow::Result<Rates>,
) -> anyhow::Result<()> {
    let before = ours()?;
    let peer = numbers(&output(&mut pinned(peer))?)?;
    print(what, name, &before, &peer, &ours()?);
    Ok(())
}

/// Rates by game.
type Rates = BTreeMap<String, f64>;

fn print(what: &str, name: &str, before: &Rates, peer: &Rates, after: &Rates) {
    println!("{what:27} {:>16} {:>16} {name:>16} {:>8}", "ours", "ours again", "ratio");
    for (game, theirs) in peer {
        let (Some(first), Some(second)) = (before.get(game), after.get(game)) else { continue };
        let ratio = first.min(*second) / theirs;
        println!("{game:27} {first:>16.0} {second:>16.0} {theirs:>16.0} {ratio:>7.2}x");
    }
}

/// A command kept on one core.
fn pinned(arguments: &[&str]) -> std::process::Command {
    command("taskset", &[&["-c", "0"], arguments].concat())
}

/// What a suite of `meeple bench` says of each game in rows that end in `row`.
fn ours(suite: &str, row: &str, unit: &str) -> anyhow::Result<Rates> {
    let arguments = ["target/release/meeple", "bench", suite, "--only", row, "--json"];
    let report: Value = serde_json::from_str(&output(&mut pinned(&arguments))?)?;
    let rows = report["rows"].as_array().context("the report has rows")?;
    let rate = |found: &Value| {
        let name = found["name"].as_str()?;
        let name = name.strip_prefix("search/").unwrap_or(name);
        let game = name.strip_suffix(row)?.trim_end_matches('/');
        Some((game.to_owned(), found[unit].as_f64()?))
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
