//! Several simulations per determinization: states reached by one simulation are cached for
//! the next.
//!
//! A simulation then only applies actions that no earlier one has applied. Reusing a
//! determinization biases the search towards strategy fusion, so it is off by default.

use meeple_game::{Action, Game, Player, Turn, View};

use super::batched::BatchedIsMcts;
use super::key_of;
use super::nodes::NO_NODE;
use super::simulation::Choice;
use crate::ordering::normalize;
use crate::simd::Kernels;

/// No cached state.
const NONE: u32 = u32::MAX;
/// The maximum number of cached states, after which the next determinization is sampled: a
/// larger cache would not stay in the processor's cache.
const MAX_STATES: usize = 1 << 11;

/// The states reached within one determinization, as a tree.
#[derive(Debug)]
pub(super) struct DeterminizationCache<G> {
    entries: Vec<CachedState>,
    /// The game states, in a separate array because they may be large.
    states: Vec<G>,
    /// The legal actions of all decisions, concatenated.
    legal: Vec<LegalAction>,
    /// Simulations before the next determinization is sampled.
    simulations_left: u32,
}

/// A state reached by a simulation, or computed by the move ordering.
#[derive(Clone, Copy, Debug)]
struct CachedState {
    /// The action that led here.
    action: Action,
    /// The next child of the same parent.
    sibling: u32,
    /// The most recently added child.
    child: u32,
    /// Computed when a simulation continues from here.
    decision: Option<Decision>,
}

/// A decision and its information set.
#[derive(Clone, Copy, Debug)]
struct Decision {
    mover: Player,
    /// The key of the information set.
    key: u64,
    /// The range of its legal actions in `legal`.
    first: u32,
    end: u32,
    /// The node that the ranks refer to and its edge count then: the ranks are valid while
    /// both are unchanged.
    node: u32,
    entries: usize,
}

/// A legal action and the rank of its edge.
#[derive(Clone, Copy, Debug)]
struct LegalAction {
    action: Action,
    rank: u16,
}

impl<G> Default for DeterminizationCache<G> {
    fn default() -> Self {
        Self { entries: Vec::new(), states: Vec::new(), legal: Vec::new(), simulations_left: 0 }
    }
}

impl<G: Game> DeterminizationCache<G> {
    /// Makes the next simulation sample a new determinization.
    pub(super) fn end(&mut self) {
        self.simulations_left = 0;
    }

    /// The state of a cache entry.
    pub(super) fn state(&self, at: usize) -> &G {
        &self.states[at]
    }

    fn begin(&mut self, state: G, simulations: u32) {
        self.entries.clear();
        self.states.clear();
        self.legal.clear();
        self.entries.push(CachedState {
            action: Action(0),
            sibling: NONE,
            child: NONE,
            decision: None,
        });
        self.states.push(state);
        self.simulations_left = simulations;
    }

    /// The entry after an action; applies the action if it is new.
    fn child_after(&mut self, at: usize, action: Action) -> usize {
        let mut child_after = self.entries[at].child;
        while child_after != NONE {
            let stop = &self.entries[child_after as usize];
            if stop.action == action {
                return child_after as usize;
            }
            child_after = stop.sibling;
        }
        let new = self.states.len();
        // Copied within the vector: large states are not moved twice.
        self.states.extend_from_within(at..=at);
        self.states[new].apply(action);
        self.add(at, action);
        new
    }

    /// Adds the entry after an action, whose state is stored already.
    fn add(&mut self, at: usize, action: Action) {
        let new = self.entries.len() as u32;
        let sibling = std::mem::replace(&mut self.entries[at].child, new);
        self.entries.push(CachedState { action, sibling, child: NONE, decision: None });
    }
}

impl<G: Game> BatchedIsMcts<G> {
    /// Like [`select_leaf`](Self::select_leaf), in the current determinization or, if that
    /// is used up, in a new one. Returns the cache entry of the leaf.
    pub(super) fn select_leaf_cached<K: Kernels>(&mut self, view: &View<'_, G>) -> usize {
        let mut cache = std::mem::take(&mut self.cache);
        if cache.simulations_left == 0 || cache.entries.len() > MAX_STATES {
            cache.begin(view.sample(&mut self.rng), self.options.simulations_per_determinization);
        }
        cache.simulations_left -= 1;
        self.path.clear();
        let mut at = 0;
        while let Some(decision) = self.decision_at(&mut cache, at) {
            let Some(node) = self.node_with_key(decision.key) else { break };
            let Some(choice) = self.select_at::<K>(&mut cache, at, decision, node) else { break };
            let is_tried = self.push_choice(decision.mover, choice);
            at = cache.child_after(at, self.legal.actions[choice.at]);
            if !is_tried {
                break;
            }
        }
        self.cache = cache;
        at
    }

    /// The decision at an entry, after sampling chance events; `None` if the game is over.
    fn decision_at(&mut self, cache: &mut DeterminizationCache<G>, at: usize) -> Option<Decision> {
        let stop = &mut cache.entries[at];
        if stop.decision.is_some() {
            return stop.decision;
        }
        let state = &mut cache.states[at];
        let mover = loop {
            match state.turn() {
                Turn::Player(mover) => break mover,
                Turn::Chance => state.apply(state.sample_chance(&mut self.rng)),
                Turn::Over => return None,
            }
        };
        let key = key_of(self.options.observer, self.seat, state, mover);
        state.legal_actions(&mut self.legal.actions);
        let first = cache.legal.len() as u32;
        cache
            .legal
            .extend(self.legal.actions.iter().map(|&action| LegalAction { action, rank: 0 }));
        let end = cache.legal.len() as u32;
        stop.decision = Some(Decision { mover, key, first, end, node: NO_NODE, entries: 0 });
        stop.decision
    }

    /// Like [`select_action`](Self::select_action) at an entry, whose legal actions and
    /// ranks are cached.
    fn select_at<K: Kernels>(
        &mut self,
        cache: &mut DeterminizationCache<G>,
        at: usize,
        decision: Decision,
        node: u32,
    ) -> Option<Choice> {
        let legal = &mut cache.legal[decision.first as usize..decision.end as usize];
        self.legal.actions.clear();
        legal.iter().for_each(|legal| self.legal.actions.push(legal.action));
        if !self.expands_all() || node == self.root.node && self.root.halving.is_some() {
            return self.select_action::<K>(&cache.states[at], node);
        }
        if decision.node == node && decision.entries == self.nodes.edge_count(node) {
            self.legal.ranks.clear();
            self.legal.ranks.extend(legal.iter().map(|legal| legal.rank));
            return Some(self.best(node));
        }
        let node = self.find_or_expand(node, |tree| tree.compute_priors_cached(cache, at))?;
        let legal = &mut cache.legal[decision.first as usize..decision.end as usize];
        legal.iter_mut().zip(&self.legal.ranks).for_each(|(legal, &rank)| legal.rank = rank);
        let entries = self.nodes.edge_count(node);
        cache.entries[at].decision = Some(Decision { node, entries, ..decision });
        Some(self.best(node))
    }

    /// Like [`compute_priors`](Self::compute_priors); successor states computed by the move
    /// ordering become entries.
    fn compute_priors_cached(&mut self, cache: &mut DeterminizationCache<G>, at: usize) {
        self.legal.priors.clear();
        let Some(ordering) = &self.ordering else { return };
        self.legal.priors.resize(self.legal.actions.len(), 0.0);
        let (depth, states) = (self.path.len(), &mut cache.states);
        ordering.weights_and_successors(
            states,
            at,
            depth,
            &self.legal.actions,
            &mut self.legal.priors,
        );
        normalize(&mut self.legal.priors);
        for &action in &self.legal.actions[..cache.states.len() - cache.entries.len()] {
            cache.add(at, action);
        }
    }
}
