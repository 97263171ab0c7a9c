//! From a tree of phases to a flat plan, with what is wrong on the way.

use crate::plan::{Ask, Effect, Entry, Gate, Leaf, Plan, Stages, mask};
use crate::rules::{Conflict, Phase, Rule, Rules};
use crate::{Condition, EventKind, Predicate, RuleSet, Subjects, Targets};

/// Why a description cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// A call that has nothing to belong to.
    #[error("{game}: {call}() is called where no phase or rule is open")]
    OutOfPlace {
        /// The game.
        game: &'static str,
        /// The call.
        call: &'static str,
    },
    /// A phase without rules, outcomes or phases.
    #[error("phase {phase} is empty: it has no rule, no chance outcomes and no phase in it")]
    EmptyPhase {
        /// The phase.
        phase: &'static str,
    },
    /// A phase that is both leaf and branch.
    #[error("phase {phase} has rules or outcomes and phases in it: only leaves may have rules")]
    MixedPhase {
        /// The phase.
        phase: &'static str,
    },
    /// Two things of one name.
    #[error("two {what}s are called {name}")]
    SameName {
        /// What they are.
        what: &'static str,
        /// The name.
        name: &'static str,
    },
    /// A group that was not declared.
    #[error("{place}: unknown exclusivity group {group}, expected {}", expected(known))]
    UnknownGroup {
        /// Where it is named.
        place: &'static str,
        /// The group.
        group: &'static str,
        /// The groups there are.
        known: Vec<&'static str>,
    },
    /// Groups that are parts of each other.
    #[error("exclusivity group {group} is part of itself")]
    GroupCycle {
        /// One of them.
        group: &'static str,
    },
    /// More rules than a plan holds.
    #[error("{rules} rules are more than the 64 that a plan holds")]
    TooManyRules {
        /// How many there are.
        rules: usize,
    },
    /// More predicates or conditions than a plan holds.
    #[error("{count} {what}s are more than the 64 that a plan holds")]
    TooMany {
        /// What there are too many of.
        what: &'static str,
        /// How many there are.
        count: usize,
    },
    /// A rule that does nothing.
    #[error("rule {rule} changes nothing: it lacks then()")]
    NoChange {
        /// The rule.
        rule: &'static str,
    },
}

fn expected(known: &[&str]) -> String {
    if known.is_empty() {
        "none: none is declared".into()
    } else {
        format!("one of {}", known.join(", "))
    }
}

/// Something odd that does not keep a plan from working.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// A rule that no event reaches.
    #[error("rule {rule} is never reached: {before} decides every event it could")]
    Unreachable {
        /// The rule.
        rule: &'static str,
        /// The one before it.
        before: &'static str,
    },
    /// A rule that has nothing of its own to add to the legal events.
    #[error("rule {rule} generates nothing but events that {before} generates too")]
    GeneratesAgain {
        /// The rule.
        rule: &'static str,
        /// The one before it.
        before: &'static str,
    },
    /// Events that no rule is for.
    #[error("no rule handles {kind:?} events")]
    Unhandled {
        /// Their kind.
        kind: EventKind,
    },
    /// A group that changes nothing.
    #[error("exclusivity group {group} has no effect: only ApplyAll applies several rules")]
    GroupWithoutEffect {
        /// The group.
        group: &'static str,
    },
    /// A predicate that slows generation down.
    #[error("rule {rule}: predicate {predicate} has no set form, so events are judged one by one")]
    OneByOne {
        /// The rule.
        rule: &'static str,
        /// The predicate.
        predicate: &'static str,
    },
}

pub(crate) fn compile<R: RuleSet>(rules: Rules<R>) -> Result<Plan<R>, CompileError> {
    if let Some(misuse) = rules.misuse {
        return Err(misuse);
    }
    check_phases(&rules.phases)?;
    let roots = group_roots(&rules)?;
    let mut conditions: Vec<Condition<R>> = Vec::new();
    let mut predicates: Vec<Predicate<R>> = Vec::new();
    let mut entries: Vec<Entry<R>> = Vec::new();
    let mut effects: Vec<Effect<R>> = Vec::new();
    let mut leaves: Vec<Leaf<R>> = Vec::new();
    for leaf in leaves_in_order(&rules.phases) {
        let phase = &rules.phases[leaf];
        let path = path_to(&rules.phases, leaf);
        let gate = path.iter().flat_map(|&at| &rules.phases[at].gate);
        let gate = gate.map(|condition| {
            let at = intern(&mut conditions, *condition, |c| c.name);
            Gate { condition: at as u8, holds: conditions[at].holds }
        });
        let gate = gate.collect();
        let group = path.iter().rev().find_map(|&at| rules.phases[at].group);
        let first = entries.len();
        for rule in &phase.rules {
            let Some((&first, rest)) = rule.at_once.split_first() else {
                return Err(CompileError::NoChange { rule: rule.name });
            };
            let entry = compile_rule(rule, leaves.len(), group, &mut predicates);
            if entries.iter().any(|other| other.name == entry.name) {
                return Err(CompileError::SameName { what: "rule", name: entry.name });
            }
            entries.push(entry);
            effects.push(Effect { first, rest: rest.into() });
        }
        if entries.len() > 64 {
            return Err(CompileError::TooManyRules { rules: entries.len() });
        }
        leaves.push(Leaf {
            name: phase.name,
            gate,
            members: mask(first..entries.len()),
            chance: phase.chance,
        });
    }
    for (what, count) in [("predicate", predicates.len()), ("condition", conditions.len())] {
        if count > 64 {
            return Err(CompileError::TooMany { what, count });
        }
    }
    let warnings = warnings(&rules, &entries, &predicates);
    Ok(Plan::assemble(
        rules,
        entries,
        effects,
        leaves,
        predicates,
        conditions,
        roots,
        warnings,
        Stages::ALL,
    ))
}

fn check_phases<R: RuleSet>(phases: &[Phase<R>]) -> Result<(), CompileError> {
    for (at, phase) in phases.iter().enumerate() {
        if phases[..at].iter().any(|other| other.name == phase.name) {
            return Err(CompileError::SameName { what: "phase", name: phase.name });
        }
        let is_leaf = !phase.rules.is_empty() || phase.chance.is_some();
        match (is_leaf, phase.children.is_empty()) {
            (false, true) => return Err(CompileError::EmptyPhase { phase: phase.name }),
            (true, false) => return Err(CompileError::MixedPhase { phase: phase.name }),
            _ => {}
        }
    }
    Ok(())
}

/// Each group that a phase names, with the outermost group it is part of.
fn group_roots<R: RuleSet>(
    rules: &Rules<R>,
) -> Result<Vec<(&'static str, &'static str)>, CompileError> {
    let known: Vec<&'static str> = rules.groups.iter().map(|(name, _)| *name).collect();
    let unknown = |place, group| CompileError::UnknownGroup { place, group, known: known.clone() };
    for (at, name) in known.iter().enumerate() {
        if known[..at].contains(name) {
            return Err(CompileError::SameName { what: "exclusivity group", name });
        }
    }
    for phase in &rules.phases {
        if let Some(group) = phase.group.filter(|group| !known.contains(group)) {
            return Err(unknown(phase.name, group));
        }
    }
    let mut roots = Vec::new();
    for &(group, _) in &rules.groups {
        let mut root = group;
        for _ in 0..=rules.groups.len() {
            match rules.groups.iter().find(|(name, _)| *name == root) {
                None => return Err(unknown(group, root)),
                Some((_, None)) => break,
                Some((_, Some(whole))) => root = whole,
            }
        }
        if rules.groups.iter().any(|(name, whole)| *name == root && whole.is_some()) {
            return Err(CompileError::GroupCycle { group });
        }
        roots.push((group, root));
    }
    Ok(roots)
}

/// The leaves from left to right: a phase before its later siblings.
fn leaves_in_order<R: RuleSet>(phases: &[Phase<R>]) -> Vec<usize> {
    // Phases are stored in the order in which they were opened, which is the
    // order of the tree.
    (0..phases.len()).filter(|&at| phases[at].children.is_empty()).collect()
}

/// The phases from the outermost down to `leaf`.
fn path_to<R: RuleSet>(phases: &[Phase<R>], leaf: usize) -> Vec<usize> {
    let mut path = vec![leaf];
    while let Some(parent) = phases[path[path.len() - 1]].parent {
        path.push(parent);
    }
    path.reverse();
    path
}

/// The number of `item` in `items`, which it joins unless one of its name is
/// there.
fn intern<T>(items: &mut Vec<T>, item: T, name: impl Fn(&T) -> &'static str) -> usize {
    let found = items.iter().position(|other| name(other) == name(&item));
    found.unwrap_or_else(|| {
        items.push(item);
        items.len() - 1
    })
}

fn compile_rule<R: RuleSet>(
    rule: &Rule<R>,
    leaf: usize,
    group: Option<&'static str>,
    predicates: &mut Vec<Predicate<R>>,
) -> Entry<R> {
    let requires = rule.requires.iter().map(|predicate| (predicate, None));
    let ensures = rule.ensures.iter().map(|(predicate, reason)| (predicate, Some(*reason)));
    let asks = requires.chain(ensures).map(|(predicate, refusal)| {
        let at = intern(predicates, *predicate, |p| p.name);
        Ask { predicate: at as u8, holds: predicates[at].holds, refusal }
    });
    Entry {
        name: rule.name,
        leaf,
        kind: rule.kind,
        subjects: rule.subjects,
        asks: asks.collect(),
        changes: rule.changes.clone(),
        variants: rule.variants,
        group,
        priority: rule.priority,
        generates: rule.generates,
    }
}

fn warnings<R: RuleSet>(
    rules: &Rules<R>,
    entries: &[Entry<R>],
    predicates: &[Predicate<R>],
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let first_decides = !matches!(rules.conflict, Conflict::ApplyAll | Conflict::Exclusive);
    for (at, entry) in entries.iter().enumerate() {
        let shadows = |before: &&Entry<R>| {
            before.leaf == entry.leaf
                && before.priority >= entry.priority
                && before.kind.covers(entry.kind)
                && is_subset(entry.subjects, before.subjects)
                && before.requires().all(|predicate| entry.requires().any(|p| p == predicate))
        };
        // Where all apply, two rules for one event are meant.
        let repeats = |before: &&Entry<R>| {
            rules.conflict != Conflict::ApplyAll && generates_again(entry, before)
        };
        if let Some(before) = entries[..at].iter().find(shadows).filter(|_| first_decides) {
            warnings.push(Warning::Unreachable { rule: entry.name, before: before.name });
        } else if let Some(before) = entries[..at].iter().find(repeats) {
            warnings.push(Warning::GeneratesAgain { rule: entry.name, before: before.name });
        }
        for predicate in entry.asks.iter().map(|ask| &predicates[usize::from(ask.predicate)]) {
            if entry.generates && matches!(predicate.targets, Targets::OneByOne) {
                let predicate = predicate.name;
                warnings.push(Warning::OneByOne { rule: entry.name, predicate });
            }
        }
    }
    for &kind in &rules.expected {
        if !entries.iter().any(|entry| entry.kind.covers(kind)) {
            warnings.push(Warning::Unhandled { kind });
        }
    }
    if rules.conflict != Conflict::ApplyAll {
        let groups = rules.groups.iter().map(|&(group, _)| group);
        warnings.extend(groups.map(|group| Warning::GroupWithoutEffect { group }));
    }
    warnings
}

/// Whether every event that an entry generates is generated by `before` as well, as
/// far as the names of predicates tell.
fn generates_again<R: RuleSet>(entry: &Entry<R>, before: &Entry<R>) -> bool {
    entry.generates
        && before.generates
        && before.leaf == entry.leaf
        && (before.kind, before.variants) == (entry.kind, entry.variants)
        && is_subset(entry.subjects, before.subjects)
        && (before.subjects == Subjects::ALL) == (entry.subjects == Subjects::ALL)
        && (before.asks.iter())
            .all(|ask| entry.asks.iter().any(|other| other.predicate == ask.predicate))
}

fn is_subset(one: Subjects, other: Subjects) -> bool {
    one.0 & !other.0 == 0
}
