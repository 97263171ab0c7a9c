//! The bots that search: what there is to choose, and how they play.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use meeple_game::{Action, Game, Rng, View};
use meeple_games::holdem::Holdem;
use meeple_games::small::{Kuhn, Leduc};
use meeple_net::Predictor;
use meeple_search::{Budget, Control, Observer, Search, SearchReport, StopFlag};

use super::Size;
use crate::{Bot, BotError, BotSpec, Error};

/// Which search a bot uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchKind {
    /// UCT with random rollouts; over some dealt worlds where cards are hidden.
    Plain,
    /// Information-set search.
    InformationSets,
    /// Priors from the game's own estimate, and few actions first.
    Ordered,
    /// A graph instead of a tree.
    Transposition,
    /// Several workers.
    Parallel,
    /// PUCT with a network; without one, with even priors, and the game's
    /// estimate or rollouts for values.
    Puct,
}

/// Where values come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eval {
    /// Random games, to the end or cut off after some steps, when the game's
    /// estimate is asked.
    Rollout {
        /// The steps, if it is cut off.
        depth: Option<u32>,
    },
    /// The game's own estimate.
    Heuristic,
    /// The estimate if the game has one, else random games.
    Auto,
    /// A network, for values and priors: the one given, else the one shipped
    /// with the game; as [`Auto`](Self::Auto) if there is none.
    Model,
}

/// Which actions are looked at first. Anything but [`Even`](Self::Even) has
/// them chosen by PUCT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prior {
    /// All alike.
    Even,
    /// Those that the game prefers.
    Game,
    /// Those after which the game's estimate is best.
    OneStep,
    /// Those that were good elsewhere in the tree.
    History,
    /// Those that won last.
    Killers,
    /// Those after which the game's estimate is best if it has one, else all
    /// alike.
    Auto,
}

/// How the workers of [`SearchKind::Parallel`] share the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// A tree each, added up.
    Roots,
    /// One tree, whose leaves are judged side by side; repeats exactly.
    Leaves,
    /// One tree that all threads walk at once. Games played by this do not
    /// repeat unless it has one thread: it is for playing, not for measuring.
    Tree,
}

/// What becomes of the tree between moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reuse {
    /// Every decision has a new one.
    No,
    /// It is kept, and as many simulations are added as to a new one.
    Yes,
    /// It is kept, and in [`SearchKind::InformationSets`] the visits that it
    /// brings along count as simulations, up to three quarters of them.
    Count,
}

/// A bot that searches, with its options.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchSpec {
    /// Which search.
    pub kind: SearchKind,
    /// Simulations for each decision, at most.
    pub sims: u32,
    /// Milliseconds for each decision, at most; games then do not repeat.
    pub ms: Option<u32>,
    /// Whether all simulations are made, even when those left cannot change
    /// what is played: for those who want the visits.
    pub full_budget: bool,
    /// The share of the simulations left by which one action must be ahead of
    /// all others for the search to end: 1 where they cannot change what is
    /// played, less where it is unlikely.
    pub early_stop: f32,
    /// The exploration constant; the one that suits how actions are chosen and
    /// judged unless given.
    pub c: Option<f32>,
    /// Where values come from.
    pub eval: Eval,
    /// The file of the network, if not the one shipped with the game.
    pub model: Option<PathBuf>,
    /// Which actions are looked at first.
    pub prior: Prior,
    /// How many actions a Gumbel root considers; none without one.
    pub gumbel: Option<u32>,
    /// Whether the improved policy of a Gumbel root is used below it too.
    pub below: bool,
    /// Whether the tree is kept between moves.
    pub reuse: Reuse,
    /// The most memory for its tree or table; full, it is searched but grows no
    /// more. Workers with a tree each share it.
    pub memory: Size,
    /// Worlds dealt, where [`SearchKind::Plain`] meets hidden cards.
    pub determinizations: u32,
    /// Whose knowledge [`SearchKind::InformationSets`] keeps decisions under; if
    /// it is not said, what was measured to be stronger in the game.
    pub observer: Option<Observer>,
    /// How often [`SearchKind::InformationSets`] simulates in each determinization.
    pub sims_per_determinization: u32,
    /// Whether it looks only at what people would think about, where the game
    /// knows what that is; not by a network, which has learned from all.
    pub focus: bool,
    /// How [`SearchKind::Parallel`] shares the work.
    pub sharing: Sharing,
    /// Workers of [`SearchKind::Parallel`] with a tree each, which share the
    /// simulations; or leaves judged at a time.
    pub workers: u32,
    /// Threads of [`SearchKind::Parallel`].
    pub threads: u32,
}

impl SearchKind {
    const ALL: [(&'static str, Self); 6] = [
        ("mcts", Self::Plain),
        ("mcts-ismcts", Self::InformationSets),
        ("mcts-ordered", Self::Ordered),
        ("mcts-transposition", Self::Transposition),
        ("mcts-parallel", Self::Parallel),
        ("puct", Self::Puct),
    ];

    /// The search of the bot called `name`.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, kind)| kind)
    }

    /// The name of its bot.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|(_, kind)| *kind == self).map_or("mcts", |(name, _)| name)
    }
}

impl SearchSpec {
    /// What a bot does unless it is told otherwise.
    #[must_use]
    pub fn new(kind: SearchKind) -> Self {
        let prior = match kind {
            SearchKind::Ordered => Prior::OneStep,
            SearchKind::InformationSets => Prior::Auto,
            _ => Prior::Even,
        };
        Self {
            kind,
            sims: 1000,
            ms: None,
            full_budget: false,
            early_stop: 1.0,
            c: usual_c(kind, prior),
            eval: default_eval(kind, prior),
            model: None,
            prior,
            gumbel: None,
            below: false,
            // Where it was measured to be no gain, it is off.
            reuse: match kind {
                SearchKind::InformationSets | SearchKind::Puct => Reuse::No,
                _ => Reuse::Yes,
            },
            memory: Size::megabytes(1024),
            determinizations: 10,
            observer: None,
            sims_per_determinization: 1,
            focus: kind != SearchKind::Puct,
            sharing: Sharing::Roots,
            workers: 4,
            threads: 2,
        }
    }

    /// The bot, ready to play `G`.
    pub(crate) fn build<G: Game>(&self, config: &G::Config) -> Result<Box<dyn Bot<G>>, Error> {
        // Ensembles have nothing to keep, and of information sets only those
        // that say so.
        let reuses = self.reuse != Reuse::No
            && (!G::IMPERFECT_INFORMATION || self.kind == SearchKind::InformationSets);
        let search = self.search(config)?;
        Ok(Box::new(self.searcher(search, reuses)))
    }

    /// The bot, ready to play `G` by a network.
    pub(crate) fn build_with<G: Game>(
        &self,
        config: &G::Config,
        network: &Predictor,
    ) -> Result<Box<dyn Bot<G>>, Error> {
        let search = self.search_with(config, network)?;
        Ok(Box::new(self.searcher(search, self.reuse != Reuse::No && !G::IMPERFECT_INFORMATION)))
    }

    fn searcher<G: Game>(&self, search: Box<dyn Search<G> + Send>, reuses: bool) -> Searcher<G> {
        let early_stopping = (!self.full_budget).then_some(self.early_stop);
        let count_reused_visits = self.reuse == Reuse::Count;
        let budget = Budget { early_stopping, count_reused_visits, ..self.budget() };
        let stop = StopFlag::default();
        Searcher { spec: self.clone(), search, budget, reuses, stop, report: None }
    }

    /// The same bot with what depends on the game decided.
    pub(super) fn for_game(&self, has_estimate: bool) -> Self {
        let prior = match self.prior {
            Prior::Auto if has_estimate => Prior::OneStep,
            Prior::Auto => Prior::Even,
            prior => prior,
        };
        let asked = if has_estimate { self.prior } else { prior };
        Self { prior, c: self.c.or(Some(default_c(self.kind, asked))), ..self.clone() }
    }

    /// The bytes that each of its trees may take.
    pub(super) fn tree_memory(&self) -> usize {
        match (self.kind, self.sharing) {
            (SearchKind::Parallel, Sharing::Roots) => self.memory.bytes() / self.workers as usize,
            _ => self.memory.bytes(),
        }
    }

    /// Whether the same seed gives the same answers.
    pub(crate) fn is_repeatable(&self) -> bool {
        let is_raced = self.sharing == Sharing::Tree && self.threads > 1;
        self.ms.is_none() && !is_raced
    }

    /// What the bot may spend on one decision.
    #[must_use]
    pub fn budget(&self) -> Budget {
        let time = self.ms.map(|ms| Duration::from_millis(ms.into()));
        Budget { time, ..Budget::simulations(u64::from(self.sims)) }
    }
}

/// The exploration constant unless one is given, as far as that does not depend
/// on the game.
pub(super) fn usual_c(kind: SearchKind, prior: Prior) -> Option<f32> {
    (prior != Prior::Auto).then(|| default_c(kind, prior))
}

/// The same for one game: that of PUCT with priors, or less where nothing but
/// estimates is compared, which differ by little.
fn default_c(kind: SearchKind, prior: Prior) -> f32 {
    match prior {
        Prior::Even if kind != SearchKind::Puct => 1.0,
        Prior::Auto => 0.2,
        _ => 1.25,
    }
}

/// Whose knowledge decisions of a game are kept under unless it is said. In poker
/// the others' choices depend most on their own cards, and a tree that averages over
/// them does not get better with more simulations; docs/src/measurements/search.md has
/// the figures.
pub(super) fn default_observer(game: &str) -> Observer {
    match game {
        Kuhn::NAME | Leduc::NAME | Holdem::NAME => Observer::Multiple,
        _ => Observer::Single,
    }
}

/// Where values come from unless it is said.
pub(super) fn default_eval(kind: SearchKind, prior: Prior) -> Eval {
    match (kind, prior) {
        (SearchKind::Puct, Prior::Even) => Eval::Model,
        (SearchKind::Puct | SearchKind::InformationSets, _) => Eval::Auto,
        _ => Eval::Rollout { depth: None },
    }
}

/// Plays what a search likes best.
struct Searcher<G> {
    /// How the bot is written, for messages.
    spec: SearchSpec,
    search: Box<dyn Search<G> + Send>,
    budget: Budget,
    reuses: bool,
    stop: StopFlag,
    report: Option<SearchReport>,
}

impl<G: Game> Searcher<G> {
    /// Has the search keep what it knows of `view`, and yields the budget without
    /// the time that this took.
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
        let budget = if self.reuses { self.follow(view) } else { self.budget };
        let mut control = Control { stop: self.stop.clone(), progress: None };
        let report = self.search.search_with(view, &budget, rng.bits(), &mut control);
        let report = report.map_err(|reason| {
            let bot = BotSpec::Search(self.spec.clone()).to_string();
            BotError::Search { bot, reason }
        })?;
        Ok(self.report.insert(report).best)
    }

    fn search_report(&self) -> Option<&SearchReport> {
        self.report.as_ref()
    }

    fn set_stop(&mut self, stop: &StopFlag) {
        self.stop = stop.clone();
    }
}
