//! One tree, whichever search the game needs: leaves are judged by whoever drives it.

use meeple_game::{Game, Payoffs, View};
use meeple_search::{
    BatchedIsMcts, BatchedMcts, Budget, IsMctsOptions, MctsOptions, RootNoise, RootPolicy,
    SearchError, SearchReport, Selection,
};

/// Bytes a tree may take: far more than the simulations of a decision need.
const MEMORY: usize = 256 << 20;

/// A tree over states, or over information sets where something is hidden.
#[derive(Debug)]
pub(crate) enum Tree<G: Game> {
    Open(Box<BatchedMcts<G>>),
    Hidden(Box<BatchedIsMcts<G>>),
}

impl<G: Game> Tree<G> {
    pub(crate) fn new(exploration: f32) -> Result<Self, SearchError> {
        let selection = Selection::Puct { exploration, base: 19_652.0 };
        Ok(if G::IMPERFECT_INFORMATION {
            let options = IsMctsOptions { selection, memory: MEMORY, ..IsMctsOptions::puct() };
            Self::Hidden(Box::new(BatchedIsMcts::new(&options, true, None)?))
        } else {
            let options = MctsOptions { selection, memory: MEMORY, ..MctsOptions::puct() };
            Self::Open(Box::new(BatchedMcts::new(&options, true, None)?))
        })
    }

    pub(crate) fn begin(
        &mut self,
        view: &View<'_, G>,
        root: (RootPolicy, Option<RootNoise>),
        simulations: u32,
        seed: u64,
    ) -> Result<(), SearchError> {
        let budget = Budget::simulations(simulations.into());
        match self {
            Self::Open(tree) => {
                tree.set_root(root.0, root.1)?;
                tree.begin(view, &budget, seed)
            }
            Self::Hidden(tree) => {
                tree.set_root(root.0, root.1)?;
                tree.begin(view, &budget, seed)
            }
        }
    }

    /// Walks to the next leaf; there is none if the walk came to something
    /// certain.
    pub(crate) fn gather(&mut self, view: &View<'_, G>) -> Result<(), SearchError> {
        match self {
            Self::Open(tree) => tree.gather(1),
            Self::Hidden(tree) => tree.gather(view, 1),
        }
    }

    pub(crate) fn leaves(&self) -> &[G] {
        match self {
            Self::Open(tree) => tree.leaves(),
            Self::Hidden(tree) => tree.leaves(),
        }
    }

    pub(crate) fn apply(&mut self, values: &[Payoffs], logits: &[f32]) -> Result<(), SearchError> {
        match self {
            Self::Open(tree) => tree.apply(values, logits),
            Self::Hidden(tree) => tree.apply(values, logits),
        }
    }

    pub(crate) fn iterations(&self) -> u64 {
        match self {
            Self::Open(tree) => tree.iterations(),
            Self::Hidden(tree) => tree.iterations(),
        }
    }

    pub(crate) fn is_solved(&self) -> bool {
        match self {
            Self::Open(tree) => tree.is_solved(),
            Self::Hidden(_) => false,
        }
    }

    pub(crate) fn report(&self) -> SearchReport {
        match self {
            Self::Open(tree) => tree.report(),
            Self::Hidden(tree) => tree.report(),
        }
    }
}
