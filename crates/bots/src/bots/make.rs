//! Builds searches from their specifications.

use std::sync::Arc;

use meeple_game::{Game, GameInfo};
use meeple_net::{NetEvaluator, Predictor};
use meeple_search::{
    AlphaBeta, AlphaBetaOptions, AnyEvaluator, BatchedIsMcts, BatchedMcts, BatchedSearch, Ensemble,
    EnsembleOptions, Evaluator, FirstPlay, Focused, GraphMcts, GraphOptions, GumbelOptions,
    History, IsMcts, IsMctsOptions, Killers, MAX_DEPTH, ManyOptions, MaxN, MaxNOptions, Mcts,
    MctsOptions, MoveOrdering, OneStepLookahead, Priorities, ProgressiveWidening, Rollout,
    RootParallel, RootPolicy, Search, SearchError, SearchReport, Selection, SharedTree, StopFlag,
    search_many,
};

use super::models::{from_file, shipped};
use super::search::{Eval, Prior, SearchKind, SearchSpec, Sharing, default_observer};
use crate::Error;
use crate::position::EvaluatorAdapter;

type DynSearch<G> = Box<dyn Search<G> + Send>;
type DynOrdering<G> = Option<Arc<dyn MoveOrdering<G>>>;

impl SearchSpec {
    /// Builds the search of the bot, for callers that need the full
    /// [`SearchReport`](meeple_search::SearchReport), during the search or after it.
    ///
    /// ```
    /// use meeple_bots::BotSpec;
    /// use meeple_game::{Game, Player, View};
    /// use meeple_games::small::ConnectFour;
    ///
    /// let BotSpec::Search(spec) = "mcts:sims=500".parse()? else { panic!("mcts searches") };
    /// let game = ConnectFour::new(&Default::default());
    /// let mut search = spec.search::<ConnectFour>(&Default::default())?;
    /// let report = search.search(&View::new(&game, Player(0)), &spec.budget(7), 1).unwrap();
    /// assert_eq!(report.simulations, 500);
    /// # Ok::<_, meeple_bots::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the search needs something that the game does not have.
    pub fn search<G: Game>(&self, config: &G::Config) -> Result<Box<dyn Search<G> + Send>, Error> {
        let info = G::new(config).info();
        if self.eval == Eval::Model {
            let found = match &self.model {
                Some(path) => from_file(&info, path).map(Some),
                // A shipped network for fewer seats does not apply; the bot then plays without
                // one.
                None => shipped(&info)
                    .map(|found| found.filter(|network| network.signature().seats >= info.players)),
            };
            if let Some(network) = found.map_err(|error| self.wrong_model(&info, &error))? {
                return self.search_with(config, &network);
            }
        }
        let has_heuristic = G::COMPANIONS.evaluation.is_some();
        let wrong =
            |reason| Err(Error::WrongGame { bot: self.kind.name(), game: info.name, reason });
        let asks = match self.eval {
            Eval::Rollout { depth } => depth.is_some(),
            Eval::Heuristic => true,
            Eval::Auto | Eval::Model => false,
        };
        if self.prior == Prior::OneStep && !has_heuristic {
            return wrong("the game has no heuristic evaluation to order actions by");
        }
        if asks && !has_heuristic {
            return wrong("the game has no heuristic evaluation to take values from");
        }
        let is_open = matches!(self.kind, SearchKind::Transposition | SearchKind::Puct)
            || self.kind.opponents().is_some()
            || self.kind == SearchKind::Parallel && self.sharing != Sharing::Roots;
        if is_open && info.imperfect_information {
            return wrong("the game has hidden information, for which there is mcts-ismcts");
        }
        if self.kind == SearchKind::AlphaBeta && (info.imperfect_information || info.players != 2) {
            return wrong("alpha-beta needs two players and perfect information");
        }
        let observer = self.observer.or(Some(default_observer(info.name)));
        let made = Self { observer, ..self.for_game(has_heuristic) }.make(&info, has_heuristic);
        let made = made.expect("options are checked while they are read");
        Ok(if self.focus { Box::new(Focused(made)) } else { made })
    }

    /// Builds the search of the bot with `network` in place of its own network.
    ///
    /// # Errors
    ///
    /// When the network is for another game, or for fewer seats.
    pub fn search_with<G: Game>(
        &self,
        config: &G::Config,
        network: &Predictor,
    ) -> Result<Box<dyn Search<G> + Send>, Error> {
        let game = G::new(config);
        let info = game.info();
        let evaluator = NetEvaluator::new(&game, network.clone());
        let evaluator = evaluator.map_err(|error| self.wrong_model(&info, &error))?;
        evaluator.check(&game).map_err(|error| self.wrong_model(&info, &error))?;
        let evaluator = AnyEvaluator::new(evaluator);
        let made: Result<DynSearch<G>, SearchError> =
            if G::IMPERFECT_INFORMATION && info.imperfect_information {
                IsMcts::new(&self.info_options(), evaluator).map(|search| Box::new(search) as _)
            } else {
                Mcts::new(&self.open_options(), evaluator).map(|search| Box::new(search) as _)
            };
        Ok(made.expect("options are checked while they are read"))
    }

    fn wrong_model(&self, info: &GameInfo, reason: &dyn std::fmt::Display) -> Error {
        let (bot, reason) = (self.kind.name(), reason.to_string());
        Error::WrongModel { bot, game: info.name, reason }
    }

    /// Builds the search with an external evaluator, for the table that `info` describes.
    pub(crate) fn search_with_evaluator<'a, G: Game>(
        &self,
        info: &GameInfo,
        evaluator: EvaluatorAdapter<'a>,
        batch: usize,
    ) -> Result<Box<dyn Search<G> + 'a>, Error> {
        self.check_external(info)?;
        let spec = self.for_game(false);
        let (mut open, mut hidden) = spec.external_options::<G>(&evaluator);
        let evaluator = AnyEvaluator::new(evaluator);
        let ordering = spec.ordering(info.actions);
        Ok(if info.imperfect_information || self.kind == SearchKind::InformationSets {
            hidden.batch = batch.max(1);
            Box::new(IsMcts::with_ordering(&hidden, evaluator, ordering)?)
        } else {
            open.batch = batch.max(1);
            Box::new(Mcts::with_ordering(&open, evaluator, ordering)?)
        })
    }

    /// Searches many states with an external evaluator; see [`meeple_search::search_many`].
    pub(crate) fn search_many<G: Game>(
        &self,
        states: &[G],
        options: &ManyOptions,
        mut evaluator: EvaluatorAdapter<'_>,
        stop: &StopFlag,
    ) -> Result<Vec<SearchReport>, Error> {
        let Some(first) = states.first() else { return Ok(Vec::new()) };
        let (info, spec) = (first.info(), self.for_game(false));
        spec.check_external(&info)?;
        let (open, hidden) = spec.external_options::<G>(&evaluator);
        let has_policy = Evaluator::<G>::has_policy(&evaluator);
        let new_search = || -> Result<Box<dyn BatchedSearch<G>>, SearchError> {
            let ordering = spec.ordering(info.actions);
            Ok(if G::IMPERFECT_INFORMATION && info.imperfect_information {
                Box::new(BatchedIsMcts::new(&hidden, has_policy, ordering)?)
            } else {
                Box::new(BatchedMcts::new(&open, has_policy, ordering)?)
            })
        };
        let options = ManyOptions { root: spec.root(), ..*options };
        Ok(search_many(states, &options, &new_search, &mut evaluator, stop)?)
    }

    /// Checks that the search supports external evaluators.
    fn check_external(&self, info: &GameInfo) -> Result<(), Error> {
        match self.kind {
            SearchKind::Plain | SearchKind::InformationSets | SearchKind::Puct => Ok(()),
            kind => {
                let reason = "only mcts, mcts-ismcts and puct take values from outside";
                Err(Error::WrongGame { bot: kind.name(), game: info.name, reason })
            }
        }
    }

    /// The options of a search with an external evaluator. One with a policy implies PUCT, even
    /// for bots that use UCT without one.
    fn external_options<G: Game>(
        &self,
        evaluator: &EvaluatorAdapter<'_>,
    ) -> (MctsOptions, IsMctsOptions) {
        let (mut open, mut hidden) = (self.open_options(), self.info_options());
        if Evaluator::<G>::has_policy(evaluator) {
            (open.selection, open.first_play) = self.guided();
            (hidden.selection, hidden.first_play) = self.guided();
        }
        (open, hidden)
    }

    fn make<G: Game>(
        &self,
        info: &GameInfo,
        has_heuristic: bool,
    ) -> Result<DynSearch<G>, SearchError> {
        let rollout = self.evaluator(has_heuristic);
        let evaluator = AnyEvaluator::Rollout(rollout.clone());
        let (open, hidden) = (self.open_options(), self.info_options());
        let ordering = self.ordering(info.actions);
        Ok(match self.kind {
            // The constant lets the compiler leave out searches that no table of the type can use.
            SearchKind::Plain if G::IMPERFECT_INFORMATION && info.imperfect_information => {
                let determinizations = self.determinizations as usize;
                let options =
                    EnsembleOptions { determinizations, search: open, ..Default::default() };
                Box::new(Ensemble::with_ordering(&options, evaluator, ordering)?)
            }
            SearchKind::InformationSets => {
                Box::new(IsMcts::with_ordering(&hidden, evaluator, ordering)?)
            }
            SearchKind::Ordered if G::IMPERFECT_INFORMATION && info.imperfect_information => {
                Box::new(IsMcts::with_ordering(&hidden, evaluator, ordering)?)
            }
            SearchKind::Transposition => {
                let options = GraphOptions { search: open, ..GraphOptions::default() };
                Box::new(GraphMcts::new(&options, rollout, ordering)?)
            }
            SearchKind::Parallel => self.make_parallel(info, &rollout)?,
            SearchKind::AlphaBeta => self.make_alpha_beta()?,
            SearchKind::MaxN | SearchKind::Paranoid | SearchKind::BestReply => self.make_max_n()?,
            SearchKind::Plain | SearchKind::Ordered | SearchKind::Puct => {
                Box::new(Mcts::with_ordering(&open, evaluator, ordering)?)
            }
        })
    }

    fn make_alpha_beta<G: Game>(&self) -> Result<DynSearch<G>, SearchError> {
        // Not compiled for types without a table that it can search. The tables of a type with a
        // rule book are described at run time.
        if const { G::COMPANIONS.rule_book.is_none() && G::IMPERFECT_INFORMATION } {
            return Err(SearchError::NotTwoPlayers { game: G::NAME });
        }
        let options = AlphaBetaOptions {
            hash: self.memory.bytes(),
            threads: self.threads as usize,
            depth: self.depth.unwrap_or(MAX_DEPTH),
            // A softmax needs the score of every action, not bounds.
            lines: if self.temperature > 0.0 { usize::MAX } else { self.lines as usize },
            ..AlphaBetaOptions::default()
        };
        Ok(Box::new(AlphaBeta::new(&options)?))
    }

    fn make_max_n<G: Game>(&self) -> Result<DynSearch<G>, SearchError> {
        // Not compiled for types without a table that it can search.
        if const { G::COMPANIONS.rule_book.is_none() && G::IMPERFECT_INFORMATION } {
            return Err(SearchError::Hidden { game: G::NAME });
        }
        let options = MaxNOptions {
            opponents: self.kind.opponents().unwrap_or_default(),
            depth: self.depth.unwrap_or(MAX_DEPTH),
            hash: self.memory.bytes(),
            exact: self.temperature > 0.0,
            ..MaxNOptions::default()
        };
        Ok(Box::new(MaxN::new(&options)?))
    }

    fn make_parallel<G: Game>(
        &self,
        info: &GameInfo,
        evaluator: &Rollout,
    ) -> Result<DynSearch<G>, SearchError> {
        let (open, hidden) = (self.open_options(), self.info_options());
        let ordering = || self.ordering(info.actions);
        let threads = self.threads as usize;
        Ok(match self.sharing {
            Sharing::Roots => {
                // Each worker has its own ordering: with a shared one, the results would depend
                // on thread timing.
                let worker = |_| -> Result<DynSearch<G>, SearchError> {
                    let evaluator = AnyEvaluator::Rollout(evaluator.clone());
                    Ok(if G::IMPERFECT_INFORMATION && info.imperfect_information {
                        Box::new(IsMcts::with_ordering(&hidden, evaluator, ordering())?)
                    } else {
                        Box::new(Mcts::with_ordering(&open, evaluator, ordering())?)
                    })
                };
                let workers = (0..self.workers).map(worker).collect::<Result<Vec<_>, _>>()?;
                Box::new(RootParallel::new(workers, threads)?)
            }
            Sharing::Tree => Box::new(SharedTree::new(&open, evaluator, ordering(), threads)?),
        })
    }

    fn evaluator(&self, has_heuristic: bool) -> Rollout {
        Rollout::new(match self.eval {
            Eval::Rollout { depth } => depth,
            // A rollout of depth 0 is the heuristic evaluation of the leaf.
            Eval::Heuristic => Some(0),
            Eval::Auto | Eval::Model => has_heuristic.then_some(0),
        })
    }

    /// Returns the move ordering for a table with `actions` action ids.
    fn ordering<G: Game>(&self, actions: usize) -> DynOrdering<G> {
        match self.prior {
            Prior::Even | Prior::Auto => None,
            Prior::Game => Some(Arc::new(Priorities)),
            Prior::OneStep => Some(Arc::new(OneStepLookahead::default())),
            Prior::History => Some(Arc::new(History::new(2.0, actions))),
            Prior::Killers => Some(Arc::new(Killers::new(3.0))),
        }
    }

    /// The selection rule and the first-play urgency.
    fn selection(&self) -> (Selection, FirstPlay) {
        let exploration = self.c.unwrap_or(1.0);
        if self.prior == Prior::Even && self.kind != SearchKind::Puct {
            (Selection::Uct { exploration, bias: 0.0 }, FirstPlay::Infinite)
        } else {
            self.guided()
        }
    }

    /// The selection rule and the first-play urgency with priors.
    fn guided(&self) -> (Selection, FirstPlay) {
        let exploration = self.c.unwrap_or(1.25);
        let selection = Selection::Puct { exploration, base: 19_652.0 };
        (selection, MctsOptions::puct().first_play)
    }

    fn root(&self) -> RootPolicy {
        self.gumbel.map_or(RootPolicy::Same, |considered| {
            let (considered, below) = (considered as usize, self.below);
            RootPolicy::Gumbel(GumbelOptions { considered, below, ..GumbelOptions::default() })
        })
    }

    fn open_options(&self) -> MctsOptions {
        let (selection, first_play) = self.selection();
        let widening = (self.kind == SearchKind::Ordered).then(ProgressiveWidening::default);
        let (root, memory) = (self.root(), self.tree_memory());
        MctsOptions { selection, first_play, root, widening, memory, ..MctsOptions::default() }
    }

    fn info_options(&self) -> IsMctsOptions {
        let (selection, first_play) = self.selection();
        let observer = self.observer.unwrap_or_default();
        IsMctsOptions {
            selection,
            first_play,
            root: self.root(),
            observer,
            simulations_per_determinization: self.sims_per_determinization,
            memory: self.tree_memory(),
            ..Default::default()
        }
    }
}
