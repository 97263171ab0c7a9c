//! Licenses, sources and banned crates of all that we build on, by `cargo deny`.

use anyhow::Context;

use crate::run::{cargo, command, root, run, succeeds};

/// What is installed on machines that have no cargo-deny.
const VERSION: &str = "cargo-deny@0.20.2";
/// Where.
const FOLDER: &str = "target/cargo-deny";
/// Everything that is built: the workspace and the fuzz targets.
const MANIFESTS: [&str; 2] = ["Cargo.toml", "fuzz/Cargo.toml"];

/// Checks what needs no network.
pub(crate) fn check() -> anyhow::Result<()> {
    deny(&["bans", "licenses", "sources"])
}

/// Checks for known vulnerabilities, if their database can be fetched.
pub(crate) fn check_advisories() -> anyhow::Result<()> {
    if !succeeds(&mut command(&program()?, &["fetch", "db"])) {
        eprintln!("skipped: the database of advisories cannot be fetched");
        return Ok(());
    }
    deny(&["advisories"])
}

fn deny(checks: &[&str]) -> anyhow::Result<()> {
    let (program, config) = (program()?, path("deny.toml")?);
    for manifest in MANIFESTS {
        let manifest = path(manifest)?;
        let what = ["--manifest-path", &manifest, "--all-features", "--config", &config, "check"];
        run(&mut command(&program, &[&what[..], checks].concat()))?;
    }
    Ok(())
}

/// The program that is installed, or one for us alone.
fn program() -> anyhow::Result<String> {
    if succeeds(&mut command("cargo-deny", &["--version"])) {
        return Ok("cargo-deny".into());
    }
    let program = path(&format!("{FOLDER}/bin/cargo-deny"))?;
    if !succeeds(&mut command(&program, &["--version"])) {
        eprintln!("installing cargo-deny");
        // Without the optimizer: it runs for a second.
        run(&mut cargo(&["install", "--locked", "--debug", "--root", FOLDER, VERSION]))?;
    }
    Ok(program)
}

fn path(name: &str) -> anyhow::Result<String> {
    let path = root().join(name);
    Ok(path.to_str().context("the project's path is not text")?.to_owned())
}
