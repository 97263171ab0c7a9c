//! Searches whose leaves are evaluated by the caller, for perfect and imperfect information.

use meeple_game::{Game, Payoffs, View};

use crate::{
    BatchedIsMcts, BatchedMcts, Budget, IsMctsOptions, MctsOptions, RootNoise, RootPolicy,
    SearchError, SearchReport, Selection,
};

/// A search whose leaves are evaluated by the caller, so that one batch serves many trees.
///
/// ```
/// use meeple_game::{Game, Payoffs, Player, View};
/// use meeple_games::small::ConnectFour;
/// use meeple_search::{Budget, RootPolicy, Selection, batched_search};
///
/// let game = ConnectFour::new(&Default::default());
/// let view = View::new(&game, Player(0));
/// let mut search = batched_search(&game, Selection::PUCT, 1 << 20)?;
/// search.begin(&view, RootPolicy::Same, None, &Budget::simulations(50), 1)?;
/// while search.simulations() < 50 {
///     search.gather(&view, 8)?;
///     // Here the leaves of many trees would be evaluated by a network.
///     let leaves = search.leaves().len();
///     let logits = vec![0.0; leaves * game.actions()];
///     search.apply(&vec![Payoffs::default(); leaves], &logits)?;
/// }
/// assert!(search.report().simulations >= 50);
/// # Ok::<_, meeple_search::SearchError>(())
/// ```
pub trait BatchedSearch<G: Game>: Send {
    /// Starts a search of the information state of `view`.
    ///
    /// # Errors
    ///
    /// Fails if the budget is empty, a root option is out of range or the seat is not to move.
    fn begin(
        &mut self,
        view: &View<'_, G>,
        root: RootPolicy,
        noise: Option<RootNoise>,
        budget: &Budget,
        seed: u64,
    ) -> Result<(), SearchError>;

    /// Selects up to `most` leaves. There are fewer, perhaps none, where simulations end in
    /// terminal or proven nodes.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::NotBegun`] if the search has not begun.
    fn gather(&mut self, view: &View<'_, G>, most: usize) -> Result<(), SearchError>;

    /// The leaves of the last [`gather`](Self::gather).
    fn leaves(&self) -> &[G];

    /// Expands and backs up the gathered leaves with `[leaves]` values and `[leaves, actions]`
    /// logits in row-major order.
    ///
    /// # Errors
    ///
    /// Fails if a buffer does not match the number of leaves or contains an invalid number.
    fn apply(&mut self, values: &[Payoffs], logits: &[f32]) -> Result<(), SearchError>;

    /// The simulations of this search so far.
    fn simulations(&self) -> u64;

    /// Whether the value of the root is proven.
    fn is_solved(&self) -> bool;

    /// The report on the search so far.
    fn report(&self) -> SearchReport;
}

/// Returns the batched search that fits the information of the table of `game`, for networks
/// with a policy: [`BatchedMcts`], or [`BatchedIsMcts`] where information is imperfect.
///
/// # Errors
///
/// Returns [`SearchError::BadOption`] if the selection or the memory in bytes is out of range.
pub fn batched_search<G: Game>(
    game: &G,
    selection: Selection,
    memory: usize,
) -> Result<Box<dyn BatchedSearch<G>>, SearchError> {
    Ok(if game.has_imperfect_information() {
        let options = IsMctsOptions { selection, memory, ..IsMctsOptions::puct() };
        Box::new(BatchedIsMcts::new(&options, true, None)?)
    } else {
        let options = MctsOptions { selection, memory, ..MctsOptions::puct() };
        Box::new(BatchedMcts::new(&options, true, None)?)
    })
}

impl<G: Game> BatchedSearch<G> for BatchedMcts<G> {
    fn begin(
        &mut self,
        view: &View<'_, G>,
        root: RootPolicy,
        noise: Option<RootNoise>,
        budget: &Budget,
        seed: u64,
    ) -> Result<(), SearchError> {
        self.set_root(root, noise)?;
        self.begin(view, budget, seed)
    }

    fn gather(&mut self, _: &View<'_, G>, most: usize) -> Result<(), SearchError> {
        self.gather(most)
    }

    fn leaves(&self) -> &[G] {
        self.leaves()
    }

    fn apply(&mut self, values: &[Payoffs], logits: &[f32]) -> Result<(), SearchError> {
        self.apply(values, logits)
    }

    fn simulations(&self) -> u64 {
        self.simulations()
    }

    fn is_solved(&self) -> bool {
        self.is_solved()
    }

    fn report(&self) -> SearchReport {
        self.report()
    }
}

impl<G: Game> BatchedSearch<G> for BatchedIsMcts<G> {
    fn begin(
        &mut self,
        view: &View<'_, G>,
        root: RootPolicy,
        noise: Option<RootNoise>,
        budget: &Budget,
        seed: u64,
    ) -> Result<(), SearchError> {
        self.set_root(root, noise)?;
        self.begin(view, budget, seed)
    }

    fn gather(&mut self, view: &View<'_, G>, most: usize) -> Result<(), SearchError> {
        self.gather(view, most)
    }

    fn leaves(&self) -> &[G] {
        self.leaves()
    }

    fn apply(&mut self, values: &[Payoffs], logits: &[f32]) -> Result<(), SearchError> {
        self.apply(values, logits)
    }

    fn simulations(&self) -> u64 {
        self.simulations()
    }

    // Information sets are never proven: a proof in one determinization does not hold in
    // others.
    fn is_solved(&self) -> bool {
        false
    }

    fn report(&self) -> SearchReport {
        self.report()
    }
}
