//! What happens without being asked for: luck and the end of the game.

use crate::RuleSet;
use crate::plan::{Leaf, Plan};
use crate::rules::{Outcomes, Result, When};

impl<R: RuleSet> Plan<R> {
    /// What luck may do in `state`: nothing unless the first open phase is one
    /// of chance.
    pub fn visit_outcomes(&self, state: &R::State, mut visit: impl FnMut(R::Event, f64)) {
        if let Some(outcomes) = self.chance_in(state) {
            outcomes(state, &mut visit);
        }
    }

    /// Whether luck decides in `state`.
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

    /// The end that `state` is at: its name and how it is paid.
    ///
    /// `facts` are those of `state`.
    #[inline]
    pub fn ending(&self, state: &R::State, facts: &R::Facts) -> Option<(&'static str, Result<R>)> {
        // Looking for events takes the longest, so it is done once at most.
        let mut stuck = None;
        for end in &self.ends {
            let holds = (end.holds)(state, facts)
                && (end.when == When::Holds
                    || *stuck.get_or_insert_with(|| {
                        !self.is_chance(state) && !self.has_legal(state, facts)
                    }));
            if holds {
                return Some((end.name, end.result));
            }
        }
        None
    }
}
