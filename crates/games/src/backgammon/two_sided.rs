//! Two-sided bear-off database: the exact probability that the side on roll bears off first, when
//! both sides play to win and have few checkers left.

use std::sync::OnceLock;

use super::bearoff::{self, Home, all, boards_of, pips};
use super::ids::{ROLLS, roll_of};

/// The maximum number of checkers of each side.
const MOST: u8 = 6;
const BOARDS: usize = boards_of(MOST);

/// The probability that the side on roll wins, if the position is in the database.
pub(super) fn win(mine: &Home, theirs: &Home) -> Option<f32> {
    static TABLE: OnceLock<Vec<f32>> = OnceLock::new();
    let is_few = |home: &Home| home.iter().sum::<u8>() <= MOST;
    if !is_few(mine) || !is_few(theirs) {
        return None;
    }
    let table = TABLE.get_or_init(build);
    Some(table[BOARDS * bearoff::index(mine) + bearoff::index(theirs)])
}

/// The boards after each roll.
fn plays(home: &Home) -> Vec<Vec<u16>> {
    let boards = (0..ROLLS).map(roll_of).map(|(high, low)| {
        let mut ends = Vec::new();
        let (high, low) = (usize::from(high), usize::from(low));
        if high == low {
            play(home, &[high; 4], &mut ends);
        } else {
            play(home, &[high, low], &mut ends);
            play(home, &[low, high], &mut ends);
        }
        ends.sort_unstable();
        ends.dedup();
        ends.iter().map(|end| bearoff::index(end) as u16).collect()
    });
    boards.collect()
}

/// Adds the boards after playing `dice` in this order.
fn play(home: &Home, dice: &[usize], ends: &mut Vec<Home>) {
    let highest = home.iter().rposition(|&checkers| checkers > 0);
    let (Some((&die, rest)), Some(highest)) = (dice.split_first(), highest) else {
        return ends.push(*home);
    };
    for from in (0..=highest).filter(|&from| from + 1 >= die || from == highest) {
        if home[from] > 0 {
            let mut next = *home;
            next[from] -= 1;
            if from >= die {
                next[from - die] += 1;
            }
            play(&next, rest, ends);
        }
    }
}

/// Every pair is computed from pairs with fewer pips.
fn build() -> Vec<f32> {
    let boards = all(MOST);
    let mut by_pips: Vec<Vec<&Home>> = Vec::new();
    for home in &boards {
        by_pips.resize_with(pips(home) as usize + 1, Vec::new);
        by_pips[pips(home) as usize].push(home);
    }
    let mut ends = vec![Vec::new(); BOARDS];
    for home in &boards {
        ends[bearoff::index(home)] = plays(home);
    }
    let mut table = vec![0.0f32; BOARDS * BOARDS];
    // The side on roll has lost if the other one is done.
    for total in 1..2 * by_pips.len() - 1 {
        for own in total.saturating_sub(by_pips.len() - 1)..by_pips.len().min(total + 1) {
            for mine in by_pips[own].iter().map(|home| bearoff::index(home)) {
                for theirs in by_pips[total - own].iter().map(|home| bearoff::index(home)) {
                    table[BOARDS * mine + theirs] = match (own, total - own) {
                        (0, _) => 1.0,
                        (_, 0) => 0.0,
                        _ => after_roll(&table, &ends[mine], theirs),
                    };
                }
            }
        }
    }
    table
}

/// The probability of winning with the best play of every roll.
fn after_roll(table: &[f32], plays: &[Vec<u16>], theirs: usize) -> f32 {
    let row = &table[BOARDS * theirs..][..BOARDS];
    let mut won = 0.0;
    for ((high, low), ends) in (0..ROLLS).map(roll_of).zip(plays) {
        // A board is left for the opponent, who then is on roll; the empty one is a win.
        let lost = |&end: &u16| if end == 0 { 0.0 } else { row[usize::from(end)] };
        let least = ends.iter().map(lost).fold(1.0, f32::min);
        won += (1.0 - least) * if high == low { 1.0 } else { 2.0 };
    }
    won / 36.0
}

#[cfg(test)]
mod tests {
    use super::super::bearoff::POINTS;
    use super::*;

    #[test]
    fn the_last_checkers_have_published_values() {
        let home = |points: &[usize]| {
            let mut home = [0; POINTS];
            points.iter().for_each(|point| home[point - 1] += 1);
            home
        };
        for (mine, theirs, expected) in [
            (home(&[1, 1]), home(&[1, 1]), 1.0),
            (home(&[1]), home(&[6, 6, 6]), 1.0),
            // 27 of 36 rolls bear off a checker from the 6-point.
            (home(&[6]), home(&[1]), 0.75),
            (home(&[6]), home(&[6]), 0.75 + 0.25 * 0.25),
            (home(&[2, 5]), home(&[1]), 19.0 / 36.0),
        ] {
            let found = win(&mine, &theirs).unwrap();
            assert!((found - expected).abs() < 1e-6, "{mine:?} {theirs:?}: {found}");
        }
        assert_eq!(win(&[7, 0, 0, 0, 0, 0], &[1, 0, 0, 0, 0, 0]), None);
    }

    /// The one-sided database errs only where the right play depends on the opponent.
    #[test]
    fn the_one_sided_database_agrees_nearly() {
        let one_sided = bearoff::database();
        let (mut worst, mut sum, mut count) = (0.0f32, 0.0, 0u32);
        for mine in &all(4)[1..] {
            for theirs in &all(4)[1..] {
                let (exact, rough) = (win(mine, theirs).unwrap(), one_sided.beats(mine, theirs));
                worst = worst.max((exact - rough).abs());
                sum += (exact - rough).abs();
                count += 1;
            }
        }
        assert!(worst < 0.02, "{worst}");
        assert!(sum / (count as f32) < 1e-3, "{}", sum / count as f32);
    }
}
