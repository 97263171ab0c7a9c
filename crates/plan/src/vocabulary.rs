//! The words a game is described in: events, subjects, conditions, predicates,
//! mutators and artifacts.

use std::fmt;

/// What sort of thing an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// A player moves something.
    Move,
    /// Dice fall, cards are drawn.
    Roll,
    /// Something about the state is set.
    State,
    /// A phase begins or ends.
    Phase,
    /// A kind of the game's own.
    Custom1,
    /// Another kind of the game's own.
    Custom2,
    /// Every kind: for rules, not for events.
    Any,
}

impl EventKind {
    /// The kinds an event can have.
    pub const CONCRETE: [Self; 6] =
        [Self::Move, Self::Roll, Self::State, Self::Phase, Self::Custom1, Self::Custom2];

    /// Whether a rule for `self` is for events of kind `other`.
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

/// A set of subjects: the classes of things, up to 64, that events are about.
///
/// In chess the subjects are the kinds of pieces; a game that needs none has
/// the single subject 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subjects(pub u64);

impl Subjects {
    /// Every subject.
    pub const ALL: Self = Self(u64::MAX);

    /// One subject.
    #[must_use]
    pub const fn one(subject: u8) -> Self {
        Self(1 << subject)
    }

    /// Whether `subject` is among them.
    #[inline]
    #[must_use]
    pub const fn contains(self, subject: u8) -> bool {
        self.0 >> subject & 1 == 1
    }
}

/// The types and the geometry of a rule-described game.
///
/// An event has a source and a target, both below 64 (a square, a point, a
/// column; 0 where there is none), and a variant that tells apart events with
/// the same source and target (what a pawn is promoted to).
pub trait RuleSet: Copy + fmt::Debug + Send + Sync + 'static {
    /// The state: a plain value.
    type State: Copy + PartialEq + fmt::Debug + Send + Sync;
    /// What can happen to it.
    type Event: Copy + PartialEq + fmt::Debug + Send + Sync;
    /// What the set forms of predicates share, worked out once for a state.
    type Facts;

    /// Works out the facts.
    fn facts(state: &Self::State) -> Self::Facts;

    /// The kind of an event.
    fn kind(event: &Self::Event) -> EventKind;

    /// What the event is about, below 64; nothing where there is nothing.
    fn subject(state: &Self::State, event: &Self::Event) -> Option<u8>;

    /// Where things of this subject stand that may be the source of an event; one
    /// bit, that of source 0, for rules without subjects.
    fn sources(state: &Self::State, facts: &Self::Facts, subject: u8) -> u64;

    /// Whether a glance shows that some event is legal; false when it takes more
    /// than a glance. Most states of most games have one.
    #[inline]
    fn surely_has_event(_state: &Self::State, _facts: &Self::Facts) -> bool {
        false
    }

    /// The event of a rule for `kind`, from a source to a target.
    fn event(kind: EventKind, source: u8, target: u8, variant: u8) -> Self::Event;
}

/// Something that holds in a state or does not; gates of phases.
pub struct Condition<R: RuleSet> {
    /// Its name.
    pub name: &'static str,
    /// Whether it holds.
    pub holds: fn(&R::State) -> bool,
}

/// Something that holds of an event in a state or does not.
///
/// The scalar form judges one event; the set form yields all targets at once.
/// Both must agree, which parity checks.
pub struct Predicate<R: RuleSet> {
    /// Its name; predicates of one name are one predicate.
    pub name: &'static str,
    /// Whether it holds.
    pub holds: fn(&R::State, &R::Event) -> bool,
    /// The targets for which it holds.
    pub targets: Targets<R>,
}

/// The set form of a predicate.
pub enum Targets<R: RuleSet> {
    /// It holds for every event that is generated.
    All,
    /// The targets are the same for every source.
    OfState(fn(&R::State, &R::Facts) -> u64),
    /// The targets depend on the source.
    OfSource(fn(&R::State, &R::Facts, u8) -> u64),
    /// The targets are the same for most sources.
    Mostly {
        /// The targets of an ordinary source.
        usual: fn(&R::State, &R::Facts) -> u64,
        /// The sources that are not ordinary.
        except: fn(&R::State, &R::Facts) -> u64,
        /// The targets of one that is not.
        of_source: fn(&R::State, &R::Facts, u8) -> u64,
    },
    /// From every source the same steps lead to the targets, so that all sources
    /// are dealt with at once.
    Steps(fn(&R::State, &R::Facts) -> [Step; 2]),
    /// There is none: candidates are judged one by one.
    OneByOne,
}

/// A step from each of several sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    by: i8,
    from: u64,
}

impl Step {
    /// No step at all.
    pub const NONE: Self = Self { by: 0, from: 0 };

    /// A step from source to target `source + by`, open to the sources `from`;
    /// those from which it would lead below 0 or above 63 do not count.
    ///
    /// # Panics
    ///
    /// Panics unless `by` lies within -63 and 63.
    #[inline]
    #[must_use]
    pub const fn new(by: i8, from: u64) -> Self {
        let far = by.unsigned_abs() as u32;
        let room = if by < 0 { u64::MAX << far } else { u64::MAX >> far };
        Self { by, from: from & room }
    }

    /// The sources.
    #[inline]
    pub(crate) const fn sources(self) -> u64 {
        self.from
    }

    /// The same step from fewer sources.
    #[inline]
    pub(crate) const fn only(self, sources: u64) -> Self {
        Self { by: self.by, from: self.from & sources }
    }

    /// The same step to fewer targets.
    #[inline]
    pub(crate) const fn only_to(self, targets: u64) -> Self {
        self.only(targets.rotate_right(self.by as u32 & 63))
    }

    /// The same step from one source more.
    #[inline]
    pub(crate) const fn and(self, source: u8) -> Self {
        Self { by: self.by, from: self.from | 1 << source }
    }

    /// Where the step leads from all its sources.
    #[inline]
    pub(crate) const fn targets(self) -> u64 {
        self.from.rotate_left(self.by as u32 & 63)
    }

    /// Where it leads from one source: one target or none.
    #[inline]
    pub(crate) const fn target_of(self, source: u8) -> u64 {
        self.only(1 << source).targets()
    }
}

/// A change of state by an event.
pub struct Mutator<R: RuleSet> {
    /// Its name.
    pub name: &'static str,
    /// Makes the change.
    pub change: fn(&mut R::State, &R::Event),
}

/// A named part of the state, cell by cell: what a difference between two
/// states is told by, and what players may see of them.
pub struct Artifact<R: RuleSet> {
    /// Its name.
    pub name: &'static str,
    /// How many cells it has.
    pub cells: usize,
    /// The value of a cell as a seat sees it: state, seat, cell.
    pub read: fn(&R::State, usize, usize) -> i32,
    /// What a cell holds.
    pub values: Values,
    /// Who sees it.
    pub seen_by: SeenBy,
}

/// What a cell of an artifact holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// An amount from 0 to this.
    UpTo(i32),
    /// One of so many things without order, numbered from 0.
    OneOf(i32),
    /// No (0) or yes (1).
    Flag,
}

/// Who sees an artifact.
#[derive(Clone, Copy, Debug)]
pub enum SeenBy {
    /// Everybody.
    All,
    /// Only the seat that owns the cell, told by its number.
    Owner(fn(usize) -> usize),
    /// Nobody: it is bookkeeping.
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

// Derived implementations would ask for `R: Clone` and the like, which the
// function pointers do not need.
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
            Self::Mostly { .. } => "Mostly",
            Self::Steps(_) => "Steps",
            Self::OneByOne => "OneByOne",
        })
    }
}
