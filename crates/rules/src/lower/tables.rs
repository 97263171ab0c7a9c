//! Set functions with tables: blocks, rotations, loops; and the sites that pieces attack.

use std::rc::Rc;

use super::Checker;
use crate::board::{BoardKind, NOWHERE};
use crate::code::{History, Loop};
use crate::errors::Span;
use crate::set::{Bits, Set};
use crate::syntax::{Action, Expr, File, How, Item, Name, Rule, Whose};
use crate::tree::{SetTree, Sets, and, constant, step};

/// The most changes of sites that a state remembers.
const MAX_HISTORY: i64 = 2000;

impl Checker<'_> {
    /// Returns the number of a table, which is added if it is new.
    pub(super) fn table(&mut self, table: Vec<Bits>, span: Span) -> Option<u8> {
        let known = self.tables.iter().position(|known| *known == table);
        let at = known.unwrap_or_else(|| {
            self.tables.push(table);
            self.tables.len() - 1
        });
        if at > usize::from(u8::MAX) {
            self.problems.add(span, "the file needs more than 256 tables");
            return None;
        }
        Some(at as u8)
    }

    /// Returns the table of the block that each site is in, or of the block that it stands for.
    pub(super) fn block_table(&mut self, stands_for: bool, whole: &Expr) -> Option<u8> {
        let Some(side) = self.block else {
            self.problems.add(whole.span, "this needs a board with `blocks`");
            return None;
        };
        let side = side as i16;
        let (width, height) = self.board.size();
        if stands_for && (width as i16 != side * side || height as i16 != side * side) {
            let message =
                "a site stands for a block where a block has as many sites as the board blocks";
            self.problems.add(whole.span, message);
            return None;
        }
        let block = |at: usize| {
            let (x, y) = self.board.places[at];
            let wanted = if stands_for { (x % side, y % side) } else { (x / side, y / side) };
            self.board.at(|x, y| (x / side, y / side) == wanted)
        };
        let table = (0..self.board.positions).map(block).collect();
        self.table(table, whole.span)
    }

    /// Returns a set on the board turned by half a circle.
    pub(super) fn across(&mut self, of: &Sets, span: Span) -> Option<Sets> {
        if let SetTree::Constant(set) = **of {
            return Some(constant(self.board.turn(set)));
        }
        let table = self.table(self.board.turned_table(), span)?;
        Some(Rc::new(SetTree::Spread(table, of.clone())))
    }

    /// Returns the table that turns a square part of the board by a quarter circle.
    pub(super) fn rotation(&mut self, sites: &Expr, left: bool) -> Option<u8> {
        let region = self.constant_set(sites)?;
        let places = || region.sites().map(|at| self.board.places[at]);
        let (Some(west), Some(south)) =
            (places().map(|place| place.0).min(), places().map(|place| place.1).min())
        else {
            self.problems.add(sites.span, "there is nothing to rotate");
            return None;
        };
        let side = places().map(|(x, y)| (x - west).max(y - south)).max().unwrap_or(0);
        let is_square = self.board.kind == BoardKind::Square
            && region.count() as i16 == (side + 1) * (side + 1);
        if !is_square {
            self.problems.add(sites.span, "only a square part of a board of squares is rotated");
            return None;
        }
        let turned = |at: usize| {
            let (x, y) = self.board.places[at];
            let (x, y) = (x - west, y - south);
            let (x, y) = if left { (side - y, x) } else { (y, side - x) };
            self.board.at(|to_x, to_y| (to_x, to_y) == (x + west, y + south))
        };
        let image = |at: usize| if region.has(at) { turned(at) } else { Set::one(at) };
        let table = (0..self.board.positions).map(image).collect();
        self.table(table, sites.span)
    }

    /// Returns the table of the sites that a long piece takes from each site on, in one direction.
    pub(super) fn strip(&mut self, way: usize, long: usize, span: Span) -> Option<u8> {
        let sites = |from: usize| {
            let next = |at: &u16| {
                let next = self.board.next[way][usize::from(*at)];
                (next != NOWHERE).then_some(next)
            };
            let row = std::iter::successors(Some(from as u16), next);
            Set::of(row.take(long).map(usize::from))
        };
        let table = (0..self.board.positions).map(sites).collect();
        self.table(table, span)
    }

    pub(super) fn define_loops(&mut self, loops: &[Vec<(Name, bool)>], span: Span) {
        if !self.loops.is_empty() || loops.is_empty() {
            self.problems.add(span, "expected one block of loops, one loop on each line");
            return;
        }
        for points in loops {
            let mut track = Loop { sites: Vec::new(), bends: Vec::new() };
            for (point, bends) in points {
                let Some(site) = self.site(&point.text) else {
                    let message = format!("the board has no site `{}`", point.text);
                    self.problems.add(point.span, message);
                    return;
                };
                track.sites.push(site as u16);
                track.bends.push(*bends);
            }
            self.loops.push(track);
        }
    }

    pub(super) fn define_history(&mut self, changes: &Expr, span: Span) {
        // What is reported is no reason to report every question for positions.
        let changes = self.constant_in(changes, 2, MAX_HISTORY).unwrap_or(MAX_HISTORY);
        if self.history.is_some() {
            self.problems.add(span, "the history is defined twice");
            return;
        }
        self.history = Some(History { changes: changes as u16, sets: 0 });
    }

    /// Returns the sites onto which the pieces of the mover, or of the others, could move now.
    pub(super) fn attacked(&mut self, whose: Whose, whole: &Expr) -> Option<Sets> {
        if std::mem::replace(&mut self.is_attack, true) {
            self.is_attack = false;
            self.problems.add(whole.span, "what is attacked cannot depend on what is attacked");
            return None;
        }
        let (seat, place) = (self.seat, self.place);
        let rules = self.moves.clone();
        let mut all = Vec::new();
        for other in (0..self.players).filter(|&other| (other == seat) == (whose == Whose::My)) {
            self.seat = other;
            self.place = super::Place::Offer;
            for rule in &rules {
                all.extend(self.targets_of(rule));
            }
        }
        (self.seat, self.place, self.is_attack) = (seat, place, false);
        Some(Rc::new(SetTree::Union(all)))
    }

    /// Returns all targets of a rule that moves pieces.
    fn targets_of(&mut self, rule: &Rule) -> Option<Sets> {
        let Action::Move { what, how, over, to } = &rule.action else { return None };
        let from = self.movers(what)?;
        let to = self.set(to)?;
        let ways = self.ways(how, rule.span)?;
        let over = match over {
            Some(over) => Some(self.set(over)?),
            None => None,
        };
        let reached = ways.into_iter().map(|way| match (how, &over) {
            (How::Slide(_), None) => {
                let (direction, from, through) = (way as u8, from.clone(), self.empty());
                Rc::new(SetTree::Ray { direction, from, through })
            }
            (How::Slide(_), Some(over)) => self.beyond(way, &from, over),
            (_, Some(over)) => step(way, &and(&step(way, &from), over)),
            _ => step(way, &from),
        });
        let reached = Rc::new(SetTree::Union(reached.collect()));
        Some(and(&reached, &to))
    }

    /// Returns the sites beyond one site of `over`, where a piece slides.
    pub(super) fn beyond(&self, way: usize, from: &Sets, over: &Sets) -> Sets {
        let (direction, from, over) = (way as u8, from.clone(), over.clone());
        Rc::new(SetTree::RayOver { direction, from, through: self.empty(), over })
    }
}

/// Returns the rules of a file that move pieces.
pub(super) fn moves(file: &File) -> Vec<Rule> {
    let mut all = Vec::new();
    file.phases.iter().for_each(|phase| collect_rules(&phase.items, &mut all));
    all.retain(|rule| matches!(rule.action, Action::Move { .. }));
    all.into_iter().cloned().collect()
}

/// Collects all rules, however they are grouped.
pub(super) fn collect_rules<'f>(items: &'f [Item], all: &mut Vec<&'f Rule>) {
    for item in items {
        match item {
            Item::Rule(rule) => all.push(rule),
            Item::FirstOf(inner) | Item::AnyOf(inner) | Item::Otherwise(inner) => {
                collect_rules(inner, all);
            }
            Item::Chain { items, .. } | Item::MostDice { items, .. } => collect_rules(items, all),
        }
    }
}
