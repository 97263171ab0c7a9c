//! Errors of the API and their HTTP responses.

use std::io;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use meeple_arena::ReplayError;
use meeple_bots::{Error, OpenError};
use schemars::JsonSchema;
use serde::Serialize;

use crate::lab::LabError;

/// The most characters of an error message.
const LONGEST: usize = 4000;

/// The error of a request.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ApiError {
    /// The request is invalid.
    #[error("{0}")]
    BadRequest(String),
    /// The resource does not exist.
    #[error("{0}")]
    NotFound(String),
    /// The request is valid, but not in the current state.
    #[error("{0}")]
    Conflict(String),
    /// The caller lacks permission.
    #[error("{0}")]
    Forbidden(String),
    /// A limit of the server is reached.
    #[error("{0}")]
    Busy(String),
    /// The disk is full.
    #[error("{0}")]
    StorageFull(String),
    /// An internal error.
    #[error("{0}")]
    Internal(String),
}

/// The body of every error response.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ErrorBody {
    /// The error message.
    pub(crate) error: String,
}

impl ApiError {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::BadRequest(_) => StatusCode::BAD_REQUEST,
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::Busy(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::StorageFull(_) => StatusCode::INSUFFICIENT_STORAGE,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// A session could not be written.
    pub(crate) fn not_saved(error: &io::Error) -> Self {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        let reason = format!("the session cannot be saved: {error}");
        match error.kind() {
            StorageFull | QuotaExceeded | FileTooLarge => Self::StorageFull(reason),
            _ => Self::Internal(reason),
        }
    }

    pub(crate) fn internal(what: &str, error: &dyn std::fmt::Display) -> Self {
        Self::Internal(format!("{what}: {error}"))
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        error_response(self.status(), &self.to_string())
    }
}

/// Quotes the first 60 characters of text from a caller.
pub(crate) fn short(text: &str) -> String {
    format!("{:?}", text.chars().take(60).collect::<String>())
}

/// Returns an error response. Errors that quote the request are cut.
pub(crate) fn error_response(status: StatusCode, error: &str) -> Response {
    let error = match error.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &error[..end]),
        None => error.to_owned(),
    };
    (status, Json(ErrorBody { error })).into_response()
}

impl From<LabError> for ApiError {
    fn from(error: LabError) -> Self {
        Self::Internal(error.to_string())
    }
}

impl From<OpenError> for ApiError {
    fn from(error: OpenError) -> Self {
        Self::BadRequest(error.to_string())
    }
}

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        Self::BadRequest(error.to_string())
    }
}

impl From<ReplayError> for ApiError {
    fn from(error: ReplayError) -> Self {
        Self::BadRequest(error.to_string())
    }
}
