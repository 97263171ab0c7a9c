//! Games chosen at run time: type-erased states.

mod at;
mod evaluator;
mod open;

use std::any::Any;
use std::fmt::{Debug, Display};
use std::ops::Range;

use meeple_game::{
    Action, ActionList, GameInfo, IllegalAction, ObservationSpec, OutcomeList, Payoffs, Picture,
    Playable, Player, Rng, RuleLine, Stakes, Turn,
};
use meeple_net::Predictor;
use meeple_search::{Budget, Control, ManyOptions, SearchReport, StopFlag};
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn others_are_told_what_they_see() {
        let mut kuhn = open("kuhn", None).unwrap();
        let deal = choices_of(&*kuhn)[0];
        assert_eq!(kuhn.told_name(deal, Player(0)), Some(kuhn.action_name(deal)));
        assert_eq!(kuhn.told_name(deal, Player(1)), None);
        kuhn.try_apply(deal).unwrap();
        kuhn.try_apply(choices_of(&*kuhn)[0]).unwrap();
        let bet = choices_of(&*kuhn)[1];
        assert!(kuhn.told_name(bet, Player(1)).is_some());
    }

    /// The names of actions in random games that some player does not learn, without duplicates.
    fn untold(game: &str, config: Option<&str>, games: u64) -> BTreeSet<String> {
        let (table, mut untold) = (open(game, config).unwrap(), BTreeSet::new());
        for seed in 0..games {
            let (mut position, mut rng) = (table.first(), Rng::new(seed));
            while position.turn() != Turn::Over {
                let action = match position.turn() {
                    Turn::Chance => position.sample_chance(&mut rng),
                    _ => {
                        let choices = choices_of(&*position);
                        choices[rng.below(choices.len())]
                    }
                };
                let by = position.turn();
                for player in Player::all(position.players()) {
                    if position.told_name(action, player).is_none() {
                        assert_ne!(by, Turn::Player(player), "players see what they do");
                        untold.insert(position.action_name(action));
                    }
                }
                position.try_apply(action).unwrap();
            }
        }
        untold
    }

    /// Only secrets of the rules are withheld: cards that are dealt, drawn, put away or searched
    /// for face down.
    #[test]
    fn only_face_down_cards_are_not_told() {
        for open in ["tic-tac-toe", "pig", "backgammon"] {
            assert_eq!(untold(open, None, 3), BTreeSet::new(), "{open}");
        }
        for (game, config, games, first_words) in [
            ("kuhn", None, 50, &["deal"][..]),
            ("leduc", None, 50, &["deal"]),
            ("holdem", Some(r#"{"players": 4}"#), 50, &["deal"]),
            ("stone-age", Some(r#"{"players": 3}"#), 30, &["draw:"]),
            ("magic", None, 10, &["draw", "put", "take", "turn"]),
        ] {
            let untold = untold(game, config, games);
            assert!(!untold.is_empty(), "{game}");
            for name in untold {
                let first = name.split(' ').next().unwrap_or_default();
                assert!(first_words.contains(&first), "{game}: {name} is not told");
            }
        }
    }

    /// Whist hands are dealt face down, and every played card is public.
    #[test]
    fn whist_cards_are_told_when_they_are_played() {
        let table = open("knockout-whist", Some(r#"{"players": 3}"#)).unwrap();
        for seed in 0..20 {
            let (mut position, mut rng) = (table.first(), Rng::new(seed));
            while position.turn() != Turn::Over {
                let choices = choices_of(&*position);
                let action = choices[rng.below(choices.len())];
                let told =
                    Player::all(3).filter(|&seat| position.told_name(action, seat).is_some());
                let trumps = position.action_name(action).ends_with("trumps");
                let dealt = position.turn() == Turn::Chance && !trumps;
                assert_eq!(told.count(), if dealt { 1 } else { 3 });
                position.try_apply(action).unwrap();
            }
        }
    }

    #[test]
    fn nobody_thinks_where_luck_decides() {
        let kuhn = open("kuhn", None).unwrap();
        let Ok(BotSpec::Search(spec)) = "mcts-ismcts:sims=10".parse() else { panic!("a search") };
        let refused = kuhn.search(&spec, &spec.budget(), 1, &mut Control::default());
        assert_eq!(refused.unwrap_err(), Error::NothingToDecide);
    }

    #[test]
    fn there_must_be_such_a_game_and_table() {
        let error = open("shogi", None).unwrap_err().to_string();
        assert!(error.starts_with("unknown game \"shogi\""), "{error}");
        let error = open("pig", Some(r#"{"chairs": 3}"#)).unwrap_err().to_string();
        assert!(error.contains("chairs") && error.ends_with("in the table of pig"), "{error}");
        assert!(open("pig", Some("{} {}")).is_err());
    }
}
