//! Games chosen at run time: type-erased states.

mod at;
mod evaluator;
mod open;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::fmt::{Debug, Display};
use std::ops::Range;

use meeple_game::{
    Action, ActionList, GameInfo, IllegalAction, ObservationSpec, OutcomeList, Payoffs, Picture,
    Playable, Player, Rng, RuleLine, Stakes, Turn,
};
use meeple_net::Predictor;
use meeple_search::solve::{ExactSolver, Solution, SolveError};
use meeple_search::{Budget, Control, ManyOptions, SearchError, SearchReport, Selection, StopFlag};
use serde_json::Value;

use crate::{
    Block, BlockObserver, BotError, BotSpec, Error, IdlePrograms, Played, SearchSpec, SeatView,
};

pub(crate) use at::At;
pub(crate) use evaluator::EvaluatorAdapter;
pub use evaluator::{LeafBatch, ObservationEvaluator};
pub(crate) use open::read_value;
pub use open::{ConfigError, OpenError, ValueError, open, open_value, read_config, resolve};

/// A state of a game chosen at run time.
///
/// It is the contract [`Game`](meeple_game::Game) behind a trait object, with everything else
/// that depends on the type of the game: bots, searches and blocks of games. Code that learns the
/// name of a game at run time needs no type parameter, and the searches of all games are compiled
/// once, in this crate. Code in hot loops uses the concrete types.
///
/// ```
/// use meeple_game::{ActionList, Turn};
///
/// let mut position = meeple_bots::open("connect-four", None)?;
/// let centre = position.parse_action("d").expect("a column");
/// position.try_apply(centre)?;
/// assert_eq!(position.turn(), Turn::Player(meeple_game::Player(1)));
/// let mut actions = ActionList::new();
/// position.legal_actions(&mut actions);
/// assert_eq!(actions.len(), 7);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub trait Position: Debug + Display + Send + Sync {
    /// Returns the static description of this table.
    fn info(&self) -> GameInfo;

    /// Returns the configuration of the table, defaults included.
    fn config(&self) -> Value;

    /// The number of seats.
    fn players(&self) -> usize;

    /// Returns whose turn it is.
    fn turn(&self) -> Turn;

    /// Replaces `out` by the legal actions.
    fn legal_actions(&self, out: &mut ActionList);

    /// Replaces `out` by the chance outcomes.
    fn chance_outcomes(&self, out: &mut OutcomeList);

    /// Samples a chance outcome.
    fn sample_chance(&self, rng: &mut Rng) -> Action;

    /// Applies `action` if it is legal or a possible chance outcome here.
    ///
    /// # Errors
    ///
    /// When it is not. The position is unchanged.
    fn try_apply(&mut self, action: Action) -> Result<(), IllegalAction>;

    /// Returns the payoff of each seat; all 0 before the end.
    fn payoffs(&self) -> Payoffs;

    /// Returns why a finished game has no result by its rules; see
    /// [`Game::fault`](meeple_game::Game::fault).
    fn fault(&self) -> Option<&'static str>;

    /// Returns the chip value of payoffs, in games for stakes.
    fn stakes(&self) -> Option<Stakes>;

    /// Returns the heuristic evaluation, if the game has one.
    fn heuristic(&self) -> Option<Payoffs>;

    /// The layout of observations.
    fn observation(&self) -> &'static ObservationSpec;

    /// Writes the observation of `player`.
    fn observe(&self, player: Player, out: &mut [i32]);

    /// A hash of everything that affects the rest of the game.
    fn key(&self) -> u64;

    /// A hash of the information set of `player`.
    fn info_key(&self, player: Player) -> u64;

    /// Returns the table as `player` sees it, as text. [`Display`] shows the full state.
    fn text(&self, player: Player) -> String;

    /// Returns a picture of the table as `player` sees it or, without one, of the full state;
    /// `None` if the table has no pictures.
    fn picture(&self, player: Option<Player>) -> Option<Picture>;

    /// Returns the name of an action or chance outcome of this state.
    fn action_name(&self, action: Action) -> String;

    /// Returns the action or chance outcome with the name `text`, if there is one.
    fn parse_action(&self, text: &str) -> Option<Action>;

    /// Returns the name of `action` as `player` learns it when another player or chance chooses
    /// it; `None` if they do not [see](meeple_game::Game::is_seen) it.
    fn told_name(&self, action: Action, player: Player) -> Option<String>;

    /// Returns the rules as they are written, in games that are described in text; otherwise none.
    fn rules(&self) -> Vec<RuleLine>;

    /// Returns the rule, by its number, that offers a legal action or a chance outcome.
    fn offering_rule(&self, action: Action) -> Option<usize>;

    /// Returns the rule, by its number, by which the game ends once this action or outcome is
    /// played; see [`RuleBook::ends`](meeple_game::RuleBook::ends).
    fn ending_rule(&self, action: Action) -> Option<usize>;

    /// Returns the player who rolls or draws at this chance node, if the rules name one.
    fn roller(&self) -> Option<Player>;

    /// Returns the view of `seat`.
    fn view(&self, seat: Player) -> Box<dyn SeatView + '_>;

    /// Samples a determinization: a random position that `player` cannot distinguish from this
    /// one.
    fn determinize(&self, player: Player, rng: &mut Rng) -> Box<dyn Position>;

    /// Returns the number of sequences of `depth` events; see [`meeple_game::perft`].
    ///
    /// ```
    /// let hex = meeple_bots::open("hex", Some(r#"{"size": 3}"#))?;
    /// assert_eq!(hex.perft(3, &|| false), 9 * 8 * 7);
    /// # Ok::<_, meeple_bots::OpenError>(())
    /// ```
    fn perft(&self, depth: u32, is_stopped: &dyn Fn() -> bool) -> u64;

    /// Returns the exact score of the position, that of every action, and a line of best play.
    ///
    /// ```
    /// use meeple_search::solve::{ExactControl, ExactOptions, ExactSolver};
    ///
    /// let hex = meeple_bots::open("hex", Some(r#"{"size": 3}"#))?;
    /// let mut solver = ExactSolver::new(&ExactOptions::default(), ExactControl::default());
    /// let solution = hex.solve(&mut solver)?;
    /// assert_eq!(solution.score.outcome(), 1);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`ExactSolver::score`].
    fn solve(&self, solver: &mut ExactSolver) -> Result<Solution, SolveError>;

    /// Clones the position.
    fn copy(&self) -> Box<dyn Position>;

    /// Returns the initial position of this table.
    fn first(&self) -> Box<dyn Position>;

    /// Returns the position with other weights of the heuristic evaluation; see
    /// [`set_weights`](meeple_game::set_weights).
    ///
    /// # Errors
    ///
    /// When the evaluation does not have these weights.
    fn reweighed(&self, weights: &[(String, f32)]) -> Result<Box<dyn Position>, Error>;

    /// The state, as a value of the game's own type.
    fn state(&self) -> &dyn Any;

    /// Replaces the state by `state`, a value of the game's own type. Returns `false` if it has
    /// another type.
    fn set_state(&mut self, state: &dyn Any) -> bool;

    /// Builds the bot of `spec`, for any seat of this table.
    ///
    /// # Errors
    ///
    /// When the bot cannot play this game.
    fn bot(&self, spec: &BotSpec) -> Result<Box<dyn SeatBot>, Error>;

    /// As [`bot`](Self::bot), with `network` for bots that play with a network.
    ///
    /// # Errors
    ///
    /// When the bot cannot play this game, or the network is for another one.
    fn bot_with(&self, spec: &BotSpec, network: &Predictor) -> Result<Box<dyn SeatBot>, Error>;

    /// Checks that the bot can play at this table, without starting external programs.
    ///
    /// # Errors
    ///
    /// When the bot needs something that the game does not have.
    fn check_bot(&self, spec: &BotSpec) -> Result<(), Error>;

    /// Runs the search of `spec` for the deciding seat.
    ///
    /// # Errors
    ///
    /// When no player decides here, or the search cannot play this game.
    fn search(
        &self,
        spec: &SearchSpec,
        budget: &Budget,
        seed: u64,
        control: &mut Control<'_>,
    ) -> Result<SearchReport, Error>;

    /// As [`search`](Self::search), with leaf values from `evaluator`, in batches of up to
    /// `batch` states. Only `mcts`, `mcts-ismcts` and `puct` support external evaluators.
    ///
    /// # Errors
    ///
    /// As for [`search`](Self::search), and when `evaluator` returns values that are not finite.
    fn search_with_evaluator(
        &self,
        spec: &SearchSpec,
        budget: &Budget,
        seed: u64,
        control: &mut Control<'_>,
        evaluator: &mut dyn ObservationEvaluator,
        batch: usize,
    ) -> Result<SearchReport, Error>;

    /// Searches many positions of this game, whose leaves fill the batches of one evaluator; see
    /// [`meeple_search::search_many`]. The root policy is that of `spec`.
    ///
    /// # Errors
    ///
    /// As for [`search_with_evaluator`](Self::search_with_evaluator); when a position is of
    /// another game or no player decides there, and when `stop` is set.
    fn search_many(
        &self,
        positions: &[Box<dyn Position>],
        spec: &SearchSpec,
        options: &ManyOptions,
        evaluator: &mut dyn ObservationEvaluator,
        stop: &StopFlag,
    ) -> Result<Vec<SearchReport>, Error>;

    /// Returns the search of this table whose leaves a network evaluates; see
    /// [`meeple_search::batched_search`]. It is a `Box<dyn BatchedSearch<G>>` for the game's own
    /// type, so that crates that know the type need not compile the search again.
    ///
    /// # Errors
    ///
    /// When an option is out of range.
    fn batched_search(
        &self,
        selection: Selection,
        memory: usize,
    ) -> Result<Box<dyn Any>, SearchError>;

    /// Plays a block of games from the initial position, and reports to `observer`. Returns
    /// whether all games finished.
    ///
    /// `idle` holds external programs between the blocks of one thread.
    ///
    /// # Errors
    ///
    /// When a bot cannot play this game, or its search fails.
    fn play_block(
        &self,
        block: &Block<'_, '_>,
        idle: &mut IdlePrograms,
        observer: &mut dyn BlockObserver,
    ) -> Result<bool, Error>;

    /// Returns the mean payoffs of games that continue from here with uniformly random actions.
    fn random_value(&self, games: u32, rng: &mut Rng) -> Payoffs;

    /// Plays games with uniformly random actions from the initial position and passes each to
    /// `take`. Game `i` uses stream `i` of `root`.
    fn play_random(
        &self,
        root: &Rng,
        games: Range<u64>,
        is_stopped: &dyn Fn() -> bool,
        take: &mut dyn FnMut(Played),
    );
}

impl Clone for Box<dyn Position> {
    fn clone(&self) -> Self {
        self.copy()
    }
}

/// A bot for a game chosen at run time: a [`Bot`](crate::Bot) behind a trait object. It only
/// receives what its seat can observe.
pub trait SeatBot: Send {
    /// Returns one of the legal actions of `position`, where `seat` decides.
    ///
    /// # Errors
    ///
    /// When the bot is an external program that fails, and when its search fails.
    ///
    /// # Panics
    ///
    /// When the position is of another game than that of the bot.
    fn choose(
        &mut self,
        position: &dyn Position,
        seat: Player,
        rng: &mut Rng,
    ) -> Result<Action, BotError>;

    /// Called at the start of each game.
    ///
    /// # Errors
    ///
    /// As for [`choose`](Self::choose).
    fn begin(&mut self) -> Result<(), BotError>;

    /// Returns the report of its last search, if the bot searches.
    fn search_report(&self) -> Option<&SearchReport>;

    /// Sets the flag that interrupts the bot; see [`Bot::set_stop`](crate::Bot::set_stop).
    fn set_stop(&mut self, stop: &StopFlag);
}

impl Playable for Box<dyn Position> {
    fn players(&self) -> usize {
        (**self).players()
    }

    fn turn(&self) -> Turn {
        (**self).turn()
    }

    fn sample_chance(&self, rng: &mut Rng) -> Action {
        (**self).sample_chance(rng)
    }

    fn apply(&mut self, action: Action) {
        (**self).try_apply(action).expect("the action is legal");
    }

    fn try_apply(&mut self, action: Action) -> Result<(), IllegalAction> {
        (**self).try_apply(action)
    }

    fn payoffs(&self) -> Payoffs {
        (**self).payoffs()
    }

    fn fault(&self) -> Option<&'static str> {
        (**self).fault()
    }
}

/// Returns the legal actions of a position, or the chance outcomes at a chance node.
#[must_use]
pub fn choices_of(position: &dyn Position) -> Vec<Action> {
    match position.turn() {
        Turn::Player(_) => {
            let mut actions = ActionList::new();
            position.legal_actions(&mut actions);
            actions.to_vec()
        }
        Turn::Chance => {
            let mut outcomes = OutcomeList::new();
            position.chance_outcomes(&mut outcomes);
            outcomes.iter().map(|outcome| outcome.action).collect()
        }
        Turn::Over => Vec::new(),
    }
}
