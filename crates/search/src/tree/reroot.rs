//! Moving on: one state becomes the root, and the rest is forgotten.

use super::{HEADER, NO_CHILD, SOLVED, Tree};

impl Tree {
    /// Makes the state at `at` the root and forgets all that does not follow
    /// from it; `spare` is where the rest is copied to and what is given back.
    pub(crate) fn reroot(&mut self, at: u32, spare: &mut Vec<u32>) {
        spare.clear();
        spare.push(0);
        self.nodes = 0;
        let mut open = vec![(at, None)];
        while let Some((from, link)) = open.pop() {
            let (count, _, stride) = self.head(from);
            let size = HEADER + (3 + self.planes) * stride;
            let to = spare.len();
            spare.extend_from_slice(&self.words[from as usize..from as usize + size]);
            self.nodes += 1;
            if let Some((parent, solved)) = link {
                let parent: usize = parent;
                spare[parent] = to as u32 | solved;
            }
            for edge in 0..count {
                let place = to + HEADER + stride + edge;
                let child = spare[place];
                if child & !SOLVED != NO_CHILD {
                    open.push((child & !SOLVED, Some((place, child & SOLVED))));
                }
            }
        }
        std::mem::swap(&mut self.words, spare);
    }
}

#[cfg(test)]
mod tests {
    use meeple_game::{Action, MAX_PLAYERS};

    use super::super::tests::sketch;
    use super::super::{ROOT, Step};
    use super::*;

    #[test]
    fn rerooting_keeps_the_subtree_alone() {
        let mut tree = Tree::new(1 << 20);
        tree.clear(2);
        let actions = [Action(0), Action(1)];
        let blocks: Vec<u32> = (0..4)
            .map(|_| tree.add(&sketch(&actions, &[0.25, 0.75])).expect("there is room"))
            .collect();
        let link = |tree: &mut Tree, from: usize, edge, to: usize| {
            tree.set_child(Step { block: blocks[from], edge }, blocks[to]);
        };
        link(&mut tree, 0, 0, 1);
        link(&mut tree, 0, 1, 2);
        link(&mut tree, 2, 1, 3);
        tree.add_values(Step { block: blocks[3], edge: 0 }, 7, &[3.5; MAX_PLAYERS]);
        tree.reroot(blocks[2], &mut Vec::new());
        assert_eq!(tree.nodes(), 2);
        let child = tree.child(Step { block: ROOT, edge: 1 });
        assert_eq!(tree.block(child).edge_mean(0), 0.5);
        assert_eq!(tree.child(Step { block: ROOT, edge: 0 }), NO_CHILD);
    }
}
