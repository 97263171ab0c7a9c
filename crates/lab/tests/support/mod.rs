//! What several tests of the server need.
#![allow(dead_code, reason = "each test uses some of it")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use meeple_lab::{Lab, Limits, Options, router};
use serde_json::Value;
use tower::ServiceExt;

pub(crate) struct Server {
    pub(crate) app: Router,
    pub(crate) folder: tempfile::TempDir,
    /// The keys of the sessions that were begun, as the header has them.
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

    /// The same sessions, as after a restart.
    pub(crate) fn again(&mut self) {
        self.app = router(Lab::open(options(self.folder.path())).unwrap());
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> (StatusCode, String) {
        let response = self.app.clone().oneshot(request).await.unwrap();
        let status = response.status();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Asks with the keys of the session that the path names, if it was begun here.
    async fn ask(&self, method: &str, path: &str, body: Body) -> (StatusCode, String) {
        let mut request = request(method, path, body);
        let id = path.strip_prefix("/api/sessions/").and_then(|rest| rest.split('/').next());
        if let Some(keys) = id.and_then(|id| self.keys.lock().unwrap().get(id).cloned()) {
            request.headers_mut().insert("meeple-key", keys.parse().unwrap());
        }
        self.send(request).await
    }

    pub(crate) async fn get(&self, path: &str) -> (StatusCode, String) {
        self.ask("GET", path, Body::empty()).await
    }

    pub(crate) async fn delete(&self, path: &str) -> StatusCode {
        self.ask("DELETE", path, Body::empty()).await.0
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> (StatusCode, Value) {
        let (status, text) = self.ask("POST", path, Body::from(body.to_string())).await;
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// Asks with one key, or with none.
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

    /// A session that must begin; its view.
    pub(crate) async fn begin(&self, body: &Value) -> Value {
        let (status, view) = self.post("/api/sessions", body).await;
        assert_eq!(status, StatusCode::CREATED, "{view}");
        self.remember(&view);
        view
    }

    /// Presents the keys of a session that was begun from now on.
    pub(crate) fn remember(&self, created: &Value) {
        let id = created["session"].as_str().unwrap().to_owned();
        self.keys.lock().unwrap().insert(id, all_keys(created).join(","));
    }

    pub(crate) async fn command(&self, view: &Value, body: &Value) -> (StatusCode, Value) {
        let id = view["session"].as_str().unwrap();
        self.post(&format!("/api/sessions/{id}/commands"), body).await
    }
}

pub(crate) fn request(method: &str, path: &str, body: Body) -> Request<Body> {
    Request::builder().method(method).uri(path).header("host", "localhost").body(body).unwrap()
}

/// The keys of a session that was begun: the owner's, and those of the persons.
pub(crate) fn all_keys(created: &Value) -> Vec<&str> {
    let seats = created["keys"]["seats"].as_array().unwrap();
    std::iter::once(&created["keys"]["owner"]).chain(seats).filter_map(Value::as_str).collect()
}
