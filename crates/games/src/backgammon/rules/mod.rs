//! Backgammon without the cube, described as rules: a twin of the hand-written game with
//! an independent move generator.

mod describe;
mod table;

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use meeple_game::{Action, ObservationSpec, Player, mix};
use meeple_plan::Plan;
use serde::{Deserialize, Serialize};

use super::board::BAR;
use super::{MOVES, ROLLS, action_of, move_of, notation, roll_of};
use crate::described::{Described, DescribedGame, Engine, observation_of};
pub use describe::{BackgammonFacts, BackgammonRules, Event};
pub use table::CubelessState;

/// The rule-described game of backgammon.
pub type DescribedBackgammon = DescribedGame<BackgammonRules>;

/// The configuration: the starting position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Start {
    /// A starting position with seat 0 to roll, instead of the opening roll.
    pub position: Option<super::PositionId>,
}

static OBSERVATION: LazyLock<ObservationSpec> =
    LazyLock::new(|| observation_of(describe::plan(), 1));

impl Described for BackgammonRules {
    type Config = Start;

    const NAME: &'static str = "backgammon-rules";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const ACTIONS: usize = MOVES as usize;
    const CHANCE: bool = true;

    fn plan() -> &'static Plan<Self> {
        describe::plan()
    }

    fn engine() -> &'static Engine<Self> {
        static ENGINE: Engine<BackgammonRules> = Engine::NEW;
        &ENGINE
    }

    fn observation() -> &'static ObservationSpec {
        &OBSERVATION
    }

    fn start(start: &Start) -> CubelessState {
        CubelessState::new(start.position)
    }

    fn mover(table: &CubelessState) -> Player {
        Player(table.mover)
    }

    #[inline]
    fn action_of(_: &CubelessState, event: &Event) -> Action {
        match *event {
            Event::Play { from, die } => action_of(BAR - usize::from(from), die),
            Event::Roll { high, low } => Action(describe::roll_number(high, low, 0)),
            Event::Begin { seat, high, low } => Action(describe::roll_number(high, low, seat)),
        }
    }

    #[inline]
    fn event_of(table: &CubelessState, action: Action) -> Event {
        let (high, low) = roll_of(action.0 % ROLLS);
        if table.is_before_opening() {
            Event::Begin { seat: (action.0 / ROLLS) as u8, high, low }
        } else if table.is_rolling() {
            Event::Roll { high, low }
        } else {
            let (point, die) = move_of(action);
            Event::Play { from: (BAR - point) as u8, die }
        }
    }

    fn name_of(table: &CubelessState, event: &Event) -> String {
        match *event {
            Event::Begin { seat, high, low } => format!("seat {seat} begins with {high}-{low}"),
            Event::Roll { high, low } => format!("{high}-{low}"),
            Event::Play { from, die } => {
                let (side, point) = (usize::from(table.mover), BAR - usize::from(from));
                notation::move_name(&table.board(), side, point, die)
            }
        }
    }

    /// Accepts moves without the star of a hit.
    fn parse(table: &CubelessState, text: &str) -> Option<Event> {
        let mut events = (0..MOVES).map(|id| Self::event_of(table, Action(id)));
        events.find(|event| Self::name_of(table, event).trim_end_matches('*') == text)
    }

    fn key(table: &CubelessState) -> u64 {
        table.words().into_iter().fold(0, |key, word| mix(key ^ word))
    }

    fn draw(table: &CubelessState, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        notation::draw(&table.board(), 0, f)?;
        let mover = Player(table.mover);
        if table.is_before_opening() {
            write!(f, "the opening throw")
        } else if table.is_won() {
            write!(f, "{mover} wins {} point(s)", table.size())
        } else if table.is_rolling() {
            write!(f, "{mover} to roll")
        } else {
            let dice = table.values().flat_map(|die| (0..table.left(die)).map(move |_| die));
            let dice: Vec<String> = dice.map(|die| die.to_string()).collect();
            write!(f, "{mover} to play {}", dice.join("-"))
        }
    }

    fn is_consistent(table: &CubelessState) -> bool {
        table.is_consistent()
    }
}
