//! Dealing: one card at a time, and what a player has not seen anew.

use meeple_game::Rng;

use super::{DECK, KnockoutWhist, SEATS, SUITS};

/// Draws one of `cards`, each as likely.
#[inline(always)]
pub(super) fn draw(cards: u64, rng: &mut Rng) -> u8 {
    // Six bits name a card, or one that is not there. Of four tries the first
    // that hits is taken without a jump: jumps that depend on luck are what a
    // processor guesses worst.
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

/// Draws `count` of `cards`, every set as likely.
#[inline(always)]
pub(super) fn draw_hand(mut cards: u64, count: u32, rng: &mut Rng) -> u64 {
    let all = cards;
    for _ in 0..count {
        cards ^= 1 << draw(cards, rng);
    }
    all ^ cards
}

/// The same table with the cards that `seat` has not seen dealt anew: every
/// deal in which nobody holds a suit they have shown to lack is as likely.
#[inline]
pub(super) fn determinized(game: &KnockoutWhist, seat: usize, rng: &mut Rng) -> KnockoutWhist {
    let mut other = *game;
    let unseen = DECK ^ game.hands[seat] ^ game.seen;
    let limited = game.lacks.iter().enumerate().filter(|&(at, &lacks)| at != seat && lacks != 0);
    if limited.count() > 1 {
        deal_limited(game, &mut other, seat, unseen, rng);
        return other;
    }
    // One hand at most is limited: dealt first, it leaves the others as many
    // ways whatever it holds.
    let mut left = unseen;
    for limited in [true, false] {
        for at in 0..SEATS {
            if at != seat && (game.lacks[at] != 0) == limited {
                let hand = draw_hand(allowed(left, game.lacks[at]), size(game, at), rng);
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

/// The cards of suits that are not lacked.
#[inline]
fn allowed(cards: u64, lacks: u8) -> u64 {
    let mut out = cards;
    for (suit, &of_suit) in SUITS[..4].iter().enumerate() {
        if lacks >> suit & 1 == 1 {
            out &= !of_suit;
        }
    }
    out
}

/// Deals when several hands are limited.
///
/// Hand after hand is drawn from what it may hold, which favours deals that
/// leave little choice to the next: a deal is kept with a chance in proportion
/// to the ways each hand could have been drawn, so all become as likely.
fn deal_limited(
    game: &KnockoutWhist,
    other: &mut KnockoutWhist,
    seat: usize,
    unseen: u64,
    rng: &mut Rng,
) {
    loop {
        let mut left = unseen;
        let mut kept = 1.0;
        for at in (0..SEATS).filter(|&at| at != seat && game.lacks[at] != 0) {
            let count = size(game, at);
            let open = allowed(left, game.lacks[at]);
            if open.count_ones() < count {
                kept = 0.0;
                break;
            }
            kept *= share(open.count_ones(), allowed(unseen, game.lacks[at]).count_ones(), count);
            let hand = draw_hand(open, count, rng);
            other.hands[at] = hand;
            left ^= hand;
        }
        if kept == 0.0 || rng.unit() >= kept {
            continue;
        }
        for at in (0..SEATS).filter(|&at| at != seat && game.lacks[at] == 0) {
            other.hands[at] = draw_hand(left, size(game, at), rng);
            left ^= other.hands[at];
        }
        other.deck = left;
        return;
    }
}

/// The ways to draw `count` of `few` cards, divided by those of `many`.
fn share(few: u32, many: u32, count: u32) -> f64 {
    (0..count).map(|drawn| f64::from(few - drawn) / f64::from(many - drawn)).product()
}

#[cfg(test)]
mod tests {
    use super::super::{Options, Phase};
    use super::*;
    use meeple_game::Game;

    /// Two seats lack a suit each, and every deal that fits comes as often.
    #[test]
    fn limited_deals_are_even() {
        let mut game = KnockoutWhist::new(&Options { players: 3.try_into().unwrap() });
        game.phase = Phase::Play;
        // Left unseen are the spades 0 to 2 and the hearts 13 and 14.
        game.hands = [1 << 30, 0b11, 1 << 13 | 1 << 2, 0];
        game.deck = 1 << 14;
        game.seen = DECK ^ game.hands[0] ^ game.hands[1] ^ game.hands[2] ^ game.deck;
        game.lacks = [0, 0b0010, 0b0100, 0];
        let mut counts = std::collections::BTreeMap::new();
        let mut rng = Rng::new(1);
        for _ in 0..36_000 {
            let other = determinized(&game, 0, &mut rng);
            assert_eq!(other.hands[1] & SUITS[1], 0);
            *counts.entry((other.hands[1], other.hands[2])).or_insert(0u32) += 1;
        }
        // Three pairs of spades for one seat, then two of the three cards left.
        assert_eq!(counts.len(), 9);
        assert!(counts.values().all(|count| count.abs_diff(4000) < 300), "{counts:?}");
    }

    #[test]
    fn draws_are_even() {
        let mut rng = Rng::new(2);
        let cards = 1 << 3 | 1 << 20 | 1 << 51;
        let mut counts = [0u32; 52];
        (0..30_000).for_each(|_| counts[usize::from(draw(cards, &mut rng))] += 1);
        assert!([3, 20, 51].iter().all(|&card: &usize| counts[card].abs_diff(10_000) < 500));
    }
}
