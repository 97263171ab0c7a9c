//! The static files of the page, embedded in the binary.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::error::error_response;

/// A file of the page.
struct Asset {
    path: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

macro_rules! assets {
    ($($kind:literal: $($path:literal)*;)*) => {
        &[$($(Asset {
            path: concat!("/", $path),
            kind: $kind,
            bytes: include_bytes!(concat!("../assets/", $path)),
        },)*)*]
    };
}

const ASSETS: &[Asset] = assets! {
    "text/html; charset=utf-8": "index.html";
    "text/css; charset=utf-8": "style.css" "boards.css";
    "image/svg+xml": "icon.svg";
    "text/javascript; charset=utf-8":
        "main.js" "api.js" "seats.js" "dom.js" "home.js" "play.js" "newgame.js" "think.js" "chart.js"
        "results.js" "run.js" "training.js" "compare.js" "replay.js" "poker.js" "grid13.js"
        "boards/index.js" "boards/squares.js" "boards/chess.js" "boards/pieces.js"
        "boards/backgammon.js" "boards/stone_age.js" "boards/magic.js" "boards/cards.js"
        "boards/poker.js" "boards/pig.js" "boards/picture.js";
};

/// Serves every path outside the API.
pub(crate) async fn serve(request: Request) -> Response {
    if request.uri().path().starts_with("/api/") {
        return error_response(StatusCode::NOT_FOUND, "no such endpoint");
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return error_response(StatusCode::METHOD_NOT_ALLOWED, "expected GET or HEAD for a page");
    }
    let path = match request.uri().path() {
        "/" => "/index.html",
        path => path,
    };
    match ASSETS.iter().find(|asset| asset.path == path) {
        Some(asset) => respond(asset, request.headers()),
        None => error_response(StatusCode::NOT_FOUND, "no such page"),
    }
}

fn respond(asset: &Asset, headers: &HeaderMap) -> Response {
    let tag = etag(asset.bytes);
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| *known == tag) {
        return StatusCode::NOT_MODIFIED.into_response();
    }
    let mut response = asset.bytes.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.kind));
    // Revalidated by its ETag, because the page may change with the program.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::ETAG, tag);
    response
}

/// Returns an entity tag: a hash of the content.
fn etag(bytes: &[u8]) -> HeaderValue {
    use std::hash::Hasher;
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(bytes);
    HeaderValue::from_str(&format!("\"{:x}\"", hasher.finish())).expect("hexadecimal digits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_small() {
        let bytes: usize = ASSETS.iter().map(|asset| asset.bytes.len()).sum();
        assert!(bytes < 300_000, "{bytes} bytes");
    }

    /// Every file of the folder is listed.
    #[test]
    fn every_file_is_served() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
        let mut folders = vec![root.clone()];
        let mut files = 0;
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let name = format!("/{}", path.strip_prefix(&root).unwrap().display());
                assert!(ASSETS.iter().any(|asset| asset.path == name), "{name} is not served");
                files += 1;
            }
        }
        assert_eq!(files, ASSETS.len());
    }
}
