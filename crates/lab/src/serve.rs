//! A server on a socket.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::serve::ListenerExt;
use tokio::net::TcpListener;

use crate::lab::{Lab, LabError};
use crate::{Options, router};

/// A server that listens already.
#[derive(Debug)]
pub struct Serving {
    listener: TcpListener,
    lab: Arc<Lab>,
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
        let failed = |error| LabError::Listen { address, error };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self { listener, lab, address })
    }

    /// Answers until `end` is done.
    ///
    /// # Errors
    ///
    /// When the socket fails.
    pub async fn until<F>(self, end: F) -> Result<(), LabError>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        // A move is answered by two short messages, the person's and the bot's: the second
        // must not wait until the first is acknowledged, which takes up to 40 ms.
        let listener = self.listener.tap_io(|stream| {
            // Without it the server is slower, and no less right.
            let _ = stream.set_nodelay(true);
        });
        axum::serve(listener, router(self.lab))
            .with_graceful_shutdown(end)
            .await
            .map_err(LabError::Serve)
    }
}

/// Serves until Ctrl-C; `ready` is told the address once the server listens.
///
/// # Errors
///
/// As for [`Serving::begin`], and when the socket fails.
pub fn serve(options: Options, ready: impl FnOnce(SocketAddr)) -> Result<(), LabError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(LabError::Serve)?;
    let result = runtime.block_on(async {
        let serving = Serving::begin(options).await?;
        ready(serving.address);
        // Pages keep their connections open: who asks to end is not made to wait for them.
        tokio::select! {
            ended = serving.until(std::future::pending()) => ended,
            _ = tokio::signal::ctrl_c() => Ok(()),
        }
    });
    // Searches under way end by themselves; nobody reads what they find.
    runtime.shutdown_background();
    result
}
