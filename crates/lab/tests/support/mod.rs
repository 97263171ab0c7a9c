//! What several tests of the server need.
#![allow(dead_code, reason = "each test uses some of it")]

use std::path::Path;

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
        Self { app: router(Lab::open(options).unwrap()), folder }
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

    pub(crate) async fn get(&self, path: &str) -> (StatusCode, String) {
        self.send(request("GET", path, Body::empty())).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> (StatusCode, Value) {
        let (status, text) = self.send(request("POST", path, Body::from(body.to_string()))).await;
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// A session that must begin; its view.
    pub(crate) async fn begin(&self, body: &Value) -> Value {
        let (status, view) = self.post("/api/sessions", body).await;
        assert_eq!(status, StatusCode::CREATED, "{view}");
        view
    }

    pub(crate) async fn command(&self, view: &Value, body: &Value) -> (StatusCode, Value) {
        let id = view["session"].as_str().unwrap();
        self.post(&format!("/api/sessions/{id}/commands"), body).await
    }
}

pub(crate) fn request(method: &str, path: &str, body: Body) -> Request<Body> {
    Request::builder().method(method).uri(path).header("host", "localhost").body(body).unwrap()
}
