//! Nim, and a bot that plays it perfectly.
//!
//! Several heaps of counters. A move takes any number of counters, at least one, from one
//! heap. Who takes the last counter wins.

use std::fmt;
use std::ops::RangeInclusive;

use meeple_bots::{BotError, Position, RegisteredBot, SeatView};
use meeple_game::{
    Action, ActionList, Field, Game, MAX_PLAYERS, ObservationSpec, Payoffs, Player, Rng, Turn, mix,
};
use serde::{Deserialize, Serialize};

/// The most heaps.
const HEAPS: usize = 6;
/// The most counters in a heap.
const COUNTERS: usize = 15;

/// A state of Nim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nim {
    heaps: [u8; HEAPS],
    mover: Player,
}

/// The heaps that a game begins with: a value of this type is a table that exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Config {
    heaps: [u8; HEAPS],
}

/// A configuration as it is written: `{"heaps": [3, 4, 5]}`.
#[derive(Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Written {
    heaps: Vec<u8>,
}

impl Default for Config {
    fn default() -> Self {
        Self { heaps: [3, 4, 5, 0, 0, 0] }
    }
}

impl TryFrom<Written> for Config {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let given = &written.heaps;
        let fits = given.len() <= HEAPS && given.iter().all(|&heap| usize::from(heap) <= COUNTERS);
        if !fits || given.iter().all(|&heap| heap == 0) {
            let expected = format!("1 to {HEAPS} heaps of up to {COUNTERS} counters, not all empty");
            return Err(format!("heaps: expected {expected}, got {given:?}"));
        }
        let mut heaps = [0; HEAPS];
        heaps[..given.len()].copy_from_slice(given);
        Ok(Self { heaps })
    }
}

impl Default for Written {
    fn default() -> Self {
        Config::default().into()
    }
}

impl From<Config> for Written {
    fn from(config: Config) -> Self {
        Self { heaps: config.heaps.to_vec() }
    }
}

static OBSERVATION: ObservationSpec =
    ObservationSpec::new(1, &[Field::count("heap", COUNTERS as i32).times(HEAPS)]);

impl Game for Nim {
    type Config = Config;
    const NAME: &'static str = "nim";
    const SEATS: RangeInclusive<usize> = 2..=2;
    /// An action is a heap and a number of counters.
    const ACTIONS: usize = HEAPS * COUNTERS;
    const CHANCE: bool = false;
    const IMPERFECT_INFORMATION: bool = false;

    fn new(config: &Config) -> Self {
        Self { heaps: config.heaps, mover: Player(0) }
    }

    fn players(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        if self.heaps == [0; HEAPS] { Turn::Over } else { Turn::Player(self.mover) }
    }

    fn legal_actions(&self, out: &mut ActionList) {
        out.clear();
        for (heap, &counters) in self.heaps.iter().enumerate() {
            out.extend((1..=counters).map(|taken| action(heap, taken)));
        }
    }

    fn apply(&mut self, action: Action) {
        let (heap, taken) = (action.index() / COUNTERS, action.index() % COUNTERS + 1);
        self.heaps[heap] -= taken as u8;
        self.mover = self.mover.after(1, 2);
    }

    fn payoffs(&self) -> Payoffs {
        let mut payoffs = [0.0; MAX_PLAYERS];
        if self.turn() == Turn::Over {
            // The mover finds nothing left: the other player took the last counter.
            payoffs[self.mover.index()] = -1.0;
            payoffs[self.mover.after(1, 2).index()] = 1.0;
        }
        payoffs
    }

    fn observation(&self) -> &'static ObservationSpec {
        &OBSERVATION
    }

    fn observe(&self, _player: Player, out: &mut [i32]) {
        for (cell, &heap) in out.iter_mut().zip(&self.heaps) {
            *cell = heap.into();
        }
    }

    fn key(&self) -> u64 {
        let heaps = self.heaps.iter().fold(0, |key, &heap| key << 4 | u64::from(heap));
        mix(heaps << 1 | u64::from(self.mover.0))
    }

    fn action_name(&self, action: Action) -> String {
        let heap = char::from(b'a' + (action.index() / COUNTERS) as u8);
        format!("{heap}{}", action.index() % COUNTERS + 1)
    }

    fn is_consistent(&self) -> bool {
        self.heaps.iter().all(|&heap| usize::from(heap) <= COUNTERS)
    }
}

fn action(heap: usize, taken: u8) -> Action {
    Action((heap * COUNTERS + usize::from(taken) - 1) as u16)
}

impl fmt::Display for Nim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, &heap) in ('a'..).zip(&self.heaps) {
            writeln!(f, "{name} {}", "o".repeat(heap.into()))?;
        }
        Ok(())
    }
}

/// Leaves heaps whose binary digits all come in pairs, where it can: the winning strategy
/// of Bouton (1901), "Nim, a game with a complete mathematical theory".
pub struct Bouton;

impl RegisteredBot for Bouton {
    fn choose(&mut self, view: &dyn SeatView, rng: &mut Rng) -> Result<Action, BotError> {
        let mut heaps = vec![0; view.observation().len()];
        view.observe(&mut heaps);
        let sum = heaps.iter().fold(0, |sum, heap| sum ^ heap);
        let winning = heaps.iter().position(|heap| heap ^ sum < *heap);
        if let Some(heap) = winning {
            return Ok(action(heap, (heaps[heap] - (heaps[heap] ^ sum)) as u8));
        }
        let mut actions = ActionList::new();
        view.legal_actions(&mut actions);
        Ok(actions[rng.below(actions.len())])
    }
}

/// Makes the bot for a table, which must be one of Nim.
///
/// # Errors
///
/// When the game is another one, or options are given: there are none.
pub fn bouton(
    position: &dyn Position,
    options: &[(String, String)],
) -> Result<Box<dyn RegisteredBot>, String> {
    if position.info().name != Nim::NAME {
        return Err("it plays nim alone".into());
    }
    match options.first() {
        Some((option, _)) => Err(format!("there is no option {option:?}, expected none")),
        None => Ok(Box::new(Bouton)),
    }
}

/// Adds the game and the bot to all that Meeple can do.
///
/// # Panics
///
/// When a game or bot of the same name is there already.
pub fn register() {
    meeple_cli::register::<Nim>().expect("no other game is called nim");
    meeple_vector::register::<Nim>().expect("no other game is called nim");
    meeple_bots::register_bot("bouton", bouton).expect("no other bot is called bouton");
}
