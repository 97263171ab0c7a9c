//! What happened to an event, for those who ask; free for those who do not.

/// Why an entry did not take an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skip {
    /// It is for another kind of event.
    Kind,
    /// It is about other things.
    Subject,
    /// A condition of its gate does not hold.
    Gate,
    /// Its gate holds, but an earlier phase is the one consulted.
    PhaseShadowed,
    /// Its exclusivity group has applied already.
    Masked,
    /// This predicate does not hold.
    Ignored(&'static str),
    /// It refuses the event, for this reason.
    Invalid(&'static str),
}

/// Somebody who watches a plan at work.
///
/// Whether anything is told is decided by the type, so a plan that nobody
/// watches pays nothing.
pub trait Observer {
    /// Whether to tell at all.
    const ON: bool;

    /// An entry did not take the event.
    fn skipped(&mut self, entry: usize, why: Skip);

    /// An entry took the event.
    fn applied(&mut self, entry: usize);
}

/// Nobody.
#[derive(Clone, Copy, Debug)]
pub struct Unwatched;

impl Observer for Unwatched {
    const ON: bool = false;

    fn skipped(&mut self, _entry: usize, _why: Skip) {}

    fn applied(&mut self, _entry: usize) {}
}

/// A record of what happened, entry by entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Entries that did not take the event.
    pub skipped: Vec<(usize, Skip)>,
    /// Entries that did.
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
