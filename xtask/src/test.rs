//! `cargo xtask test`: all that a change must pass.

use std::time::Instant;

use crate::run::{self, cargo, command, root, succeeds};
use crate::{browser, deny, node, package, python, sanitize, tidy};

/// A check by name.
type Step = (&'static str, fn() -> anyhow::Result<()>);

const STEPS: [Step; 11] = [
    ("format", || run::run(&mut cargo(&["fmt", "--all", "--check"]))),
    ("licenses and sources", deny::check),
    ("lints", || {
        let what = ["clippy", "--workspace", "--all-targets", "--all-features"];
        run::run(&mut cargo(&[&what[..], &["--", "-D", "warnings"]].concat()))
    }),
    ("tests", tests),
    ("examples in the documentation", || {
        run::run(&mut cargo(&["test", "--workspace", "--all-features", "--doc"]))
    }),
    ("documentation", || {
        let mut doc = cargo(&["doc", "--workspace", "--all-features", "--no-deps"]);
        run::run(doc.env("RUSTDOCFLAGS", "-D warnings"))
    }),
    ("a game of another crate", own_game),
    ("programs of others", others),
    ("the lab in a browser", browser::run),
    ("the Python package", package::test),
    ("tidiness", tidy::run),
];

/// What needs packages of gigabytes or long builds, and so is not part of the usual run.
const FULL: [Step; 3] = [
    ("kernels under AddressSanitizer", sanitize::run),
    ("advisories", deny::check_advisories),
    ("the Python package with large ones", package::test_full),
];

pub(crate) fn run(full: bool) -> anyhow::Result<()> {
    let start = Instant::now();
    let steps = || STEPS.iter().chain(FULL.iter().filter(|_| full));
    for (name, step) in steps() {
        eprintln!("\n== {name}");
        step()?;
    }
    println!("\nall {} checks passed in {} s", steps().count(), start.elapsed().as_secs());
    Ok(())
}

/// Tests the crate that adds a game and a bot from outside the workspace.
fn own_game() -> anyhow::Result<()> {
    let manifest = ["--manifest-path", "examples/own-game/Cargo.toml", "--locked"];
    let mut test = cargo(&["test", "--target-dir", "target/own-game"]);
    run::run(test.args(manifest))
}

/// Lets programs that we did not write use ours.
fn others() -> anyhow::Result<()> {
    let packages = [
        "chess==1.11.2",
        "mcp==2.3.0",
        "numpy==2.4.6",
        "onnxruntime==1.31.1",
        "pokerkit==0.7.7",
        "tensorboard==2.20.0",
    ];
    let modules = "chess.engine, mcp, numpy, onnxruntime, pokerkit, tensorboard.backend";
    let python = python::environment("test-python", &packages, modules)?;
    let mcp = node::package("mcp-sdk", "@modelcontextprotocol/sdk@1.32.2")?;
    run::build_programs()?;
    let arguments = ["-m", "unittest", "discover", "--start-directory", "tests/python"];
    let target = root().join("target/debug");
    let mut tests = command(&python, &arguments);
    tests.env("MEEPLE", target.join("meeple")).env("MCP_SDK", mcp);
    run::run(tests.env("MEEPLE_EXPORT_ONNX", target.join("examples/onnx")))
}

/// Runs every test, with nextest where it is installed.
fn tests() -> anyhow::Result<()> {
    if succeeds(&mut cargo(&["nextest", "--version"])) {
        run::run(&mut cargo(&["nextest", "run", "--workspace", "--all-features"]))
    } else {
        let what = ["test", "--workspace", "--all-features", "--lib", "--bins", "--tests"];
        run::run(&mut cargo(&what))
    }
}
