//! Tree reuse: sliding compaction of the information sets that the last search visited, in
//! the three passes of the LISP 2 collector (new addresses, references, moves).

use super::nodes::{HEADER, NO_NODE, NodeStore};

/// In place of the generation: the node is retained, and its header has the new address.
const RETAINED: u32 = u32::MAX;

impl NodeStore {
    /// Removes the nodes that the last search did not visit, and starts a new generation.
    /// What is reachable from the new root is unknown, because chance and hidden
    /// information lead to more information sets than edges record. Unreachable nodes are
    /// not visited again, so the next call removes them. Nodes move within the arena, which
    /// needs no extra memory.
    pub(super) fn retain_recent(&mut self) {
        self.assign_addresses();
        self.forward_children();
        self.compact();
        self.generation += 1;
    }

    fn size_at(&self, at: usize) -> usize {
        let capacity = self.cells[at + 1][1] as usize;
        HEADER + capacity + self.packed_cells(capacity)
    }

    /// Assigns each retained node its new address.
    fn assign_addresses(&mut self) {
        let (mut at, mut to) = (1, 1);
        while at < self.cells.len() {
            let size = self.size_at(at);
            let [count, capacity, moved, generation] = self.cells[at + 1];
            if moved == NO_NODE && generation == self.generation {
                self.cells[at + 1] = [count, capacity, to, RETAINED];
                to += size as u32;
            }
            at += size;
        }
    }

    /// Updates the children of retained nodes to the new addresses.
    fn forward_children(&mut self) {
        let mut at = 1;
        while at < self.cells.len() {
            let [count, _, _, generation] = self.cells[at + 1];
            if generation == RETAINED {
                for edge in at + HEADER..at + HEADER + count as usize {
                    self.cells[edge][3] = self.forwarded(self.cells[edge][3]);
                }
            }
            at += self.size_at(at);
        }
    }

    /// The new address of a node, following growth; [`NO_NODE`] if it is not retained.
    fn forwarded(&self, at: u32) -> u32 {
        let mut at = at;
        while at != NO_NODE {
            match self.cells[at as usize + 1] {
                [_, _, new, RETAINED] => return new,
                // Moved when it grew, or not retained.
                [_, _, later, _] => at = later,
            }
        }
        NO_NODE
    }

    /// Moves retained nodes to their new addresses, which are never higher.
    fn compact(&mut self) {
        self.index.clear();
        let (mut at, mut end) = (1, 1);
        while at < self.cells.len() {
            let size = self.size_at(at);
            let [count, capacity, to, generation] = self.cells[at + 1];
            if generation == RETAINED {
                self.cells.copy_within(at..at + size, to as usize);
                self.cells[to as usize + 1] = [count, capacity, NO_NODE, self.generation];
                self.index.insert(self.key(to), to);
                end = to as usize + size;
            }
            at += size;
        }
        self.cells.truncate(end);
    }
}

#[cfg(test)]
mod tests {
    use meeple_game::Action;

    use super::*;

    /// Nodes not visited by the second search are removed, and edges to retained nodes
    /// follow them, even to a node that moved when it grew.
    #[test]
    fn nodes_of_the_last_search_are_retained() {
        let mut nodes = NodeStore::new(1 << 20, true);
        nodes.clear(64);
        let [mut parent, child, other] =
            [1, 2, 3].map(|key| nodes.find_or_insert(key, NO_NODE).expect("there is room"));
        for action in 0..6 {
            parent = nodes.insert_edge(parent, Action(action), 0.5).expect("there is room");
        }
        nodes.insert_edge(child, Action(9), 0.25).expect("there is room");
        nodes.set_child(parent, 5, child);
        nodes.set_child(parent, 2, other);
        nodes.add_visit(child, 0, 1.0);
        let grown = (0..9).fold(child, |at, action| {
            nodes.insert_edge(at, Action(action), 0.5).expect("there is room")
        });
        assert_ne!(grown, child, "it was moved");
        nodes.retain_recent();
        assert_eq!(nodes.len(), 3);
        nodes.find_or_insert(1, NO_NODE);
        nodes.find_or_insert(2, NO_NODE);
        nodes.retain_recent();
        assert_eq!((nodes.len(), nodes.get(3)), (2, None));
        let (parent, child) = (nodes.get(1).expect("kept"), nodes.get(2).expect("kept"));
        let children = [2, 5].map(|rank| nodes.edge(parent, rank).child);
        assert_eq!(children, [NO_NODE, child]);
        let (rank, found) = nodes.rank(child, Action(9));
        assert!(found);
        assert_eq!((nodes.edge(child, rank).visits, nodes.edge_count(child)), (1, 10));
        assert!((nodes.prior(child, rank).expect("it has priors") - 0.25).abs() < 1e-4);
    }
}
