//! The result folders of runs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::extract::{Path as UrlPath, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::error::{ApiError, short};
use crate::files::{blocking, read_json, read_json_lines, read_text, resolve_inside};
use crate::json_body::JsonBody;
use crate::lab::Lab;
use crate::training::TrainingInfo;

/// The maximum depth of a run below the folder of runs.
const MAX_DEPTH: usize = 3;
/// The file that marks an experiment.
const SUMMARY: &str = "summary.json";
/// The file that marks a training run.
pub(crate) const HISTORY: &str = "history.jsonl";
/// The games of an experiment, one per line.
const GAMES: &str = "games.jsonl";
/// The subfolder of replays.
pub(crate) const REPLAYS: &str = "replays";
/// The content security policy of reports: inline scripts and styles only.
const REPORT_POLICY: &str = "sandbox allow-scripts; default-src 'none'; \
                             script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

/// A run in the list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RunInfo {
    /// The path below the folder of runs.
    pub(crate) name: String,
    /// `experiment` or `training`.
    pub(crate) kind: &'static str,
    /// The task of the experiment, or `training`.
    pub(crate) task: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) games: Option<u64>,
    pub(crate) finished: Option<bool>,
    /// The time of the last change, in seconds since 1970.
    pub(crate) modified: u64,
}

/// The results of a run.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RunDetails {
    pub(crate) name: String,
    /// `experiment` or `training`.
    pub(crate) kind: &'static str,
    /// The content of `summary.json`.
    pub(crate) summary: Option<Value>,
    /// The content of `timing.json`.
    pub(crate) timing: Option<Value>,
    /// The replays.
    pub(crate) replays: Vec<ReplayName>,
    /// Whether there is a report.
    pub(crate) report: bool,
}

/// A recorded game and its result, if known.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ReplayName {
    pub(crate) file: String,
    /// The bots by seat; empty if unknown.
    pub(crate) bots: Vec<String>,
    pub(crate) payoffs: Vec<f64>,
}

/// `GET /api/runs`
pub(crate) async fn list(State(lab): State<Arc<Lab>>) -> Result<JsonBody<Vec<RunInfo>>, ApiError> {
    with_reader(&lab, |lab| {
        let mut found = Vec::new();
        collect(&lab.options.runs, "", MAX_DEPTH, &mut found);
        found.sort_by_key(|run| std::cmp::Reverse(run.modified));
        JsonBody::new(&found)
    })
    .await
}

/// Runs `work` on a blocking thread, with a limit on concurrent readers.
pub(crate) async fn with_reader<T: Send + 'static>(
    lab: &Arc<Lab>,
    work: impl FnOnce(&Lab) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let permit = lab.readers.acquire().await;
    let _permit = permit.map_err(|error| ApiError::internal("the server is stopping", &error))?;
    let lab = Arc::clone(lab);
    blocking(move || work(&lab)).await
}

fn collect(folder: &Path, name: &str, depth: usize, found: &mut Vec<RunInfo>) {
    // A missing or unreadable folder has no runs.
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let Ok(file) = entry.file_name().into_string() else { continue };
        // Symbolic links are not followed.
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
    let modified = fs::metadata(path.join(file)).and_then(|metadata| metadata.modified()).ok()?;
    if kind == "training" {
        return Some(training_info(path, name, seconds_of(modified)));
    }
    let summary = read_json(path, SUMMARY).ok().flatten().unwrap_or_default();
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

/// Returns the kind of a run folder and the file that marks it.
fn kind_of(folder: &Path) -> Option<(&'static str, &'static str)> {
    [("experiment", SUMMARY), ("training", HISTORY)]
        .into_iter()
        .find(|(_, file)| folder.join(file).is_file())
}

fn seconds_of(moment: SystemTime) -> u64 {
    moment.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

fn training_info(path: &Path, name: &str, modified: u64) -> RunInfo {
    // An unreadable training is still listed; its page shows the error.
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
) -> Result<JsonBody<RunDetails>, ApiError> {
    with_reader(&lab, move |lab| {
        let folder = run_folder(lab, &run)?;
        let replays = replays_of(&folder);
        JsonBody::new(&RunDetails {
            kind: kind_of(&folder).map_or("experiment", |(kind, _)| kind),
            summary: read_json(&folder, SUMMARY)?,
            timing: read_json(&folder, "timing.json")?,
            replays,
            report: folder.join("report.html").is_file(),
            name: run,
        })
    })
    .await
}

/// Returns the recorded games of a run, in order.
fn replays_of(folder: &Path) -> Vec<ReplayName> {
    let entries = resolve_inside(folder, REPLAYS).and_then(|replays| fs::read_dir(replays).ok());
    let mut files: Vec<String> = (entries.into_iter().flatten().flatten())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|file| file.ends_with(".json"))
        .collect();
    files.sort();
    // Replays are listed even if the games file cannot be read.
    let lines = read_json_lines(folder, GAMES).unwrap_or_default();
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
) -> Result<Response, ApiError> {
    let text =
        with_reader(&lab, move |lab| read_text(&run_folder(lab, &run)?, "report.html")).await?;
    let text = text.ok_or_else(|| ApiError::NotFound("the run has no report".into()))?;
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, REPORT_POLICY),
    ];
    Ok((headers, text).into_response())
}

/// Returns the folder of a run, which must lie within the folder of runs.
pub(crate) fn run_folder(lab: &Lab, run: &str) -> Result<PathBuf, ApiError> {
    let folder = resolve_inside(&lab.options.runs, run).filter(|folder| folder.is_dir());
    folder.ok_or_else(|| ApiError::NotFound(format!("no run {}", short(run))))
}
