//! Backgammon, one man at a time.
#![doc = include_str!("README.md")]

mod board;
mod mat;
mod notation;
mod rules;

use std::fmt;
use std::ops::RangeInclusive;

use meeple_game::{
    Action, ActionList, Field, Game, MAX_PLAYERS, ObservationSpec, Outcome, OutcomeList, Payoffs,
    Player, Rng, Turn, mix,
};
use serde::{Deserialize, Serialize};

use board::{BAR, Board, Dice, MEN, POINTS};
pub use mat::mat;
pub use notation::{PositionId, PositionIdError};
pub use rules::{BackgammonRules, Event, Facts, RuledBackgammon, Start, Table};

/// Moves: a point or the bar, and a die.
const MOVES: u16 = (POINTS as u16 + 1) * 6;
const ROLL: Action = Action(MOVES);
const DOUBLE: Action = Action(MOVES + 1);
const TAKE: Action = Action(MOVES + 2);
const DROP: Action = Action(MOVES + 3);
/// Throws of two dice without order.
const THROWS: u16 = 21;

static OBSERVATION: ObservationSpec = ObservationSpec::new(
    1,
    &[
        Field::count("my_men", MEN as i32).scale(5).times(POINTS),
        Field::count("my_bar", MEN as i32).scale(3),
        Field::count("my_off", MEN as i32),
        Field::count("their_men", MEN as i32).scale(5).times(POINTS),
        Field::count("their_bar", MEN as i32).scale(3),
        Field::count("their_off", MEN as i32),
        Field::count("dice", 4).times(6),
        Field::category("question", 4),
        Field::flag("to_move"),
        Field::count("cube", 64).scale(8),
        Field::category("cube_owner", 3),
    ],
);

/// The table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// How high the doubling cube may go; 1 is no cube.
    pub cube: Cube,
    /// A board to begin with, seat 0 to roll, instead of the opening throw.
    pub position: Option<PositionId>,
}

/// The highest value of the doubling cube: a power of two up to 64, where 1
/// means that there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct Cube(u8);

impl Default for Cube {
    fn default() -> Self {
        Self(1)
    }
}

impl TryFrom<i64> for Cube {
    type Error = WrongCube;

    fn try_from(highest: i64) -> Result<Self, WrongCube> {
        match highest {
            1 | 2 | 4 | 8 | 16 | 32 | 64 => Ok(Self(highest as u8)),
            _ => Err(WrongCube(highest)),
        }
    }
}

impl From<Cube> for i64 {
    fn from(cube: Cube) -> Self {
        Self::from(cube.0)
    }
}

/// A number that is on no doubling cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a cube of 1 (none), 2, 4, 8, 16, 32 or 64, got {0}")]
pub struct WrongCube(i64);

/// What happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Each throws a die; the higher begins with both.
    Opening,
    /// Double or roll?
    Offer,
    /// Take the double or drop?
    Answer,
    /// The dice are thrown.
    Roll,
    /// A man is moved.
    Move,
    /// The game is over: the winner, and single, double or triple.
    Over { winner: Player, size: u8 },
}

/// A state of backgammon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backgammon {
    board: Board,
    dice: Dice,
    /// Dice that can and so must still be played in this turn.
    due: u8,
    /// The die that must be used if only one of two can be.
    must: u8,
    mover: Player,
    stage: Stage,
    cube: u8,
    highest_cube: u8,
    /// Who alone may double; nobody yet means both.
    owner: Option<Player>,
}

impl Backgammon {
    /// The board from the side of the player whose turn it is.
    #[must_use]
    pub fn position_id(&self) -> PositionId {
        PositionId(self.board.seen_by(self.mover.index()))
    }

    /// Whether the mover may play `die` from `point`; the die is left and the
    /// man can go.
    #[inline]
    fn keeps_due(&self, point: usize, die: u8) -> bool {
        if self.due <= 1 {
            return self.must == 0 || self.must == die;
        }
        let mut after = self.board;
        let side = self.mover.index();
        after.advance(side, point, die.into());
        after.due(side, self.dice.without(die)).0 == self.due - 1
    }

    /// Calls `visit` with each legal move, from the highest point down, the
    /// high die first.
    #[inline]
    fn visit_moves(&self, mut visit: impl FnMut(usize, u8)) {
        let side = self.mover.index();
        let dice = [self.dice.high, self.dice.low];
        let kinds = if self.dice.is_double() { 1 } else { 2 };
        for &die in &dice[..kinds] {
            if !self.dice.has(die) {
                continue;
            }
            let mut from = self.board.sources(side, die.into());
            while from != 0 {
                let point = 31 - from.leading_zeros() as usize;
                from ^= 1 << point;
                if self.keeps_due(point, die) {
                    visit(point, die);
                }
            }
        }
    }

    fn throw(&mut self, high: u8, low: u8) {
        self.dice = Dice::new(high, low);
        (self.due, self.must) = self.board.due(self.mover.index(), self.dice);
        self.stage = Stage::Move;
        if self.due == 0 {
            self.end_turn();
        }
    }

    fn move_man(&mut self, point: usize, die: u8) {
        let side = self.mover.index();
        self.board.advance(side, point, die.into());
        self.dice = self.dice.without(die);
        self.due -= 1;
        if self.board.is_clear(side) {
            self.stage = Stage::Over { winner: self.mover, size: self.size() };
        } else if self.due == 0 {
            self.end_turn();
        }
    }

    /// How much the mover has won: 2 if the other has no man off, 3 if one of
    /// the other's men is still in the mover's home or on the bar besides.
    fn size(&self) -> u8 {
        let loser = 1 - self.mover.index();
        if self.board.off(loser) > 0 {
            1
        } else if (18..=BAR).any(|point| self.board.men(loser, point) > 0) {
            3
        } else {
            2
        }
    }

    fn end_turn(&mut self) {
        self.dice = Dice::NONE;
        (self.due, self.must) = (0, 0);
        self.mover = self.mover.after(1, 2);
        self.stage = if self.may_double() { Stage::Offer } else { Stage::Roll };
    }

    fn may_double(&self) -> bool {
        self.cube < self.highest_cube && self.owner.is_none_or(|owner| owner == self.mover)
    }

    fn apply_choice(&mut self, action: Action) {
        match (self.stage, action) {
            (Stage::Offer, ROLL) => self.stage = Stage::Roll,
            (Stage::Offer, _) => self.stage = Stage::Answer,
            (_, TAKE) => {
                self.cube *= 2;
                self.owner = Some(self.mover.after(1, 2));
                self.stage = Stage::Roll;
            }
            _ => self.stage = Stage::Over { winner: self.mover, size: 1 },
        }
    }

    fn apply_throw(&mut self, action: Action) {
        // The second half of the numbers of the opening throw is for seat 1.
        if self.stage == Stage::Opening {
            self.mover = Player(u8::from(action.0 >= THROWS));
        }
        let (high, low) = throw_of(action.0 % THROWS);
        self.throw(high, low);
    }
}

/// The dice of a throw, numbered from 1-1 by the high die.
const fn throw_of(number: u16) -> (u8, u8) {
    let mut high = 1;
    while (high * (high + 1)) / 2 <= number {
        high += 1;
    }
    (high as u8, (number - high * (high - 1) / 2 + 1) as u8)
}

/// The number of a throw.
const fn number_of(high: u8, low: u8) -> u16 {
    (high as u16 * (high as u16 - 1)) / 2 + low as u16 - 1
}

/// The id of a move.
const fn action_of(point: usize, die: u8) -> Action {
    Action(point as u16 * 6 + die as u16 - 1)
}

/// The move of an id.
const fn move_of(action: Action) -> (usize, u8) {
    (action.index() / 6, (action.0 % 6) as u8 + 1)
}

impl Game for Backgammon {
    type Config = Options;

    const NAME: &'static str = "backgammon";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const ACTIONS: usize = MOVES as usize + 4;
    const LUCK: bool = true;
    const HIDDEN: bool = false;

    fn new(options: &Options) -> Self {
        Self {
            board: options.position.map_or(Board::start(), |position| position.0),
            dice: Dice::NONE,
            due: 0,
            must: 0,
            mover: Player(0),
            stage: if options.position.is_some() { Stage::Roll } else { Stage::Opening },
            cube: 1,
            highest_cube: options.cube.0,
            owner: None,
        }
    }

    fn players(&self) -> usize {
        2
    }

    #[inline]
    fn turn(&self) -> Turn {
        match self.stage {
            Stage::Opening | Stage::Roll => Turn::Chance,
            Stage::Offer | Stage::Move => Turn::Player(self.mover),
            Stage::Answer => Turn::Player(self.mover.after(1, 2)),
            Stage::Over { .. } => Turn::Over,
        }
    }

    fn legal_actions(&self, out: &mut ActionList) {
        out.clear();
        match self.stage {
            Stage::Move => self.visit_moves(|point, die| out.push(action_of(point, die))),
            Stage::Offer => out.extend([ROLL, DOUBLE]),
            Stage::Answer => out.extend([TAKE, DROP]),
            Stage::Opening | Stage::Roll | Stage::Over { .. } => {}
        }
    }

    fn chance_outcomes(&self, out: &mut OutcomeList) {
        out.clear();
        for number in 0..THROWS {
            let (high, low) = throw_of(number);
            match self.stage {
                Stage::Roll => {
                    let probability = if high == low { 1.0 } else { 2.0 } / 36.0;
                    out.push(Outcome { action: Action(number), probability });
                }
                Stage::Opening if high != low => {
                    let first = |seat: u16| Outcome {
                        action: Action(number + THROWS * seat),
                        probability: 1.0 / 30.0,
                    };
                    out.extend([first(0), first(1)]);
                }
                _ => {}
            }
        }
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        match self.stage {
            Stage::Move => {
                let (point, die) = move_of(action);
                self.move_man(point, die);
            }
            Stage::Opening | Stage::Roll => self.apply_throw(action),
            Stage::Offer | Stage::Answer | Stage::Over { .. } => self.apply_choice(action),
        }
    }

    fn payoffs(&self) -> Payoffs {
        let mut payoffs = [0.0; MAX_PLAYERS];
        if let Stage::Over { winner, size } = self.stage {
            let points = f32::from(size) * f32::from(self.cube);
            let share = points / (3.0 * f32::from(self.highest_cube));
            payoffs[winner.index()] = share;
            payoffs[1 - winner.index()] = -share;
        }
        payoffs
    }

    fn observation() -> &'static ObservationSpec {
        &OBSERVATION
    }

    fn observe(&self, player: Player, out: &mut [i32]) {
        let (mine, theirs) = out.split_at_mut(POINTS + 2);
        for (cells, side) in [(mine, player.index()), (&mut *theirs, 1 - player.index())] {
            for (point, cell) in cells[..=BAR].iter_mut().enumerate() {
                *cell = i32::from(self.board.men(side, point));
            }
            cells[BAR + 1] = i32::from(self.board.off(side));
        }
        let rest = &mut theirs[POINTS + 2..];
        rest[..6].fill(0);
        if self.dice.is_double() && self.dice.high > 0 {
            rest[usize::from(self.dice.high) - 1] = i32::from(self.dice.left);
        } else if self.dice.high > 0 {
            rest[usize::from(self.dice.high) - 1] = i32::from(self.dice.left & 1);
            rest[usize::from(self.dice.low) - 1] = i32::from(self.dice.left >> 1);
        }
        rest[6] = match self.stage {
            Stage::Opening | Stage::Roll | Stage::Over { .. } => 0,
            Stage::Move => 1,
            Stage::Offer => 2,
            Stage::Answer => 3,
        };
        rest[7] = i32::from(self.turn() == Turn::Player(player));
        rest[8] = i32::from(self.cube);
        rest[9] = self.owner.map_or(0, |owner| if owner == player { 1 } else { 2 });
    }

    fn key(&self) -> u64 {
        let mut key = 0u64;
        for side in 0..2 {
            for chunk in 0..3 {
                let men = (0..9).map(|at| 9 * chunk + at).filter(|&point| point <= BAR);
                let word =
                    men.fold(1, |word, point| word << 5 | u64::from(self.board.men(side, point)));
                key = mix(key ^ word);
            }
        }
        let stage = match self.stage {
            Stage::Opening => 0,
            Stage::Offer => 1,
            Stage::Answer => 2,
            Stage::Roll => 3,
            Stage::Move => 4,
            Stage::Over { winner, size } => 5 + 4 * u64::from(winner.0) + u64::from(size),
        };
        let owner = self.owner.map_or(2, |owner| u64::from(owner.0));
        let dice = u64::from_le_bytes([
            self.dice.high,
            self.dice.low,
            self.dice.left,
            self.mover.0,
            self.cube,
            self.highest_cube,
            owner as u8,
            stage as u8,
        ]);
        mix(key ^ dice)
    }

    fn action_name(&self, action: Action) -> String {
        match self.stage {
            Stage::Opening | Stage::Roll => {
                let (high, low) = throw_of(action.0 % THROWS);
                match self.stage {
                    Stage::Opening => {
                        format!("seat {} begins with {high}-{low}", action.0 / THROWS)
                    }
                    _ => format!("{high}-{low}"),
                }
            }
            _ => match action {
                ROLL => "roll".into(),
                DOUBLE => "double".into(),
                TAKE => "take".into(),
                DROP => "drop".into(),
                _ => {
                    let (point, die) = move_of(action);
                    notation::move_name(&self.board, self.mover.index(), point, die)
                }
            },
        }
    }

    /// The race and the men that stand alone: rough, but better than nothing.
    fn estimate(&self) -> Option<Payoffs> {
        if let Stage::Over { .. } = self.stage {
            return Some(self.payoffs());
        }
        let worth = |side: usize| {
            let mut worth = 0.0;
            for point in 0..=BAR {
                let men = f32::from(self.board.men(side, point));
                worth -= men * (point + 1) as f32;
                if men == 1.0 && point < BAR {
                    worth -= 2.0 + (POINTS - point) as f32 * 0.2;
                }
                if men > 1.0 && point < 12 {
                    worth += 3.0;
                }
            }
            worth
        };
        let ahead = ((worth(0) - worth(1)) / 60.0).tanh() / (3.0 * f32::from(self.highest_cube));
        let mut payoffs = [0.0; MAX_PLAYERS];
        payoffs[0] = ahead * f32::from(self.cube);
        payoffs[1] = -payoffs[0];
        Some(payoffs)
    }

    fn sample_chance(&self, rng: &mut Rng) -> Action {
        if self.stage == Stage::Opening {
            let number = rng.below(30);
            // The fifteen throws without doubles, in order.
            let mut left = number % 15;
            let throw = (0..THROWS).find(|&throw| {
                let (high, low) = throw_of(throw);
                if high == low {
                    return false;
                }
                left = left.wrapping_sub(1);
                left == usize::MAX
            });
            let throw = throw.expect("there are fifteen");
            return Action(throw + THROWS * (number / 15) as u16);
        }
        let throw = rng.below(36) as u8;
        let (one, other) = (1 + throw / 6, 1 + throw % 6);
        Action(number_of(one.max(other), one.min(other)))
    }

    fn is_consistent(&self) -> bool {
        self.board.is_consistent()
            && self.due <= self.dice.count()
            && self.cube <= self.highest_cube
    }
}

impl fmt::Display for Backgammon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        notation::draw(&self.board, f)?;
        let owner = self.owner.map_or("anybody's".into(), |owner| format!("{owner}'s"));
        match self.stage {
            Stage::Opening => write!(f, "the opening throw")?,
            Stage::Over { winner, size } => {
                write!(f, "{winner} wins {} point(s)", size * self.cube)?
            }
            Stage::Move => {
                let left = notation::dice_left(self.dice);
                write!(f, "{} to play {left}", self.mover)?;
            }
            Stage::Roll => write!(f, "{} to roll", self.mover)?,
            Stage::Offer => write!(f, "{} to double or roll", self.mover)?,
            Stage::Answer => write!(f, "{} is asked to take", self.mover.after(1, 2))?,
        }
        if self.highest_cube > 1 {
            write!(f, "; cube at {}, {owner}", self.cube)?;
        }
        Ok(())
    }
}
