//! The bots that search.

use std::fmt;
use std::sync::Arc;

use meeple_game::{Action, Game, Rng, View};
use meeple_search::{
    Budget, Ensemble, EnsembleOptions, GraphMcts, GraphOptions, Heuristic, IsMcts, IsMctsOptions,
    Mcts, MctsOptions, OneStep, Ordering, Rollout, RootParallel, Search, SearchError, Selection,
    Widening,
};

use super::Options;
use crate::{Bot, Error};

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
    /// Several workers, added up.
    Parallel,
    /// PUCT with even priors, and the game's estimate or rollouts for values.
    Puct,
}

/// A bot that searches, with its options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchSpec {
    /// Which search.
    pub kind: SearchKind,
    /// Simulations for each decision.
    pub sims: u32,
    /// The exploration constant.
    pub c: f32,
    /// Worlds dealt, where [`SearchKind::Plain`] meets hidden cards.
    pub worlds: u32,
    /// Workers of [`SearchKind::Parallel`], which share the simulations.
    pub workers: u32,
    /// Threads of [`SearchKind::Parallel`]; they change no result.
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

    /// The exploration constant unless one is given.
    pub(crate) fn default_c(self) -> f32 {
        match self {
            Self::Ordered | Self::Puct => 1.25,
            _ => 1.0,
        }
    }
}

impl fmt::Display for SearchSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, sims, c, worlds, workers, threads } = self;
        write!(f, "{}:sims={sims},c={c}", kind.name())?;
        match kind {
            SearchKind::Plain => write!(f, ",worlds={worlds}"),
            SearchKind::Parallel => write!(f, ",workers={workers},threads={threads}"),
            _ => Ok(()),
        }
    }
}

impl SearchSpec {
    /// Takes the options of a search out of those given.
    pub(crate) fn read(kind: SearchKind, options: &mut Options<'_>) -> Result<Self, Error> {
        let sims = options.take("sims", 1000, 1..=100_000_000)?;
        let is_allowed = |c: &f32| (0.0..=1000.0).contains(c);
        let c = options.take_as("c", kind.default_c(), is_allowed, "a number from 0 to 1000")?;
        let mut spec = Self { kind, sims, c, worlds: 10, workers: 4, threads: 2 };
        match kind {
            SearchKind::Plain => spec.worlds = options.take("worlds", 10, 1..=1_000)?,
            SearchKind::Parallel => {
                spec.workers = options.take("workers", 4, 1..=1_000)?;
                spec.threads = options.take("threads", 2, 1..=1_000)?;
            }
            _ => {}
        }
        Ok(spec)
    }

    /// The bot, ready to play `G`.
    pub(crate) fn build<G: Game>(&self, config: &G::Config) -> Result<Box<dyn Bot<G>>, Error> {
        Ok(Box::new(Searcher { search: self.search(config)?, budget: self.budget() }))
    }

    /// What the bot may spend on one decision.
    #[must_use]
    pub fn budget(&self) -> Budget {
        Budget::iterations(u64::from(self.sims))
    }

    /// The search that the bot plays by, for those who want the whole of its
    /// [`SearchReport`](meeple_search::SearchReport), while it runs or after.
    ///
    /// ```
    /// use meeple_arena::BotSpec;
    /// use meeple_game::{Game, Player, View};
    /// use meeple_games::small::ConnectFour;
    ///
    /// let BotSpec::Search(spec) = "mcts:sims=500".parse()? else { panic!("mcts searches") };
    /// let game = ConnectFour::new(&Default::default());
    /// let mut search = spec.search::<ConnectFour>(&Default::default())?;
    /// let report = search.search(&View::new(&game, Player(0)), &spec.budget(), 1).unwrap();
    /// assert_eq!(report.iterations, 500);
    /// # Ok::<_, meeple_arena::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the search needs something that the game does not have.
    pub fn search<G: Game>(&self, config: &G::Config) -> Result<Box<dyn Search<G> + Send>, Error> {
        let has_estimate = G::new(config).estimate().is_some();
        let wrong = |reason| Err(Error::WrongGame { bot: self.kind.name(), game: G::NAME, reason });
        match self.kind {
            SearchKind::Ordered if !has_estimate => {
                wrong("the game has no estimate of its own to order actions by")
            }
            SearchKind::Transposition | SearchKind::Puct if G::HIDDEN => {
                wrong("the game has hidden information, for which there is mcts-ismcts")
            }
            _ => Ok(self.make(has_estimate).expect("options are checked while they are read")),
        }
    }

    fn make<G: Game>(&self, has_estimate: bool) -> Result<DynSearch<G>, SearchError> {
        let uct = MctsOptions {
            selection: Selection::Uct { exploration: self.c, bias: 0.0 },
            ..MctsOptions::default()
        };
        let puct = MctsOptions {
            selection: Selection::Puct { exploration: self.c, base: 19_652.0 },
            ..MctsOptions::puct()
        };
        let info = IsMctsOptions { selection: uct.selection, ..IsMctsOptions::default() };
        let rollout = Rollout::default;
        Ok(match self.kind {
            SearchKind::Plain if G::HIDDEN => {
                let worlds = self.worlds as usize;
                let options = EnsembleOptions { worlds, search: uct, ..Default::default() };
                Box::new(Ensemble::new(&options, rollout())?)
            }
            SearchKind::Plain => Box::new(Mcts::new(&uct, rollout())?),
            SearchKind::InformationSets => Box::new(IsMcts::new(&info, rollout())?),
            SearchKind::Ordered => {
                let ordering: Option<Arc<dyn Ordering<G>>> = Some(Arc::new(OneStep::default()));
                if G::HIDDEN {
                    let options =
                        IsMctsOptions { selection: puct.selection, ..IsMctsOptions::puct() };
                    Box::new(IsMcts::with_ordering(&options, rollout(), ordering)?)
                } else {
                    let options = MctsOptions { widening: Some(Widening::default()), ..puct };
                    Box::new(Mcts::with_ordering(&options, rollout(), ordering)?)
                }
            }
            SearchKind::Transposition => {
                let options = GraphOptions { search: uct, ..GraphOptions::default() };
                Box::new(GraphMcts::new(&options, rollout(), None)?)
            }
            SearchKind::Parallel => {
                let worker = |_| -> Result<DynSearch<G>, SearchError> {
                    Ok(if G::HIDDEN {
                        Box::new(IsMcts::new(&info, rollout())?)
                    } else {
                        Box::new(Mcts::new(&uct, rollout())?)
                    })
                };
                let workers = (0..self.workers).map(worker).collect::<Result<Vec<_>, _>>()?;
                Box::new(RootParallel::new(workers, self.threads as usize)?)
            }
            SearchKind::Puct if has_estimate => Box::new(Mcts::new(&puct, Heuristic)?),
            SearchKind::Puct => Box::new(Mcts::new(&puct, rollout())?),
        })
    }
}

type DynSearch<G> = Box<dyn Search<G> + Send>;

/// Plays what a search likes best.
struct Searcher<G> {
    search: DynSearch<G>,
    budget: Budget,
}

impl<G: Game> Bot<G> for Searcher<G> {
    fn choose(&mut self, view: &View<'_, G>, rng: &mut Rng) -> Action {
        let report = self.search.search(view, &self.budget, rng.bits());
        report.expect("the seat is to decide, and rollouts and estimates are values").best
    }
}
