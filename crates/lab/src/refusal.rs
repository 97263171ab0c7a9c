//! What a caller is told when something cannot be done.

use std::io;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use meeple_arena::{Error, OpenError, ReplayError};
use schemars::JsonSchema;
use serde::Serialize;

use crate::lab::LabError;

/// Why a request was not done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    /// The request makes no sense.
    #[error("{0}")]
    Wrong(String),
    /// What it is about does not exist.
    #[error("{0}")]
    Missing(String),
    /// It makes sense, but not now.
    #[error("{0}")]
    Conflict(String),
    /// The caller may not.
    #[error("{0}")]
    Forbidden(String),
    /// The server does as much as it may already.
    #[error("{0}")]
    Busy(String),
    /// There is no room on disk for it.
    #[error("{0}")]
    Full(String),
    /// Something failed that should not.
    #[error("{0}")]
    Failed(String),
}

/// The body of every answer that is no success.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Complaint {
    /// What is wrong, in a sentence.
    pub(crate) error: String,
}

impl Refusal {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::Wrong(_) => StatusCode::BAD_REQUEST,
            Self::Missing(_) => StatusCode::NOT_FOUND,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::Busy(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Full(_) => StatusCode::INSUFFICIENT_STORAGE,
            Self::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Says that a session could not be written.
    pub(crate) fn unsaved(error: &io::Error) -> Self {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        let reason = format!("the session cannot be saved: {error}");
        match error.kind() {
            StorageFull | QuotaExceeded | FileTooLarge => Self::Full(reason),
            _ => Self::Failed(reason),
        }
    }

    pub(crate) fn failed(what: &str, error: &dyn std::fmt::Display) -> Self {
        Self::Failed(format!("{what}: {error}"))
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        complain(self.status(), &self.to_string())
    }
}

/// The beginning of what a caller wrote, for a sentence about it.
pub(crate) fn short(text: &str) -> String {
    format!("{:?}", text.chars().take(60).collect::<String>())
}

/// An answer that is no success.
pub(crate) fn complain(status: StatusCode, error: &str) -> Response {
    (status, Json(Complaint { error: error.into() })).into_response()
}

impl From<LabError> for Refusal {
    fn from(error: LabError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<OpenError> for Refusal {
    fn from(error: OpenError) -> Self {
        Self::Wrong(error.to_string())
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Wrong(error.to_string())
    }
}

impl From<ReplayError> for Refusal {
    fn from(error: ReplayError) -> Self {
        Self::Wrong(error.to_string())
    }
}
