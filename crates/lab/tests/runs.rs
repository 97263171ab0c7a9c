//! Runs and replays, and files outside their folder.
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
        "analysis": {"1": {"iterations": 10, "values": [0.5, -0.5], "variation": [0, 1],
            "candidates": [{"action": 0, "visits": 10, "value": -0.5, "prior": 0.0}]}},
    });
    fs::write(run.join("replays/0.json"), replay.to_string()).unwrap();
    fs::write(run.join("replays/bad.json"), "{}").unwrap();
    let game = json!({"game": 0, "bots": ["a", "b"], "payoffs": [1.0, -1.0]});
    fs::write(run.join("games.jsonl"), format!("{game}\n{{\"torn")).unwrap();
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
    let named = json!([
        {"file": "0.json", "bots": ["a", "b"], "payoffs": [1.0, -1.0]},
        {"file": "bad.json", "bots": [], "payoffs": []},
    ]);
    assert_eq!(run["replays"], named);
    assert_eq!(run["kind"], "experiment");
    let (status, report) = server.get("/api/runs/group%2Ffirst/report").await;
    assert_eq!((status, report.as_str()), (StatusCode::OK, "<p>report</p>"));
    assert_eq!(server.get("/api/runs/training/report").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn trainings_are_rated_and_their_curves_shown() {
    let server = with_runs();
    let folder = server.folder.path().join("runs/training");
    let state = json!({
        "meeple_train": 1, "iterations": 20, "games": 640, "samples": 9000, "evaluations": 70000,
        "seconds": 12.5, "processor_seconds": 20.0, "actor": 20, "gated": 0,
        "shards": [17, 18, 19], "measured": [10, 20],
        "matches": [
            {"network": 10, "opponent": "random", "games": 20, "wins": 15, "losses": 5, "points": 15.0},
            {"network": 20, "opponent": "random", "games": 20, "wins": 18, "losses": 1, "points": 18.5},
            {"network": 20, "opponent": "network 10", "games": 20, "wins": 12, "losses": 8, "points": 12.0},
            {"network": 20, "opponent": "nobody", "games": 0, "wins": 0, "losses": 0, "points": 1.0},
        ],
    });
    fs::write(folder.join("state.json"), state.to_string()).unwrap();
    let config = json!({"meeple_train": 1, "config": {
        "game": "tic-tac-toe", "buffer": {"last": 5000},
        "evaluation": {"ladder": ["random"]}, "limit": {"iterations": 20, "minutes": null},
    }});
    fs::write(folder.join("config.json"), config.to_string()).unwrap();
    let history = "{\"iteration\":19,\"steps\":5,\"policy_loss\":1.5,\"window\":3500}\n\
                   {\"iteration\":20,\"steps\":5,\"policy_loss\":1.25,\"window\":4000}\n{\"torn";
    fs::write(folder.join("history.jsonl"), history).unwrap();

    let run = json_of(&server, "/api/runs/training").await;
    assert_eq!((&run["kind"], &run["summary"]), (&json!("training"), &Value::Null));
    let training = json_of(&server, "/api/runs/training/training").await;
    assert_eq!(training["progress"]["games"], 640);
    assert_eq!(training["finished"], true);
    assert_eq!(training["config"]["game"], "tic-tac-toe");
    let losses: Vec<_> = (training["history"].as_array().unwrap().iter())
        .map(|line| line["policy_loss"].as_f64().unwrap())
        .collect();
    assert_eq!(losses, [1.5, 1.25]);
    let buffer = json!({"window": 4000, "largest": 5000, "files": 3, "first_iteration": 17, "last_iteration": 19});
    assert_eq!(training["buffer"], buffer);
    let ratings = training["ratings"].as_array().unwrap();
    let names: Vec<_> = ratings.iter().map(|rated| rated["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["network 20", "network 10", "random"]);
    assert_eq!((&ratings[0]["network"], &ratings[0]["games"]), (&json!(20), &json!(40)));
    assert_eq!((&ratings[2]["elo"], &ratings[2]["network"]), (&json!(0.0), &Value::Null));
    let bounds = |of: &Value| [&of["ci_low"], &of["ci_high"]].map(|bound| bound.as_f64().unwrap());
    let [low, high] = bounds(&ratings[0]);
    assert!(low < ratings[0]["elo"].as_f64().unwrap() && high > low, "{training}");
    let ladder = training["ladder"].as_array().unwrap();
    assert_eq!(ladder.len(), 3, "results without games are left out");
    assert_eq!((&ladder[1]["score"], &ladder[1]["wins"]), (&json!(0.925), &json!(18)));
    let [low, high] = bounds(&ladder[0]);
    assert!(low > 0.5 && low < 0.75 && high > 0.75 && high < 0.9, "{low} {high}");

    let listed = json_of(&server, "/api/runs").await;
    let listed = listed.as_array().unwrap().iter().find(|run| run["name"] == "training").unwrap();
    assert_eq!(
        (&listed["description"], &listed["games"], &listed["finished"]),
        (&json!("tic-tac-toe, 20 iterations"), &json!(640), &json!(true))
    );
}

#[tokio::test]
async fn invalid_trainings_and_other_versions_are_rejected() {
    let server = with_runs();
    let path = "/api/runs/group%2Ffirst/training";
    assert_eq!(server.get(path).await.0, StatusCode::NOT_FOUND);
    let begun = json_of(&server, "/api/runs/training/training").await;
    assert_eq!((&begun["ratings"], &begun["finished"]), (&json!([]), &json!(false)));
    let state = server.folder.path().join("runs/training/state.json");
    fs::write(&state, "{\"meeple_train\": 2}").unwrap();
    let (status, text) = server.get("/api/runs/training/training").await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{text}");
    assert!(text.contains("version 2"), "{text}");
    fs::write(&state, "{").unwrap();
    assert_eq!(
        server.get("/api/runs/training/training").await.0,
        StatusCode::INTERNAL_SERVER_ERROR
    );
    assert_eq!(json_of(&server, "/api/runs").await.as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn replays_are_stepped_through_with_search_statistics() {
    let server = with_runs();
    let replay = json_of(&server, "/api/runs/group%2Ffirst/replays/0.json").await;
    assert_eq!(replay["steps"][0], json!({"by": 0, "name": "b2"}));
    assert_eq!(replay["curve"][0]["event"], 1);
    let frame = json_of(&server, "/api/runs/group%2Ffirst/replays/0.json/1?seat=1").await;
    assert_eq!(frame["board"]["squares"][4], 2);
    assert_eq!(frame["analysis"]["candidates"][0]["name"], "a1");
    assert_eq!(frame["analysis"]["line"], json!(["a1", "seat 0: b1"]));
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

/// Symbolic links in place of replays are not followed, and a pipe does not block.
#[cfg(unix)]
#[tokio::test]
async fn links_and_pipes_of_a_run_are_rejected() {
    let server = with_runs();
    let runs = server.folder.path().join("runs");
    let outside = server.folder.path().join("outside");
    fs::create_dir_all(&outside).unwrap();
    fs::copy(runs.join("group/first/replays/0.json"), outside.join("0.json")).unwrap();
    let link = |from: &std::path::Path, to: &str| {
        std::os::unix::fs::symlink(from, runs.join(to)).unwrap();
    };
    fs::create_dir_all(runs.join("tricky")).unwrap();
    fs::write(runs.join("tricky/summary.json"), "{}").unwrap();
    link(&outside, "tricky/replays");
    link(&outside.join("0.json"), "group/first/replays/linked.json");
    let run = json_of(&server, "/api/runs/tricky").await;
    assert_eq!(run["replays"], json!([]));
    for path in ["tricky/replays/0.json", "group%2Ffirst/replays/linked.json"] {
        let (status, text) = server.get(&format!("/api/runs/{path}")).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}: {text}");
    }
    let pipe = runs.join("group/first/timing.json");
    assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    let (status, text) = server.get("/api/runs/group%2Ffirst").await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{text}");
    assert!(text.contains("timing.json is not a regular file"), "{text}");
}

#[tokio::test]
async fn files_outside_the_folder_of_runs_are_not_served() {
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

/// Networks of runs can be played against; other files cannot.
#[tokio::test]
async fn networks_of_runs_can_play() {
    let server = with_runs();
    let runs = server.folder.path().join("runs");
    let shipped = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../bots/models/connect-four.safetensors");
    let begin = |model: &str| {
        let bot = format!("puct:sims=8,model={model}");
        let server = &server;
        async move {
            let body = json!({"game": "connect-four", "seats": ["person", bot]});
            server.post("/api/sessions", &body).await
        }
    };
    assert_eq!(
        json_of(&server, "/api/runs/training/training").await["network"],
        Value::Null,
        "there is no network yet"
    );
    fs::copy(&shipped, runs.join("training/model.safetensors")).unwrap();
    let network = json_of(&server, "/api/runs/training/training").await["network"].clone();
    assert_eq!(network, "training/model.safetensors");
    let (status, view) = begin(network.as_str().unwrap()).await;
    assert_eq!(status, StatusCode::CREATED, "{view}");
    fs::copy(&shipped, server.folder.path().join("outside.safetensors")).unwrap();
    fs::write(runs.join("training/note.txt"), "no network").unwrap();
    for model in ["../outside.safetensors", "/etc/passwd", "none.safetensors", "training/note.txt"]
    {
        let (status, refused) = begin(model).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{model}: {refused}");
        let error = refused["error"].as_str().unwrap();
        assert!(error.contains("below the folder of runs"), "{error}");
    }
}
