//! Names of actions and chance outcomes.

use meeple_game::Action;

use crate::code::Shape;
use crate::lower::{Chance, RollEach};
use crate::state::FileGame;

impl<const WORDS: usize> FileGame<WORDS> {
    pub(crate) fn name_of(&self, action: Action) -> String {
        let rules = &self.program.rules;
        let card = |card: usize| rules.cards.names.get(card).cloned().unwrap_or_default();
        match self.chance() {
            Some(Chance::Roll { low, .. } | Chance::RollEach(RollEach { low, .. })) => {
                return (i32::from(low) + i32::from(action.0)).to_string();
            }
            Some(Chance::Dice(dice)) => return dice.name(action),
            Some(Chance::Deal(_)) => return card(action.index()),
            None => {}
        }
        let code = self.seat_code(self.control().mover);
        let Some(decoded) = code.actions.get(action.index()) else { return String::new() };
        let after = rules.rules.partition_point(|rule| rule.first <= action.index());
        let rule = after.checked_sub(1).map(|at| &rules.rules[at]);
        let label = rule.map_or("", |rule| rule.label.as_str());
        let called = rule.map_or("", |rule| rule.called.as_str());
        let target = usize::from(decoded.site);
        let site = |site: usize| rules.board.names[site].as_str();
        let from_to = |from: u16, captures: bool| {
            let sign = if captures || self.is_taken(target) { 'x' } else { '-' };
            format!("{}{sign}{}", site(usize::from(from)), site(target))
        };
        let name = match &code.entries[usize::from(decoded.entry)].shape {
            Shape::Word => label.to_owned(),
            Shape::Target | Shape::Source if label.is_empty() => site(target).to_owned(),
            Shape::Target | Shape::Source => format!("{label} {}", site(target)),
            Shape::Strip { last, .. } => {
                let label = if label.is_empty() { String::new() } else { format!("{label} ") };
                format!("{label}{}-{}", site(target), site(usize::from(last[target])))
            }
            Shape::Card => card(target),
            Shape::Number(low) => (i32::from(*low) + i32::from(decoded.site)).to_string(),
            Shape::From(from) => from_to(*from, false),
            Shape::Move { from, captures, .. } => from_to(from[target], *captures),
        };
        if called.is_empty() { name } else { format!("{name}={called}") }
    }

    fn is_taken(&self, site: usize) -> bool {
        let rules = &self.program.rules;
        rules.pieces.iter().any(|piece| {
            let seats = if piece.shared { 1 } else { rules.players as u8 };
            (0..seats).any(|seat| self.set(piece.register + seat).has(site))
        })
    }
}
