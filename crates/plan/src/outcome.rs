//! Chance outcomes and the end of the game.

use crate::RuleSet;
use crate::plan::{Leaf, Plan};
use crate::rules::{Outcomes, Result, When};

impl<R: RuleSet> Plan<R> {
    /// Visits the chance outcomes of `state` with their weights; none unless the first
    /// open leaf is a chance phase.
    pub fn visit_outcomes(&self, state: &R::State, mut visit: impl FnMut(R::Event, f64)) {
        if let Some(outcomes) = self.chance_in(state) {
            outcomes(state, &mut visit);
        }
    }

    /// Returns whether `state` is a chance node.
    #[must_use]
    #[inline]
    pub fn is_chance(&self, state: &R::State) -> bool {
        self.chance_in(state).is_some()
    }

    #[inline]
    fn chance_in(&self, state: &R::State) -> Option<Outcomes<R>> {
        if !self.has_chance {
            return None;
        }
        let is_open = |leaf: &&Leaf<R>| leaf.gate.iter().all(|gate| (gate.holds)(state));
        self.leaves.iter().find(is_open)?.chance
    }

    /// Returns the end condition that holds in `state`, if any: its name and its
    /// payoffs.
    ///
    /// `facts` are those of `state`.
    #[inline]
    pub fn ending(&self, state: &R::State, facts: &R::Facts) -> Option<(&'static str, Result<R>)> {
        // The search for a legal event is the most expensive test: done at most once.
        let mut has_no_event = None;
        for end in &self.ends {
            let holds = (end.holds)(state, facts)
                && (end.when == When::Holds
                    || *has_no_event.get_or_insert_with(|| {
                        !self.is_chance(state) && !self.has_legal(state, facts)
                    }));
            if holds {
                return Some((end.name, end.result));
            }
        }
        None
    }
}
