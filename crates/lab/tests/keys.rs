//! Sessions of two people: what each of them may see and do.
#![allow(clippy::unwrap_used, reason = "a test says why it fails by failing")]

mod support;

use axum::http::StatusCode;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use support::Server;
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Returns the action ids of named actions, from the start of Kuhn poker.
fn kuhn(names: &[&str]) -> Vec<u16> {
    let mut position = meeple_bots::open("kuhn", None).unwrap();
    let mut actions = Vec::new();
    for name in names {
        let action = position.parse_action(name).unwrap();
        position.try_apply(action).unwrap();
        actions.push(action.0);
    }
    actions
}

/// Creates a game of two people; returns the path of its session and both keys.
async fn kuhn_table(server: &Server, deals: &[&str]) -> (String, [String; 2], String) {
    let body =
        json!({"game": "kuhn", "seats": ["person", "person"], "seed": 5, "actions": kuhn(deals)});
    let (status, created) = server.with_key("POST", "/api/sessions", None, &body).await;
    assert_eq!(status, StatusCode::CREATED, "{created}");
    let path = format!("/api/sessions/{}", created["session"].as_str().unwrap());
    let key = |value: &Value| value.as_str().unwrap().to_owned();
    let seats = [0, 1].map(|seat| key(&created["keys"]["seats"][seat]));
    (path, seats, key(&created["keys"]["owner"]))
}

#[tokio::test]
async fn a_seat_requires_its_key() {
    let server = Server::new();
    let (path, [first, second], owner) = kuhn_table(&server, &["deal Q", "deal K"]).await;
    let look = |key: Option<&'static str>| server.with_key("GET", &path, key, &Value::Null);
    assert_eq!(look(None).await.0, StatusCode::FORBIDDEN);
    assert_eq!(look(Some("nonsense")).await.0, StatusCode::FORBIDDEN);
    let seen = |key: String| {
        let (server, path) = (&server, &path);
        async move { server.with_key("GET", path, Some(&key), &Value::Null).await }
    };
    assert_eq!(seen(owner.clone()).await.0, StatusCode::FORBIDDEN, "the owner has no cards");
    for (seat, key) in [(0, &first), (1, &second)] {
        let (status, view) = seen(key.clone()).await;
        assert_eq!(status, StatusCode::OK);
        assert_eq!((&view["seat"], &view["held"]), (&json!(seat), &json!([seat])));
        assert_eq!((&view["seed"], &view["seed_chosen"]), (&Value::Null, &json!(true)));
        assert_eq!(view["legal"].as_array().unwrap().is_empty(), seat == 1);
    }
    let commands = format!("{path}/commands");
    let bet = kuhn(&["deal Q", "deal K", "bet"])[2];
    let say = |key: &str, body: Value| {
        let (server, commands, key) = (&server, &commands, key.to_owned());
        async move { server.with_key("POST", commands, Some(&key), &body).await }
    };
    let play = json!({"type": "play", "action": bet});
    for (key, body, expected) in [
        (&second, &play, StatusCode::CONFLICT),
        (&second, &json!({"type": "analyze"}), StatusCode::CONFLICT),
        (&owner, &play, StatusCode::FORBIDDEN),
        (&owner, &json!({"type": "resign"}), StatusCode::FORBIDDEN),
        (&first, &json!({"type": "undo"}), StatusCode::CONFLICT),
        (&first, &json!({"type": "watch", "seat": 1}), StatusCode::FORBIDDEN),
        (&first, &play, StatusCode::OK),
        (&first, &json!({"type": "undo"}), StatusCode::CONFLICT),
    ] {
        let (status, answer) = say(key, body.clone()).await;
        assert_eq!(status, expected, "{body}: {answer}");
    }
    for rest in ["/replay", "/steps", "/steps/1", "/analysis/0"] {
        let (status, _) =
            server.with_key("GET", &format!("{path}{rest}"), Some(&first), &Value::Null).await;
        assert_ne!(status, StatusCode::OK, "{rest}");
    }
    let forget = |key: Option<String>| {
        let (server, path) = (&server, &path);
        async move { server.with_key("DELETE", path, key.as_deref(), &Value::Null).await.0 }
    };
    assert_eq!(forget(None).await, StatusCode::FORBIDDEN);
    assert_eq!(say(&second, json!({"type": "resign"})).await.1["resigned"], 1);
    // Resigning reveals all cards, so the game cannot continue.
    assert_eq!(say(&second, json!({"type": "undo"})).await.0, StatusCode::CONFLICT);
    let (_, over) = look(None).await;
    assert_eq!((&over["seed"], &over["held"]), (&json!(5), &json!([])));
    let (status, frame) =
        server.with_key("GET", &format!("{path}/steps/2?seat=1"), None, &Value::Null).await;
    assert_eq!(status, StatusCode::OK, "{frame}");
    assert_eq!(forget(Some(owner)).await, StatusCode::NO_CONTENT);
    assert_eq!(look(None).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_claimed_seat_cannot_be_claimed_again() {
    let mut server = Server::new();
    let (path, [first, second], _) = kuhn_table(&server, &["deal Q", "deal K"]).await;
    let take = |key: &str| {
        let (server, path, key) = (&server, format!("{path}/seats/1"), key.to_owned());
        async move { server.with_key("POST", &path, Some(&key), &Value::Null).await }
    };
    assert_eq!(take(&first).await.0, StatusCode::FORBIDDEN, "the key of another seat");
    let (status, taken) = take(&second).await;
    assert_eq!(status, StatusCode::OK, "{taken}");
    assert_eq!(take(&second).await.0, StatusCode::FORBIDDEN);
    let new = taken["key"].as_str().unwrap().to_owned();
    server.restart();
    let look = |key: &str| {
        let (server, path, key) = (&server, &path, key.to_owned());
        async move { server.with_key("GET", path, Some(&key), &Value::Null).await }
    };
    assert_eq!(look(&second).await.0, StatusCode::FORBIDDEN, "the link is used up");
    assert_eq!(look(&new).await.1["seat"], 1, "a restart does not change whose seat it is");
    assert_eq!(look(&first).await.1["seat"], 0);
    let path = format!("{path}/seats/9");
    let nobody = server.with_key("POST", &path, Some(&first), &Value::Null).await;
    assert_eq!(nobody.0, StatusCode::FORBIDDEN);
}

async fn follow(address: &str, path: &str, key: &str) -> Socket {
    connect_async(format!("ws://{address}{path}/ws?key={key}")).await.unwrap().0
}

async fn say(socket: &mut Socket, command: Value) {
    socket.send(Message::text(command.to_string())).await.unwrap();
}

/// Returns the next text message, skipping pings.
async fn next_message(socket: &mut Socket) -> Value {
    loop {
        if let Message::Text(text) = socket.next().await.unwrap().unwrap() {
            return serde_json::from_str(&text).unwrap();
        }
    }
}

/// Receives messages up to the view of event `event`; returns them without the session id.
async fn receive(socket: &mut Socket, event: u64) -> Vec<Value> {
    let mut heard = Vec::new();
    loop {
        let mut message = next_message(socket).await;
        message["view"]["session"].take();
        let is_last = message["type"] == "view" && message["view"]["event"] == event;
        heard.push(message);
        if is_last {
            return heard;
        }
    }
}

/// The messages to the first seat do not depend on the card of the second, even while the
/// second plays and requests an analysis.
#[tokio::test]
async fn frames_do_not_depend_on_the_other_hand() {
    let server = Server::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let app = server.app.clone();
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    let [pass, bet] = ["pass", "bet"].map(|name| kuhn(&["deal Q", "deal K", name])[2]);
    let mut told = Vec::new();
    for theirs in ["deal K", "deal J"] {
        let (path, [first, second], _) = kuhn_table(&server, &["deal Q", theirs]).await;
        let mut one = follow(&address, &path, &first).await;
        let mut other = follow(&address, &path, &second).await;
        let mut frames = receive(&mut one, 2).await;
        receive(&mut other, 2).await;
        say(&mut one, json!({"type": "play", "action": pass})).await;
        frames.extend(receive(&mut one, 3).await);
        receive(&mut other, 3).await;
        say(&mut other, json!({"type": "analyze", "iterations": 200})).await;
        loop {
            if next_message(&mut other).await["analysis"]["done"] == true {
                break;
            }
        }
        // A forbidden command reveals nothing to the first seat either.
        for command in [json!({"type": "analyze"}), json!({"type": "play", "action": bet})] {
            say(&mut one, command).await;
            frames.push(next_message(&mut one).await);
        }
        say(&mut other, json!({"type": "play", "action": bet})).await;
        frames.extend(receive(&mut one, 4).await);
        assert!(frames.iter().all(|frame| frame["type"] != "analysis"), "{frames:?}");
        told.push(frames);
    }
    let kinds: Vec<_> = told[0].iter().map(|frame| frame["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["view", "view", "error", "error", "view"]);
    assert_eq!(told[0], told[1]);
}

/// A connection with a replaced key receives no more views.
#[tokio::test]
async fn a_connection_ends_when_its_seat_is_claimed() {
    let server = Server::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let app = server.app.clone();
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    let (path, [_, second], _) = kuhn_table(&server, &["deal Q", "deal K"]).await;
    let mut socket = follow(&address, &path, &second).await;
    receive(&mut socket, 2).await;
    let (status, _) =
        server.with_key("POST", &format!("{path}/seats/1"), Some(&second), &Value::Null).await;
    assert_eq!(status, StatusCode::OK);
    let mut heard = String::new();
    while let Some(Ok(message)) = socket.next().await {
        if let Message::Text(text) = message {
            heard.push_str(&text);
        }
    }
    assert!(heard.contains("expected the key of a seat"), "{heard}");
    assert!(!heard.contains("\"view\""), "{heard}");
    let refused = connect_async(format!("ws://{address}{path}/ws")).await;
    assert!(refused.is_err(), "spectators need a key");
}

/// A seed that is not given is random and secret during the game.
#[tokio::test]
async fn seeds_are_random_and_secret() {
    let server = Server::new();
    let mut texts = std::collections::BTreeSet::new();
    for _ in 0..8 {
        let view =
            server.begin(&json!({"game": "backgammon", "seats": ["person", "person"]})).await;
        assert_eq!((&view["seed"], &view["seed_chosen"]), (&Value::Null, &json!(false)));
        texts.insert(view["text"].as_str().unwrap().to_owned());
    }
    assert!(texts.len() > 1, "each game has its own seed");
}
