//! Cards that not everybody sees: who sees what, information keys and determinization.
//!
//! Cards come into hidden piles by chance only, and no rule reads them before the end, so all
//! unseen cards are exchangeable: a determinization pools them and deals piles of the same
//! sizes.

use meeple_game::{Action, MAX_OUTCOMES, Player, Turn};
use meeple_rng::{Rng, mix};

use crate::lower::{Chance, Deal, Pile};
use crate::set::{Bits, Set};
use crate::state::FileGame;
use crate::syntax::Seen;

impl<const WORDS: usize> FileGame<WORDS> {
    /// Returns every pile with its register and its owner.
    pub(crate) fn piles(&self) -> impl Iterator<Item = (&'static Pile, u8, Option<Player>)> {
        let rules = &self.program.rules;
        rules.piles.iter().flat_map(|pile| {
            let owners = if pile.each { rules.players as u8 } else { 1 };
            (0..owners)
                .map(move |seat| (pile, pile.register + seat, pile.each.then_some(Player(seat))))
        })
    }

    /// Returns the deal of the current phase.
    fn deal(&self) -> Option<Deal> {
        match self.chance() {
            Some(Chance::Deal(deal)) if self.turn_now() == Turn::Chance => Some(deal),
            _ => None,
        }
    }

    /// Returns the pile that gets the next card, with its owner.
    fn target(&self) -> Option<(&'static Pile, Option<Player>)> {
        let deal = self.deal()?;
        let dealt = self.number(deal.counter.into()) as usize;
        let register = deal.to + (dealt % deal.piles) as u8;
        let (pile, _, owner) = self.piles().find(|&(_, other, _)| other == register)?;
        Some((pile, owner))
    }

    pub(crate) fn sees_choice(&self, _action: Action, player: Player) -> bool {
        self.target().is_none_or(|(pile, owner)| is_seen(pile, owner, player))
    }

    pub(crate) fn whose_chance(&self) -> Option<Player> {
        match (self.turn_now(), self.target()) {
            (Turn::Chance, Some((_, owner))) => owner,
            (Turn::Chance, None) => Some(Player(self.control().mover)),
            _ => None,
        }
    }

    pub(crate) fn hides_cards(&self) -> bool {
        self.program.rules.piles.iter().any(|pile| pile.seen != Seen::All)
    }

    /// Hashes what a player sees.
    pub(crate) fn hash_for(&self, player: Player) -> u64 {
        if !self.hides_cards() {
            return self.hash();
        }
        let mut hash = 0x9e37_79b9_7f4a_7c15 ^ u64::from(player.0);
        self.each_cell(player, |cell| hash = mix(hash ^ cell as u64));
        hash
    }

    /// Deals the cards that a player does not see anew.
    pub(crate) fn dealt_anew(&self, player: Player, rng: &mut Rng) -> Self {
        let mut other = *self;
        if self.turn_now() == Turn::Over {
            return other;
        }
        let hidden = || self.piles().filter(|(pile, _, owner)| !is_seen(pile, *owner, player));
        let pool = hidden().fold(Bits::NONE, |pool, (_, register, _)| pool.or(self.set(register)));
        let mut cards = [0usize; MAX_OUTCOMES];
        let mut count = 0;
        for card in pool.sites() {
            cards[count] = card;
            count += 1;
        }
        let cards = &mut cards[..count];
        rng.shuffle(cards);
        let mut left = &*cards;
        for (_, register, _) in hidden() {
            let size = self.set(register).count() as usize;
            other.put_set(register, Set::of(left[..size].iter().copied()));
            left = &left[size..];
        }
        other
    }

    /// Returns whether every card is in exactly one pile.
    pub(crate) fn cards_add_up(&self) -> bool {
        let mut seen = Bits::NONE;
        for (_, register, _) in self.piles() {
            let set = self.set(register);
            if seen.and(set).any() {
                return false;
            }
            seen = seen.or(set);
        }
        self.program.rules.piles.is_empty()
            || seen == Set::of(0..self.program.rules.cards.names.len())
    }

    /// Returns a pile as text, as a player sees it or, without one, as it is.
    pub(crate) fn pile_text(&self, register: u8, is_seen: bool) -> String {
        let cards = self.set(register);
        if !is_seen {
            return format!("{} cards", cards.count());
        }
        let names = &self.program.rules.cards.names;
        let shown: Vec<&str> = cards.sites().map(|card| names[card].as_str()).collect();
        if shown.is_empty() { "-".into() } else { shown.join(" ") }
    }
}

/// Returns whether a player sees the cards of a pile.
pub(crate) fn is_seen(pile: &Pile, owner: Option<Player>, player: Player) -> bool {
    match pile.seen {
        Seen::All => true,
        Seen::Owner => owner == Some(player),
        Seen::Nobody => false,
    }
}
