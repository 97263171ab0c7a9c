//! Lowers moves along paths, by a number or by a die, and the use of most dice.

use std::rc::Rc;

use super::rules::SeatCoder;
use super::{Checker, Place, blank_ids};
use crate::code::{Entry, Shape};
use crate::syntax::{Action, Distance, Expr, ExprKind, Goal, Item, Name, Rule};
use crate::tree::{
    Comparison, Condition, FROM, Number, SetTree, Sets, Statement, TO, and, minus, or, register,
};

/// The farthest that a piece goes along a path.
const MAX_DISTANCE: i64 = 64;

/// A move along a path, as a rule has it.
#[derive(Clone, Copy)]
struct Travel<'f> {
    what: &'f Name,
    from: Option<&'f Expr>,
    path: &'f Name,
    by: &'f Distance,
    to: &'f Goal,
}

impl<'f> Travel<'f> {
    fn of(rule: &'f Rule) -> Option<Self> {
        let Action::Travel { what, from, path, by, to } = &rule.action else { return None };
        Some(Self { what, from: from.as_ref(), path, by, to })
    }
}

/// A distance, when it can be gone, and what is offered then.
struct Way {
    far: usize,
    condition: Condition,
    to: Sets,
}

impl SeatCoder<'_, '_> {
    /// Lowers a rule that moves along a path.
    pub(super) fn travel(&mut self, rule: &Rule) -> Vec<Statement> {
        let such_that = self.such_that(rule);
        let first = self.entries.len();
        self.travel_entries(rule, such_that);
        self.travel_offers(rule, first, None)
    }

    /// Adds the entries of such a rule: one for each distance.
    fn travel_entries(&mut self, rule: &Rule, such_that: Option<usize>) -> Option<()> {
        let travel = Travel::of(rule)?;
        let path = self.checker.path(travel.path)?;
        let distances = self.checker.distances(travel.by, rule)?;
        let (sites, positions) = (self.checker.board.sites(), self.checker.board.positions);
        let rank: Vec<usize> =
            self.checker.board.rank.iter().map(|&rank| usize::from(rank)).collect();
        let is_off = matches!(travel.to, Goal::Off { .. });
        let all = if is_off { 0 } else { distances.len() * sites };
        let called = rule.called.as_ref().map_or_else(String::new, |name| name.text.clone());
        self.called.clone_from(&called);
        let first = if is_off { 0 } else { self.take_ids(all, String::new(), rule.span)? };
        for (number, &far) in distances.iter().enumerate() {
            let mut statements = Vec::new();
            self.checker.use_die(travel.by, far, &mut statements);
            statements.extend(self.effects(rule));
            self.checker.effects(&self.after_chain, &mut statements);
            let effect = self.checker.emitter.block(&statements);
            let mut ids = blank_ids(positions);
            let shape = if is_off {
                let label = match travel.by {
                    Distance::Die => format!("off by {far}"),
                    Distance::Number(_) => "off".into(),
                };
                self.called.clone_from(&called);
                let first = self.take_ids(sites, label, rule.span)?;
                for &site in &path {
                    ids[usize::from(site)] = (first + rank[usize::from(site)]) as u16;
                }
                Shape::Source
            } else {
                let mut from = blank_ids(positions);
                for (&source, &to) in path.iter().zip(path.iter().skip(far)) {
                    let id = first + number * sites + rank[usize::from(source)];
                    ids[usize::from(to)] = id as u16;
                    from[usize::from(to)] = source;
                }
                Shape::Move { from, over: Box::default(), captures: false }
            };
            self.entries.push(Entry {
                ids,
                is_longest: false,
                effect,
                such_that,
                is_pass: false,
                is_secret: false,
                shape,
            });
        }
        self.wide += sites * if matches!(travel.by, Distance::Die) { distances.len() } else { 1 };
        Some(())
    }

    /// Returns the statements that offer such a rule, or those for one die alone.
    fn travel_offers(&mut self, rule: &Rule, first: usize, die: Option<usize>) -> Vec<Statement> {
        self.checker.place = Place::Offer;
        self.checker.lets.clear();
        let condition = rule.condition.as_ref().map(|condition| self.checker.condition(condition));
        let Some(ways) = self.checker.travel_ways(rule) else { return Vec::new() };
        let offers =
            ways.into_iter().enumerate().filter(|(_, way)| die.is_none_or(|die| way.far == die));
        let offers: Vec<Statement> = offers
            .map(|(number, Way { condition, to, .. })| {
                let entry = (first + number) as u16;
                Statement::If(condition, vec![Statement::Offer { entry, to }], Vec::new())
            })
            .collect();
        match condition {
            None => offers,
            Some(Some(condition)) => vec![Statement::If(condition, offers, Vec::new())],
            Some(None) => Vec::new(),
        }
    }

    /// Lowers `use most dice`: of two different dice, an action is offered after which the other
    /// one can be used; if there is none, those of the greater die, else of the smaller one.
    pub(super) fn most_dice(
        &mut self,
        items: &[Item],
        span: crate::errors::Span,
    ) -> Vec<Statement> {
        let Some(dice) = self.checker.the_dice(span) else { return Vec::new() };
        if dice.count != 2 {
            self.checker.problems.add(span, "`use most dice` needs two dice");
            return Vec::new();
        }
        let mut rules = Vec::new();
        for item in items {
            match item {
                Item::Rule(rule)
                    if matches!(rule.action, Action::Travel { by: Distance::Die, .. })
                        && rule.such_that.is_none() =>
                {
                    rules.push(&**rule);
                }
                _ => {
                    let message = "`use most dice` holds rules that move `by a die`";
                    self.checker.problems.add(span, message);
                    return Vec::new();
                }
            }
        }
        let mut free = Vec::new();
        for rule in &rules {
            free.push(self.entries.len());
            self.travel_entries(rule, None);
        }
        let offers = |coder: &mut Self, firsts: &[usize], die: Option<usize>| {
            let all = rules.iter().zip(firsts);
            all.flat_map(|(rule, &first)| coder.travel_offers(rule, first, die)).collect::<Vec<_>>()
        };
        let plain = offers(self, &free, None);
        let Some(more) = any_of(&plain) else { return plain };
        let accept = vec![Statement::If(more, vec![Statement::Accept], Vec::new())];
        let such_that = Some(self.checker.emitter.block(&accept));
        // The same actions, of which only those are offered that leave a use for the other die.
        let (from, to) = (free[0], self.entries.len());
        let judged = self.entries[from..to].to_vec();
        self.entries.extend(judged.into_iter().map(|entry| Entry { such_that, ..entry }));
        let judged: Vec<usize> = free.iter().map(|first| first + to - from).collect();
        let both = offers(self, &judged, None);
        let (low, high) = (dice.low as usize, dice.low as usize + usize::from(dice.faces) - 1);
        let one = (low..=high).rev().map(|die| offers(self, &free, Some(die))).collect::<Vec<_>>();
        let one =
            one.into_iter().rev().reduce(|rest, first| vec![Statement::Otherwise(first, rest)]);
        let most = vec![Statement::Otherwise(both, one.unwrap_or_default())];
        vec![Statement::If(dice.are_two_different(), most, plain)]
    }
}

impl Checker<'_> {
    /// Returns the distances that a rule can go, in order.
    fn distances(&mut self, by: &Distance, rule: &Rule) -> Option<Vec<usize>> {
        let (low, high) = match by {
            Distance::Die => {
                let dice = self.the_dice(rule.span)?;
                (i64::from(dice.low), i64::from(dice.low) + i64::from(dice.faces) - 1)
            }
            Distance::Number(number) => {
                self.place = Place::Offer;
                let value = self.number(number)?;
                let (_, high) = self.range_of(&value);
                (1, high)
            }
        };
        if !(1..=MAX_DISTANCE).contains(&high) {
            let message = format!(
                "a piece goes 1 to {MAX_DISTANCE} sites along a path, this is up to {high}"
            );
            let help = "the bounds of a number say how far it can be";
            self.problems.add_with_help(rule.span, message, help);
            return None;
        }
        Some((low.max(1) as usize..=high as usize).collect())
    }

    /// Returns what a rule offers for each distance.
    fn travel_ways(&mut self, rule: &Rule) -> Option<Vec<Way>> {
        let travel = Travel::of(rule)?;
        let path = self.path(travel.path)?;
        let distances = self.distances(travel.by, rule)?;
        let number = match travel.by {
            Distance::Die => None,
            Distance::Number(number) => Some(self.number(number)?),
        };
        let all = self.travellers(travel.what)?;
        let source = match travel.from {
            Some(from) => and(&all, &self.set(from)?),
            None => all.clone(),
        };
        let targets = match travel.to {
            Goal::Sites(sites) => Some(self.set(sites)?),
            Goal::Off { .. } => None,
        };
        let mut ways = Vec::new();
        for far in distances {
            let condition = match &number {
                Some(number) => {
                    let far = Number::Constant(far as i32);
                    Condition::Compare(Comparison::Equal, number.clone(), far)
                }
                None => {
                    let dice = self.the_dice(rule.span)?;
                    let (one, die) = (Number::Constant(1), dice.showing(far as i32));
                    Condition::Compare(Comparison::LessOrEqual, one, die)
                }
            };
            let to = match (&targets, travel.to) {
                (Some(targets), _) => {
                    let further = self.further(&path, far, rule.span)?;
                    and(&Rc::new(SetTree::Spread(further, source.clone())), targets)
                }
                (None, Goal::Off { beyond: true }) => {
                    let exact = self.off(&path, far..=far, &source, rule)?;
                    let ahead = self.ahead_on(&path, rule.span)?;
                    let led = Rc::new(SetTree::Spread(ahead, all.clone()));
                    let near = self.off(&path, 1..=far - 1, &source, rule)?;
                    or(&exact, &minus(&near, &led))
                }
                (None, _) => self.off(&path, far..=far, &source, rule)?,
            };
            ways.push(Way { far, condition, to });
        }
        Some(ways)
    }

    /// Returns the pieces that are so many sites before the end of a path.
    fn off(
        &mut self,
        path: &[u16],
        far: std::ops::RangeInclusive<usize>,
        of: &Sets,
        rule: &Rule,
    ) -> Option<Sets> {
        let sites: Vec<u16> =
            far.filter_map(|far| path.iter().rev().nth(far - 1).copied()).collect();
        let table = self.only(&sites, rule.span)?;
        Some(Rc::new(SetTree::Spread(table, of.clone())))
    }

    /// Returns the sites of the pieces, or of the things of a heap, that the mover moves.
    fn travellers(&mut self, what: &Name) -> Option<Sets> {
        let expr = Expr { kind: ExprKind::Name(what.text.clone()), span: what.span };
        let Some(heaps) = self.heaps_named(&expr) else { return self.movers(what) };
        let of = crate::tree::constant(self.board.all);
        Some(Rc::new(SetTree::With { of, heap: *heaps.first()?, low: 1, high: i16::MAX }))
    }

    /// Takes the die of a move off the dice.
    fn use_die(&self, by: &Distance, far: usize, out: &mut Vec<Statement>) {
        if let (Distance::Die, Some(dice)) = (by, self.dice)
            && let Number::Register(register) = dice.showing(far as i32)
        {
            let left = super::sets::arithmetic(
                crate::syntax::Op::Sub,
                Number::Register(register),
                Number::Constant(1),
            );
            out.push(Statement::Bounded { register, value: left });
        }
    }

    /// Moves what travels from FROM to TO, or off the board.
    pub(super) fn relocate(&mut self, what: &Name, to: &Goal, out: &mut Vec<Statement>) {
        let expr = Expr { kind: ExprKind::Name(what.text.clone()), span: what.span };
        let Some(heaps) = self.heaps_named(&expr) else {
            let captures = match to {
                Goal::Sites(to) => !matches!(&to.kind, ExprKind::Name(name) if name == "empty"),
                Goal::Off { .. } => false,
            };
            self.move_piece(what, captures, out);
            return;
        };
        for heap in heaps {
            let add = |on: u8, by: i32| Statement::AddToHeap {
                heap,
                on: register(on),
                by: Number::Constant(by),
            };
            out.push(add(FROM, -1));
            if matches!(to, Goal::Sites(_)) {
                out.push(add(TO, 1));
            }
        }
    }

    /// Moves a piece from FROM to TO, where others are captured if there may be any.
    pub(super) fn move_piece(&mut self, what: &Name, captures: bool, out: &mut Vec<Statement>) {
        if captures {
            for other in self.registers_of(|owner| owner != Some(self.seat)) {
                out.push(Statement::Set(other, minus(&register(other), &register(TO))));
            }
        }
        let moved = |own: u8| {
            let left = minus(&register(own), &register(FROM));
            Statement::Set(own, or(&left, &register(TO)))
        };
        if what.text == "mine" {
            for own in self.registers_of(|owner| owner == Some(self.seat)) {
                let here = Condition::Any(and(&register(own), &register(FROM)));
                out.push(Statement::If(here, vec![moved(own)], Vec::new()));
            }
        } else if let Some(piece) = self.piece(what) {
            out.push(moved(self.own_register(piece)));
        }
    }
}

/// Returns the condition that statements offer anything.
fn any_of(offers: &[Statement]) -> Option<Condition> {
    let any = offers.iter().filter_map(|offer| match offer {
        Statement::Offer { to, .. } => Some(Condition::Any(to.clone())),
        Statement::If(condition, then, _) => {
            Some(Condition::And(Box::new(condition.clone()), Box::new(any_of(then)?)))
        }
        _ => None,
    });
    any.reduce(|a, b| Condition::Or(Box::new(a), Box::new(b)))
}
