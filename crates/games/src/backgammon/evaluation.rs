//! The heuristic evaluation: the value of positions before a roll by the built-in network and the
//! bear-off databases, and of positions within a turn by the best way to end it.

use meeple_game::{Game, MAX_PLAYERS, Payoffs};

use super::cube::{CubeAdvice, CubeOwner, money_equity};
use super::plays::Turn;
use super::value::{Chances, ValueNetwork};
use super::{Backgammon, Stage};

impl Backgammon {
    /// The outcome for the player to move without the cube, with best play of the dice that are
    /// left; `None` before the opening roll and after the game.
    #[must_use]
    pub fn chances(&self) -> Option<Chances> {
        let network = ValueNetwork::built_in();
        let side = self.mover.index();
        match self.stage {
            Stage::Opening | Stage::Over { .. } => None,
            Stage::Roll | Stage::CubeDecision | Stage::CubeResponse => {
                Some(network.evaluate(&self.board, side))
            }
            Stage::Move => {
                let turn = Turn {
                    dice: self.dice,
                    must_play: self.must_play,
                    forced_die: self.forced_die,
                };
                Some(network.evaluate_turn(&self.board, side, turn))
            }
        }
    }

    /// Who may double, for the player to move.
    #[must_use]
    pub fn cube_owner(&self) -> CubeOwner {
        match self.owner {
            _ if self.cube >= self.highest_cube => CubeOwner::Nobody,
            None => CubeOwner::Centred,
            Some(owner) if owner == self.mover => CubeOwner::Roller,
            Some(_) => CubeOwner::Opponent,
        }
    }

    /// The value of the cube.
    #[must_use]
    pub fn cube(&self) -> u32 {
        self.cube.into()
    }

    /// The heuristic evaluation.
    pub(super) fn evaluate(&self) -> Payoffs {
        if let Stage::Over { .. } = self.stage {
            return self.payoffs();
        }
        let points = self.chances().map_or(0.0, |chances| self.cubeful(&chances));
        let share = f32::from(self.cube) / (3.0 * f32::from(self.highest_cube));
        let mut payoffs = [0.0; MAX_PLAYERS];
        payoffs[self.mover.index()] = points * share;
        payoffs[1 - self.mover.index()] = -points * share;
        payoffs
    }

    /// The points of the player to move, in units of the cube.
    fn cubeful(&self, chances: &Chances) -> f32 {
        let is_last = 2 * self.cube >= self.highest_cube;
        let taken = if is_last { CubeOwner::Nobody } else { CubeOwner::Opponent };
        let advice = CubeAdvice {
            no_double: money_equity(chances, self.cube_owner()),
            double_take: 2.0 * money_equity(chances, taken),
            double_drop: 1.0,
        };
        let doubled = advice.double_take.min(advice.double_drop);
        match self.stage {
            Stage::CubeDecision => advice.no_double.max(doubled),
            Stage::CubeResponse => doubled,
            _ => advice.no_double,
        }
    }
}

#[cfg(test)]
mod tests {
    use meeple_game::{Action, Player, choices};
    use rustc_hash::FxHashMap;

    use super::super::board::Board;
    use super::super::ids::{ROLLS, roll_of};
    use super::super::{Cube, DOUBLE, DROP, Options, TAKE};
    use super::*;

    /// A position with checkers on these points, numbered from 1, before a roll.
    fn position(mine: &[usize], theirs: &[usize]) -> Backgammon {
        let mut game = Backgammon::new(&Options::default());
        game.board = Board::empty();
        mine.iter().for_each(|point| game.board.put(0, point - 1));
        theirs.iter().for_each(|point| game.board.put(1, point - 1));
        game.stage = Stage::Roll;
        game
    }

    /// The expected points of the player to move by the heuristic evaluation.
    fn evaluated(game: &Backgammon) -> f32 {
        3.0 * game.evaluate()[game.mover.index()]
    }

    #[test]
    fn the_last_checkers_have_exact_values() {
        assert_eq!(evaluated(&position(&[1, 1], &[1, 1])), 1.0);
        assert_eq!(evaluated(&position(&[1], &[1, 1, 1])), 1.0);
        // 27 of 36 rolls bear off a checker from the 6-point: the player to move wins with
        // probability 3/4 at once, or if both sides miss.
        let won = 0.75 + 0.25 * 0.25;
        assert!((evaluated(&position(&[6], &[6])) - (won - (1.0 - won))).abs() < 1e-4);
        // With 2-1 the checker reaches the 3-point, and the opponent has one roll.
        let mut rolled = position(&[6], &[6]);
        rolled.roll(2, 1);
        assert!((evaluated(&rolled) + 0.5).abs() < 1e-4);
        let mut rolled = position(&[6], &[6]);
        rolled.roll(6, 1);
        assert_eq!(evaluated(&rolled), 1.0);
    }

    #[test]
    fn a_side_without_a_checker_off_may_lose_a_gammon() {
        let all_home: Vec<usize> = (0..15).map(|checker| 1 + checker % 6).collect();
        let far: Vec<usize> = (0..15).map(|checker| 13 + checker % 3).collect();
        assert!(evaluated(&position(&[1, 1], &far)) > 1.95);
        assert!(evaluated(&position(&[1, 1], &all_home)) > 1.95, "the opponent has no roll");
        assert!(evaluated(&position(&far, &all_home)) < -1.0);
    }

    /// The exact expected points of the player to move, by full expansion.
    fn exact(game: &Backgammon, known: &mut FxHashMap<u64, f32>) -> f32 {
        if let Stage::Over { winner, size } = game.stage {
            let sign = if winner == game.mover { 1.0 } else { -1.0 };
            return sign * f32::from(size);
        }
        if let Some(&value) = known.get(&game.key()) {
            return value;
        }
        let mut after = |action: Action| {
            let mut next = *game;
            next.apply(action);
            let value = exact(&next, known);
            if next.mover == game.mover { value } else { -value }
        };
        let value = if game.stage == Stage::Roll {
            let rolls = (0..ROLLS).map(|number| {
                let (high, low) = roll_of(number);
                after(Action(number)) * if high == low { 1.0 } else { 2.0 } / 36.0
            });
            rolls.sum()
        } else {
            choices(game).into_iter().map(after).fold(f32::NEG_INFINITY, f32::max)
        };
        known.insert(game.key(), value);
        value
    }

    /// Compares all positions of one or two checkers a side, before and after every roll,
    /// with their exact values.
    #[test]
    fn positions_of_two_checkers_are_exact() {
        let sides: Vec<Vec<usize>> = (1..=6)
            .flat_map(|low| {
                let two = (low..=6).map(move |high| vec![low, high]);
                std::iter::once(vec![low]).chain(two)
            })
            .collect();
        let mut known = FxHashMap::default();
        let mut worst = 0.0f32;
        for (mine, theirs) in sides.iter().flat_map(|mine| sides.iter().map(move |t| (mine, t))) {
            let rolling = position(mine, theirs);
            let rolled = (0..ROLLS).map(|number| {
                let mut game = rolling;
                game.apply(Action(number));
                game
            });
            for game in
                rolled.chain([rolling]).filter(|game| !matches!(game.stage, Stage::Over { .. }))
            {
                worst = worst.max((evaluated(&game) - exact(&game, &mut known)).abs());
            }
        }
        assert!(worst < 1e-4, "{worst}");
    }

    /// Games that are decided by the cube: both sides act as the evaluation says.
    #[test]
    fn the_cube_is_handled_by_value() {
        let with_cube = |mine: &[usize], theirs: &[usize]| {
            let mut game = position(mine, theirs);
            game.highest_cube = Cube::try_from(64).unwrap().0;
            game.stage = Stage::CubeDecision;
            game
        };
        let value = |game: &Backgammon, action: Action| {
            let mut next = *game;
            next.apply(action);
            next.evaluate()[0]
        };
        // 19 of 36 rolls win.
        let mut last = with_cube(&[2, 5], &[1]);
        last.apply(DOUBLE);
        assert!(value(&last, TAKE) < value(&last, DROP), "seat 1 takes");
        // Every roll wins.
        let mut hopeless = with_cube(&[1, 1], &[1]);
        hopeless.apply(DOUBLE);
        assert!(value(&hopeless, TAKE) > value(&hopeless, DROP), "seat 1 drops");
        assert_eq!(hopeless.mover, Player(0));
    }
}
