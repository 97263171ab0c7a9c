//! Lowers chains: several moves of one piece in one turn.

use super::Place;
use super::rules::{Link, SeatCoder};
use crate::errors::Span;
use crate::set::Set;
use crate::syntax::Item;
use crate::tree::{Condition, Statement, TO, and, constant, register};

impl SeatCoder<'_, '_> {
    /// Makes the action that ends a chain, where the file allows to.
    pub(super) fn stop(&mut self, items: &[Item]) -> Option<u16> {
        let span = chain_to_stop(items)?;
        let chain = self.checker.chain?;
        self.checker.place = Place::Effect { to: true, from: false, over: false };
        self.checker.lets.clear();
        let mut none =
            vec![Statement::Set(TO, register(chain)), Statement::Set(chain, constant(Set::NONE))];
        self.checker.effects(&self.after_chain, &mut none);
        let effect = self.checker.emitter.block(&none);
        let entry = self.word("stop", effect, None, false, span);
        Some(entry as u16)
    }

    /// Adds to the effects of a chain's rules that the piece goes on while it can.
    pub(super) fn close_chain(&mut self, links: &[Link<'_>], first: usize, is_longest: bool) {
        let Some(chain) = self.checker.chain else { return };
        let mut more: Option<Condition> = None;
        for &(rule, entry) in links {
            for offer in self.offer(rule, entry, Some(&register(TO))) {
                let condition = match offer {
                    Statement::Offer { to, .. } => Condition::Any(to),
                    Statement::SlideOver { direction, from, over, to, .. } => {
                        let beyond = self.checker.beyond(direction.into(), &from, &over);
                        Condition::Any(and(&beyond, &to))
                    }
                    Statement::If(condition, offers, _) => {
                        let any = offers.into_iter().filter_map(|offer| match offer {
                            Statement::Offer { to, .. } => Some(Condition::Any(to)),
                            _ => None,
                        });
                        let Some(any) = any.reduce(either) else { continue };
                        Condition::And(Box::new(condition), Box::new(any))
                    }
                    _ => {
                        let message = "a chain is made of `move … step`, `jump` and `leap`";
                        self.checker.problems.add(rule.span, message);
                        continue;
                    }
                };
                more = Some(match more {
                    Some(more) => either(more, condition),
                    None => condition,
                });
            }
        }
        let Some(more) = more else { return };
        for &(rule, entry) in links {
            let mut statements = self.effects(rule);
            let goes_on = Condition::And(Box::new(Condition::GoesOn), Box::new(more.clone()));
            let on = vec![Statement::Set(chain, register(TO)), Statement::SamePlayer];
            let mut off = vec![Statement::Set(chain, constant(Set::NONE))];
            self.checker.effects(&self.after_chain, &mut off);
            statements.push(Statement::If(goes_on, on, off));
            let effect = self.checker.emitter.block(&statements);
            let end = links.iter().map(|link| link.1).filter(|&other| other > entry).min();
            let end = end.unwrap_or(self.entries.len()).max(first);
            for entry in &mut self.entries[entry..end] {
                entry.effect = effect;
                entry.is_longest = is_longest;
            }
        }
    }
}

fn either(a: Condition, b: Condition) -> Condition {
    Condition::Or(Box::new(a), Box::new(b))
}

/// Returns where a chain is written that players may end.
fn chain_to_stop(items: &[Item]) -> Option<Span> {
    items.iter().find_map(|item| match item {
        Item::Rule(_) | Item::MostDice { .. } => None,
        Item::FirstOf(inner) | Item::AnyOf(inner) | Item::Otherwise(inner) => chain_to_stop(inner),
        Item::Chain { may_stop, span, .. } => may_stop.then_some(*span),
    })
}
