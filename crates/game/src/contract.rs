//! The contract between a game and everything that plays it.

use std::fmt::{Debug, Display};
use std::ops::RangeInclusive;

use meeple_rng::Rng;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{
    Action, ActionList, Companions, Forced, GameInfo, ObservationSpec, OutcomeList, Payoffs,
    Player, Stakes, Turn,
};

/// One state of one game, with its rules.
///
/// A state is a small plain value. To look ahead, copy it and [`apply`] an action: there is no
/// undo. All randomness enters as chance outcomes, so a configuration and a list of actions
/// replay a game exactly. An unseen deck is the multiset of its cards: its order is drawn card
/// by card, so no search can look into the future.
///
/// One type may be many games: boards of several sizes, or rules that are read from a file.
/// The constants are what the type promises for all its tables; loops that are compiled for
/// the type may rely on them. Whatever has the shape of one table asks a state of it:
/// [`name`](Game::name), [`seats`](Game::seats), [`actions`](Game::actions),
/// [`has_chance`](Game::has_chance),
/// [`has_imperfect_information`](Game::has_imperfect_information) and
/// [`observation`](Game::observation), or all of them at once in [`info`](Game::info). They
/// are the same in every state of a table. A type that is one game leaves all but the last at
/// their defaults, which are the constants.
///
/// [`conform::check`](crate::conform::check) tests every sentence below against a game.
///
/// [`apply`]: Game::apply
pub trait Game: Copy + Eq + Debug + Display + Send + Sync + 'static {
    /// The settings that may differ between tables: seats, decks, rule switches.
    ///
    /// Every value of this type is a valid table: deserialization rejects impossible ones (see
    /// [`Seats`](crate::Seats)).
    type Config: Clone + Default + Debug + Serialize + DeserializeOwned + Send + Sync;

    /// The name of the type in the registry of games, in kebab case.
    const NAME: &'static str;
    /// The numbers of players that some table of the type supports.
    const SEATS: RangeInclusive<usize>;
    /// The largest number of action ids of any table.
    const ACTIONS: usize;
    /// Whether some table has chance nodes.
    const CHANCE: bool;
    /// Whether some table has imperfect information: a player cannot see the whole state.
    const IMPERFECT_INFORMATION: bool;
    /// The optional aids that the game offers to searches beyond its rules; none by default.
    const COMPANIONS: Companions<Self> = Companions::NONE;

    /// Returns the initial state.
    fn new(config: &Self::Config) -> Self;

    /// Returns the number of seats at this table, one of [`seats`](Game::seats).
    fn players(&self) -> usize;

    /// Returns the name of this game in commands and files, in kebab case.
    #[inline]
    fn name(&self) -> &'static str {
        Self::NAME
    }

    /// Returns the numbers of players that this game supports, all of them in
    /// [`SEATS`](Game::SEATS).
    #[inline]
    fn seats(&self) -> RangeInclusive<usize> {
        Self::SEATS
    }

    /// Returns the number of action ids of players at this table, which is the width of a
    /// policy: at most [`ACTIONS`](Game::ACTIONS).
    #[inline]
    fn actions(&self) -> usize {
        Self::ACTIONS
    }

    /// Returns whether this table has chance nodes; never where [`CHANCE`](Game::CHANCE) is
    /// false.
    #[inline]
    fn has_chance(&self) -> bool {
        Self::CHANCE
    }

    /// Returns whether this table has imperfect information: some player cannot see the whole
    /// state. Never where [`IMPERFECT_INFORMATION`](Game::IMPERFECT_INFORMATION) is false.
    #[inline]
    fn has_imperfect_information(&self) -> bool {
        Self::IMPERFECT_INFORMATION
    }

    /// Returns the layout of this table that [`observe`](Game::observe) fills.
    fn observation(&self) -> &'static ObservationSpec;

    /// Returns the static properties of this table, the same in every state.
    ///
    /// Override it to add what the other methods do not say, as `GameInfo { max_decisions:
    /// Some(9), ..GameInfo::of(self) }`.
    fn info(&self) -> GameInfo {
        GameInfo::of(self)
    }

    /// Returns who decides now.
    fn turn(&self) -> Turn;

    /// Replaces `out` by the legal actions, each once, in a fixed order.
    ///
    /// The list is empty exactly when it is no player's turn. The observation of the player to
    /// move determines the legal actions and their meaning: where two states look the same to
    /// that player, so do their legal actions and the names of these.
    fn legal_actions(&self, out: &mut ActionList);

    /// Plays a legal action or a chance outcome.
    ///
    /// # Panics
    ///
    /// May panic, or leave a meaningless state, when `action` is neither. Use
    /// [`try_apply`](Game::try_apply) for actions from outside.
    fn apply(&mut self, action: Action);

    /// Returns the payoff of each seat, between -1 and 1; all 0 before the end. A zero has no
    /// sign: -0.0 would be printed, compared by `total_cmp` and written to files as less than
    /// 0.
    fn payoffs(&self) -> Payoffs;

    /// Returns why a finished game has no result by its rules: it exceeded a bound of the
    /// implementation, and counts as a draw. `None` for all other games.
    ///
    /// Programs that play many games count and report these.
    fn fault(&self) -> Option<&'static str> {
        None
    }

    /// Writes what `player` sees to every cell of `out`, rotated so that the observer is the
    /// first seat.
    ///
    /// Information that is hidden from `player` must not change a cell.
    fn observe(&self, player: Player, out: &mut [i32]);

    /// Returns a hash of everything that matters for the rest of the game: states with the
    /// same key offer the same choices, now and after every action, and end alike.
    fn key(&self) -> u64;

    /// Returns the name of an action or chance outcome in the game's usual notation, unique
    /// among the choices of this state.
    fn action_name(&self, action: Action) -> String;

    /// Returns whether pieces, cards and chips add up; for tests.
    fn is_consistent(&self) -> bool;

    /// Replaces `out` by the chance outcomes, each once, in a fixed order.
    ///
    /// The list is empty exactly when this is not a chance node; otherwise probabilities sum
    /// to 1 within [`ROUNDING`](crate::conform::ROUNDING). Games without
    /// chance nodes need not implement it.
    fn chance_outcomes(&self, out: &mut OutcomeList) {
        out.clear();
    }

    /// Returns a hash of the information state of `player`: the same in states that `player`
    /// cannot distinguish, and different where they see or may do something else. Keys of
    /// different players are not compared with each other.
    ///
    /// Whether it includes what the player knew and did before is
    /// [`GameInfo::perfect_recall`].
    fn info_key(&self, _player: Player) -> u64 {
        self.key()
    }

    /// Returns a determinization: a random state that `player` cannot distinguish from this
    /// one, drawn with the probability of its deal.
    #[must_use]
    fn determinize(&self, _player: Player, _rng: &mut Rng) -> Self {
        *self
    }

    /// Returns whether `player` sees which choice `action` is: false for a card that is dealt,
    /// drawn or put away face down. The player to move always sees their own action.
    fn is_seen(&self, _action: Action, _player: Player) -> bool {
        true
    }

    /// Returns the player whose chance event is next: the one who rolls the dice or draws the
    /// card. `None` where the outcome concerns the whole table.
    fn roller(&self) -> Option<Player> {
        None
    }

    /// Returns the table as `player` sees it. [`Display`] shows all of it.
    fn text(&self, _player: Player) -> String {
        self.to_string()
    }

    /// Returns the choice of this state that is written as `text`, if there is one: the
    /// inverse of [`action_name`](Game::action_name), ignoring case.
    fn parse_action(&self, text: &str) -> Option<Action> {
        let text = text.trim();
        choices(self)
            .into_iter()
            .find(|&choice| self.action_name(choice).eq_ignore_ascii_case(text))
    }

    /// Returns whether this table asks players for decisions with a single legal action.
    fn forced(&self) -> Forced {
        Forced::Ask
    }

    /// Returns what payoffs are worth at this table where they are amounts that players stake,
    /// as in poker; `None` where a game is won, drawn or lost.
    fn stakes(&self) -> Option<Stakes> {
        None
    }

    /// Draws a legal action: `legal_actions()[rng.below(their number)]`.
    ///
    /// `scratch` is overwritten. Override it only to draw the same action faster.
    #[inline]
    fn sample_action(&self, rng: &mut Rng, scratch: &mut ActionList) -> Action {
        self.legal_actions(scratch);
        scratch[rng.below(scratch.len())]
    }

    /// Draws a legal action as [`sample_action`](Self::sample_action) does and plays it.
    ///
    /// `scratch` is overwritten. Override it only to play the same action faster.
    // Inlined so that it is compiled with the playout that calls it, whose target features may
    // exceed the baseline of the build.
    #[inline(always)]
    fn apply_sampled(&mut self, rng: &mut Rng, scratch: &mut ActionList) -> Action {
        let action = self.sample_action(rng, scratch);
        self.apply(action);
        action
    }

    /// Draws a chance outcome by its probability. Override it where listing all outcomes is
    /// slow.
    fn sample_chance(&self, rng: &mut Rng) -> Action {
        let mut outcomes = OutcomeList::new();
        self.chance_outcomes(&mut outcomes);
        let mut left = rng.unit();
        for outcome in outcomes.iter() {
            left -= outcome.probability;
            if left < 0.0 {
                return outcome.action;
            }
        }
        outcomes.last().expect("a chance node has outcomes").action
    }

    /// Plays `action` if it is one of the choices here.
    ///
    /// # Errors
    ///
    /// When it is not; the state is unchanged.
    fn try_apply(&mut self, action: Action) -> Result<(), IllegalAction> {
        let choices = choices(self);
        if choices.contains(&action) {
            self.apply(action);
            Ok(())
        } else {
            Err(IllegalAction { action, choices })
        }
    }
}

/// The error for an action that the state does not offer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("action {} is not legal here, expected {}", action.0, numbers(choices))]
pub struct IllegalAction {
    /// The requested action.
    pub action: Action,
    /// The choices of the state.
    pub choices: Vec<Action>,
}

fn numbers(choices: &[Action]) -> String {
    if choices.is_empty() {
        return "none: the game is over".into();
    }
    let numbers: Vec<String> = choices.iter().map(|choice| choice.0.to_string()).collect();
    format!("one of {}", numbers.join(", "))
}

/// Returns the legal actions at a decision, or the chance outcomes at a chance node.
pub fn choices<G: Game>(game: &G) -> Vec<Action> {
    match game.turn() {
        Turn::Player(_) => {
            let mut actions = ActionList::new();
            game.legal_actions(&mut actions);
            actions.to_vec()
        }
        Turn::Chance => {
            let mut outcomes = OutcomeList::new();
            game.chance_outcomes(&mut outcomes);
            outcomes.iter().map(|outcome| outcome.action).collect()
        }
        Turn::Over => Vec::new(),
    }
}
