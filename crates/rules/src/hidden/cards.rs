//! Deals the cards that a player does not see anew.
//!
//! What others hold is known in three ways: how many cards a pile has, which cards can have got
//! into it at all, and which cards a player has shown to lack. All deals that agree are equally
//! likely: cards come by chance, and no rule reads them before the end.

use meeple_game::{MAX_OUTCOMES, Player};
use meeple_rng::Rng;

use super::is_seen;
use crate::set::{Bits, Set};
use crate::state::FileGame;
use crate::tree::MAX_SETS;

/// The deals that are tried before the true one is kept.
const MAX_TRIES: usize = 10_000;

/// A pile that a player does not see.
#[derive(Clone, Copy, Default)]
struct Hidden {
    register: u8,
    size: u32,
    allowed: [u64; 6],
    /// The most of its allowed cards that piles before it can leave.
    open: u32,
}

impl<const WORDS: usize> FileGame<WORDS> {
    /// Deals the cards that a player does not see anew into `other`.
    pub(super) fn deal_cards(&self, other: &mut Self, player: Player, rng: &mut Rng) {
        let mut piles = [Hidden::default(); MAX_SETS];
        let mut count = 0;
        let mut unseen = Bits::NONE;
        for (pile, register, owner) in self.piles() {
            if is_seen(pile, owner, player) {
                continue;
            }
            let cards = self.set(register);
            let lacks = pile
                .lacks
                .map_or(Bits::NONE, |lacks| self.set(lacks + owner.map_or(0, |owner| owner.0)));
            let allowed = self.program.possible[usize::from(register)].minus(lacks);
            let (register, size) = (register, cards.count());
            piles[count] = Hidden { register, size, allowed: allowed.0, open: 0 };
            count += 1;
            unseen = unseen.or(cards);
        }
        let piles = &mut piles[..count];
        // Piles with few allowed cards come first: fewer deals are refused.
        piles.sort_unstable_by_key(|pile| (Set(pile.allowed).count(), pile.register));
        for at in 0..piles.len() {
            let allowed = Set(piles[at].allowed);
            let before = piles[..at].iter().filter(|pile| !Set(pile.allowed).minus(allowed).any());
            let taken: u32 = before.map(|pile| pile.size).sum();
            piles[at].open = unseen.and(allowed).count() - taken;
        }
        for _ in 0..MAX_TRIES {
            if let Some(deal) = try_deal(piles, unseen, rng) {
                for (pile, cards) in piles.iter().zip(deal) {
                    other.put_set(pile.register, cards);
                }
                return;
            }
        }
    }
}

/// Deals piles one after another from the cards that they may have. That favours deals which leave
/// few choices to later piles; accepting a deal in proportion to the number of ways to draw each
/// pile makes all deals equally likely.
fn try_deal(piles: &[Hidden], unseen: Bits, rng: &mut Rng) -> Option<[Bits; MAX_SETS]> {
    let (mut left, mut acceptance) = (unseen, 1.0);
    let mut deal = [Bits::NONE; MAX_SETS];
    for (pile, dealt) in piles.iter().zip(&mut deal) {
        let open = left.and(Set(pile.allowed));
        if open.count() < pile.size {
            return None;
        }
        acceptance *= ways_ratio(open.count(), pile.open, pile.size);
        *dealt = draw(open, pile.size as usize, rng);
        left = left.minus(*dealt);
    }
    (acceptance >= 1.0 || rng.unit() < acceptance).then_some(deal)
}

/// Draws `count` of `cards`, each subset with equal probability.
fn draw(cards: Bits, count: usize, rng: &mut Rng) -> Bits {
    let mut all = [0u16; MAX_OUTCOMES];
    let mut size = 0;
    for card in cards.sites() {
        all[size] = card as u16;
        size += 1;
    }
    for at in 0..count {
        all.swap(at, at + rng.below(size - at));
    }
    Set::of(all[..count].iter().map(|&card| usize::from(card)))
}

/// The number of ways to draw `count` of `few` cards, divided by that for `many` cards.
fn ways_ratio(few: u32, many: u32, count: u32) -> f64 {
    (0..count).map(|drawn| f64::from(few - drawn) / f64::from(many - drawn)).product()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Two piles lack a suit each; all deals that agree are equally frequent.
    #[test]
    fn constrained_deals_are_uniform() {
        let (spades, hearts): (Bits, Bits) = (Set::of(0..3), Set::of(3..5));
        let unseen = spades.or(hearts);
        let pile = |size: u32, allowed: Bits, open: u32| Hidden {
            register: 0,
            size,
            allowed: allowed.0,
            open,
        };
        let piles = [pile(2, spades, 3), pile(2, unseen, 3), pile(1, unseen, 1)];
        let (mut counts, mut rng) = (BTreeMap::new(), Rng::new(1));
        for _ in 0..36_000 {
            let Some(deal) = try_deal(&piles, unseen, &mut rng) else { continue };
            assert!(!deal[0].and(hearts).any());
            *counts.entry((deal[0].0[0], deal[1].0[0])).or_insert(0u32) += 1;
        }
        // Three pairs of spades for one pile, times three pairs of the cards left.
        assert_eq!(counts.len(), 9);
        assert!(counts.values().all(|count| count.abs_diff(4000) < 300), "{counts:?}");
    }

    /// A pile that may have few cards is drawn after one that may take them.
    #[test]
    fn deals_are_accepted_by_the_ways_to_draw_them() {
        let (few, all): (Bits, Bits) = (Set::of([0, 1]), Set::of(0..4));
        let pile = |size: u32, allowed: Bits, open: u32| Hidden {
            register: 0,
            size,
            allowed: allowed.0,
            open,
        };
        let piles = [pile(2, all, 4), pile(1, few, 2), pile(1, all, 1)];
        let (mut counts, mut rng) = (BTreeMap::new(), Rng::new(2));
        for _ in 0..40_000 {
            if let Some(deal) = try_deal(&piles, all, &mut rng) {
                *counts.entry((deal[0].0[0], deal[1].0[0])).or_insert(0u32) += 1;
            }
        }
        // Either of the two cards for the second pile, times three pairs of the others.
        assert_eq!(counts.len(), 6);
        let mean = counts.values().sum::<u32>() / 6;
        assert!(counts.values().all(|count| count.abs_diff(mean) < mean / 10), "{counts:?}");
    }
}
