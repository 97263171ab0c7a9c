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
/// A state is a small plain value. To look ahead, copy it and [`apply`] an
/// action: there is no undo. All luck enters as chance outcomes, so a game is
/// replayed exactly by its configuration and its list of actions; a deck is
/// the multiset of its cards until one is seen, so no search can see the
/// future.
///
/// [`conform::check`](crate::conform::check) tests every sentence below against
/// a game.
///
/// [`apply`]: Game::apply
pub trait Game: Copy + Eq + Debug + Display + Send + Sync + 'static {
    /// What may differ between tables: seats, decks, rule switches.
    ///
    /// A value of this type is a table that exists: impossible ones are
    /// refused while a configuration is read (see [`Seats`](crate::Seats)).
    type Config: Clone + Default + Debug + Serialize + DeserializeOwned + Send + Sync;

    /// The name used in commands and files, in kebab case.
    const NAME: &'static str;
    /// How many may play.
    const SEATS: RangeInclusive<usize>;
    /// The number of action ids of players, so the width of a policy.
    const ACTIONS: usize;
    /// Whether luck ever decides.
    const CHANCE: bool;
    /// Whether a player can be unsure of the state.
    const IMPERFECT_INFORMATION: bool;
    /// What the game offers to searches beyond its rules: nothing unless given.
    const COMPANIONS: Companions<Self> = Companions::NONE;

    /// The first state of a game.
    fn new(config: &Self::Config) -> Self;

    /// The number of seats at this table, one of [`SEATS`](Game::SEATS).
    fn players(&self) -> usize;

    /// What is known about this table before it is played, the same in every state.
    ///
    /// Override it to add what the constants do not say, as
    /// `GameInfo { max_decisions: Some(9), ..GameInfo::of(self) }`.
    fn info(&self) -> GameInfo {
        GameInfo::of(self)
    }

    /// Who decides now.
    fn turn(&self) -> Turn;

    /// Replaces `out` by the legal actions, each once, in a fixed order.
    ///
    /// Empty exactly when no player is to decide. The player who decides can
    /// tell the menu from the observation, with what each action means: where
    /// two states look the same to them, so do the menus and their names.
    fn legal_actions(&self, out: &mut ActionList);

    /// Plays a legal action or a chance outcome.
    ///
    /// # Panics
    ///
    /// May panic, or leave a senseless state, when `action` is neither: where
    /// actions come from outside, use [`try_apply`](Game::try_apply).
    fn apply(&mut self, action: Action);

    /// The result for each seat, within -1 and 1; all 0 before the end. A zero has no
    /// sign: -0.0 would be printed, compared by `total_cmp` and written to files as less
    /// than 0.
    fn payoffs(&self) -> Payoffs;

    /// Why a game that is over has no result by its rules: it met a bound of the
    /// implementation, and counts as a draw. Nothing for all other games.
    ///
    /// What plays many games counts and reports these.
    fn fault(&self) -> Option<&'static str> {
        None
    }

    /// The layout that [`observe`](Game::observe) fills.
    fn observation() -> &'static ObservationSpec;

    /// Writes what `player` sees to every cell of `out`, rotated so that the
    /// observer is the first seat.
    ///
    /// Nothing hidden from `player` may change a cell.
    fn observe(&self, player: Player, out: &mut [i32]);

    /// A hash of all that matters from here on: states with one key offer the
    /// same choices, now and after every action, and end alike.
    fn key(&self) -> u64;

    /// An action or chance outcome of this state as people write it, unlike
    /// any other of this state.
    fn action_name(&self, action: Action) -> String;

    /// Whether pieces, cards and chips add up; for tests.
    fn is_consistent(&self) -> bool;

    /// Replaces `out` by the chance outcomes, each once, in a fixed order.
    ///
    /// Empty exactly when luck does not decide; otherwise probabilities sum to 1
    /// within [`ROUNDING`](crate::conform::ROUNDING). Games without
    /// [`CHANCE`](Game::CHANCE) need not write it.
    fn chance_outcomes(&self, out: &mut OutcomeList) {
        out.clear();
    }

    /// A hash of the information state of `player`: the same in states that `player` cannot
    /// tell apart, and different where they see or may do something else. Keys of different
    /// players are not compared with each other.
    ///
    /// Whether it includes what the player knew and did before is
    /// [`GameInfo::perfect_recall`].
    fn info_key(&self, _player: Player) -> u64 {
        self.key()
    }

    /// A random state that `player` cannot tell from this one, each as likely
    /// as the deal makes it.
    #[must_use]
    fn determinize(&self, _player: Player, _rng: &mut Rng) -> Self {
        *self
    }

    /// Whether `player` sees which choice is made when `action` is: false for a card
    /// that is dealt, drawn or put away face down. Whoever decides sees what they do.
    fn is_seen(&self, _action: Action, _player: Player) -> bool {
        true
    }

    /// The player for whom chance decides now: who rolls the dice, who draws the card.
    /// Nobody where the outcome concerns the whole table.
    fn roller(&self) -> Option<Player> {
        None
    }

    /// The table as `player` sees it. [`Display`] shows all of it.
    fn text(&self, _player: Player) -> String {
        self.to_string()
    }

    /// The choice of this state that people write as `text`, if there is one:
    /// the inverse of [`action_name`](Game::action_name), upper and lower case
    /// alike.
    fn parse_action(&self, text: &str) -> Option<Action> {
        let text = text.trim();
        choices(self)
            .into_iter()
            .find(|&choice| self.action_name(choice).eq_ignore_ascii_case(text))
    }

    /// Whether this table asks questions that have one answer.
    fn forced(&self) -> Forced {
        Forced::Ask
    }

    /// What payoffs are worth at this table, where they are amounts that players stake,
    /// as in poker; nothing where a game is won, drawn or lost.
    fn stakes(&self) -> Option<Stakes> {
        None
    }

    /// Draws a legal action: `legal_actions()[rng.below(their number)]`.
    ///
    /// `scratch` is overwritten. Override it only to find that same action
    /// faster.
    #[inline]
    fn sample_action(&self, rng: &mut Rng, scratch: &mut ActionList) -> Action {
        self.legal_actions(scratch);
        scratch[rng.below(scratch.len())]
    }

    /// Draws a legal action as [`sample_action`](Self::sample_action) does and
    /// plays it.
    ///
    /// `scratch` is overwritten. Override it only to do just that faster.
    // Inlined so that it is compiled with the playout that calls it, which may
    // use instructions that not every machine has.
    #[inline(always)]
    fn apply_sampled(&mut self, rng: &mut Rng, scratch: &mut ActionList) -> Action {
        let action = self.sample_action(rng, scratch);
        self.apply(action);
        action
    }

    /// Draws a chance outcome by its probability. Override it where listing
    /// them all is slow.
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
        outcomes.last().expect("luck is to decide").action
    }

    /// Plays `action` if it is one of the choices here.
    ///
    /// # Errors
    ///
    /// When it is not; the state is as before.
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

/// An action that the state does not offer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("action {} is not legal here, expected {}", action.0, numbers(choices))]
pub struct IllegalAction {
    /// What was asked for.
    pub action: Action,
    /// What the state offers.
    pub choices: Vec<Action>,
}

fn numbers(choices: &[Action]) -> String {
    if choices.is_empty() {
        return "none: the game is over".into();
    }
    let numbers: Vec<String> = choices.iter().map(|choice| choice.0.to_string()).collect();
    format!("one of {}", numbers.join(", "))
}

/// The legal actions or chance outcomes of a state, whichever decides.
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
