//! Short-deck evaluation: hold'em ranks, adjusted where the rules differ.

use crate::{CardSet, Rank, evaluate};

/// The ranks of A-6-7-8-9, the straight that hold'em does not have.
const WHEEL: u16 = 1 << 12 | 0b1111 << 4;

/// Ranks five to seven cards of the short deck.
///
/// Seven cards never contain both a flush and a full house, so the best five are
/// the same under either order of the two.
pub(crate) fn rank(cards: CardSet) -> Rank {
    from_holdem(cards, evaluate::rank(cards))
}

/// The short-deck rank of `cards`, given their hold'em rank.
#[inline]
pub(crate) fn from_holdem(cards: CardSet, holdem: Rank) -> Rank {
    let rank = holdem.to_short_deck();
    if cards.ranks() & WHEEL == WHEEL { rank.max(wheel(cards)) } else { rank }
}

fn wheel(cards: CardSet) -> Rank {
    let suited = (0..4).any(|suit| (cards.bits() >> (16 * suit)) as u16 & WHEEL == WHEEL);
    if suited { Rank::SHORT_STEEL_WHEEL } else { Rank::SHORT_WHEEL }
}
