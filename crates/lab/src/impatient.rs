//! A connection whose peer must read: a write that waits too long ends it.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A stream with a limit on how long a write may wait. Without one, whoever asks for much
/// and reads nothing keeps a connection for ever.
#[derive(Debug)]
pub(crate) struct Impatient<S> {
    stream: S,
    patience: Duration,
    /// Runs while a write waits.
    late: Option<Pin<Box<Sleep>>>,
}

impl<S> Impatient<S> {
    pub(crate) const fn new(stream: S, patience: Duration) -> Self {
        Self { stream, patience, late: None }
    }

    /// What a write came to, unless it has waited too long.
    fn in_time<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.late = None;
            return written;
        }
        let late = self.late.get_or_insert_with(|| Box::pin(sleep(self.patience)));
        late.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Impatient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Impatient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.in_time(context, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.in_time(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(context);
        self.in_time(context, shut)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    #[tokio::test]
    async fn whoever_does_not_read_is_not_waited_for() {
        let (ours, mut theirs) = duplex(16);
        let mut ours = Impatient::new(ours, Duration::from_millis(20));
        ours.write_all(&[0; 16]).await.unwrap();
        let late = ours.write_all(&[0; 16]).await.unwrap_err();
        assert_eq!(late.kind(), io::ErrorKind::TimedOut);
        let (ours, mut reader) = duplex(16);
        let mut ours = Impatient::new(ours, Duration::from_secs(60));
        let writing = tokio::spawn(async move { ours.write_all(&[7; 100]).await });
        let mut read = [0; 100];
        reader.read_exact(&mut read).await.unwrap();
        writing.await.unwrap().unwrap();
        assert_eq!(read, [7; 100]);
        theirs.read_exact(&mut read[..16]).await.unwrap();
    }
}
