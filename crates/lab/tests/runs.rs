//! Runs and replays, and what lies outside of their folder.
#![allow(clippy::unwrap_used, reason = "a test says why it fails by failing")]

mod support;

use std::fs;

use axum::http::StatusCode;
use serde_json::{Value, json};
use support::Server;

fn with_runs() -> Server {
    let server = Server::new();
    let runs = server.folder.path().join("runs");
    let run = runs.join("group/first");
    fs::create_dir_all(run.join("replays")).unwrap();
    let summary = json!({"meeple_summary": 1, "task": "tournament", "games": 4, "finished": true, "tables": []});
    fs::write(run.join("summary.json"), summary.to_string()).unwrap();
    let replay = json!({
        "meeple_replay": 1, "game": "tic-tac-toe", "config": {}, "seed": 5, "bots": ["a", "b"],
        "actions": [4, 0, 1], "payoffs": [0.0, 0.0],
        "thoughts": {"1": {"iterations": 10, "values": [0.5, -0.5], "variation": [0, 1],
            "candidates": [{"action": 0, "visits": 10, "value": -0.5, "prior": 0.0}]}},
    });
    fs::write(run.join("replays/0.json"), replay.to_string()).unwrap();
    fs::write(run.join("replays/bad.json"), "{}").unwrap();
    fs::write(run.join("report.html"), "<p>report</p>").unwrap();
    let training = runs.join("training");
    fs::create_dir_all(&training).unwrap();
    fs::write(training.join("history.jsonl"), "{\"iteration\":0,\"loss\":2}\n{\"torn").unwrap();
    fs::create_dir_all(server.folder.path().join("secret")).unwrap();
    fs::write(server.folder.path().join("secret/summary.json"), "{\"task\": \"secret\"}").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(server.folder.path().join("secret"), runs.join("linked")).unwrap();
    server
}

async fn json_of(server: &Server, path: &str) -> Value {
    let (status, text) = server.get(path).await;
    assert_eq!(status, StatusCode::OK, "{path}: {text}");
    serde_json::from_str(&text).unwrap()
}

#[tokio::test]
async fn runs_are_listed_and_shown() {
    let server = with_runs();
    let runs = json_of(&server, "/api/runs").await;
    let mut names: Vec<&str> =
        runs.as_array().unwrap().iter().filter_map(|run| run["name"].as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["group/first", "training"]);
    let run = json_of(&server, "/api/runs/group%2Ffirst").await;
    assert_eq!((&run["summary"]["games"], &run["report"]), (&json!(4), &json!(true)));
    assert_eq!(run["replays"], json!(["0.json", "bad.json"]));
    let training = json_of(&server, "/api/runs/training").await;
    assert_eq!(training["history"], json!([{"iteration": 0, "loss": 2}]));
    let (status, report) = server.get("/api/runs/group%2Ffirst/report").await;
    assert_eq!((status, report.as_str()), (StatusCode::OK, "<p>report</p>"));
    assert_eq!(server.get("/api/runs/training/report").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn replays_are_stepped_through_with_their_thoughts() {
    let server = with_runs();
    let replay = json_of(&server, "/api/runs/group%2Ffirst/replays/0.json").await;
    assert_eq!(replay["steps"][0], json!({"by": 0, "name": "b2"}));
    assert_eq!(replay["curve"][0]["event"], 1);
    let frame = json_of(&server, "/api/runs/group%2Ffirst/replays/0.json/1?seat=1").await;
    assert_eq!(frame["board"]["squares"][4], 2);
    assert_eq!(frame["thought"]["candidates"][0]["name"], "a1");
    assert_eq!(frame["thought"]["line"], json!(["a1", "seat 0: b1"]));
    for (path, status) in [
        ("0.json/9", StatusCode::NOT_FOUND),
        ("0.json/0?seat=7", StatusCode::BAD_REQUEST),
        ("0.json/-1", StatusCode::BAD_REQUEST),
        ("bad.json", StatusCode::BAD_REQUEST),
        ("none.json", StatusCode::NOT_FOUND),
        ("..%2Fsummary.json", StatusCode::NOT_FOUND),
        ("..%2F..%2F..%2F..%2Fsecret%2Fsummary.json", StatusCode::NOT_FOUND),
    ] {
        let path = format!("/api/runs/group%2Ffirst/replays/{path}");
        let (found, text) = server.get(&path).await;
        assert_eq!(found, status, "{path}: {text}");
    }
}

#[tokio::test]
async fn nothing_outside_of_the_folder_of_runs_is_shown() {
    let server = with_runs();
    for run in [
        "..%2Fsecret",
        "%2Fetc",
        "group%2F..%2F..%2Fsecret",
        ".",
        "%00",
        "linked",
        "group%5Cfirst",
        "none",
    ] {
        let (status, text) = server.get(&format!("/api/runs/{run}")).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{run}: {text}");
        assert!(!text.contains("tournament") && !text.contains("root:"), "{text}");
    }
}
