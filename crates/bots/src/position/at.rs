//! [`Position`] for every game.

use std::any::Any;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use meeple_game::{
    Action, ActionList, Game, GameInfo, IllegalAction, ObservationSpec, OutcomeList, Payoffs,
    Picture, Player, Rng, RuleLine, Stakes, Turn, View, adopt_weights, heuristic, play_out,
    set_weights,
};
use meeple_net::Predictor;
use meeple_search::solve::{ExactSolver, Solution, SolveError};
use meeple_search::{Budget, Control, ManyOptions, SearchError, SearchReport, Selection, StopFlag};
use serde_json::Value;

use super::{EvaluatorAdapter, ObservationEvaluator, Position, SeatBot};
use crate::bots::seat_view;
use crate::play::{play_block, play_random};
use crate::{
    Block, BlockObserver, Bot, BotError, BotSpec, Error, IdlePrograms, Played, SearchSpec, SeatView,
};

/// A state, and the configuration of its table.
#[derive(Clone, Debug)]
pub(crate) struct At<G: Game> {
    pub(crate) state: G,
    pub(crate) config: Arc<G::Config>,
}

impl<G: Game> At<G> {
    fn boxed(&self, state: G) -> Box<dyn Position> {
        Box::new(Self { state, config: Arc::clone(&self.config) })
    }
}

impl<G: Game> fmt::Display for At<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.state, f)
    }
}

impl<G: Game> Position for At<G> {
    fn info(&self) -> GameInfo {
        self.state.info()
    }

    fn config(&self) -> Value {
        serde_json::to_value(&*self.config).expect("configurations are plain data")
    }

    fn players(&self) -> usize {
        self.state.players()
    }

    fn turn(&self) -> Turn {
        self.state.turn()
    }

    fn legal_actions(&self, out: &mut ActionList) {
        self.state.legal_actions(out);
    }

    fn chance_outcomes(&self, out: &mut OutcomeList) {
        self.state.chance_outcomes(out);
    }

    fn sample_chance(&self, rng: &mut Rng) -> Action {
        self.state.sample_chance(rng)
    }

    fn try_apply(&mut self, action: Action) -> Result<(), IllegalAction> {
        self.state.try_apply(action)
    }

    fn payoffs(&self) -> Payoffs {
        self.state.payoffs()
    }

    fn fault(&self) -> Option<&'static str> {
        self.state.fault()
    }

    fn stakes(&self) -> Option<Stakes> {
        self.state.stakes()
    }

    fn heuristic(&self) -> Option<Payoffs> {
        heuristic(&self.state)
    }

    fn observation(&self) -> &'static ObservationSpec {
        self.state.observation()
    }

    fn observe(&self, player: Player, out: &mut [i32]) {
        self.state.observe(player, out);
    }

    fn key(&self) -> u64 {
        self.state.key()
    }

    fn info_key(&self, player: Player) -> u64 {
        self.state.info_key(player)
    }

    fn text(&self, player: Player) -> String {
        self.state.text(player)
    }

    fn picture(&self, player: Option<Player>) -> Option<Picture> {
        G::COMPANIONS.picture.and_then(|picture| picture(&self.state, player))
    }

    fn action_name(&self, action: Action) -> String {
        self.state.action_name(action)
    }

    fn parse_action(&self, text: &str) -> Option<Action> {
        self.state.parse_action(text)
    }

    fn told_name(&self, action: Action, player: Player) -> Option<String> {
        self.state.is_seen(action, player).then(|| self.state.action_name(action))
    }

    fn rules(&self) -> Vec<RuleLine> {
        G::COMPANIONS.rule_book.map_or_else(Vec::new, |book| (book.rules)(&self.state))
    }

    fn offering_rule(&self, action: Action) -> Option<usize> {
        (G::COMPANIONS.rule_book?.offers)(&self.state, action)
    }

    fn ending_rule(&self, action: Action) -> Option<usize> {
        (G::COMPANIONS.rule_book?.ends)(&self.state, action)
    }

    fn roller(&self) -> Option<Player> {
        self.state.roller()
    }

    fn view(&self, seat: Player) -> Box<dyn SeatView + '_> {
        Box::new(seat_view(View::new(&self.state, seat), &self.config))
    }

    fn determinize(&self, player: Player, rng: &mut Rng) -> Box<dyn Position> {
        self.boxed(View::new(&self.state, player).sample(rng))
    }

    fn perft(&self, depth: u32, is_stopped: &dyn Fn() -> bool) -> u64 {
        meeple_game::perft(&self.state, depth, is_stopped)
    }

    fn solve(&self, solver: &mut ExactSolver) -> Result<Solution, SolveError> {
        // Built-in games that are never solved need no solver compiled for them; a type with a rule
        // book, such as games in files, is many games.
        if const { G::COMPANIONS.rule_book.is_none() && (G::CHANCE || G::IMPERFECT_INFORMATION) } {
            return Err(SolveError::NotPerfect { game: self.info().name });
        }
        solver.solve(&self.state)
    }

    fn copy(&self) -> Box<dyn Position> {
        self.boxed(self.state)
    }

    fn first(&self) -> Box<dyn Position> {
        self.boxed(G::new(&self.config))
    }

    fn reweighed(&self, weights: &[(String, f32)]) -> Result<Box<dyn Position>, Error> {
        let config = set_weights::<G>(&self.config, weights);
        let config = config.map_err(|reason| Error::Table { reason })?;
        let mut state = self.state;
        adopt_weights(&mut state, &G::new(&config));
        Ok(Box::new(Self { state, config: Arc::new(config) }))
    }

    fn state(&self) -> &dyn Any {
        &self.state
    }

    fn set_state(&mut self, state: &dyn Any) -> bool {
        let state = state.downcast_ref::<G>();
        if let Some(state) = state {
            self.state = *state;
        }
        state.is_some()
    }

    fn bot(&self, spec: &BotSpec) -> Result<Box<dyn SeatBot>, Error> {
        Ok(Box::new(Seated(spec.build::<G>(&self.config)?)))
    }

    fn bot_with(&self, spec: &BotSpec, network: &Predictor) -> Result<Box<dyn SeatBot>, Error> {
        Ok(Box::new(Seated(spec.build_with::<G>(&self.config, network)?)))
    }

    fn check_bot(&self, spec: &BotSpec) -> Result<(), Error> {
        spec.check::<G>(&self.config)
    }

    fn search(
        &self,
        spec: &SearchSpec,
        budget: &Budget,
        seed: u64,
        control: &mut Control<'_>,
    ) -> Result<SearchReport, Error> {
        let Turn::Player(seat) = self.state.turn() else {
            return Err(Error::NothingToDecide);
        };
        let mut search = spec.search::<G>(&self.config)?;
        let view = View::new(&self.state, seat);
        search.search_with(&view, budget, seed, control).map_err(|error: SearchError| error.into())
    }

    fn search_with_evaluator(
        &self,
        spec: &SearchSpec,
        budget: &Budget,
        seed: u64,
        control: &mut Control<'_>,
        evaluator: &mut dyn ObservationEvaluator,
        batch: usize,
    ) -> Result<SearchReport, Error> {
        let Turn::Player(seat) = self.state.turn() else {
            return Err(Error::NothingToDecide);
        };
        let view = View::new(&self.state, seat);
        let mut search =
            spec.search_with_evaluator::<G>(&self.info(), EvaluatorAdapter::new(evaluator), batch)?;
        search.search_with(&view, budget, seed, control).map_err(|error: SearchError| error.into())
    }

    fn search_many(
        &self,
        positions: &[Box<dyn Position>],
        spec: &SearchSpec,
        options: &ManyOptions,
        evaluator: &mut dyn ObservationEvaluator,
        stop: &StopFlag,
    ) -> Result<Vec<SearchReport>, Error> {
        let info = self.info();
        let mut states = Vec::with_capacity(positions.len());
        for (index, position) in positions.iter().enumerate() {
            match position.state().downcast_ref::<G>() {
                Some(state) if position.info() == info => states.push(*state),
                _ => return Err(Error::OtherTable { index, expected: info.name }),
            }
        }
        spec.search_many(&states, options, EvaluatorAdapter::new(evaluator), stop)
    }

    fn batched_search(
        &self,
        selection: Selection,
        memory: usize,
    ) -> Result<Box<dyn Any>, SearchError> {
        Ok(Box::new(meeple_search::batched_search(&self.state, selection, memory)?))
    }

    fn play_block(
        &self,
        block: &Block<'_, '_>,
        idle: &mut IdlePrograms,
        observer: &mut dyn BlockObserver,
    ) -> Result<bool, Error> {
        play_block::<G>(&self.config, block, idle, observer)
    }

    fn random_value(&self, games: u32, rng: &mut Rng) -> Payoffs {
        let (mut sum, mut scratch) = (Payoffs::default(), ActionList::new());
        for _ in 0..games {
            let mut state = self.state;
            play_out(&mut state, rng, &mut scratch);
            for (sum, payoff) in sum.iter_mut().zip(state.payoffs()) {
                *sum += payoff / games as f32;
            }
        }
        sum
    }

    fn play_random(
        &self,
        root: &Rng,
        games: Range<u64>,
        is_stopped: &dyn Fn() -> bool,
        take: &mut dyn FnMut(Played),
    ) {
        play_random::<G>(&self.config, root, games, is_stopped, take);
    }
}

/// Adapts a bot of `G` to [`SeatBot`].
struct Seated<G>(Box<dyn Bot<G>>);

impl<G: Game> SeatBot for Seated<G> {
    fn choose(
        &mut self,
        position: &dyn Position,
        seat: Player,
        rng: &mut Rng,
    ) -> Result<Action, BotError> {
        let state = position.state().downcast_ref::<G>();
        let state = state.expect("a bot is asked about the game it was made for");
        self.0.choose(&View::new(state, seat), rng)
    }

    fn begin(&mut self) -> Result<(), BotError> {
        self.0.begin()
    }

    fn search_report(&self) -> Option<&SearchReport> {
        self.0.search_report()
    }

    fn set_stop(&mut self, stop: &StopFlag) {
        self.0.set_stop(stop);
    }
}
