//! Random deals: single cards, whole hands, and determinization of unseen cards.

use meeple_game::Rng;

use super::{DECK, KnockoutWhist, SEATS, SUITS};

/// Draws one of `cards` uniformly.
#[inline(always)]
pub(super) fn draw(cards: u64, rng: &mut Rng) -> u8 {
    // Rejection sampling: six bits name a card, which may not be in the set. The first
    // hit of four candidates is selected without a branch, since branches on random
    // bits are mispredicted.
    loop {
        let bits = rng.bits();
        let mut drawn = 64;
        for number in (0..4).rev() {
            let card = (bits >> (6 * number) & 63) as u8;
            drawn = if cards >> card & 1 == 1 { card } else { drawn };
        }
        if drawn < 64 {
            return drawn;
        }
    }
}

/// Draws `count` of `cards`, each subset with equal probability.
#[inline(always)]
pub(super) fn draw_hand(mut cards: u64, count: u32, rng: &mut Rng) -> u64 {
    let all = cards;
    for _ in 0..count {
        cards ^= 1 << draw(cards, rng);
    }
    all ^ cards
}

/// A determinization for `seat`: redeals the unseen cards, uniformly among the deals
/// that are consistent with all known voids.
#[inline]
pub(super) fn determinized(game: &KnockoutWhist, seat: usize, rng: &mut Rng) -> KnockoutWhist {
    let mut other = *game;
    let unseen = DECK ^ game.hands[seat] ^ game.seen;
    let constrained =
        game.voids.iter().enumerate().filter(|&(at, &voids)| at != seat && voids != 0);
    if constrained.count() > 1 {
        deal_constrained(game, &mut other, seat, unseen, rng);
        return other;
    }
    // With at most one constrained hand no rejection is needed: dealt first, it leaves
    // the same number of deals to the other hands, whatever it holds.
    let mut left = unseen;
    for constrained in [true, false] {
        for at in 0..SEATS {
            if at != seat && (game.voids[at] != 0) == constrained {
                let hand = draw_hand(allowed(left, game.voids[at]), size(game, at), rng);
                other.hands[at] = hand;
                left ^= hand;
            }
        }
    }
    other.deck = left;
    other
}

fn size(game: &KnockoutWhist, seat: usize) -> u32 {
    game.hands[seat].count_ones()
}

/// The cards of suits other than `voids`.
#[inline]
fn allowed(cards: u64, voids: u8) -> u64 {
    let mut out = cards;
    for (suit, &of_suit) in SUITS[..4].iter().enumerate() {
        if voids >> suit & 1 == 1 {
            out &= !of_suit;
        }
    }
    out
}

/// Deals when several hands have known voids, by rejection sampling.
///
/// Drawing the hands one after another from their allowed cards favours deals that
/// leave few choices to later hands. Accepting a deal with a probability proportional
/// to the number of ways to draw each hand makes all deals equally likely.
fn deal_constrained(
    game: &KnockoutWhist,
    other: &mut KnockoutWhist,
    seat: usize,
    unseen: u64,
    rng: &mut Rng,
) {
    loop {
        let mut left = unseen;
        let mut acceptance = 1.0;
        for at in (0..SEATS).filter(|&at| at != seat && game.voids[at] != 0) {
            let count = size(game, at);
            let open = allowed(left, game.voids[at]);
            if open.count_ones() < count {
                acceptance = 0.0;
                break;
            }
            acceptance *=
                ways_ratio(open.count_ones(), allowed(unseen, game.voids[at]).count_ones(), count);
            let hand = draw_hand(open, count, rng);
            other.hands[at] = hand;
            left ^= hand;
        }
        if acceptance == 0.0 || rng.unit() >= acceptance {
            continue;
        }
        for at in (0..SEATS).filter(|&at| at != seat && game.voids[at] == 0) {
            other.hands[at] = draw_hand(left, size(game, at), rng);
            left ^= other.hands[at];
        }
        other.deck = left;
        return;
    }
}

/// The number of ways to draw `count` of `few` cards, divided by that for `many` cards.
fn ways_ratio(few: u32, many: u32, count: u32) -> f64 {
    (0..count).map(|drawn| f64::from(few - drawn) / f64::from(many - drawn)).product()
}

#[cfg(test)]
mod tests {
    use super::super::{Options, Phase};
    use super::*;
    use meeple_game::Game;

    /// Two seats have a known void each; all consistent deals are equally frequent.
    #[test]
    fn constrained_deals_are_uniform() {
        let mut game = KnockoutWhist::new(&Options { players: 3.try_into().unwrap() });
        game.phase = Phase::Play;
        // The unseen cards are the spades 0 to 2 and the hearts 13 and 14.
        game.hands = [1 << 30, 0b11, 1 << 13 | 1 << 2, 0];
        game.deck = 1 << 14;
        game.seen = DECK ^ game.hands[0] ^ game.hands[1] ^ game.hands[2] ^ game.deck;
        game.voids = [0, 0b0010, 0b0100, 0];
        let mut counts = std::collections::BTreeMap::new();
        let mut rng = Rng::new(1);
        for _ in 0..36_000 {
            let other = determinized(&game, 0, &mut rng);
            assert_eq!(other.hands[1] & SUITS[1], 0);
            *counts.entry((other.hands[1], other.hands[2])).or_insert(0u32) += 1;
        }
        // Three pairs of spades for one seat, times three pairs of the cards left.
        assert_eq!(counts.len(), 9);
        assert!(counts.values().all(|count| count.abs_diff(4000) < 300), "{counts:?}");
    }

    #[test]
    fn draws_are_uniform() {
        let mut rng = Rng::new(2);
        let cards = 1 << 3 | 1 << 20 | 1 << 51;
        let mut counts = [0u32; 52];
        (0..30_000).for_each(|_| counts[usize::from(draw(cards, &mut rng))] += 1);
        assert!([3, 20, 51].iter().all(|&card: &usize| counts[card].abs_diff(10_000) < 500));
    }
}
