//! Sequences of mutators, as a list and fused into one function.

use crate::{Mutator, RuleSet};

/// A sequence of mutators that a plan runs as one function: built by
/// [`changes!`](crate::changes), used by [`Rules::then_all`](crate::Rules::then_all).
#[derive(Clone, Copy, Debug)]
pub struct Changes<R: RuleSet> {
    pub(crate) steps: &'static [Mutator<R>],
    pub(crate) fused: Change<R>,
}

/// A function that changes a state by an event.
pub(crate) type Change<R> = fn(&mut <R as RuleSet>::State, &<R as RuleSet>::Event);

impl<R: RuleSet> Changes<R> {
    /// Creates a sequence from its mutators and a function that does the same. The tree
    /// runs the mutators and the plan the function, so parity detects a difference;
    /// with `changes!` there cannot be one.
    #[must_use]
    pub const fn new(steps: &'static [Mutator<R>], fused: fn(&mut R::State, &R::Event)) -> Self {
        Self { steps, fused }
    }
}

/// Builds the [`Changes`](crate::Changes) of several constant mutators. The compiler
/// inlines all of them into one function, which is faster than calls one by one.
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
