//! The lab without a socket: stored sessions and commands, over its API.

use std::cell::Cell;
use std::fs;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use meeple_lab::{Lab, Limits, Options, router};
use tokio::runtime::Runtime;
use tower::ServiceExt;

/// A lab with a store of its own.
struct Server {
    runtime: Runtime,
    app: Router,
    folder: tempfile::TempDir,
    sessions: Cell<u64>,
}

thread_local! {
    static SERVER: Server = Server::new();
}

impl Server {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (store, runs) = (folder.path().join("sessions"), folder.path().join("runs"));
        // Little is searched, and no table is one too many.
        let limits =
            Limits { iterations: 20, tables: usize::MAX, sessions: 4, ..Limits::default() };
        let options = Options { store, runs, limits, ..Options::default() };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime");
        let app = runtime.block_on(async { router(Lab::open(options).expect("a lab")) });
        Self { runtime, app, folder, sessions: Cell::new(0) }
    }

    /// Asks with `keys`, separated by commas.
    fn ask(&self, keys: &str, method: &str, path: &str, body: &[u8]) -> (StatusCode, Vec<u8>) {
        let request = Request::builder().method(method).uri(path);
        let request = request.header("host", "localhost").header("meeple-key", keys);
        let request = request.body(Body::from(body.to_vec())).expect("a request");
        self.runtime.block_on(async {
            let response = self.app.clone().oneshot(request).await.expect("an answer");
            let status = response.status();
            let body = response.into_body().collect().await.expect("a whole answer").to_bytes();
            (status, body.to_vec())
        })
    }

    /// Looks at a session in all ways, and forgets it.
    fn look(&self, keys: &str, id: &str) -> StatusCode {
        let path = format!("/api/sessions/{id}");
        let (status, _) = self.ask(keys, "GET", &path, b"");
        for part in ["replay", "analysis/0", "analysis/1"] {
            self.ask(keys, "GET", &format!("{path}/{part}"), b"");
        }
        self.ask(keys, "DELETE", &path, b"");
        status
    }
}

/// Stored sessions: whatever a file says is shown or refused.
pub fn lab_sessions(data: &[u8]) {
    read_session(data);
}

/// The answer to a request for a session that is stored as `data`.
pub fn read_session(data: &[u8]) -> StatusCode {
    // Nobody lets a fuzzer find out whether sessions start programs or open files.
    for word in [&b"command"[..], b"model", b"\\"] {
        if data.windows(word.len()).any(|bytes| bytes == word) {
            return StatusCode::BAD_REQUEST;
        }
    }
    SERVER.with(|server| {
        server.sessions.set(server.sessions.get() + 1);
        let id = format!("{:032x}", server.sessions.get());
        let file = server.folder.path().join(format!("sessions/{id}.jsonl"));
        fs::write(&file, data).expect("a file");
        let status = server.look("a,b", &id);
        // It is still there if it could not be read.
        fs::remove_file(&file).ok();
        status
    })
}

/// Commands at a table, one a line.
pub fn lab_commands(data: &[u8]) {
    command(data);
}

/// The answers to commands, one a line, at a new table.
pub fn command(data: &[u8]) -> Vec<StatusCode> {
    SERVER.with(|server| {
        let new = br#"{"game":"tic-tac-toe","seats":["person","random"]}"#;
        let (status, view) = server.ask("", "POST", "/api/sessions", new);
        assert_eq!(status, StatusCode::CREATED);
        let view: serde_json::Value = serde_json::from_slice(&view).expect("a view");
        let id = view["session"].as_str().expect("an id");
        let seats = view["keys"]["seats"].as_array().into_iter().flatten();
        let keys = seats.chain([&view["keys"]["owner"]]).filter_map(serde_json::Value::as_str);
        let keys = keys.collect::<Vec<_>>().join(",");
        let path = format!("/api/sessions/{id}/commands");
        let lines = data.split(|&byte| byte == b'\n').take(20);
        let answers = lines.map(|line| server.ask(&keys, "POST", &path, line).0).collect();
        assert_eq!(server.look(&keys, id), StatusCode::OK);
        answers
    })
}
