//! Observers of event handling, at no cost where none is used.

/// The reason why an entry did not take an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skip {
    /// It is for another kind of event.
    Kind,
    /// It is for other subjects.
    Subject,
    /// A condition of its gate does not hold.
    Gate,
    /// Its leaf is open, but only an earlier leaf is consulted.
    PhaseShadowed,
    /// Its exclusivity group has applied already.
    Masked,
    /// It ignores the event, because this predicate does not hold.
    Ignored(&'static str),
    /// It rejects the event, for this reason.
    Invalid(&'static str),
}

/// An observer of event handling.
///
/// Whether it is notified is a constant of the type, so that a plan without observer
/// pays nothing.
pub trait Observer {
    /// Whether to notify this observer.
    const ON: bool;

    /// Called for an entry that did not take the event.
    fn skipped(&mut self, entry: usize, why: Skip);

    /// Called for an entry that took the event.
    fn applied(&mut self, entry: usize);
}

/// No observer.
#[derive(Clone, Copy, Debug)]
pub struct NoObserver;

impl Observer for NoObserver {
    const ON: bool = false;

    fn skipped(&mut self, _entry: usize, _why: Skip) {}

    fn applied(&mut self, _entry: usize) {}
}

/// An observer that records every entry's part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Entries that did not take the event.
    pub skipped: Vec<(usize, Skip)>,
    /// Entries that took it.
    pub applied: Vec<usize>,
}

impl Observer for Trace {
    const ON: bool = true;

    fn skipped(&mut self, entry: usize, why: Skip) {
        self.skipped.push((entry, why));
    }

    fn applied(&mut self, entry: usize) {
        self.applied.push(entry);
    }
}
