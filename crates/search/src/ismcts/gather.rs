//! The search in steps: gather leaves, have them judged, apply what came back.

use meeple_game::{Game, Payoffs, View};

use super::tree::InfoTreeSearch;
use super::walk::Met;
use crate::SearchError;
use crate::evaluate::check_values;
use crate::machine::Plain;
use crate::tree_search::expect_length;

/// A leaf that waits to be judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    /// Where its path ends in the list of all.
    end: usize,
    /// Where its actions have their place, if there is room.
    block: Option<u32>,
}

impl<G: Game> InfoTreeSearch<G> {
    /// Walks down until `most` leaves wait to be judged; what is certain is
    /// counted at once. `view` is the one that was begun with.
    ///
    /// # Errors
    ///
    /// When the search has not begun.
    pub fn gather(&mut self, view: &View<'_, G>, most: usize) -> Result<(), SearchError> {
        if !self.has_begun {
            return Err(SearchError::NotBegun);
        }
        self.forget_leaves();
        if let Some(world) = self.unopened {
            self.leaves.push(world);
            return Ok(());
        }
        for _ in 0..most {
            let mut world = view.sample(&mut self.rng);
            let met = if self.has_policy {
                self.descend_to_ask(&mut world)
            } else {
                self.descend::<Plain>(&mut world);
                self.settle(&mut world)
            };
            match met {
                Met::Certain(values) => self.ascend(&values),
                Met::Ask(block) => self.lend(&world, block),
            }
        }
        Ok(())
    }

    /// The leaves gathered last.
    #[must_use]
    pub fn leaves(&self) -> &[G] {
        &self.leaves
    }

    /// Takes `[leaves]` values and, if the search has a policy,
    /// `[leaves, ACTIONS]` logits, row by row, for the leaves gathered last.
    ///
    /// # Errors
    ///
    /// When there are more or fewer than leaves, or one is no value.
    pub fn apply(&mut self, values: &[Payoffs], logits: &[f32]) -> Result<(), SearchError> {
        expect_length("values", self.leaves.len(), values.len())?;
        if self.has_policy {
            expect_length("logits", self.leaves.len() * G::ACTIONS, logits.len())?;
        }
        for value in values {
            check_values(value, self.players)?;
        }
        self.evaluations += self.leaves.len() as u64;
        if let Some(world) = self.unopened.take_if(|_| self.leaves.len() == 1) {
            world.legal_actions(&mut self.actions);
            self.take_priors(logits)?;
            self.open_root();
            self.forget_leaves();
            return Ok(());
        }
        let mut first = 0;
        for at in 0..self.waiting.len() {
            let Waiting { end, block } = self.waiting[at];
            if let Some(block) = block.filter(|_| self.has_policy) {
                self.leaves[at].legal_actions(&mut self.actions);
                self.take_priors(&logits[at * G::ACTIONS..(at + 1) * G::ACTIONS])?;
                let block = self.nodes.place(block);
                self.open_all(block);
            }
            self.repay(first..end, &values[at]);
            first = end;
        }
        self.forget_leaves();
        Ok(())
    }

    /// Counts the path just walked as lost until its leaf is judged.
    fn lend(&mut self, world: &G, block: Option<u32>) {
        for step in &self.path {
            let action = self.nodes.action(step.block, step.rank as usize);
            self.nodes.add(step.block, step.rank as usize, -self.options.virtual_loss);
            self.paths.push((*step, action));
        }
        self.leaves.push(*world);
        self.waiting.push(Waiting { end: self.paths.len(), block });
    }

    /// Carries the values of a leaf up along a path that was lent.
    fn repay(&mut self, path: std::ops::Range<usize>, values: &Payoffs) {
        self.walks += 1;
        self.steps += path.len() as u64;
        self.deepest = self.deepest.max(path.len());
        for at in path.clone() {
            let (step, action) = self.paths[at];
            let value = values[step.mover.index()];
            let block = self.nodes.place(step.block);
            let (rank, _) = self.nodes.rank(block, action);
            self.nodes.add_value(block, rank, value + self.options.virtual_loss);
            if let Some(ordering) = self.ordering.as_ref().filter(|_| self.learns) {
                ordering.learn(step.mover, at - path.start, action, value);
            }
            if at == path.start {
                self.root_sums[rank].add(values);
            }
        }
    }
}
