//! A Model Context Protocol server: tables at which language models and other agents play.
//!
//! An agent opens a table, gets a ticket for a seat, and plays by the names of actions. What it
//! is shown is what the lab shows the holder of that seat. It cannot choose the seed, take moves
//! back, or look at another seat.

mod http;
mod knowledge;
mod requests;
mod server;
mod text;

use std::path::PathBuf;
use std::sync::Arc;

use meeple_files::Lock;
use meeple_lab::{Lab, LabError, Limits, Options};
use rmcp::ServiceExt;
use rmcp::transport::async_rw::AsyncRwTransport;

pub use http::{HttpOptions, serve_http};
pub use server::TableServer;

/// The longest message of a client in bytes.
pub const MAX_MESSAGE: usize = 256 * 1024;

/// The error of a server.
#[derive(Debug, thiserror::Error)]
pub enum McpError {
    /// The tables cannot be opened or stored.
    #[error(transparent)]
    Lab(#[from] LabError),
    /// The folder of tables is in use or cannot be locked.
    #[error("cannot use the folder {folder}: {error}")]
    Locked {
        /// The folder.
        folder: PathBuf,
        /// The cause.
        error: std::io::Error,
    },
    /// The client did not begin with a handshake.
    #[error("the client did not open a session: {0}")]
    Handshake(String),
    /// The server failed.
    #[error("the server failed: {0}")]
    Failed(std::io::Error),
}

/// The tables of a server, in a folder that no other process may use.
#[derive(Debug)]
pub struct Tables {
    lab: Arc<Lab>,
    _lock: Lock,
}

impl Tables {
    /// Opens the tables stored in a folder.
    ///
    /// # Errors
    ///
    /// If the folder cannot be used, or another process uses it.
    pub fn open(store: PathBuf, limits: Limits) -> Result<Self, McpError> {
        let lab = Lab::open(Options { store: store.clone(), limits, ..Options::default() })?;
        let lock = Lock::take(&store).map_err(|error| McpError::Locked {
            folder: store,
            error: std::io::Error::other(error),
        })?;
        Ok(Self { lab, _lock: lock })
    }

    /// The lab whose tables they are.
    #[must_use]
    pub fn lab(&self) -> Arc<Lab> {
        Arc::clone(&self.lab)
    }
}

/// Serves one client over standard input and output, until it closes them.
///
/// # Errors
///
/// If the client does not begin with a handshake.
pub async fn serve_stdio(tables: &Tables) -> Result<(), McpError> {
    let (input, output) = rmcp::transport::stdio();
    let transport = AsyncRwTransport::new_server(input, output).with_max_line_length(MAX_MESSAGE);
    let server = TableServer::new(tables.lab());
    let running = server.serve(transport).await;
    let running = running.map_err(|error| McpError::Handshake(error.to_string()))?;
    running.waiting().await.map_err(|error| McpError::Failed(std::io::Error::other(error)))?;
    Ok(())
}
