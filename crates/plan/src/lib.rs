//! Games described by phases and rules, compiled to a decision plan.
//!
//! A description consists of phases with conditions, and rules with predicates and
//! mutators. [`Rules::compile`] turns it into a flat [`Plan`] that handles events
//! quickly and, through the set forms of its predicates, generates the legal
//! events. The [`Tree`] interprets the same description directly, as the reference;
//! [`Parity`] compares the two.
//!
//! # Terms
//!
//! - **Event.** What happens in a game: a move, a roll of dice. It has a kind, a
//!   subject (such as the kind of piece), a source and a target square.
//! - **Predicate.** A test of an event in a state. Its scalar form tests one event;
//!   its set form gives all targets for which it holds, as a bitboard.
//! - **Mutator.** A named change of the state by an event.
//! - **Verdict.** The answer of a rule to an event. The rule *ignores* the event
//!   when it is for another kind or subject, or one of its `require` predicates
//!   does not hold. Otherwise the event is *invalid*, with a reason, when one of
//!   the rule's `ensure` predicates does not hold, and *valid* when all hold.
//! - **Phases.** Rules are in the leaves of a tree of phases. The gate of a leaf
//!   consists of its own conditions and those of all its ancestors; the leaf is
//!   open when all of them hold.
//! - **Active leaves.** By default ([`Conflict::FirstActiveLeaf`]) only the first
//!   open leaf, in order of description, is consulted; an event that all its rules
//!   ignore is ignored. With [`Conflict::FirstMatch`] and
//!   [`Conflict::HighestPriority`] the event falls through to the next open leaf;
//!   the latter consults rules of higher priority first.
//! - **Conflict resolution.** Under these three strategies the first rule that does
//!   not ignore the event decides: a valid event is applied, an invalid one is
//!   rejected. Under [`Conflict::Exclusive`] all rules of open leaves are
//!   evaluated, and two valid ones are an error. Under [`Conflict::ApplyAll`] all
//!   valid ones apply in order, evaluated in the state before the event. In both,
//!   the event is rejected only if some rule finds it invalid and none valid.
//! - **Exclusivity groups** matter under `ApplyAll` only: once a rule of a group has
//!   *applied* to an event, the other rules of its root group are skipped. The root
//!   of a nested group is the outermost group. `compile` warns where a group has no
//!   effect.
//! - **Chance.** A leaf may have chance outcomes. While it is the first open leaf,
//!   the state is a chance node. Its outcomes are events like any other, handled by
//!   `Roll` rules, which are usually in the same leaf.
//! - **Preprocessors** see the state before the event and replace the event by a
//!   sequence of events; if one of them is not applied, none is.
//! - **Maximal.** Of the events that the rules accept, only those of the highest
//!   rating are legal: for rules such as "use as many dice as possible".
//! - **Ends.** The first end condition that holds, in order of description, ends the
//!   game.
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
//! // The vocabulary: no piece is moved, so the only source is 0.
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
//! // A predicate has two equivalent forms: for one event, and for all targets.
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
//! let Handled::Applied(next) = plan.handle(&start, &Place(4)) else { panic!("the event is legal") };
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
mod sink;
mod split;
mod sweep;
mod tree;
mod vocabulary;

pub use changes::Changes;
pub use compile::{CompileError, Warning};
pub use generate::Candidate;
pub use handle::Handled;
pub use observe::{NoObserver, Observer, Skip, Trace};
pub use parity::{Mismatch, Parity};
pub use plan::{Plan, Stages};
pub use rules::{AtEnd, Conflict, Outcomes, Preprocessor, Rating, Result, Rules};
pub use tree::Tree;
pub use vocabulary::{
    Artifact, Condition, EventKind, Mutator, Predicate, RuleSet, SeenBy, Step, Subjects, Targets,
    Values, visit_each,
};
