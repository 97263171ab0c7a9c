//! What a race is worth: positions in which the men have passed each other.

use super::bearoff::{self, Home, ROLLS};
use super::board::{Board, MEN, POINTS};
use super::{Backgammon, Stage};

/// Pips of an average roll, doubles counted four times.
const PIPS_A_ROLL: f32 = 49.0 / 6.0;

/// How many rolls something takes.
#[derive(Clone, Copy)]
enum Rolls {
    /// The chance of every number.
    Exact(&'static [f32; ROLLS]),
    /// A normal distribution.
    About { mean: f32, deviation: f32 },
}

impl Rolls {
    /// What is left to do from a home board, with `pips` to bring the men there.
    fn to_clear(home: &Home, pips: f32) -> Self {
        match bearoff::distribution(home).filter(|_| pips == 0.0) {
            Some(chances) => Self::Exact(chances),
            None => Self::about(bearoff::mean(home) + pips / PIPS_A_ROLL),
        }
    }

    /// A number of rolls of which the mean is known. The deviation is that of the
    /// table of bear-offs and, for longer races, that of a sum of rolls.
    fn about(mean: f32) -> Self {
        let mean = mean.max(0.0);
        let deviation = (0.13 + 0.12 * mean).min(0.53 * mean.sqrt()).max(0.1);
        Self::About { mean, deviation }
    }

    /// The chance of `count` rolls or more.
    fn at_least(self, count: usize) -> f32 {
        match self {
            Self::Exact(chances) => chances[count.min(ROLLS)..].iter().sum(),
            // Nobody is done before the first roll.
            Self::About { .. } if count <= 1 => 1.0,
            Self::About { mean, deviation } => normal((mean - count as f32 + 0.5) / deviation),
        }
    }

    /// The chance to be done first, for whoever rolls first.
    fn beat(self, other: Self) -> f32 {
        match (self, other) {
            (Self::Exact(chances), _) => {
                let parts = chances.iter().enumerate();
                parts.map(|(count, chance)| chance * other.at_least(count)).sum()
            }
            (_, Self::Exact(chances)) => {
                let parts = chances.iter().enumerate();
                parts.map(|(count, chance)| chance * (1.0 - self.at_least(count + 1))).sum()
            }
            (Self::About { mean, deviation }, Self::About { mean: other, deviation: of_other }) => {
                normal((other - mean + 0.5) / deviation.hypot(of_other))
            }
        }
    }
}

/// The normal distribution, near enough.
fn normal(deviations: f32) -> f32 {
    1.0 / (1.0 + (-1.702 * deviations).exp())
}

/// The home board of `side` with the men that are still outside on its last point,
/// and the pips that bring them there.
fn home_of(board: &Board, side: usize) -> (Home, u16) {
    let mut home: Home = std::array::from_fn(|point| board.men(side, point));
    let mut pips = 0;
    for point in bearoff::POINTS..POINTS {
        let men = board.men(side, point);
        home[bearoff::POINTS - 1] += men;
        pips += u16::from(men) * (point + 1 - bearoff::POINTS) as u16;
    }
    (home, pips)
}

impl Backgammon {
    /// What the rest of the game is worth to the mover in points, if it is a race.
    pub(super) fn race(&self) -> Option<f32> {
        let [one, other] = [0, 1].map(|side| self.board.highest(side));
        if one + other >= POINTS - 1 || matches!(self.stage, Stage::Opening | Stage::Over { .. }) {
            return None;
        }
        let mover = self.mover.index();
        let (mine, theirs) = (self.left_of(mover), self.left_of(1 - mover));
        // With dice on the table the roll is under way, and the other rolls next.
        let value = if self.stage == Stage::Move {
            -points(&theirs, &mine)
        } else {
            points(&mine, &theirs)
        };
        Some(value)
    }

    /// What `side` has left to do, the dice on the table played if they are its.
    fn left_of(&self, side: usize) -> Left {
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
        let has_off = self.board.off(side) > 0 || home.iter().sum::<u8>() < MEN;
        // The first man off: once the others are home, the next roll brings it.
        let first_off = (!has_off).then(|| Rolls::about(1.0 + pips.max(0.0) / PIPS_A_ROLL));
        Left { rolls: Rolls::to_clear(&home, pips), first_off, is_clear }
    }
}

/// What a side has left to do.
struct Left {
    rolls: Rolls,
    /// The rolls until it cannot lose double any more; nothing if it cannot.
    first_off: Option<Rolls>,
    is_clear: bool,
}

/// The mean points for the side that rolls first.
fn points(first: &Left, second: &Left) -> f32 {
    if second.is_clear {
        return -1.0 - f32::from(u8::from(first.first_off.is_some()));
    }
    let won = first.rolls.beat(second.rolls);
    let won_double = second.first_off.map_or(0.0, |rolls| first.rolls.beat(rolls).min(won));
    let lost = 1.0 - won;
    let lost_double =
        first.first_off.map_or(0.0, |rolls| (1.0 - rolls.beat(second.rolls)).min(lost));
    won + won_double - lost - lost_double
}

#[cfg(test)]
mod tests {
    use meeple_game::{Action, Game, Player, choices};
    use rustc_hash::FxHashMap;

    use super::super::board::Dice;
    use super::super::ids::{THROWS, throw_of};
    use super::super::{Options, Stage};
    use super::*;

    /// A board with men on these points, numbered from 1, before a throw.
    fn position(mine: &[usize], theirs: &[usize]) -> Backgammon {
        let mut game = Backgammon::new(&Options::default());
        game.board = Board::empty();
        mine.iter().for_each(|point| game.board.put(0, point - 1));
        theirs.iter().for_each(|point| game.board.put(1, point - 1));
        game.stage = Stage::Roll;
        game
    }

    /// The mean points of the mover by the estimate.
    fn estimated(game: &Backgammon) -> f32 {
        3.0 * game.estimate().unwrap()[game.mover.index()]
    }

    #[test]
    fn the_last_men_have_exact_values() {
        assert_eq!(estimated(&position(&[1, 1], &[1, 1])), 1.0);
        assert_eq!(estimated(&position(&[1], &[1, 1, 1])), 1.0);
        // 27 of 36 throws take a man off from the sixth point, and then the next
        // one does: 3/4 at once, or 1/4 that neither can.
        let won = 0.75 + 0.25 * 0.25;
        assert!((estimated(&position(&[6], &[6])) - (won - (1.0 - won))).abs() < 1e-4);
        // With 2-1 on the table the man gets to the third point, and the other
        // has one throw.
        let mut thrown = position(&[6], &[6]);
        thrown.throw(2, 1);
        assert!((estimated(&thrown) + 0.5).abs() < 1e-4);
        let mut thrown = position(&[6], &[6]);
        thrown.throw(6, 1);
        assert_eq!(estimated(&thrown), 1.0);
    }

    #[test]
    fn a_side_without_a_man_off_may_lose_double() {
        let all_home: Vec<usize> = (0..15).map(|man| 1 + man % 6).collect();
        let far: Vec<usize> = (0..15).map(|man| 13 + man % 3).collect();
        assert!(estimated(&position(&[1, 1], &far)) > 1.99);
        assert!(estimated(&position(&[1, 1], &all_home)) > 1.99, "no throw comes in between");
        // A double takes three men off before the other has a throw.
        let points = estimated(&position(&[1, 1, 1], &all_home));
        assert!((points - 1.0 - 1.0 / 6.0).abs() < 0.05, "{points}");
        assert!(estimated(&position(&far, &all_home)) < -1.0);
    }

    /// What a position is worth to the mover by the rules alone.
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
            let throws = (0..THROWS).map(|number| {
                let (high, low) = throw_of(number);
                after(Action(number)) * if high == low { 1.0 } else { 2.0 } / 36.0
            });
            throws.sum()
        } else {
            choices(game).into_iter().map(after).fold(f32::NEG_INFINITY, f32::max)
        };
        known.insert(game.key(), value);
        value
    }

    /// Every ending of one or two men a side, before and after every throw, against
    /// the rules: counting rolls is nearly all there is.
    #[test]
    fn endings_of_two_men_are_known() {
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
            let thrown = (0..THROWS).map(|number| {
                let mut game = rolling;
                game.apply(Action(number));
                game
            });
            for game in
                thrown.chain([rolling]).filter(|game| !matches!(game.stage, Stage::Over { .. }))
            {
                worst = worst.max((estimated(&game) - exact(&game, &mut known)).abs());
            }
        }
        assert!(worst < 0.02, "{worst}");
    }

    /// Races of all men, by playing them out many times so as to need few rolls.
    #[test]
    fn long_races_are_about_right() {
        let mut rng = meeple_game::Rng::new(5);
        let mut list = meeple_game::ActionList::new();
        let spread = |first: usize| -> Vec<usize> { (0..15).map(|man| first + man % 5).collect() };
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
                        (1e4 * (bearoff::mean(&home) + f32::from(pips) / PIPS_A_ROLL)) as u32
                    };
                    game.apply(*list.iter().min_by_key(rolls).unwrap());
                }
                let Stage::Over { winner, size } = game.stage else { unreachable!() };
                sum += if winner == Player(0) { f32::from(size) } else { -f32::from(size) };
            }
            let (found, expected) = (estimated(&start), sum / 400.0);
            assert!((found - expected).abs() < 0.15, "{found}, played {expected}");
        }
    }

    #[test]
    fn dice_that_are_left_are_listed() {
        assert_eq!(Dice::new(3, 3).without(3).list()[..], [3, 3, 3]);
        assert_eq!(Dice::new(5, 2).list()[..], [2, 5]);
        assert_eq!(Dice::new(5, 2).without(5).list()[..], [2]);
    }
}
