//! Moving on: one state becomes the root, and the rest is forgotten.

use super::{HEADER, NO_CHILD, ROOT, SOLVED, Tree, stride};

/// Set in the first word of a block that waits for its new place: the rest of the
/// word is where the link to it is, which keeps the first word meanwhile.
const THREADED: u32 = 1 << 31;

impl Tree {
    /// Makes the state at `at` the root and forgets all that does not follow
    /// from it. Blocks move within the arena, so that a kept tree takes no more
    /// memory than it is allowed.
    pub(crate) fn reroot(&mut self, at: u32) {
        self.nodes = 0;
        let (mut from, mut to) = (at as usize, ROOT as usize);
        // A block lies behind its parent: when it is come to, its parent has been
        // moved and has threaded it, or it is not needed.
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

    /// Has the children of a block that was moved to `at` know where the links to
    /// them are.
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

    /// Gives the threaded block at `from` its first word back, and has the link
    /// to it lead to where it will be.
    fn unthread(&mut self, from: usize, to: usize) {
        let link = (self.words[from] & !THREADED) as usize;
        self.words[from] = self.words[link] & !SOLVED;
        self.words[link] = to as u32 | self.words[link] & SOLVED;
    }
}

#[cfg(test)]
mod tests {
    use meeple_game::{Action, MAX_PLAYERS};

    use super::super::tests::sketch;
    use super::super::{END, Step};
    use super::*;

    #[test]
    fn rerooting_keeps_the_subtree_alone() {
        let mut tree = Tree::new(1 << 20);
        tree.clear(2);
        let actions = [Action(0), Action(1)];
        let blocks: Vec<u32> = (0..5)
            .map(|_| tree.add(&sketch(&actions, &[0.25, 0.75])).expect("there is room"))
            .collect();
        let before = tree.bytes() - 4;
        let link = |tree: &mut Tree, from: usize, edge, to: usize| {
            tree.set_child(Step { block: blocks[from], edge }, blocks[to]);
        };
        link(&mut tree, 0, 0, 1);
        link(&mut tree, 0, 1, 2);
        link(&mut tree, 2, 1, 3);
        tree.add_values(Step { block: blocks[3], edge: 0 }, 7, &[3.5; MAX_PLAYERS]);
        tree.set_child(Step { block: blocks[3], edge: 1 }, END);
        tree.add_values(Step { block: blocks[4], edge: 1 }, 2, &[-2.0; MAX_PLAYERS]);
        let solved = SOLVED | blocks[4];
        tree.set_child(Step { block: blocks[3], edge: 0 }, solved);
        tree.reroot(blocks[2]);
        assert_eq!(tree.nodes(), 3);
        let child = tree.child(Step { block: ROOT, edge: 1 });
        assert_eq!(tree.block(child).edge_mean(0), 0.5);
        assert_eq!(tree.child(Step { block: ROOT, edge: 0 }), NO_CHILD);
        let [proven, end] = [0, 1].map(|edge| tree.child(Step { block: child, edge }));
        assert_eq!((proven & SOLVED, end), (SOLVED, END));
        assert_eq!(tree.block(proven & !SOLVED).edge_mean(1), -1.0);
        assert_eq!(tree.bytes() - 4, before * 3 / 5, "nothing else is kept");
    }
}
