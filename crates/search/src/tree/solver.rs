//! MCTS-Solver: proven edge values and the node values that follow from them.
//!
//! Proven wins and losses propagate as in Winands, Björnsson and Saito (2008). A node also
//! has bounds "at least a draw" and "at most a draw" (score bounded MCTS; Cazenave and
//! Saffidine, 2010): together they prove a draw long before every edge is proven. At chance
//! nodes all values refer to the first player.

use meeple_game::Payoffs;

use super::{CHANCE, DRAW_SUM, EdgeRef, HEADER, LOSS_SUM, NO_CHILD, SOLVED, Tree};

/// Flag of a node whose mover has at least a draw.
const AT_LEAST_DRAW: u32 = 1 << 24;
/// Flag of a node whose mover has at most a draw.
const AT_MOST_DRAW: u32 = 1 << 25;

/// Bounds of a value relative to a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) at_least_draw: bool,
    pub(crate) at_most_draw: bool,
}

/// What an update has proven about a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Proof {
    /// Nothing new.
    Unchanged,
    /// A new bound.
    Bound,
    /// The exact value for the mover; for the first player at a chance node.
    Value(f32),
}

impl Tree {
    /// Marks an edge as proven with this value for the mover of its node.
    pub(crate) fn mark_solved(&mut self, edge_ref: EdgeRef, value: f32) {
        let (_, mover, stride) = self.header(edge_ref.node);
        let first = edge_ref.node as usize + HEADER;
        let edge = edge_ref.edge as usize;
        let visits = self.words[first + edge];
        self.words[first + stride + edge] |= SOLVED;
        let sum = match value {
            _ if mover == CHANCE => value * visits as f32,
            ..=-1.0 => LOSS_SUM,
            0.0 => DRAW_SUM,
            _ => value * visits as f32,
        };
        self.words[first + 3 * stride + edge] = sum.to_bits();
    }

    /// Recomputes the bounds of a node after one of its edges changed.
    pub(crate) fn update_proof(&mut self, at: u32) -> Proof {
        if let Some(value) = self.proven_value(at) {
            return Proof::Value(value);
        }
        let (count, mover, _) = self.header(at);
        let known = |edge| self.edge_bounds(EdgeRef { node: at, edge });
        let mut edges = 0..count as u32;
        let at_least_draw = if mover == CHANCE {
            edges.clone().all(|edge| known(edge).at_least_draw)
        } else {
            edges.clone().any(|edge| known(edge).at_least_draw)
        };
        let at_most_draw = edges.all(|edge| known(edge).at_most_draw);
        let bounds = Bounds { at_least_draw, at_most_draw };
        if bounds == self.bounds(at) {
            return Proof::Unchanged;
        }
        let mark = |holds: bool, mark: u32| if holds { mark } else { 0 };
        self.words[at as usize] |= mark(at_least_draw, AT_LEAST_DRAW);
        self.words[at as usize] |= mark(at_most_draw, AT_MOST_DRAW);
        if bounds.at_least_draw && mover != CHANCE {
            self.prune_non_improving(at, count);
        }
        match self.proven_value(at) {
            Some(value) => Proof::Value(value),
            None => Proof::Bound,
        }
    }

    /// Prunes the edges that cannot beat the draw which the mover has.
    fn prune_non_improving(&mut self, at: u32, count: usize) {
        for edge in 0..count as u32 {
            let edge_ref = EdgeRef { node: at, edge };
            let bounds = self.edge_bounds(edge_ref);
            if bounds.at_most_draw && !bounds.at_least_draw && self.child(edge_ref) & SOLVED == 0 {
                let (_, _, stride) = self.header(at);
                let sum = at as usize + HEADER + 3 * stride + edge as usize;
                self.words[sum] = DRAW_SUM.to_bits();
            }
        }
    }

    /// Clamps backed-up `values` to the bounds of a node.
    #[inline(always)]
    pub(crate) fn clamp_to_bounds(&self, at: u32, values: &mut Payoffs) {
        let word = self.words[at as usize];
        if word & (AT_LEAST_DRAW | AT_MOST_DRAW) != 0 {
            Self::apply_bounds(word, values);
        }
    }

    #[cold]
    fn apply_bounds(word: u32, values: &mut Payoffs) {
        let mover = (word >> 16) as u8;
        let seat = if mover == CHANCE { 0 } else { usize::from(mover) };
        let least = if word & AT_LEAST_DRAW == 0 { -1.0 } else { 0.0 };
        let most = if word & AT_MOST_DRAW == 0 { 1.0 } else { 0.0 };
        values[seat] = values[seat].clamp(least, most);
        values[1 - seat] = -values[seat];
    }

    /// The bounds of a node for its mover.
    fn bounds(&self, at: u32) -> Bounds {
        let word = self.words[at as usize];
        Bounds { at_least_draw: word & AT_LEAST_DRAW != 0, at_most_draw: word & AT_MOST_DRAW != 0 }
    }

    /// The bounds of an edge for the mover of its node.
    pub(crate) fn edge_bounds(&self, edge_ref: EdgeRef) -> Bounds {
        let node = self.node(edge_ref.node);
        let edge = edge_ref.edge as usize;
        if node.is_solved(edge) {
            let value = node.edge_mean(edge);
            return Bounds { at_least_draw: value >= 0.0, at_most_draw: value <= 0.0 };
        }
        let child = node.children[edge];
        if child == NO_CHILD {
            return Bounds { at_least_draw: false, at_most_draw: false };
        }
        let seat = |mover: u8| if mover == CHANCE { 0 } else { mover };
        let Bounds { at_least_draw, at_most_draw } = self.bounds(child);
        if seat(node.mover) == seat(self.node(child).mover) {
            Bounds { at_least_draw, at_most_draw }
        } else {
            // Two-player zero-sum: the opponent's lower bound is the mover's upper bound.
            Bounds { at_least_draw: at_most_draw, at_most_draw: at_least_draw }
        }
    }

    /// The proven value of a node for its mover. One winning edge is enough; otherwise all
    /// edges must be proven, or the bounds must meet at a draw. At a chance node all
    /// outcomes must have the same value.
    pub(crate) fn proven_value(&self, at: u32) -> Option<f32> {
        let node = self.node(at);
        let solved = (0..node.edge_count).filter(|&edge| node.is_solved(edge));
        let mut values = solved.map(|edge| node.edge_mean(edge));
        if self.bounds(at) == (Bounds { at_least_draw: true, at_most_draw: true }) {
            return Some(0.0);
        }
        if node.mover == CHANCE {
            let first = values.next()?;
            let alike = values.clone().all(|value| value == first);
            return (alike && values.count() + 1 == node.edge_count).then_some(first);
        }
        let best = values.clone().fold(f32::NEG_INFINITY, f32::max);
        (best >= 1.0 || values.by_ref().count() == node.edge_count).then_some(best)
    }
}

#[cfg(test)]
mod tests {
    use meeple_game::{Action, MAX_PLAYERS};

    use super::super::NewNode;
    use super::super::tests::new_node;
    use super::*;

    #[test]
    fn wins_losses_and_chance_nodes_are_proven() {
        let mut tree = Tree::new(1 << 20);
        tree.clear(2);
        let actions = [Action(0), Action(1)];
        let node = tree.add(&new_node(&actions, &[])).unwrap();
        let edges = [0, 1].map(|edge| EdgeRef { node, edge });
        edges.iter().for_each(|&edge_ref| tree.add_values(edge_ref, 1, &[0.0; MAX_PLAYERS]));
        tree.mark_solved(edges[0], -1.0);
        assert_eq!(tree.proven_value(node), None);
        tree.mark_solved(edges[1], 0.25);
        assert_eq!(tree.proven_value(node), Some(0.25));
        tree.mark_solved(edges[1], 1.0);
        assert_eq!(tree.proven_value(node), Some(1.0));
        assert_eq!(tree.node(node).edge_mean(0), -1.0);
        let chance = tree.add(&NewNode { mover: CHANCE, ..new_node(&actions, &[]) }).unwrap();
        let edges = [0, 1].map(|edge| EdgeRef { node: chance, edge });
        edges.iter().for_each(|&edge_ref| tree.add_values(edge_ref, 1, &[0.0; MAX_PLAYERS]));
        tree.mark_solved(edges[0], -1.0);
        assert_eq!(tree.proven_value(chance), None);
        tree.mark_solved(edges[1], -1.0);
        assert_eq!(tree.proven_value(chance), Some(-1.0));
    }

    /// The first player has a draw, and the second player has a draw against everything
    /// else.
    #[test]
    fn draws_are_proven_by_bounds() {
        let mut tree = Tree::new(1 << 20);
        tree.clear(2);
        let actions = [Action(0), Action(1)];
        let root = tree.add(&new_node(&actions, &[])).unwrap();
        let reply = tree.add(&NewNode { mover: 1, ..new_node(&actions, &[]) }).unwrap();
        tree.set_child(EdgeRef { node: root, edge: 1 }, reply);
        assert_eq!(tree.update_proof(root), Proof::Unchanged);
        for node in [root, reply] {
            tree.add_values(EdgeRef { node, edge: 0 }, 1, &[0.0; MAX_PLAYERS]);
        }
        tree.mark_solved(EdgeRef { node: root, edge: 0 }, 0.0);
        assert_eq!(tree.update_proof(root), Proof::Bound, "at least a draw");
        tree.mark_solved(EdgeRef { node: reply, edge: 0 }, 0.0);
        assert_eq!(tree.update_proof(reply), Proof::Bound, "at least a draw for the other");
        assert_eq!(tree.update_proof(root), Proof::Value(0.0));
        assert!(!tree.edge_bounds(EdgeRef { node: root, edge: 1 }).at_least_draw, "it may lose");
    }
}
