//! Trees kept from move to move.

use meeple_game::{Action, ActionList, Game, Turn};

use crate::tree::{NO_CHILD, ROOT, SOLVED, Step};
use crate::walk::Walker;

impl<G: Game> Walker<G> {
    /// Goes on from the root by `actions`, outcomes of luck among them, and
    /// keeps what is known of where they lead.
    pub(crate) fn advance(&mut self, actions: &[Action]) {
        let Some(mut state) = self.root else { return };
        let mut at = if self.tree.is_empty() { NO_CHILD } else { ROOT };
        for &action in actions {
            state.apply(action);
            if at != NO_CHILD {
                let edge = self.tree.edge_of(at, action);
                let child = edge.map(|edge| self.tree.child(Step { block: at, edge }));
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

    /// Makes `state` the root, and keeps what is known of it if it has been
    /// come to on the way to the next decision of its mover.
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

    /// The block of `wanted` below that of `state`.
    fn find(&self, at: u32, state: &G, wanted: &G) -> Option<u32> {
        let block = self.tree.block(at);
        (0..block.count).find_map(|edge| {
            let child = block.children[edge] & !SOLVED;
            if child == NO_CHILD {
                return None;
            }
            let mut next = *state;
            next.apply(block.action(edge));
            if next == *wanted {
                return Some(child);
            }
            // Whoever looks for their state has not passed a choice of theirs.
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
