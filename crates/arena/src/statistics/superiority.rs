//! How likely one of two bots is stronger, and how many games it takes to tell.

use serde::Serialize;

use super::{Interval, Scores, Z, elo_of_score, normal_cdf, normal_quantile};
use crate::Scoring;

/// What the games between two bots say about the first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Duel {
    /// The share of points it took.
    pub score: f64,
    /// Where its true share lies, 95 times in 100.
    #[serde(flatten)]
    pub interval: Interval,
    /// Its strength above the other; endless scores are cut at half a point. Where
    /// scores are amounts, normalized Elo: that of wins and losses with the same mean
    /// in units of the deviation of one game.
    pub elo: f64,
    /// Where that lies, 95 times in 100.
    pub elo_low: f64,
    /// See `elo_low`.
    pub elo_high: f64,
    /// How likely it is the stronger one.
    pub superiority: f64,
    /// Games until such a score would be told from an even one, 80 times in
    /// 100 at 5 % error; nothing if the score is even.
    pub needed_games: Option<u64>,
}

/// What scores of blocks of `block` games with the same luck say.
///
/// The error is that of the blocks: where luck decides and both sides had the
/// same, it is smaller than that of as many single games.
#[must_use]
pub fn duel(blocks: &Scores, block: u64, scoring: Scoring) -> Duel {
    let (score, count) = (blocks.mean(), blocks.len().max(1) as f64);
    // Half a point more and less: no score of a few games is certain.
    let least = 0.5 / (count * block as f64 + 1.0);
    let spread = match blocks.standard_error() {
        0.0 if score == 0.5 => least / Z,
        // Blocks that all ended alike say nothing of how much they vary.
        0.0 => 0.5 / count.sqrt(),
        error => error,
    };
    let low = (score - Z * spread).clamp(0.0, 1.0);
    let high = (score + Z * spread).clamp(0.0, 1.0);
    let elo = |share: f64| {
        let share = match scoring {
            Scoring::Wins => share,
            Scoring::Payoff => normalized(share, spread * (count * block as f64).sqrt()),
        };
        elo_of_score(share.clamp(least, 1.0 - least))
    };
    let difference = score - 0.5;
    Duel {
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

/// The share of games, each won or lost, whose mean is as many deviations above a half
/// as `share` is, where one game has this `deviation`.
pub(crate) fn normalized(share: f64, deviation: f64) -> f64 {
    // A game that is won or lost has a deviation of a half.
    0.5 + 0.5 * (share - 0.5) / deviation
}

/// Games without draws until a true share of `score` is told from a half at
/// 5 % error, both sides, with probability `power`.
///
/// ```
/// assert_eq!(meeple_arena::needed_games(0.55, 0.8), 783);
/// ```
///
/// # Panics
///
/// Panics when `score` is a half or not between 0 and 1, or `power` not
/// between 0 and 1.
#[must_use]
pub fn needed_games(score: f64, power: f64) -> u64 {
    assert!(score > 0.0 && score < 1.0 && score != 0.5, "{score} is told from a half or never");
    let deviation = (score * (1.0 - score)).sqrt();
    let root = (0.5 * Z + normal_quantile(power) * deviation) / (score - 0.5);
    (root * root).ceil() as u64
}

/// How likely the first of two is stronger after so many wins and losses;
/// draws say nothing.
///
/// ```
/// assert_eq!(meeple_arena::superiority(10, 10), 0.5);
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
        let found = duel(&blocks, 2, Scoring::Wins);
        assert_eq!((found.score, found.elo, found.superiority), (0.5, 0.0, 0.5));
        assert!(found.elo_high < 3.0, "{found:?}");
        assert_eq!(found.needed_games, None);

        let mut blocks = Scores::default();
        (0..400).for_each(|at| blocks.add(if at % 20 < 11 { 1.0 } else { 0.0 }));
        let found = duel(&blocks, 1, Scoring::Wins);
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
        let wins = duel(&wins, 1, Scoring::Wins);
        for stake in [0.25, 0.0025] {
            let mut blocks = Scores::default();
            (0..1000).for_each(|at| blocks.add(0.5 + if at % 10 < 6 { stake } else { -stake }));
            let found = duel(&blocks, 1, Scoring::Payoff);
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
        let found = duel(&blocks, 2, Scoring::Wins);
        assert!(found.elo.is_finite() && found.elo_low < found.elo && found.superiority > 0.99);
        assert!(found.interval.ci_high == 1.0 && found.interval.ci_low < 1.0);
    }
}
