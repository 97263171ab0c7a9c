//! Who may ask, and how: the token, pages of our own only, and whole requests in time.

use std::error::Error;
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use http_body_util::LengthLimitError;

use crate::lab::Lab;
use crate::refusal::complain;
use crate::secrets::{in_query, same};

/// What pages may load: nothing from elsewhere.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; \
                      frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// Lets those through who may ask, and says to browsers what pages may do.
pub(crate) async fn guard(State(lab): State<Arc<Lab>>, request: Request, next: Next) -> Response {
    let mut response = match refuse(&lab, &request) {
        Some(refused) => refused,
        None => match received(&lab, request).await {
            Ok(request) => next.run(request).await,
            Err(refused) => refused,
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

/// The request with all of its body, which must neither be too large nor take too long.
async fn received(lab: &Lab, request: Request) -> Result<Request, Response> {
    let limits = &lab.options.limits;
    let (parts, body) = request.into_parts();
    let bytes = match tokio::time::timeout(limits.patience, to_bytes(body, limits.body)).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(error)) if error.source().is_some_and(|why| why.is::<LengthLimitError>()) => {
            let why = format!("expected a request of at most {} bytes", limits.body);
            return Err(complain(StatusCode::PAYLOAD_TOO_LARGE, &why));
        }
        Ok(Err(error)) => {
            let why = format!("cannot read the request: {error}");
            return Err(complain(StatusCode::BAD_REQUEST, &why));
        }
        Err(_) => {
            let why = format!("expected the whole request within {:?}", limits.patience);
            return Err(complain(StatusCode::REQUEST_TIMEOUT, &why));
        }
    };
    Ok(Request::from_parts(parts, Body::from(bytes)))
}

fn refuse(lab: &Lab, request: &Request) -> Option<Response> {
    let headers = request.headers();
    let host = text(headers, header::HOST);
    // Without a token the machine itself is what protects the server; a page from
    // elsewhere whose name leads here must not get in.
    if lab.options.token.is_none() && !host.is_some_and(is_local) {
        return Some(complain(StatusCode::FORBIDDEN, "expected a request to this machine"));
    }
    if let Some(origin) = text(headers, header::ORIGIN) {
        let from = origin.split_once("://").map(|(_, from)| from);
        if from != host {
            return Some(complain(StatusCode::FORBIDDEN, "pages from elsewhere may not ask"));
        }
    }
    if let Some(token) = &lab.options.token
        && request.uri().path().starts_with("/api/")
        && !presented(request).is_some_and(|given| same(&given, token))
    {
        return Some(complain(StatusCode::UNAUTHORIZED, "expected the token of this server"));
    }
    None
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// Whether a host with or without a port names this machine.
fn is_local(host: &str) -> bool {
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    ["localhost", "127.0.0.1", "[::1]"].into_iter().any(|name| {
        let port = host.strip_prefix(name);
        port.is_some_and(|port| port.is_empty() || port.strip_prefix(':').is_some_and(is_port))
    })
}

/// The token of a request: a header, or part of the address where browsers cannot set
/// headers (WebSockets, links).
fn presented(request: &Request) -> Option<String> {
    let bearer = text(request.headers(), header::AUTHORIZATION)
        .and_then(|value| value.strip_prefix("Bearer "));
    bearer.map(str::to_owned).or_else(|| in_query(request.uri(), "token").pop())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_names_are_known() {
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
