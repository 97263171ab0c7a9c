//! Actions that no walk has tried yet: one is drawn before any are compared.

use meeple_game::{Action, Game};

use super::nodes::Nodes;
use super::tree::InfoTreeSearch;

impl<G: Game> InfoTreeSearch<G> {
    /// Draws one of the listed actions that have never been tried.
    #[inline(always)]
    pub(super) fn draw_untried(&mut self, block: u32) -> Option<usize> {
        // An action has its entry since it was first tried, but for the root
        // and where priors are kept, which have all of them from the start.
        if block == self.root || self.has_policy {
            return self.draw_unvisited(block);
        }
        if self.nodes.has_all(block, &self.actions) {
            return None;
        }
        self.draw(|nodes, action| nodes.has(block, action))
    }

    /// Draws one of the listed actions whose entries have never been visited.
    #[inline(always)]
    fn draw_unvisited(&mut self, block: u32) -> Option<usize> {
        let is_root = block == self.root;
        if is_root && self.is_root_tried {
            return None;
        }
        let drawn = self.draw(|nodes, action| {
            let (rank, _) = nodes.rank(block, action);
            nodes.entry(block, rank).visits > 0
        });
        self.is_root_tried |= is_root && drawn.is_none();
        drawn
    }

    fn draw(&mut self, is_tried: impl Fn(&Nodes, Action) -> bool) -> Option<usize> {
        let mut untried = 0;
        for &action in self.actions.iter() {
            untried += usize::from(!is_tried(&self.nodes, action));
        }
        if untried == 0 {
            return None;
        }
        let mut left = self.rng.below(untried);
        for (at, &action) in self.actions.iter().enumerate() {
            if !is_tried(&self.nodes, action) {
                if left == 0 {
                    return Some(at);
                }
                left -= 1;
            }
        }
        None
    }
}
