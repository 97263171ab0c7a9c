//! Responses in JSON.

use std::marker::PhantomData;

use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::error::ApiError;

/// The JSON of a `T`. It is serialized where it is made, which may take a second: on the blocking
/// thread that made the `T`, not on the thread that sends the response.
#[derive(Debug)]
pub(crate) struct JsonBody<T> {
    json: Vec<u8>,
    of: PhantomData<fn() -> T>,
}

impl<T: Serialize> JsonBody<T> {
    pub(crate) fn new(value: &T) -> Result<Self, ApiError> {
        let json = serde_json::to_vec(value);
        let json = json.map_err(|error| ApiError::internal("cannot write the response", &error))?;
        Ok(Self { json, of: PhantomData })
    }
}

impl<T> IntoResponse for JsonBody<T> {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.json).into_response()
    }
}
