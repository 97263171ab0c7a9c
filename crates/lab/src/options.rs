//! What a server may be told: where it listens, who may ask, and how much.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// How the lab is served.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where it listens.
    pub listen: SocketAddr,
    /// What callers must present; [`new_token`](crate::new_token) makes one. Nothing lets
    /// in whoever is on this machine, and is refused where other machines reach the server.
    pub token: Option<String>,
    /// The folder with the folders of runs.
    pub runs: PathBuf,
    /// The folder that keeps sessions.
    pub store: PathBuf,
    /// How much it does at most.
    pub limits: Limits,
}

/// How much a server does at most.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Searches and equities at once; more wait for their turn.
    pub searches: usize,
    /// Sessions in memory; those not in use for longest are only on disk.
    pub sessions: usize,
    /// Sessions on disk; the oldest are forgotten.
    pub stored: usize,
    /// WebSocket clients at once.
    pub clients: usize,
    /// Connections that carry requests at once; more wait.
    pub connections: usize,
    /// How long a caller may take to send a request.
    pub patience: Duration,
    /// How long a game of bots goes on that nobody follows or asks about.
    pub unwatched: Duration,
    /// Bytes of a request.
    pub body: usize,
    /// Simulations of one search.
    pub iterations: u64,
    /// Different tables that have been opened: some games keep each for ever.
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
            patience: Duration::from_secs(10),
            unwatched: Duration::from_secs(60),
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
