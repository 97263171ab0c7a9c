//! The description of a game: a tree of phases with rules in its leaves.

use crate::changes::{Change, Changes};
use crate::compile::{CompileError, compile};
use crate::{Artifact, Condition, EventKind, Mutator, Plan, Predicate, RuleSet, Subjects};

/// Which of several fitting rules an event goes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Conflict {
    /// The first leaf whose gate holds is the only one consulted; in it, the
    /// first rule that does not ignore the event decides.
    #[default]
    FirstActiveLeaf,
    /// Every leaf whose gate holds is consulted in order; the first rule that
    /// does not ignore the event decides.
    FirstMatch,
    /// Like [`FirstMatch`](Self::FirstMatch), rules of higher priority first.
    HighestPriority,
    /// Every rule of every leaf whose gate holds is consulted; two that accept
    /// the event are an error.
    Exclusive,
    /// Every rule that accepts the event applies, in order; all are judged by
    /// the state before the event.
    ApplyAll,
}

/// Turns one event into those that happen instead of it.
pub type Preprocessor<R> =
    fn(&<R as RuleSet>::State, &<R as RuleSet>::Event, &mut dyn FnMut(<R as RuleSet>::Event));

/// Lists what luck may do, each with its weight.
pub type Outcomes<R> = fn(&<R as RuleSet>::State, &mut dyn FnMut(<R as RuleSet>::Event, f64));

/// Rates an event; only the best-rated of a state are legal.
pub type Rating<R> = fn(&<R as RuleSet>::State, &<R as RuleSet>::Event) -> u32;

/// Tells what each of `players` seats gets when the game has ended.
pub type Result<R> = fn(&<R as RuleSet>::State, &mut [f32]);

/// A game as it is described, before it is compiled.
///
/// Phases nest: [`phase`](Self::phase) opens one inside the current one and
/// [`close`](Self::close) returns to its parent. [`on`](Self::on) starts a rule
/// in the current phase; what follows, up to the next rule or phase, belongs to
/// that rule.
#[derive(Clone, Debug)]
pub struct Rules<R: RuleSet> {
    pub(crate) name: &'static str,
    pub(crate) conflict: Conflict,
    pub(crate) phases: Vec<Phase<R>>,
    pub(crate) open: Vec<usize>,
    pub(crate) preprocessors: Vec<Named<Preprocessor<R>>>,
    pub(crate) maximal: Option<Maximal<R>>,
    pub(crate) ends: Vec<End<R>>,
    pub(crate) artifacts: Vec<Artifact<R>>,
    pub(crate) expected: Vec<EventKind>,
    /// Each exclusivity group, with the group it is part of.
    pub(crate) groups: Vec<(&'static str, Option<&'static str>)>,
    /// A mistake in the order of calls, reported by `compile`.
    pub(crate) misuse: Option<CompileError>,
}

/// Something with a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named<T> {
    pub(crate) name: &'static str,
    pub(crate) value: T,
}

/// What makes some of the accepted events the only legal ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Maximal<R: RuleSet> {
    pub(crate) name: &'static str,
    pub(crate) rating: Rating<R>,
    pub(crate) most: fn(&R::State) -> u32,
}

/// A phase: a gate, and rules or further phases behind it.
#[derive(Clone, Debug)]
pub(crate) struct Phase<R: RuleSet> {
    pub(crate) name: &'static str,
    pub(crate) parent: Option<usize>,
    pub(crate) children: Vec<usize>,
    pub(crate) gate: Vec<Condition<R>>,
    pub(crate) group: Option<&'static str>,
    pub(crate) rules: Vec<Rule<R>>,
    pub(crate) chance: Option<Outcomes<R>>,
}

/// A rule: when it is about an event, what it asks and what it does.
#[derive(Clone, Debug)]
pub(crate) struct Rule<R: RuleSet> {
    pub(crate) name: &'static str,
    pub(crate) kind: EventKind,
    pub(crate) subjects: Subjects,
    pub(crate) requires: Vec<Predicate<R>>,
    pub(crate) ensures: Vec<(Predicate<R>, &'static str)>,
    pub(crate) changes: Vec<Mutator<R>>,
    /// The changes as functions, several in one where the description says so.
    pub(crate) at_once: Vec<Change<R>>,
    /// Targets at which the event has variants, and their numbers.
    pub(crate) variants: Option<(u64, u8, u8)>,
    pub(crate) priority: i32,
    pub(crate) generates: bool,
}

/// Whether a state is at an end, as far as state and facts tell.
pub type AtEnd<R> = fn(&<R as RuleSet>::State, &<R as RuleSet>::Facts) -> bool;

/// A way for the game to end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End<R: RuleSet> {
    pub(crate) name: &'static str,
    pub(crate) holds: AtEnd<R>,
    pub(crate) when: When,
    pub(crate) result: Result<R>,
}

/// What else an end asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// Nothing.
    Holds,
    /// That no event is legal.
    NoEvent,
}

impl<R: RuleSet> Rules<R> {
    /// A game of this name, with nothing in it.
    #[must_use]
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            conflict: Conflict::default(),
            phases: Vec::new(),
            open: Vec::new(),
            preprocessors: Vec::new(),
            maximal: None,
            ends: Vec::new(),
            artifacts: Vec::new(),
            expected: Vec::new(),
            groups: Vec::new(),
            misuse: None,
        }
    }

    /// Chooses which of several fitting rules an event goes to.
    #[must_use]
    pub fn conflict(mut self, conflict: Conflict) -> Self {
        self.conflict = conflict;
        self
    }

    /// Names a part of the state.
    #[must_use]
    pub fn artifact(mut self, artifact: Artifact<R>) -> Self {
        self.artifacts.push(artifact);
        self
    }

    /// Declares that events of this kind happen, so that `compile` can tell
    /// when no rule handles them.
    #[must_use]
    pub fn expects(mut self, kind: EventKind) -> Self {
        self.expected.push(kind);
        self
    }

    /// Declares an exclusivity group, for phases to be [`exclusive`](Self::exclusive)
    /// in.
    #[must_use]
    pub fn group(mut self, name: &'static str) -> Self {
        self.groups.push((name, None));
        self
    }

    /// Declares an exclusivity group as part of another: when a rule of either
    /// has applied, those of both no longer do.
    #[must_use]
    pub fn group_within(mut self, name: &'static str, whole: &'static str) -> Self {
        self.groups.push((name, Some(whole)));
        self
    }

    /// Replaces events before any rule sees them.
    #[must_use]
    pub fn preprocess(mut self, name: &'static str, expand: Preprocessor<R>) -> Self {
        self.preprocessors.push(Named { name, value: expand });
        self
    }

    /// Opens a phase inside the current one.
    #[must_use]
    pub fn phase(mut self, name: &'static str) -> Self {
        let parent = self.open.last().copied();
        let index = self.phases.len();
        self.phases.push(Phase {
            name,
            parent,
            children: Vec::new(),
            gate: Vec::new(),
            group: None,
            rules: Vec::new(),
            chance: None,
        });
        if let Some(parent) = parent {
            self.phases[parent].children.push(index);
        }
        self.open.push(index);
        self
    }

    /// Returns to the phase around the current one.
    #[must_use]
    pub fn close(mut self) -> Self {
        if self.open.pop().is_none() {
            self.misuse("close");
        }
        self
    }

    /// Adds a condition to the gate of the current phase.
    #[must_use]
    pub fn when(mut self, condition: Condition<R>) -> Self {
        if let Some(phase) = self.current_phase("when") {
            phase.gate.push(condition);
        }
        self
    }

    /// Puts the rules of the current phase into an exclusivity group: once one
    /// of them has applied to an event, the others no longer do.
    #[must_use]
    pub fn exclusive(mut self, group: &'static str) -> Self {
        if let Some(phase) = self.current_phase("exclusive") {
            phase.group = Some(group);
        }
        self
    }

    /// Makes the current phase one in which luck decides.
    #[must_use]
    pub fn chance(mut self, outcomes: Outcomes<R>) -> Self {
        if let Some(phase) = self.current_phase("chance") {
            phase.chance = Some(outcomes);
        }
        self
    }

    /// Starts a rule for events of `kind` in the current phase.
    #[must_use]
    pub fn on(mut self, kind: EventKind, name: &'static str) -> Self {
        if let Some(phase) = self.current_phase("on") {
            phase.rules.push(Rule {
                name,
                kind,
                subjects: Subjects::ALL,
                requires: Vec::new(),
                ensures: Vec::new(),
                changes: Vec::new(),
                at_once: Vec::new(),
                variants: None,
                priority: 0,
                generates: kind == EventKind::Move,
            });
        }
        self
    }

    /// The rule is about these subjects only, and generates events from where
    /// they stand.
    #[must_use]
    pub fn from(mut self, subjects: Subjects) -> Self {
        if let Some(rule) = self.current_rule("from") {
            rule.subjects = subjects;
        }
        self
    }

    /// Where this does not hold, the rule ignores the event.
    #[must_use]
    pub fn require(mut self, predicate: Predicate<R>) -> Self {
        if let Some(rule) = self.current_rule("require") {
            rule.requires.push(predicate);
        }
        self
    }

    /// Where this does not hold, the rule refuses the event for this reason.
    #[must_use]
    pub fn ensure(mut self, predicate: Predicate<R>, reason: &'static str) -> Self {
        if let Some(rule) = self.current_rule("ensure") {
            rule.ensures.push((predicate, reason));
        }
        self
    }

    /// What the rule does, after what it already does.
    #[must_use]
    pub fn then(mut self, mutator: Mutator<R>) -> Self {
        if let Some(rule) = self.current_rule("then") {
            rule.changes.push(mutator);
            rule.at_once.push(mutator.change);
        }
        self
    }

    /// What the rule does, after what it already does: several changes in turn.
    #[must_use]
    pub fn then_all(mut self, changes: Changes<R>) -> Self {
        if let Some(rule) = self.current_rule("then_all") {
            rule.changes.extend(changes.steps);
            rule.at_once.push(changes.at_once);
        }
        self
    }

    /// At `targets` the rule's events come in variants `first` to `last`;
    /// elsewhere the variant is 0.
    #[must_use]
    pub fn variants(mut self, targets: u64, first: u8, last: u8) -> Self {
        if let Some(rule) = self.current_rule("variants") {
            rule.variants = Some((targets, first, last));
        }
        self
    }

    /// The rule's rank under [`Conflict::HighestPriority`]; 0 unless given.
    #[must_use]
    pub fn priority(mut self, priority: i32) -> Self {
        if let Some(rule) = self.current_rule("priority") {
            rule.priority = priority;
        }
        self
    }

    /// Of all events that the rules accept in a state, only those of the
    /// highest rating are legal. No rating is above `most`, so that an event
    /// which attains it need not be compared with others.
    #[must_use]
    pub fn maximal(
        mut self,
        name: &'static str,
        rating: Rating<R>,
        most: fn(&R::State) -> u32,
    ) -> Self {
        self.maximal = Some(Maximal { name, rating, most });
        self
    }

    /// The game ends when this holds.
    #[must_use]
    pub fn end(mut self, name: &'static str, holds: AtEnd<R>, result: Result<R>) -> Self {
        self.ends.push(End { name, holds, when: When::Holds, result });
        self
    }

    /// The game ends when this holds and no event is legal.
    #[must_use]
    pub fn end_without_events(
        mut self,
        name: &'static str,
        holds: AtEnd<R>,
        result: Result<R>,
    ) -> Self {
        self.ends.push(End { name, holds, when: When::NoEvent, result });
        self
    }

    /// Compiles the description.
    ///
    /// # Errors
    ///
    /// When the description contradicts itself; the error names the place.
    pub fn compile(self) -> std::result::Result<Plan<R>, CompileError> {
        compile(self)
    }

    fn current_phase(&mut self, call: &'static str) -> Option<&mut Phase<R>> {
        let Some(&phase) = self.open.last() else {
            self.misuse(call);
            return None;
        };
        Some(&mut self.phases[phase])
    }

    fn current_rule(&mut self, call: &'static str) -> Option<&mut Rule<R>> {
        let open = self.open.last().filter(|&&at| !self.phases[at].rules.is_empty());
        let Some(&phase) = open else {
            self.misuse(call);
            return None;
        };
        self.phases[phase].rules.last_mut()
    }

    fn misuse(&mut self, call: &'static str) {
        self.misuse.get_or_insert(CompileError::OutOfPlace { game: self.name, call });
    }
}
