//! Games described as phases and rules, compiled to a decision plan.
//!
//! A game names the things events are about, the conditions of its phases, the
//! predicates of its rules and the changes they make. [`Rules::compile`] turns
//! that into a flat [`Plan`] that handles events quickly and, read backwards,
//! generates every legal one. The [`Tree`] walks the same description as it was
//! written, and [`Parity`] holds the two against each other.
//!
//! # What the words mean
//!
//! - **Verdict.** A rule says one of three things to an event. It *ignores* it
//!   when it is for another kind or subject or one of its `require` predicates
//!   does not hold. It says *invalid*, with a reason, when all of those hold and
//!   one of its `ensure` predicates does not. Else the event is *valid*.
//! - **Phases.** Rules live in the leaves of a tree of phases. A leaf is open when
//!   its own conditions and those of every phase around it hold (all of them).
//! - **Which leaf is consulted.** By default ([`Conflict::FirstActiveLeaf`]) the
//!   first open leaf, in the order of description, is the only one consulted; an
//!   event that all its rules ignore is ignored. The others fall through to the
//!   next open leaf: [`Conflict::FirstMatch`], and
//!   [`Conflict::HighestPriority`], which asks rules of higher priority first.
//! - **Which rule decides.** Under these three, the first rule that does not
//!   ignore the event: valid means that it happens, invalid that it is refused.
//!   Under [`Conflict::Exclusive`] all rules of open leaves are asked and two
//!   valid ones are an error. Under [`Conflict::ApplyAll`] all valid ones apply in
//!   order, judged by the state before the event. In both, a refusal counts only
//!   if no rule says valid.
//! - **Exclusivity groups** act under `ApplyAll` only: once a rule of a group has
//!   *applied* to an event, the others of its root group are passed over. A group
//!   within another has the outermost as its root. `compile` warns where a group
//!   can have no effect.
//! - **Chance.** A leaf may have outcomes instead of rules. While it is the first
//!   open leaf, luck decides; its outcomes are events like any other, taken by
//!   rules of other leaves or, as is usual, by the same plan's `Roll` rules. To
//!   keep both in one place, put the `Roll` rule into the chance leaf.
//! - **Preprocessors** see the state before the event and replace the event by
//!   others, which happen one after the other; if one is not taken, none is.
//! - **Maximal.** Of the events that rules accept, only those of the highest rating
//!   are legal: for rules such as "use as many dice as you can".
//! - **Ends.** The first end that holds, in the order of description, ends the game.
//!
//! # Tic-tac-toe, step by step
//!
//! ```
//! use meeple_plan::{
//!     Condition, EventKind, Handled, Mutator, Predicate, RuleSet, Rules, Targets,
//! };
//!
//! // The state and the events are the game's own plain types.
//! #[derive(Clone, Copy, Debug, Default, PartialEq)]
//! struct Board {
//!     stones: [u16; 2],
//!     mover: usize,
//! }
//!
//! impl Board {
//!     fn empty(&self) -> u64 {
//!         u64::from(0o777 & !(self.stones[0] | self.stones[1]))
//!     }
//!
//!     fn has_line(&self) -> bool {
//!         const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
//!         let holds = |stones: &u16| LINES.iter().any(|line| stones & line == *line);
//!         self.stones.iter().any(holds)
//!     }
//! }
//!
//! #[derive(Clone, Copy, Debug, PartialEq)]
//! struct Place(u8);
//!
//! // The vocabulary: nothing is moved, so there is one source, 0.
//! #[derive(Clone, Copy, Debug)]
//! struct TicTacToe;
//!
//! impl RuleSet for TicTacToe {
//!     type State = Board;
//!     type Event = Place;
//!     type Facts = ();
//!     fn facts(_: &Board) {}
//!     fn kind(_: &Place) -> EventKind {
//!         EventKind::Move
//!     }
//!     fn subject(_: &Board, _: &Place) -> Option<u8> {
//!         None
//!     }
//!     fn sources(_: &Board, (): &(), _: u8) -> u64 {
//!         1
//!     }
//!     fn event(_: EventKind, _source: u8, target: u8, _variant: u8) -> Place {
//!         Place(target)
//!     }
//! }
//!
//! // A predicate has two forms that say the same: of one event, and of all targets.
//! const EMPTY: Predicate<TicTacToe> = Predicate {
//!     name: "empty",
//!     holds: |board, place| board.empty() >> place.0 & 1 == 1,
//!     targets: Targets::OfState(|board: &Board, _| board.empty()),
//! };
//!
//! let plan = Rules::<TicTacToe>::new("tic-tac-toe")
//!     .phase("play")
//!     .when(Condition { name: "no line yet", holds: |board| !board.has_line() })
//!     .on(EventKind::Move, "place")
//!     .ensure(EMPTY, "the square is taken")
//!     .then(Mutator { name: "put", change: |board, place| board.stones[board.mover] |= 1 << place.0 })
//!     .then(Mutator { name: "pass the turn", change: |board, _| board.mover ^= 1 })
//!     .end("line", |board, _| board.has_line(), |board, payoffs| {
//!         payoffs[board.mover] = -1.0;
//!         payoffs[1 - board.mover] = 1.0;
//!     })
//!     .end("full board", |board, _| board.empty() == 0, |_, payoffs| payoffs.fill(0.0))
//!     .compile()?;
//!
//! let start = Board::default();
//! assert_eq!(plan.count_legal(&start, &()), 9);
//! let Handled::Applied(next) = plan.handle(&start, &Place(4)) else { panic!("it is legal") };
//! assert_eq!(plan.handle(&next, &Place(4)), Handled::Invalid { entry: 0, reason: "the square is taken" });
//! assert!(plan.explain().contains("no line yet"));
//! # Ok::<_, meeple_plan::CompileError>(())
//! ```

mod changes;
mod compile;
mod decide;
mod generate;
mod generator;
mod handle;
mod legal;
mod observe;
mod outcome;
mod parity;
mod pick;
mod plan;
mod rules;
mod select;
mod sweep;
mod tree;
mod vocabulary;

pub use changes::Changes;
pub use compile::{CompileError, Warning};
pub use generate::Candidate;
pub use handle::Handled;
pub use observe::{Observer, Skip, Trace, Unwatched};
pub use parity::{Mismatch, Parity};
pub use plan::{Plan, Stages};
pub use rules::{AtEnd, Conflict, Outcomes, Preprocessor, Rating, Result, Rules};
pub use tree::Tree;
pub use vocabulary::{
    Artifact, Condition, EventKind, Mutator, Predicate, RuleSet, SeenBy, Step, Subjects, Targets,
    Values,
};
