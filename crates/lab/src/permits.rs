//! Permits to compute: each search that runs holds one, and one that waits holds none.

use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

/// Searches that can be held in their middle. Each keeps a thread, so that many pauses
/// must not use up all threads; a search that cannot be held goes on to its end.
const MOST_HELD: usize = 64;
/// Threads for whatever else may block: files and commands.
const OTHER_THREADS: usize = 64;

/// The permits of a server.
#[derive(Debug)]
pub(crate) struct Permits {
    running: Arc<Semaphore>,
    held: Arc<Semaphore>,
    most: usize,
}

impl Permits {
    pub(crate) fn new(searches: usize) -> Self {
        let most = searches.max(1);
        let held = Arc::new(Semaphore::new(MOST_HELD));
        Self { running: Arc::new(Semaphore::new(most)), held, most }
    }

    /// Threads that searches and all else that blocks may need at once.
    pub(crate) fn threads(searches: usize) -> usize {
        searches.max(1) + MOST_HELD + OTHER_THREADS
    }

    /// Waits for a permit.
    pub(crate) async fn take(&self) -> Result<Permit, AcquireError> {
        let running = Arc::clone(&self.running).acquire_owned().await?;
        Ok(Permit {
            running: Some(running),
            held: Arc::clone(&self.held),
            runtime: Handle::current(),
        })
    }

    /// Permits that exist.
    pub(crate) const fn most(&self) -> usize {
        self.most
    }

    /// Permits that are held.
    pub(crate) fn taken(&self) -> usize {
        self.most - self.running.available_permits()
    }
}

/// Leave to compute, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    running: Option<OwnedSemaphorePermit>,
    held: Arc<Semaphore>,
    runtime: Handle,
}

impl Permit {
    /// Gives the permit back while `wait` waits, and takes it again if that says that there
    /// is more to do. Does not wait where too many wait already. Must be called on a thread
    /// that may block.
    pub(crate) fn lend(&mut self, wait: impl FnOnce() -> bool) {
        let Ok(_held) = self.held.try_acquire() else { return };
        let Some(running) = self.running.take() else { return };
        let semaphore = Arc::clone(running.semaphore());
        drop(running);
        if wait() {
            self.running = self.runtime.block_on(semaphore.acquire_owned()).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_permit_is_free_while_it_is_lent() {
        let permits = Arc::new(Permits::new(1));
        let mut permit = permits.take().await.unwrap();
        assert_eq!(permits.taken(), 1);
        let others = Arc::clone(&permits);
        tokio::task::spawn_blocking(move || {
            permit.lend(|| others.taken() == 0);
            assert_eq!(others.taken(), 1);
            permit.lend(|| false);
            assert_eq!(others.taken(), 0, "whoever is stopped needs no permit");
        })
        .await
        .unwrap();
        assert_eq!(permits.taken(), 0);
    }

    #[tokio::test]
    async fn only_so_many_are_held() {
        let permits = Permits::new(1);
        let _all = permits.held.acquire_many(MOST_HELD as u32).await.unwrap();
        let mut permit = permits.take().await.unwrap();
        permit.lend(|| panic!("nobody waits"));
        assert_eq!(permits.taken(), 1);
    }
}
