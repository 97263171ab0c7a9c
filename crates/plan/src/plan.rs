//! The compiled decision plan: a flat list of entries, with bit-set indexes.

use std::fmt::Write as _;
use std::ops::Range;

use crate::changes::Change;
use crate::compile::Warning;
use crate::generator::Generation;
use crate::rules::{Conflict, End, Maximal, Named, Outcomes, Preprocessor, Rules};
use crate::{Artifact, Condition, EventKind, Mutator, Predicate, RuleSet, Subjects};

/// The optimizations of a plan. They do not change results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stages {
    /// Conditions that several gates share are evaluated once per event.
    pub grouping: bool,
    /// Entries are selected by the event's kind and subject from an index.
    pub filtering: bool,
    /// Entries whose exclusivity group has applied are removed by a mask.
    pub masks: bool,
}

impl Stages {
    /// No optimization: the base plan.
    pub const NONE: Self = Self { grouping: false, filtering: false, masks: false };
    /// All optimizations.
    pub const ALL: Self = Self { grouping: true, filtering: true, masks: true };

    /// Returns all combinations.
    #[must_use]
    pub fn combinations() -> [Self; 8] {
        std::array::from_fn(|bits| Self {
            grouping: bits & 1 != 0,
            filtering: bits & 2 != 0,
            masks: bits & 4 != 0,
        })
    }
}

/// A compiled rule.
#[derive(Clone, Debug)]
pub(crate) struct Entry<R: RuleSet> {
    pub(crate) name: &'static str,
    pub(crate) leaf: usize,
    pub(crate) kind: EventKind,
    pub(crate) subjects: Subjects,
    /// The `require` predicates, then the `ensure` predicates.
    pub(crate) checks: Vec<Check<R>>,
    pub(crate) changes: Vec<Mutator<R>>,
    pub(crate) variants: Option<(u64, u8, u8)>,
    pub(crate) group: Option<&'static str>,
    pub(crate) priority: i32,
    pub(crate) generates: bool,
}

impl<R: RuleSet> Entry<R> {
    /// The indices of the `require` predicates.
    pub(crate) fn requires(&self) -> impl Iterator<Item = u8> {
        let required = self.checks.iter().take_while(|check| check.refusal.is_none());
        required.map(|check| check.predicate)
    }
}

/// The changes of an entry, as functions, several fused into one where possible.
///
/// They are stored apart from the entries, with the first (mostly the only one)
/// inline, because applying a move whose entry is known needs nothing else.
#[derive(Clone, Debug)]
pub(crate) struct Effect<R: RuleSet> {
    pub(crate) first: Change<R>,
    pub(crate) rest: Box<[Change<R>]>,
}

/// A predicate that a rule checks.
#[derive(Clone, Debug)]
pub(crate) struct Check<R: RuleSet> {
    pub(crate) predicate: u8,
    pub(crate) holds: fn(&R::State, &R::Event) -> bool,
    /// The reason why the event is invalid where the predicate does not hold; without
    /// a reason the rule ignores the event.
    pub(crate) refusal: Option<&'static str>,
}

/// A condition in the gate of a leaf.
#[derive(Clone, Debug)]
pub(crate) struct Gate<R: RuleSet> {
    pub(crate) condition: u8,
    pub(crate) holds: fn(&R::State) -> bool,
}

/// A leaf of the tree of phases.
#[derive(Clone, Debug)]
pub(crate) struct Leaf<R: RuleSet> {
    pub(crate) name: &'static str,
    /// The conditions of the leaf and of all its ancestors.
    pub(crate) gate: Vec<Gate<R>>,
    pub(crate) members: u64,
    pub(crate) chance: Option<Outcomes<R>>,
}

/// A compiled game.
#[derive(Clone, Debug)]
pub struct Plan<R: RuleSet> {
    pub(crate) rules: Rules<R>,
    pub(crate) conflict: Conflict,
    pub(crate) entries: Vec<Entry<R>>,
    /// The changes of each entry.
    pub(crate) effects: Vec<Effect<R>>,
    pub(crate) leaves: Vec<Leaf<R>>,
    pub(crate) predicates: Vec<Predicate<R>>,
    pub(crate) conditions: Vec<Condition<R>>,
    pub(crate) preprocessors: Vec<Named<Preprocessor<R>>>,
    pub(crate) maximal: Option<Maximal<R>>,
    pub(crate) ends: Vec<End<R>>,
    pub(crate) stages: Stages,
    pub(crate) by_kind: [u64; 6],
    pub(crate) by_subject: [u64; 64],
    pub(crate) without_subject: u64,
    /// For each entry, the entries of its root group, as bits, itself included.
    pub(crate) root_members: Vec<u64>,
    /// The order in which entries are consulted.
    pub(crate) order: Vec<u8>,
    pub(crate) roots: Vec<(&'static str, &'static str)>,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) generation: Generation<R>,
    /// Whether the game has chance phases.
    pub(crate) has_chance: bool,
    /// The open entries if they are the same in every state, because no gate has
    /// conditions.
    pub(crate) ungated: Option<u64>,
}

/// The bits of a range of entries.
pub(crate) fn mask(range: Range<usize>) -> u64 {
    range.fold(0, |mask, at| mask | 1 << at)
}

impl<R: RuleSet> Plan<R> {
    #[expect(clippy::too_many_arguments, reason = "called once, by compile")]
    pub(crate) fn assemble(
        rules: Rules<R>,
        entries: Vec<Entry<R>>,
        effects: Vec<Effect<R>>,
        leaves: Vec<Leaf<R>>,
        predicates: Vec<Predicate<R>>,
        conditions: Vec<Condition<R>>,
        roots: Vec<(&'static str, &'static str)>,
        warnings: Vec<Warning>,
        stages: Stages,
    ) -> Self {
        let bits = |keep: &dyn Fn(&Entry<R>) -> bool| {
            (0..entries.len()).filter(|&at| keep(&entries[at])).fold(0, |mask, at| mask | 1 << at)
        };
        let root_of = |entry: &Entry<R>| {
            let group = entry.group?;
            roots.iter().find(|(name, _)| *name == group).map(|(_, root)| *root)
        };
        let by_kind = EventKind::CONCRETE.map(|kind| bits(&|entry| entry.kind.covers(kind)));
        let by_subject =
            std::array::from_fn(|subject| bits(&|entry| entry.subjects.contains(subject as u8)));
        let without_subject = bits(&|entry| entry.subjects == Subjects::ALL);
        let root_members = (entries.iter())
            .map(|entry| match root_of(entry) {
                Some(root) => bits(&|other| root_of(other) == Some(root)),
                None => 0,
            })
            .collect();
        let mut order: Vec<u8> = (0..entries.len() as u8).collect();
        if rules.conflict == Conflict::HighestPriority {
            order.sort_by_key(|&at| -entries[usize::from(at)].priority);
        }
        let mut plan = Self {
            conflict: rules.conflict,
            preprocessors: rules.preprocessors.clone(),
            maximal: rules.maximal,
            ends: rules.ends.clone(),
            rules,
            effects,
            leaves,
            predicates,
            conditions,
            stages,
            by_kind,
            by_subject,
            without_subject,
            root_members,
            order,
            roots,
            warnings,
            generation: Generation::empty(),
            has_chance: false,
            ungated: None,
            entries,
        };
        plan.has_chance = plan.leaves.iter().any(|leaf| leaf.chance.is_some());
        plan.ungated = plan.always_open();
        plan.generation = Generation::of(&plan);
        plan
    }

    fn always_open(&self) -> Option<u64> {
        let first = self.leaves.first()?;
        let gated = |leaf: &Leaf<R>| !leaf.gate.is_empty();
        match self.conflict {
            Conflict::FirstActiveLeaf => (!gated(first)).then_some(first.members),
            _ if self.leaves.iter().any(gated) => None,
            _ => Some(self.leaves.iter().fold(0, |open, leaf| open | leaf.members)),
        }
    }

    /// Returns the same plan with other optimizations.
    #[must_use]
    pub fn with_stages(&self, stages: Stages) -> Self {
        Self { stages, ..self.clone() }
    }

    /// Returns the name of the game.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.rules.name
    }

    /// Returns whether only the best-rated of the accepted events are legal.
    #[must_use]
    pub fn is_maximal(&self) -> bool {
        self.maximal.is_some()
    }

    /// Returns the same plan with all events legal that its rules accept.
    #[must_use]
    pub fn without_maximal(&self) -> Self {
        let mut plan = self.clone();
        (plan.maximal, plan.rules.maximal) = (None, None);
        plan.generation = Generation::of(&plan);
        plan
    }

    /// Returns the names of the entries, by index.
    #[must_use]
    pub fn entry_names(&self) -> Vec<&'static str> {
        self.entries.iter().map(|entry| entry.name).collect()
    }

    /// Returns the warnings about the description.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Returns the named parts of the state.
    #[must_use]
    pub fn artifacts(&self) -> &[Artifact<R>] {
        &self.rules.artifacts
    }

    /// Returns the exclusivity group of each entry.
    #[must_use]
    pub fn exclusivity_groups(&self) -> Vec<Option<&'static str>> {
        self.entries.iter().map(|entry| entry.group).collect()
    }

    /// Returns each exclusivity group with its root, the outermost group that contains
    /// it.
    #[must_use]
    pub fn exclusivity_group_roots(&self) -> &[(&'static str, &'static str)] {
        &self.roots
    }

    /// Returns a hash (FNV-1a) of all names in order: it changes when the rules do.
    #[must_use]
    pub fn signature(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        let mut add = |text: &str| {
            for byte in text.bytes().chain([0]) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        };
        add(&format!("{:?}", self.conflict));
        for row in self.rows() {
            row.iter().for_each(|cell| add(cell));
        }
        self.rules.preprocessors.iter().for_each(|step| add(step.name));
        self.maximal.iter().for_each(|rating| add(rating.name));
        self.ends.iter().for_each(|end| add(end.name));
        hash
    }

    /// Returns the plan as a readable table.
    #[must_use]
    pub fn explain(&self) -> String {
        let headings = ["#", "phase", "when", "rule", "kind", "predicates", "mutators", "group"];
        let mut rows = vec![headings.map(str::to_owned)];
        rows.extend(self.rows());
        let widths: [usize; 8] = std::array::from_fn(|column| {
            rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
        });
        let mut text = String::new();
        for row in rows {
            let line: Vec<String> =
                row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
            writeln!(text, "{}", line.join("  ").trim_end())
                .expect("writing to a String cannot fail");
        }
        for leaf in self.leaves.iter().filter(|leaf| leaf.chance.is_some()) {
            writeln!(text, "chance in {} when {}", leaf.name, self.gate_names(leaf))
                .expect("as above");
        }
        if let Some(rating) = &self.maximal {
            writeln!(text, "maximal: {}", rating.name).expect("as above");
        }
        for end in &self.ends {
            writeln!(text, "end: {}", end.name).expect("as above");
        }
        text
    }

    fn rows(&self) -> impl Iterator<Item = [String; 8]> {
        self.entries.iter().enumerate().map(|(at, entry)| {
            let leaf = &self.leaves[entry.leaf];
            let checks = entry.checks.iter().map(|check| {
                let mark = if check.refusal.is_some() { "!" } else { "" };
                format!("{}{mark}", self.predicates[usize::from(check.predicate)].name)
            });
            let checks: Vec<String> = checks.collect();
            let does: Vec<&str> = entry.changes.iter().map(|change| change.name).collect();
            [
                at.to_string(),
                leaf.name.to_owned(),
                self.gate_names(leaf),
                entry.name.to_owned(),
                format!("{:?}", entry.kind),
                checks.join(", "),
                does.join(", "),
                entry.group.unwrap_or("-").to_owned(),
            ]
        })
    }

    fn gate_names(&self, leaf: &Leaf<R>) -> String {
        let name = |gate: &Gate<R>| self.conditions[usize::from(gate.condition)].name;
        let names: Vec<&str> = leaf.gate.iter().map(name).collect();
        if names.is_empty() { "always".into() } else { names.join(" and ") }
    }
}
