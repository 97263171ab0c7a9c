//! Iterations judged at once: a world is dealt, played down the tree and beyond,
//! and its end counted on every decision on the way.

use meeple_game::{Game, Payoffs, View};

use super::tree::InfoTreeSearch;
use super::walk::Met;
use crate::SearchError;
use crate::evaluate::{Evaluator, check_values, settle};
use crate::machine::{Machine, Work};

/// Some iterations of a search.
pub(super) struct Iterations<'s, 'v, 'w, G: Game, E> {
    pub(super) tree: &'s mut InfoTreeSearch<G>,
    pub(super) evaluator: &'s mut E,
    pub(super) view: &'v View<'w, G>,
    pub(super) count: u64,
}

impl<G: Game, E: Evaluator<G>> Work for Iterations<'_, '_, '_, G, E> {
    type Out = Result<(), SearchError>;

    #[inline(always)]
    fn run<M: Machine>(self) -> Self::Out {
        let Self { tree, evaluator, view, count } = self;
        for _ in 0..count {
            let values = if tree.has_policy {
                let mut world = view.sample(&mut tree.rng);
                tree.walk_with_policy(&mut world, evaluator)?
            } else if tree.options.walks > 1 {
                let at = tree.descend_again::<M>(view);
                let mut world = *tree.trails.world(at);
                tree.judge(&mut world, evaluator)?
            } else {
                let mut world = view.sample(&mut tree.rng);
                tree.descend::<M>(&mut world);
                tree.judge(&mut world, evaluator)?
            };
            tree.ascend(&values);
        }
        Ok(())
    }
}

impl<G: Game> InfoTreeSearch<G> {
    fn walk_with_policy<E: Evaluator<G>>(
        &mut self,
        world: &mut G,
        evaluator: &mut E,
    ) -> Result<Payoffs, SearchError> {
        match self.descend_to_ask(world) {
            Met::Certain(values) => Ok(values),
            Met::Ask(block) => {
                let values = self.judge_with_policy(world, evaluator)?;
                if let Some(block) = block {
                    self.open_all(block);
                }
                Ok(values)
            }
        }
    }

    /// What `world` is worth, played on to where somebody has a choice.
    #[inline(always)]
    fn judge<E: Evaluator<G>>(
        &mut self,
        world: &mut G,
        evaluator: &mut E,
    ) -> Result<Payoffs, SearchError> {
        if let Some(payoffs) = settle(world, !E::PLAYS_ON, &mut self.rng, &mut self.actions) {
            return Ok(payoffs);
        }
        let value = evaluator.evaluate_last(world, &mut self.rng);
        check_values(&value, self.players)?;
        self.evaluations += 1;
        Ok(value)
    }

    /// Has the evaluator judge `world` and its listed actions: the value is
    /// returned, the priors are left behind.
    pub(super) fn judge_with_policy<E: Evaluator<G>>(
        &mut self,
        world: &G,
        evaluator: &mut E,
    ) -> Result<Payoffs, SearchError> {
        let mut value = [Payoffs::default()];
        let leaf = std::slice::from_ref(world);
        let mut logits = std::mem::take(&mut self.logits);
        evaluator.evaluate(leaf, &mut self.rng, &mut value, &mut logits);
        let taken = self.take_priors(&logits);
        self.logits = logits;
        taken?;
        check_values(&value[0], self.players)?;
        self.evaluations += 1;
        Ok(value[0])
    }
}
