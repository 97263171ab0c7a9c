//! Omaha evaluation: exactly two hole cards with exactly three board cards.

use crate::tables::{RANK_WEIGHTS, flush_rank, short_rank};
use crate::{CardSet, Rank};

/// A board of three to five cards, preprocessed for evaluating many hands on it.
pub(crate) struct Board {
    /// The sums of the rank weights of every three cards.
    threes: [u32; 10],
    count: usize,
    /// The suit that allows a flush, as a shift, and its ranks on the board.
    flush: Option<(u32, u16)>,
}

impl Board {
    pub(crate) fn new(board: CardSet) -> Self {
        let mut weights = [0; 5];
        let mut cards = 0;
        for card in board.into_iter().take(5) {
            weights[cards] = RANK_WEIGHTS[card.rank() as usize];
            cards += 1;
        }
        let mut threes = [0; 10];
        let mut count = 0;
        for a in 2..cards {
            for b in 1..a {
                for c in 0..b {
                    threes[count] = weights[a].wrapping_add(weights[b]).wrapping_add(weights[c]);
                    count += 1;
                }
            }
        }
        let suits = [0, 16, 32, 48].map(|shift| (shift, (board.bits() >> shift) as u16));
        let flush = suits.into_iter().find(|(_, ranks)| ranks.count_ones() >= 3);
        Self { threes, count, flush }
    }

    /// Ranks a hand of two to five cards.
    pub(crate) fn rank(&self, hole: CardSet) -> Rank {
        let mut weights = [0; 5];
        let mut cards = 0;
        for card in hole.into_iter().take(5) {
            weights[cards] = RANK_WEIGHTS[card.rank() as usize];
            cards += 1;
        }
        let mut best = 0;
        for high in 1..cards {
            for low in 0..high {
                let two = weights[high].wrapping_add(weights[low]);
                for &three in &self.threes[..self.count] {
                    best = best.max(short_rank(two.wrapping_add(three)));
                }
            }
        }
        Rank::from_number(best.max(self.flush(hole)))
    }

    /// The rank of the best flush, or 0.
    fn flush(&self, hole: CardSet) -> u16 {
        let Some((shift, board)) = self.flush else { return 0 };
        let held = (hole.bits() >> shift) as u16;
        let mut best = 0;
        for two in subsets(held, 2) {
            for three in subsets(board, 3) {
                best = best.max(flush_rank(two | three));
            }
        }
        best
    }
}

/// The subsets of `count` ranks.
fn subsets(ranks: u16, count: u32) -> impl Iterator<Item = u16> {
    let mut next = Some(ranks);
    std::iter::from_fn(move || {
        let subset = next?;
        next = (subset != 0).then(|| (subset - 1) & ranks);
        Some(subset)
    })
    .filter(move |subset| subset.count_ones() == count)
}
