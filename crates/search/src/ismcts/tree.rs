//! A tree of information sets, and how a search of it begins.

use std::sync::Arc;

use meeple_game::{Action, ActionList, Game, MAX_PLAYERS, Payoffs, Player, Rng, Turn, View};

use super::gather::Waiting;
use super::nodes::{NOWHERE, Nodes};
use super::trails::Trails;
use super::walk::Step;
use super::{FirstPlay, IsMctsOptions, Knower, key_of};
use crate::SearchError;
use crate::budget::Budget;
use crate::gumbel::Halving;
use crate::noise::dirichlet;
use crate::options::{RootNoise, RootRule, Selection};
use crate::ordering::{Ordering, normalize, softmax};

/// What an action of the root was worth in one search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RootSum {
    pub(super) visits: u32,
    pub(super) sums: [f64; MAX_PLAYERS],
}

impl RootSum {
    pub(super) fn add(&mut self, values: &Payoffs) {
        self.visits += 1;
        self.sums.iter_mut().zip(values).for_each(|(sum, &value)| *sum += f64::from(value));
    }
}

/// A tree of information sets whose leaves are judged by whoever drives it, so
/// that one evaluator can serve many trees with one batch: [`TreeSearch`] for
/// games with hidden information.
///
/// It is shown a [`View`] whenever it gathers and deals the unseen anew for
/// every leaf, so it knows no more than the seat does. Two leaves may be worlds
/// of one information set: those are two samples of what it is worth.
///
/// ```
/// use meeple_game::{Action, Game, Player, View};
/// use meeple_games::small::Kuhn;
/// use meeple_search::{Budget, InfoTreeSearch, IsMctsOptions};
///
/// let mut game = Kuhn::new(&Default::default());
/// [0, 2].into_iter().for_each(|action| game.apply(Action(action)));
/// let view = View::new(&game, Player(0));
/// let mut search = InfoTreeSearch::new(&IsMctsOptions::puct(), true, None)?;
/// search.begin(&view, &Budget::iterations(64), 1)?;
/// while search.iterations() < 64 {
///     search.gather(&view, 8)?;
///     let leaves = search.leaves().len();
///     // A network would look at `search.leaves()` here.
///     let values = vec![[0.0; 6]; leaves];
///     search.apply(&values, &vec![0.0; leaves * Kuhn::ACTIONS])?;
/// }
/// # Ok::<_, meeple_search::SearchError>(())
/// ```
///
/// [`TreeSearch`]: crate::TreeSearch
pub struct InfoTreeSearch<G: Game> {
    pub(super) options: IsMctsOptions,
    pub(super) ordering: Option<Arc<dyn Ordering<G>>>,
    pub(super) nodes: Nodes,
    pub(super) rng: Rng,
    pub(super) root: u32,
    root_key: Option<u64>,
    pub(super) seat: Player,
    pub(super) players: usize,
    pub(super) halving: Option<Halving>,
    /// Whether the next search goes on with what this one has found out.
    pub(super) keeps: bool,
    /// Whether every action of the root has been tried.
    pub(super) is_root_tried: bool,
    /// The constant of UCT, where nothing but that chooses.
    pub(super) plain: Option<f32>,
    /// Whether leaves come back with judged actions too.
    pub(super) has_policy: bool,
    /// Whether the ordering wants to be told what actions were worth.
    pub(super) learns: bool,
    /// What each root action was worth to each seat in this search, by rank.
    pub(super) root_sums: Vec<RootSum>,
    pub(super) path: Vec<Step>,
    pub(super) trails: Trails<G>,
    pub(super) actions: ActionList,
    /// Where the entries of the listed actions are, once they were looked for.
    pub(super) ranks: Vec<u16>,
    pub(super) priors: Vec<f32>,
    /// What an evaluator says of one world's actions, one for each id.
    pub(super) logits: Vec<f32>,
    pub(super) walks: u64,
    pub(super) steps: u64,
    pub(super) deepest: usize,
    pub(super) evaluations: u64,
    /// A world of the root that waits for its priors.
    pub(super) unopened: Option<G>,
    pub(super) leaves: Vec<G>,
    pub(super) waiting: Vec<Waiting>,
    /// Decisions by their actions: places of entries change while leaves wait.
    pub(super) paths: Vec<(Step, Action)>,
    pub(super) has_begun: bool,
}

impl<G: Game> std::fmt::Debug for InfoTreeSearch<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InfoTreeSearch").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<G: Game> InfoTreeSearch<G> {
    /// A search; `has_policy` tells whether leaves come back with logits, and
    /// `ordering` gives priors where they do not.
    ///
    /// # Errors
    ///
    /// When an option makes no sense.
    pub fn new(
        options: &IsMctsOptions,
        has_policy: bool,
        ordering: Option<Arc<dyn Ordering<G>>>,
    ) -> Result<Self, SearchError> {
        options.check()?;
        Ok(Self {
            options: *options,
            nodes: Nodes::new(options.memory, G::ACTIONS, has_policy || ordering.is_some()),
            logits: vec![0.0; if has_policy { G::ACTIONS } else { 0 }],
            has_policy,
            plain: plain(options),
            learns: ordering.as_ref().is_some_and(|ordering| ordering.learns()),
            halving: None,
            is_root_tried: false,
            keeps: false,
            ordering,
            rng: Rng::new(0),
            root: NOWHERE,
            root_key: None,
            seat: Player(0),
            players: 2,
            root_sums: Vec::new(),
            path: Vec::new(),
            trails: Trails::default(),
            actions: ActionList::new(),
            ranks: Vec::new(),
            priors: Vec::new(),
            walks: 0,
            steps: 0,
            deepest: 0,
            evaluations: 0,
            unopened: None,
            leaves: Vec::new(),
            waiting: Vec::new(),
            paths: Vec::new(),
            has_begun: false,
        })
    }

    /// Changes how the root is searched from the next beginning on.
    ///
    /// # Errors
    ///
    /// When an option makes no sense.
    pub fn set_root(
        &mut self,
        root: RootRule,
        noise: Option<RootNoise>,
    ) -> Result<(), SearchError> {
        let options = IsMctsOptions { root, noise, ..self.options };
        options.check()?;
        self.options = options;
        self.plain = plain(&options);
        Ok(())
    }

    /// Makes ready to search what `view` shows.
    ///
    /// # Errors
    ///
    /// When the budget is empty or the seat is not to decide.
    pub fn begin(
        &mut self,
        view: &View<'_, G>,
        budget: &Budget,
        seed: u64,
    ) -> Result<(), SearchError> {
        budget.check()?;
        let world = self.deal(view, seed)?;
        self.plant(&world, view.seat(), budget, seed)?;
        if self.is_root_open() {
            self.ready_root();
        } else if self.has_policy {
            self.unopened = Some(world);
        } else {
            self.weigh(&world);
            self.open_root();
        }
        self.has_begun = true;
        Ok(())
    }

    /// Simulations of this search so far.
    #[must_use]
    pub fn iterations(&self) -> u64 {
        self.walks
    }

    /// Information sets in the tree.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.len()
    }

    /// A world of `view`, whose actions are listed.
    pub(super) fn deal(&mut self, view: &View<'_, G>, seed: u64) -> Result<G, SearchError> {
        self.rng = Rng::new(seed);
        let world = view.sample(&mut self.rng);
        if world.turn() != Turn::Player(view.seat()) {
            return Err(SearchError::NotToDecide(view.seat()));
        }
        world.legal_actions(&mut self.actions);
        Ok(world)
    }

    /// Makes the information set of `world` the root; what is known of it is
    /// kept if that was asked for.
    pub(super) fn plant(
        &mut self,
        world: &G,
        seat: Player,
        budget: &Budget,
        seed: u64,
    ) -> Result<(), SearchError> {
        self.halving = Halving::plan(self.options.root, budget, Rng::new(seed).split(2))?;
        self.path.clear();
        self.trails.end();
        self.forget_leaves();
        self.unopened = None;
        self.is_root_tried = false;
        self.walks = 0;
        self.steps = 0;
        self.deepest = 0;
        self.evaluations = 0;
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
        self.root = self.nodes.find(key, NOWHERE).expect(ROOM);
        self.root_sums.clear();
        Ok(())
    }

    /// Whether all listed actions have their entry at the root.
    pub(super) fn is_root_open(&self) -> bool {
        self.actions.iter().all(|&action| self.nodes.has(self.root, action))
    }

    /// Gives the listed actions their entries at the root, with the priors last
    /// asked for.
    pub(super) fn open_root(&mut self) {
        self.root = self.open_all(self.root).expect(ROOM);
        self.ready_root();
    }

    /// What is done once the root has its entries: noise, and the first round
    /// of sequential halving.
    pub(super) fn ready_root(&mut self) {
        let count = self.nodes.count(self.root);
        if let Some(noise) = self.options.noise {
            let drawn = dirichlet(noise.alpha, count, &mut self.rng);
            for (rank, drawn) in drawn.into_iter().enumerate() {
                let even = 1.0 / count as f32;
                let prior = self.nodes.prior(self.root, rank).unwrap_or(even);
                let mixed = (1.0 - noise.share) * prior + noise.share * drawn;
                self.nodes.set_prior(self.root, rank, mixed);
            }
        }
        self.root_sums.resize(count, RootSum::default());
        if let Some(halving) = &mut self.halving {
            halving.start(&self.nodes.arms(self.root));
        }
    }

    /// How many more visits the most visited action has than any other; nothing
    /// where visits do not decide.
    pub(super) fn lead(&self) -> Option<u64> {
        self.halving.is_none().then(|| self.nodes.lead(self.root))
    }

    /// Whether a block has all that may be done in its information set: whoever
    /// knows what it is kept under knows what they may do, and where untried
    /// actions have a finite worth all get their entries at once.
    #[inline(always)]
    pub(super) fn is_complete(&self, block: u32, mover: Player) -> bool {
        let knows = mover == self.seat || self.options.knower == Knower::Mover;
        knows && self.opens_all() && self.nodes.count(block) > 0
    }

    /// Whether every legal action has an entry before any is compared, as it
    /// must with a finite urgency.
    #[inline(always)]
    pub(super) fn opens_all(&self) -> bool {
        !matches!(self.options.first_play, FirstPlay::Infinite)
    }

    /// Asks the ordering, if there is one, about the listed actions.
    pub(super) fn weigh(&mut self, world: &G) {
        self.priors.clear();
        if let Some(ordering) = &self.ordering {
            self.priors.resize(self.actions.len(), 0.0);
            ordering.weigh(world, self.path.len(), &self.actions, &mut self.priors);
            normalize(&mut self.priors);
        }
    }

    /// Makes the logits of the listed actions, one for each id, their priors.
    pub(super) fn take_priors(&mut self, logits: &[f32]) -> Result<(), SearchError> {
        self.priors.clear();
        for action in self.actions.iter() {
            let value = logits[action.index()];
            if !value.is_finite() {
                return Err(SearchError::BadLogit { action: action.0, value });
            }
            self.priors.push(value);
        }
        softmax(&mut self.priors);
        Ok(())
    }

    pub(super) fn forget_leaves(&mut self) {
        self.leaves.clear();
        self.waiting.clear();
        self.paths.clear();
    }
}

/// The constant of UCT, where nothing but that chooses.
fn plain(options: &IsMctsOptions) -> Option<f32> {
    match (options.selection, options.first_play) {
        (Selection::Uct { exploration, bias: 0.0 }, FirstPlay::Infinite)
            if options.root.below().is_none() =>
        {
            Some(exploration)
        }
        _ => None,
    }
}

/// Why the root always has its place.
const ROOM: &str = "the least memory allowed holds the widest root";
