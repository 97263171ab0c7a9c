//! Differential testing of the plan against the tree, with precise reports.

use std::fmt;

use crate::{Handled, Plan, RuleSet, Stages, Tree};

/// A plan and its reference tree, compared on every event.
#[derive(Clone, Debug)]
pub struct Parity<R: RuleSet> {
    plan: Plan<R>,
    tree: Tree<R>,
    /// Corrupts the plan's result, to test that a mismatch is found.
    fault: Option<fn(&mut R::State)>,
}

/// A difference between plan and tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The parts of the state that differ, as `name[cell]: plan != tree`.
    pub artifacts: Vec<String>,
    /// The event.
    pub event: String,
    /// The name of the entry that took it.
    pub entry: Option<&'static str>,
    /// The optimization that causes the difference, or the base plan.
    pub stage: &'static str,
    /// The results of plan and tree.
    pub detail: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { artifacts, event, entry, stage, detail } = self;
        write!(
            f,
            "plan and tree differ on {event} (entry {}, stage {stage})",
            entry.unwrap_or("none")
        )?;
        write!(f, ": {detail}; {}", artifacts.join(", "))
    }
}

impl std::error::Error for Mismatch {}

impl<R: RuleSet> Parity<R> {
    /// Creates the comparison of a plan with its tree.
    #[must_use]
    pub fn new(plan: &Plan<R>) -> Self {
        Self { tree: plan.tree(), plan: plan.clone(), fault: None }
    }

    /// Injects a fault into the plan's results, to test the comparison itself.
    #[must_use]
    pub fn with_fault(self, fault: fn(&mut R::State)) -> Self {
        Self { fault: Some(fault), ..self }
    }

    /// Handles an event by both.
    ///
    /// # Errors
    ///
    /// When they differ.
    pub fn handle(
        &self,
        state: &R::State,
        event: &R::Event,
    ) -> Result<Handled<R::State>, Mismatch> {
        let expected = self.tree.handle(state, event);
        let mut got = self.plan.handle(state, event);
        if let (Some(fault), Handled::Applied(next)) = (self.fault, &mut got) {
            fault(next);
        }
        if got == expected {
            return Ok(got);
        }
        let mut trace = crate::Trace::default();
        self.plan.handle_observed(state, event, &mut trace);
        Err(Mismatch {
            artifacts: self.differences(state, &got, &expected),
            event: format!("{event:?}"),
            entry: trace.applied.first().map(|&at| self.plan.entry_names()[at]),
            stage: self.guilty_stage(state, event, &expected),
            detail: format!("{}, expected {}", describe(&got), describe(&expected)),
        })
    }

    /// Compares the generated events with those that the tree accepts among all
    /// possible events, and the result of each event's entry with the tree's.
    ///
    /// # Errors
    ///
    /// When they differ.
    pub fn generated(&self, state: &R::State) -> Result<(), Mismatch> {
        let mut generated = Vec::new();
        self.plan.visit_legal(state, &R::facts(state), |candidate| generated.push(candidate));
        let expected = self.tree.legal(state);
        let mismatch = |event: String, entry, detail: &str| {
            let stage = "generation";
            Err(Mismatch { artifacts: Vec::new(), event, entry, stage, detail: detail.into() })
        };
        for event in &expected {
            if !generated.iter().any(|candidate| candidate.event == *event) {
                return mismatch(format!("{event:?}"), None, "legal, but not generated");
            }
        }
        for (at, candidate) in generated.iter().enumerate() {
            let event = format!("{:?}", candidate.event);
            let entry = Some(self.plan.entry_names()[candidate.entry]);
            if !expected.contains(&candidate.event) {
                return mismatch(event, entry, "generated, but not legal");
            }
            if generated[..at].iter().any(|other| other.event == candidate.event) {
                return mismatch(event, entry, "generated twice");
            }
            let mut next = *state;
            self.plan.apply(&mut next, candidate);
            if self.tree.handle(state, &candidate.event) != Handled::Applied(next) {
                return mismatch(event, entry, "its entry gives another state");
            }
        }
        Ok(())
    }

    fn differences(
        &self,
        state: &R::State,
        got: &Handled<R::State>,
        expected: &Handled<R::State>,
    ) -> Vec<String> {
        let after = |handled: &Handled<R::State>| match handled {
            Handled::Applied(next) => *next,
            _ => *state,
        };
        let (got, expected) = (after(got), after(expected));
        let mut differences = Vec::new();
        for artifact in self.plan.artifacts() {
            for cell in 0..artifact.cells {
                let read = |state: &R::State| (artifact.read)(state, 0, cell);
                let (one, other) = (read(&got), read(&expected));
                if one != other {
                    differences.push(format!("{}[{cell}]: {one} != {other}", artifact.name));
                }
            }
        }
        if differences.is_empty() && got != expected {
            differences.push("a part of the state that no artifact names".into());
        }
        differences
    }

    fn guilty_stage(
        &self,
        state: &R::State,
        event: &R::Event,
        expected: &Handled<R::State>,
    ) -> &'static str {
        if self.fault.is_some() {
            return "forced";
        }
        let without = [
            ("grouping", Stages { grouping: false, ..self.plan.stages }),
            ("filtering", Stages { filtering: false, ..self.plan.stages }),
            ("masks", Stages { masks: false, ..self.plan.stages }),
        ];
        let fixes =
            |stages: Stages| self.plan.with_stages(stages).handle(state, event) == *expected;
        without.into_iter().find(|&(_, stages)| fixes(stages)).map_or("base", |(name, _)| name)
    }
}

fn describe<S>(handled: &Handled<S>) -> String {
    match handled {
        Handled::Applied(_) => "applied".into(),
        Handled::Ignored => "ignored".into(),
        Handled::Invalid { reason, .. } => format!("invalid ({reason})"),
        Handled::Contested { first, second } => {
            format!("contested by entries {first} and {second}")
        }
    }
}
