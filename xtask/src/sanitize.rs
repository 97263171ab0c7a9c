//! The crates with `unsafe` kernels under AddressSanitizer.

use crate::run::{self, cargo};

/// The crates whose tests run; `unsafe` lives in no other.
const CRATES: [&str; 3] = ["meeple-poker", "meeple-search", "meeple-net"];
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Runs the tests of the kernels with every access to memory checked.
///
/// Sanitizers are not stable, but the stable compiler has them: `RUSTC_BOOTSTRAP` lets it
/// take the option. Miri would need a nightly compiler.
pub(crate) fn run() -> anyhow::Result<()> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        eprintln!("skipped: the standard library for sanitizers is there for Linux on x86-64");
        return Ok(());
    }
    let what = ["test", "--lib", "--tests", "--target", TARGET, "--target-dir", "target/sanitized"];
    let crates = CRATES.iter().flat_map(|name| ["--package", name]);
    let mut tests = cargo(&what.into_iter().chain(crates).collect::<Vec<_>>());
    tests.env("RUSTC_BOOTSTRAP", "1");
    run::run(tests.env("RUSTFLAGS", "-Zsanitizer=address -Ctarget-cpu=x86-64-v2"))
}
