//! Chance outcomes: the next card, a card at random, a coin.

use meeple_game::{Action, Outcome, OutcomeList, Rng};

use crate::magic::state::pile::Pile;
use crate::magic::state::{Magic, Question};
use crate::magic::table::card::DeckCards;

impl Magic {
    /// The cards of a chance node, and which of them count.
    fn chance_cards(&self) -> Option<(&Pile, DeckCards)> {
        match self.question {
            Question::TopCard(seat) => {
                let library = &self.seats[seat].library;
                Some((library, library.kinds()))
            }
            Question::RandomCard(seat) => {
                let task = self.tasks.last()?;
                Some((&self.seats[seat].hand, self.hand_for(task)))
            }
            _ => None,
        }
    }

    /// Replaces `out` by what may happen.
    pub(in crate::magic) fn outcomes(&self, out: &mut OutcomeList) {
        out.clear();
        if self.question == Question::Coin {
            out.extend([0, 1].map(|side| Outcome { action: Action(side), probability: 0.5 }));
        }
        if let Some((pile, kinds)) = self.chance_cards() {
            let total: u16 = kinds.iter().map(|card| u16::from(pile.count(card))).sum();
            out.extend(kinds.iter().map(|card| Outcome {
                action: Action(u16::from(card.number())),
                probability: f64::from(pile.count(card)) / f64::from(total),
            }));
        }
    }

    /// Draws one of them.
    pub(in crate::magic) fn draw_outcome(&self, rng: &mut Rng) -> Action {
        match self.chance_cards() {
            None => Action(rng.below(2) as u16),
            Some((pile, kinds)) if kinds == pile.kinds() => {
                Action(u16::from(pile.nth(rng.below(pile.total() as usize)).number()))
            }
            Some((pile, kinds)) => {
                let total: usize = kinds.iter().map(|card| pile.count(card) as usize).sum();
                let mut left = rng.below(total);
                for card in kinds.iter() {
                    let count = pile.count(card) as usize;
                    if left < count {
                        return Action(u16::from(card.number()));
                    }
                    left -= count;
                }
                unreachable!("the counts add up to the total")
            }
        }
    }
}
