//! What is kept of the tree of information sets from one search to the next.

use super::nodes::{HEADER, NOWHERE, Nodes};

/// In place of an age: the block is kept, and its header says where it goes.
const KEPT: u32 = u32::MAX;

impl Nodes {
    /// Forgets what the last search did not come through, and makes ready for
    /// another. What can still be reached from its root is not known, since
    /// luck and hidden cards lead to more sets than edges remember; but what
    /// cannot be reached is not come through, and forgotten next time. Blocks
    /// move within the arena, so that this takes no memory.
    pub(super) fn keep_recent(&mut self) {
        self.choose_places();
        self.mend_children();
        self.move_kept();
        self.age += 1;
    }

    fn size_at(&self, at: usize) -> usize {
        let capacity = self.cells[at + 1][1] as usize;
        HEADER + capacity + self.extra_cells(capacity)
    }

    /// Marks the blocks that are kept, each with the place it will have.
    fn choose_places(&mut self) {
        let (mut at, mut to) = (1, 1);
        while at < self.cells.len() {
            let size = self.size_at(at);
            let [count, capacity, moved, age] = self.cells[at + 1];
            if moved == NOWHERE && age == self.age {
                self.cells[at + 1] = [count, capacity, to, KEPT];
                to += size as u32;
            }
            at += size;
        }
    }

    /// Has the edges of kept blocks lead to where their children will be.
    fn mend_children(&mut self) {
        let mut at = 1;
        while at < self.cells.len() {
            let [count, _, _, age] = self.cells[at + 1];
            if age == KEPT {
                for entry in at + HEADER..at + HEADER + count as usize {
                    self.cells[entry][3] = self.new_place(self.cells[entry][3]);
                }
            }
            at += self.size_at(at);
        }
    }

    /// Where the block that is or was at `at` will be, if it is kept.
    fn new_place(&self, at: u32) -> u32 {
        let mut at = at;
        while at != NOWHERE {
            match self.cells[at as usize + 1] {
                [_, _, new, KEPT] => return new,
                // Moved for want of room, or not moved and forgotten.
                [_, _, later, _] => at = later,
            }
        }
        NOWHERE
    }

    /// Moves kept blocks to their places, each to one before or where it is.
    fn move_kept(&mut self) {
        self.places.clear();
        let (mut at, mut end) = (1, 1);
        while at < self.cells.len() {
            let size = self.size_at(at);
            let [count, capacity, to, age] = self.cells[at + 1];
            if age == KEPT {
                self.cells.copy_within(at..at + size, to as usize);
                self.cells[to as usize + 1] = [count, capacity, NOWHERE, self.age];
                self.places.insert(self.key(to), to);
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

    /// Blocks come through two searches or are forgotten, and edges that lead
    /// to them are mended, even where a block was moved in between.
    #[test]
    fn what_the_last_search_came_through_is_kept() {
        let mut nodes = Nodes::new(1 << 20, 64, true);
        nodes.clear();
        let [mut parent, child, other] =
            [1, 2, 3].map(|key| nodes.find(key, NOWHERE).expect("there is room"));
        for action in 0..6 {
            parent = nodes.insert(parent, Action(action), 0.5).expect("there is room");
        }
        nodes.insert(child, Action(9), 0.25).expect("there is room");
        nodes.set_child(parent, 5, child);
        nodes.set_child(parent, 2, other);
        nodes.add(child, 0, 1.0);
        let grown = (0..9).fold(child, |at, action| {
            nodes.insert(at, Action(action), 0.5).expect("there is room")
        });
        assert_ne!(grown, child, "it was moved");
        nodes.keep_recent();
        assert_eq!(nodes.len(), 3);
        nodes.find(1, NOWHERE);
        nodes.find(2, NOWHERE);
        nodes.keep_recent();
        assert_eq!((nodes.len(), nodes.known(3)), (2, None));
        let (parent, child) = (nodes.known(1).expect("kept"), nodes.known(2).expect("kept"));
        let children = [2, 5].map(|rank| nodes.entry(parent, rank).child);
        assert_eq!(children, [NOWHERE, child]);
        let (rank, found) = nodes.rank(child, Action(9));
        assert!(found);
        assert_eq!((nodes.entry(child, rank).visits, nodes.count(child)), (1, 10));
        assert!((nodes.prior(child, rank).expect("it has priors") - 0.25).abs() < 1e-4);
    }
}
