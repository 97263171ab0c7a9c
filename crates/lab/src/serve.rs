//! A server on a socket.

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

use crate::impatient::Impatient;
use crate::lab::{Lab, LabError};
use crate::permits::Permits;
use crate::{Options, router};

/// How long the server rests when it cannot take a connection: too many files are open.
const REST: Duration = Duration::from_millis(200);

/// A server that listens already.
#[derive(Debug)]
pub struct Serving {
    listener: TcpListener,
    lab: Arc<Lab>,
    /// Held so that no other server writes the same sessions.
    _lock: Lock,
    /// Where it listens.
    pub address: SocketAddr,
}

impl Serving {
    /// Takes the address that the options name.
    ///
    /// # Errors
    ///
    /// As for [`Lab::open`], and when the address cannot be listened on.
    pub async fn begin(options: Options) -> Result<Self, LabError> {
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

    /// Answers until `end` is done.
    pub async fn until<F: Future<Output = ()>>(self, end: F) {
        let limits = self.lab.options.limits;
        let mut http = http1::Builder::new();
        // Whoever begins a request and does not go on makes room for others.
        http.timer(TokioTimer::new()).header_read_timeout(limits.patience);
        let connections = Arc::new(Semaphore::new(limits.connections.max(1)));
        let app = router(self.lab);
        tokio::pin!(end);
        loop {
            let next = async {
                let place = Arc::clone(&connections).acquire_owned().await;
                (accept(&self.listener).await, place)
            };
            let (stream, place) = tokio::select! {
                next = next => next,
                () = &mut end => return,
            };
            let answered = answer(&http, stream, limits.patience, app.clone());
            tokio::spawn(async move {
                answered.await;
                drop(place);
            });
        }
    }
}

async fn accept(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return stream,
            Err(_) => tokio::time::sleep(REST).await,
        }
    }
}

/// Answers the requests of one connection.
fn answer(
    http: &http1::Builder,
    stream: TcpStream,
    patience: Duration,
    app: Router,
) -> impl Future<Output = ()> + use<> {
    // A move is answered by two short messages, the person's and the bot's: the second must
    // not wait until the first is acknowledged, which takes up to 40 ms. Without it the
    // server is slower, and no less right.
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(app);
    let stream = TokioIo::new(Impatient::new(stream, patience));
    let connection = http.serve_connection(stream, service).with_upgrades();
    async move {
        // Whoever hangs up in the middle is gone all the same.
        let _ = connection.await;
    }
}

/// The address of the page on a server, with its token.
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

/// Serves until Ctrl-C; `ready` is told the address once the server listens.
///
/// # Errors
///
/// As for [`Serving::begin`].
pub fn serve(options: Options, ready: impl FnOnce(SocketAddr)) -> Result<(), LabError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(Permits::threads(options.limits.searches))
        .enable_all()
        .build()
        .map_err(LabError::Serve)?;
    let result = runtime.block_on(async {
        let serving = Serving::begin(options).await?;
        ready(serving.address);
        // Pages keep their connections open: who asks to end is not made to wait for them.
        serving.until(async { drop(tokio::signal::ctrl_c().await) }).await;
        Ok(())
    });
    // Searches under way end by themselves; nobody reads what they find.
    runtime.shutdown_background();
    result
}
