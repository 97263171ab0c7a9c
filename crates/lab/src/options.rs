//! The options of a server: address, token, folders and limits.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// The options of a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// The access token; [`new_token`](crate::new_token) creates one. `None` gives access to
    /// everybody on this machine, and is rejected for addresses that other machines can reach.
    pub token: Option<String>,
    /// The folder with the result folders of runs.
    pub runs: PathBuf,
    /// The folder of session files.
    pub store: PathBuf,
    /// The resource limits.
    pub limits: Limits,
}

/// The resource limits of a server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Concurrent searches and equities; more are queued.
    pub searches: usize,
    /// Sessions in memory; the least recently used ones are only on disk.
    pub sessions: usize,
    /// Sessions on disk; the oldest are removed.
    pub stored: usize,
    /// Concurrent WebSocket clients.
    pub clients: usize,
    /// Concurrent HTTP connections; more wait.
    pub connections: usize,
    /// The timeout for receiving a request and for writing to a peer.
    pub request_timeout: Duration,
    /// The time after which a game of bots without spectators pauses.
    pub idle_timeout: Duration,
    /// The size of a request body in bytes.
    pub body: usize,
    /// Simulations per search.
    pub iterations: u64,
    /// Different configurations since the start: some games keep each in memory forever.
    pub tables: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            searches: std::thread::available_parallelism().map_or(2, usize::from),
            sessions: 512,
            stored: 10_000,
            clients: 1_000,
            connections: 512,
            request_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(60),
            body: 256 * 1024,
            iterations: 2_000_000,
            tables: 1_000,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 4321)),
            token: None,
            runs: PathBuf::from("runs"),
            store: PathBuf::from(".meeple-lab"),
            limits: Limits::default(),
        }
    }
}
