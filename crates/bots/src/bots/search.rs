//! The specification of tree-search bots, and their play.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use meeple_game::{Action, ActionList, Game, Player, Rng, View};
use meeple_games::holdem::Holdem;
use meeple_games::small::{Kuhn, Leduc};
use meeple_net::Predictor;
use meeple_search::{Budget, Control, Observer, Opponents, Search, SearchReport, StopFlag};

use super::Size;
use crate::{Bot, BotError, BotSpec, Error};

/// The search algorithm of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchKind {
    /// UCT with random rollouts (Kocsis and Szepesvári 2006). With imperfect information, a PIMC
    /// ensemble of several determinizations.
    Plain,
    /// Information-set MCTS (Cowling, Powley and Whitehouse 2012).
    InformationSets,
    /// MCTS with priors from the heuristic evaluation, and progressive widening.
    Ordered,
    /// MCTS on a graph that merges transpositions.
    Transposition,
    /// Parallel MCTS; see [`Sharing`].
    Parallel,
    /// PUCT with a network. Without one, PUCT with uniform priors, and values from the heuristic
    /// evaluation or from rollouts.
    Puct,
    /// Alpha-beta with iterative deepening, for two players and perfect information;
    /// expectiminimax where there is chance.
    AlphaBeta,
    /// Max^n, for perfect information.
    MaxN,
    /// Paranoid search, for perfect information.
    Paranoid,
    /// Best-reply search, for perfect information.
    BestReply,
}

/// The source of leaf values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eval {
    /// Random rollouts, to the end of the game or to a depth limit, where the heuristic
    /// evaluation is used.
    Rollout {
        /// The depth limit, if there is one.
        depth: Option<u32>,
    },
    /// The game's heuristic evaluation.
    Heuristic,
    /// The heuristic evaluation if the game has one, otherwise rollouts.
    Auto,
    /// A network, for values and priors: the given one, or the one shipped with the game. As
    /// [`Auto`](Self::Auto) if there is none.
    Model,
}

/// The source of priors. Anything but [`Even`](Self::Even) implies selection by PUCT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prior {
    /// Uniform.
    Even,
    /// The priorities of the game.
    Game,
    /// The heuristic evaluation after each action (one-step lookahead).
    OneStep,
    /// The history heuristic: the mean value of an action over all states searched.
    History,
    /// Killer moves: the last actions that won at the same depth.
    Killers,
    /// [`OneStep`](Self::OneStep) if the game has a heuristic evaluation, otherwise
    /// [`Even`](Self::Even).
    Auto,
}

/// How the threads of [`SearchKind::Parallel`] share the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// Root parallelization: independent trees whose root statistics are added.
    Roots,
    /// Tree parallelization: all threads share one tree. With more than one thread, games are not
    /// reproducible, so this is for play rather than for measurements.
    Tree,
}

/// Tree reuse between moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reuse {
    /// Every decision starts with an empty tree.
    No,
    /// The tree is reused, and the full number of simulations is added to it.
    Yes,
    /// The tree is reused. In [`SearchKind::InformationSets`] the reused visits count as
    /// simulations, up to three quarters of the budget.
    Count,
}

/// A tree-search bot with its options.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchSpec {
    /// The search algorithm.
    pub kind: SearchKind,
    /// The maximum number of simulations for each decision; of nodes for
    /// searches to a depth.
    pub sims: u32,
    /// The minimum of that number for each legal action, so that searches with as many simulations
    /// are as thorough in wide games; 0 for no minimum.
    pub sims_per_action: u32,
    /// The depth limit in plies of searches to a depth, such as [`SearchKind::AlphaBeta`].
    pub depth: Option<u32>,
    /// The time limit for each decision, in milliseconds. With one, games are not reproducible.
    pub ms: Option<u32>,
    /// Whether the whole budget is used, without early stopping: for callers that need the visit
    /// counts.
    pub full_budget: bool,
    /// The early-stopping threshold: the lead of the best action over all others, as a share of
    /// the remaining simulations. With 1 the remaining simulations cannot change the action; with
    /// less it is unlikely.
    pub early_stop: f32,
    /// The temperature of a softmax over the values of actions, in payoffs; 0 plays the best
    /// action. See [`SearchReport::sample_by_value`].
    pub temperature: f32,
    /// The exploration constant. If missing, it depends on the selection rule and the evaluator.
    pub c: Option<f32>,
    /// The source of leaf values.
    pub eval: Eval,
    /// The network file, if not the network shipped with the game.
    pub model: Option<PathBuf>,
    /// The source of priors.
    pub prior: Prior,
    /// The number of actions that a Gumbel root considers (Danihelka et al. 2022); `None` for an
    /// ordinary root.
    pub gumbel: Option<u32>,
    /// Whether the improved policy of a Gumbel root is also used below the root.
    pub below: bool,
    /// Tree reuse between moves.
    pub reuse: Reuse,
    /// The memory limit of the tree or transposition table. A full tree is still searched, but
    /// gets no new nodes. Root-parallel workers divide the limit.
    pub memory: Size,
    /// The number of determinizations of [`SearchKind::Plain`] with imperfect information.
    pub determinizations: u32,
    /// The observer of [`SearchKind::InformationSets`]: SO-ISMCTS or MO-ISMCTS. If missing, the
    /// one that was measured to be stronger in the game.
    pub observer: Option<Observer>,
    /// The number of simulations in each determinization of [`SearchKind::InformationSets`].
    pub sims_per_determinization: u32,
    /// Whether the search is restricted to decisions that the game marks as relevant. Not
    /// supported with a network, which is trained on all decisions.
    pub focus: bool,
    /// How [`SearchKind::Parallel`] shares the work.
    pub sharing: Sharing,
    /// The number of root-parallel workers of [`SearchKind::Parallel`], which divide the
    /// simulations.
    pub workers: u32,
    /// The number of principal variations that [`SearchKind::AlphaBeta`] searches (multi-PV), for
    /// analyses.
    pub lines: u32,
    /// The number of threads of [`SearchKind::Parallel`] and [`SearchKind::AlphaBeta`].
    pub threads: u32,
}

impl SearchKind {
    const ALL: [(&'static str, Self); 10] = [
        ("mcts", Self::Plain),
        ("mcts-ismcts", Self::InformationSets),
        ("mcts-ordered", Self::Ordered),
        ("mcts-transposition", Self::Transposition),
        ("mcts-parallel", Self::Parallel),
        ("puct", Self::Puct),
        ("alphabeta", Self::AlphaBeta),
        ("maxn", Self::MaxN),
        ("paranoid", Self::Paranoid),
        ("brs", Self::BestReply),
    ];

    /// Returns the search of the bot called `name`.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, kind)| kind)
    }

    /// Whether it searches to a depth, with a budget in nodes.
    pub(super) fn is_to_depth(self) -> bool {
        matches!(self, Self::AlphaBeta | Self::MaxN | Self::Paranoid | Self::BestReply)
    }

    /// What it assumes of the opponents, for the searches of any number of players.
    pub(super) fn opponents(self) -> Option<Opponents> {
        match self {
            Self::MaxN => Some(Opponents::Selfish),
            Self::Paranoid => Some(Opponents::Paranoid),
            Self::BestReply => Some(Opponents::BestReply),
            _ => None,
        }
    }

    /// Returns the name of its bot.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|(_, kind)| *kind == self).map_or("mcts", |(name, _)| name)
    }
}

impl SearchSpec {
    /// Returns the default options.
    #[must_use]
    pub fn new(kind: SearchKind) -> Self {
        let prior = match kind {
            SearchKind::Ordered => Prior::OneStep,
            SearchKind::InformationSets => Prior::Auto,
            _ => Prior::Even,
        };
        let is_to_depth = kind.is_to_depth();
        Self {
            kind,
            sims: if is_to_depth { 100_000 } else { 1000 },
            sims_per_action: 0,
            depth: None,
            ms: None,
            full_budget: false,
            early_stop: 1.0,
            temperature: 0.0,
            c: usual_c(kind, prior),
            eval: default_eval(kind, prior),
            model: None,
            prior,
            gumbel: None,
            below: false,
            // Off where measurements show no gain.
            reuse: match kind {
                SearchKind::InformationSets | SearchKind::Puct => Reuse::No,
                _ if is_to_depth => Reuse::No,
                _ => Reuse::Yes,
            },
            memory: Size::megabytes(if is_to_depth { 16 } else { 1024 }),
            determinizations: 10,
            observer: None,
            sims_per_determinization: 1,
            focus: kind != SearchKind::Puct && !is_to_depth,
            sharing: Sharing::Roots,
            lines: 1,
            workers: if is_to_depth { 1 } else { 4 },
            threads: if is_to_depth { 1 } else { 2 },
        }
    }

    /// Builds the bot for `G`.
    pub(crate) fn build<G: Game>(&self, config: &G::Config) -> Result<Box<dyn Bot<G>>, Error> {
        // An ensemble has no tree to reuse. With imperfect information, only information-set
        // search supports reuse.
        let reuses = self.reuse != Reuse::No
            && (self.kind == SearchKind::InformationSets
                || !G::new(config).has_imperfect_information());
        let search = self.search(config)?;
        Ok(Box::new(self.searcher(search, reuses)))
    }

    /// Builds the bot for `G` with a network.
    pub(crate) fn build_with<G: Game>(
        &self,
        config: &G::Config,
        network: &Predictor,
    ) -> Result<Box<dyn Bot<G>>, Error> {
        let search = self.search_with(config, network)?;
        let reuses = self.reuse != Reuse::No && !G::new(config).has_imperfect_information();
        Ok(Box::new(self.searcher(search, reuses)))
    }

    fn searcher<G: Game>(&self, search: Box<dyn Search<G> + Send>, reuses: bool) -> Searcher<G> {
        let early_stopping = (!self.full_budget).then_some(self.early_stop);
        let count_reused_visits = self.reuse == Reuse::Count;
        let budget = Budget { early_stopping, count_reused_visits, ..self.budget(0) };
        let (stop, actions) = (StopFlag::default(), ActionList::new());
        Searcher { spec: self.clone(), search, budget, reuses, stop, actions, report: None }
    }

    /// Resolves the options that depend on the game.
    pub(super) fn for_game(&self, has_heuristic: bool) -> Self {
        let prior = match self.prior {
            Prior::Auto if has_heuristic => Prior::OneStep,
            Prior::Auto => Prior::Even,
            prior => prior,
        };
        let asked = if has_heuristic { self.prior } else { prior };
        Self { prior, c: self.c.or(Some(default_c(self.kind, asked))), ..self.clone() }
    }

    /// The memory limit of each tree, in bytes.
    pub(super) fn tree_memory(&self) -> usize {
        match (self.kind, self.sharing) {
            (SearchKind::Parallel, Sharing::Roots) => self.memory.bytes() / self.workers as usize,
            _ => self.memory.bytes(),
        }
    }

    /// Returns the action that the bot plays after a search for `seat`.
    #[must_use]
    pub fn choose(&self, report: &SearchReport, seat: Player, rng: &mut Rng) -> Action {
        report.sample_by_value(seat, self.temperature, rng)
    }

    /// Whether the same seed gives the same decisions.
    pub(crate) fn is_repeatable(&self) -> bool {
        let is_shared = self.sharing == Sharing::Tree || self.kind == SearchKind::AlphaBeta;
        let is_raced = is_shared && self.threads > 1;
        self.ms.is_none() && !is_raced
    }

    /// The number of simulations of a decision among `actions` legal actions.
    #[must_use]
    pub fn simulations(&self, actions: usize) -> u64 {
        u64::from(self.sims).max(u64::from(self.sims_per_action) * actions as u64)
    }

    /// The budget of a decision among `actions` legal actions.
    #[must_use]
    pub fn budget(&self, actions: usize) -> Budget {
        let time = self.ms.map(|ms| Duration::from_millis(ms.into()));
        Budget { time, ..Budget::simulations(self.simulations(actions)) }
    }
}

/// The default exploration constant, where it does not depend on the game.
pub(super) fn usual_c(kind: SearchKind, prior: Prior) -> Option<f32> {
    (prior != Prior::Auto).then(|| default_c(kind, prior))
}

/// The default exploration constant for a given game. It is small where only heuristic
/// evaluations are compared, which differ little between actions.
fn default_c(kind: SearchKind, prior: Prior) -> f32 {
    match prior {
        Prior::Even if kind != SearchKind::Puct => 1.0,
        Prior::Auto => 0.2,
        _ => 1.25,
    }
}

/// The default observer of a game. In poker, opponents' actions depend mostly on their own cards.
/// A single-observer tree averages over these cards, and does not improve with more simulations;
/// see docs/src/measurements/search.md.
pub(super) fn default_observer(game: &str) -> Observer {
    match game {
        Kuhn::NAME | Leduc::NAME | Holdem::NAME => Observer::Multiple,
        _ => Observer::Single,
    }
}

/// The default source of leaf values.
pub(super) fn default_eval(kind: SearchKind, prior: Prior) -> Eval {
    match (kind, prior) {
        (SearchKind::Puct, Prior::Even) => Eval::Model,
        (SearchKind::Puct | SearchKind::InformationSets, _) => Eval::Auto,
        _ => Eval::Rollout { depth: None },
    }
}

/// A bot that plays the best action of a search.
struct Searcher<G> {
    /// The specification, for error messages.
    spec: SearchSpec,
    search: Box<dyn Search<G> + Send>,
    budget: Budget,
    reuses: bool,
    stop: StopFlag,
    actions: ActionList,
    report: Option<SearchReport>,
}

impl<G: Game> Searcher<G> {
    /// Advances the reused tree to `view`. Returns the budget without the time that this took.
    fn follow(&mut self, view: &View<'_, G>) -> Budget {
        let started = Instant::now();
        self.search.follow(view);
        let least = Duration::from_nanos(1);
        let left = |time: Duration| time.saturating_sub(started.elapsed()).max(least);
        Budget { time: self.budget.time.map(left), ..self.budget }
    }
}

impl<G: Game> Bot<G> for Searcher<G> {
    fn choose(&mut self, view: &View<'_, G>, rng: &mut Rng) -> Result<Action, BotError> {
        let mut budget = if self.reuses { self.follow(view) } else { self.budget };
        if self.spec.sims_per_action > 0 {
            view.legal_actions(&mut self.actions);
            budget.simulations = Some(self.spec.simulations(self.actions.len()));
        }
        let mut control = Control { stop: self.stop.clone(), progress: None };
        let report = self.search.search_with(view, &budget, rng.bits(), &mut control);
        let report = report.map_err(|reason| {
            let bot = BotSpec::Search(self.spec.clone()).to_string();
            BotError::Search { bot, reason }
        })?;
        let report = self.report.insert(report);
        Ok(self.spec.choose(report, view.seat(), rng))
    }

    fn begin(&mut self) -> Result<(), BotError> {
        self.search.reset();
        Ok(())
    }

    fn search_report(&self) -> Option<&SearchReport> {
        self.report.as_ref()
    }

    fn set_stop(&mut self, stop: &StopFlag) {
        self.stop = stop.clone();
    }
}
