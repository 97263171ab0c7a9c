//! Tree reuse between moves.

use meeple_game::{Action, ActionList, Game, Turn};

use crate::simulation::Simulator;
use crate::tree::{EdgeRef, NO_CHILD, ROOT, SOLVED};

impl<G: Game> Simulator<G> {
    /// Advances the root by `actions`, including chance outcomes, and keeps the subtree
    /// there.
    pub(crate) fn advance(&mut self, actions: &[Action]) {
        let Some(mut state) = self.root else { return };
        let mut at = if self.tree.is_empty() { NO_CHILD } else { ROOT };
        for &action in actions {
            state.apply(action);
            if at != NO_CHILD {
                let edge = self.tree.edge_of(at, action);
                let child = edge.map(|edge| self.tree.child(EdgeRef { node: at, edge }));
                at = child.unwrap_or(NO_CHILD) & !SOLVED;
            }
        }
        self.root = Some(state);
        if at == NO_CHILD {
            self.tree.clear(self.players);
        } else if at != ROOT {
            self.tree.reroot(at);
        }
    }

    /// Makes `state` the root and keeps its subtree, if the tree contains it before the
    /// next decision of its player.
    pub(crate) fn follow(&mut self, state: &G) {
        if self.root == Some(*state) {
            return;
        }
        let found = match self.root {
            Some(root) if !self.tree.is_empty() => self.find(ROOT, &root, state),
            _ => None,
        };
        match found {
            Some(at) => self.tree.reroot(at),
            None => self.tree.clear(state.players()),
        }
        self.root = Some(*state);
        self.players = state.players();
    }

    /// Finds the node of `wanted` below the node `at` of `state`.
    fn find(&self, at: u32, state: &G, wanted: &G) -> Option<u32> {
        let node = self.tree.node(at);
        (0..node.edge_count).find_map(|edge| {
            let child = node.children[edge] & !SOLVED;
            if child == NO_CHILD {
                return None;
            }
            let mut next = *state;
            next.apply(node.action(edge));
            if next == *wanted {
                return Some(child);
            }
            // The wanted state is the player's next decision, so it is not below another
            // one.
            let is_passed = next.turn() == wanted.turn() && has_choice(&next);
            if is_passed { None } else { self.find(child, &next, wanted) }
        })
    }
}

fn has_choice<G: Game>(state: &G) -> bool {
    let mut actions = ActionList::new();
    state.legal_actions(&mut actions);
    state.turn() != Turn::Chance && actions.len() > 1
}
