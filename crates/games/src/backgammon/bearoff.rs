//! One-sided bear-off database: the number of rolls to bear off from the home board
//! without contact.

use std::sync::OnceLock;

use super::ids::{ROLLS, roll_of};

/// The points of a home board.
pub(super) const POINTS: usize = 6;
/// The checkers on each point of a home board, from the ace point.
pub(super) type Home = [u8; POINTS];

/// Up to this number of checkers the full distribution of rolls is computed.
const FEW: u8 = 6;
/// One more than the maximum number of rolls of such a position.
pub(super) const MAX_ROLLS: usize = 16;
/// The mean number of rolls of every home board, in the order of [`index`], in units of
/// [`STEP`] as little-endian `u16`; a test generates and compares it.
static MEANS: &[u8] = include_bytes!("../../data/bearoff.bin");
/// See [`MEANS`].
const STEP: f32 = 1.0 / 4096.0;

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

/// The index of a home board in the combinatorial number system; boards with fewer checkers
/// come first.
fn index(home: &Home) -> usize {
    let (mut checkers, mut index) = (0, 0);
    for (point, &here) in home.iter().enumerate() {
        checkers += usize::from(here);
        index += CHOOSE[point][checkers + point] as usize;
    }
    index
}

/// The mean number of rolls.
pub(super) fn mean(home: &Home) -> f32 {
    let at = 2 * index(home);
    f32::from(u16::from_le_bytes([MEANS[at], MEANS[at + 1]])) * STEP
}

/// The probability of each number of rolls, for at most [`FEW`] checkers.
pub(super) fn distribution(home: &Home) -> Option<&'static [f32; MAX_ROLLS]> {
    static TABLE: OnceLock<Vec<[f32; MAX_ROLLS]>> = OnceLock::new();
    let is_few = home.iter().sum::<u8>() <= FEW;
    is_few.then(|| &TABLE.get_or_init(distributions)[index(home)])
}

fn distributions() -> Vec<[f32; MAX_ROLLS]> {
    let mut table = vec![[0.0f64; MAX_ROLLS]; choose(usize::from(FEW) + POINTS, POINTS)];
    table[0][0] = 1.0;
    for home in all(FEW).into_iter().skip(1) {
        let mut rolls = [0.0; MAX_ROLLS];
        for (dice, probability) in all_rolls() {
            let after = table[index(&best(&home, &dice, &mean))];
            for (now, later) in rolls[1..].iter_mut().zip(after) {
                *now += probability * later;
            }
        }
        table[index(&home)] = rolls;
    }
    table.into_iter().map(|rolls| rolls.map(|probability| probability as f32)).collect()
}

/// All home boards of up to `most` checkers, by ascending pip count: every play leads to an
/// earlier board.
fn all(most: u8) -> Vec<Home> {
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
    let pips =
        |board: &Home| (1u32..).zip(board).map(|(pip, &checkers)| pip * u32::from(checkers)).sum();
    boards.sort_by_key(|board| -> u32 { pips(board) });
    boards
}

/// The dice of each roll, four for doubles, and its probability.
fn all_rolls() -> impl Iterator<Item = (Vec<u8>, f64)> {
    (0..ROLLS).map(roll_of).map(|(high, low)| {
        if high == low { (vec![high; 4], 1.0 / 36.0) } else { (vec![high, low], 2.0 / 36.0) }
    })
}

/// The board after the play of `dice` with the lowest `cost`.
pub(super) fn best(home: &Home, dice: &[u8], cost: &impl Fn(&Home) -> f32) -> Home {
    let one = best_in_order(home, dice, cost);
    let [high, low] = *dice else { return one };
    let other = best_in_order(home, &[low, high], cost);
    if cost(&other) < cost(&one) { other } else { one }
}

/// [`best`] with the dice in the given order. In a bear-off a die can always be played:
/// exactly, from a higher point, or else with the rearmost checker.
fn best_in_order(home: &Home, dice: &[u8], cost: &impl Fn(&Home) -> f32) -> Home {
    let highest = home.iter().rposition(|&checkers| checkers > 0);
    let (Some((&die, later)), Some(highest)) = (dice.split_first(), highest) else { return *home };
    let die = usize::from(die);
    let plays =
        (0..=highest).filter(|&from| home[from] > 0 && (from + 1 >= die || from == highest));
    let after = |from: usize| {
        let mut home = *home;
        home[from] -= 1;
        if from >= die {
            home[from - die] += 1;
        }
        best_in_order(&home, later, cost)
    };
    let boards = plays.map(after);
    boards
        .reduce(|best, board| if cost(&board) < cost(&best) { board } else { best })
        .unwrap_or(*home)
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
            let found = distribution(&home).expect("few checkers")[1];
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
        let mut numbers: Vec<usize> = all(15).iter().map(index).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..choose(21, 6)).collect::<Vec<_>>());
        assert!(all(FEW).iter().all(|home| index(home) < choose(12, 6)));
    }

    #[test]
    fn distributions_match_the_means() {
        for home in all(FEW) {
            let rolls = distribution(&home).expect("few checkers");
            let sum: f32 = rolls.iter().sum();
            let expected: f32 = (0u8..).zip(rolls).map(|(n, p)| f32::from(n) * p).sum();
            assert!((sum - 1.0).abs() < 1e-4, "{home:?}: {sum}");
            assert!((expected - mean(&home)).abs() < 1e-3, "{home:?}: {expected}");
        }
    }

    /// The table results from playing every roll so as to minimize the mean number of
    /// further rolls; `UPDATE=1` writes it.
    #[test]
    fn the_table_of_means_is_up_to_date() {
        let boards = all(15);
        let mut means = vec![0.0f32; boards.len()];
        for home in &boards[1..] {
            let mut mean = 1.0f64;
            for (dice, probability) in all_rolls() {
                let cost = |board: &Home| means[index(board)];
                mean += probability * f64::from(cost(&best(home, &dice, &cost)));
            }
            means[index(home)] = mean as f32;
        }
        let words = means.iter().map(|mean| (mean / STEP).round() as u16);
        let bytes: Vec<u8> = words.flat_map(u16::to_le_bytes).collect();
        if std::env::var_os("UPDATE").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/bearoff.bin");
            std::fs::write(path, &bytes).expect("the folder is there");
        } else {
            assert!(bytes == MEANS, "the table differs: UPDATE=1 writes it");
        }
    }
}
