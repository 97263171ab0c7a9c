//! Elo ratings of a pool: the Bradley-Terry model (1952) by maximum likelihood, with covariances.

use serde::Serialize;

use crate::{Interval, Z};

/// The result of the games between two bots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pairing {
    /// The bots, by number.
    pub bots: [usize; 2],
    /// Games between them.
    pub games: f64,
    /// Points of the first: 1 for a win, a half for a draw.
    pub points: f64,
}

/// The ratings of a pool.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratings {
    /// One rating per bot.
    pub elo: Vec<Rating>,
    /// Covariances of the ratings, row by row; those of the anchor are 0.
    #[serde(skip)]
    pub covariance: Vec<Vec<f64>>,
    /// Whether a drawn game was added to every pair of bots, because the ratings of bots that
    /// won or lost every game are unbounded.
    pub drawn_games_added: bool,
}

/// The rating of one bot.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// Elo above the anchor.
    pub elo: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// Its 95 % confidence interval.
    #[serde(flatten)]
    pub interval: Interval,
}

/// The natural log odds of one Elo.
const SCALE: f64 = std::f64::consts::LN_10 / 400.0;

/// Returns the expected score at a difference of `elo`.
///
/// ```
/// assert_eq!(meeple_stats::expected_score(0.0), 0.5);
/// assert!((meeple_stats::expected_score(400.0) - 10.0 / 11.0).abs() < 1e-12);
/// ```
#[must_use]
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo * SCALE).exp())
}

/// Returns the Elo difference of a score; infinite at 0 and 1.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    (score / (1.0 - score)).ln() / SCALE
}

/// Rates `bots` bots by the Bradley-Terry model, with a draw as half a win, such that `anchor`
/// has rating 0.
///
/// ```
/// use meeple_stats::{Pairing, rate};
///
/// let pairings = [Pairing { bots: [0, 1], games: 110.0, points: 10.0 }];
/// let ratings = rate(2, &pairings, 0);
/// assert!((ratings.elo[1].elo - 400.0).abs() < 1e-6);
/// ```
///
/// # Panics
///
/// Panics when `anchor` or a pairing names a bot that is none of them.
#[must_use]
pub fn rate(bots: usize, pairings: &[Pairing], anchor: usize) -> Ratings {
    assert!(anchor < bots, "the anchor is one of the bots");
    let mut pairings = pairings.to_vec();
    let drawn_games_added = !is_bounded(bots, &pairings);
    if drawn_games_added {
        for second in 1..bots {
            pairings.extend((0..second).map(|first| Pairing {
                bots: [first, second],
                games: 1.0,
                points: 0.5,
            }));
        }
    }
    let free: Vec<usize> = (0..bots).filter(|&bot| bot != anchor).collect();
    let strengths = maximize(bots, &pairings, &free);
    let inverse = invert(&information(&pairings, &strengths, &free));
    let mut covariance = vec![vec![0.0; bots]; bots];
    for (row, &first) in free.iter().enumerate() {
        for (column, &second) in free.iter().enumerate() {
            covariance[first][second] = inverse[row][column] / (SCALE * SCALE);
        }
    }
    let elo = (0..bots).map(|bot| {
        let elo = strengths[bot] / SCALE;
        let standard_error = covariance[bot][bot].max(0.0).sqrt();
        let interval =
            Interval { ci_low: elo - Z * standard_error, ci_high: elo + Z * standard_error };
        Rating { elo, standard_error, interval }
    });
    Ratings { elo: elo.collect(), covariance, drawn_games_added }
}

impl Ratings {
    /// How likely `first` is stronger than `second`.
    #[must_use]
    pub fn superiority(&self, first: usize, second: usize) -> f64 {
        let cov = &self.covariance;
        let variance = cov[first][first] + cov[second][second] - 2.0 * cov[first][second];
        let difference = self.elo[first].elo - self.elo[second].elo;
        if variance <= 0.0 { 0.5 } else { super::normal_cdf(difference / variance.sqrt()) }
    }
}

/// Whether the likelihood has a maximum: whether every bot took points from
/// every other, directly or through others.
fn is_bounded(bots: usize, pairings: &[Pairing]) -> bool {
    let reaches = |forwards: bool| {
        let mut seen = vec![false; bots];
        let mut open = vec![0];
        seen[0] = true;
        while let Some(bot) = open.pop() {
            for Pairing { bots: [first, second], games, points } in pairings.iter().copied() {
                let edges = [(first, second, points), (second, first, games - points)];
                for (winner, loser, won) in edges {
                    let (from, to) = if forwards { (winner, loser) } else { (loser, winner) };
                    if from == bot && won > 0.0 && !seen[to] {
                        seen[to] = true;
                        open.push(to);
                    }
                }
            }
        }
        seen.into_iter().all(|seen| seen)
    };
    reaches(true) && reaches(false)
}

/// Newton's method on the log-likelihood, which has one maximum.
fn maximize(bots: usize, pairings: &[Pairing], free: &[usize]) -> Vec<f64> {
    let mut strengths = vec![0.0; bots];
    for _ in 0..200 {
        let mut slope = vec![0.0; bots];
        for pairing in pairings {
            let [first, second] = pairing.bots;
            let expected = win(strengths[first] - strengths[second]) * pairing.games;
            slope[first] += pairing.points - expected;
            slope[second] -= pairing.points - expected;
        }
        let inverse = invert(&information(pairings, &strengths, free));
        let mut largest = 0.0f64;
        for (row, &bot) in free.iter().enumerate() {
            let step: f64 = free.iter().zip(&inverse[row]).map(|(&at, x)| x * slope[at]).sum();
            // A step of more than this would leave where the model is curved.
            let step = step.clamp(-2.0, 2.0);
            strengths[bot] += step;
            largest = largest.max(step.abs());
        }
        if largest < 1e-13 {
            break;
        }
    }
    strengths
}

fn win(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// The information of the games about the free strengths.
fn information(pairings: &[Pairing], strengths: &[f64], free: &[usize]) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; free.len()]; free.len()];
    let place = |bot: usize| free.iter().position(|&other| other == bot);
    for pairing in pairings {
        let [first, second] = pairing.bots;
        let chance = win(strengths[first] - strengths[second]);
        let weight = pairing.games * chance * (1.0 - chance);
        let places = [place(first), place(second)];
        for row in places.into_iter().flatten() {
            matrix[row][row] += weight;
        }
        if let [Some(row), Some(column)] = places {
            matrix[row][column] -= weight;
            matrix[column][row] -= weight;
        }
    }
    matrix
}

/// The inverse of a positive definite matrix, by Gauss and Jordan.
fn invert(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let mut left = matrix.to_vec();
    let mut right: Vec<Vec<f64>> =
        (0..size).map(|row| (0..size).map(|at| f64::from(u8::from(at == row))).collect()).collect();
    for pivot in 0..size {
        let best = (pivot..size)
            .max_by(|&a, &b| left[a][pivot].abs().total_cmp(&left[b][pivot].abs()))
            .unwrap_or(pivot);
        left.swap(pivot, best);
        right.swap(pivot, best);
        let divisor = left[pivot][pivot];
        for at in 0..size {
            left[pivot][at] /= divisor;
            right[pivot][at] /= divisor;
        }
        for row in (0..size).filter(|&row| row != pivot) {
            let factor = left[row][pivot];
            for at in 0..size {
                left[row][at] -= factor * left[pivot][at];
                right[row][at] -= factor * right[pivot][at];
            }
        }
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_rng::Rng;

    fn pairing(first: usize, second: usize, games: f64, points: f64) -> Pairing {
        Pairing { bots: [first, second], games, points }
    }

    #[track_caller]
    fn close(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() < within, "{found} is not {expected}");
    }

    /// The optimum that scipy's minimizer finds, and errors by numpy's inverse.
    #[test]
    fn ratings_are_those_of_another_optimizer() {
        let pairings = [
            pairing(0, 1, 100.0, 62.5),
            pairing(0, 2, 80.0, 30.0),
            pairing(1, 2, 120.0, 41.0),
            pairing(0, 3, 10.0, 9.5),
            pairing(2, 3, 50.0, 38.0),
        ];
        let ratings = rate(4, &pairings, 0);
        assert!(!ratings.drawn_games_added);
        for (bot, (elo, error)) in [
            (0.0, 0.0),
            (-74.252_860, 29.115_764),
            (52.543_284, 29.968_207),
            (-188.769_78, 60.368_96),
        ]
        .into_iter()
        .enumerate()
        {
            close(ratings.elo[bot].elo, elo, 1e-4);
            close(ratings.elo[bot].standard_error, error, 1e-4);
        }
        close(ratings.covariance[1][2], 470.880_32, 1e-3);
    }

    /// What is rated against another anchor is the same but for a shift.
    #[test]
    fn anchors_shift_all_alike() {
        let pairings =
            [pairing(0, 1, 50.0, 20.0), pairing(1, 2, 50.0, 35.0), pairing(0, 2, 9.0, 5.0)];
        let (first, last) = (rate(3, &pairings, 0), rate(3, &pairings, 2));
        let shift = first.elo[2].elo;
        for bot in 0..3 {
            close(first.elo[bot].elo - shift, last.elo[bot].elo, 1e-8);
        }
        close(first.superiority(1, 2), last.superiority(1, 2), 1e-9);
        close(first.superiority(1, 2) + first.superiority(2, 1), 1.0, 1e-12);
    }

    #[test]
    fn a_bot_that_won_everything_has_a_bound() {
        let ratings = rate(2, &[pairing(0, 1, 20.0, 20.0)], 1);
        assert!(ratings.drawn_games_added);
        // 20.5 of 21 points.
        close(ratings.elo[0].elo, elo_of_score(20.5 / 21.0), 1e-6);
    }

    /// Games of a pool with known strengths lead back to them.
    #[test]
    fn known_strengths_are_found_again() {
        let truth = [0.0, 150.0, -80.0, 320.0, 40.0];
        let (mut outside, mut asked) = (0, 0);
        for seed in 0..40 {
            let mut rng = Rng::new(seed);
            let mut pairings = Vec::new();
            for second in 1..truth.len() {
                for first in 0..second {
                    let chance = expected_score(truth[first] - truth[second]);
                    let won = (0..400).filter(|_| rng.unit() < chance).count();
                    pairings.push(pairing(first, second, 400.0, won as f64));
                }
            }
            let ratings = rate(truth.len(), &pairings, 0);
            for (bot, &elo) in truth.iter().enumerate().skip(1) {
                close(ratings.elo[bot].elo, elo, 60.0);
                let Interval { ci_low, ci_high } = ratings.elo[bot].interval;
                asked += 1;
                outside += u32::from(!(ci_low..=ci_high).contains(&elo));
            }
        }
        // 5 of 100 intervals miss; 160 of them, more than 20 hardly ever.
        assert!((1..=20).contains(&outside), "{outside} of {asked} intervals miss");
    }
}
