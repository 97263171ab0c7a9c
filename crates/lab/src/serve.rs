//! The HTTP server.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use meeple_files::Lock;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use crate::lab::{Lab, LabError};
use crate::slots::SearchSlots;
use crate::write_timeout::WriteTimeout;
use crate::{Options, router};

/// The delay after a failed accept, for example when too many files are open.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(200);

/// A server bound to its address.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    lab: Arc<Lab>,
    /// Prevents other servers from writing the same sessions.
    _lock: Lock,
    /// The address it listens on.
    pub address: SocketAddr,
}

impl Server {
    /// Binds the address of the options.
    ///
    /// # Errors
    ///
    /// As for [`Lab::open`], and if the address cannot be bound.
    pub async fn bind(options: Options) -> Result<Self, LabError> {
        let address = options.listen;
        let lab = Lab::open(options)?;
        let folder = lab.options.store.clone();
        let lock = Lock::take(&folder)
            .map_err(|error| LabError::Store { folder, error: std::io::Error::other(error) })?;
        let failed = |error| LabError::Listen { address, error };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self { listener, lab, _lock: lock, address })
    }

    /// Serves requests until `end` completes.
    pub async fn run_until<F: Future<Output = ()>>(self, end: F) {
        let limits = self.lab.options.limits;
        let mut http = http1::Builder::new();
        // An incomplete request must not hold a connection.
        http.timer(TokioTimer::new()).header_read_timeout(limits.request_timeout);
        let connections = Arc::new(Semaphore::new(limits.connections.max(1)));
        let app = router(self.lab);
        tokio::pin!(end);
        loop {
            let next = async {
                let permit = Arc::clone(&connections).acquire_owned().await;
                (accept(&self.listener).await, permit)
            };
            let (stream, permit) = tokio::select! {
                next = next => next,
                () = &mut end => return,
            };
            let served = serve_connection(&http, stream, limits.request_timeout, app.clone());
            tokio::spawn(async move {
                served.await;
                drop(permit);
            });
        }
    }
}

async fn accept(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return stream,
            Err(_) => tokio::time::sleep(ACCEPT_RETRY_DELAY).await,
        }
    }
}

/// Serves the requests of one connection.
fn serve_connection(
    http: &http1::Builder,
    stream: TcpStream,
    timeout: Duration,
    app: Router,
) -> impl Future<Output = ()> + use<> {
    // A move causes two short messages, the person's action and the bot's. With Nagle's
    // algorithm the second would wait up to 40 ms for the acknowledgement of the first. A
    // failure costs only speed.
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(app);
    let stream = TokioIo::new(WriteTimeout::new(stream, timeout));
    let connection = http.serve_connection(stream, service).with_upgrades();
    async move {
        // An error only means that the peer closed the connection.
        let _ = connection.await;
    }
}

/// Returns the URL of the page, with the token.
#[must_use]
pub fn link(address: SocketAddr, token: Option<&str>) -> String {
    match token {
        Some(token) => {
            let token = utf8_percent_encode(token, NON_ALPHANUMERIC);
            format!("http://{address}/?token={token}")
        }
        None => format!("http://{address}/"),
    }
}

/// Serves until Ctrl-C; calls `ready` with the address once the server listens.
///
/// # Errors
///
/// As for [`Server::bind`].
pub fn serve(options: Options, ready: impl FnOnce(SocketAddr)) -> Result<(), LabError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(SearchSlots::threads(options.limits.searches))
        .enable_all()
        .build()
        .map_err(LabError::Serve)?;
    let result = runtime.block_on(async {
        let server = Server::bind(options).await?;
        ready(server.address);
        // No graceful shutdown: pages keep their connections open.
        server.run_until(async { drop(tokio::signal::ctrl_c().await) }).await;
        Ok(())
    });
    // Running searches are abandoned.
    runtime.shutdown_background();
    result
}
