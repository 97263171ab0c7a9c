//! The streamable HTTP transport, behind a token.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use meeple_lab::constant_time_eq;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

use crate::{MAX_MESSAGE, McpError, TableServer, Tables};

/// The address of a server, and who may use it.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// The token that clients present as `Authorization: Bearer TOKEN`.
    pub token: String,
    /// Host names by which clients may address the server, besides those of this machine.
    pub hosts: Vec<String>,
}

/// Serves clients at `/mcp` until Ctrl-C; calls `ready` with the address once it listens.
///
/// # Errors
///
/// If the address cannot be listened on.
pub async fn serve_http(
    tables: &Tables,
    options: &HttpOptions,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), McpError> {
    let listener = TcpListener::bind(options.listen).await.map_err(McpError::Failed)?;
    ready(listener.local_addr().map_err(McpError::Failed)?);
    let served = axum::serve(listener, router(tables, options));
    // Open streams do not delay the end.
    tokio::select! {
        served = async { served.await } => served.map_err(McpError::Failed),
        _ = tokio::signal::ctrl_c() => Ok(()),
    }
}

/// The application: one route, behind the token.
pub(crate) fn router(tables: &Tables, options: &HttpOptions) -> Router {
    let lab = tables.lab();
    let mut config = StreamableHttpServerConfig::default();
    config.allowed_hosts.extend(options.hosts.iter().cloned());
    let service = StreamableHttpService::new(
        move || Ok(TableServer::new(Arc::clone(&lab))),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    let token: Arc<str> = options.token.as_str().into();
    Router::new()
        .nest_service("/mcp", service)
        .layer(DefaultBodyLimit::max(MAX_MESSAGE))
        .layer(middleware::from_fn(limit_length))
        .layer(middleware::from_fn_with_state(token, authorize))
}

/// Refuses messages that are too long before they are read.
async fn limit_length(request: Request, next: Next) -> Response {
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    match length {
        Some(length) if length > MAX_MESSAGE => {
            let reason = format!("expected a message of at most {MAX_MESSAGE} bytes");
            (StatusCode::PAYLOAD_TOO_LARGE, reason).into_response()
        }
        None if request.method() == axum::http::Method::POST => {
            (StatusCode::LENGTH_REQUIRED, "expected a Content-Length").into_response()
        }
        _ => next.run(request).await,
    }
}

async fn authorize(State(token): State<Arc<str>>, request: Request, next: Next) -> Response {
    let presented = request.headers().get(header::AUTHORIZATION);
    let presented = presented.and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    if presented.is_some_and(|presented| constant_time_eq(presented, &token)) {
        return next.run(request).await;
    }
    let challenge = [(header::WWW_AUTHENTICATE, "Bearer")];
    (StatusCode::UNAUTHORIZED, challenge, "expected the header Authorization: Bearer TOKEN")
        .into_response()
}
