//! Information-set search: one tree over what a player knows, in worlds that are
//! dealt anew.

mod arms;
mod best;
mod gather;
mod judge;
mod keep;
mod nodes;
mod report;
mod trails;
mod tree;
mod untried;
mod walk;

use std::sync::Arc;

use meeple_game::{Action, Game, Payoffs, Player, View};
use serde::{Deserialize, Serialize};

use crate::budget::{Budget, Control, Ended, Meter};
use crate::evaluate::Evaluator;
use crate::machine::fast;
use crate::options::{FirstPlay, RootNoise, RootRule, Selection, at_least_0, expect};
use crate::ordering::Ordering;
use crate::search::Search;
use crate::{SearchError, SearchReport};
use judge::Iterations;
pub use tree::InfoTreeSearch;

/// Whose knowledge a decision in the tree is kept under: single-observer or
/// multiple-observer ISMCTS (Cowling, Powley and Whitehouse, 2012).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Knower {
    /// The one who searches: the decisions of others are told apart only by
    /// what the searcher sees, so their choices are averages over what they
    /// may hold. Best where so much is hidden that what others hold hardly ever
    /// comes again, as in Magic.
    #[default]
    Searcher,
    /// Whoever decides: a tree for each seat, walked side by side. Others then
    /// play by their own cards, which takes more iterations to learn. Best in
    /// poker, where the other way does not get better with more of them.
    Mover,
}

/// The settings of [`IsMcts`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct IsMctsOptions {
    /// How actions are chosen: UCT unless given. In place of the visits of the
    /// state stand the worlds in which the action was legal when it was there.
    pub selection: Selection,
    /// What untried actions count for: more than anything unless given, one
    /// drawn from them each time.
    pub first_play: FirstPlay,
    /// How visits are given out at the root.
    pub root: RootRule,
    /// Noise on the priors of the root; none unless given.
    pub noise: Option<RootNoise>,
    /// Whose knowledge counts.
    pub knower: Knower,
    /// How often each world that is dealt is walked before the next: once unless
    /// given. A walk in the same world costs only what no walk before it has
    /// played there, so more are faster where actions take time to apply. But
    /// for as long a world is as good as known, and what is best in it seems
    /// better than it is: where much hangs on what is hidden, as in poker, leave
    /// it at one. With a policy, or leaves in batches, every walk has its own
    /// world.
    pub walks: u32,
    /// Leaves judged at a time: one unless given.
    pub batch: usize,
    /// What a visit on its way counts as lost, 1 unless given, so that leaves
    /// gathered together differ.
    pub virtual_loss: f32,
    /// Bytes the tree may take; beyond, it is searched but grows no more. One
    /// gigabyte unless given.
    pub memory: usize,
}

impl Default for IsMctsOptions {
    fn default() -> Self {
        Self {
            selection: Selection::UCT,
            first_play: FirstPlay::Infinite,
            root: RootRule::Same,
            noise: None,
            knower: Knower::Searcher,
            walks: 1,
            batch: 1,
            virtual_loss: 1.0,
            memory: 1 << 30,
        }
    }
}

impl IsMctsOptions {
    /// The settings for evaluators and orderings with priors: PUCT, and untried
    /// actions count as much as the state, less 0.2.
    #[must_use]
    pub fn puct() -> Self {
        Self {
            selection: Selection::PUCT,
            first_play: FirstPlay::ParentMinus(0.2),
            ..Self::default()
        }
    }

    /// Checks that every setting makes sense.
    ///
    /// # Errors
    ///
    /// Names the first that does not.
    pub fn check(&self) -> Result<(), SearchError> {
        self.selection.check()?;
        self.first_play.check()?;
        self.root.check()?;
        if let Some(noise) = self.noise {
            noise.check()?;
        }
        expect(self.walks > 0, "walks", 0.0, "at least 1")?;
        expect(self.batch > 0, "batch", 0.0, "at least 1")?;
        at_least_0("virtual_loss", self.virtual_loss)?;
        expect(self.memory >= 1 << 16, "memory", self.memory as f32, "at least 65536 bytes")
    }
}

/// Information-set search for games with hidden information.
///
/// It starts from a [`View`] and deals what the seat has not seen anew for
/// every iteration, or every few ([`IsMctsOptions::walks`]), so it knows no more
/// than the seat does. An evaluator with a policy, or an ordering, is shown such
/// worlds and says which of their actions are likely good; an action keeps the
/// prior of the world that showed it first.
///
/// ```
/// use meeple_game::{Action, Game, Player, View};
/// use meeple_games::small::Kuhn;
/// use meeple_search::{Budget, IsMcts, IsMctsOptions, Rollout, Search};
///
/// // The second seat holds the king and faces a bet: nobody folds that.
/// let mut game = Kuhn::new(&Default::default());
/// [0, 2, 1].into_iter().for_each(|action| game.apply(Action(action)));
/// let mut search = IsMcts::new(&IsMctsOptions::default(), Rollout::default())?;
/// let report = search.search(&View::new(&game, Player(1)), &Budget::iterations(500), 1)?;
/// assert_eq!(game.action_name(report.best), "bet", "which calls");
/// # Ok::<_, meeple_search::SearchError>(())
/// ```
pub struct IsMcts<G: Game, E> {
    tree: InfoTreeSearch<G>,
    evaluator: E,
    values: Vec<Payoffs>,
    logits: Vec<f32>,
}

impl<G: Game, E> std::fmt::Debug for IsMcts<G, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IsMcts").field("options", &self.tree.options).finish_non_exhaustive()
    }
}

impl<G: Game, E: Evaluator<G>> IsMcts<G, E> {
    /// A search with an evaluator.
    ///
    /// # Errors
    ///
    /// When an option makes no sense.
    pub fn new(options: &IsMctsOptions, evaluator: E) -> Result<Self, SearchError> {
        Self::with_ordering(options, evaluator, None)
    }

    /// A search with an evaluator and an ordering.
    ///
    /// # Errors
    ///
    /// When an option makes no sense.
    pub fn with_ordering(
        options: &IsMctsOptions,
        evaluator: E,
        ordering: Option<Arc<dyn Ordering<G>>>,
    ) -> Result<Self, SearchError> {
        let tree = InfoTreeSearch::new(options, evaluator.has_policy(), ordering)?;
        Ok(Self { tree, evaluator, values: Vec::new(), logits: Vec::new() })
    }

    /// Plants the root; the report, if there is nothing to search.
    fn begin(
        &mut self,
        view: &View<'_, G>,
        budget: &Budget,
        seed: u64,
    ) -> Result<Option<SearchReport>, SearchError> {
        let world = self.tree.deal(view, seed)?;
        self.evaluator.check(&world)?;
        if let [only] = self.tree.actions[..] {
            return Ok(Some(SearchReport::forced(only)));
        }
        self.tree.plant(&world, view.seat(), budget, seed)?;
        self.tree.has_begun = true;
        if self.tree.is_root_open() {
            self.tree.ready_root();
            return Ok(None);
        }
        if self.tree.has_policy {
            self.tree.judge_with_policy(&world, &mut self.evaluator)?;
        } else {
            self.tree.weigh(&world);
        }
        self.tree.open_root();
        Ok(None)
    }

    /// Some of `count` iterations; how many.
    fn run(&mut self, view: &View<'_, G>, count: u64) -> Result<u64, SearchError> {
        if self.tree.options.batch > 1 {
            return self.run_batch(view, count);
        }
        let Self { tree, evaluator, .. } = self;
        fast(Iterations { tree, evaluator, view, count })?;
        Ok(count)
    }

    fn run_batch(&mut self, view: &View<'_, G>, count: u64) -> Result<u64, SearchError> {
        let before = self.tree.iterations();
        let most = (self.tree.options.batch as u64).min(count) as usize;
        self.tree.gather(view, most)?;
        let InfoTreeSearch { leaves, rng, .. } = &mut self.tree;
        self.values.resize(leaves.len(), Payoffs::default());
        if self.evaluator.has_policy() {
            self.logits.resize(leaves.len() * G::ACTIONS, 0.0);
        }
        if !leaves.is_empty() {
            self.evaluator.evaluate(leaves, rng, &mut self.values, &mut self.logits);
        }
        self.tree.apply(&self.values, &self.logits)?;
        Ok(self.tree.iterations() - before)
    }

    fn report(&self, meter: &Meter, ended: Ended) -> SearchReport {
        let mut report = self.tree.report();
        report.cache = self.evaluator.cache_report();
        report.ended = ended;
        report.clock(meter.elapsed());
        report
    }
}

/// What the decision of `mover` in `world` is kept under when `seat` searches.
#[inline(always)]
fn key_of<G: Game>(knower: Knower, seat: Player, world: &G, mover: Player) -> u64 {
    match knower {
        Knower::Searcher => world.info_key(seat),
        Knower::Mover => world.info_key(mover).wrapping_add(u64::from(mover.0)),
    }
}

impl<G: Game, E: Evaluator<G>> Search<G> for IsMcts<G, E> {
    fn search_with(
        &mut self,
        view: &View<'_, G>,
        budget: &Budget,
        seed: u64,
        control: &mut Control<'_>,
    ) -> Result<SearchReport, SearchError> {
        budget.check()?;
        let mut meter = Meter::start(budget);
        if let Some(report) = self.begin(view, budget, seed)? {
            return Ok(report);
        }
        meter.bring_along(self.tree.nodes.visits(self.tree.root));
        let ended = loop {
            match meter.allowance(self.tree.nodes(), &control.stop) {
                Err(ended) => break ended,
                Ok(count) => {
                    meter.done += self.run(view, count)?;
                    if self.tree.lead().is_some_and(|lead| meter.is_decided(lead)) {
                        break Ended::Decided;
                    }
                }
            }
            if meter.is_report_due(control) {
                let report = self.report(&meter, Ended::Running);
                if let Some(progress) = &mut control.progress {
                    (progress.report)(&report);
                }
            }
        };
        Ok(self.report(&meter, ended))
    }

    /// Information sets are found by what is known in them, so how they were
    /// come to does not matter.
    fn advance(&mut self, _: &[Action]) {
        self.tree.keeps = true;
    }

    fn follow(&mut self, _: &View<'_, G>) {
        self.tree.keeps = true;
    }
}
