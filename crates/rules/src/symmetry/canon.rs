//! Canonical texts of checked rules under a map of the board: equal texts mean the same.

use std::cell::Cell;

use super::{BoardMap, entries};
use crate::code::{Entry, Loop};
use crate::lower::Lowered;
use crate::set::Bits;
use crate::tree::{Condition, Number, Outcome, SetTree, Statement};

/// The most bytes of all texts of one seat: rules that share parts can be much longer as texts
/// than they are in memory, and such rules have no symmetries.
const MAX_BYTES: usize = 16 << 20;

/// Writes rules with the images of their sites, directions, tables and entries. `None` stands for
/// rules that are not recognized.
pub(super) struct Canon<'a> {
    map: &'a BoardMap,
    /// The image of each entry, and its rule.
    entries: Vec<(u16, Option<usize>)>,
    /// The number of each table's image, where it is a table too.
    tables: Vec<Option<usize>>,
    /// Whether the loops of the board are their own images.
    keeps_loops: bool,
    /// The number of entries of a slide in one direction.
    farthest: usize,
    room: Cell<usize>,
}

impl<'a> Canon<'a> {
    pub(super) fn new(map: &'a BoardMap, images: &[u16], rules: &Lowered, all: &[Entry]) -> Self {
        let owners = all.iter().map(|entry| entries::rule(rules, entry));
        let image = |table: &Vec<_>| {
            let mut image = table.clone();
            for (site, set) in table.iter().enumerate() {
                image[usize::from(map.sites[site])] = map.image(*set);
            }
            rules.tables.iter().position(|other| *other == image)
        };
        let (width, height) = rules.board.size();
        Self {
            map,
            entries: images.iter().copied().zip(owners).collect(),
            tables: rules.tables.iter().map(image).collect(),
            keeps_loops: keeps_loops(map, &rules.loops),
            farthest: width.max(height).max(2) - 1,
            room: Cell::new(MAX_BYTES),
        }
    }

    /// Returns the text of a block of statements.
    pub(super) fn block(&self, statements: &[Statement]) -> Option<String> {
        let mut all = Vec::new();
        // Offers that follow each other have no order.
        let mut offers = Vec::new();
        for statement in statements {
            match self.offer(statement) {
                Some(offer) => offers.push(offer?),
                None => {
                    offers.sort_unstable();
                    all.append(&mut offers);
                    all.push(self.statement(statement)?);
                }
            }
        }
        offers.sort_unstable();
        all.append(&mut offers);
        self.join("do", &all)
    }

    /// Returns the text of a statement that only offers actions; `None` for others.
    fn offer(&self, statement: &Statement) -> Option<Option<String>> {
        let of = |name: &str, sets: &[&SetTree]| {
            let sets: Option<Vec<String>> = sets.iter().map(|set| self.set(set)).collect();
            self.join(name, &sets?)
        };
        Some(match statement {
            // For which targets a condition holds in any case is known from the condition.
            Statement::Offer { entry, to } | Statement::OfferSure { entry, to, .. } => {
                of(&format!("offer {}", self.entry(*entry)), &[to])
            }
            Statement::Slide { entry, direction, from, through, to } => self
                .slide(*entry, *direction)
                .and_then(|slide| of(&format!("slide {slide}"), &[from, through, to])),
            Statement::SlideOver { entry, direction, from, through, over, to } => self
                .slide(*entry, *direction)
                .and_then(|slide| of(&format!("slide {slide}"), &[from, through, over, to])),
            Statement::Fly { entry, from, to } => {
                // Entries of other sites follow; all of them have images in the same rule.
                of(&format!("fly {entry}"), &[from, to])
            }
            Statement::Follow { entry, from, through, to } if self.keeps_loops => {
                of(&format!("follow {entry}"), &[from, through, to])
            }
            Statement::Follow { .. } => None,
            Statement::One { entry } => Some(format!("one {}", self.entry(*entry))),
            _ => return None,
        })
    }

    fn statement(&self, statement: &Statement) -> Option<String> {
        match statement {
            Statement::Set(register, set) => {
                self.join(&format!("set {register}"), &[self.set(set)?])
            }
            Statement::Number(register, number) => {
                self.join(&format!("number {register}"), &[self.number(number)?])
            }
            Statement::Bounded { register, value } => {
                self.join(&format!("bounded {register}"), &[self.number(value)?])
            }
            Statement::If(condition, then, otherwise) => {
                let condition = self.condition(condition)?;
                self.join("if", &[condition, self.block(then)?, self.block(otherwise)?])
            }
            Statement::Longest(offers) => self.join("longest", &[self.block(offers)?]),
            Statement::Otherwise(first, then) => {
                self.join("otherwise", &[self.block(first)?, self.block(then)?])
            }
            Statement::Result(outcome, amount) => {
                let mut parts = vec![match outcome {
                    Outcome::Most { numbers, fewest } => {
                        let numbers: Option<Vec<String>> =
                            numbers.iter().map(|number| self.number(number)).collect();
                        self.join(&format!("most {fewest}"), &numbers?)?
                    }
                    other => format!("{other:?}"),
                }];
                if let Some(amount) = amount {
                    parts.push(self.number(amount)?);
                }
                self.join("result", &parts)
            }
            Statement::SamePlayer
            | Statement::NextPlayer
            | Statement::FirstPlayer
            | Statement::ActsNext(_)
            | Statement::DropOut(_)
            | Statement::Ended(_)
            | Statement::GoTo(_)
            | Statement::StopChain
            | Statement::Accept => Some(format!("{statement:?}")),
            // Heaps are not mapped; offers are written by `offer`.
            Statement::Sow { .. }
            | Statement::AddToHeap { .. }
            | Statement::Clear { .. }
            | Statement::Offer { .. }
            | Statement::OfferSure { .. }
            | Statement::Slide { .. }
            | Statement::SlideOver { .. }
            | Statement::Fly { .. }
            | Statement::Follow { .. }
            | Statement::One { .. } => None,
        }
    }

    /// Returns the image of an entry; entries without actions are all alike.
    fn entry(&self, entry: u16) -> String {
        match self.entries[usize::from(entry)] {
            (_, None) => "none".to_owned(),
            (image, Some(_)) => image.to_string(),
        }
    }

    /// Returns the image of a slide, whose entries follow each other by distance.
    fn slide(&self, entry: u16, direction: u8) -> Option<String> {
        let image = |far: usize| self.entries.get(usize::from(entry) + far);
        let first = image(0)?.0;
        let is_row = |far: usize| match image(far) {
            Some((to, Some(_))) => usize::from(*to) == usize::from(first) + far,
            _ => true,
        };
        let direction = self.map.ways[usize::from(direction)];
        (0..self.farthest).all(is_row).then(|| format!("{} {direction}", self.entry(entry)))
    }

    fn set(&self, tree: &SetTree) -> Option<String> {
        let of = |name: &str, sets: &[&SetTree]| {
            let sets: Option<Vec<String>> = sets.iter().map(|set| self.set(set)).collect();
            self.join(name, &sets?)
        };
        let way = |direction: &u8| self.map.ways[usize::from(*direction)];
        match tree {
            SetTree::Register(register) => Some(format!("r{register}")),
            SetTree::Constant(set) => Some(format!("{:x?}", self.map.image(*set).0)),
            SetTree::And(..) => self.any_order("and", tree),
            SetTree::Or(..) | SetTree::Union(_) => self.any_order("or", tree),
            SetTree::Minus(a, b) => of("minus", &[a, b]),
            SetTree::Step(direction, set) => of(&format!("step {}", way(direction)), &[set]),
            SetTree::Around(set) => of("around", &[set]),
            SetTree::Flank { own, enemy } => of("flank", &[own, enemy]),
            SetTree::Flanked { own, enemy, at } => of("flanked", &[own, enemy, at]),
            SetTree::Line { of: set, length, members } => {
                of(&format!("line {length} {members}"), &[set])
            }
            SetTree::Flood { seed, within } => of("flood", &[seed, within]),
            SetTree::Reach { from, through } => of("reach", &[from, through]),
            SetTree::Spread(table, set) => {
                let table = self.tables[usize::from(*table)]?;
                of(&format!("spread {table}"), &[set])
            }
            SetTree::Enclosed { of: set, by } => of("enclosed", &[set, by]),
            SetTree::Ray { direction, from, through } => {
                of(&format!("ray {}", way(direction)), &[from, through])
            }
            SetTree::RayOver { direction, from, through, over } => {
                of(&format!("ray {}", way(direction)), &[from, through, over])
            }
            SetTree::Between => Some("between".to_owned()),
            // What is about tracks, heaps, cards and bids is not mapped.
            SetTree::RunBack { .. }
            | SetTree::With { .. }
            | SetTree::Opposite(_)
            | SetTree::SameRank(_)
            | SetTree::SameSuit(_)
            | SetTree::Best { .. }
            | SetTree::Above { .. }
            | SetTree::Quiet { .. }
            | SetTree::Repeating(_)
            | SetTree::Whenever { .. }
            | SetTree::Lands { .. } => None,
        }
    }

    /// Returns the text of intersections or unions, whose parts have no order.
    fn any_order(&self, name: &str, tree: &SetTree) -> Option<String> {
        let mut parts = Vec::new();
        self.collect(name == "and", tree, &mut parts)?;
        parts.sort_unstable();
        parts.dedup();
        self.join(name, &parts)
    }

    fn collect(&self, is_and: bool, tree: &SetTree, parts: &mut Vec<String>) -> Option<()> {
        match tree {
            SetTree::And(a, b) if is_and => {
                self.collect(is_and, a, parts)?;
                self.collect(is_and, b, parts)
            }
            SetTree::Or(a, b) if !is_and => {
                self.collect(is_and, a, parts)?;
                self.collect(is_and, b, parts)
            }
            SetTree::Union(sets) if !is_and => {
                sets.iter().try_for_each(|set| self.collect(is_and, set, parts))
            }
            _ => {
                parts.push(self.set(tree)?);
                Some(())
            }
        }
    }

    fn number(&self, number: &Number) -> Option<String> {
        match number {
            Number::Constant(_) | Number::Register(_) | Number::PlayersLeft => {
                Some(format!("{number:?}"))
            }
            Number::Count(set) => self.join("count", &[self.set(set)?]),
            Number::Arithmetic(op, a, b) => {
                self.join(&format!("{op:?}"), &[self.number(a)?, self.number(b)?])
            }
            Number::Whether(condition) => self.join("whether", &[self.condition(condition)?]),
            Number::Highest(_) | Number::Sum(..) | Number::Worth(_) => None,
        }
    }

    fn condition(&self, condition: &Condition) -> Option<String> {
        match condition {
            Condition::Any(set) => match joined(set) {
                Some((within, parts)) => {
                    let mut parts = parts.map(|part| format!("{:x?}", self.map.image(part).0));
                    parts.sort_unstable();
                    let [one, other] = parts;
                    self.join("joins", &[self.set(within)?, one, other])
                }
                None => self.join("any", &[self.set(set)?]),
            },
            Condition::Same(a, b) => {
                let mut sides = [self.set(a)?, self.set(b)?];
                sides.sort_unstable();
                self.join("same", &sides)
            }
            Condition::Compare(by, a, b) => {
                self.join(&format!("{by:?}"), &[self.number(a)?, self.number(b)?])
            }
            Condition::Not(inner) => self.join("not", &[self.condition(inner)?]),
            Condition::And(..) | Condition::Or(..) => {
                let (mut parts, is_and) = (Vec::new(), matches!(condition, Condition::And(..)));
                self.collect_conditions(is_and, condition, &mut parts)?;
                parts.sort_unstable();
                parts.dedup();
                self.join(if is_and { "all" } else { "some" }, &parts)
            }
            Condition::NextStuck
            | Condition::EverybodyStuck
            | Condition::GoesOn
            | Condition::Repeated
            | Condition::OneLeft => Some(format!("{condition:?}")),
        }
    }

    fn collect_conditions(
        &self,
        is_and: bool,
        condition: &Condition,
        parts: &mut Vec<String>,
    ) -> Option<()> {
        match condition {
            Condition::And(a, b) if is_and => {
                self.collect_conditions(is_and, a, parts)?;
                self.collect_conditions(is_and, b, parts)
            }
            Condition::Or(a, b) if !is_and => {
                self.collect_conditions(is_and, a, parts)?;
                self.collect_conditions(is_and, b, parts)
            }
            _ => {
                parts.push(self.condition(condition)?);
                Some(())
            }
        }
    }

    fn join(&self, name: &str, parts: &[String]) -> Option<String> {
        let text = format!("{name}({})", parts.join(","));
        self.room.set(self.room.get().checked_sub(text.len())?);
        Some(text)
    }
}

/// Returns the set and the two parts of the board of `S joins REGION`, which asks whether a
/// connected part of the set touches both; their order does not matter.
fn joined(tree: &SetTree) -> Option<(&SetTree, [Bits; 2])> {
    let SetTree::And(flood, last) = tree else { return None };
    let (SetTree::Flood { seed, within }, SetTree::Constant(last)) = (&**flood, &**last) else {
        return None;
    };
    let SetTree::And(seeded, first) = &**seed else { return None };
    match &**first {
        SetTree::Constant(first) if seeded == within => Some((within, [*first, *last])),
        _ => None,
    }
}

/// Returns whether every loop is mapped onto a loop, from whatever site and in either direction.
fn keeps_loops(map: &BoardMap, loops: &[Loop]) -> bool {
    loops.iter().all(|track| {
        let image = |&site: &u16| map.sites[usize::from(site)];
        let sites: Vec<u16> = track.sites.iter().map(image).collect();
        loops.iter().any(|other| is_same_loop(&sites, &track.bends, other))
    })
}

fn is_same_loop(sites: &[u16], bends: &[bool], other: &Loop) -> bool {
    let length = sites.len();
    if other.sites.len() != length {
        return false;
    }
    // The way from a site to the next one ahead is, backwards, the way to the one before.
    let ahead = |first: usize, at: usize| ((first + at) % length, (first + at) % length);
    let back = |first: usize, at: usize| {
        let site = (first + length - at) % length;
        (site, (site + length - 1) % length)
    };
    let fits = |place: &dyn Fn(usize, usize) -> (usize, usize), first: usize| {
        (0..length).all(|at| {
            let (site, way) = place(first, at);
            sites[at] == other.sites[site] && bends[at] == other.bends[way]
        })
    };
    (0..length).any(|first| fits(&ahead, first) || fits(&back, first))
}
