//! `cargo xtask test`: all that a change must pass.

use std::time::Instant;

use crate::run::{self, cargo, succeeds};
use crate::tidy;

/// A check by name.
type Step = (&'static str, fn() -> anyhow::Result<()>);

const STEPS: [Step; 6] = [
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

/// Runs every test, with nextest where it is installed.
fn tests() -> anyhow::Result<()> {
    if succeeds(&mut cargo(&["nextest", "--version"])) {
        run::run(&mut cargo(&["nextest", "run", "--workspace"]))
    } else {
        run::run(&mut cargo(&["test", "--workspace", "--lib", "--bins", "--tests"]))
    }
}
