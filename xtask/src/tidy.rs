//! `cargo xtask tidy`: the layout of the project and the truth of its documents.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use serde_json::Value;

use crate::COMMANDS;
use crate::run::{self, cargo, command, output, root, succeeds};

/// Which crates of ours each crate may build on: data flows one way.
const LAYERS: &[(&str, &[&str])] = &[
    ("card-language", &[]),
    ("files", &[]),
    ("rng", &[]),
    ("stats", &[]),
    ("game", &["rng"]),
    ("poker", &["rng"]),
    ("solver", &["files", "poker"]),
    ("plan", &[]),
    ("rules", &["game", "rng"]),
    ("games", &["card-language", "game", "plan", "poker", "rules"]),
    ("search", &["game"]),
    ("net", &["files", "game", "rng", "search"]),
    ("bots", &["game", "games", "net", "search"]),
    ("arena", &["bots", "files", "game", "games", "search", "stats"]),
    ("report", &["arena", "bots", "game"]),
    ("train", &["arena", "bots", "files", "game", "games", "net", "report", "search", "stats"]),
    ("lab", &["arena", "bots", "files", "game", "games", "poker", "search", "stats"]),
    ("mcp", &["bots", "files", "games", "lab"]),
    ("vector", &["bots", "game", "games", "search"]),
    ("bench", &["game", "games", "net", "plan", "poker", "rules", "search", "solver"]),
    (
        "py",
        &["arena", "bots", "game", "games", "net", "poker", "report", "search", "train", "vector"],
    ),
    (
        "cli",
        &[
            "arena", "bench", "bots", "files", "game", "games", "lab", "mcp", "net", "plan",
            "poker", "report", "search", "solver", "stats", "train",
        ],
    ),
];

pub(crate) fn run() -> anyhow::Result<()> {
    let mut faults = Vec::new();
    check_layers(&mut faults)?;
    check_headers(&mut faults)?;
    check_sizes(&mut faults)?;
    check_map(&mut faults)?;
    check_commands(&mut faults)?;
    if faults.is_empty() {
        println!("tidy");
        return Ok(());
    }
    bail!("not tidy:\n{}", faults.join("\n"))
}

/// Crates depend only on those they may.
fn check_layers(faults: &mut Vec<String>) -> anyhow::Result<()> {
    let allowed: BTreeMap<&str, &[&str]> = LAYERS.iter().copied().collect();
    for (name, dependencies) in crates()? {
        let Some(allowed) = allowed.get(name.as_str()) else {
            faults.push(format!("crate {name}: missing from LAYERS in xtask/src/tidy.rs"));
            continue;
        };
        let wrong =
            dependencies.iter().filter(|dependency| !allowed.contains(&dependency.as_str()));
        faults.extend(wrong.map(|wrong| format!("crate {name} may not depend on {wrong}")));
    }
    Ok(())
}

/// The crates under `crates/`, each with those of ours that it builds on; what
/// only its tests use does not count.
fn crates() -> anyhow::Result<Vec<(String, Vec<String>)>> {
    let text = output(&mut cargo(&["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&text).context("cargo metadata is JSON")?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists packages")?;
    let ours = |name: &Value| name.as_str()?.strip_prefix("meeple-").map(str::to_owned);
    let mut crates = Vec::new();
    for package in packages {
        let Some(name) = ours(&package["name"]) else { continue };
        let dependencies = package["dependencies"].as_array().into_iter().flatten();
        let built_on = dependencies.filter(|dependency| dependency["kind"].is_null());
        crates.push((name, built_on.filter_map(|dependency| ours(&dependency["name"])).collect()));
    }
    Ok(crates)
}

/// The files that git knows or would add.
fn tracked(pattern: &str) -> anyhow::Result<Vec<String>> {
    let arguments = ["ls-files", "--cached", "--others", "--exclude-standard", "--", pattern];
    let listed = output(&mut command("git", &arguments))?;
    Ok(listed.lines().filter(|path| root().join(path).exists()).map(str::to_owned).collect())
}

/// Bytes of the largest file that belongs here; a network has two million.
const LARGEST: u64 = 4_000_000;

/// Nothing that was built or downloaded is taken for a part of the project.
fn check_sizes(faults: &mut Vec<String>) -> anyhow::Result<()> {
    for path in tracked("*")? {
        let bytes = fs::metadata(root().join(&path))?.len();
        let is_package = path.ends_with(".whl") || path.ends_with(".tar.gz");
        if bytes > LARGEST || is_package {
            faults.push(format!("{path}: a package or a file of {bytes} bytes is no source"));
        }
    }
    Ok(())
}

/// Every source file opens with what lives there.
fn check_headers(faults: &mut Vec<String>) -> anyhow::Result<()> {
    for path in tracked("*.rs")? {
        let text = read(&path)?;
        if !text.starts_with("//! ") {
            faults.push(format!("{path}: does not open with a `//!` sentence"));
        }
    }
    Ok(())
}

/// The map names every crate, and no path that is gone.
fn check_map(faults: &mut Vec<String>) -> anyhow::Result<()> {
    let map = read("ARCHITECTURE.md")?;
    for (name, _) in crates()? {
        if !map.contains(&format!("`crates/{name}`")) {
            faults.push(format!("ARCHITECTURE.md: does not name `crates/{name}`"));
        }
    }
    for document in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = read(document)?;
        for path in quoted_paths(&text) {
            if !root().join(path).exists() {
                faults.push(format!("{document}: names `{path}`, which does not exist"));
            }
        }
    }
    Ok(())
}

/// Words in backticks that look like paths of this project.
fn quoted_paths(text: &str) -> impl Iterator<Item = &str> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter(|word| {
        let folders =
            ["crates/", "xtask/", "tests/", "fuzz/", "bench/", "docs/", "experiments/", ".ci/"];
        folders.iter().any(|folder| word.starts_with(folder))
            && !word.contains([' ', '*', '<', '…'])
    })
}

/// The commands that documents show exist.
fn check_commands(faults: &mut Vec<String>) -> anyhow::Result<()> {
    run::build_programs()?;
    let meeple = root().join("target/debug/meeple");
    for document in ["README.md", "CONTRIBUTING.md"] {
        let text = read(document)?;
        for line in text.lines().map(str::trim_start) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let known = match words[..] {
                ["cargo", "xtask", name, ..] => COMMANDS.contains(&name),
                ["cargo", "meeple", name, ..] | ["meeple", name, ..] => {
                    succeeds(std::process::Command::new(&meeple).args([name, "--help"]))
                }
                _ => true,
            };
            if !known {
                faults.push(format!("{document}: shows {line:?}, which is no command"));
            }
        }
    }
    Ok(())
}

fn read(path: &str) -> anyhow::Result<String> {
    fs::read_to_string(root().join(Path::new(path))).with_context(|| format!("cannot read {path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_in_backticks() {
        let text = "see `crates/game` and `cargo test`, not crates/x or `crates/<name>`";
        assert_eq!(quoted_paths(text).collect::<Vec<_>>(), ["crates/game"]);
    }

    #[test]
    fn layers_only_look_up() {
        for (at, (name, allowed)) in LAYERS.iter().enumerate() {
            let above: Vec<&str> = LAYERS[..at].iter().map(|(name, _)| *name).collect();
            assert!(allowed.iter().all(|other| above.contains(other)), "{name} looks down");
        }
    }
}
