//! The description of a game: a tree of phases with rules in its leaves, and its
//! builder.

use crate::changes::{Change, Changes};
use crate::compile::{CompileError, compile};
use crate::{Artifact, Condition, EventKind, Mutator, Plan, Predicate, RuleSet, Subjects};

/// The conflict resolution strategy: which of several matching rules decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Conflict {
    /// Only the first open leaf is consulted; its first rule that does not ignore
    /// the event decides.
    #[default]
    FirstActiveLeaf,
    /// All open leaves are consulted in order; the first rule that does not ignore
    /// the event decides.
    FirstMatch,
    /// As [`FirstMatch`](Self::FirstMatch), with rules of higher priority first.
    HighestPriority,
    /// All rules of all open leaves are evaluated; two that accept the event are an
    /// error.
    Exclusive,
    /// All rules that accept the event apply in order; all are evaluated in the
    /// state before the event.
    ApplyAll,
}

/// Expands an event into the events that replace it.
pub type Preprocessor<R> =
    fn(&<R as RuleSet>::State, &<R as RuleSet>::Event, &mut dyn FnMut(<R as RuleSet>::Event));

/// Lists the chance outcomes of a state, each with its weight.
pub type Outcomes<R> = fn(&<R as RuleSet>::State, &mut dyn FnMut(<R as RuleSet>::Event, f64));

/// Rates an event; only the events of the highest rating in a state are legal.
pub type Rating<R> = fn(&<R as RuleSet>::State, &<R as RuleSet>::Event) -> u32;

/// Writes the payoff of each seat at the end of the game.
pub type Result<R> = fn(&<R as RuleSet>::State, &mut [f32]);

/// The description of a game and its builder.
///
/// Phases nest: [`phase`](Self::phase) opens one inside the current one and
/// [`close`](Self::close) returns to its parent. [`on`](Self::on) starts a rule in
/// the current phase; the following calls, up to the next rule or phase, belong to
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
    /// Each exclusivity group, with the group that contains it.
    pub(crate) groups: Vec<(&'static str, Option<&'static str>)>,
    /// The first error in the order of calls, reported by `compile`.
    pub(crate) misuse: Option<CompileError>,
}

/// A value with a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named<T> {
    pub(crate) name: &'static str,
    pub(crate) value: T,
}

/// The rating that restricts the legal events to the best-rated accepted ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Maximal<R: RuleSet> {
    pub(crate) name: &'static str,
    pub(crate) rating: Rating<R>,
    pub(crate) upper_bound: fn(&R::State) -> u32,
}

/// A phase: its conditions, and rules or nested phases.
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

/// A rule: the events it is for, its predicates and its mutators.
#[derive(Clone, Debug)]
pub(crate) struct Rule<R: RuleSet> {
    pub(crate) name: &'static str,
    pub(crate) kind: EventKind,
    pub(crate) subjects: Subjects,
    pub(crate) requires: Vec<Predicate<R>>,
    pub(crate) ensures: Vec<(Predicate<R>, &'static str)>,
    pub(crate) changes: Vec<Mutator<R>>,
    /// The changes as functions, several fused into one by [`Rules::then_all`].
    pub(crate) fused: Vec<Change<R>>,
    /// The targets at which events have variants, and the first and last variant.
    pub(crate) variants: Option<(u64, u8, u8)>,
    pub(crate) priority: i32,
    pub(crate) generates: bool,
}

/// Tests a state and its facts for an end of the game.
pub type AtEnd<R> = fn(&<R as RuleSet>::State, &<R as RuleSet>::Facts) -> bool;

/// An end condition of the game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End<R: RuleSet> {
    pub(crate) name: &'static str,
    pub(crate) holds: AtEnd<R>,
    pub(crate) when: When,
    pub(crate) result: Result<R>,
}

/// The further requirement of an end condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// None.
    Holds,
    /// No event is legal.
    NoEvent,
}

impl<R: RuleSet> Rules<R> {
    /// Creates an empty description with this name.
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

    /// Sets the conflict resolution strategy.
    #[must_use]
    pub fn conflict(mut self, conflict: Conflict) -> Self {
        self.conflict = conflict;
        self
    }

    /// Declares a named part of the state.
    #[must_use]
    pub fn artifact(mut self, artifact: Artifact<R>) -> Self {
        self.artifacts.push(artifact);
        self
    }

    /// Declares that events of this kind occur, so that `compile` warns when no rule
    /// handles them.
    #[must_use]
    pub fn expects(mut self, kind: EventKind) -> Self {
        self.expected.push(kind);
        self
    }

    /// Declares an exclusivity group, which phases join by
    /// [`exclusive`](Self::exclusive).
    #[must_use]
    pub fn group(mut self, name: &'static str) -> Self {
        self.groups.push((name, None));
        self
    }

    /// Declares an exclusivity group inside another: once a rule of either has
    /// applied, the others of both are skipped.
    #[must_use]
    pub fn group_within(mut self, name: &'static str, parent: &'static str) -> Self {
        self.groups.push((name, Some(parent)));
        self
    }

    /// Adds a preprocessor, which expands events before any rule sees them.
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

    /// Closes the current phase and returns to its parent.
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

    /// Puts the rules of the current phase into an exclusivity group: once one of
    /// them has applied to an event, the others are skipped.
    #[must_use]
    pub fn exclusive(mut self, group: &'static str) -> Self {
        if let Some(phase) = self.current_phase("exclusive") {
            phase.group = Some(group);
        }
        self
    }

    /// Makes the current phase a chance phase with these outcomes.
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
                fused: Vec::new(),
                variants: None,
                priority: 0,
                generates: kind == EventKind::Move,
            });
        }
        self
    }

    /// Restricts the rule to these subjects; it generates events from their sources.
    #[must_use]
    pub fn from(mut self, subjects: Subjects) -> Self {
        if let Some(rule) = self.current_rule("from") {
            rule.subjects = subjects;
        }
        self
    }

    /// Adds a predicate; where it does not hold, the rule ignores the event.
    #[must_use]
    pub fn require(mut self, predicate: Predicate<R>) -> Self {
        if let Some(rule) = self.current_rule("require") {
            rule.requires.push(predicate);
        }
        self
    }

    /// Adds a predicate; where it does not hold, the event is invalid for this
    /// reason.
    #[must_use]
    pub fn ensure(mut self, predicate: Predicate<R>, reason: &'static str) -> Self {
        if let Some(rule) = self.current_rule("ensure") {
            rule.ensures.push((predicate, reason));
        }
        self
    }

    /// Adds a mutator after those that the rule has.
    #[must_use]
    pub fn then(mut self, mutator: Mutator<R>) -> Self {
        if let Some(rule) = self.current_rule("then") {
            rule.changes.push(mutator);
            rule.fused.push(mutator.change);
        }
        self
    }

    /// Adds a sequence of mutators after those that the rule has.
    #[must_use]
    pub fn then_all(mut self, changes: Changes<R>) -> Self {
        if let Some(rule) = self.current_rule("then_all") {
            rule.changes.extend(changes.steps);
            rule.fused.push(changes.fused);
        }
        self
    }

    /// Sets the variants `first` to `last` of the rule's events at `targets`;
    /// elsewhere the variant is 0.
    #[must_use]
    pub fn variants(mut self, targets: u64, first: u8, last: u8) -> Self {
        if let Some(rule) = self.current_rule("variants") {
            rule.variants = Some((targets, first, last));
        }
        self
    }

    /// Sets the rule's priority under [`Conflict::HighestPriority`]; the default is 0.
    #[must_use]
    pub fn priority(mut self, priority: i32) -> Self {
        if let Some(rule) = self.current_rule("priority") {
            rule.priority = priority;
        }
        self
    }

    /// Restricts the legal events to those of the highest rating among the events
    /// that the rules accept in a state. No rating exceeds `upper_bound`, so that an
    /// event that attains it is legal without comparison.
    #[must_use]
    pub fn maximal(
        mut self,
        name: &'static str,
        rating: Rating<R>,
        upper_bound: fn(&R::State) -> u32,
    ) -> Self {
        self.maximal = Some(Maximal { name, rating, upper_bound });
        self
    }

    /// Adds an end condition: the game ends when this holds.
    #[must_use]
    pub fn end(mut self, name: &'static str, holds: AtEnd<R>, result: Result<R>) -> Self {
        self.ends.push(End { name, holds, when: When::Holds, result });
        self
    }

    /// Adds an end condition: the game ends when this holds and no event is legal.
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
    /// When the description is inconsistent; the error names the phase or rule.
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
