//! Blocks of deals: ranks all players in all deals and counts the winners.

use super::tally::Tally;
use crate::{CardSet, Category, Rank, Variant, omaha, rank_batch, short_deck};

/// Deals per block: enough to keep the batch evaluator busy, few enough to stay
/// in the L1 cache.
pub(crate) const SIZE: usize = 512;

/// A block of deals and the counts of their outcomes.
pub(crate) struct Block {
    variant: Variant,
    /// `[SIZE]` boards.
    pub(crate) boards: Box<[CardSet; SIZE]>,
    /// `[players][SIZE]` hands.
    pub(crate) hands: Vec<[CardSet; SIZE]>,
    ranks: Vec<[Rank; SIZE]>,
    /// `[LANES][1 << players]` deals by set of winners. Consecutive deals often
    /// have the same winners; separate counters avoid a dependency of each
    /// increment on the store of the one before.
    winners: Vec<u64>,
    categories: Option<Vec<[u64; Category::ALL.len()]>>,
}

const LANES: usize = 4;

impl Block {
    pub(crate) fn new(variant: Variant, players: usize, categories: bool) -> Self {
        Self {
            variant,
            boards: Box::new([CardSet::EMPTY; SIZE]),
            hands: vec![[CardSet::EMPTY; SIZE]; players],
            ranks: vec![[Rank::default(); SIZE]; players],
            winners: vec![0; LANES << players],
            categories: categories.then(|| vec![[0; Category::ALL.len()]; players]),
        }
    }

    /// Sets the same hand of a player in all deals.
    pub(crate) fn fix_hand(&mut self, player: usize, hand: CardSet) {
        self.hands[player].fill(hand);
    }

    /// Evaluates and counts the first `deals` deals.
    pub(crate) fn count(&mut self, deals: usize) {
        self.rank(deals);
        let mut best = [0i16; SIZE];
        for ranks in &self.ranks {
            for (best, rank) in best[..deals].iter_mut().zip(ranks) {
                // Ranks are below 2^15, and SIMD compares signed numbers faster.
                *best = (*best).max(rank.number() as i16);
            }
        }
        let mut winners = [0u16; SIZE];
        for (player, ranks) in self.ranks.iter().enumerate() {
            for ((winners, best), rank) in winners[..deals].iter_mut().zip(&best).zip(ranks) {
                *winners |= u16::from(rank.number() as i16 == *best) << player;
            }
        }
        let sets = 1usize << self.ranks.len();
        let mut lanes = self.winners.chunks_exact_mut(sets);
        if let (Some(a), Some(b), Some(c), Some(d)) =
            (lanes.next(), lanes.next(), lanes.next(), lanes.next())
        {
            let (fours, rest) = winners[..deals].as_chunks::<LANES>();
            for &[i, j, k, l] in fours {
                a[usize::from(i) & (sets - 1)] += 1;
                b[usize::from(j) & (sets - 1)] += 1;
                c[usize::from(k) & (sets - 1)] += 1;
                d[usize::from(l) & (sets - 1)] += 1;
            }
            for &i in rest {
                a[usize::from(i)] += 1;
            }
        }
        if let Some(categories) = &mut self.categories {
            for (counts, ranks) in categories.iter_mut().zip(&self.ranks) {
                for rank in &ranks[..deals] {
                    counts[rank.category() as usize] += 1;
                }
            }
        }
    }

    fn rank(&mut self, deals: usize) {
        let boards = &self.boards[..deals];
        if matches!(self.variant, Variant::Omaha | Variant::Omaha5) {
            for (deal, &board) in boards.iter().enumerate() {
                let board = omaha::Board::new(board);
                for (ranks, hands) in self.ranks.iter_mut().zip(&self.hands) {
                    ranks[deal] = board.rank(hands[deal]);
                }
            }
            return;
        }
        let mut cards = [CardSet::EMPTY; SIZE];
        for (ranks, hands) in self.ranks.iter_mut().zip(&self.hands) {
            for ((cards, &board), &hand) in cards.iter_mut().zip(boards).zip(hands) {
                *cards = board | hand;
            }
            rank_batch(&cards[..deals], &mut ranks[..deals]);
            if self.variant == Variant::ShortDeck {
                for (rank, &cards) in ranks.iter_mut().zip(&cards[..deals]) {
                    *rank = short_deck::from_holdem(cards, *rank);
                }
            }
        }
    }

    /// Returns the counts.
    pub(crate) fn tally(&self) -> Tally {
        let sets = self.winners.len() / LANES;
        let by_winners = (0..sets)
            .map(|set| self.winners.iter().skip(set).step_by(sets).sum::<u64>() as f64)
            .collect();
        let categories = self.categories.as_ref().map(|categories| {
            categories.iter().map(|counts| counts.map(|count| count as f64)).collect()
        });
        Tally { by_winners, categories }
    }
}
