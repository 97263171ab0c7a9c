//! What is kept of the tree of information sets from one search to the next.

use super::nodes::{Cell, HEADER, NOWHERE, Nodes};

/// In place of an age: the block has been copied to its new place.
const KEPT: u32 = u32::MAX;

impl Nodes {
    /// Forgets what the last search did not come through, and makes ready for
    /// another. What can still be reached from its root is not known, since
    /// luck and hidden cards lead to more sets than edges remember; but what
    /// cannot be reached is not come through, and forgotten next time.
    pub(super) fn keep_recent(&mut self) {
        let mut old = std::mem::replace(&mut self.cells, std::mem::take(&mut self.spare));
        self.cells.clear();
        self.cells.push([0; 4]);
        self.places.clear();
        let mut at = 1;
        while at < old.len() {
            let [_, capacity, moved, age] = old[at + 1];
            let size = HEADER + capacity as usize + self.extra_cells(capacity as usize);
            if moved == NOWHERE && age == self.age {
                let new = self.cells.len() as u32;
                self.cells.extend_from_slice(&old[at..at + size]);
                self.places.insert(self.key(new), new);
                old[at + 1] = [0, capacity, new, KEPT];
            }
            at += size;
        }
        self.mend_children(&old);
        self.spare = old;
        self.age += 1;
    }

    /// Has the edges of copied blocks lead to the copies of their children.
    fn mend_children(&mut self, old: &[Cell]) {
        let new_place = |child: u32| {
            let mut child = child as usize;
            while child != NOWHERE as usize {
                match old[child + 1] {
                    [_, _, new, KEPT] => return new,
                    // Moved for want of room, or not moved and forgotten.
                    [_, _, later, _] => child = later as usize,
                }
            }
            NOWHERE
        };
        let mut at = 1;
        while at < self.cells.len() {
            let [count, capacity, ..] = self.cells[at + 1];
            for entry in &mut self.cells[at + HEADER..at + HEADER + count as usize] {
                entry[3] = new_place(entry[3]);
            }
            at += HEADER + capacity as usize + self.extra_cells(capacity as usize);
        }
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
