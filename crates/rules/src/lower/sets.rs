//! Checks expressions: each is a set, a number or a condition.

use super::{Checker, Pile, Place, Symbol, Value};
use crate::board::BoardKind;
use crate::errors::did_you_mean;
use crate::lower::names::BUILT_IN;
use crate::set::{Bits, Set};
use crate::syntax::{Expr, ExprKind, Op, Seen};
use crate::tree::{
    Arithmetic, Comparison, Condition, FROM, Number, OVER, SetTree, Sets, TO, and, constant, minus,
    or, register,
};

impl Checker<'_> {
    /// Checks an expression that must be a set.
    pub(super) fn set(&mut self, expr: &Expr) -> Option<Sets> {
        match self.expr(expr)? {
            Value::Set(set) => Some(set),
            other => self.wrong_type(expr, "a set of sites", &other),
        }
    }

    /// Checks an expression that must be a number; the number of a set is its size.
    pub(super) fn number(&mut self, expr: &Expr) -> Option<Number> {
        match self.expr(expr)? {
            Value::Number(number) => Some(number),
            other => self.wrong_type(expr, "a number", &other),
        }
    }

    /// Checks an expression that must be a condition; a set is one if there is anything in it.
    pub(super) fn condition(&mut self, expr: &Expr) -> Option<Condition> {
        if let Some(pile) = self.whole_pile(expr) {
            return Some(Condition::Any(pile));
        }
        match self.expr(expr)? {
            Value::Condition(condition) => Some(condition),
            Value::Set(set) | Value::Cards(set) => Some(Condition::Any(set)),
            other @ Value::Number(_) => self.wrong_type(expr, "a condition", &other),
        }
    }

    pub(super) fn wrong_type<T>(
        &mut self,
        expr: &Expr,
        expected: &str,
        found: &Value,
    ) -> Option<T> {
        let found = match found {
            Value::Set(_) => "a set of sites",
            Value::Cards(_) => "a set of cards",
            Value::Number(_) => "a number",
            Value::Condition(_) => "a condition",
        };
        let message = format!("expected {expected}, found {found}");
        match (expected, found) {
            ("a number", "a set of sites") => {
                self.problems.add_with_help(
                    expr.span,
                    message,
                    "the size of a set is `count of …`",
                );
            }
            _ => self.problems.add(expr.span, message),
        }
        None
    }

    /// Checks an expression of any type.
    pub(super) fn expr(&mut self, expr: &Expr) -> Option<Value> {
        match &expr.kind {
            ExprKind::Int(value) => {
                let value = i32::try_from(*value).unwrap_or(i32::MAX);
                Some(Value::Number(Number::Constant(value)))
            }
            ExprKind::Name(name) => self.name(name, expr),
            ExprKind::Of(whose, name) => self.owned(*whose, name),
            ExprKind::Not(inner) => {
                let inner = self.condition(inner)?;
                Some(Value::Condition(Condition::Not(Box::new(inner))))
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, expr),
            ExprKind::Call(word, arguments) => self.call(*word, arguments, expr),
        }
    }

    fn binary(&mut self, op: Op, left: &Expr, right: &Expr, whole: &Expr) -> Option<Value> {
        // `seeds on S` is the sum of a heap.
        if op == Op::And
            && let Some(registers) = self.heaps_named(left)
        {
            let on = self.set(right)?;
            let sums = registers.into_iter().map(|heap| Number::Sum(heap, on.clone()));
            return sums.reduce(|a, b| arithmetic(Op::Add, a, b)).map(Value::Number);
        }
        let (left_value, right_value) = (self.side(op, left), self.side(op, right));
        let (a, b) = (left_value?, right_value?);
        match (op, a, b) {
            (Op::And, Value::Set(a), Value::Set(b)) => Some(Value::Set(fold_set(op, &a, &b))),
            (Op::Or, Value::Set(a), Value::Set(b)) => Some(Value::Set(fold_set(op, &a, &b))),
            (Op::Minus, Value::Set(a), Value::Set(b)) => Some(Value::Set(fold_set(op, &a, &b))),
            (Op::And | Op::Or | Op::Minus, Value::Cards(a), Value::Cards(b)) => {
                Some(Value::Cards(fold_set(op, &a, &b)))
            }
            (Op::And | Op::Or, Value::Set(_), Value::Cards(_))
            | (Op::And | Op::Or, Value::Cards(_), Value::Set(_)) => {
                self.problems
                    .add(whole.span, "a set of sites and a set of cards have nothing in common");
                None
            }
            (Op::And | Op::Or, a, b) => {
                let a = Box::new(self.as_condition(a, left)?);
                let b = Box::new(self.as_condition(b, right)?);
                let both = if op == Op::And { Condition::And(a, b) } else { Condition::Or(a, b) };
                Some(Value::Condition(both))
            }
            (Op::Add | Op::Sub | Op::Mul | Op::Div, Value::Number(a), Value::Number(b)) => {
                if op == Op::Div && b == Number::Constant(0) {
                    self.problems.add(right.span, "division by 0");
                    return None;
                }
                Some(Value::Number(arithmetic(op, a, b)))
            }
            (Op::Eq, Value::Set(a), Value::Set(b)) => Some(Value::Condition(Condition::Same(a, b))),
            (Op::Eq, Value::Cards(a), Value::Cards(b)) => {
                Some(Value::Condition(Condition::Same(a, b)))
            }
            (Op::Ne, Value::Set(a), Value::Set(b)) => {
                Some(Value::Condition(Condition::Not(Box::new(Condition::Same(a, b)))))
            }
            (
                Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge,
                Value::Number(a),
                Value::Number(b),
            ) => Some(Value::Condition(compare(op, a, b))),
            _ => {
                let expected = match op {
                    Op::Minus => "two sets",
                    Op::Eq | Op::Ne => "two numbers or two sets",
                    _ => "two numbers",
                };
                let message = format!("expected {expected} on the sides of this sign");
                self.problems.add(whole.span, message);
                None
            }
        }
    }

    /// Checks a side of an operator; whether there are cards in a hidden pile is no secret.
    fn side(&mut self, op: Op, expr: &Expr) -> Option<Value> {
        let hides = |pile: &Pile| pile.seen != Seen::All;
        if matches!(op, Op::And | Op::Or)
            && let Some(pile) = self.whole_pile(expr)
            && self.pile_named(expr).is_some_and(|pile| hides(&self.piles[pile]))
            && self.place != Place::EndEffect
        {
            return Some(Value::Condition(Condition::Any(pile)));
        }
        self.expr(expr)
    }

    fn as_condition(&mut self, value: Value, expr: &Expr) -> Option<Condition> {
        match value {
            Value::Condition(condition) => Some(condition),
            Value::Set(set) | Value::Cards(set) => Some(Condition::Any(set)),
            Value::Number(_) => self.wrong_type(expr, "a condition", &value),
        }
    }

    fn name(&mut self, name: &str, expr: &Expr) -> Option<Value> {
        if let Some((_, value)) = self.lets.iter().rev().find(|(known, _)| known == name) {
            return Some(value.clone());
        }
        if name == "it" && self.is_card_event {
            return Some(Value::Cards(register(TO)));
        }
        if let Some(set) = self.built_in(name, expr) {
            return set.map(Value::Set);
        }
        match self.symbols.get(name).copied() {
            Some(Symbol::Option(value)) => {
                Some(Value::Number(Number::Constant(i32::try_from(value).unwrap_or(i32::MAX))))
            }
            Some(Symbol::Piece(piece)) => Some(Value::Set(self.pieces_of(piece, self.seat))),
            Some(Symbol::Variable(variable)) => {
                let set = self.variable_of(variable, self.seat);
                let cards = self.variables[variable].cards;
                Some(if cards { Value::Cards(set) } else { Value::Set(set) })
            }
            Some(Symbol::Suit(suit)) => {
                let (ranks, suits) = (self.cards.ranks.len(), self.cards.suits);
                let cards = (0..ranks).map(|rank| rank * suits + suit);
                Some(Value::Cards(constant(Set::of(cards))))
            }
            Some(Symbol::Number(number)) => {
                self.reads_number(number, expr.span)?;
                Some(Value::Number(self.number_of(number, self.seat)))
            }
            Some(Symbol::Region(region)) => Some(Value::Set(self.region(region, self.seat))),
            Some(Symbol::Pile(pile)) => {
                Some(Value::Cards(self.pile_of(pile, &[self.seat], expr.span)?))
            }
            Some(Symbol::Heap(_)) => {
                let message = format!("a heap is counted on sites: `{name} on …`");
                self.problems.add(expr.span, message);
                None
            }
            Some(Symbol::Seat(_)) => {
                self.problems
                    .add(expr.span, format!("`{name}` is a player, not a set or a number"));
                None
            }
            Some(Symbol::Path(_)) => {
                let message = format!("`{name}` is a path: pieces move `along` it");
                self.problems.add(expr.span, message);
                None
            }
            Some(Symbol::Phase(_)) => {
                self.problems.add(expr.span, format!("`{name}` is a phase, not a set or a number"));
                None
            }
            None => match self.site(name) {
                Some(site) => Some(Value::Set(constant(Set::one(site)))),
                None if self.card(name).is_some() => {
                    let card = self.card(name).map_or(Set::NONE, Set::one);
                    Some(Value::Cards(constant(card)))
                }
                None if name == "flanked" => {
                    let message = "`flanked` means something after `place … on … flanking …` only";
                    self.problems.add(expr.span, message);
                    None
                }
                None => {
                    self.unknown(name, expr.span, "");
                    None
                }
            },
        }
    }

    fn card(&self, name: &str) -> Option<usize> {
        self.cards.names.iter().position(|card| card == name)
    }

    pub(super) fn site(&self, name: &str) -> Option<usize> {
        let at = self.board.names.iter().position(|site| site == name)?;
        (self.board.kind != BoardKind::None && self.board.all.has(at)).then_some(at)
    }

    /// Reports an unknown name.
    pub(super) fn unknown(&mut self, name: &str, span: crate::errors::Span, what: &str) {
        let known = self.symbols.keys().map(String::as_str);
        let lets = self.lets.iter().map(|(name, _)| name.as_str());
        let near = did_you_mean(name, known.chain(BUILT_IN).chain(lets));
        if self.symbols.contains_key(name) || BUILT_IN.contains(&name) {
            let what = if what.is_empty() { "a set or a number" } else { what };
            let what = what.trim_start_matches("of ");
            self.problems.add(span, format!("`{name}` is not the name of {what}"));
            return;
        }
        if self.region_names.iter().any(|region| region == name) {
            let help = "a region is defined above the lines that use it, and never by itself";
            let message = format!("the region `{name}` is not defined yet");
            self.problems.add_with_help(span, message, help);
            return;
        }
        let what = if what.is_empty() { String::new() } else { format!(" {what}") };
        let message = format!("unknown name{what} `{name}`");
        match near {
            Some(help) => self.problems.add_with_help(span, message, help),
            None => self.problems.add(span, message),
        }
    }

    /// Returns a set that the language names; `Some(None)` where it means nothing here.
    pub(super) fn built_in(&mut self, name: &str, expr: &Expr) -> Option<Option<Sets>> {
        let event = match self.place {
            Place::Effect { to, from, over } => (to, from, over),
            Place::End | Place::EndEffect => (true, true, true),
            Place::Definition | Place::Offer => (false, false, false),
        };
        let (width, height) = self.board.size();
        let (width, height) = (width as i16, height as i16);
        let sites = |set: Bits| Some(Some(constant(set)));
        let needs = |set: u8, is_known: bool| is_known.then(|| register(set));
        let found = match name {
            "mine" => return Some(Some(self.mine())),
            "theirs" | "taken" | "empty" if !self.is_visible(name, expr.span) => return Some(None),
            "theirs" => return Some(Some(self.theirs())),
            "taken" => return Some(Some(self.taken())),
            "empty" => return Some(Some(self.empty())),
            "unknown" => {
                let Some(shown) = self.shown else {
                    self.problems.add(expr.span, "this game has no hidden pieces");
                    return Some(None);
                };
                return Some(Some(self.unknown_sites(shown)));
            }
            "board" => return sites(self.board.all),
            "nothing" => return sites(Set::NONE),
            "it" | "last" => needs(TO, event.0),
            "from" => needs(FROM, event.1),
            "over" => needs(OVER, event.2),
            "dark" => return sites(self.board.at(|x, y| (x + y) % 2 == 0)),
            "light" => return sites(self.board.at(|x, y| (x + y) % 2 == 1)),
            "rising" => return sites(self.board.at(|x, y| x == y)),
            "falling" => return sites(self.board.at(|x, y| x + y == width - 1)),
            "corners" => {
                let end = |at: i16, size: i16| at == 0 || at == size - 1;
                return sites(self.board.at(|x, y| end(x, width) && end(y, height)));
            }
            "centre" => {
                let middle = |at: i16, size: i16| at == size / 2 || at == (size - 1) / 2;
                return sites(self.board.at(|x, y| middle(x, width) && middle(y, height)));
            }
            "cells" if self.board.kind == BoardKind::Dots => {
                return sites(self.board.at(|x, y| x % 2 == 1 && y % 2 == 1));
            }
            "edges" if self.board.kind == BoardKind::Dots => {
                return sites(self.board.at(|x, y| (x + y) % 2 == 1));
            }
            "point" if self.board.kind == BoardKind::Star => {
                return sites(self.board.point_of(self.seat, self.players));
            }
            "store" if self.board.kind == BoardKind::Track => {
                let at = self.board.names.iter().position(|name| name == "store1");
                let store = at.map_or(Set::NONE, Set::one);
                return sites(self.seen(store));
            }
            _ => return None,
        };
        if found.is_none() {
            self.problems
                .add(expr.span, format!("`{name}` means nothing here: no piece has moved"));
        }
        Some(found)
    }
}

/// Joins two sets, at once where both are known.
pub(super) fn fold_set(op: Op, a: &Sets, b: &Sets) -> Sets {
    match (op, &**a, &**b) {
        (Op::And, SetTree::Constant(a), SetTree::Constant(b)) => constant(a.and(*b)),
        (Op::Or, SetTree::Constant(a), SetTree::Constant(b)) => constant(a.or(*b)),
        (Op::Minus, SetTree::Constant(a), SetTree::Constant(b)) => constant(a.minus(*b)),
        (Op::And, ..) => and(a, b),
        (Op::Or, ..) => or(a, b),
        _ => minus(a, b),
    }
}

/// Joins two numbers, at once where both are known.
pub(super) fn arithmetic(op: Op, a: Number, b: Number) -> Number {
    let op = match op {
        Op::Add => Arithmetic::Add,
        Op::Sub => Arithmetic::Sub,
        Op::Mul => Arithmetic::Mul,
        _ => Arithmetic::Div,
    };
    if let (Number::Constant(a), Number::Constant(b)) = (&a, &b) {
        return Number::Constant(match op {
            Arithmetic::Add => a.saturating_add(*b),
            Arithmetic::Sub => a.saturating_sub(*b),
            Arithmetic::Mul => a.saturating_mul(*b),
            Arithmetic::Div => a.checked_div(*b).unwrap_or(0),
        });
    }
    Number::Arithmetic(op, Box::new(a), Box::new(b))
}

fn compare(op: Op, a: Number, b: Number) -> Condition {
    let not = |condition| Condition::Not(Box::new(condition));
    match op {
        Op::Eq => Condition::Compare(Comparison::Equal, a, b),
        Op::Ne => not(Condition::Compare(Comparison::Equal, a, b)),
        Op::Lt => Condition::Compare(Comparison::Less, a, b),
        Op::Le => Condition::Compare(Comparison::LessOrEqual, a, b),
        Op::Gt => Condition::Compare(Comparison::Less, b, a),
        _ => Condition::Compare(Comparison::LessOrEqual, b, a),
    }
}
