//! Names with owners: pieces, numbers, regions and piles of one seat, of others, of all.

use super::sets::{arithmetic, fold_set};
use super::{Checker, Place, Symbol, Value, Variable};
use crate::set::Set;
use crate::syntax::{Expr, ExprKind, Name, Op, Seen, Whose};
use crate::tree::{Number, SetTree, Sets, constant, minus, or, register};

impl Checker<'_> {
    /// Returns the pieces of one kind and seat.
    pub(super) fn pieces_of(&self, piece: usize, seat: usize) -> Sets {
        let piece = &self.pieces[piece];
        register(if piece.shared { piece.register } else { piece.register + seat as u8 })
    }

    /// Returns the registers of all pieces of the seats for which `of` holds.
    pub(super) fn registers_of(&self, of: impl Fn(Option<usize>) -> bool) -> Vec<u8> {
        let mut all = Vec::new();
        for piece in &self.pieces {
            if piece.shared {
                all.extend(of(None).then_some(piece.register));
            } else {
                let seats = (0..self.players).filter(|&seat| of(Some(seat)));
                all.extend(seats.map(|seat| piece.register + seat as u8));
            }
        }
        all
    }

    pub(super) fn union(&self, of: impl Fn(Option<usize>) -> bool) -> Sets {
        let sets = self.registers_of(of).into_iter().map(register);
        sets.reduce(|a, b| or(&a, &b)).unwrap_or_else(|| constant(Set::NONE))
    }

    pub(super) fn mine(&self) -> Sets {
        self.union(|owner| owner == Some(self.seat))
    }

    pub(super) fn theirs(&self) -> Sets {
        self.union(|owner| owner.is_some_and(|owner| owner != self.seat))
    }

    pub(super) fn empty(&self) -> Sets {
        let taken = self.union(|_| true);
        minus(&constant(self.board.all), &taken)
    }

    pub(super) fn number_of(&self, number: usize, seat: usize) -> Number {
        let number = &self.numbers[number];
        Number::Register(if number.each { number.register + seat as u8 } else { number.register })
    }

    pub(super) fn variable_of(&self, variable: usize, seat: usize) -> Sets {
        let Variable { each, register: first, .. } = self.variables[variable];
        register(if each { first + seat as u8 } else { first })
    }

    pub(super) fn region(&self, region: usize, seat: usize) -> Sets {
        let parts = &self.regions[region].seats[seat];
        constant(parts.iter().fold(Set::NONE, |all, part| all.or(*part)))
    }

    /// Returns the cards of a pile, or of those of several seats. What not everybody sees must
    /// not change what happens, except at the end.
    pub(super) fn pile_of(
        &mut self,
        pile: usize,
        seats: &[usize],
        span: crate::errors::Span,
    ) -> Option<Sets> {
        let pile = &self.piles[pile];
        if pile.seen != Seen::All && self.place != Place::EndEffect {
            let message = format!("not everybody sees the cards of `{}`", pile.name);
            let help = "only the effects of an end may read them";
            self.problems.add_with_help(span, message, help);
            return None;
        }
        self.reads_hidden |= pile.seen != Seen::All;
        if !pile.each {
            return Some(register(pile.register));
        }
        let sets = seats.iter().map(|&seat| register(pile.register + seat as u8));
        sets.reduce(|a, b| or(&a, &b))
    }

    /// Checks an expression that must be a set of cards.
    pub(super) fn card_set(&mut self, expr: &Expr) -> Option<Sets> {
        match self.expr(expr)? {
            Value::Cards(cards) => Some(cards),
            other => self.wrong_type(expr, "a set of cards", &other),
        }
    }

    /// Checks `my x`, `their x`, `any x`.
    pub(super) fn owned(&mut self, whose: Whose, name: &Name) -> Option<Value> {
        let seats: Vec<usize> = (0..self.players)
            .filter(|&seat| match whose {
                Whose::My => seat == self.seat,
                Whose::Their => seat != self.seat,
                Whose::Any => true,
            })
            .collect();
        let symbol = self.symbols.get(&name.text).copied();
        let symbol = if name.text == "store" && symbol.is_none() { None } else { symbol };
        match symbol {
            Some(Symbol::Piece(piece)) => {
                let sets = seats.into_iter().map(|seat| self.pieces_of(piece, seat));
                sets.reduce(|a, b| or(&a, &b)).map(Value::Set)
            }
            Some(Symbol::Variable(variable)) if self.variables[variable].each => {
                let sets = seats.into_iter().map(|seat| self.variable_of(variable, seat));
                sets.reduce(|a, b| or(&a, &b)).map(Value::Set)
            }
            Some(Symbol::Region(region)) => {
                let sets = seats.into_iter().map(|seat| self.region(region, seat));
                sets.reduce(|a, b| fold_set(Op::Or, &a, &b)).map(Value::Set)
            }
            Some(Symbol::Pile(pile)) => Some(Value::Cards(self.pile_of(pile, &seats, name.span)?)),
            Some(Symbol::Number(number)) => {
                let all = seats.into_iter().map(|seat| self.number_of(number, seat));
                all.reduce(|a, b| arithmetic(Op::Add, a, b)).map(Value::Number)
            }
            None if name.text == "store" => {
                let expr = Expr { kind: ExprKind::Name(name.text.clone()), span: name.span };
                let own = self.built_in("store", &expr)??;
                let SetTree::Constant(own) = *own else { return None };
                let set = if whose == Whose::Their { self.board.turn(own) } else { own };
                Some(Value::Set(constant(set)))
            }
            Some(_) => {
                let message = format!("`{}` belongs to no player", name.text);
                self.problems.add(name.span, message);
                None
            }
            None => {
                self.unknown(&name.text, name.span, "");
                None
            }
        }
    }

    pub(super) fn heap(&mut self, expr: &Expr) -> Option<usize> {
        let ExprKind::Name(name) = &expr.kind else { return None };
        match self.symbols.get(name) {
            Some(&Symbol::Heap(heap)) => Some(heap),
            _ => {
                self.unknown(name, expr.span, "of a heap");
                None
            }
        }
    }

    /// Returns the pieces that a rule moves.
    pub(super) fn movers(&mut self, what: &Name) -> Option<Sets> {
        if what.text == "mine" {
            return Some(self.mine());
        }
        let piece = self.piece(what)?;
        Some(self.pieces_of(piece, self.seat))
    }
}
