//! The HTTP API: sessions, errors, limits and access.
#![allow(clippy::unwrap_used, reason = "a test says why it fails by failing")]

mod support;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use meeple_lab::{Lab, LabError, Options};
use serde_json::{Value, json};
use support::{Server, options, request};
use tower::ServiceExt;

#[tokio::test]
async fn a_whole_game_is_played_against_an_instant_bot() {
    let server = Server::new();
    let mut view = server
        .begin(&json!({"game": "tic-tac-toe", "seats": ["person", "random"], "seed": 1}))
        .await;
    assert_eq!(view["turn"], 0);
    while view["over"] == false {
        let event = view["event"].as_u64().unwrap();
        let action = &view["legal"][0]["action"];
        let (status, next) =
            server.command(&view, &json!({"type": "play", "action": action})).await;
        assert_eq!(status, StatusCode::OK, "{next}");
        // The instant bot has moved already, unless the game is over.
        let moves = next["event"].as_u64().unwrap() - event;
        assert!(moves == 2 || next["over"] == true, "{next}");
        view = next;
    }
    let payoffs: f64 = view["payoffs"].as_array().unwrap().iter().filter_map(Value::as_f64).sum();
    assert_eq!(payoffs, 0.0);
    let (status, refused) = server.command(&view, &json!({"type": "play", "action": 0})).await;
    assert_eq!((status, &refused["error"]), (StatusCode::CONFLICT, &json!("the game is over")));
}

#[tokio::test]
async fn sessions_survive_a_restart() {
    let mut server = Server::new();
    let view = server
        .begin(&json!({"game": "backgammon", "seed": 7, "seats": ["person", "person"]}))
        .await;
    let action = view["legal"][0]["action"].clone();
    let (_, view) = server.command(&view, &json!({"type": "play", "action": action})).await;
    let (_, view) = server.command(&view, &json!({"type": "budget", "iterations": 77})).await;
    server.restart();
    let id = view["session"].as_str().unwrap();
    let (status, text) = server.get(&format!("/api/sessions/{id}")).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), view);
    let (_, undone) = server.command(&view, &json!({"type": "undo"})).await;
    assert_eq!(undone["event"], 1);
    assert_eq!(server.delete(&format!("/api/sessions/{id}")).await, StatusCode::NO_CONTENT);
    assert_eq!(server.get(&format!("/api/sessions/{id}")).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn search_bots_play_and_record_their_statistics() {
    let server = Server::new();
    let view =
        server.begin(&json!({"game": "connect-four", "seats": ["person", "mcts:sims=50"]})).await;
    let id = view["session"].as_str().unwrap().to_owned();
    let (_, mut view) = server.command(&view, &json!({"type": "play", "action": 3})).await;
    while view["event"] != 2 {
        tokio::task::yield_now().await;
        let (_, text) = server.get(&format!("/api/sessions/{id}")).await;
        view = serde_json::from_str(&text).unwrap();
    }
    assert_eq!(view["curve"][0]["event"], 1);
    let (status, text) = server.get(&format!("/api/sessions/{id}/analysis/1")).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let analysis: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&analysis["iterations"], &analysis["seat"]), (&json!(50), &json!(1)));
    assert_eq!(server.get(&format!("/api/sessions/{id}/analysis/0")).await.0, 404);
    let again =
        json!({"game": "connect-four", "seats": ["person", "person"], "actions": view["actions"]});
    assert_eq!(server.begin(&again).await["text"], view["text"]);
    // A replay reveals the seed.
    let replay = format!("/api/sessions/{id}/replay");
    assert_eq!(server.get(&replay).await.0, StatusCode::FORBIDDEN);
    server.command(&view, &json!({"type": "resign"})).await;
    let (status, text) = server.get(&replay).await;
    assert_eq!(status, StatusCode::OK);
    let replay: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(replay["actions"], view["actions"]);
}

#[tokio::test]
async fn hidden_information_stays_on_the_server() {
    let server = Server::new();
    let hidden = json!({"game": "leduc", "seats": ["person", "random"]});
    let view = server.begin(&hidden).await;
    let id = view["session"].as_str().unwrap();
    assert_eq!((&view["open"], &view["actions"]), (&json!(false), &Value::Null));
    assert_eq!(server.get(&format!("/api/sessions/{id}/replay")).await.0, StatusCode::FORBIDDEN);
    let (status, _) = server.command(&view, &json!({"type": "watch", "seat": 1})).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    let (_, over) = server.command(&view, &json!({"type": "resign"})).await;
    assert_eq!(over["resigned"], 0);
    assert!(over["actions"].is_array());
    assert_eq!(server.get(&format!("/api/sessions/{id}/replay")).await.0, StatusCode::OK);
}

#[tokio::test]
async fn invalid_requests_are_rejected() {
    let server = Server::new();
    for (body, expected) in [
        (json!({"game": "shogi"}), "unknown game"),
        (json!({"game": "pig", "config": {"players": 40}}), "players: "),
        (json!({"game": "pig", "seats": ["person"]}), "expected 2 entries, one per seat, found 1"),
        (json!({"game": "pig", "seats": ["person", "mcst"]}), "seat 1: unknown bot"),
        (json!({"game": "kuhn", "seats": ["person", "greedy"]}), "heuristic evaluation"),
        (json!({"game": "pig", "sead": 3}), "unknown field `sead`"),
        (json!({"game": "pig", "seed": -3}), "invalid value"),
        (json!({"game": "chess", "config": {"fen": "8/8"}}), "fen"),
        (json!({"game": "chess", "actions": [9]}), "actions: number 0"),
        (json!({"game": "chess", "seats": ["person", "mcts:sims=90000000"]}), "the lab allows"),
        (json!({"game": "chess", "seats": ["person", "flat:playouts=900000"]}), "the lab allows"),
        (
            json!({"game": "magic", "seats": ["person", "mcts:sims=90000000,weights.land=1"]}),
            "the lab allows",
        ),
        (json!([]), "cannot read the request"),
    ] {
        let (status, answer) = server.post("/api/sessions", &body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{body}: {answer}");
        assert!(answer["error"].as_str().unwrap().contains(expected), "{body}: {answer}");
    }
    let program = json!({"game": "chess", "seats": ["person", "program:command=true"]});
    assert_eq!(server.post("/api/sessions", &program).await.0, StatusCode::FORBIDDEN);
    let view = server.begin(&json!({"game": "chess", "seats": ["person", "random"]})).await;
    for (body, status) in [
        (json!({"type": "play", "action": 9}), StatusCode::BAD_REQUEST),
        (json!({"type": "play", "action": 70000}), StatusCode::BAD_REQUEST),
        (json!({"type": "play"}), StatusCode::BAD_REQUEST),
        (
            json!({"type": "play", "action": view["legal"][0]["action"], "event": 3}),
            StatusCode::CONFLICT,
        ),
        (json!({"type": "dance"}), StatusCode::BAD_REQUEST),
        (json!({"type": "undo"}), StatusCode::CONFLICT),
        (json!({"type": "budget", "iterations": 0}), StatusCode::BAD_REQUEST),
        (json!({"type": "budget", "iterations": 99000000}), StatusCode::BAD_REQUEST),
        (json!({"type": "analyze", "bot": "random"}), StatusCode::BAD_REQUEST),
        (json!({"type": "analyze", "bot": "uci:command=true"}), StatusCode::FORBIDDEN),
        (json!("play"), StatusCode::BAD_REQUEST),
    ] {
        let (found, answer) = server.command(&view, &body).await;
        assert_eq!(found, status, "{body}: {answer}");
        assert!(answer["error"].is_string(), "{body}: {answer}");
    }
    let broken = request("POST", "/api/sessions", Body::from("{\"game\": \"ch"));
    assert_eq!(server.send(broken).await.0, StatusCode::BAD_REQUEST);
    let unknown = format!("/api/sessions/{}", "0".repeat(32));
    assert_eq!(server.get(&unknown).await.0, StatusCode::NOT_FOUND);
    assert_eq!(server.get("/api/sessions/..%2Fsecret").await.0, StatusCode::NOT_FOUND);
    assert_eq!(server.get("/api/nothing").await.0, StatusCode::NOT_FOUND);
    let wrong = server.send(request("PUT", "/api/sessions", Body::empty())).await;
    assert_eq!(wrong.0, StatusCode::METHOD_NOT_ALLOWED);
}

/// The errors of the framework too.
#[tokio::test]
async fn every_error_is_json() {
    let server = Server::new();
    let session = format!("/api/sessions/{}", "0".repeat(32));
    for (method, path, expected) in [
        ("PUT", "/api/sessions", 405),
        ("GET", "/api/poker/equity", 405),
        ("POST", "/main.js", 405),
        ("GET", "/nothing", 404),
        ("GET", "/api", 404),
        ("GET", "/api/", 404),
        ("GET", "/api/sessions/", 404),
        ("GET", "/api/sessions/%FF", 400),
        ("GET", &format!("{session}/analysis/x"), 400),
        ("GET", &format!("{session}/analysis/99999999999999999999"), 400),
        ("GET", &format!("{session}/steps/0?seat=x"), 400),
        ("GET", &format!("{session}/ws"), 400),
        ("POST", &format!("{session}/seats/-1"), 400),
        ("GET", "/api/runs/none/replays/0.json/x", 400),
    ] {
        let asked = server.app.clone().oneshot(request(method, path, Body::empty())).await.unwrap();
        let kind = asked.headers().get("content-type").cloned();
        assert_eq!(kind.unwrap(), "application/json", "{method} {path}");
        assert_eq!(
            asked.headers().contains_key("allow"),
            path.starts_with("/api") && expected == 405
        );
        let (status, text) = server.send(request(method, path, Body::empty())).await;
        assert_eq!(status, expected, "{method} {path}: {text}");
        let error: Value = serde_json::from_str(&text).unwrap();
        assert!(error["error"].as_str().is_some_and(|error| !error.is_empty()), "{path}: {text}");
    }
}

#[tokio::test]
async fn large_requests_are_rejected() {
    let server = Server::limited(|limits| limits.body = 1000);
    let body = Body::from(format!("{{\"game\": \"{}\"}}", "x".repeat(2000)));
    let (status, _) = server.send(request("POST", "/api/sessions", body)).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    // What an error quotes is not sent back whole.
    let server = Server::new();
    let seats = json!(["person", "x".repeat(100_000)]);
    let (status, answer) =
        server.post("/api/sessions", &json!({"game": "chess", "seats": seats})).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let error = answer["error"].as_str().unwrap();
    assert!(error.starts_with("seats: seat 1: unknown bot \"xxx"), "{error}");
    assert_eq!(error.chars().count(), 4001, "cut after 4,000 characters");
}

#[tokio::test]
async fn limits_are_enforced() {
    let server = Server::limited(|limits| {
        limits.tables = 2;
        limits.sessions = 3;
    });
    for seed in 0..10 {
        server.begin(&json!({"game": "tic-tac-toe", "seed": seed})).await;
    }
    let (_, text) = server.get("/api/status").await;
    let status: Value = serde_json::from_str(&text).unwrap();
    assert!(status["sessions"].as_u64().unwrap() <= 3, "{status}");
    server.begin(&json!({"game": "pig"})).await;
    let (status, _) = server.post("/api/sessions", &json!({"game": "leduc"})).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn a_token_is_required() {
    let server = Server::with(|options| options.token = Some("open-sesame".into()));
    assert_eq!(server.get("/").await.0, StatusCode::OK, "the page itself is public");
    assert_eq!(server.get("/api/games").await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(server.get("/api/games?token=open-sesam").await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(server.get("/api/games?token=open-sesame").await.0, StatusCode::OK);
    let asked = |token: &str| {
        let header = format!("Bearer {token}");
        Request::get("/api/status").header("authorization", header).body(Body::empty()).unwrap()
    };
    assert_eq!(server.send(asked("open-sesame")).await.0, StatusCode::OK);
    assert_eq!(server.send(asked("open-sesame2")).await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(server.send(asked("")).await.0, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn cross_origin_requests_are_rejected() {
    let server = Server::new();
    let asked = |host: &str, origin: &str| {
        let request = Request::post("/api/sessions").header("host", host).header("origin", origin);
        request.body(Body::from("{\"game\": \"pig\"}")).unwrap()
    };
    let status = |host: &'static str, origin: &'static str| server.send(asked(host, origin));
    assert_eq!(status("localhost:4321", "http://localhost:4321").await.0, StatusCode::CREATED);
    assert_eq!(status("localhost:4321", "http://example.org").await.0, StatusCode::FORBIDDEN);
    assert_eq!(status("localhost:4321", "null").await.0, StatusCode::FORBIDDEN);
    assert_eq!(status("example.org", "http://example.org").await.0, StatusCode::FORBIDDEN);
}

#[test]
fn other_machines_need_a_token() {
    let folder = tempfile::tempdir().unwrap();
    let open = |listen: &str, token: Option<&str>| {
        let listen = listen.parse().unwrap();
        let token = token.map(str::to_owned);
        Lab::open(Options { listen, token, ..options(folder.path()) }).err()
    };
    assert!(matches!(open("0.0.0.0:80", None), Some(LabError::NoToken(_))));
    assert!(matches!(open("[::]:80", None), Some(LabError::NoToken(_))));
    assert!(matches!(open("0.0.0.0:80", Some("short")), Some(LabError::ShortToken(5))));
    assert!(open("0.0.0.0:80", Some("long enough?")).is_some(), "no spaces");
    assert!(open("0.0.0.0:80", Some("long-enough")).is_none());
    assert!(open("127.0.0.1:80", None).is_none() && open("[::1]:80", None).is_none());
}

#[tokio::test]
async fn only_the_files_of_the_page_are_served() {
    let server = Server::new();
    let (status, page) = server.get("/").await;
    assert!(status == StatusCode::OK && page.contains("<title>Meeple lab</title>"));
    // Everything that the page loads exists.
    for part in page.split(['"']).filter(|part| part.starts_with('/') && part.contains('.')) {
        assert_eq!(server.get(part).await.0, StatusCode::OK, "{part}");
    }
    for path in [
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "/boards/../../src/lib.rs",
        "//etc/passwd",
        "/x.js",
    ] {
        assert_eq!(server.get(path).await.0, StatusCode::NOT_FOUND, "{path}");
    }
    let (status, _) = server.send(request("POST", "/main.js", Body::empty())).await;
    assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn the_openapi_document_lists_existing_routes() {
    let server = Server::new();
    let (_, text) = server.get("/api/openapi.json").await;
    let description: Value = serde_json::from_str(&text).unwrap();
    let paths = description["paths"].as_object().unwrap();
    assert!(paths.len() >= 14);
    for (path, operations) in paths {
        for method in operations.as_object().unwrap().keys() {
            let filled =
                path.replace("{step}", "0").replace("{event}", "0").replace(['{', '}'], "");
            let asked = request(&method.to_uppercase(), &filled, Body::from("{}"));
            let (status, text) = server.send(asked).await;
            let unknown = text.contains("no such endpoint");
            assert!(
                status != StatusCode::METHOD_NOT_ALLOWED && !unknown,
                "{method} {path}: {text}"
            );
        }
    }
}

#[tokio::test]
async fn every_game_has_a_default_configuration_and_bots() {
    let server = Server::new();
    let (_, text) = server.get("/api/games").await;
    let games: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert!(games.len() >= 11);
    for game in games {
        let bots: Vec<&str> =
            game["bots"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert!(bots.contains(&"random") && bots.contains(&"mcts"), "{game}");
        assert!(!bots.contains(&"program") && !bots.contains(&"uci"));
        let view = server.begin(&json!({"game": game["name"], "config": game["config"]})).await;
        assert!(view["board"].is_object() && !view["text"].as_str().unwrap().is_empty());
    }
}

#[tokio::test]
async fn game_files_are_described_and_played() {
    let server = Server::new();
    let text = "game Three\nplayers 2..4\nboard square 4\npiece stone\nturn\n  place stone on empty\n\
                end\n  line of 3: mover loses\n  board full: draw\n";
    let asked = json!({"game": "game-file", "config": {"file": text}});
    let (status, game) = server.post("/api/games", &asked).await;
    assert_eq!(status, StatusCode::OK, "{game}");
    assert_eq!((&game["name"], &game["max_players"]), (&json!("three"), &json!(4)));
    assert_eq!(game["config"]["file"], text);
    let view = server.begin(&json!({"game": game["name"], "config": game["config"]})).await;
    assert_eq!(view["board"]["picture"]["cells"].as_array().unwrap().len(), 16);

    let asked = json!({"game": "game-file", "config": {"file": "game Three\nbord 4\n"}});
    let (status, refused) = server.post("/api/games", &asked).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(refused.to_string().contains("did you mean `board`?"), "{refused}");
}

#[tokio::test]
async fn ranges_and_equities_match_the_library() {
    let server = Server::new();
    let (_, range) = server.post("/api/poker/range", &json!({"text": "QQ+, AKs:0.5"})).await;
    assert_eq!((&range["text"], &range["hands"]), (&json!("QQ+, AKs:0.5"), &json!(20.0)));
    assert_eq!(range["classes"]["AKs"], 0.5);
    let (status, refused) = server.post("/api/poker/range", &json!({"text": "QQ+, XX"})).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{refused}");
    let question = json!({"players": ["QQ+, AKs", "22+, A2s+, K9s+, QTs+"], "board": "2c7h9d"});
    let (_, answer) = server.post("/api/poker/equity", &question).await;
    let equity = answer["players"][0]["equity"].as_f64().unwrap();
    assert!((equity - 0.709182).abs() < 5e-7, "{answer}");
    assert_eq!(answer["exact"], true);
    let shares = answer["players"][0]["categories"].as_array().unwrap();
    let sum: f64 = shares.iter().filter_map(Value::as_f64).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{answer}");
    for wrong in [
        json!({"players": ["AA"]}),
        json!({"players": ["AA", "KK"], "board": "2c"}),
        json!({"players": ["AhAs", "AhKs"]}),
        json!({"players": ["AA", "KK"], "sample": true, "deals": 100_000_000}),
        json!({"players": ["AA", "x".repeat(9000)]}),
    ] {
        assert_eq!(
            server.post("/api/poker/equity", &wrong).await.0,
            StatusCode::BAD_REQUEST,
            "{wrong}"
        );
    }
}
