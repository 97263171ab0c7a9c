//! Changes that follow one another, as a list and as one function.

use crate::{Mutator, RuleSet};

/// Several mutators in turn, which a plan runs as one function: made by
/// [`changes!`](crate::changes), used by [`Rules::then_all`](crate::Rules::then_all).
#[derive(Clone, Copy, Debug)]
pub struct Changes<R: RuleSet> {
    pub(crate) steps: &'static [Mutator<R>],
    pub(crate) at_once: Change<R>,
}

/// What changes a state.
pub(crate) type Change<R> = fn(&mut <R as RuleSet>::State, &<R as RuleSet>::Event);

impl<R: RuleSet> Changes<R> {
    /// Mutators, and a function that does what they do in turn. The tree runs the
    /// one and the plan the other, so parity tells when they differ; `changes!`
    /// leaves no room for it.
    #[must_use]
    pub const fn new(steps: &'static [Mutator<R>], at_once: fn(&mut R::State, &R::Event)) -> Self {
        Self { steps, at_once }
    }
}

/// The [`Changes`](crate::Changes) of several constant mutators in turn. The compiler
/// sees all of them together, so they cost less than one by one.
///
/// ```
/// use meeple_plan::{Changes, EventKind, Mutator, RuleSet, changes};
///
/// #[derive(Clone, Copy, Debug)]
/// struct Counting;
///
/// impl RuleSet for Counting {
///     type State = i32;
///     type Event = i32;
///     type Facts = ();
///     fn facts(_: &i32) {}
///     fn kind(_: &i32) -> EventKind {
///         EventKind::Move
///     }
///     fn subject(_: &i32, _: &i32) -> Option<u8> {
///         None
///     }
///     fn sources(_: &i32, (): &(), _: u8) -> u64 {
///         1
///     }
///     fn event(_: EventKind, _: u8, target: u8, _: u8) -> i32 {
///         target.into()
///     }
/// }
///
/// const ADD: Mutator<Counting> = Mutator { name: "add", change: |sum, number| *sum += number };
/// const DOUBLE: Mutator<Counting> = Mutator { name: "double", change: |sum, _| *sum *= 2 };
///
/// const BOTH: Changes<Counting> = changes![ADD, DOUBLE];
/// ```
#[macro_export]
macro_rules! changes {
    ($($mutator:expr),+ $(,)?) => {
        $crate::Changes::new(&[$($mutator),+], |state, event| {
            $(($mutator.change)(state, event);)+
        })
    };
}
