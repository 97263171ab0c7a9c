//! Text forms of cards and states.

use std::fmt;

use super::{KnockoutWhist, NONE, RANKS};

pub(super) const SUIT_NAMES: [&str; 4] = ["spades", "hearts", "diamonds", "clubs"];
const SUIT_LETTERS: &[u8; 4] = b"shdc";
const RANK_LETTERS: &[u8; 13] = b"23456789TJQKA";

/// The two-letter name of a card, such as `Th` for the ten of hearts.
pub(super) fn card_name(card: u8) -> String {
    let rank = RANK_LETTERS[usize::from(card % RANKS)];
    let suit = SUIT_LETTERS[usize::from(card / RANKS)];
    [char::from(rank), char::from(suit)].iter().collect()
}

fn hand_names(hand: u64) -> String {
    let cards = (0..52).filter(|card| hand >> card & 1 == 1);
    cards.map(|card| format!(" {}", card_name(card))).collect()
}

/// The state as text; with an `observer`, the other hands are hidden.
pub(super) fn table(game: &KnockoutWhist, observer: Option<usize>) -> String {
    let trumps = if game.trumps == NONE { "none" } else { SUIT_NAMES[usize::from(game.trumps)] };
    let mut text = format!("deal of {}, trumps: {trumps}", game.cards);
    for (seat, &hand) in game.hands[..usize::from(game.players)].iter().enumerate() {
        let marker = if usize::from(game.mover) == seat { '>' } else { ' ' };
        text += &format!("\n{marker} seat {seat}:");
        if !game.is_active(seat) {
            text += " out";
            continue;
        }
        if observer.is_none_or(|observer| observer == seat) {
            text += &hand_names(hand);
        } else {
            text += &" ??".repeat(hand.count_ones() as usize);
        }
        text += &format!("; tricks: {}", game.tricks[seat]);
        if game.trick[seat] != 0 {
            text += &format!("; plays {}", card_name(game.trick[seat] - 1));
        }
    }
    text
}

impl fmt::Display for KnockoutWhist {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&table(self, None))
    }
}
