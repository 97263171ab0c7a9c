//! Names with owners: pieces, numbers, regions and piles of one seat, of others, of all.

use super::sets::{arithmetic, fold_set};
use super::{Checker, NumberDef, Pile, Place, Symbol, Value, Variable};
use crate::errors::Span;
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

    /// Returns the sites with pieces; on boards of their own, with those of the seat.
    pub(super) fn taken(&self) -> Sets {
        self.union(|owner| !self.board_each || owner.is_none_or(|owner| owner == self.seat))
    }

    /// Returns the sites of which the seat does not know what is there.
    pub(super) fn unknown_sites(&self, shown: u8) -> Sets {
        let unseen = minus(&constant(self.board.all), &register(shown + self.seat as u8));
        if self.board_each { unseen } else { minus(&unseen, &self.mine()) }
    }

    /// Checks that the mover sees a set of pieces, where it decides what they may do.
    pub(super) fn is_visible(&mut self, name: &str, span: Span) -> bool {
        let is_own = self.board_each && name != "theirs";
        self.reads_pieces |= self.shown.is_some() && !is_own;
        if self.place != Place::Offer || self.shown.is_none() || is_own {
            return true;
        }
        let message = format!("the mover does not see `{name}`");
        let help = "use `aim at unknown`, and decide in the effects";
        self.problems.add_with_help(span, message, help);
        false
    }

    pub(super) fn empty(&self) -> Sets {
        minus(&constant(self.board.all), &self.taken())
    }

    pub(super) fn number_of(&self, number: usize, seat: usize) -> Number {
        let number = &self.numbers[number];
        Number::Register(if number.each { number.register + seat as u8 } else { number.register })
    }

    pub(super) fn variable_of(&self, variable: usize, seat: usize) -> Sets {
        let Variable { each, register: first, .. } = self.variables[variable];
        register(if each { first + seat as u8 } else { first })
    }

    /// Checks that a number may be read here: what not everybody sees must not change what
    /// happens, except at the end.
    pub(super) fn reads_number(&mut self, number: usize, span: Span) -> Option<()> {
        let NumberDef { is_hidden, name, .. } = &self.numbers[number];
        if *is_hidden && self.place != Place::EndEffect {
            let message = format!("not everybody sees `{name}`");
            self.problems.add_with_help(span, message, "only the effects of an end may read it");
            return None;
        }
        self.reads_hidden |= is_hidden;
        Some(())
    }

    pub(super) fn region(&self, region: usize, seat: usize) -> Sets {
        let parts = &self.regions[region].seats[seat];
        constant(parts.iter().fold(Set::NONE, |all, part| all.or(*part)))
    }

    /// Returns the cards of a pile, or of those of several seats. What not everybody sees must
    /// not change what happens, except at the end.
    pub(super) fn pile_of(&mut self, pile: usize, seats: &[usize], span: Span) -> Option<Sets> {
        let is_hidden = self.piles[pile].seen != Seen::All;
        if is_hidden && self.place != Place::EndEffect {
            let message = format!("not everybody sees the cards of `{}`", self.piles[pile].name);
            let help = "only the effects of an end may read them; the size of a pile is `count of`";
            self.problems.add_with_help(span, message, help);
            return None;
        }
        self.reads_hidden |= is_hidden;
        Some(self.pile_set(pile, seats))
    }

    fn pile_set(&self, pile: usize, seats: &[usize]) -> Sets {
        let Pile { each, register: first, .. } = self.piles[pile];
        if !each {
            return register(first);
        }
        let sets = seats.iter().map(|&seat| register(first + seat as u8));
        sets.reduce(|a, b| or(&a, &b)).unwrap_or_else(|| constant(Set::NONE))
    }

    /// Returns the pile that an expression names.
    pub(super) fn pile_named(&self, expr: &Expr) -> Option<usize> {
        let name = match &expr.kind {
            ExprKind::Name(name) => name,
            ExprKind::Of(_, name) => &name.text,
            _ => return None,
        };
        match self.symbols.get(name) {
            Some(&Symbol::Pile(pile)) => Some(pile),
            _ => None,
        }
    }

    /// Returns the cards of an expression that is the name of a pile. Everybody sees how many
    /// there are, and it is no secret that all of them go somewhere.
    pub(super) fn whole_pile(&self, expr: &Expr) -> Option<Sets> {
        let pile = self.pile_named(expr)?;
        let whose = if let ExprKind::Of(whose, _) = expr.kind { whose } else { Whose::My };
        Some(self.pile_set(pile, &self.seats_of(whose)))
    }

    pub(super) fn seats_of(&self, whose: Whose) -> Vec<usize> {
        let is_meant = |&seat: &usize| match whose {
            Whose::My => seat == self.seat,
            Whose::Their => seat != self.seat,
            Whose::Any => true,
        };
        (0..self.players).filter(is_meant).collect()
    }

    /// Checks an expression that must be a set of cards.
    pub(super) fn card_set(&mut self, expr: &Expr) -> Option<Sets> {
        match self.expr(expr)? {
            Value::Cards(cards) => Some(cards),
            // The empty set is one of everything.
            Value::Set(set) if *set == SetTree::Constant(Set::NONE) => Some(set),
            other => self.wrong_type(expr, "a set of cards", &other),
        }
    }

    /// Checks `my x`, `their x`, `any x`.
    pub(super) fn owned(&mut self, whose: Whose, name: &Name) -> Option<Value> {
        let seats = self.seats_of(whose);
        let symbol = self.symbols.get(&name.text).copied();
        let symbol = if name.text == "store" && symbol.is_none() { None } else { symbol };
        match symbol {
            Some(Symbol::Piece(piece))
                if whose != Whose::My
                    && self.pieces[piece].is_hidden
                    && !self.is_visible("theirs", name.span) =>
            {
                None
            }
            Some(Symbol::Piece(piece)) => {
                let sets = seats.into_iter().map(|seat| self.pieces_of(piece, seat));
                sets.reduce(|a, b| or(&a, &b)).map(Value::Set)
            }
            Some(Symbol::Variable(variable)) if self.variables[variable].each => {
                let sets = seats.into_iter().map(|seat| self.variable_of(variable, seat));
                let cards = self.variables[variable].cards;
                let value = if cards { Value::Cards } else { Value::Set };
                sets.reduce(|a, b| or(&a, &b)).map(value)
            }
            Some(Symbol::Region(region)) => {
                let sets = seats.into_iter().map(|seat| self.region(region, seat));
                sets.reduce(|a, b| fold_set(Op::Or, &a, &b)).map(Value::Set)
            }
            Some(Symbol::Pile(pile)) => Some(Value::Cards(self.pile_of(pile, &seats, name.span)?)),
            Some(Symbol::Number(number)) => {
                self.reads_number(number, name.span)?;
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

    /// Returns the first registers of the heaps that an expression names.
    pub(super) fn heaps_named(&self, expr: &Expr) -> Option<Vec<u8>> {
        let (whose, name) = match &expr.kind {
            ExprKind::Name(name) => (Whose::My, name),
            ExprKind::Of(whose, name) => (*whose, &name.text),
            _ => return None,
        };
        let Some(&Symbol::Heap(heap)) = self.symbols.get(name) else { return None };
        let seats = if self.heaps[heap].each { self.seats_of(whose) } else { vec![self.seat] };
        Some(seats.into_iter().map(|seat| self.heap_of(heap, seat)).collect())
    }

    /// Returns the first register of the heap of a seat.
    pub(super) fn heap_of(&self, heap: usize, seat: usize) -> u8 {
        let first = self.heaps[heap].register;
        if self.heaps[heap].each { first + (seat * self.board.positions) as u8 } else { first }
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
