//! Simulations whose leaves are evaluated at once.

use meeple_game::{Game, Payoffs, View};

use super::batched::BatchedIsMcts;
use super::simulation::Leaf;
use crate::SearchError;
use crate::evaluate::{Evaluator, check_values, play_to_decision};
use crate::simd::{Kernels, SimdTask};

/// A number of simulations in sequence.
pub(super) struct RunSimulations<'s, 'v, 'w, G: Game, E> {
    pub(super) tree: &'s mut BatchedIsMcts<G>,
    pub(super) evaluator: &'s mut E,
    pub(super) view: &'v View<'w, G>,
    pub(super) count: u64,
}

impl<G: Game, E: Evaluator<G>> SimdTask for RunSimulations<'_, '_, '_, G, E> {
    type Out = Result<(), SearchError>;

    #[inline(always)]
    fn run<K: Kernels>(self) -> Self::Out {
        let Self { tree, evaluator, view, count } = self;
        for _ in 0..count {
            let values = if tree.has_policy {
                let mut state = view.sample(&mut tree.rng);
                tree.simulate_with_policy(&mut state, evaluator)?
            } else if tree.options.simulations_per_determinization > 1 {
                let at = tree.select_leaf_cached::<K>(view);
                let mut state = *tree.cache.state(at);
                tree.evaluate(&mut state, evaluator)?
            } else {
                let mut state = view.sample(&mut tree.rng);
                tree.select_leaf::<K>(&mut state);
                tree.evaluate(&mut state, evaluator)?
            };
            tree.backup(&values);
        }
        Ok(())
    }
}

impl<G: Game> BatchedIsMcts<G> {
    fn simulate_with_policy<E: Evaluator<G>>(
        &mut self,
        state: &mut G,
        evaluator: &mut E,
    ) -> Result<Payoffs, SearchError> {
        match self.select_leaf_with_priors(state) {
            Leaf::Terminal(values) => Ok(values),
            Leaf::Evaluate(node) => {
                let values = self.evaluate_with_policy(state, evaluator)?;
                if let Some(node) = node {
                    self.expand_all(node);
                }
                Ok(values)
            }
        }
    }

    /// Evaluates `state`, after chance events and forced moves.
    #[inline(always)]
    fn evaluate<E: Evaluator<G>>(
        &mut self,
        state: &mut G,
        evaluator: &mut E,
    ) -> Result<Payoffs, SearchError> {
        if let Some(payoffs) =
            play_to_decision(state, !evaluator.is_rollout(), &mut self.rng, &mut self.legal.actions)
        {
            return Ok(payoffs);
        }
        let value = evaluator.evaluate_in_place(state, &mut self.rng);
        check_values(&value, self.players)?;
        self.counts.evaluations += 1;
        Ok(value)
    }

    /// Evaluates `state` with its legal actions: returns the values and sets the priors.
    pub(super) fn evaluate_with_policy<E: Evaluator<G>>(
        &mut self,
        state: &G,
        evaluator: &mut E,
    ) -> Result<Payoffs, SearchError> {
        let mut value = [Payoffs::default()];
        let leaf = std::slice::from_ref(state);
        let mut logits = std::mem::take(&mut self.logits);
        evaluator.evaluate(leaf, &mut self.rng, &mut value, &mut logits);
        let taken = self.set_priors(&logits);
        self.logits = logits;
        taken?;
        check_values(&value[0], self.players)?;
        self.counts.evaluations += 1;
        Ok(value[0])
    }
}
