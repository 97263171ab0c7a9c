//! Defines phases, and what chance decides in them.

use super::{Chance, Checker, PhaseInfo, Symbol};
use crate::errors::Span;
use crate::syntax::{Action, Expr, File, Item, Name};
use crate::tree::NUMBER_LETS;

impl Checker<'_> {
    /// Checks the name of a pile.
    pub(super) fn pile(&mut self, name: &Name) -> Option<usize> {
        match self.symbols.get(&name.text) {
            Some(&Symbol::Pile(pile)) => Some(pile),
            _ => {
                self.unknown(&name.text, name.span, "of a pile");
                None
            }
        }
    }

    pub(super) fn deal(&mut self, count: &Expr, from: &Name, to: &Name) -> Option<Chance> {
        let cards = self.cards.names.len() as i64;
        let each = self.constant_in(count, 1, cards.max(1));
        let (source, target) = (self.pile(from), self.pile(to));
        let (each, source, target) = (each?, source?, target?);
        if self.piles[source].each || source == target {
            self.problems.add(from.span, "cards are dealt from a shared pile to another one");
            return None;
        }
        let counter = self.new_numbers(1, from.span)?;
        let to = &self.piles[target];
        let piles = if to.each { self.players } else { 1 };
        if each * piles as i64 > cards {
            let message = format!("{} cards are dealt, there are {cards}", each * piles as i64);
            self.problems.add(count.span, message);
            return None;
        }
        let (from, to) = (self.piles[source].register, to.register);
        Some(Chance::Deal(super::Deal { from, to, piles, each: each as usize, counter }))
    }

    /// Defines the phases and the rolls of chance nodes.
    pub(super) fn phases(&mut self, file: &File) -> Vec<PhaseInfo> {
        let mut phases = Vec::new();
        for (number, phase) in file.phases.iter().enumerate() {
            if file.phases.len() > 1 || phase.name.text != "turn" {
                self.insert(&phase.name, Symbol::Phase(number));
            }
            self.phase_names.push(phase.name.text.clone());
            let mut chance = None;
            if let [Item::Rule(rule)] = &phase.items[..]
                && let Action::Deal { count, from, to } = &rule.action
            {
                let nothing = Chance::Roll { register: NUMBER_LETS, low: 1, high: 2 };
                chance = Some(self.deal(count, from, to).unwrap_or(nothing));
            }
            if let [Item::Rule(rule)] = &phase.items[..]
                && let Action::Roll { range, .. } = &rule.action
            {
                let low = self.constant_in(&range.low, -1000, 1000);
                let high = self.constant_in(&range.high, -1000, 1000);
                chance = Some(Chance::Roll { register: NUMBER_LETS, low: 1, high: 2 });
                if let (Some(low), Some(high)) = (low, high) {
                    let faces = high - low + 1;
                    let (low, high) = (low as i16, high as i16);
                    chance = Some(Chance::Roll { register: NUMBER_LETS, low, high });
                    if !(2..=meeple_game::MAX_OUTCOMES as i64).contains(&faces) {
                        let most = meeple_game::MAX_OUTCOMES;
                        let message = format!("a roll has 2 to {most} outcomes, this has {faces}");
                        self.problems.add(rule.span, message);
                    }
                }
            }
            phases.push(PhaseInfo { name: phase.name.text.clone(), chance });
        }
        if phases.is_empty() {
            self.missing("the file has no `turn` and no `phase`");
            phases.push(PhaseInfo { name: "turn".into(), chance: None });
        }
        if phases.len() > 255 {
            self.problems.add(Span::default(), "a game has at most 255 phases");
        }
        if file.ends.is_empty() {
            self.missing("the file has no `end`: the game would never end");
        }
        phases
    }
}
