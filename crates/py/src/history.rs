//! A state together with the events that led to it, so that it can be written down, made
//! again and taken back.

use meeple_bots::{Position, choices_of, open};
use meeple_game::{Action, ActionList, ChanceStream, Driver, OutcomeList, Player, Rng, Turn};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::convert::{seat, value_error};

/// The version of the text.
const VERSION: u32 = 1;
/// Who plays chance outcomes, in `full_history` and `current_player`.
pub(crate) const CHANCE: i64 = -1;
/// Who decides when the game is over.
pub(crate) const TERMINAL: i64 = -4;

/// Something that happened to a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A seat, or [`CHANCE`], played an action or a chance outcome.
    Action { player: i64, action: u16 },
    /// What a player cannot see was dealt again from a seed.
    Resample { player: Player, seed: u64 },
}

/// An event as it is written: whose action it was follows from those before.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Entry {
    Action(u16),
    Resample { resample: u8, seed: u64 },
}

/// A state as text.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    meeple_state: u32,
    game: String,
    config: Value,
    events: Vec<Entry>,
}

/// A state and how it came about.
#[derive(Clone)]
pub(crate) struct History {
    driver: Driver<Box<dyn Position>>,
    events: Vec<Event>,
}

impl History {
    /// The beginning of a game.
    pub(crate) fn new(first: Box<dyn Position>) -> Self {
        Self { driver: Driver::new(first), events: Vec::new() }
    }

    pub(crate) fn position(&self) -> &dyn Position {
        &**self.driver.state()
    }

    /// The actions and chance outcomes, with who played them.
    pub(crate) fn actions(&self) -> impl Iterator<Item = (i64, u16)> {
        self.events.iter().filter_map(|event| match *event {
            Event::Action { player, action } => Some((player, action)),
            Event::Resample { .. } => None,
        })
    }

    /// The number of decisions that players have made.
    pub(crate) fn decisions(&self) -> usize {
        self.actions().filter(|(player, _)| *player != CHANCE).count()
    }

    /// Who decides: a seat, [`CHANCE`] or [`TERMINAL`].
    pub(crate) fn current_player(&self) -> i64 {
        match self.position().turn() {
            Turn::Player(seat) => i64::from(seat.0),
            Turn::Chance => CHANCE,
            Turn::Over => TERMINAL,
        }
    }

    /// The player given; else the one who decides, or who decided last where nobody
    /// does, or player 0 before any decision.
    pub(crate) fn viewer(&self, player: Option<i64>) -> PyResult<Player> {
        match (player, self.position().turn()) {
            (Some(player), _) => seat(self.position(), player),
            (None, Turn::Player(mover)) => Ok(mover),
            (None, Turn::Chance | Turn::Over) => {
                let players = self.actions().map(|(player, _)| player);
                let last = players.filter(|player| *player != CHANCE).last();
                Ok(Player(last.unwrap_or(0) as u8))
            }
        }
    }

    /// Whether `player`, if one is given, is not the one who decides.
    pub(crate) fn is_other(&self, player: Option<i64>) -> PyResult<bool> {
        match player {
            None => Ok(false),
            Some(CHANCE | TERMINAL) => Ok(player != Some(self.current_player())),
            Some(player) => {
                let player = seat(self.position(), player)?;
                Ok(self.position().turn() != Turn::Player(player))
            }
        }
    }

    /// Plays an action of the player who decides, or a chance outcome at a chance node.
    pub(crate) fn apply(&mut self, number: i64) -> PyResult<()> {
        let player = self.current_player();
        let chosen = u16::try_from(number).map_err(|_| self.refusal(number))?;
        self.driver.try_play(Action(chosen)).map_err(|_| self.refusal(number))?;
        self.events.push(Event::Action { player, action: chosen });
        Ok(())
    }

    fn refusal(&self, number: i64) -> PyErr {
        let choices = choices_of(self.position());
        let names: Vec<String> = choices.iter().map(|choice| choice.0.to_string()).collect();
        let names = names.join(", ");
        PyValueError::new_err(match self.position().turn() {
            Turn::Player(_) => {
                format!("action {number} is not legal here, expected one of {names}")
            }
            Turn::Chance => format!(
                "{number} is no chance outcome here, expected one of {names}: no player decides \
                 at a chance node"
            ),
            Turn::Over => {
                format!("action {number} is not legal here, expected none: the game is over")
            }
        })
    }

    /// Draws chance outcomes and plays them until a player decides or the game is over.
    pub(crate) fn resolve_chance(&mut self, rng: &mut Rng) -> Vec<u16> {
        let mut played = Vec::new();
        while let meeple_game::Event::Chance(outcome) =
            self.driver.next(ChanceStream::Sequential(rng))
        {
            self.events.push(Event::Action { player: CHANCE, action: outcome.0 });
            played.push(outcome.0);
        }
        played
    }

    /// Deals again what `player` cannot see.
    pub(crate) fn resample(&mut self, player: Player, from: u64) {
        self.driver.set_state(self.position().determinize(player, &mut Rng::new(from)));
        self.events.push(Event::Resample { player, seed: from });
    }

    /// Takes back the last event, which must be `action` by `player`: states have no undo
    /// of their own, so all events before it are played again.
    pub(crate) fn undo(&mut self, player: i64, action: i64) -> PyResult<()> {
        let Some((last, before)) = self.events.split_last() else {
            return Err(PyValueError::new_err("there is no action to undo"));
        };
        let expected = match *last {
            Event::Action { player, action } => (player, i64::from(action)),
            Event::Resample { .. } => {
                let message = "the last event dealt cards again, which cannot be undone";
                return Err(PyValueError::new_err(message));
            }
        };
        if (player, action) != expected {
            let message = format!(
                "player {player} did not play {action} last, expected player {}, action {}",
                expected.0, expected.1
            );
            return Err(PyValueError::new_err(message));
        }
        let mut replayed = Self::new(self.position().first());
        for event in before {
            match *event {
                Event::Action { action, .. } => replayed.apply(i64::from(action))?,
                Event::Resample { player, seed } => replayed.resample(player, seed),
            }
        }
        *self = replayed;
        Ok(())
    }

    /// The legal actions; none unless a player decides.
    pub(crate) fn legal(&self) -> ActionList {
        let mut actions = ActionList::new();
        self.position().legal_actions(&mut actions);
        actions
    }

    /// The chance outcomes and their probabilities, which sum to 1 in float64.
    pub(crate) fn chances(&self) -> Vec<(u16, f64)> {
        let mut outcomes = OutcomeList::new();
        self.position().chance_outcomes(&mut outcomes);
        outcomes.iter().map(|o| (o.action.0, o.probability)).collect()
    }

    /// Writes it down.
    pub(crate) fn write(&self) -> PyResult<String> {
        let entry = |event: &Event| match *event {
            Event::Action { action, .. } => Entry::Action(action),
            Event::Resample { player, seed } => Entry::Resample { resample: player.0, seed },
        };
        let written = Written {
            meeple_state: VERSION,
            game: self.position().info().name.into(),
            config: self.position().config(),
            events: self.events.iter().map(entry).collect(),
        };
        serde_json::to_string(&written).map_err(value_error)
    }

    /// Makes it again.
    pub(crate) fn read(text: &str) -> PyResult<Self> {
        let written: Written = serde_json::from_str(text)
            .map_err(|error| value_error(format!("this is no serialized state: {error}")))?;
        if written.meeple_state != VERSION {
            let found = written.meeple_state;
            let message = format!("the state is of version {found}, expected {VERSION}");
            return Err(value_error(message));
        }
        let first = open(&written.game, Some(&written.config.to_string())).map_err(value_error)?;
        let mut history = Self::new(first);
        for (number, entry) in written.events.iter().enumerate() {
            match *entry {
                Entry::Action(action) => history
                    .apply(i64::from(action))
                    .map_err(|error| value_error(format!("event {number}: {error}")))?,
                Entry::Resample { resample, seed: from } => {
                    let player = seat(history.position(), i64::from(resample))?;
                    history.resample(player, from);
                }
            }
        }
        Ok(history)
    }
}

impl PartialEq for History {
    fn eq(&self, other: &Self) -> bool {
        self.events == other.events
            && self.position().info() == other.position().info()
            && self.position().config() == other.position().config()
    }
}
