//! Backgammon with an optional doubling cube; one decision moves one checker.
#![doc = include_str!("README.md")]

mod bearoff;
mod board;
mod config;
mod cube;
mod display;
mod evaluation;
mod ids;
mod mat;
mod mat_games;
mod mat_read;
mod notation;
mod plays;
mod rules;
mod turns;
mod two_sided;
mod value;

use std::ops::RangeInclusive;

use meeple_game::{
    Action, ActionList, Companions, Field, Game, GameInfo, MAX_PLAYERS, ObservationSpec, Outcome,
    OutcomeList, Payoffs, Player, Rng, Turn, mix,
};

use board::{BAR, Board, CHECKERS, Dice, POINTS};
pub use config::{Cube, Options, WrongCube};
pub use cube::{
    CubeAction, CubeAdvice, CubeOwner, LONGEST_MATCH, MatchScore, WrongScore, match_equity,
};
use ids::{DOUBLE, DROP, MOVES, ROLL, ROLLS, TAKE, action_of, move_of, roll_index, roll_of};
pub use mat::mat;
pub use mat_games::read_mat;
pub use mat_read::{MatError, MatGame, parse_mat};
pub use notation::{PositionId, PositionIdError};
pub use rules::{
    BackgammonFacts, BackgammonRules, CubelessState, DescribedBackgammon, Event, Start,
};
pub use turns::RatedTurn;
pub use value::{Chances, Lesson, ValueFileError, ValueNetwork};

static OBSERVATION: ObservationSpec = ObservationSpec::new(
    1,
    &[
        Field::count("my_men", CHECKERS as i32).scale(5).times(POINTS),
        Field::count("my_bar", CHECKERS as i32).scale(3),
        Field::count("my_off", CHECKERS as i32),
        Field::count("their_men", CHECKERS as i32).scale(5).times(POINTS),
        Field::count("their_bar", CHECKERS as i32).scale(3),
        Field::count("their_off", CHECKERS as i32),
        Field::count("dice", 4).times(6),
        Field::category("question", 4),
        Field::flag("to_move"),
        Field::count("cube", 64).scale(8),
        Field::category("cube_owner", 3),
    ],
);

/// The phase of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The opening roll: each player rolls one die, and the higher one begins with both.
    Opening,
    /// The player to move doubles or rolls.
    CubeDecision,
    /// The opponent takes the double or drops.
    CubeResponse,
    /// The dice are rolled.
    Roll,
    /// The player to move plays one die.
    Move,
    /// The game is over: the winner, and 1, 2 (gammon) or 3 (backgammon).
    Over { winner: Player, size: u8 },
}

/// A state of backgammon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backgammon {
    board: Board,
    dice: Dice,
    /// The number of dice that can, and hence must, still be played in this turn.
    must_play: u8,
    /// The only die that may be played when just one of two can; 0 for any.
    forced_die: u8,
    mover: Player,
    stage: Stage,
    cube: u8,
    highest_cube: u8,
    /// The cube owner, who alone may double; `None` for a centred cube.
    owner: Option<Player>,
}

impl Backgammon {
    /// The GNU Backgammon position id, from the side of the player to move.
    #[must_use]
    pub fn position_id(&self) -> PositionId {
        PositionId(self.board.seen_by(self.mover.index()))
    }

    /// The state of the rule-described twin, while checkers are moved.
    pub(crate) fn as_rules(&self) -> Option<CubelessState> {
        let dice = self.dice.counts();
        (self.stage == Stage::Move).then(|| CubelessState::with(&self.board, dice, self.mover.0))
    }

    /// Whether playing `die` from `point`, itself a possible move, still allows the maximum
    /// number of dice to be played.
    #[inline]
    fn keeps_maximum(&self, point: usize, die: u8) -> bool {
        if self.must_play <= 1 {
            return self.forced_die == 0 || self.forced_die == die;
        }
        let mut after = self.board;
        let side = self.mover.index();
        after.advance(side, point, die.into());
        after.max_playable(side, self.dice.without(die)).0 == self.must_play - 1
    }

    /// Calls `visit` with each legal move (point, die), the high die first, from the highest
    /// point down.
    #[inline]
    fn visit_moves(&self, mut visit: impl FnMut(usize, u8)) {
        let side = self.mover.index();
        let dice = [self.dice.high, self.dice.low];
        let distinct = if self.dice.is_double() { 1 } else { 2 };
        for &die in &dice[..distinct] {
            if !self.dice.has(die) {
                continue;
            }
            let mut from = self.board.sources(side, die.into());
            while from != 0 {
                let point = 31 - from.leading_zeros() as usize;
                from ^= 1 << point;
                if self.keeps_maximum(point, die) {
                    visit(point, die);
                }
            }
        }
    }

    fn roll(&mut self, high: u8, low: u8) {
        self.dice = Dice::new(high, low);
        (self.must_play, self.forced_die) = self.board.max_playable(self.mover.index(), self.dice);
        self.stage = Stage::Move;
        if self.must_play == 0 {
            self.end_turn();
        }
    }

    fn move_checker(&mut self, point: usize, die: u8) {
        let side = self.mover.index();
        self.board.advance(side, point, die.into());
        self.dice = self.dice.without(die);
        self.must_play -= 1;
        if self.board.is_clear(side) {
            self.stage = Stage::Over { winner: self.mover, size: self.board.win_size(side) };
        } else if self.must_play == 0 {
            self.end_turn();
        }
    }

    fn end_turn(&mut self) {
        self.dice = Dice::NONE;
        (self.must_play, self.forced_die) = (0, 0);
        self.mover = self.mover.after(1, 2);
        self.stage = if self.may_double() { Stage::CubeDecision } else { Stage::Roll };
    }

    fn may_double(&self) -> bool {
        self.cube < self.highest_cube && self.owner.is_none_or(|owner| owner == self.mover)
    }

    fn apply_cube_action(&mut self, action: Action) {
        match (self.stage, action) {
            (Stage::CubeDecision, ROLL) => self.stage = Stage::Roll,
            (Stage::CubeDecision, _) => self.stage = Stage::CubeResponse,
            (_, TAKE) => {
                self.cube *= 2;
                self.owner = Some(self.mover.after(1, 2));
                self.stage = Stage::Roll;
            }
            _ => self.stage = Stage::Over { winner: self.mover, size: 1 },
        }
    }

    fn apply_roll(&mut self, action: Action) {
        // Opening rolls with ids from `ROLLS` on let seat 1 begin.
        if self.stage == Stage::Opening {
            self.mover = Player(u8::from(action.0 >= ROLLS));
        }
        let (high, low) = roll_of(action.0 % ROLLS);
        self.roll(high, low);
    }
}

impl Game for Backgammon {
    type Config = Options;

    const NAME: &'static str = "backgammon";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const ACTIONS: usize = MOVES as usize + 4;
    const CHANCE: bool = true;
    const IMPERFECT_INFORMATION: bool = false;
    const COMPANIONS: Companions<Self> =
        Companions { evaluation: Some(Self::evaluate), ..Companions::NONE };

    fn new(options: &Options) -> Self {
        Self {
            board: options.position.map_or(Board::start(), |position| position.0),
            dice: Dice::NONE,
            must_play: 0,
            forced_die: 0,
            mover: Player(0),
            stage: if options.position.is_some() { Stage::Roll } else { Stage::Opening },
            cube: 1,
            highest_cube: options.cube.0,
            owner: None,
        }
    }

    fn info(&self) -> GameInfo {
        // 21 rolls; opening rolls also determine who begins.
        GameInfo { max_chance_outcomes: 42, ..GameInfo::of(self) }
    }

    fn players(&self) -> usize {
        2
    }

    #[inline]
    fn turn(&self) -> Turn {
        match self.stage {
            Stage::Opening | Stage::Roll => Turn::Chance,
            Stage::CubeDecision | Stage::Move => Turn::Player(self.mover),
            Stage::CubeResponse => Turn::Player(self.mover.after(1, 2)),
            Stage::Over { .. } => Turn::Over,
        }
    }

    fn legal_actions(&self, out: &mut ActionList) {
        out.clear();
        match self.stage {
            Stage::Move => self.visit_moves(|point, die| out.push(action_of(point, die))),
            Stage::CubeDecision => out.extend([ROLL, DOUBLE]),
            Stage::CubeResponse => out.extend([TAKE, DROP]),
            Stage::Opening | Stage::Roll | Stage::Over { .. } => {}
        }
    }

    fn chance_outcomes(&self, out: &mut OutcomeList) {
        out.clear();
        for number in 0..ROLLS {
            let (high, low) = roll_of(number);
            match self.stage {
                Stage::Roll => {
                    let probability = if high == low { 1.0 } else { 2.0 } / 36.0;
                    out.push(Outcome { action: Action(number), probability });
                }
                Stage::Opening if high != low => {
                    let first = |seat: u16| Outcome {
                        action: Action(number + ROLLS * seat),
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
                self.move_checker(point, die);
            }
            Stage::Opening | Stage::Roll => self.apply_roll(action),
            Stage::CubeDecision | Stage::CubeResponse | Stage::Over { .. } => {
                self.apply_cube_action(action)
            }
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

    fn observation(&self) -> &'static ObservationSpec {
        &OBSERVATION
    }

    fn observe(&self, player: Player, out: &mut [i32]) {
        let (mine, theirs) = out.split_at_mut(POINTS + 2);
        for (cells, side) in [(mine, player.index()), (&mut *theirs, 1 - player.index())] {
            for (point, cell) in cells[..=BAR].iter_mut().enumerate() {
                *cell = i32::from(self.board.checkers(side, point));
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
            Stage::CubeDecision => 2,
            Stage::CubeResponse => 3,
        };
        rest[7] = i32::from(self.turn() == Turn::Player(player));
        rest[8] = i32::from(self.cube);
        rest[9] = self.owner.map_or(0, |owner| if owner == player { 1 } else { 2 });
    }

    fn key(&self) -> u64 {
        let mut key = 0u64;
        for side in 0..2 {
            for chunk in 0..3 {
                let checkers = (0..9).map(|at| 9 * chunk + at).filter(|&point| point <= BAR);
                let word = checkers
                    .fold(1, |word, point| word << 5 | u64::from(self.board.checkers(side, point)));
                key = mix(key ^ word);
            }
        }
        let stage = match self.stage {
            Stage::Opening => 0,
            Stage::CubeDecision => 1,
            Stage::CubeResponse => 2,
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
                let (high, low) = roll_of(action.0 % ROLLS);
                match self.stage {
                    Stage::Opening => {
                        format!("seat {} begins with {high}-{low}", action.0 / ROLLS)
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

    fn sample_chance(&self, rng: &mut Rng) -> Action {
        if self.stage == Stage::Opening {
            let number = rng.below(30);
            // Picks one of the fifteen rolls that are no doubles.
            let mut left = number % 15;
            let roll = (0..ROLLS).find(|&roll| {
                let (high, low) = roll_of(roll);
                if high == low {
                    return false;
                }
                left = left.wrapping_sub(1);
                left == usize::MAX
            });
            let roll = roll.expect("there are fifteen");
            return Action(roll + ROLLS * (number / 15) as u16);
        }
        let roll = rng.below(36) as u8;
        let (one, other) = (1 + roll / 6, 1 + roll % 6);
        Action(roll_index(one.max(other), one.min(other)))
    }

    fn is_consistent(&self) -> bool {
        self.board.is_consistent()
            && self.must_play <= self.dice.count()
            && self.cube <= self.highest_cube
    }
}
