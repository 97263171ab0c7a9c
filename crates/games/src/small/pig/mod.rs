//! Pig: a jeopardy dice game for two to six players (roll for points or hold).
#![doc = include_str!("README.md")]

use std::fmt;
use std::ops::RangeInclusive;

use meeple_game::{
    Action, ActionList, Field, Game, GameInfo, MAX_PLAYERS, ObservationSpec, Outcome, OutcomeList,
    Payoffs, Player, Rng, Seats, Turn, mix,
};
use serde::{Deserialize, Serialize};

const HOLD: Action = Action(0);
const ROLL: Action = Action(1);
const HIGHEST_GOAL: u8 = 200;

static OBSERVATION: ObservationSpec = ObservationSpec::new(
    1,
    &[
        Field::count("scores", HIGHEST_GOAL as i32).scale(100).times(MAX_PLAYERS),
        Field::count("pot", HIGHEST_GOAL as i32).scale(20),
        Field::count("goal", HIGHEST_GOAL as i32).scale(100),
        Field::category("mover", MAX_PLAYERS as i32),
        Field::count("players", MAX_PLAYERS as i32),
    ],
);

/// The configuration: the number of players and the winning score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Two to six.
    pub players: Seats<2, 6>,
    /// The winning score; 100 by default.
    pub goal: Goal,
}

/// The winning score of a game of Pig, from 10 to 200.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct Goal(u8);

impl Default for Goal {
    fn default() -> Self {
        Self(100)
    }
}

impl TryFrom<i64> for Goal {
    type Error = WrongGoal;

    fn try_from(points: i64) -> Result<Self, WrongGoal> {
        match u8::try_from(points) {
            Ok(goal @ 10..=HIGHEST_GOAL) => Ok(Self(goal)),
            _ => Err(WrongGoal(points)),
        }
    }
}

impl From<Goal> for i64 {
    fn from(goal: Goal) -> Self {
        Self::from(goal.0)
    }
}

/// A goal outside the allowed range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a goal of 10 to {HIGHEST_GOAL} points, got {0}")]
pub struct WrongGoal(i64);

/// A state of Pig.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pig {
    scores: [u8; MAX_PLAYERS],
    /// The turn total: points at risk.
    pot: u8,
    goal: u8,
    players: u8,
    mover: Player,
    /// Whether a roll is pending. The first roll of a turn is mandatory, not a decision.
    rolling: bool,
}

impl Pig {
    /// The banked points of each player.
    #[must_use]
    pub fn scores(&self) -> &[u8] {
        &self.scores[..usize::from(self.players)]
    }

    /// The turn total: points at risk.
    #[must_use]
    pub fn pot(&self) -> u8 {
        self.pot
    }

    #[inline]
    fn pass(&mut self) {
        self.pot = 0;
        self.mover = self.mover.after(1, self.players());
        self.rolling = true;
    }

    #[inline]
    fn winner(self) -> Option<usize> {
        self.scores.iter().position(|&score| score >= self.goal)
    }
}

impl Game for Pig {
    type Config = Options;

    const NAME: &'static str = "pig";
    const SEATS: RangeInclusive<usize> = 2..=MAX_PLAYERS;
    const ACTIONS: usize = 2;
    const CHANCE: bool = true;
    const IMPERFECT_INFORMATION: bool = false;

    fn new(options: &Options) -> Self {
        Self {
            scores: [0; MAX_PLAYERS],
            pot: 0,
            goal: options.goal.0,
            players: options.players.get() as u8,
            mover: Player(0),
            rolling: true,
        }
    }

    fn info(&self) -> GameInfo {
        // The faces of a die, which are their own ids.
        GameInfo { max_chance_outcomes: 7, ..GameInfo::of(self) }
    }

    #[inline]
    fn players(&self) -> usize {
        usize::from(self.players)
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.winner().is_some() {
            Turn::Over
        } else if self.rolling {
            Turn::Chance
        } else {
            Turn::Player(self.mover)
        }
    }

    #[inline]
    fn legal_actions(&self, out: &mut ActionList) {
        out.clear();
        if let Turn::Player(_) = self.turn() {
            out.extend([HOLD, ROLL]);
        }
    }

    fn chance_outcomes(&self, out: &mut OutcomeList) {
        out.clear();
        if self.turn() == Turn::Chance {
            let face = |pips| Outcome { action: Action(pips), probability: 1.0 / 6.0 };
            out.extend((1..=6).map(face));
        }
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        if self.rolling {
            self.rolling = false;
            match action.0 as u8 {
                1 => self.pass(),
                // Points beyond the goal are worth nothing: clamping them merges
                // states that are strategically equal.
                pips => {
                    let missing = self.goal - self.scores[self.mover.index()];
                    self.pot = (self.pot + pips).min(missing);
                }
            }
        } else if action == ROLL {
            self.rolling = true;
        } else {
            self.scores[self.mover.index()] += self.pot;
            self.pass();
        }
    }

    #[inline]
    fn payoffs(&self) -> Payoffs {
        let mut payoffs = [0.0; MAX_PLAYERS];
        if let Some(winner) = self.winner() {
            payoffs[..self.players()].fill(-1.0 / (self.players() as f32 - 1.0));
            payoffs[winner] = 1.0;
        }
        payoffs
    }

    fn observation(&self) -> &'static ObservationSpec {
        &OBSERVATION
    }

    fn observe(&self, player: Player, out: &mut [i32]) {
        let players = self.players();
        out[..MAX_PLAYERS].fill(0);
        for (steps, cell) in out[..players].iter_mut().enumerate() {
            *cell = i32::from(self.scores[player.after(steps, players).index()]);
        }
        out[MAX_PLAYERS] = i32::from(self.pot);
        out[MAX_PLAYERS + 1] = i32::from(self.goal);
        out[MAX_PLAYERS + 2] = self.mover.after(players - player.index(), players).index() as i32;
        out[MAX_PLAYERS + 3] = players as i32;
    }

    fn key(&self) -> u64 {
        let [a, b, c, d, e, f] = self.scores;
        let scores = u64::from_le_bytes([a, b, c, d, e, f, self.pot, self.goal]);
        let rest = [self.players, self.mover.0, u8::from(self.rolling)];
        mix(scores ^ mix(u64::from(rest[0]) << 16 | u64::from(rest[1]) << 8 | u64::from(rest[2])))
    }

    fn roller(&self) -> Option<Player> {
        (self.turn() == Turn::Chance).then_some(self.mover)
    }

    fn action_name(&self, action: Action) -> String {
        match (self.turn(), action) {
            (Turn::Chance, Action(pips)) => format!("rolled {pips}"),
            (_, HOLD) => "hold".into(),
            _ => "roll".into(),
        }
    }

    #[inline]
    fn sample_chance(&self, rng: &mut Rng) -> Action {
        Action(1 + rng.below(6) as u16)
    }

    fn is_consistent(&self) -> bool {
        let (taken, empty) = self.scores.split_at(self.players());
        taken.iter().all(|&score| score <= self.goal)
            && taken.iter().filter(|&&score| score == self.goal).count() <= 1
            && empty.iter().all(|&score| score == 0)
            && self.mover.index() < self.players()
            && self.scores[self.mover.index()] + self.pot <= self.goal
    }
}

impl fmt::Display for Pig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (seat, score) in self.scores().iter().enumerate() {
            let marker = if self.mover.index() == seat { '>' } else { ' ' };
            writeln!(f, "{marker} seat {seat}: {score:>3} of {}", self.goal)?;
        }
        write!(f, "  at risk: {}", self.pot)
    }
}
