//! Information-set search: one tree over what a player knows, a fresh world
//! for every iteration.

mod nodes;
mod walk;

use std::sync::Arc;

use meeple_game::{Action, ActionList, Game, MAX_PLAYERS, Payoffs, Player, Rng, Turn, View};
use serde::{Deserialize, Serialize};

use crate::budget::{Budget, Control, Ended, Meter};
use crate::evaluate::Evaluator;
use crate::machine::fast;
use crate::options::{FirstPlay, at_least_0, expect};
use crate::ordering::{Ordering, normalize};
use crate::report::ActionReport;
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
    /// The constant of `Q + exploration * sqrt(ln(available) / visits)`, 1
    /// unless given.
    pub exploration: f32,
    /// Adds `bias * prior / (visits + 1)` where there is an ordering, 0 unless
    /// given.
    pub bias: f32,
    /// What untried actions count for: more than anything unless given, one
    /// drawn from them each time.
    pub first_play: FirstPlay,
    /// Whose knowledge counts.
    pub knower: Knower,
    /// Bytes the tree may take; beyond, it is searched but grows no more. One
    /// gigabyte unless given.
    pub memory: usize,
}

impl Default for IsMctsOptions {
    fn default() -> Self {
        Self {
            exploration: 1.0,
            bias: 0.0,
            first_play: FirstPlay::Infinite,
            knower: Knower::Searcher,
            memory: 1 << 30,
        }
    }
}

impl IsMctsOptions {
    /// Checks that every setting makes sense.
    ///
    /// # Errors
    ///
    /// Names the first that does not.
    pub fn check(&self) -> Result<(), SearchError> {
        at_least_0("exploration", self.exploration)?;
        at_least_0("bias", self.bias)?;
        if let FirstPlay::Value(value) | FirstPlay::ParentMinus(value) = self.first_play {
            expect(value.is_finite(), "first_play", value, "a finite number")?;
        }
        expect(self.memory >= 1 << 16, "memory", self.memory as f32, "at least 65536 bytes")
    }
}

/// Information-set search for games with hidden information.
///
/// It starts from a [`View`] and deals what the seat has not seen anew for
/// every iteration, so it knows no more than the seat does.
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
    seat: Player,
    players: usize,
    /// What each root action was worth to each seat, by rank.
    root_sums: Vec<[f64; MAX_PLAYERS]>,
    path: Vec<walk::Step>,
    actions: ActionList,
    priors: Vec<f32>,
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
        Ok(Self {
            options: *options,
            evaluator,
            nodes: Nodes::new(options.memory, G::ACTIONS, ordering.is_some()),
            ordering,
            rng: Rng::new(0),
            root: NOWHERE,
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
        self.seat = seat;
        self.players = world.players();
        self.nodes.clear();
        let key = self.key_of(&world, seat);
        self.weigh(&world);
        let mut root = self.nodes.find(key, NOWHERE).unwrap_or(NOWHERE);
        for at in 0..self.actions.len() {
            let prior = self.priors.get(at).copied().unwrap_or(0.0);
            let placed = self.nodes.insert(root, self.actions[at], prior);
            root = placed.expect("the least memory allowed holds the widest root");
        }
        self.root = root;
        self.root_sums.clear();
        self.root_sums.resize(self.actions.len(), [0.0; MAX_PLAYERS]);
        self.walks = 0;
        self.steps = 0;
        self.deepest = 0;
        self.evaluations = 0;
        Ok(None)
    }

    /// What the decision of `mover` is kept under.
    #[inline(always)]
    fn key_of(&self, world: &G, mover: Player) -> u64 {
        match self.options.knower {
            Knower::Searcher => world.info_key(self.seat),
            Knower::Mover => world.info_key(mover).wrapping_add(u64::from(mover.0)),
        }
    }

    /// Asks the ordering, if there is one, about the listed actions.
    fn weigh(&mut self, world: &G) {
        self.priors.clear();
        if let Some(ordering) = &self.ordering {
            self.priors.resize(self.actions.len(), 0.0);
            ordering.weigh(world, &self.actions, &mut self.priors);
            normalize(&mut self.priors);
        }
    }

    fn report(&self, meter: &Meter, ended: Ended) -> SearchReport {
        let mut report = SearchReport {
            iterations: self.walks,
            nodes: self.nodes.len(),
            bytes: self.nodes.bytes(),
            depth: self.deepest as u32,
            mean_depth: self.steps as f32 / self.walks.max(1) as f32,
            evaluations: self.evaluations,
            cache: self.evaluator.cache_report(),
            ended,
            ..SearchReport::default()
        };
        let mut ranks: Vec<usize> = (0..self.nodes.count(self.root)).collect();
        // The order of the game, as far as it was kept: by action id.
        ranks.sort_by_key(|&rank| self.nodes.action(self.root, rank));
        report.actions = ranks.iter().map(|&rank| self.entry_report(rank)).collect();
        report.conclude();
        report.variations = self.variations(&report);
        report.clock(meter.elapsed());
        report
    }

    fn entry_report(&self, rank: usize) -> ActionReport {
        let entry = self.nodes.entry(self.root, rank);
        let mut values = Payoffs::default();
        for (value, sum) in values.iter_mut().zip(&self.root_sums[rank]) {
            *value = (sum / f64::from(entry.visits.max(1))) as f32;
        }
        ActionReport {
            action: self.nodes.action(self.root, rank),
            visits: u64::from(entry.visits),
            available: u64::from(entry.available),
            values,
            prior: self.nodes.prior(self.root, rank),
            policy: 0.0,
            solved: false,
        }
    }

    fn variations(&self, report: &SearchReport) -> Vec<Vec<Action>> {
        let mut ranked: Vec<&ActionReport> =
            report.actions.iter().filter(|entry| entry.visits > 0).collect();
        ranked.sort_by_key(|entry| std::cmp::Reverse(entry.visits));
        ranked.iter().take(3).map(|entry| self.line(entry.action)).collect()
    }

    /// What is visited most after `first`, over all worlds.
    fn line(&self, first: Action) -> Vec<Action> {
        let mut line = vec![first];
        let mut child = self.nodes.entry(self.root, self.nodes.rank(self.root, first).0).child;
        while child != NOWHERE {
            let entries = (0..self.nodes.count(child)).map(|rank| self.nodes.entry(child, rank));
            let most =
                entries.enumerate().max_by_key(|(rank, entry)| (entry.visits, usize::MAX - rank));
            let Some((rank, entry)) = most.filter(|(_, entry)| entry.visits > 0) else { break };
            line.push(self.nodes.action(child, rank));
            child = entry.child;
        }
        line
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
        if let Some(report) = self.begin(view, seed)? {
            return Ok(report);
        }
        let ended = loop {
            match meter.allowance(self.nodes.len(), &control.stop) {
                Err(ended) => break ended,
                Ok(count) => {
                    fast(Iterations { search: self, view, count })?;
                    meter.done += count;
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
}
