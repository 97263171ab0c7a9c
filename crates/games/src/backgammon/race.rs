//! Equity of races: positions without further contact.

use super::bearoff::{self, Home, MAX_ROLLS};
use super::board::{Board, CHECKERS, POINTS};
use super::{Backgammon, Stage};

/// The mean number of pips of a roll, with doubles played four times.
const PIPS_PER_ROLL: f32 = 49.0 / 6.0;

/// The distribution of a number of rolls.
#[derive(Clone, Copy)]
enum Rolls {
    /// The probability of every number.
    Exact(&'static [f32; MAX_ROLLS]),
    /// A normal approximation.
    Normal { mean: f32, deviation: f32 },
}

impl Rolls {
    /// The rolls to bear off from a home board, after `pips` to bring the checkers home.
    fn to_bear_off(home: &Home, pips: f32) -> Self {
        match bearoff::distribution(home).filter(|_| pips == 0.0) {
            Some(chances) => Self::Exact(chances),
            None => Self::normal(bearoff::mean(home) + pips / PIPS_PER_ROLL),
        }
    }

    /// A normal distribution with the given mean. The deviation is fitted to the bear-off
    /// table and, for longer races, to a sum of independent rolls.
    fn normal(mean: f32) -> Self {
        let mean = mean.max(0.0);
        let deviation = (0.13 + 0.12 * mean).min(0.53 * mean.sqrt()).max(0.1);
        Self::Normal { mean, deviation }
    }

    /// The probability of `count` rolls or more.
    fn at_least(self, count: usize) -> f32 {
        match self {
            Self::Exact(chances) => chances[count.min(MAX_ROLLS)..].iter().sum(),
            // At least one roll is needed.
            Self::Normal { .. } if count <= 1 => 1.0,
            Self::Normal { mean, deviation } => normal_cdf((mean - count as f32 + 0.5) / deviation),
        }
    }

    /// The probability that `self`, which rolls first, finishes before `other`.
    fn beats(self, other: Self) -> f32 {
        match (self, other) {
            (Self::Exact(chances), _) => {
                let parts = chances.iter().enumerate();
                parts.map(|(count, chance)| chance * other.at_least(count)).sum()
            }
            (_, Self::Exact(chances)) => {
                let parts = chances.iter().enumerate();
                parts.map(|(count, chance)| chance * (1.0 - self.at_least(count + 1))).sum()
            }
            (
                Self::Normal { mean, deviation },
                Self::Normal { mean: other, deviation: of_other },
            ) => {
                // The half roll is the advantage of rolling first.
                normal_cdf((other - mean + 0.5) / deviation.hypot(of_other))
            }
        }
    }
}

/// A logistic approximation of the standard normal distribution function.
fn normal_cdf(deviations: f32) -> f32 {
    1.0 / (1.0 + (-1.702 * deviations).exp())
}

/// The home board of `side`, with checkers outside placed on its 6-point, and the pips that
/// bring them there.
fn home_of(board: &Board, side: usize) -> (Home, u16) {
    let mut home: Home = std::array::from_fn(|point| board.checkers(side, point));
    let mut pips = 0;
    for point in bearoff::POINTS..POINTS {
        let checkers = board.checkers(side, point);
        home[bearoff::POINTS - 1] += checkers;
        pips += u16::from(checkers) * (point + 1 - bearoff::POINTS) as u16;
    }
    (home, pips)
}

impl Backgammon {
    /// The expected points of the player to move, if the position is a race.
    pub(super) fn race(&self) -> Option<f32> {
        let [one, other] = [0, 1].map(|side| self.board.highest(side));
        if one + other >= POINTS - 1 || matches!(self.stage, Stage::Opening | Stage::Over { .. }) {
            return None;
        }
        let mover = self.mover.index();
        let (mine, theirs) = (self.remaining(mover), self.remaining(1 - mover));
        // While dice are being played, the opponent rolls next.
        let value = if self.stage == Stage::Move {
            -expected_points(&theirs, &mine)
        } else {
            expected_points(&mine, &theirs)
        };
        Some(value)
    }

    /// The remaining race of `side`, after it has played its current dice, if any.
    fn remaining(&self, side: usize) -> Remaining {
        let (mut home, pips) = home_of(&self.board, side);
        let mut pips = f32::from(pips);
        let mut is_clear = false;
        if self.stage == Stage::Move && side == self.mover.index() {
            let dice = self.dice.list();
            if pips == 0.0 {
                home = bearoff::best(&home, &dice, &bearoff::mean);
                is_clear = home == Home::default();
            } else {
                pips -= f32::from(dice.iter().sum::<u8>());
            }
        }
        let has_off = self.board.off(side) > 0 || home.iter().sum::<u8>() < CHECKERS;
        // Saving the gammon takes one roll once all checkers are home.
        let first_off = (!has_off).then(|| Rolls::normal(1.0 + pips.max(0.0) / PIPS_PER_ROLL));
        Remaining { rolls: Rolls::to_bear_off(&home, pips), first_off, is_clear }
    }
}

/// The remaining race of one side.
struct Remaining {
    rolls: Rolls,
    /// The rolls until the first checker is off, which saves the gammon; `None` if one is.
    first_off: Option<Rolls>,
    is_clear: bool,
}

/// The expected points of the side that rolls first.
fn expected_points(first: &Remaining, second: &Remaining) -> f32 {
    if second.is_clear {
        return -1.0 - f32::from(u8::from(first.first_off.is_some()));
    }
    let win = first.rolls.beats(second.rolls);
    let win_gammon = second.first_off.map_or(0.0, |rolls| first.rolls.beats(rolls).min(win));
    let loss = 1.0 - win;
    let lose_gammon =
        first.first_off.map_or(0.0, |rolls| (1.0 - rolls.beats(second.rolls)).min(loss));
    win + win_gammon - loss - lose_gammon
}

#[cfg(test)]
mod tests {
    use meeple_game::{Action, Game, Player, choices};
    use rustc_hash::FxHashMap;

    use super::super::board::Dice;
    use super::super::ids::{ROLLS, roll_of};
    use super::super::{Options, Stage};
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
        assert!(evaluated(&position(&[1, 1], &far)) > 1.99);
        assert!(evaluated(&position(&[1, 1], &all_home)) > 1.99, "the opponent has no roll");
        // A double bears off three checkers before the opponent rolls.
        let points = evaluated(&position(&[1, 1, 1], &all_home));
        assert!((points - 1.0 - 1.0 / 6.0).abs() < 0.05, "{points}");
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
    fn positions_of_two_checkers_are_nearly_exact() {
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
        assert!(worst < 0.02, "{worst}");
    }

    /// Compares full races with rollouts that minimize the mean number of rolls.
    #[test]
    fn long_races_match_rollouts() {
        let mut rng = meeple_game::Rng::new(5);
        let mut list = meeple_game::ActionList::new();
        let spread =
            |first: usize| -> Vec<usize> { (0..15).map(|checker| first + checker % 5).collect() };
        for (mine, theirs) in
            [(spread(3), spread(3)), (spread(4), spread(3)), (spread(6), spread(7))]
        {
            let start = position(&mine, &theirs);
            let mut sum = 0.0;
            for _ in 0..400 {
                let mut game = start;
                while !matches!(game.stage, Stage::Over { .. }) {
                    if game.stage == Stage::Roll {
                        game.apply(game.sample_chance(&mut rng));
                        continue;
                    }
                    game.legal_actions(&mut list);
                    let mover = game.mover.index();
                    let rolls = |&&action: &&Action| {
                        let mut next = game;
                        next.apply(action);
                        let (home, pips) = home_of(&next.board, mover);
                        (1e4 * (bearoff::mean(&home) + f32::from(pips) / PIPS_PER_ROLL)) as u32
                    };
                    game.apply(*list.iter().min_by_key(rolls).unwrap());
                }
                let Stage::Over { winner, size } = game.stage else { unreachable!() };
                sum += if winner == Player(0) { f32::from(size) } else { -f32::from(size) };
            }
            let (found, expected) = (evaluated(&start), sum / 400.0);
            assert!((found - expected).abs() < 0.15, "{found}, played {expected}");
        }
    }

    #[test]
    fn remaining_dice_are_listed() {
        assert_eq!(Dice::new(3, 3).without(3).list()[..], [3, 3, 3]);
        assert_eq!(Dice::new(5, 2).list()[..], [2, 5]);
        assert_eq!(Dice::new(5, 2).without(5).list()[..], [2]);
    }
}
