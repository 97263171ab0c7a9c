//! The folders of runs: what was found, and the files behind it.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::Json;
use axum::extract::{Path as UrlPath, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::lab::Lab;
use crate::refusal::Refusal;
use crate::training::TrainingInfo;

/// How deep below the folder of runs a run may lie.
const DEEPEST: usize = 3;
/// The largest file that is read.
const LARGEST: u64 = 64 * 1024 * 1024;
/// What makes a folder that of an experiment.
const SUMMARY: &str = "summary.json";
/// What makes a folder that of a training.
pub(crate) const HISTORY: &str = "history.jsonl";
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
    pub(crate) replays: Vec<String>,
    /// Whether there is a report.
    pub(crate) report: bool,
}

/// `GET /api/runs`
pub(crate) async fn list(State(lab): State<Arc<Lab>>) -> Json<Vec<RunInfo>> {
    let mut found = Vec::new();
    collect(&lab.options.runs, "", DEEPEST, &mut found);
    found.sort_by_key(|run| std::cmp::Reverse(run.modified));
    Json(found)
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
    let summary = json_of(&path.join(SUMMARY)).ok().flatten().unwrap_or_default();
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
    let folder = folder_of(&lab, &run)?;
    let mut replays: Vec<String> = fs::read_dir(folder.join("replays"))
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|file| file.ends_with(".json"))
        .collect();
    replays.sort();
    Ok(Json(RunDetails {
        name: run,
        kind: kind_of(&folder).map_or("experiment", |(kind, _)| kind),
        summary: json_of(&folder.join(SUMMARY))?,
        timing: json_of(&folder.join("timing.json"))?,
        replays,
        report: folder.join("report.html").is_file(),
    }))
}

/// `GET /api/runs/{run}/report`
pub(crate) async fn report(
    State(lab): State<Arc<Lab>>,
    UrlPath(run): UrlPath<String>,
) -> Result<Response, Refusal> {
    let path = folder_of(&lab, &run)?.join("report.html");
    let text = text_of(&path)?.ok_or_else(|| Refusal::Missing("the run has no report".into()))?;
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, REPORT_POLICY),
    ];
    Ok((headers, text).into_response())
}

/// The folder of a run; nothing outside of the folder of runs.
pub(crate) fn folder_of(lab: &Lab, run: &str) -> Result<PathBuf, Refusal> {
    let missing = || Refusal::Missing(format!("there is no run {run:?}"));
    let path = Path::new(run);
    let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    if run.is_empty() || !plain || run.contains(['\\', '\0']) {
        return Err(missing());
    }
    let root = lab.options.runs.canonicalize().map_err(|_| missing())?;
    // Links may lead anywhere, so where they end is looked at too.
    let folder = root.join(path).canonicalize().map_err(|_| missing())?;
    if !folder.starts_with(&root) || !folder.is_dir() {
        return Err(missing());
    }
    Ok(folder)
}

/// A file's text; nothing if there is none.
pub(crate) fn text_of(path: &Path) -> Result<Option<String>, Refusal> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let about = match fs::symlink_metadata(path) {
        Ok(about) if about.is_file() => about,
        _ => return Ok(None),
    };
    if about.len() > LARGEST {
        return Err(Refusal::Wrong(format!("{name} is larger than {LARGEST} bytes")));
    }
    fs::read_to_string(path).map(Some).map_err(|error| Refusal::failed(&name, &error))
}

pub(crate) fn json_of(path: &Path) -> Result<Option<Value>, Refusal> {
    let Some(text) = text_of(path)? else { return Ok(None) };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    serde_json::from_str(&text).map(Some).map_err(|error| Refusal::failed(&name, &error))
}

/// The whole lines of a file that may be growing.
pub(crate) fn lines_of(path: &Path) -> Result<Vec<Value>, Refusal> {
    let text = text_of(path)?.unwrap_or_default();
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}
