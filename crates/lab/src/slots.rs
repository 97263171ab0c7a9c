//! Search slots: a semaphore that limits running searches; a paused search holds no slot.

use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

/// The maximum number of paused searches. Each blocks a thread, so pauses must not exhaust the
/// thread pool; a search beyond this limit runs on to its end.
const MAX_PAUSED: usize = 64;
/// Threads for other blocking work: files and commands.
const OTHER_THREADS: usize = 64;

/// The search slots of a server.
#[derive(Debug)]
pub(crate) struct SearchSlots {
    running: Arc<Semaphore>,
    paused: Arc<Semaphore>,
    capacity: usize,
}

impl SearchSlots {
    pub(crate) fn new(searches: usize) -> Self {
        let capacity = searches.max(1);
        let paused = Arc::new(Semaphore::new(MAX_PAUSED));
        Self { running: Arc::new(Semaphore::new(capacity)), paused, capacity }
    }

    /// Returns the number of threads that searches and other blocking work need at once.
    pub(crate) fn threads(searches: usize) -> usize {
        searches.max(1) + MAX_PAUSED + OTHER_THREADS
    }

    /// Waits for a free slot.
    pub(crate) async fn acquire(&self) -> Result<SearchSlot, AcquireError> {
        let running = Arc::clone(&self.running).acquire_owned().await?;
        Ok(SearchSlot {
            running: Some(running),
            paused: Arc::clone(&self.paused),
            runtime: Handle::current(),
        })
    }

    /// Returns the number of slots.
    pub(crate) const fn capacity(&self) -> usize {
        self.capacity
    }

    /// Returns the number of occupied slots.
    pub(crate) fn in_use(&self) -> usize {
        self.capacity - self.running.available_permits()
    }
}

/// An occupied slot, released when dropped.
#[derive(Debug)]
pub(crate) struct SearchSlot {
    running: Option<OwnedSemaphorePermit>,
    paused: Arc<Semaphore>,
    runtime: Handle,
}

impl SearchSlot {
    /// Releases the slot during `wait`, and reacquires it if `wait` returns true. Returns at
    /// once if too many searches are paused already. Must be called on a thread that may block.
    pub(crate) fn release_while(&mut self, wait: impl FnOnce() -> bool) {
        let Ok(_paused) = self.paused.try_acquire() else { return };
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
    async fn a_slot_is_free_while_its_search_is_paused() {
        let slots = Arc::new(SearchSlots::new(1));
        let mut slot = slots.acquire().await.unwrap();
        assert_eq!(slots.in_use(), 1);
        let others = Arc::clone(&slots);
        tokio::task::spawn_blocking(move || {
            slot.release_while(|| others.in_use() == 0);
            assert_eq!(others.in_use(), 1);
            slot.release_while(|| false);
            assert_eq!(others.in_use(), 0, "a stopped search needs no slot");
        })
        .await
        .unwrap();
        assert_eq!(slots.in_use(), 0);
    }

    #[tokio::test]
    async fn paused_searches_are_limited() {
        let slots = SearchSlots::new(1);
        let _all = slots.paused.acquire_many(MAX_PAUSED as u32).await.unwrap();
        let mut slot = slots.acquire().await.unwrap();
        slot.release_while(|| panic!("must not wait"));
        assert_eq!(slots.in_use(), 1);
    }
}
