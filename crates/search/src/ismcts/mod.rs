//! Information-set search: one tree over what a player knows, a fresh world
//! for every iteration.

mod arms;
mod keep;
mod nodes;
mod report;
mod walk;

use std::sync::Arc;

use meeple_game::{Action, ActionList, Game, MAX_PLAYERS, Payoffs, Player, Rng, Turn, View};
use serde::{Deserialize, Serialize};

use crate::budget::{Budget, Control, Ended, Meter};
use crate::evaluate::{Evaluator, check_values};
use crate::gumbel::Halving;
use crate::machine::fast;
use crate::options::{FirstPlay, RootRule, Selection, expect};
use crate::ordering::{Ordering, normalize, softmax};
use crate::search::Search;
use crate::{SearchError, SearchReport};
use nodes::{NOWHERE, Nodes};
use walk::Iterations;

/// Whose knowledge a decision in the tree is kept under.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Knower {
    /// The one who searches: the decisions of others are told apart only by
    /// what the searcher sees, so their choices are averages over what they
    /// may hold. Best where much is hidden.
    #[default]
    Searcher,
    /// Whoever decides: a tree for each seat, walked side by side. Others then
    /// play by their own cards, which takes more iterations to learn.
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
    /// Whose knowledge counts.
    pub knower: Knower,
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
            knower: Knower::Searcher,
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
        expect(self.memory >= 1 << 16, "memory", self.memory as f32, "at least 65536 bytes")
    }
}

/// What an action of the root was worth in one search.
#[derive(Clone, Copy, Debug, Default)]
struct RootSum {
    visits: u32,
    sums: [f64; MAX_PLAYERS],
}

/// Information-set search for games with hidden information.
///
/// It starts from a [`View`] and deals what the seat has not seen anew for
/// every iteration, so it knows no more than the seat does. An evaluator with a
/// policy, or an ordering, is shown such worlds and says which of their actions
/// are likely good; an action keeps the prior of the world that showed it first.
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
    options: IsMctsOptions,
    evaluator: E,
    ordering: Option<Arc<dyn Ordering<G>>>,
    nodes: Nodes,
    rng: Rng,
    root: u32,
    root_key: Option<u64>,
    seat: Player,
    players: usize,
    halving: Option<Halving>,
    /// Whether the next search goes on with what this one has found out.
    keeps: bool,
    /// The constant of UCT, where nothing but that chooses.
    plain: Option<f32>,
    /// Whether the evaluator judges actions too.
    has_policy: bool,
    /// Whether the ordering wants to be told what actions were worth.
    learns: bool,
    /// What each root action was worth to each seat in this search, by rank.
    root_sums: Vec<RootSum>,
    path: Vec<walk::Step>,
    actions: ActionList,
    priors: Vec<f32>,
    /// What the evaluator says of one world's actions, one for each id.
    logits: Vec<f32>,
    walks: u64,
    steps: u64,
    deepest: usize,
    evaluations: u64,
}

impl<G: Game, E> std::fmt::Debug for IsMcts<G, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IsMcts").field("options", &self.options).finish_non_exhaustive()
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
        options.check()?;
        let has_policy = evaluator.has_policy();
        let plain = match (options.selection, options.first_play) {
            (Selection::Uct { exploration, bias: 0.0 }, FirstPlay::Infinite)
                if options.root.below().is_none() =>
            {
                Some(exploration)
            }
            _ => None,
        };
        Ok(Self {
            options: *options,
            nodes: Nodes::new(options.memory, G::ACTIONS, has_policy || ordering.is_some()),
            logits: vec![0.0; if has_policy { G::ACTIONS } else { 0 }],
            has_policy,
            plain,
            learns: ordering.as_ref().is_some_and(|ordering| ordering.learns()),
            halving: None,
            keeps: false,
            evaluator,
            ordering,
            rng: Rng::new(0),
            root: NOWHERE,
            root_key: None,
            seat: Player(0),
            players: 2,
            root_sums: Vec::new(),
            path: Vec::new(),
            actions: ActionList::new(),
            priors: Vec::new(),
            walks: 0,
            steps: 0,
            deepest: 0,
            evaluations: 0,
        })
    }

    /// Plants the root; the report, if there is nothing to search.
    fn begin(
        &mut self,
        view: &View<'_, G>,
        budget: &Budget,
        seed: u64,
    ) -> Result<Option<SearchReport>, SearchError> {
        let seat = view.seat();
        self.rng = Rng::new(seed);
        let world = view.sample(&mut self.rng);
        if world.turn() != Turn::Player(seat) {
            return Err(SearchError::NotToDecide(seat));
        }
        self.evaluator.check(&world)?;
        world.legal_actions(&mut self.actions);
        if self.actions.len() == 1 {
            return Ok(Some(SearchReport::forced(self.actions[0])));
        }
        self.path.clear();
        self.walks = 0;
        self.steps = 0;
        self.deepest = 0;
        self.evaluations = 0;
        self.plant(&world, seat)?;
        self.halving = Halving::plan(self.options.root, budget, Rng::new(seed).split(2))?;
        if let Some(halving) = &mut self.halving {
            halving.start(&self.nodes.arms(self.root));
        }
        Ok(None)
    }

    /// Makes the information set of `world` the root; what is known of it is
    /// kept if that was asked for.
    fn plant(&mut self, world: &G, seat: Player) -> Result<(), SearchError> {
        let key = key_of(self.options.knower, seat, world, seat);
        // From the same root as before, a search starts anew.
        let has_moved = seat == self.seat && self.root_key != Some(key);
        let is_kept =
            std::mem::take(&mut self.keeps) && has_moved && self.nodes.known(key).is_some();
        self.root_key = Some(key);
        if is_kept {
            self.nodes.keep_recent();
        } else {
            self.nodes.clear();
        }
        self.seat = seat;
        self.players = world.players();
        let mut root = self.nodes.find(key, NOWHERE).expect(ROOM);
        if self.actions.iter().any(|&action| !self.nodes.has(root, action)) {
            if self.has_policy {
                self.judge_with_policy(world)?;
            } else {
                self.weigh(world);
            }
            for at in 0..self.actions.len() {
                if !self.nodes.has(root, self.actions[at]) {
                    let prior = self.priors.get(at).copied().unwrap_or(0.0);
                    root = self.nodes.insert(root, self.actions[at], prior).expect(ROOM);
                }
            }
        }
        self.root = root;
        self.root_sums.clear();
        self.root_sums.resize(self.nodes.count(root), RootSum::default());
        Ok(())
    }

    /// Whether a block has all that may be done in its information set: whoever
    /// knows what it is kept under knows what they may do, and where untried
    /// actions have a finite worth all get their entries at once.
    #[inline(always)]
    fn is_complete(&self, block: u32, mover: Player) -> bool {
        let knows = mover == self.seat || self.options.knower == Knower::Mover;
        let opens_all = !matches!(self.options.first_play, FirstPlay::Infinite);
        knows && opens_all && self.nodes.count(block) > 0
    }

    /// Asks the ordering, if there is one, about the listed actions.
    fn weigh(&mut self, world: &G) {
        self.priors.clear();
        if let Some(ordering) = &self.ordering {
            self.priors.resize(self.actions.len(), 0.0);
            ordering.weigh(world, self.path.len(), &self.actions, &mut self.priors);
            normalize(&mut self.priors);
        }
    }

    /// Has the evaluator judge `world` and its listed actions: the value is
    /// returned, the priors are left behind.
    fn judge_with_policy(&mut self, world: &G) -> Result<Payoffs, SearchError> {
        let mut value = [Payoffs::default()];
        let leaf = std::slice::from_ref(world);
        self.evaluator.evaluate(leaf, &mut self.rng, &mut value, &mut self.logits);
        check_values(&value[0], self.players)?;
        self.evaluations += 1;
        self.priors.clear();
        for action in self.actions.iter() {
            let value = self.logits[action.index()];
            if !value.is_finite() {
                return Err(SearchError::BadLogit { action: action.0, value });
            }
            self.priors.push(value);
        }
        softmax(&mut self.priors);
        Ok(value[0])
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

/// Why the root always has its place.
const ROOM: &str = "the least memory allowed holds the widest root";

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
        let ended = loop {
            match meter.allowance(self.nodes.len(), &control.stop) {
                Err(ended) => break ended,
                Ok(count) => {
                    fast(Iterations { search: self, view, count })?;
                    meter.done += count;
                    if self.halving.is_none() && meter.is_decided(self.nodes.lead(self.root)) {
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
        self.keeps = true;
    }

    fn follow(&mut self, _: &View<'_, G>) {
        self.keeps = true;
    }
}
