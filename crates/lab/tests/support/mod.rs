//! Shared helpers of the server tests.
#![allow(dead_code, reason = "each test uses some of it")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use meeple_lab::{Lab, Limits, Options, router};
use serde_json::Value;
use tower::ServiceExt;

/// How long a test waits for what takes milliseconds, so that it fails rather than hangs.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct Server {
    pub(crate) app: Router,
    pub(crate) folder: tempfile::TempDir,
    /// The keys of the created sessions, as sent in the header.
    keys: Mutex<BTreeMap<String, String>>,
}

pub(crate) fn options(folder: &Path) -> Options {
    Options { store: folder.join("sessions"), runs: folder.join("runs"), ..Options::default() }
}

impl Server {
    pub(crate) fn new() -> Self {
        Self::with(|_| ())
    }

    pub(crate) fn with(change: impl FnOnce(&mut Options)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut options = options(folder.path());
        change(&mut options);
        Self { app: router(Lab::open(options).unwrap()), folder, keys: Mutex::default() }
    }

    pub(crate) fn limited(change: impl FnOnce(&mut Limits)) -> Self {
        Self::with(|options| change(&mut options.limits))
    }

    /// Restarts the server on the same sessions.
    pub(crate) fn restart(&mut self) {
        self.app = router(Lab::open(options(self.folder.path())).unwrap());
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> (StatusCode, String) {
        let response = self.app.clone().oneshot(request).await.unwrap();
        let status = response.status();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Sends a request with the keys of the session in the path, if it was created here.
    async fn request(&self, method: &str, path: &str, body: Body) -> (StatusCode, String) {
        let mut request = request(method, path, body);
        let id = path.strip_prefix("/api/sessions/").and_then(|rest| rest.split('/').next());
        if let Some(keys) = id.and_then(|id| self.keys.lock().unwrap().get(id).cloned()) {
            request.headers_mut().insert("meeple-key", keys.parse().unwrap());
        }
        self.send(request).await
    }

    pub(crate) async fn get(&self, path: &str) -> (StatusCode, String) {
        self.request("GET", path, Body::empty()).await
    }

    pub(crate) async fn delete(&self, path: &str) -> StatusCode {
        self.request("DELETE", path, Body::empty()).await.0
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> (StatusCode, Value) {
        let (status, text) = self.request("POST", path, Body::from(body.to_string())).await;
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// Sends a request with one key, or without.
    pub(crate) async fn with_key(
        &self,
        method: &str,
        path: &str,
        key: Option<&str>,
        body: &Value,
    ) -> (StatusCode, Value) {
        let mut request = request(method, path, Body::from(body.to_string()));
        if let Some(key) = key {
            request.headers_mut().insert("meeple-key", key.parse().unwrap());
        }
        let (status, text) = self.send(request).await;
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// Creates a session; returns its view.
    pub(crate) async fn begin(&self, body: &Value) -> Value {
        let (status, view) = self.post("/api/sessions", body).await;
        assert_eq!(status, StatusCode::CREATED, "{view}");
        self.remember(&view);
        view
    }

    /// Stores the keys of a session for later requests.
    pub(crate) fn remember(&self, created: &Value) {
        let id = created["session"].as_str().unwrap().to_owned();
        self.keys.lock().unwrap().insert(id, all_keys(created).join(","));
    }

    /// Repeats a request until the response satisfies `is_it`; fails if it never does.
    pub(crate) async fn wait_for(&self, path: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let (status, text) = self.get(path).await;
            assert_eq!(status, StatusCode::OK, "{path}: {text}");
            let answer = serde_json::from_str(&text).unwrap();
            if is_it(&answer) {
                return answer;
            }
            assert!(start.elapsed() < PATIENCE, "{path} stays at {answer}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    pub(crate) async fn command(&self, view: &Value, body: &Value) -> (StatusCode, Value) {
        let id = view["session"].as_str().unwrap();
        self.post(&format!("/api/sessions/{id}/commands"), body).await
    }
}

pub(crate) fn request(method: &str, path: &str, body: Body) -> Request<Body> {
    Request::builder().method(method).uri(path).header("host", "localhost").body(body).unwrap()
}

/// Returns all keys of a new session: the owner's and those of the seats.
pub(crate) fn all_keys(created: &Value) -> Vec<&str> {
    let seats = created["keys"]["seats"].as_array().unwrap();
    std::iter::once(&created["keys"]["owner"]).chain(seats).filter_map(Value::as_str).collect()
}
