//! Tree reuse: compacts the subtree of a new root within the arena.
//!
//! The compaction threads pointers through headers (Jonkers, 1979, "A fast garbage
//! compaction algorithm"); a node has one parent, so each thread has length one.

use super::{HEADER, NO_CHILD, ROOT, SOLVED, Tree, stride};

/// Flag in the first word of a node that is still to be moved. The other bits are the
/// address of the link to the node, which holds the first word meanwhile.
const THREADED: u32 = 1 << 31;

impl Tree {
    /// Makes the node at `at` the root and removes everything outside its subtree. Nodes
    /// move within the arena, so the reused tree needs no extra memory.
    pub(crate) fn reroot(&mut self, at: u32) {
        self.nodes = 0;
        let (mut from, mut to) = (at as usize, ROOT as usize);
        // Nodes lie after their parents. When a node is reached, its parent has moved and
        // threaded it, or the node is outside the subtree.
        while from < self.words.len() {
            let is_kept = from == at as usize || self.words[from] & THREADED != 0;
            if self.words[from] & THREADED != 0 {
                self.unthread(from, to);
            }
            let stride = stride((self.words[from] & 0xffff) as usize);
            let size = HEADER + (3 + self.planes) * stride;
            if is_kept {
                self.words.copy_within(from..from + size, to);
                self.thread_children(to, stride);
                self.nodes += 1;
                to += size;
            }
            from += size;
        }
        self.words.truncate(to);
    }

    /// Threads the children of the node that moved to `at`.
    fn thread_children(&mut self, at: usize, stride: usize) {
        let links = at + HEADER + stride;
        for link in links..links + stride {
            let child = self.words[link];
            let place = (child & !SOLVED) as usize;
            if place != NO_CHILD as usize {
                self.words[link] = self.words[place] | child & SOLVED;
                self.words[place] = THREADED | link as u32;
            }
        }
    }

    /// Restores the first word of the threaded node at `from`, and points the link to its
    /// new address.
    fn unthread(&mut self, from: usize, to: usize) {
        let link = (self.words[from] & !THREADED) as usize;
        self.words[from] = self.words[link] & !SOLVED;
        self.words[link] = to as u32 | self.words[link] & SOLVED;
    }
}

#[cfg(test)]
mod tests {
    use meeple_game::{Action, MAX_PLAYERS};

    use super::super::tests::new_node;
    use super::super::{EdgeRef, TERMINAL};
    use super::*;

    #[test]
    fn rerooting_keeps_only_the_subtree() {
        let mut tree = Tree::new(1 << 20);
        tree.clear(2);
        let actions = [Action(0), Action(1)];
        let nodes: Vec<u32> = (0..5)
            .map(|_| tree.add(&new_node(&actions, &[0.25, 0.75])).expect("there is room"))
            .collect();
        let before = tree.bytes() - 4;
        let link = |tree: &mut Tree, from: usize, edge, to: usize| {
            tree.set_child(EdgeRef { node: nodes[from], edge }, nodes[to]);
        };
        link(&mut tree, 0, 0, 1);
        link(&mut tree, 0, 1, 2);
        link(&mut tree, 2, 1, 3);
        tree.add_values(EdgeRef { node: nodes[3], edge: 0 }, 7, &[3.5; MAX_PLAYERS]);
        tree.set_child(EdgeRef { node: nodes[3], edge: 1 }, TERMINAL);
        tree.add_values(EdgeRef { node: nodes[4], edge: 1 }, 2, &[-2.0; MAX_PLAYERS]);
        let solved = SOLVED | nodes[4];
        tree.set_child(EdgeRef { node: nodes[3], edge: 0 }, solved);
        tree.reroot(nodes[2]);
        assert_eq!(tree.nodes(), 3);
        let child = tree.child(EdgeRef { node: ROOT, edge: 1 });
        assert_eq!(tree.node(child).edge_mean(0), 0.5);
        assert_eq!(tree.child(EdgeRef { node: ROOT, edge: 0 }), NO_CHILD);
        let [proven, end] = [0, 1].map(|edge| tree.child(EdgeRef { node: child, edge }));
        assert_eq!((proven & SOLVED, end), (SOLVED, TERMINAL));
        assert_eq!(tree.node(proven & !SOLVED).edge_mean(1), -1.0);
        assert_eq!(tree.bytes() - 4, before * 3 / 5, "nothing else is kept");
    }
}
