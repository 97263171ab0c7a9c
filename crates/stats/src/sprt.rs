//! The sequential probability ratio test (Wald 1945) between two Elo differences.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::expected_score;

/// The distribution of scores from 0 to 1, of games or of blocks of games.
///
/// With one entry per game (win, draw, loss) the test is the trinomial one; with one entry
/// per pair of games with the same chance events, the pentanomial one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scores {
    counts: BTreeMap<u64, u64>,
}

/// Scores are stored as multiples of the inverse, so that equal scores compare equal: every
/// mean score of a block of up to twelve games is a whole multiple, and one chip of the largest
/// stacks is more than one.
const STEPS: f64 = 27_720e6;

impl Scores {
    /// Counts a score from 0 to 1.
    pub fn add(&mut self, score: f64) {
        *self.counts.entry((score.clamp(0.0, 1.0) * STEPS).round() as u64).or_default() += 1;
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        for (&steps, &count) in &other.counts {
            *self.counts.entry(steps).or_default() += count;
        }
    }

    /// The number of scores.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The scores in ascending order, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (f64, u64)> + '_ {
        self.counts.iter().map(|(&steps, &count)| (steps as f64 / STEPS, count))
    }

    /// The mean score; one half if there is none.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.is_empty() {
            return 0.5;
        }
        self.iter().map(|(score, count)| score * count as f64).sum::<f64>() / self.len() as f64
    }

    /// The variance of one score.
    #[must_use]
    pub fn variance(&self) -> f64 {
        let (mean, len) = (self.mean(), self.len());
        if len < 2 {
            return 0.0;
        }
        let squares = |(score, count): (f64, u64)| (score - mean).powi(2) * count as f64;
        self.iter().map(squares).sum::<f64>() / (len - 1) as f64
    }

    /// The standard error of the mean.
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        (self.variance() / self.len().max(1) as f64).sqrt()
    }
}

/// A sequential probability ratio test between two Elo differences.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The Elo difference of H0.
    pub elo0: f64,
    /// The Elo difference of H1.
    pub elo1: f64,
    /// The probability of a type I error: accepting H1 under H0.
    pub alpha: f64,
    /// The probability of a type II error: accepting H0 under H1.
    pub beta: f64,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Undecided.
    Open,
    /// H0 is accepted.
    AcceptElo0,
    /// H1 is accepted.
    AcceptElo1,
}

impl Sprt {
    /// The bounds of the log-likelihood ratio (LLR) at which the test ends.
    ///
    /// ```
    /// let test = meeple_stats::Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };
    /// let [low, high] = test.bounds();
    /// assert!((low + 2.944).abs() < 0.001 && (high - 2.944).abs() < 0.001);
    /// ```
    #[must_use]
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// The generalized log-likelihood ratio (LLR) of H1 over H0: each hypothesis fixes the
    /// mean score, and the best-fitting distribution with that mean is taken.
    #[must_use]
    pub fn ratio(&self, scores: &Scores) -> f64 {
        if scores.is_empty() {
            return 0.0;
        }
        let distribution = smoothed(scores);
        let total: f64 = distribution.iter().map(|(_, count)| count).sum();
        let [fit0, fit1] =
            [self.elo0, self.elo1].map(|elo| tilt(&distribution, total, expected_score(elo)));
        // Both fits are the counts divided by a factor, so only those differ.
        let [mean0, mean1] = [self.elo0, self.elo1].map(expected_score);
        (distribution.iter())
            .map(|(score, count)| {
                let factor = |fit: f64, mean: f64| 1.0 + fit * (score - mean);
                count * (factor(fit0, mean0) / factor(fit1, mean1)).ln()
            })
            .sum()
    }

    /// The log-likelihood ratio in normalized Elo, for scores that are amounts: of
    /// blocks with `block` games each. Each hypothesis is a mean in units of the
    /// deviation of one game (M. Van den Bergh, "Normalized Elo", 2020).
    #[must_use]
    pub fn normalized_ratio(&self, scores: &Scores, block: f64) -> f64 {
        let deviation = scores.variance().sqrt();
        if deviation == 0.0 {
            return 0.0;
        }
        let found = (scores.mean() - 0.5) / deviation;
        let [fit0, fit1] = [self.elo0, self.elo1].map(|elo| {
            // A game that is won or lost has a deviation of a half.
            let expected = (expected_score(elo) - 0.5) / 0.5 * block.sqrt();
            1.0 + (found - expected).powi(2)
        });
        0.5 * scores.len() as f64 * (fit0 / fit1).ln()
    }

    /// What a log-likelihood ratio says.
    #[must_use]
    pub fn verdict(&self, ratio: f64) -> Verdict {
        let [low, high] = self.bounds();
        match ratio {
            _ if ratio <= low => Verdict::AcceptElo0,
            _ if ratio >= high => Verdict::AcceptElo1,
            _ => Verdict::Open,
        }
    }
}

/// The scores with a trace of every fifth: a score that did not occur yet is
/// unlikely, not impossible.
fn smoothed(scores: &Scores) -> Vec<(f64, f64)> {
    const TRACE: f64 = 1e-3;
    let mut counts: BTreeMap<u64, f64> =
        scores.counts.iter().map(|(&steps, &count)| (steps, count as f64)).collect();
    let quarter = STEPS as u64 / 4;
    let halves = scores.counts.keys().all(|steps| steps.is_multiple_of(2 * quarter));
    for at in (0..=4).step_by(if halves { 2 } else { 1 }) {
        counts.entry(at * quarter).or_insert(TRACE);
    }
    counts.into_iter().map(|(steps, count)| (steps as f64 / STEPS, count)).collect()
}

/// The multiplier with which `count / (1 + multiplier * (score - mean))` is the
/// likeliest distribution of the given mean.
fn tilt(distribution: &[(f64, f64)], total: f64, mean: f64) -> f64 {
    let (lowest, highest) = (distribution[0].0, distribution[distribution.len() - 1].0);
    // Between these every factor is positive; the sum falls from one end to
    // the other.
    let (mut low, mut high) = (-1.0 / (highest - mean), 1.0 / (mean - lowest));
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        let sum: f64 = (distribution.iter())
            .map(|(score, count)| count / total * (score - mean) / (1.0 + middle * (score - mean)))
            .sum();
        if sum > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(counts: &[u64]) -> Scores {
        let mut scores = Scores::default();
        for (at, &count) in counts.iter().enumerate() {
            for _ in 0..count {
                scores.add(at as f64 / (counts.len() - 1) as f64);
            }
        }
        scores
    }

    /// Ratios by scipy: the likeliest distributions under each mean, found by a
    /// general constrained optimizer.
    #[test]
    fn ratios_are_those_of_another_optimizer() {
        for (counts, elo1, expected) in [
            (&[10, 80, 200, 110, 20][..], 10.0, 2.979_692_5),
            (&[38, 400, 900, 380, 30], 5.0, -2.923_167_9),
            (&[300, 400, 330], 10.0, 0.714_451_5),
        ] {
            let test = Sprt { elo0: 0.0, elo1, alpha: 0.05, beta: 0.05 };
            let ratio = test.ratio(&scores(counts));
            assert!((ratio - expected).abs() < 2e-5, "{counts:?}: {ratio}");
        }
    }

    #[test]
    fn verdicts_follow_the_bounds() {
        let test = Sprt { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05 };
        let verdict = |counts: &[u64]| test.verdict(test.ratio(&scores(counts)));
        assert_eq!(verdict(&[0, 0]), Verdict::Open);
        assert_eq!(verdict(&[10, 10, 10, 10, 10]), Verdict::Open);
        assert_eq!(verdict(&[0, 0, 0, 0, 60]), Verdict::AcceptElo1);
        assert_eq!(verdict(&[60, 0, 0, 0, 0]), Verdict::AcceptElo0);
    }

    /// The error rates are what was asked for, on simulated games.
    #[test]
    fn errors_are_as_rare_as_asked() {
        let test = Sprt { elo0: 0.0, elo1: 60.0, alpha: 0.05, beta: 0.05 };
        for (truth, wrong) in [(0.0, Verdict::AcceptElo1), (60.0, Verdict::AcceptElo0)] {
            let chance = expected_score(truth);
            let mut errors = 0;
            for seed in 0..400 {
                let mut rng = meeple_rng::Rng::new(seed);
                let mut counted = Scores::default();
                let verdict = loop {
                    let won = (0..2).filter(|_| rng.unit() < chance).count();
                    counted.add(won as f64 / 2.0);
                    let verdict = test.verdict(test.ratio(&counted));
                    if verdict != Verdict::Open {
                        break verdict;
                    }
                };
                errors += u32::from(verdict == wrong);
            }
            // 5 % of 400 are 20; three standard deviations more are 33.
            assert!(errors <= 33, "{errors} errors at {truth} Elo");
        }
    }

    /// Where a game is won or lost, both kinds of Elo are one; amounts have the ratio
    /// of wins and losses whatever their unit.
    #[test]
    fn normalized_ratios_are_those_of_wins_and_losses_in_any_unit() {
        let test = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };
        let counted = scores(&[470, 530]);
        let plain = test.ratio(&counted);
        assert!((test.normalized_ratio(&counted, 1.0) - plain).abs() < 0.02, "{plain}");
        let mut small = Scores::default();
        for (score, count) in counted.iter() {
            (0..count).for_each(|_| small.add(0.5 + (score - 0.5) / 1000.0));
        }
        let in_pennies = test.normalized_ratio(&small, 1.0);
        assert!((in_pennies - test.normalized_ratio(&counted, 1.0)).abs() < 1e-6);
        assert_eq!(test.normalized_ratio(&Scores::default(), 2.0), 0.0);
    }

    #[test]
    fn means_and_errors_are_those_of_the_scores() {
        let counted = scores(&[1, 2, 3]);
        assert_eq!(counted.len(), 6);
        assert!((counted.mean() - 4.0 / 6.0).abs() < 1e-12);
        // numpy: var([0, .5, .5, 1, 1, 1], ddof=1).
        assert!((counted.variance() - 0.166_666_666).abs() < 1e-6);
    }
}
