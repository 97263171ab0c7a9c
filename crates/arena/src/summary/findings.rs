//! The results of sequential tests and of tuning, as numbers and in words.

use serde::Serialize;

use crate::experiment::Model;
use crate::run::Tuned;
use crate::signed;
use meeple_stats::{PairedResult, Sprt, Verdict};

/// The result of a sequential probability ratio test.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TestSummary {
    /// The parameters of the test.
    #[serde(flatten)]
    pub test: Sprt,
    /// The statistical model.
    pub model: Model,
    /// The log-likelihood ratio (LLR).
    pub ratio: f64,
    /// The bound at which `elo0` is accepted.
    pub lower: f64,
    /// The bound at which `elo1` is accepted.
    pub upper: f64,
    /// The verdict.
    pub verdict: Verdict,
    /// The number of games counted.
    pub games: u64,
    /// The estimated strength of the first bot.
    pub estimate: PairedResult,
    /// The histogram of block scores. Pairs of games have five, from two losses to two wins.
    /// Empty if payoffs are scored.
    pub block_scores: Vec<(f64, u64)>,
    /// The log-likelihood ratio by number of games, at up to 200 points.
    pub curve: Vec<(u64, f64)>,
}

impl TestSummary {
    /// Returns the verdict in words.
    #[must_use]
    pub fn sentence(&self) -> String {
        let Sprt { elo0, elo1, .. } = self.test;
        match self.verdict {
            Verdict::Open => "undecided".to_owned(),
            Verdict::AcceptElo0 => format!("H0 accepted: not stronger than {} Elo", sign(elo0)),
            Verdict::AcceptElo1 => format!("H1 accepted: stronger, {} Elo", sign(elo1)),
        }
    }

    /// Returns the hypotheses in words.
    #[must_use]
    pub fn hypotheses(&self) -> String {
        let Sprt { elo0, elo1, alpha, beta } = self.test;
        let model = match self.model {
            Model::Pentanomial => "pentanomial",
            Model::Trinomial => "trinomial",
        };
        let (elo0, elo1) = (sign(elo0), sign(elo1));
        format!("SPRT, H0 {elo0} Elo, H1 {elo1} Elo, alpha {alpha}, beta {beta}, {model}")
    }

    /// Returns the pentanomial counts, from two losses to two wins, if blocks are pairs.
    #[must_use]
    pub fn pentanomial(&self) -> Option<[u64; 5]> {
        let mut counts = [0; 5];
        for &(score, count) in &self.block_scores {
            let quarters = score * 4.0;
            if quarters.fract() != 0.0 {
                return None;
            }
            counts[quarters as usize] += count;
        }
        (!self.block_scores.is_empty()).then_some(counts)
    }
}

/// Formats an Elo bound, with its sign.
fn sign(elo: f64) -> String {
    if elo == 0.0 { "0".into() } else { format!("{elo:+}") }
}

/// The result of tuning.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TunedSummary {
    /// The candidates.
    #[serde(flatten)]
    pub found: Tuned,
    /// The best candidate against the original bot, with chance events that no candidate was
    /// tuned on; `None` before that stage.
    pub validation: Option<PairedResult>,
}

impl TunedSummary {
    /// Whether the best candidate is stronger than the original bot, at the 5 % level.
    #[must_use]
    pub fn is_significant(&self) -> bool {
        self.validation.is_some_and(|result| result.interval.ci_low > 0.5)
    }

    /// Returns the result in words. A candidate is called best only if it is significantly
    /// better.
    #[must_use]
    pub fn sentence(&self) -> String {
        let bot = &self.found.bot;
        match self.validation {
            None => format!("not validated yet: the best candidate so far is {bot}"),
            Some(_) if self.is_significant() => format!("best: {bot}"),
            Some(_) => format!("not significant: no candidate is surely better; first was {bot}"),
        }
    }

    /// Returns the validation result in words.
    #[must_use]
    pub fn evidence(&self) -> Option<String> {
        self.validation.map(|result| {
            format!(
                "against the bot as it was: {:.1} % ({:.1} - {:.1} %), {} Elo ({} to {}), LOS {:.1} %",
                100.0 * result.score,
                100.0 * result.interval.ci_low,
                100.0 * result.interval.ci_high,
                signed(result.elo, 0),
                signed(result.elo_low, 0),
                signed(result.elo_high, 0),
                100.0 * result.superiority,
            )
        })
    }
}

/// The result of pairs with these pentanomial counts.
#[cfg(test)]
fn result_of(counts: [u64; 5]) -> PairedResult {
    let mut tally = crate::MatchTally::default();
    for (at, &count) in counts.iter().enumerate() {
        let score = at as f64 / 4.0;
        (0..count).for_each(|_| tally.add(&[score, score]));
    }
    tally.paired_result()
}

/// A made-up test.
#[cfg(test)]
fn example_test() -> TestSummary {
    TestSummary {
        test: Sprt { elo0: 0.0, elo1: 12.5, alpha: 0.05, beta: 0.1 },
        model: Model::Pentanomial,
        ratio: 3.0,
        lower: -2.9,
        upper: 2.9,
        verdict: Verdict::AcceptElo1,
        games: 10,
        estimate: result_of([0, 1, 0, 0, 4]),
        block_scores: vec![(0.25, 1), (1.0, 4)],
        curve: vec![(2, -0.1), (6, 1.2), (10, 3.0)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_best_is_announced_only_if_it_is_significant() {
        let found = Tuned { bot: "mcts:sims=9".into(), ..Tuned::default() };
        let tuned = |validation| TunedSummary { found: found.clone(), validation };
        assert!(tuned(None).sentence().starts_with("not validated yet"));
        let weak = tuned(Some(result_of([10, 12, 20, 14, 11])));
        assert!(weak.validation.unwrap().score > 0.5 && !weak.is_significant());
        assert!(weak.sentence().starts_with("not significant"), "{}", weak.sentence());
        let strong = tuned(Some(result_of([2, 10, 20, 30, 20])));
        assert_eq!(strong.sentence(), "best: mcts:sims=9");
        assert!(strong.evidence().unwrap().contains("LOS 100.0 %"), "{:?}", strong.evidence());
    }

    #[test]
    fn tests_tell_their_pairs() {
        let mut summary = example_test();
        assert_eq!(summary.pentanomial(), Some([0, 1, 0, 0, 4]));
        assert_eq!(summary.sentence(), "H1 accepted: stronger, +12.5 Elo");
        let expected = "SPRT, H0 0 Elo, H1 +12.5 Elo, alpha 0.05, beta 0.1, pentanomial";
        assert_eq!(summary.hypotheses(), expected);
        summary.block_scores = vec![(1.0 / 3.0, 1)];
        assert_eq!(summary.pentanomial(), None);
    }
}
