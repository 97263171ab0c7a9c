//! Lowers what rules offer: the targets of their actions.

use std::rc::Rc;

use super::Place;
use super::entries::LONG_WAYS;
use super::rules::SeatCoder;
use crate::syntax::{Action, How, Rule};
use crate::tree::{Number, SetTree, Sets, Statement, and, step};

impl SeatCoder<'_, '_> {
    /// Returns the statements that offer a rule's actions, for pieces in `among`.
    pub(super) fn offer(
        &mut self,
        rule: &Rule,
        entry: usize,
        among: Option<&Sets>,
    ) -> Vec<Statement> {
        self.checker.place = Place::Offer;
        self.checker.lets.clear();
        let condition = rule.condition.as_ref().map(|condition| self.checker.condition(condition));
        let offers = self.targets(rule, entry, among).unwrap_or_default();
        match condition {
            None => offers,
            Some(Some(condition)) => vec![Statement::If(condition, offers, Vec::new())],
            Some(None) => Vec::new(),
        }
    }

    fn targets(
        &mut self,
        rule: &Rule,
        entry: usize,
        among: Option<&Sets>,
    ) -> Option<Vec<Statement>> {
        let first = entry as u16;
        let at = |number: usize| first.saturating_add(number as u16);
        match &rule.action {
            Action::Place { piece, on } => {
                let to = self.checker.set(on);
                let piece = self.checker.piece(piece)?;
                let to = to?;
                let long = self.checker.pieces[piece].long;
                if long == 1 {
                    return Some(vec![Statement::Offer { entry: first, to }]);
                }
                let mut offers = Vec::new();
                for (number, (x, y)) in LONG_WAYS.into_iter().enumerate() {
                    let back = self.checker.long_way((-x, -y), rule.span)?;
                    // A row begins where it is free and the row that is one shorter begins behind it.
                    let row = (1..long).fold(to.clone(), |row, _| and(&step(back, &row), &to));
                    offers.push(Statement::Offer { entry: at(number), to: row });
                }
                Some(offers)
            }
            Action::Aim { at, .. } => {
                let to = self.checker.set(at)?;
                Some(vec![Statement::Offer { entry: first, to }])
            }
            Action::Sow { heap, from, .. } => {
                let of = self.checker.set(from);
                let heap = self.checker.heap(&crate::expression::named(heap.clone()))?;
                let heap = self.checker.heap_of(heap, self.checker.seat);
                let to = Rc::new(SetTree::With { of: of?, heap, low: 1, high: i16::MAX });
                Some(vec![Statement::Offer { entry: first, to }])
            }
            Action::Say(_) | Action::Pass => Some(vec![Statement::One { entry: first }]),
            Action::Play { from, to, among, preferring } => {
                let (among, preferring) = (among.as_ref(), preferring.as_ref());
                self.offer_cards(first, [from, to], among, preferring)
            }
            Action::Bid { range, above, .. } => {
                let value = above.as_ref().map(|above| self.checker.number(above));
                let (low, count) = self.checker.bid_range(range)?;
                let value = value.unwrap_or(Some(Number::Constant(i32::from(low) - 1)))?;
                let value = Box::new(value);
                let to = Rc::new(SetTree::Above { value, low, count: count as u16 });
                Some(vec![Statement::Offer { entry: first, to }])
            }
            Action::Roll { .. }
            | Action::RollEach { .. }
            | Action::RollDice
            | Action::Travel { .. }
            | Action::Deal { .. } => None,
            Action::Move { what, how, over, to } => {
                if self.checker.shown.is_some() {
                    let message = "pieces do not move where some are hidden";
                    self.checker.problems.add(rule.span, message);
                    return None;
                }
                let source = self.checker.movers(what);
                let to = self.checker.set(to);
                let over = over.as_ref().map(|over| (over, self.checker.set(over)));
                let source = source?;
                let source = among.map_or(source.clone(), |among| and(&source, among));
                match (how, &over) {
                    (How::Jump(_), None) => {
                        self.checker.problems.add(rule.span, "a jump says what it goes `over`");
                        return None;
                    }
                    (How::Jump(_) | How::Slide(_), Some(_)) | (_, None) => {}
                    (_, Some((over, _))) => {
                        let message = "only a jump and a slide go `over` something";
                        self.checker.problems.add(over.span, message);
                        return None;
                    }
                }
                let to = to?;
                if matches!(how, How::Fly) {
                    return Some(vec![Statement::Fly { entry: first, from: source, to }]);
                }
                if matches!(how, How::Follow) {
                    if self.checker.loops.is_empty() {
                        self.checker.problems.add(rule.span, "the board has no `loops`");
                        return None;
                    }
                    let through = self.checker.empty();
                    return Some(vec![Statement::Follow {
                        entry: first,
                        from: source,
                        through,
                        to,
                    }]);
                }
                let ways = self.checker.ways(how, rule.span)?;
                let farthest = self.farthest(how);
                let over = match over {
                    Some((_, over)) => Some(over?),
                    None => None,
                };
                let offers = ways.iter().enumerate().map(|(number, &way)| {
                    let entry = at(number * farthest);
                    match (how, &over) {
                        (How::Slide(_), Some(over)) => Statement::SlideOver {
                            entry,
                            direction: way as u8,
                            from: source.clone(),
                            through: self.checker.empty(),
                            over: over.clone(),
                            to: to.clone(),
                        },
                        (How::Slide(_), None) => Statement::Slide {
                            entry,
                            direction: way as u8,
                            from: source.clone(),
                            through: self.checker.empty(),
                            to: to.clone(),
                        },
                        (How::Jump(_), Some(over)) => {
                            let over = and(&step(way, &source), over);
                            Statement::Offer { entry, to: and(&step(way, &over), &to) }
                        }
                        _ => Statement::Offer { entry, to: and(&step(way, &source), &to) },
                    }
                });
                Some(offers.collect())
            }
        }
    }
}
