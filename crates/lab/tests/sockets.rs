//! WebSockets: commands, invalid messages, limits, and many concurrent clients.
#![allow(clippy::unwrap_used, reason = "a test says why it fails by failing")]

mod support;

use std::net::SocketAddr;

use futures_util::{SinkExt, StreamExt};
use meeple_lab::{Lab, Options, router};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use tower::ServiceExt;

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

struct Running {
    address: SocketAddr,
    app: axum::Router,
    _folder: tempfile::TempDir,
}

async fn run(change: impl FnOnce(&mut Options)) -> Running {
    let folder = tempfile::tempdir().unwrap();
    let mut options = support::options(folder.path());
    change(&mut options);
    let app = router(Lab::open(options).unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let served = app.clone();
    tokio::spawn(async move { axum::serve(listener, served).await.unwrap() });
    Running { address, app, _folder: folder }
}

impl Running {
    /// Creates a session; returns the end of its WebSocket URL, with all keys.
    async fn begin(&self, body: &Value) -> String {
        let request = support::request("POST", "/api/sessions", body.to_string().into());
        let response = self.app.clone().oneshot(request).await.unwrap();
        let bytes = http_body_util::BodyExt::collect(response.into_body()).await.unwrap();
        let view: Value = serde_json::from_slice(&bytes.to_bytes()).unwrap();
        let id = view["session"].as_str().unwrap_or_else(|| panic!("{view}"));
        let keys: Vec<_> =
            support::all_keys(&view).iter().map(|key| format!("key={key}")).collect();
        format!("{id}/ws?{}", keys.join("&"))
    }

    async fn follow(&self, id: &str) -> Result<Socket, Error> {
        let url = format!("ws://{}/api/sessions/{id}", self.address);
        Ok(connect_async(url).await?.0)
    }
}

/// Returns the next message other than a ping.
async fn receive(socket: &mut Socket) -> Value {
    loop {
        match socket.next().await.expect("the connection holds").expect("a message") {
            Message::Text(text) => return serde_json::from_str(&text).expect("JSON"),
            Message::Close(_) => panic!("the server hung up"),
            _ => {}
        }
    }
}

async fn receive_view(socket: &mut Socket, is_it: impl Fn(&Value) -> bool) -> Value {
    loop {
        let message = receive(socket).await;
        assert_ne!(message["type"], "error", "{message}");
        if message["type"] == "view" && is_it(&message["view"]) {
            return message["view"].clone();
        }
    }
}

async fn send(socket: &mut Socket, command: Value) {
    socket.send(Message::text(command.to_string())).await.expect("the connection holds");
}

#[tokio::test]
async fn searches_are_followed_paused_and_stepped() {
    let server = run(|_| ()).await;
    let id = server
        .begin(&json!({"game": "connect-four", "seats": ["person", "mcts:sims=100000"]}))
        .await;
    let mut socket = server.follow(&id).await.unwrap();
    receive_view(&mut socket, |view| view["turn"] == 0).await;
    send(&mut socket, json!({"type": "pause"})).await;
    receive_view(&mut socket, |view| view["paused"] == true).await;
    send(&mut socket, json!({"type": "play", "action": 3})).await;
    receive_view(&mut socket, |view| view["event"] == 1).await;
    let mut iterations = 0;
    for _ in 0..3 {
        send(&mut socket, json!({"type": "step"})).await;
        let analysis = loop {
            let message = receive(&mut socket).await;
            if message["type"] == "analysis" {
                break message["analysis"].clone();
            }
        };
        assert_eq!((&analysis["seat"], &analysis["done"]), (&json!(1), &json!(false)));
        let now = analysis["iterations"].as_u64().unwrap();
        assert!(now > iterations && now < 100_000, "{now}");
        iterations = now;
    }
    send(&mut socket, json!({"type": "resume"})).await;
    send(&mut socket, json!({"type": "stop"})).await;
    let view = receive_view(&mut socket, |view| view["event"] == 2).await;
    assert_eq!(view["turn"], 0);
    send(&mut socket, json!({"type": "analyze", "iterations": 500})).await;
    loop {
        let message = receive(&mut socket).await;
        if message["type"] == "analysis"
            && message["analysis"]["asked"] == true
            && message["analysis"]["done"] == true
        {
            assert_eq!(message["analysis"]["iterations"], 500);
            break;
        }
    }
}

/// Statistics of a bot with a hidden card are not sent; those of a requested analysis are.
#[tokio::test]
async fn hidden_statistics_are_not_sent() {
    let server = run(|_| ()).await;
    let id = server
        .begin(&json!({"game": "leduc", "seats": ["person", "mcts-ismcts:sims=2000"], "seed": 3}))
        .await;
    let mut socket = server.follow(&id).await.unwrap();
    let mut view = receive_view(&mut socket, |view| view["turn"] == 0).await;
    send(&mut socket, json!({"type": "analyze", "iterations": 300})).await;
    let mut advice = 0;
    while view["over"] == false && advice < 3 {
        let message = receive(&mut socket).await;
        match message["type"].as_str().unwrap() {
            "analysis" => {
                assert_eq!(message["analysis"]["asked"], true, "{message}");
                assert!(!message["analysis"]["determinizations"].as_array().unwrap().is_empty());
                if message["analysis"]["done"] == true {
                    advice += 1;
                    let call = view["legal"][0]["action"].clone();
                    send(&mut socket, json!({"type": "play", "action": call})).await;
                }
            }
            "view" => {
                view = message["view"].clone();
                assert!(view["over"] == true || view["curve"] == json!([]), "{view}");
                if view["turn"] == 0 && view["event"] != 2 {
                    send(&mut socket, json!({"type": "analyze", "iterations": 300})).await;
                }
            }
            _ => panic!("{message}"),
        }
    }
    assert!(advice > 0);
}

#[tokio::test]
async fn invalid_messages_get_errors_and_finally_close_the_connection() {
    let server = run(|_| ()).await;
    let id = server.begin(&json!({"game": "pig"})).await;
    let mut socket = server.follow(&id).await.unwrap();
    receive_view(&mut socket, |_| true).await;
    for nonsense in ["", "{", "[]", "{\"type\":\"play\"}", "{\"type\":\"play\",\"action\":-1}"] {
        socket.send(Message::text(nonsense)).await.unwrap();
        let answer = loop {
            let message = receive(&mut socket).await;
            if message["type"] == "error" {
                break message;
            }
        };
        assert!(answer["error"].as_str().unwrap().starts_with("invalid command: "), "{answer}");
    }
    socket.send(Message::binary(vec![1, 2, 3])).await.unwrap();
    assert_eq!(receive(&mut socket).await["error"], "expected a text message");
    for _ in 0..16 {
        socket.send(Message::text("x")).await.ok();
    }
    while let Some(Ok(message)) = socket.next().await {
        assert!(!matches!(message, Message::Binary(_)));
    }
    let mut socket = server.follow(&id).await.unwrap();
    receive_view(&mut socket, |_| true).await;
    socket.send(Message::text("x".repeat(100_000))).await.ok();
    let mut left = false;
    while let Some(message) = socket.next().await {
        left |= message.is_err() || matches!(message, Ok(Message::Close(_)));
    }
    assert!(left, "a message that is too large ends the connection");
    let refused = server.follow(&format!("{}/ws", "0".repeat(32))).await;
    assert!(matches!(refused, Err(Error::Http(answer)) if answer.status() == 404));
}

#[tokio::test]
async fn the_number_of_clients_is_limited() {
    let server = run(|options| options.limits.clients = 3).await;
    let id = server.begin(&json!({"game": "pig"})).await;
    let mut sockets = Vec::new();
    for _ in 0..3 {
        sockets.push(server.follow(&id).await.unwrap());
    }
    let refused = server.follow(&id).await;
    assert!(matches!(refused, Err(Error::Http(answer)) if answer.status() == 429));
    let mut last = sockets.pop().unwrap();
    last.close(None).await.unwrap();
    while let Some(Ok(_)) = last.next().await {}
    loop {
        match server.follow(&id).await {
            Ok(_) => break,
            Err(Error::Http(_)) => tokio::task::yield_now().await,
            Err(error) => panic!("{error}"),
        }
    }
}

/// Two hundred clients, each with its own game, all finish.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_clients_play_at_once() {
    const CLIENTS: usize = 200;
    let server = std::sync::Arc::new(run(|options| options.limits.clients = CLIENTS).await);
    let all_there = std::sync::Arc::new(tokio::sync::Barrier::new(CLIENTS));
    let mut clients = Vec::new();
    for number in 0..CLIENTS {
        let (server, all_there) =
            (std::sync::Arc::clone(&server), std::sync::Arc::clone(&all_there));
        clients.push(tokio::spawn(async move {
            let bot = if number % 4 == 0 { "mcts:sims=100" } else { "random" };
            let id = server
                .begin(&json!({"game": "connect-four", "seed": number, "seats": ["person", bot]}))
                .await;
            let mut socket = server.follow(&id).await.expect("no connection is dropped");
            all_there.wait().await;
            let mut moves = 0;
            let mut view = receive_view(&mut socket, |view| view["turn"] == 0).await;
            while view["over"] == false {
                let action =
                    view["legal"][moves % view["legal"].as_array().unwrap().len()]["action"]
                        .clone();
                let event = view["event"].as_u64();
                send(&mut socket, json!({"type": "play", "action": action, "event": event})).await;
                moves += 1;
                view = receive_view(&mut socket, |view| {
                    view["event"].as_u64() > event && (view["turn"] == 0 || view["over"] == true)
                })
                .await;
            }
            moves
        }));
    }
    for client in clients {
        assert!(client.await.expect("the client finishes") >= 4);
    }
}
