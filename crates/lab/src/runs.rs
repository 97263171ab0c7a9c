//! The folders of runs: what was found, and the files behind it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::Json;
use axum::extract::{Path as UrlPath, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::files::{blocking, inside, json_of, lines_of, text_of};
use crate::lab::Lab;
use crate::refusal::{Refusal, short};
use crate::training::TrainingInfo;

/// How deep below the folder of runs a run may lie.
const DEEPEST: usize = 3;
/// What makes a folder that of an experiment.
const SUMMARY: &str = "summary.json";
/// What makes a folder that of a training.
pub(crate) const HISTORY: &str = "history.jsonl";
/// The games of an experiment, a line each.
const GAMES: &str = "games.jsonl";
/// The folder of a run with its replays.
pub(crate) const REPLAYS: &str = "replays";
/// What the report of a run may do: run the scripts within it, and nothing else.
const REPORT_POLICY: &str = "sandbox allow-scripts; default-src 'none'; \
                             script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

/// A run in short.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RunInfo {
    /// Its folder below the folder of runs.
    pub(crate) name: String,
    /// `experiment` or `training`.
    pub(crate) kind: &'static str,
    /// What was done.
    pub(crate) task: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) games: Option<u64>,
    pub(crate) finished: Option<bool>,
    /// When it last changed, in seconds since 1970.
    pub(crate) modified: u64,
}

/// A run in full.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RunDetails {
    pub(crate) name: String,
    /// `experiment` or `training`.
    pub(crate) kind: &'static str,
    /// What `summary.json` says.
    pub(crate) summary: Option<Value>,
    /// What `timing.json` says.
    pub(crate) timing: Option<Value>,
    /// The replays, by the names of their files.
    pub(crate) replays: Vec<ReplayName>,
    /// Whether there is a report.
    pub(crate) report: bool,
}

/// A game that was kept, and how it ended where the run says so.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ReplayName {
    pub(crate) file: String,
    /// Who sat where; empty if the run does not say.
    pub(crate) bots: Vec<String>,
    pub(crate) payoffs: Vec<f64>,
}

/// `GET /api/runs`
pub(crate) async fn list(State(lab): State<Arc<Lab>>) -> Result<Json<Vec<RunInfo>>, Refusal> {
    reading(&lab, |lab| {
        let mut found = Vec::new();
        collect(&lab.options.runs, "", DEEPEST, &mut found);
        found.sort_by_key(|run| std::cmp::Reverse(run.modified));
        Ok(Json(found))
    })
    .await
}

/// Reads runs on a thread that may block; only a few requests do so at once.
pub(crate) async fn reading<T: Send + 'static>(
    lab: &Arc<Lab>,
    work: impl FnOnce(&Lab) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let place = lab.readers.acquire().await;
    let _place = place.map_err(|error| Refusal::failed("the server ends", &error))?;
    let lab = Arc::clone(lab);
    blocking(move || work(&lab)).await
}

fn collect(folder: &Path, name: &str, depth: usize, found: &mut Vec<RunInfo>) {
    // A folder that is missing or closed to us has no runs.
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let Ok(file) = entry.file_name().into_string() else { continue };
        // What is linked from elsewhere is not below the folder of runs.
        if !entry.file_type().is_ok_and(|kind| kind.is_dir()) || file.starts_with('.') {
            continue;
        }
        let name = if name.is_empty() { file } else { format!("{name}/{file}") };
        match info(&path, &name) {
            Some(info) => found.push(info),
            None if depth > 1 => collect(&path, &name, depth - 1, found),
            None => {}
        }
    }
}

fn info(path: &Path, name: &str) -> Option<RunInfo> {
    let (kind, file) = kind_of(path)?;
    let modified = fs::metadata(path.join(file)).and_then(|about| about.modified()).ok()?;
    if kind == "training" {
        return Some(training_info(path, name, seconds_of(modified)));
    }
    let summary = json_of(path, SUMMARY).ok().flatten().unwrap_or_default();
    let text = |key: &str| summary.get(key).and_then(Value::as_str).map(str::to_owned);
    Some(RunInfo {
        name: name.into(),
        kind,
        task: text("task"),
        description: text("description").filter(|text| !text.is_empty()),
        games: summary.get("games").and_then(Value::as_u64),
        finished: summary.get("finished").and_then(Value::as_bool),
        modified: seconds_of(modified),
    })
}

/// What a folder is, and the file that says so.
fn kind_of(folder: &Path) -> Option<(&'static str, &'static str)> {
    [("experiment", SUMMARY), ("training", HISTORY)]
        .into_iter()
        .find(|(_, file)| folder.join(file).is_file())
}

fn seconds_of(moment: SystemTime) -> u64 {
    moment.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

fn training_info(path: &Path, name: &str, modified: u64) -> RunInfo {
    // One that cannot be read is listed all the same; its page says what is wrong.
    let training = crate::training::read(path).ok();
    let game = |training: &TrainingInfo| Some(training.config.get("game")?.as_str()?.to_owned());
    RunInfo {
        name: name.into(),
        kind: "training",
        task: Some("training".into()),
        description: training.as_ref().and_then(|training| {
            Some(format!("{}, {} iterations", game(training)?, training.progress.iterations))
        }),
        games: training.as_ref().map(|training| training.progress.games),
        finished: training.as_ref().map(|training| training.finished),
        modified,
    }
}

/// `GET /api/runs/{run}`
pub(crate) async fn show(
    State(lab): State<Arc<Lab>>,
    UrlPath(run): UrlPath<String>,
) -> Result<Json<RunDetails>, Refusal> {
    reading(&lab, move |lab| {
        let folder = folder_of(lab, &run)?;
        let replays = replays_of(&folder);
        Ok(Json(RunDetails {
            kind: kind_of(&folder).map_or("experiment", |(kind, _)| kind),
            summary: json_of(&folder, SUMMARY)?,
            timing: json_of(&folder, "timing.json")?,
            replays,
            report: folder.join("report.html").is_file(),
            name: run,
        }))
    })
    .await
}

/// The games that a run kept, in their order.
fn replays_of(folder: &Path) -> Vec<ReplayName> {
    let entries = inside(folder, REPLAYS).and_then(|replays| fs::read_dir(replays).ok());
    let mut files: Vec<String> = (entries.into_iter().flatten().flatten())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|file| file.ends_with(".json"))
        .collect();
    files.sort();
    // A run whose games cannot be read has its replays all the same.
    let lines = lines_of(folder, GAMES).unwrap_or_default();
    let games: BTreeMap<u64, &Value> =
        lines.iter().filter_map(|line| Some((line.get("game")?.as_u64()?, line))).collect();
    let list = |game: Option<&&Value>, key: &str| -> Vec<Value> {
        game.and_then(|game| game.get(key)?.as_array().cloned()).unwrap_or_default()
    };
    (files.into_iter())
        .map(|file| {
            let number = file.trim_end_matches(".json").parse().ok();
            let game = number.and_then(|number: u64| games.get(&number));
            let bots =
                list(game, "bots").iter().filter_map(Value::as_str).map(str::to_owned).collect();
            let payoffs = list(game, "payoffs").iter().filter_map(Value::as_f64).collect();
            ReplayName { file, bots, payoffs }
        })
        .collect()
}

/// `GET /api/runs/{run}/report`
pub(crate) async fn report(
    State(lab): State<Arc<Lab>>,
    UrlPath(run): UrlPath<String>,
) -> Result<Response, Refusal> {
    let text = reading(&lab, move |lab| text_of(&folder_of(lab, &run)?, "report.html")).await?;
    let text = text.ok_or_else(|| Refusal::Missing("the run has no report".into()))?;
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, REPORT_POLICY),
    ];
    Ok((headers, text).into_response())
}

/// The folder of a run; nothing outside of the folder of runs.
pub(crate) fn folder_of(lab: &Lab, run: &str) -> Result<PathBuf, Refusal> {
    let folder = inside(&lab.options.runs, run).filter(|folder| folder.is_dir());
    folder.ok_or_else(|| Refusal::Missing(format!("there is no run {}", short(run))))
}
