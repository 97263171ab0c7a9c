//! Likelihood of superiority (LOS), and the number of games that a difference needs.

use serde::Serialize;

use crate::{Interval, Scores, Z, elo_of_score, normal_cdf, normal_quantile};

/// The Elo scale of scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EloScale {
    /// Scores are wins, draws and losses: the logistic model.
    Logistic,
    /// Scores are amounts: normalized Elo, by the mean in units of the deviation of one game.
    Normalized,
}

/// The result of a match between two bots, from the side of the first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PairedResult {
    /// The mean score.
    pub score: f64,
    /// Its 95 % confidence interval.
    #[serde(flatten)]
    pub interval: Interval,
    /// The Elo difference, on the scale of the scores. Scores of 0 and 1 are moved by half a
    /// point, since their difference is infinite.
    pub elo: f64,
    /// The lower end of its 95 % interval.
    pub elo_low: f64,
    /// The upper end.
    pub elo_high: f64,
    /// The likelihood of superiority (LOS).
    pub superiority: f64,
    /// The games that detect such a score with a power of 80 % at a two-sided error of 5 %;
    /// nothing if the score is even.
    pub needed_games: Option<u64>,
}

/// Evaluates the scores of blocks of `block` games with the same chance events.
///
/// The error is that of the blocks: with common random numbers it is smaller than that of as
/// many independent games.
#[must_use]
pub fn paired_result(blocks: &Scores, block: u64, scale: EloScale) -> PairedResult {
    let (score, count) = (blocks.mean(), blocks.len().max(1) as f64);
    // Half a point more and less: a score of few games is never certain.
    let least = 0.5 / (count * block as f64 + 1.0);
    let spread = match blocks.standard_error() {
        0.0 if score == 0.5 => least / Z,
        // Equal scores of all blocks do not show how much blocks vary.
        0.0 => 0.5 / count.sqrt(),
        error => error,
    };
    let low = (score - Z * spread).clamp(0.0, 1.0);
    let high = (score + Z * spread).clamp(0.0, 1.0);
    let elo = |share: f64| {
        let share = match scale {
            EloScale::Logistic => share,
            EloScale::Normalized => normalized_score(share, spread * (count * block as f64).sqrt()),
        };
        elo_of_score(share.clamp(least, 1.0 - least))
    };
    let difference = score - 0.5;
    PairedResult {
        score,
        interval: Interval { ci_low: low, ci_high: high },
        elo: elo(score),
        elo_low: elo(low),
        elo_high: elo(high),
        superiority: if blocks.is_empty() { 0.5 } else { normal_cdf(difference / spread) },
        needed_games: (difference != 0.0 && !blocks.is_empty()).then(|| {
            let deviation = spread * count.sqrt();
            let needed = (Z + normal_quantile(0.8)) * deviation / difference;
            (needed * needed).ceil() as u64 * block
        }),
    }
}

/// Returns the score of games without draws whose mean is as many deviations above one half
/// as `share` is, where one game has this `deviation`.
#[must_use]
pub fn normalized_score(share: f64, deviation: f64) -> f64 {
    // A game without draws has a deviation of one half.
    0.5 + 0.5 * (share - 0.5) / deviation
}

/// Returns the games without draws that distinguish a true score of `score` from one half at
/// a two-sided error of 5 %, with probability `power`.
///
/// ```
/// assert_eq!(meeple_stats::needed_games(0.55, 0.8), 783);
/// ```
///
/// # Panics
///
/// Panics when `score` is a half or not between 0 and 1, or `power` not
/// between 0 and 1.
#[must_use]
pub fn needed_games(score: f64, power: f64) -> u64 {
    assert!(
        score > 0.0 && score < 1.0 && score != 0.5,
        "expected a score between 0 and 1 other than one half, got {score}"
    );
    let deviation = (score * (1.0 - score)).sqrt();
    let root = (0.5 * Z + normal_quantile(power) * deviation) / (score - 0.5);
    (root * root).ceil() as u64
}

/// Returns the likelihood of superiority (LOS) after so many wins and losses; draws do not
/// matter.
///
/// ```
/// assert_eq!(meeple_stats::superiority(10, 10), 0.5);
/// ```
#[must_use]
pub fn superiority(wins: u64, losses: u64) -> f64 {
    if wins + losses == 0 {
        return 0.5;
    }
    normal_cdf((wins as f64 - losses as f64) / ((wins + losses) as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables of sample sizes for one share against a half, which round to the
    /// nearest game where we round up.
    #[test]
    fn games_needed_are_as_tabled() {
        for (score, power, games) in [
            (0.51, 0.8, 19_620u64),
            (0.51, 0.95, 32_481),
            (0.525, 0.8, 3_137),
            (0.525, 0.95, 5_192),
            (0.55, 0.95, 1_294),
            (0.6, 0.8, 194),
            (0.6, 0.95, 319),
        ] {
            assert!(
                (games..=games + 1).contains(&needed_games(score, power)),
                "{score} at {power}"
            );
        }
    }

    /// scipy: norm.cdf((60 - 40) / sqrt(100)) and the like.
    #[test]
    fn superiority_is_that_of_the_normal_distribution() {
        for (wins, losses, expected) in
            [(60, 40, 0.977_249_868), (40, 60, 0.022_750_132), (5, 0, 0.987_326_4), (0, 0, 0.5)]
        {
            let found = superiority(wins, losses);
            assert!((found - expected).abs() < 1e-6, "{wins}-{losses}: {found}");
        }
    }

    #[test]
    fn duels_count_pairs_not_games() {
        // Luck decides each game: every pair is 1-1, and the bots are equal.
        let mut blocks = Scores::default();
        (0..100).for_each(|_| blocks.add(0.5));
        let found = paired_result(&blocks, 2, EloScale::Logistic);
        assert_eq!((found.score, found.elo, found.superiority), (0.5, 0.0, 0.5));
        assert!(found.elo_high < 3.0, "{found:?}");
        assert_eq!(found.needed_games, None);

        let mut blocks = Scores::default();
        (0..400).for_each(|at| blocks.add(if at % 20 < 11 { 1.0 } else { 0.0 }));
        let found = paired_result(&blocks, 1, EloScale::Logistic);
        assert!((found.score - 0.55).abs() < 1e-12);
        assert!((found.elo - 34.86).abs() < 0.01, "{found:?}");
        // norm.cdf(0.05 / sqrt(0.55 * 0.45 / 399)), by scipy.
        assert!((found.superiority - 0.977_655).abs() < 1e-5, "{found:?}");
        assert!((770..790).contains(&found.needed_games.unwrap()), "{found:?}");
    }

    /// Six of ten games win what four lose: a mean of 0.2 stakes with a deviation of
    /// sqrt(0.96) stakes, whatever a stake is.
    #[test]
    fn amounts_are_rated_by_their_deviation() {
        let share = 0.5 + 0.5 * 0.2 / 0.96f64.sqrt();
        let mut wins = Scores::default();
        (0..1000).for_each(|at| wins.add(f64::from(u8::from(at % 10 < 6))));
        let wins = paired_result(&wins, 1, EloScale::Logistic);
        for stake in [0.25, 0.0025] {
            let mut blocks = Scores::default();
            (0..1000).for_each(|at| blocks.add(0.5 + if at % 10 < 6 { stake } else { -stake }));
            let found = paired_result(&blocks, 1, EloScale::Normalized);
            assert!((found.score - 0.5 - 0.2 * stake).abs() < 1e-9, "{found:?}");
            assert!((found.elo - elo_of_score(share)).abs() < 0.1, "{found:?}");
            // 95 % of a normal distribution, in units of its deviation.
            let half = 0.5 * Z / 1000f64.sqrt();
            assert!((found.elo_low - elo_of_score(share - half)).abs() < 0.1, "{found:?}");
            assert!((found.elo_high - elo_of_score(share + half)).abs() < 0.1, "{found:?}");
            assert!((found.superiority - wins.superiority).abs() < 1e-6);
        }
    }

    #[test]
    fn certain_scores_have_bounds() {
        let mut blocks = Scores::default();
        (0..10).for_each(|_| blocks.add(1.0));
        let found = paired_result(&blocks, 2, EloScale::Logistic);
        assert!(found.elo.is_finite() && found.elo_low < found.elo && found.superiority > 0.99);
        assert!(found.interval.ci_high == 1.0 && found.interval.ci_low < 1.0);
    }
}
