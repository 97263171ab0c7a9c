//! One-sided bear-off database: the distribution of the number of rolls to bear off from every
//! home board, when each roll is played to minimize the mean number of rolls.

use std::sync::OnceLock;

use super::board::CHECKERS;
use super::ids::{ROLLS, roll_of};

/// The points of a home board.
pub(super) const POINTS: usize = 6;
/// The checkers on each point of a home board, from the ace point.
pub(super) type Home = [u8; POINTS];
/// One more than the maximum number of rolls.
pub(super) const MAX_ROLLS: usize = 32;
/// The probability of each number of rolls.
pub(super) type Distribution = [f32; MAX_ROLLS];

/// `choose(n, k)` for small numbers.
const fn choose(n: usize, k: usize) -> usize {
    let (mut all, mut at) = (1, 0);
    while at < k {
        all = all * (n - at) / (at + 1);
        at += 1;
    }
    all
}

/// `CHOOSE[k][n]` is `choose(n, k + 1)`, 0 for `n <= k`.
static CHOOSE: [[u32; 24]; POINTS] = {
    let mut table = [[0; 24]; POINTS];
    let mut k = 0;
    while k < POINTS {
        let mut n = k + 1;
        while n < 24 {
            table[k][n] = choose(n, k + 1) as u32;
            n += 1;
        }
        k += 1;
    }
    table
};

/// The number of home boards of up to `most` checkers.
pub(super) const fn boards_of(most: u8) -> usize {
    choose(most as usize + POINTS, POINTS)
}

/// The index of a home board in the combinatorial number system; boards with fewer checkers
/// come first.
pub(super) fn index(home: &Home) -> usize {
    let (mut checkers, mut index) = (0, 0);
    for (point, &here) in home.iter().enumerate() {
        checkers += usize::from(here);
        index += CHOOSE[point][checkers + point] as usize;
    }
    index
}

/// The database.
pub(super) struct Database {
    rolls: Vec<Distribution>,
}

/// The database, built at first use.
pub(super) fn database() -> &'static Database {
    static DATABASE: OnceLock<Database> = OnceLock::new();
    DATABASE.get_or_init(Database::build)
}

impl Database {
    /// The probability of each number of rolls.
    pub(super) fn rolls(&self, home: &Home) -> &Distribution {
        &self.rolls[index(home)]
    }

    /// The probability that `first`, which rolls first, bears off before `second`.
    pub(super) fn beats(&self, first: &Home, second: &Home) -> f32 {
        let (first, second) = (self.rolls(first), self.rolls(second));
        // The probability that `second` needs at least as many rolls.
        let mut at_least = 1.0;
        let mut won = 0.0;
        for (mine, theirs) in first.iter().zip(second) {
            won += mine * at_least;
            at_least -= theirs;
        }
        won.clamp(0.0, 1.0)
    }

    /// Every board is computed from those with fewer pips. `after[die][times]` is the best board
    /// after playing a die once up to four times, so that a roll looks at one checker move only.
    fn build() -> Self {
        let boards = all(CHECKERS);
        let mut means = vec![0.0f64; boards.len()];
        let mut rolls = vec![[0.0f64; MAX_ROLLS]; boards.len()];
        let mut after = vec![[[0u16; 4]; 6]; boards.len()];
        rolls[0][0] = 1.0;
        for home in &boards[1..] {
            let own = index(home);
            let moves: [Moves; 6] = std::array::from_fn(|die| Moves::of(home, die + 1));
            let better = |one: u16, other: u16| {
                if means[usize::from(other)] < means[usize::from(one)] { other } else { one }
            };
            for (die, moves) in moves.iter().enumerate() {
                let mut best = [0; 4];
                for (times, best) in best.iter_mut().enumerate() {
                    let ends = moves.iter().map(|next| match times {
                        0 => next,
                        _ => after[usize::from(next)][die][times - 1],
                    });
                    *best = ends.reduce(better).expect("every die can be played");
                }
                after[own][die] = best;
            }
            let mut now = [0.0; MAX_ROLLS];
            for (high, low) in (0..ROLLS).map(roll_of) {
                let dice = [usize::from(high) - 1, usize::from(low) - 1];
                let (end, probability) = if high == low {
                    (after[own][dice[0]][3], 1.0 / 36.0)
                } else {
                    let play = |first: usize, second: usize| {
                        let ends =
                            moves[first].iter().map(|next| after[usize::from(next)][second][0]);
                        ends.reduce(better).expect("every die can be played")
                    };
                    (better(play(dice[0], dice[1]), play(dice[1], dice[0])), 2.0 / 36.0)
                };
                let later = &rolls[usize::from(end)];
                for (now, later) in now[1..].iter_mut().zip(later) {
                    *now += probability * later;
                }
            }
            means[own] = (0u32..).zip(&now).map(|(count, p)| f64::from(count) * p).sum();
            rolls[own] = now;
        }
        Self { rolls: rolls.into_iter().map(|rolls| rolls.map(|p| p as f32)).collect() }
    }
}

/// The boards after one checker move. The empty board stays as it is.
struct Moves {
    ends: [u16; POINTS],
    count: usize,
}

impl Moves {
    /// Plays `die` exactly, from a higher point, or else with the rearmost checker.
    fn of(home: &Home, die: usize) -> Self {
        let mut moves = Self { ends: [0; POINTS], count: 0 };
        let Some(highest) = home.iter().rposition(|&checkers| checkers > 0) else {
            moves.count = 1;
            return moves;
        };
        for from in (0..=highest).rev() {
            if home[from] == 0 || (from + 1 < die && from != highest) {
                continue;
            }
            let mut next = *home;
            next[from] -= 1;
            if from >= die {
                next[from - die] += 1;
            }
            moves.ends[moves.count] = index(&next) as u16;
            moves.count += 1;
        }
        moves
    }

    fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        self.ends[..self.count].iter().copied()
    }
}

/// All home boards of up to `most` checkers, by ascending pip count: every play leads to an
/// earlier board.
pub(super) fn all(most: u8) -> Vec<Home> {
    let mut boards = vec![[0; POINTS]];
    for point in 0..POINTS {
        let with = |board: Home| {
            let left = most - board.iter().sum::<u8>();
            (0..=left).map(move |checkers| {
                let mut board = board;
                board[point] = checkers;
                board
            })
        };
        boards = boards.into_iter().flat_map(with).collect();
    }
    boards.sort_by_key(pips);
    boards
}

/// The pip count.
pub(super) fn pips(home: &Home) -> u32 {
    (1u32..).zip(home).map(|(pip, &checkers)| pip * u32::from(checkers)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published chances out of 36 to bear off one or two checkers with one roll.
    #[test]
    fn one_or_two_checkers_in_one_roll() {
        let one = [36, 36, 36, 34, 31, 27];
        let two: [&[u32]; 6] = [
            &[36, 36, 34, 29, 23, 15],
            &[26, 25, 23, 19, 13],
            &[17, 17, 14, 10],
            &[11, 10, 8],
            &[6, 6],
            &[4],
        ];
        let check = |points: &[usize], rolls: u32| {
            let mut home = [0; POINTS];
            points.iter().for_each(|&point| home[point] += 1);
            let found = database().rolls(&home)[1];
            assert!((found * 36.0 - rolls as f32).abs() < 1e-4, "{points:?}: {found}");
        };
        for (point, &rolls) in one.iter().enumerate() {
            check(&[point], rolls);
        }
        for (low, row) in two.iter().enumerate() {
            row.iter().enumerate().for_each(|(more, &rolls)| check(&[low, low + more], rolls));
        }
    }

    #[test]
    fn board_indices_have_no_gaps() {
        let mut numbers: Vec<usize> = all(CHECKERS).iter().map(index).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..54_264).collect::<Vec<_>>());
        assert!(all(6).iter().all(|home| index(home) < boards_of(6)));
    }

    /// The mean number of rolls.
    fn mean(home: &Home) -> f64 {
        let rolls = database().rolls(home);
        (0u32..).zip(rolls).map(|(count, &p)| f64::from(count) * f64::from(p)).sum()
    }

    /// The least mean number of rolls by full expansion of every order of every roll.
    fn least_mean(home: &Home, known: &mut rustc_hash::FxHashMap<Home, f64>) -> f64 {
        fn ends(home: &Home, dice: &[usize], out: &mut Vec<Home>) {
            let Some((&die, rest)) = dice.split_first().filter(|_| *home != [0; POINTS]) else {
                return out.push(*home);
            };
            let can_bear_off_exactly = home[die - 1] > 0;
            let behind = home[die..].iter().any(|&checkers| checkers > 0);
            for from in 0..POINTS {
                let is_rearmost = home[from + 1..].iter().all(|&checkers| checkers == 0);
                let goes = from >= die
                    || from + 1 == die
                    || (is_rearmost && !behind && !can_bear_off_exactly);
                if home[from] > 0 && goes {
                    let mut next = *home;
                    next[from] -= 1;
                    if from >= die {
                        next[from - die] += 1;
                    }
                    ends(&next, rest, out);
                }
            }
        }
        if *home == [0; POINTS] {
            return 0.0;
        }
        if let Some(&mean) = known.get(home) {
            return mean;
        }
        let mut mean = 1.0;
        for first in 1..=6 {
            for second in 1..=6 {
                let mut found = Vec::new();
                if first == second {
                    ends(home, &[first; 4], &mut found);
                } else {
                    ends(home, &[first, second], &mut found);
                    ends(home, &[second, first], &mut found);
                }
                let least = found.iter().map(|end| least_mean(end, known)).fold(99.0, f64::min);
                mean += least / 36.0;
            }
        }
        known.insert(*home, mean);
        mean
    }

    #[test]
    fn means_are_the_least() {
        let mut known = rustc_hash::FxHashMap::default();
        for home in all(5) {
            let (found, expected) = (mean(&home), least_mean(&home, &mut known));
            assert!((found - expected).abs() < 1e-5, "{home:?}: {found}, {expected}");
        }
    }

    #[test]
    fn distributions_are_complete() {
        for home in all(CHECKERS) {
            let rolls = database().rolls(&home);
            let sum: f32 = rolls.iter().sum();
            assert!((sum - 1.0).abs() < 1e-4, "{home:?}: {sum}");
            assert!(rolls.iter().all(|chance| (0.0..=1.0).contains(chance)), "{home:?}");
        }
    }
}
