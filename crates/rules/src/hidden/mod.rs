//! What not everybody sees: who sees what, information keys and determinization.

mod cards;
mod pieces;

use meeple_game::{Action, Player, Turn};
use meeple_rng::{Rng, mix};

use crate::lower::{Chance, Deal, Piece, Pile, RollEach};
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
        let register = deal.to + deal.seat(self.number(deal.counter.into()), self.control().mover);
        let (pile, _, owner) = self.piles().find(|&(_, other, _)| other == register)?;
        Some((pile, owner))
    }

    /// Returns the player whose hidden number is rolled.
    fn roller_of_number(&self) -> Option<Player> {
        match self.chance() {
            Some(Chance::RollEach(roll)) if self.turn_now() == Turn::Chance => {
                Some(Player(self.number(roll.counter.into()) as u8))
            }
            _ => None,
        }
    }

    pub(crate) fn sees_choice(&self, action: Action, player: Player) -> bool {
        if let Turn::Player(mover) = self.turn_now() {
            let code = self.seat_code(mover.0);
            let entry = code.actions.get(action.index()).map(|decoded| usize::from(decoded.entry));
            return mover == player || entry.is_none_or(|entry| !code.entries[entry].is_secret);
        }
        if let Some(roller) = self.roller_of_number() {
            return roller == player;
        }
        self.target().is_none_or(|(pile, owner)| is_seen(pile, owner, player))
    }

    pub(crate) fn whose_chance(&self) -> Option<Player> {
        match (self.turn_now(), self.target()) {
            (Turn::Chance, Some((_, owner))) => owner,
            (Turn::Chance, None) => {
                Some(self.roller_of_number().unwrap_or(Player(self.control().mover)))
            }
            _ => None,
        }
    }

    /// Returns whether some player does not see all of the state.
    pub(crate) fn hides(&self) -> bool {
        let rules = &self.program.rules;
        rules.piles.iter().any(|pile| pile.seen != Seen::All)
            || rules.numbers.iter().any(|number| number.is_hidden)
            || rules.shown.is_some()
    }

    /// Hashes what a player sees.
    pub(crate) fn hash_for(&self, player: Player) -> u64 {
        if !self.hides() {
            return self.hash();
        }
        let mut hash = 0x9e37_79b9_7f4a_7c15 ^ u64::from(player.0);
        self.each_cell(player, |cell| hash = mix(hash ^ cell as u64));
        hash
    }

    /// Makes what a player does not see anew.
    pub(crate) fn dealt_anew(&self, player: Player, rng: &mut Rng) -> Self {
        let mut other = *self;
        if self.turn_now() == Turn::Over {
            return other;
        }
        self.deal_cards(&mut other, player, rng);
        self.roll_numbers(&mut other, player, rng);
        self.guess_pieces(&mut other, player, rng);
        other
    }

    /// Rolls the hidden numbers of others again, where they have been rolled.
    fn roll_numbers(&self, other: &mut Self, player: Player, rng: &mut Rng) {
        let rules = &self.program.rules;
        let chances = rules.phases.iter().filter_map(|phase| phase.chance);
        for chance in chances {
            let Chance::RollEach(RollEach { register, low, high, .. }) = chance else { continue };
            for seat in (0..rules.players).filter(|&seat| seat != player.index()) {
                let register = usize::from(register) + seat;
                if self.number(register) >= i32::from(low) {
                    let faces = (high - low + 1) as usize;
                    other.put_number(register, low + rng.below(faces) as i16);
                }
            }
        }
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

    /// Returns whether a viewer sees what pieces of a seat are on a site; without a viewer, all
    /// are seen.
    pub(crate) fn sees_piece(
        &self,
        piece: &Piece,
        seat: usize,
        site: usize,
        viewer: Option<Player>,
    ) -> bool {
        let shown = viewer.zip(self.program.rules.shown);
        let shown = shown.filter(|(viewer, _)| viewer.index() != seat);
        !piece.is_hidden || shown.is_none_or(|(viewer, shown)| self.set(shown + viewer.0).has(site))
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
