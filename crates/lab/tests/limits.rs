//! Resource limits: no client can block others.
#![allow(clippy::unwrap_used, reason = "a test says why it fails by failing")]

mod support;

use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use meeple_lab::{Server as HttpServer, link};
use serde_json::{Value, json};
use support::{Server, options};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

async fn json_of(server: &Server, path: &str) -> Value {
    let (status, text) = server.get(path).await;
    assert_eq!(status, StatusCode::OK, "{path}: {text}");
    serde_json::from_str(&text).unwrap()
}

fn path_of(view: &Value) -> String {
    format!("/api/sessions/{}", view["session"].as_str().unwrap())
}

const ENDLESS: &str = "mcts:sims=2000000";

#[tokio::test]
async fn paused_games_hold_no_search_slot() {
    let server = Server::limited(|limits| limits.searches = 1);
    let bots = json!({"game": "connect-four", "seats": [ENDLESS, ENDLESS]});
    for _ in 0..3 {
        assert_eq!(server.begin(&bots).await["paused"], true);
    }
    // A search that is paused in the middle releases its slot too.
    let held = server.begin(&json!({"game": "connect-four", "seats": [ENDLESS, "person"]})).await;
    server.wait_for("/api/status", |status| status["searches"] == 1).await;
    server.command(&held, &json!({"type": "pause"})).await;
    server.wait_for("/api/status", |status| status["searches"] == 0).await;
    let view =
        server.begin(&json!({"game": "connect-four", "seats": ["mcts:sims=20", "person"]})).await;
    server.wait_for(&path_of(&view), |view| view["turn"] == 1).await;
    // It resumes, and plays its best action so far.
    server.command(&held, &json!({"type": "resume"})).await;
    server.wait_for("/api/status", |status| status["searches"] == 1).await;
    server.command(&held, &json!({"type": "stop"})).await;
    server.wait_for(&path_of(&held), |view| view["turn"] == 1).await;
}

#[tokio::test]
async fn deleted_sessions_stop_their_searches() {
    let server = Server::limited(|limits| limits.searches = 1);
    let bots = json!({"game": "connect-four", "seats": [ENDLESS, ENDLESS]});
    for pauses in [false, true] {
        let view = server.begin(&bots).await;
        server.command(&view, &json!({"type": "resume"})).await;
        server.wait_for("/api/status", |status| status["searches"] == 1).await;
        if pauses {
            server.command(&view, &json!({"type": "pause"})).await;
        }
        assert_eq!(server.delete(&path_of(&view)).await, StatusCode::NO_CONTENT);
        server.wait_for("/api/status", |status| status["searches"] == 0).await;
        assert_eq!(server.get(&path_of(&view)).await.0, StatusCode::NOT_FOUND);
        let (status, _) = server.command(&view, &json!({"type": "resume"})).await;
        assert_eq!(status, StatusCode::NOT_FOUND);
    }
}

#[tokio::test]
async fn games_of_bots_without_spectators_pause() {
    let server = Server::limited(|limits| {
        limits.sessions = 2;
        limits.idle_timeout = Duration::ZERO;
    });
    let bots = json!({"game": "connect-four", "seats": ["random", "random"]});
    for _ in 0..6 {
        let view = server.begin(&bots).await;
        server.command(&view, &json!({"type": "resume"})).await;
        server.wait_for(&path_of(&view), |view| view["paused"] == true).await;
    }
    assert!(json_of(&server, "/api/status").await["sessions"].as_u64().unwrap() <= 2);
}

/// A search with its own evaluation weights can be stopped, and records its statistics.
#[tokio::test]
async fn bots_with_evaluation_weights_can_be_stopped() {
    let server = Server::new();
    let bot = "mcts:sims=2000000,weights.land=1.5";
    let config = json!({"decks": ["red-burn", "green-midrange"]});
    let new = json!({"game": "magic", "config": config, "seats": [bot, "person"], "seed": 1});
    let view = server.begin(&new).await;
    let path = path_of(&view);
    let view = server.wait_for(&path, |view| view["thinking"] == true).await;
    let event = view["event"].as_u64().unwrap();
    server.wait_for("/api/status", |status| status["searches"] == 1).await;
    server.command(&view, &json!({"type": "stop"})).await;
    server.wait_for(&path, |view| view["event"].as_u64().unwrap() > event).await;
    server.command(&view, &json!({"type": "resign"})).await;
    let analysis = json_of(&server, &format!("{path}/analysis/{event}")).await;
    assert!(analysis["iterations"].as_u64().unwrap() < 2_000_000, "{analysis}");
    assert_eq!(server.delete(&path).await, StatusCode::NO_CONTENT);
    server.wait_for("/api/status", |status| status["searches"] == 0).await;
}

/// A bot that waits for a search slot is thinking for its table, and can be stopped.
#[tokio::test]
async fn bots_that_wait_for_a_slot_can_be_stopped() {
    let server = Server::limited(|limits| limits.searches = 1);
    let new = json!({"game": "connect-four", "seats": ["mcts:sims=2000000", "person"]});
    let first = server.begin(&new).await;
    server.wait_for("/api/status", |status| status["searches"] == 1).await;
    let second = server.begin(&new).await;
    let path = path_of(&second);
    let waiting = server.wait_for(&path, |view| view["thinking"] == true).await;
    server.command(&waiting, &json!({"type": "stop"})).await;
    assert_eq!(json_of(&server, &path).await["event"], 0, "it waits for the first table");
    server.command(&first, &json!({"type": "stop"})).await;
    server.wait_for(&path, |view| view["event"] == 1).await;
    server.command(&second, &json!({"type": "resign"})).await;
    let analysis = json_of(&server, &format!("{path}/analysis/0")).await;
    assert!(analysis["iterations"].as_u64().unwrap() < 10_000, "{analysis}");
}

#[tokio::test]
async fn invalid_configurations_do_not_count() {
    let server = Server::limited(|limits| limits.tables = 2);
    for number in 0..10 {
        let wrong = json!({"game": format!("game {number}")});
        assert_eq!(server.post("/api/sessions", &wrong).await.0, StatusCode::BAD_REQUEST);
        let wrong = json!({"game": "pig", "config": {"players": 100 + number}});
        assert_eq!(server.post("/api/sessions", &wrong).await.0, StatusCode::BAD_REQUEST);
        let bot = format!("mcts:weights.nope={number}");
        let wrong = json!({"game": "tic-tac-toe", "seats": ["person", bot]});
        assert_eq!(server.post("/api/sessions", &wrong).await.0, StatusCode::BAD_REQUEST);
    }
    server.begin(&json!({"game": "pig"})).await;
    server.begin(&json!({"game": "kuhn"})).await;
    server.begin(&json!({"game": "pig"})).await;
    let (status, _) = server.post("/api/sessions", &json!({"game": "leduc"})).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    // Weights are kept in memory like configurations.
    let weighted = json!({"game": "magic", "seats": ["person", "greedy:weights.land=1.5"]});
    assert_eq!(server.post("/api/sessions", &weighted).await.0, StatusCode::TOO_MANY_REQUESTS);
}

/// Rejection sampling of ten nearly conflicting ranges would take hours.
#[tokio::test]
async fn an_equity_stops_when_its_caller_disconnects() {
    let server = Server::limited(|limits| limits.searches = 1);
    let question = json!({"players": vec!["TT+"; 10], "sample": true});
    let asked = server.post("/api/poker/equity", &question);
    let left = tokio::time::timeout(Duration::from_millis(100), asked).await;
    assert!(left.is_err(), "it takes longer than the caller waits");
    server.wait_for("/api/status", |status| status["searches"] == 0).await;
}

/// Resigning reveals the seed, which determines the future dice.
#[tokio::test]
async fn undo_is_not_possible_once_the_seed_is_known() {
    let server = Server::new();
    let persons = json!({"game": "pig", "seats": ["person", "person"]});
    let view = server.begin(&persons).await;
    assert_eq!(view["seed_chosen"], false);
    let action = view["legal"][0]["action"].clone();
    server.command(&view, &json!({"type": "play", "action": action})).await;
    assert_eq!(server.command(&view, &json!({"type": "resign"})).await.0, StatusCode::OK);
    let (status, _) = server.command(&view, &json!({"type": "undo"})).await;
    assert_eq!(status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn a_chosen_deal_is_marked() {
    let server = Server::new();
    let dealt = json!({"game": "kuhn", "seats": ["person", "person"], "actions": [2, 1]});
    assert_eq!(server.begin(&dealt).await["seed_chosen"], true);
}

#[tokio::test]
async fn name_lengths_are_limited() {
    let server = Server::new();
    let long = "x".repeat(200_000);
    for body in [
        json!({"game": long}),
        json!({"game": "pig", "config": {long.as_str(): 1}}),
        json!({"game": "pig", "config": long}),
    ] {
        let (status, answer) = server.post("/api/sessions", &body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
        let error = answer["error"].as_str().unwrap();
        assert!(error.contains("expected at most") && error.len() < 200, "{error}");
    }
    for path in [format!("/api/sessions/{long}"), format!("/api/runs/{long}")] {
        let (status, text) = server.get(&path[..60_000]).await;
        assert_eq!(status, StatusCode::NOT_FOUND);
        assert!(text.len() < 300, "{} bytes", text.len());
    }
}

#[tokio::test]
async fn tokens_may_contain_any_printable_character() {
    let token = "a+b/c=d&e?f#g%h";
    let server = Server::with(|options| options.token = Some(token.into()));
    let address = "127.0.0.1:1".parse().unwrap();
    let link = link(address, Some(token));
    let encoded = link.strip_prefix("http://127.0.0.1:1/?token=").unwrap();
    assert!(!encoded.contains(['+', '/', '=', '&', '#']), "{encoded}");
    let path = format!("/api/status?token={encoded}");
    assert_eq!(server.get(&path).await.0, StatusCode::OK);
    let bearer = Request::get("/api/status").header("authorization", format!("Bearer {token}"));
    assert_eq!(server.send(bearer.body(Body::empty()).unwrap()).await.0, StatusCode::OK);
    let plain = Server::with(|options| options.token = Some("a+b/c=d+e".into()));
    assert_eq!(plain.get("/api/status?token=a+b/c=d+e").await.0, StatusCode::OK);
}

async fn serve(change: impl FnOnce(&mut meeple_lab::Options)) -> (String, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let mut options = options(folder.path());
    options.listen = ([127, 0, 0, 1], 0).into();
    change(&mut options);
    let server = HttpServer::bind(options).await.unwrap();
    let address = server.address.to_string();
    tokio::spawn(server.run_until(std::future::pending()));
    (address, folder)
}

async fn answer_to(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

/// Incomplete requests do not block other clients.
#[tokio::test]
async fn incomplete_requests_time_out() {
    let (address, _folder) = serve(|options| {
        options.limits.connections = 2;
        options.limits.request_timeout = Duration::from_millis(50);
    })
    .await;
    let mut half = Vec::new();
    for _ in 0..6 {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        stream.write_all(b"GET /api/status HTTP/1.1\r\nHo").await.unwrap();
        half.push(stream);
    }
    let whole = "GET /api/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let answer = answer_to(&address, whole).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let torn = "POST /api/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\
                Connection: close\r\n\r\n{";
    let answer = answer_to(&address, torn).await;
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    drop(half);
}
