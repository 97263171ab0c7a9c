//! What a simulation leaves in the tree: values, proofs and virtual losses.

use meeple_game::{Game, Payoffs, Player};

use crate::simulation::Simulator;
use crate::tree::{CHANCE, EdgeRef, Proof, SOLVED};

impl<G: Game> Simulator<G> {
    /// Backs `values` up along the path of the last selection.
    #[inline(always)]
    pub(crate) fn backup(&mut self, values: Payoffs, proves: bool) {
        let mut values = values;
        // A terminal state is a proof of its own value; above it, each node decides anew.
        let mut proof = if proves { Proof::Value(0.0) } else { Proof::Unchanged };
        self.simulations += 1;
        self.depth_sum += self.path.len() as u64;
        self.max_depth = self.max_depth.max(self.path.len());
        if self.updates_ordering {
            self.update_ordering(&self.path, &values);
        }
        for at in (0..self.path.len()).rev() {
            let edge_ref = self.path[at];
            self.tree.add_values(edge_ref, 1, &values);
            if !matches!(proof, Proof::Unchanged) {
                proof = self.propagate_proof(edge_ref, proof, &mut values);
            }
            // A sampled value beyond what is proven of the node would mislead its ancestors.
            self.tree.clamp_to_bounds(edge_ref.node, &mut values);
        }
        // The path ends at the root, so a proof that is left is one of the root.
        self.is_solved |= matches!(proof, Proof::Value(_));
    }

    /// Reports the values of the actions on a path to the move ordering.
    fn update_ordering(&self, path: &[EdgeRef], values: &Payoffs) {
        let Some(ordering) = &self.ordering else { return };
        for (depth, edge_ref) in path.iter().enumerate() {
            let node = self.tree.node(edge_ref.node);
            if node.mover != CHANCE {
                let value = values[usize::from(node.mover)];
                let action = node.action(edge_ref.edge as usize);
                ordering.update(Player(node.mover), depth, action, value);
            }
        }
    }

    /// Propagates the proof of a child to the node of `edge_ref`; replaces `values` by the
    /// proven values of the node.
    #[cold]
    fn propagate_proof(
        &mut self,
        edge_ref: EdgeRef,
        child_proof: Proof,
        values: &mut Payoffs,
    ) -> Proof {
        let mover = self.tree.node(edge_ref.node).mover;
        let seat = if mover == CHANCE { 0 } else { usize::from(mover) };
        if let Proof::Value(_) = child_proof {
            self.tree.mark_solved(edge_ref, values[seat]);
        }
        let proof = self.tree.update_proof(edge_ref.node);
        if let Proof::Value(value) = proof {
            values[seat] = value;
            values[1 - seat] = -value;
        }
        proof
    }

    /// Adds a virtual loss to every edge of the path until its leaf is evaluated.
    pub(crate) fn add_virtual_loss(&mut self) {
        let lost = [-self.options.virtual_loss; meeple_game::MAX_PLAYERS];
        for at in 0..self.path.len() {
            self.tree.add_values(self.path[at], 1, &lost);
        }
    }

    /// Undoes the node visits of a discarded simulation.
    pub(crate) fn undo_visits(&mut self) {
        for at in 0..self.path.len() {
            self.tree.remove_visit(self.path[at].node);
        }
    }

    /// Replaces the virtual losses on `path` by the values of its leaf.
    pub(crate) fn backup_pending(&mut self, path: &[EdgeRef], values: &Payoffs) {
        self.simulations += 1;
        self.depth_sum += path.len() as u64;
        self.max_depth = self.max_depth.max(path.len());
        if self.updates_ordering {
            self.update_ordering(path, values);
        }
        let mut values = *values;
        for &edge_ref in path.iter().rev() {
            // An edge proven meanwhile already has its final value.
            if self.tree.child(edge_ref) & SOLVED == 0 {
                // The visit was counted with the loss: only the value is corrected.
                let repaid = values.map(|value| value + self.options.virtual_loss);
                self.tree.add_values(edge_ref, 0, &repaid);
            }
            self.tree.clamp_to_bounds(edge_ref.node, &mut values);
        }
    }
}
