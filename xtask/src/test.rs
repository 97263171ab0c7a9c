//! `cargo xtask test`: all that a change must pass.

use std::time::Instant;

use crate::run::{self, cargo, command, root, succeeds};
use crate::{browser, python, tidy};

/// A check by name.
type Step = (&'static str, fn() -> anyhow::Result<()>);

const STEPS: [Step; 8] = [
    ("format", || run::run(&mut cargo(&["fmt", "--all", "--check"]))),
    ("lints", || {
        run::run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
    }),
    ("tests", tests),
    ("examples in the documentation", || run::run(&mut cargo(&["test", "--workspace", "--doc"]))),
    ("documentation", || {
        let mut doc = cargo(&["doc", "--workspace", "--no-deps"]);
        run::run(doc.env("RUSTDOCFLAGS", "-D warnings"))
    }),
    ("programs of others", others),
    ("the lab in a browser", browser::run),
    ("tidiness", tidy::run),
];

pub(crate) fn run() -> anyhow::Result<()> {
    let start = Instant::now();
    for (name, step) in STEPS {
        eprintln!("\n== {name}");
        step()?;
    }
    println!("\nall {} checks passed in {} s", STEPS.len(), start.elapsed().as_secs());
    Ok(())
}

/// Lets programs that we did not write use ours.
fn others() -> anyhow::Result<()> {
    let python = python::environment("test-python", &["chess==1.11.2"], "chess.engine")?;
    run::run(&mut cargo(&["build", "--package", "meeple-cli"]))?;
    let meeple = root().join("target/debug/meeple");
    let arguments = ["-m", "unittest", "discover", "--start-directory", "tests/python"];
    run::run(command(&python, &arguments).env("MEEPLE", meeple))
}

/// Runs every test, with nextest where it is installed.
fn tests() -> anyhow::Result<()> {
    if succeeds(&mut cargo(&["nextest", "--version"])) {
        run::run(&mut cargo(&["nextest", "run", "--workspace"]))
    } else {
        run::run(&mut cargo(&["test", "--workspace", "--lib", "--bins", "--tests"]))
    }
}
