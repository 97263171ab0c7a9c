//! Backgammon, one man at a time.
#![doc = include_str!("README.md")]

mod bearoff;
mod board;
mod config;
mod display;
mod ids;
mod mat;
mod mat_read;
mod notation;
mod race;
mod rules;

use std::ops::RangeInclusive;

use meeple_game::{
    Action, ActionList, Field, Game, GameInfo, MAX_PLAYERS, ObservationSpec, Outcome, OutcomeList,
    Payoffs, Player, Rng, Turn, mix,
};

use board::{BAR, Board, Dice, MEN, POINTS};
pub use config::{Cube, Options, WrongCube};
use ids::{DOUBLE, DROP, MOVES, ROLL, TAKE, THROWS, action_of, move_of, number_of, throw_of};
pub use mat::mat;
pub use mat_read::{MatError, MatGame, parse_mat};
pub use notation::{PositionId, PositionIdError};
pub use rules::{BackgammonRules, Event, Facts, RuledBackgammon, Start, Table};

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

    /// The table as the rules see it, while men are moved.
    pub(crate) fn as_rules(&self) -> Option<Table> {
        let dice = self.dice.counts();
        (self.stage == Stage::Move).then(|| Table::with(&self.board, dice, self.mover.0))
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

    fn info(&self) -> GameInfo {
        // 21 throws; in the opening also who begins.
        GameInfo { max_chance_outcomes: 42, ..GameInfo::of(self) }
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
        for (cell, count) in rest.iter_mut().zip(self.dice.counts()) {
            *cell = i32::from(count);
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

    fn text(&self, player: Player) -> String {
        self.table_text(player.index())
    }

    fn roller(&self) -> Option<Player> {
        (self.stage == Stage::Roll).then_some(self.mover)
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

    /// In a race the chance to win it, by the rolls that each side needs; before
    /// that the pips and the men that stand alone: rough, but better than nothing.
    fn estimate(&self) -> Option<Payoffs> {
        if let Stage::Over { .. } = self.stage {
            return Some(self.payoffs());
        }
        let share = f32::from(self.cube) / (3.0 * f32::from(self.highest_cube));
        let mut payoffs = [0.0; MAX_PLAYERS];
        if let Some(points) = self.race() {
            payoffs[self.mover.index()] = points * share;
            payoffs[1 - self.mover.index()] = -points * share;
            return Some(payoffs);
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
        payoffs[0] = ((worth(0) - worth(1)) / 60.0).tanh() * share;
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
