//! A search in three steps that others may drive: gather leaves, have them
//! judged, apply what came back.

use std::sync::Arc;

use meeple_game::{Action, ActionList, Game, Payoffs, Rng, Turn, View};

use crate::budget::Budget;
use crate::evaluate::check_values;
use crate::gumbel::Halving;
use crate::machine::{Machine, Work, fast};
use crate::noise::dirichlet;
use crate::options::{MctsOptions, RootNoise, RootRule};
use crate::ordering::Ordering;
use crate::report::ActionReport;
use crate::tree::{NO_CHILD, ROOT, SOLVED, Step};
use crate::walk::{Leaf, Walker};
use crate::{SearchError, SearchReport};

/// Principal variations in a report.
const VARIATIONS: usize = 3;

/// A tree whose leaves are judged by whoever drives it, so that one evaluator
/// can serve many trees with one batch.
///
/// ```
/// use meeple_game::{Game, Player, View};
/// use meeple_games::small::ConnectFour;
/// use meeple_search::{Budget, MctsOptions, TreeSearch};
///
/// let game = ConnectFour::new(&Default::default());
/// let budget = Budget::iterations(64);
/// let mut search = TreeSearch::new(&MctsOptions::puct(), true, None)?;
/// search.begin(&View::new(&game, Player(0)), &budget, 1)?;
/// while search.iterations() < 64 {
///     search.gather(8)?;
///     let leaves = search.leaves().len();
///     // A network would look at `search.leaves()` here.
///     let values = vec![[0.0; 6]; leaves];
///     let logits = vec![0.0; leaves * ConnectFour::ACTIONS];
///     search.apply(&values, &logits)?;
/// }
/// # Ok::<_, meeple_search::SearchError>(())
/// ```
#[derive(Debug)]
pub struct TreeSearch<G: Game> {
    pub(crate) walker: Walker<G>,
    /// For evaluators that draw: apart from the walks, so that a walk does not
    /// depend on how its neighbours were judged.
    pub(crate) evaluation_rng: Rng,
    pub(crate) evaluations: u64,
    halving: Option<Halving>,
    /// Where the path of each gathered leaf ends, and all of these paths.
    ends: Vec<usize>,
    paths: Vec<Step>,
    pub(crate) leaves: Vec<G>,
    has_begun: bool,
}

impl<G: Game> TreeSearch<G> {
    /// A search; `has_policy` tells whether leaves come back with logits, and
    /// `ordering` gives priors where they do not.
    ///
    /// # Errors
    ///
    /// When an option makes no sense.
    pub fn new(
        options: &MctsOptions,
        has_policy: bool,
        ordering: Option<Arc<dyn Ordering<G>>>,
    ) -> Result<Self, SearchError> {
        options.check()?;
        let mut walker = Walker::new(options, ordering);
        walker.eager = has_policy;
        Ok(Self {
            walker,
            evaluation_rng: Rng::new(0),
            evaluations: 0,
            halving: None,
            ends: Vec::new(),
            paths: Vec::new(),
            leaves: Vec::new(),
            has_begun: false,
        })
    }

    /// Makes ready to search what `view` shows.
    ///
    /// # Errors
    ///
    /// When the budget is empty, the seat is not to decide, or the game has
    /// hidden information.
    pub fn begin(
        &mut self,
        view: &View<'_, G>,
        budget: &Budget,
        seed: u64,
    ) -> Result<(), SearchError> {
        if G::HIDDEN {
            return Err(SearchError::Hidden { game: G::NAME });
        }
        let root = view.sample(&mut Rng::new(0));
        if root.turn() != Turn::Player(view.seat()) {
            return Err(SearchError::NotToDecide(view.seat()));
        }
        self.begin_state(&root, budget, seed)
    }

    pub(crate) fn begin_state(
        &mut self,
        root: &G,
        budget: &Budget,
        seed: u64,
    ) -> Result<(), SearchError> {
        budget.check()?;
        let rng = Rng::new(seed);
        // The root is among what is judged first when priors are awaited.
        self.halving = Halving::plan(self.walker.options.root, budget, rng.split(2))?;
        self.walker.start(root);
        self.walker.rng = rng.split(0);
        self.evaluation_rng = rng.split(1);
        self.evaluations = 0;
        self.ends.clear();
        self.paths.clear();
        self.leaves.clear();
        self.has_begun = true;
        if self.walker.tree.is_empty() && !self.walker.eager {
            self.walker.grow_root();
        }
        if !self.walker.tree.is_empty() {
            self.ready_root();
        }
        Ok(())
    }

    /// What is done once the root has its block: noise, and the first round of
    /// sequential halving.
    fn ready_root(&mut self) {
        if let Some(noise) = self.walker.options.noise {
            let count = self.walker.tree.block(ROOT).count;
            let drawn = dirichlet(noise.alpha, count, &mut self.walker.rng);
            for (edge, drawn) in (0u32..).zip(drawn) {
                let prior = self.walker.tree.block(ROOT).prior(edge as usize);
                let mixed = (1.0 - noise.share) * prior + noise.share * drawn;
                self.walker.tree.set_prior(Step { block: ROOT, edge }, mixed);
            }
        }
        if let Some(halving) = &mut self.halving {
            halving.start(&self.walker.tree.block(ROOT));
        }
    }

    /// The edge that the root must take next, if it is not free to choose.
    #[inline(always)]
    pub(crate) fn first_edge(&mut self) -> Option<u32> {
        let tree = &self.walker.tree;
        self.halving.as_mut().map(|halving| halving.next_edge(&tree.block(ROOT)))
    }

    /// Walks down until `most` leaves wait to be judged, or a leaf is met that
    /// waits already; what is certain is counted at once.
    ///
    /// # Errors
    ///
    /// When the search has not begun.
    pub fn gather(&mut self, most: usize) -> Result<(), SearchError> {
        let root = self.walker.root.filter(|_| self.has_begun).ok_or(SearchError::NotBegun)?;
        self.ends.clear();
        self.paths.clear();
        self.leaves.clear();
        if self.walker.tree.is_empty() {
            self.leaves.push(root);
            self.ends.push(0);
            return Ok(());
        }
        self.walker.expect_walks(most as u64);
        fast(Gathering { search: self, root, most });
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
        if self.walker.eager {
            expect_length("logits", self.leaves.len() * G::ACTIONS, logits.len())?;
        }
        for value in values {
            check_values(value, self.walker.players)?;
        }
        let mut first = 0;
        for at in 0..self.leaves.len() {
            let end = self.ends[at];
            if self.walker.eager {
                let row = &logits[at * G::ACTIONS..(at + 1) * G::ACTIONS];
                let step = (end > first).then(|| self.paths[end - 1]);
                self.walker.grow(&self.leaves[at], step, &values[at], row)?;
                if step.is_none() {
                    self.ready_root();
                    continue;
                }
            }
            self.walker.repay(&self.paths[first..end], &values[at]);
            first = end;
        }
        self.evaluations += self.leaves.len() as u64;
        self.leaves.clear();
        self.ends.clear();
        self.paths.clear();
        Ok(())
    }

    /// Goes on by `actions`, those of all players and of luck, and keeps what
    /// is known of where they lead.
    pub fn advance(&mut self, actions: &[Action]) {
        self.walker.advance(actions);
        self.has_begun = false;
    }

    /// Goes on to the state that `view` shows, and keeps what is known of it:
    /// for those who are not told what was played.
    pub fn follow(&mut self, view: &View<'_, G>) {
        if !G::HIDDEN {
            self.walker.follow(&view.sample(&mut Rng::new(0)));
            self.has_begun = false;
        }
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
        let options = MctsOptions { root, noise, ..self.walker.options };
        options.check()?;
        self.walker.set_options(&options);
        Ok(())
    }

    /// Simulations of this search so far.
    #[must_use]
    pub fn iterations(&self) -> u64 {
        self.walker.walks
    }

    /// Whether the value of the root is proven.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.walker.is_solved
    }

    /// States in the tree.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.walker.tree.nodes()
    }

    /// What has been found out so far.
    #[must_use]
    pub fn report(&self) -> SearchReport {
        let Some(root) = self.walker.root else { return SearchReport::default() };
        let tree = &self.walker.tree;
        let mut report = SearchReport {
            iterations: self.walker.walks,
            nodes: tree.nodes(),
            bytes: self.walker.bytes(),
            depth: self.walker.deepest as u32,
            mean_depth: self.walker.steps as f32 / self.walker.walks.max(1) as f32,
            evaluations: self.evaluations,
            ..SearchReport::default()
        };
        if tree.is_empty() {
            return report;
        }
        let mut actions = ActionList::new();
        root.legal_actions(&mut actions);
        let policy = self.halving.as_ref().map(|halving| halving.policy(&tree.block(ROOT)));
        let block = tree.block(ROOT);
        let sum: u64 = block.visits.iter().map(|&visits| u64::from(visits)).sum();
        let edges: Vec<u32> =
            actions.iter().filter_map(|&action| tree.edge_of(ROOT, action)).collect();
        let entry = |&edge: &u32| {
            let at = edge as usize;
            ActionReport {
                action: block.action(at),
                visits: u64::from(block.visits[at]),
                available: sum,
                values: tree.edge_values(Step { block: ROOT, edge }, self.walker.players),
                prior: block.prior(at),
                policy: 0.0,
                solved: block.is_solved(at),
            }
        };
        report.actions = edges.iter().map(entry).collect();
        report.conclude();
        if let (Some(halving), Some(policy)) = (&self.halving, policy) {
            report.halved = true;
            report.best = block.action(halving.best(&block));
            for (entry, &edge) in report.actions.iter_mut().zip(&edges) {
                entry.policy = policy[edge as usize];
            }
        }
        self.prefer_proven(&mut report);
        report.variations = self.variations(&report);
        report
    }

    /// What is proven is heeded whatever the visits: a win is played, a loss is
    /// not, a draw is where nothing else looks better.
    fn prefer_proven(&self, report: &mut SearchReport) {
        let tree = &self.walker.tree;
        if !self.walker.options.solve || !tree.is_two_sided() {
            return;
        }
        let root = tree.block(ROOT);
        let mover = usize::from(root.mover);
        let edge_of = |entry: &ActionReport| tree.edge_of(ROOT, entry.action);
        let has_draw = |entry: &ActionReport| {
            let bounds = edge_of(entry).map(|edge| tree.edge_bounds(Step { block: ROOT, edge }));
            bounds.is_some_and(|bounds| bounds.at_least_draw)
        };
        let is_open = |entry: &ActionReport| {
            entry.visits > 0 && edge_of(entry).is_some_and(|edge| !root.is_closed(edge as usize))
        };
        let Some(value) = tree.solved_value(ROOT) else {
            return report.prefer(mover, is_open, has_draw);
        };
        let best = if value == 0.0 {
            report.most_visited(has_draw)
        } else {
            report.most_visited(|entry| entry.solved && entry.values[mover] >= value)
        };
        report.best = best.map_or(report.best, |entry| entry.action);
        report.values[mover] = value;
        report.values[1 - mover] = 0.0 - value;
    }

    /// The likeliest lines: the best action and the most visited others, each
    /// followed by what is visited most.
    fn variations(&self, report: &SearchReport) -> Vec<Vec<Action>> {
        let mut ranked: Vec<&ActionReport> =
            report.actions.iter().filter(|entry| entry.visits > 0).collect();
        ranked.sort_by_key(|entry| (entry.action != report.best, std::cmp::Reverse(entry.visits)));
        ranked.iter().take(VARIATIONS).map(|entry| self.line(entry.action)).collect()
    }

    fn line(&self, first: Action) -> Vec<Action> {
        let tree = &self.walker.tree;
        let mut line = vec![first];
        let mut at = ROOT;
        let mut edge = tree.edge_of(ROOT, first);
        while let Some(taken) = edge {
            at = tree.child(Step { block: at, edge: taken }) & !SOLVED;
            if at == NO_CHILD {
                break;
            }
            let block = tree.block(at);
            let most = (0..block.count).reduce(|best, edge| {
                if block.visits[edge] > block.visits[best] { edge } else { best }
            });
            edge = most.filter(|&edge| block.visits[edge] > 0).map(|edge| edge as u32);
            line.extend(edge.map(|edge| block.action(edge as usize)));
        }
        line
    }
}

pub(crate) fn expect_length(
    what: &'static str,
    expected: usize,
    got: usize,
) -> Result<(), SearchError> {
    if got == expected { Ok(()) } else { Err(SearchError::WrongLength { what, expected, got }) }
}

/// Walks that end at leaves to be judged elsewhere.
struct Gathering<'a, G: Game> {
    search: &'a mut TreeSearch<G>,
    root: G,
    most: usize,
}

impl<G: Game> Work for Gathering<'_, G> {
    type Out = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        let Self { search, root, most } = self;
        for _ in 0..most {
            if search.is_solved() {
                break;
            }
            let mut state = root;
            let first = search.first_edge();
            match search.walker.descend::<M>(&mut state, first) {
                Leaf::Exact(values, proves) => search.walker.ascend(values, proves),
                Leaf::Judge => {
                    search.walker.lend();
                    search.paths.extend_from_slice(&search.walker.path);
                    search.ends.push(search.paths.len());
                    search.leaves.push(state);
                }
                Leaf::Taken => {
                    search.walker.undo();
                    if let (Some(halving), Some(edge)) = (&mut search.halving, first) {
                        halving.give_back(edge);
                    }
                    break;
                }
            }
        }
    }
}
