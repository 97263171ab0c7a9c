//! Request checks before all handlers: token, origin, size and time of the body.

use std::error::Error;
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use http_body_util::LengthLimitError;

use crate::error::error_response;
use crate::lab::Lab;
use crate::secrets::{constant_time_eq, query_values};

/// The content security policy of pages: own resources only.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; \
                      frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// The maximum length of an error message of the framework.
const MAX_ERROR: usize = 4096;

/// Rejects unauthorized requests, and adds security headers to responses.
pub(crate) async fn guard(State(lab): State<Arc<Lab>>, request: Request, next: Next) -> Response {
    let mut response = match reject(&lab, &request) {
        Some(rejection) => rejection,
        None => match receive_body(&lab, request).await {
            Ok(request) => json_error(next.run(request).await).await,
            Err(rejection) => rejection,
        },
    };
    let headers = response.headers_mut();
    if !headers.contains_key(header::CONTENT_SECURITY_POLICY) {
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

/// Gives errors of the framework, such as a method that a path does not have, the JSON body of
/// all other errors.
async fn json_error(response: Response) -> Response {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE);
    if status.as_u16() < 400 || kind.is_some_and(|kind| kind == "application/json") {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let text = to_bytes(body, MAX_ERROR).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let reason = match text.trim() {
        "" => status.canonical_reason().unwrap_or("error"),
        text => text,
    };
    let error = error_response(status, reason);
    // Others, such as `Allow`, stay.
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.extend(error.headers().clone());
    Response::from_parts(parts, error.into_body())
}

/// Receives the whole body of a request, within the limits of size and time.
async fn receive_body(lab: &Lab, request: Request) -> Result<Request, Response> {
    let limits = &lab.options.limits;
    let (parts, body) = request.into_parts();
    let bytes = match tokio::time::timeout(limits.request_timeout, to_bytes(body, limits.body))
        .await
    {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(error)) if error.source().is_some_and(|source| source.is::<LengthLimitError>()) => {
            let reason = format!("expected a request of at most {} bytes", limits.body);
            return Err(error_response(StatusCode::PAYLOAD_TOO_LARGE, &reason));
        }
        Ok(Err(error)) => {
            let reason = format!("cannot read the request: {error}");
            return Err(error_response(StatusCode::BAD_REQUEST, &reason));
        }
        Err(_) => {
            let reason = format!("expected the whole request within {:?}", limits.request_timeout);
            return Err(error_response(StatusCode::REQUEST_TIMEOUT, &reason));
        }
    };
    Ok(Request::from_parts(parts, Body::from(bytes)))
}

/// Returns an error response unless host, origin and token are valid.
fn reject(lab: &Lab, request: &Request) -> Option<Response> {
    let headers = request.headers();
    let host = text(headers, header::HOST);
    // Without a token only local requests are allowed. The host check prevents DNS
    // rebinding: a foreign page whose name resolves to this machine.
    if lab.options.token.is_none() && !host.is_some_and(is_local) {
        return Some(error_response(StatusCode::FORBIDDEN, "expected a local host name"));
    }
    if let Some(origin) = text(headers, header::ORIGIN) {
        let from = origin.split_once("://").map(|(_, from)| from);
        if from != host {
            return Some(error_response(
                StatusCode::FORBIDDEN,
                "cross-origin requests are not allowed",
            ));
        }
    }
    if let Some(token) = &lab.options.token
        && request.uri().path().starts_with("/api/")
        && !presented_token(request).is_some_and(|given| constant_time_eq(&given, token))
    {
        return Some(error_response(StatusCode::UNAUTHORIZED, "expected the token of this server"));
    }
    None
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// Returns whether a host, with or without a port, names this machine.
fn is_local(host: &str) -> bool {
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    ["localhost", "127.0.0.1", "[::1]"].into_iter().any(|name| {
        let port = host.strip_prefix(name);
        port.is_some_and(|port| port.is_empty() || port.strip_prefix(':').is_some_and(is_port))
    })
}

/// Returns the token of a request: from the header, or from the query where browsers cannot
/// set headers (WebSockets, links).
fn presented_token(request: &Request) -> Option<String> {
    let bearer = text(request.headers(), header::AUTHORIZATION)
        .and_then(|value| value.strip_prefix("Bearer "));
    bearer.map(str::to_owned).or_else(|| query_values(request.uri(), "token").pop())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_names_are_recognized() {
        for host in ["localhost", "localhost:80", "127.0.0.1:4321", "[::1]:4321", "[::1]"] {
            assert!(is_local(host), "{host}");
        }
        for host in [
            "example.org",
            "localhost.example.org",
            "127.0.0.1.example.org:80",
            "",
            "[",
            "[::1]x",
            "[::1]:80x",
            "[::1].example.org",
            "localhost:",
            "localhost:80@example.org",
            "::1",
        ] {
            assert!(!is_local(host), "{host}");
        }
    }
}
