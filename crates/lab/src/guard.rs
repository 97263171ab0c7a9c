//! Who may ask: the token, and pages of our own only.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::lab::Lab;
use crate::refusal::complain;

/// What pages may load: nothing from elsewhere.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; \
                      frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// Lets those through who may ask, and says to browsers what pages may do.
pub(crate) async fn guard(State(lab): State<Arc<Lab>>, request: Request, next: Next) -> Response {
    let mut response = match refuse(&lab, &request) {
        Some(refused) => refused,
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    if !headers.contains_key(header::CONTENT_SECURITY_POLICY) {
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
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
        && !presented(request).is_some_and(|given| same(given.as_bytes(), token.as_bytes()))
    {
        return Some(complain(StatusCode::UNAUTHORIZED, "expected the token of this server"));
    }
    None
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

fn is_local(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next(),
        None => host.split(':').next(),
    };
    matches!(name, Some("localhost" | "127.0.0.1" | "::1"))
}

/// The token of a request: a header, or part of the address where browsers cannot set
/// headers (WebSockets, links).
fn presented(request: &Request) -> Option<&str> {
    let bearer = text(request.headers(), header::AUTHORIZATION)
        .and_then(|value| value.strip_prefix("Bearer "));
    bearer.or_else(|| {
        let mut pairs = request.uri().query()?.split('&');
        pairs.find_map(|pair| pair.strip_prefix("token="))
    })
}

/// Whether two secrets are the same, in a time that does not tell where they differ.
fn same(one: &[u8], other: &[u8]) -> bool {
    let differs = one.iter().zip(other).fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differs == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_names_are_known() {
        for host in ["localhost", "localhost:80", "127.0.0.1:4321", "[::1]:4321"] {
            assert!(is_local(host), "{host}");
        }
        for host in ["example.org", "localhost.example.org", "127.0.0.1.example.org:80", "", "["] {
            assert!(!is_local(host), "{host}");
        }
    }

    #[test]
    fn secrets_are_compared_whole() {
        assert!(same(b"abc", b"abc"));
        assert!(!same(b"abc", b"abd") && !same(b"abc", b"ab") && !same(b"", b"a"));
    }
}
