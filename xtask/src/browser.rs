//! The lab in a real browser: installs what is missing, serves, and lets it be clicked.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use anyhow::{Context, bail};

use crate::node;
use crate::run::{self, command, output, root, succeeds};

/// What drives the browser.
const PLAYWRIGHT: &str = "playwright-core@1.65.0";
/// Everything that is only needed here.
const FOLDER: &str = "target/lab-browser";
/// Where the pictures go.
const SCREENSHOTS: &str = "target/lab-screenshots";

/// Plays whole games by clicking.
pub(crate) fn run() -> anyhow::Result<()> {
    let chromium = chromium()?;
    let playwright = node::package("lab-browser", PLAYWRIGHT)?;
    run::build_programs()?;
    let folder = root().join(FOLDER);
    for name in ["first", "second"] {
        make_run(name)?;
    }
    for (seed, name) in ["learner", "twin"].into_iter().enumerate() {
        make_training(name, seed)?;
    }
    fs::remove_dir_all(folder.join("sessions")).ok();
    let mut server = Server::start()?;
    let mut clicks = command("node", &["tests/browser/lab.mjs"]);
    clicks
        .env("LAB_URL", &server.address)
        .env("CHROMIUM", chromium)
        .env("PLAYWRIGHT", playwright)
        .env("SCREENSHOTS", root().join(SCREENSHOTS));
    let result = run::run(&mut clicks);
    server.child.kill().ok();
    server.child.wait().ok();
    result
}

/// The browser, installed if it is missing.
fn chromium() -> anyhow::Result<String> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let find = || names.into_iter().find(|name| succeeds(&mut command(name, &["--version"])));
    if find().is_none() {
        eprintln!("installing chromium");
        run::run(&mut command("apt-get", &["update", "--quiet"]))?;
        run::run(&mut command("apt-get", &["install", "--yes", "--quiet", "chromium"]))
            .context("the lab is tested with Chromium, which could not be installed")?;
    }
    let name = find().context("Chromium does not start")?;
    Ok(output(&mut command("which", &[name]))?.trim().to_owned())
}

/// A small experiment, so that there are results to look at.
fn make_run(name: &str) -> anyhow::Result<()> {
    let folder = format!("{FOLDER}/runs/{name}");
    if root().join(&folder).join("summary.json").exists() {
        return Ok(());
    }
    let experiment = serde_json::json!({
        "name": name,
        "description": "How much search is worth",
        "tables": ["connect-four", "backgammon"],
        "bots": ["random", "mcts:sims=20", "mcts:sims=80"],
        "task": { "tournament": { "games": 20 } },
        "seed": name.len(),
        "output": { "analysis": true },
    });
    let file = write_json(name, &experiment)?;
    run::run(&mut command("target/debug/meeple", &["run", &file, "--out", &folder, "--fresh"]))
}

/// A short training with a game of its network, so that there are curves to look at.
fn make_training(name: &str, seed: usize) -> anyhow::Result<()> {
    let folder = format!("{FOLDER}/runs/{name}");
    let replays = root().join(&folder).join("replays");
    if replays.exists() {
        return Ok(());
    }
    fs::remove_dir_all(root().join(&folder)).ok();
    let training = serde_json::json!({
        "game": "connect-four",
        "seed": seed,
        "network": { "width": 32, "blocks": 1, "neck": 32, "value": 16 },
        "self_play": { "games": 16, "at_once": 16, "simulations": 16, "fast_simulations": 4 },
        "buffer": { "first": 200, "last": 2000 },
        "learning": { "batch": 32 },
        "evaluation": {
            "every": 8, "games": 10, "bot": "puct:sims=16", "checkpoints": 1,
            "ladder": ["random", "greedy", "mcts:sims=10"],
        },
        "folder": folder,
        "limit": { "iterations": 24 },
    });
    let file = write_json(name, &training)?;
    run::run(&mut command("target/debug/meeple", &["train", "--config", &file, "--plain"]))?;
    let model = format!("puct:model={folder}/model.safetensors,sims=16");
    let experiment = serde_json::json!({
        "name": name,
        "tables": ["connect-four"],
        "bots": [model, "random"],
        "task": { "tournament": { "games": 2 } },
        "output": { "analysis": true },
    });
    let file = write_json(&format!("{name}-game"), &experiment)?;
    let games = format!("{FOLDER}/{name}-game");
    run::run(&mut command("target/debug/meeple", &["run", &file, "--out", &games, "--fresh"]))?;
    fs::rename(root().join(games).join("replays"), replays)?;
    Ok(())
}

fn write_json(name: &str, content: &serde_json::Value) -> anyhow::Result<String> {
    let file = root().join(FOLDER).join(format!("{name}.json"));
    fs::write(&file, content.to_string())?;
    Ok(file.to_str().context("the project's path is not text")?.to_owned())
}

/// A lab that listens.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start() -> anyhow::Result<Self> {
        let sessions = format!("{FOLDER}/sessions");
        let runs = format!("{FOLDER}/runs");
        let arguments = ["lab", "--port", "0", "--store", &sessions, "--runs", &runs];
        let mut child =
            command("target/debug/meeple", &arguments).stdout(Stdio::piped()).spawn()?;
        let stdout = child.stdout.take().context("the lab prints its address")?;
        let mut address = String::new();
        BufReader::new(stdout).read_line(&mut address)?;
        if !address.starts_with("http://") {
            child.kill().ok();
            bail!("the lab printed {address:?} instead of its address");
        }
        Ok(Self { child, address: address.trim().to_owned() })
    }
}
