//! Games chosen at run time: a state as a value of one type, with all that can be
//! done with it.

mod at;
mod evaluator;
mod open;

use std::any::Any;
use std::fmt::{Debug, Display};
use std::ops::Range;

use meeple_game::{
    Action, ActionList, GameInfo, IllegalAction, ObservationSpec, OutcomeList, Payoffs, Playable,
    Player, Rng, Stakes, Turn,
};
use meeple_net::Predictor;
use meeple_search::{Budget, Control, SearchReport, StopFlag};
use serde_json::Value;

use crate::{
    Block, BlockObserver, BotError, BotSpec, Error, IdlePrograms, Played, SearchSpec, SeatView,
};

pub(crate) use at::At;
pub(crate) use evaluator::EvaluatorAdapter;
pub use evaluator::{LeafBatch, ObservationEvaluator};
pub(crate) use open::read_value;
pub use open::{ConfigError, OpenError, ValueError, open, open_value, read_config};

/// A state of a game that was chosen at run time.
///
/// It is the contract [`Game`](meeple_game::Game) behind one pointer, together with
/// what else depends on the type of the game: bots, searches and blocks of games. So
/// whoever learns the game's name at run time needs no type parameter, and the
/// searches of all games are compiled once, in this crate. What must be fast works on
/// the types themselves.
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
    /// What is known about this table before it is played.
    fn info(&self) -> GameInfo;

    /// The configuration of the table, with every default filled in.
    fn config(&self) -> Value;

    /// The number of seats.
    fn players(&self) -> usize;

    /// Who decides now.
    fn turn(&self) -> Turn;

    /// Replaces `out` by the legal actions.
    fn legal_actions(&self, out: &mut ActionList);

    /// Replaces `out` by the chance outcomes.
    fn chance_outcomes(&self, out: &mut OutcomeList);

    /// Draws a chance outcome by its probability.
    fn sample_chance(&self, rng: &mut Rng) -> Action;

    /// Plays `action` if it is one of the choices here.
    ///
    /// # Errors
    ///
    /// When it is not; the position is as before.
    fn try_apply(&mut self, action: Action) -> Result<(), IllegalAction>;

    /// The result for each seat; all 0 before the end.
    fn payoffs(&self) -> Payoffs;

    /// Why a game that is over has no result by its rules; see
    /// [`Game::fault`](meeple_game::Game::fault).
    fn fault(&self) -> Option<&'static str>;

    /// What payoffs are worth, in games for stakes.
    fn stakes(&self) -> Option<Stakes>;

    /// The heuristic evaluation, where the game has one.
    fn heuristic(&self) -> Option<Payoffs>;

    /// The layout of observations.
    fn observation(&self) -> &'static ObservationSpec;

    /// Writes what `player` sees.
    fn observe(&self, player: Player, out: &mut [i32]);

    /// A hash of all that matters from here on.
    fn key(&self) -> u64;

    /// A hash of all that `player` knows.
    fn info_key(&self, player: Player) -> u64;

    /// The table as `player` sees it. [`Display`] shows all of it.
    fn text(&self, player: Player) -> String;

    /// A choice of this state as people write it.
    fn action_name(&self, action: Action) -> String;

    /// The choice that people write as `text`, if there is one.
    fn parse_action(&self, text: &str) -> Option<Action>;

    /// What `player` is told when somebody else chooses `action` here: its name, or
    /// nothing where they do not [see](meeple_game::Game::is_seen) which choice it is.
    fn told_name(&self, action: Action, player: Player) -> Option<String>;

    /// The player who rolls or draws at this chance node, where the rules name one.
    fn roller(&self) -> Option<Player>;

    /// What `seat` may know of this position.
    fn view(&self, seat: Player) -> Box<dyn SeatView + '_>;

    /// A random position that `player` cannot tell from this one.
    fn determinize(&self, player: Player, rng: &mut Rng) -> Box<dyn Position>;

    /// The same position once more.
    fn copy(&self) -> Box<dyn Position>;

    /// The first position at this table.
    fn first(&self) -> Box<dyn Position>;

    /// The same position with other weights in its estimate, as
    /// [`set_weights`](meeple_game::set_weights) has it.
    ///
    /// # Errors
    ///
    /// When the estimate has no such weights.
    fn reweighed(&self, weights: &[(String, f32)]) -> Result<Box<dyn Position>, Error>;

    /// The state as a value of the game's own type.
    fn state(&self) -> &dyn Any;

    /// Replaces the state by `state`, a value of the game's own type; whether it is one.
    fn set_state(&mut self, state: &dyn Any) -> bool;

    /// The bot that `spec` describes, for any seat at this table.
    ///
    /// # Errors
    ///
    /// When the bot cannot play this game.
    fn bot(&self, spec: &BotSpec) -> Result<Box<dyn SeatBot>, Error>;

    /// As [`bot`](Self::bot), by `network` if it is a bot that plays by networks.
    ///
    /// # Errors
    ///
    /// When the bot cannot play this game, or the network is not for it.
    fn bot_with(&self, spec: &BotSpec, network: &Predictor) -> Result<Box<dyn SeatBot>, Error>;

    /// Checks that the bot can play at this table; programs are not started.
    ///
    /// # Errors
    ///
    /// When the bot needs something that the game does not have.
    fn check_bot(&self, spec: &BotSpec) -> Result<(), Error>;

    /// Lets the search that `spec` describes think for the seat that decides.
    ///
    /// # Errors
    ///
    /// When nobody is to decide, or the search cannot play this game.
    fn search(
        &self,
        spec: &SearchSpec,
        budget: &Budget,
        seed: u64,
        control: &mut Control<'_>,
    ) -> Result<SearchReport, Error>;

    /// As [`search`](Self::search), with values from `evaluator`, which is asked about up to
    /// `batch` states at a time; about one at a time where cards are hidden. Only the
    /// plain searches, `mcts`, `mcts-ismcts` and `puct`, can ask somebody else.
    ///
    /// # Errors
    ///
    /// As for [`search`](Self::search), and when `evaluator` returns nonsense.
    fn search_with_evaluator(
        &self,
        spec: &SearchSpec,
        budget: &Budget,
        seed: u64,
        control: &mut Control<'_>,
        evaluator: &mut dyn ObservationEvaluator,
        batch: usize,
    ) -> Result<SearchReport, Error>;

    /// Plays the games of a block at this table, from the first position, and tells
    /// `observer`. Returns whether all were played to their end.
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

    /// Plays random games at this table, from the first position, each from the stream of
    /// `root` with its number, and hands each to `take`.
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

/// A bot at a table of a game that was chosen at run time: a
/// [`Bot`](crate::Bot) behind one pointer. Like that, it is shown what its seat may
/// see and no more.
pub trait SeatBot: Send {
    /// One of the legal actions of `position`, at which `seat` decides.
    ///
    /// # Errors
    ///
    /// When the bot is another program that failed, and when its search fails.
    ///
    /// # Panics
    ///
    /// When the position is of another game than the one the bot was made for.
    fn choose(
        &mut self,
        position: &dyn Position,
        seat: Player,
        rng: &mut Rng,
    ) -> Result<Action, BotError>;

    /// A new game begins.
    ///
    /// # Errors
    ///
    /// As for [`choose`](Self::choose).
    fn begin(&mut self) -> Result<(), BotError>;

    /// What it found out for its last decision, if it searched.
    fn search_report(&self) -> Option<&SearchReport>;

    /// Takes the switch that interrupts it, as [`Bot::set_stop`](crate::Bot::set_stop)
    /// has it.
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

/// The legal actions or chance outcomes of a position, whichever decides.
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

    /// The names that other players are not told in random games, without repetition.
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

    /// Only what the rules keep secret is not told: cards dealt, drawn, put away or
    /// looked for face down.
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

    /// A whist hand is dealt face down, and every card that is played is seen.
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
        let error = open("go", None).unwrap_err().to_string();
        assert!(error.starts_with("unknown game \"go\""), "{error}");
        let error = open("pig", Some(r#"{"chairs": 3}"#)).unwrap_err().to_string();
        assert!(error.contains("chairs") && error.ends_with("in the table of pig"), "{error}");
        assert!(open("pig", Some("{} {}")).is_err());
    }
}
