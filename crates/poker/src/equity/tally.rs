//! Counts of showdowns by set of winners, from which all statistics are derived.

use crate::{Category, Rank};

/// The weight of deals by set of winners, and by category.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    /// `[1 << players]` weights: bit `i` of the index means that player `i` wins
    /// or ties.
    pub(crate) by_winners: Vec<f64>,
    /// `[players]` weights by category, if requested.
    pub(crate) categories: Option<Vec<[f64; Category::ALL.len()]>>,
}

impl Tally {
    pub(crate) fn new(players: usize, categories: bool) -> Self {
        Self {
            by_winners: vec![0.0; 1 << players],
            categories: categories.then(|| vec![[0.0; Category::ALL.len()]; players]),
        }
    }

    /// Adds another tally of the same players.
    pub(crate) fn add(&mut self, other: &Self) {
        for (sum, weight) in self.by_winners.iter_mut().zip(&other.by_winners) {
            *sum += weight;
        }
        for (sums, weights) in self.categories.iter_mut().zip(&other.categories) {
            for (sum, weight) in sums.as_flattened_mut().iter_mut().zip(weights.as_flattened()) {
                *sum += weight;
            }
        }
    }

    /// Multiplies all counts.
    pub(crate) fn scale(&mut self, factor: f64) {
        let categories = self.categories.iter_mut().flat_map(|counts| counts.as_flattened_mut());
        self.by_winners.iter_mut().chain(categories).for_each(|weight| *weight *= factor);
    }

    /// Counts one showdown.
    #[inline]
    pub(crate) fn count(&mut self, ranks: &[Rank], weight: f64) {
        let best = ranks.iter().copied().max().unwrap_or_default();
        let winners = ranks
            .iter()
            .enumerate()
            .fold(0, |winners, (player, &rank)| winners | usize::from(rank == best) << player);
        self.by_winners[winners] += weight;
        if let Some(categories) = &mut self.categories {
            for (counts, rank) in categories.iter_mut().zip(ranks) {
                counts[rank.category() as usize] += weight;
            }
        }
    }
}
