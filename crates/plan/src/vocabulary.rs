//! The vocabulary of descriptions: events, subjects, conditions, predicates, mutators
//! and artifacts.

use std::fmt;
use std::ops::ControlFlow;

use crate::generate::bits;

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// A player's move.
    Move,
    /// A chance outcome: dice or drawn cards.
    Roll,
    /// A change of state that is no move.
    State,
    /// A phase begins or ends.
    Phase,
    /// A kind that the game defines.
    Custom1,
    /// Another kind that the game defines.
    Custom2,
    /// Every kind; for rules only, not for events.
    Any,
}

impl EventKind {
    /// The kinds that events can have.
    pub const CONCRETE: [Self; 6] =
        [Self::Move, Self::Roll, Self::State, Self::Phase, Self::Custom1, Self::Custom2];

    /// Returns whether a rule for `self` matches events of kind `other`.
    #[inline]
    #[must_use]
    pub fn covers(self, other: Self) -> bool {
        self == Self::Any || self == other
    }

    /// The kind as an index into [`CONCRETE`](Self::CONCRETE).
    #[inline]
    pub(crate) fn index(self) -> usize {
        self as usize
    }
}

/// A set of subjects, the up to 64 classes of things that events move.
///
/// In chess the subjects are the kinds of pieces; a game that needs none has the
/// single subject 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subjects(pub u64);

impl Subjects {
    /// All subjects.
    pub const ALL: Self = Self(u64::MAX);

    /// One subject.
    #[must_use]
    pub const fn one(subject: u8) -> Self {
        Self(1 << subject)
    }

    /// Returns whether `subject` is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, subject: u8) -> bool {
        self.0 >> subject & 1 == 1
    }
}

/// The types and the geometry of a rule-described game.
///
/// An event has a source and a target, both below 64 (a square, a point, a column;
/// 0 if there is none), and a variant that distinguishes events with the same source
/// and target (such as the piece of a promotion).
pub trait RuleSet: Copy + fmt::Debug + Send + Sync + 'static {
    /// The state: a plain value.
    type State: Copy + PartialEq + fmt::Debug + Send + Sync;
    /// The events.
    type Event: Copy + PartialEq + fmt::Debug + Send + Sync;
    /// Derived data that the set forms of predicates share, computed once per state
    /// (in chess: attacked squares, pins).
    type Facts;

    /// Computes the facts of a state.
    fn facts(state: &Self::State) -> Self::Facts;

    /// Returns the kind of an event.
    fn kind(event: &Self::Event) -> EventKind;

    /// Returns the subject of an event, below 64, if it has one.
    fn subject(state: &Self::State, event: &Self::Event) -> Option<u8>;

    /// Returns the set of sources of this subject, the squares of its movable
    /// pieces; for rules without subjects the single source 0.
    fn sources(state: &Self::State, facts: &Self::Facts, subject: u8) -> u64;

    /// Visits the `sources` of this subject in ascending order, each with the targets that it
    /// reaches, for predicates with the set form [`Targets::Reach`].
    ///
    /// Unlike a set form it is no function pointer, so that generation inlines it.
    #[inline]
    fn visit_reached(
        _state: &Self::State,
        _facts: &Self::Facts,
        _subject: u8,
        sources: u64,
        visit: impl FnMut(u8, u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        visit_each(sources, |_| u64::MAX, visit)
    }

    /// Returns true if a cheap test proves that some event is legal; false if that
    /// is not known. It only speeds up [`Plan::has_legal`](crate::Plan::has_legal).
    #[inline]
    fn surely_has_event(_state: &Self::State, _facts: &Self::Facts) -> bool {
        false
    }

    /// Builds the event of a rule for `kind`, from a source to a target.
    fn event(kind: EventKind, source: u8, target: u8, variant: u8) -> Self::Event;
}

/// Visits `sources` in ascending order, each with the targets that it reaches: an
/// implementation of [`RuleSet::visit_reached`] for one subject.
#[inline(always)]
pub fn visit_each(
    sources: u64,
    reach: impl Fn(u8) -> u64,
    mut visit: impl FnMut(u8, u64) -> ControlFlow<()>,
) -> ControlFlow<()> {
    bits(sources).try_for_each(|source| visit(source as u8, reach(source as u8)))
}

/// A test of a state; the gates of phases consist of conditions.
pub struct Condition<R: RuleSet> {
    /// Its name.
    pub name: &'static str,
    /// Tests a state.
    pub holds: fn(&R::State) -> bool,
}

/// A test of an event in a state.
///
/// The scalar form tests one event; the set form yields all targets at once. Both
/// must agree, which [`Parity`](crate::Parity) checks.
pub struct Predicate<R: RuleSet> {
    /// Its name; predicates with the same name are the same predicate.
    pub name: &'static str,
    /// The scalar form: tests one event.
    pub holds: fn(&R::State, &R::Event) -> bool,
    /// The set form: the targets for which it holds.
    pub targets: Targets<R>,
}

/// The set form of a predicate.
pub enum Targets<R: RuleSet> {
    /// It holds for every generated event.
    All,
    /// The targets are the same for every source.
    OfState(fn(&R::State, &R::Facts) -> u64),
    /// The targets depend on the source.
    OfSource(fn(&R::State, &R::Facts, u8) -> u64),
    /// The targets are those of [`RuleSet::visit_reached`]; for entries with subjects.
    Reach,
    /// The targets are the same for most sources (in chess: all but pinned pieces).
    Mostly {
        /// The targets of a usual source.
        usual: fn(&R::State, &R::Facts) -> u64,
        /// The exceptional sources.
        except: fn(&R::State, &R::Facts) -> u64,
        /// The targets of an exceptional source.
        of_source: fn(&R::State, &R::Facts, u8) -> u64,
    },
    /// The targets are fixed steps from each source, so that the events of all
    /// sources are generated set-wise, by shifts of bitboards.
    Steps(fn(&R::State, &R::Facts) -> [Step; 2]),
    /// There is no set form: candidates are tested one by one.
    OneByOne,
}

/// A fixed step from each of a set of sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The rotation to the left that takes the sources to their targets.
    by: u32,
    from: u64,
}

impl Step {
    /// No step.
    pub const NONE: Self = Self { by: 0, from: 0 };

    /// The step to target `source + by` from each of the sources `from`; sources
    /// from which it would leave 0 to 63 are excluded.
    ///
    /// # Panics
    ///
    /// Panics unless `by` is within -63 and 63.
    #[inline]
    #[must_use]
    pub const fn new(by: i8, from: u64) -> Self {
        let distance = by.unsigned_abs() as u32;
        let on_board = if by < 0 { u64::MAX << distance } else { u64::MAX >> distance };
        Self { by: by as u32 & 63, from: from & on_board }
    }

    /// The sources.
    #[inline]
    pub(crate) const fn sources(self) -> u64 {
        self.from
    }

    /// The rotation to the left that takes sources to targets.
    #[inline]
    pub(crate) const fn rotation(self) -> u8 {
        self.by as u8
    }

    /// Restricts the step to these sources.
    #[inline]
    pub(crate) const fn only(self, sources: u64) -> Self {
        Self { by: self.by, from: self.from & sources }
    }

    /// Restricts the step to these targets.
    #[inline]
    pub(crate) const fn only_to(self, targets: u64) -> Self {
        self.only(targets.rotate_right(self.by))
    }

    /// Adds a source.
    #[inline]
    pub(crate) const fn and(self, source: u8) -> Self {
        Self { by: self.by, from: self.from | 1 << source }
    }

    /// The targets of all sources.
    #[inline]
    pub(crate) const fn targets(self) -> u64 {
        self.from.rotate_left(self.by)
    }

    /// The target of one source, as a set; empty if the source is not included.
    #[inline]
    pub(crate) const fn target_of(self, source: u8) -> u64 {
        self.only(1 << source).targets()
    }
}

/// A named change of the state by an event.
pub struct Mutator<R: RuleSet> {
    /// Its name.
    pub name: &'static str,
    /// Applies the change.
    pub change: fn(&mut R::State, &R::Event),
}

/// A named part of the state, cell by cell: for reports of differences between
/// states, and for observations.
pub struct Artifact<R: RuleSet> {
    /// Its name.
    pub name: &'static str,
    /// Its number of cells.
    pub cells: usize,
    /// Reads a cell from the view of a seat: state, seat, cell.
    pub read: fn(&R::State, usize, usize) -> i32,
    /// The values of a cell.
    pub values: Values,
    /// The seats that observe it.
    pub seen_by: SeenBy,
}

/// The values of an artifact's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// A count from 0 to this maximum.
    UpTo(i32),
    /// A category, from 0 to this number exclusively.
    OneOf(i32),
    /// A flag, 0 or 1.
    Flag,
}

/// The seats that observe an artifact.
#[derive(Clone, Copy, Debug)]
pub enum SeenBy {
    /// All seats.
    All,
    /// Only the seat that owns the cell; the function maps cells to seats.
    Owner(fn(usize) -> usize),
    /// No seat: internal bookkeeping.
    Nobody,
}

macro_rules! plain {
    ($($name:ident),*) => {$(
        impl<R: RuleSet> Clone for $name<R> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<R: RuleSet> Copy for $name<R> {}

        impl<R: RuleSet> fmt::Debug for $name<R> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.name)
            }
        }
    )*};
}

// Derived implementations would require `R: Clone` and the like, which function
// pointers do not need.
plain!(Condition, Predicate, Mutator, Artifact);

impl<R: RuleSet> Clone for Targets<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: RuleSet> Copy for Targets<R> {}

impl<R: RuleSet> fmt::Debug for Targets<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::All => "All",
            Self::OfState(_) => "OfState",
            Self::OfSource(_) => "OfSource",
            Self::Reach => "Reach",
            Self::Mostly { .. } => "Mostly",
            Self::Steps(_) => "Steps",
            Self::OneByOne => "OneByOne",
        })
    }
}
