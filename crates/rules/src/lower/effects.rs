//! Checks effects and lowers them to statements.

use std::rc::Rc;

use super::{Checker, NumberDef, Place, Symbol, Value, Variable};
use crate::errors::did_you_mean;
use crate::syntax::{Effect, EffectKind, Expr, ExprKind, Name, Target, Who, Whose, Word};
use crate::tree::{
    Arithmetic, LETS, MAX_LETS, NUMBER_LETS, Number, Outcome, SCRATCH, SetTree, Statement, and,
    minus, or, register,
};

impl Checker<'_> {
    /// Lowers a list of effects.
    pub(super) fn effects(&mut self, effects: &[Effect], out: &mut Vec<Statement>) {
        let lets = self.lets.len();
        for effect in effects {
            let _ = self.effect(effect, out);
        }
        self.lets.truncate(lets);
    }

    fn effect(&mut self, effect: &Effect, out: &mut Vec<Statement>) -> Option<()> {
        match &effect.kind {
            EffectKind::Set(target, value) => self.assign(target, value, out)?,
            EffectKind::Add(target, amount) | EffectKind::Take(target, amount) => {
                let is_add = matches!(effect.kind, EffectKind::Add(..));
                let amount = self.number(amount);
                let registers = self.target(target)?;
                let amount = amount?;
                let op = if is_add { crate::syntax::Op::Add } else { crate::syntax::Op::Sub };
                for register in registers {
                    let value =
                        super::sets::arithmetic(op, Number::Register(register), amount.clone());
                    out.push(Statement::Bounded { register, value });
                }
            }
            EffectKind::Remove(sites) => {
                let sites = self.set(sites)?;
                out.push(Statement::Set(SCRATCH, sites));
                for piece in self.registers_of(|_| true) {
                    out.push(Statement::Set(piece, minus(&register(piece), &register(SCRATCH))));
                }
            }
            EffectKind::Flip(sites) => {
                let sites = self.set(sites)?;
                out.push(Statement::Set(SCRATCH, sites));
                let flipped = register(SCRATCH);
                for piece in self.pieces.iter().filter(|piece| !piece.shared) {
                    let own = piece.register + self.seat as u8;
                    let others = (0..self.players).filter(|&seat| seat != self.seat);
                    for other in others.map(|seat| piece.register + seat as u8) {
                        let turned = and(&register(other), &flipped);
                        out.push(Statement::Set(own, or(&register(own), &turned)));
                        out.push(Statement::Set(other, minus(&register(other), &flipped)));
                    }
                }
            }
            EffectKind::Put { piece, on } => {
                let on = self.set(on);
                let piece = self.piece(piece)?;
                let own = self.own_register(piece);
                out.push(Statement::Set(own, or(&register(own), &on?)));
            }
            EffectKind::Promote { sites, piece } => {
                let sites = self.set(sites);
                let piece = self.piece(piece)?;
                let target = self.own_register(piece);
                let promoted = and(&self.mine(), &sites?);
                out.push(Statement::Set(SCRATCH, promoted));
                for own in self.registers_of(|owner| owner == Some(self.seat)) {
                    out.push(Statement::Set(own, minus(&register(own), &register(SCRATCH))));
                }
                out.push(Statement::Set(target, or(&register(target), &register(SCRATCH))));
            }
            EffectKind::Rotate { sites, left } => {
                let table = self.rotation(sites, *left)?;
                for piece in self.registers_of(|_| true) {
                    let rotated = Rc::new(SetTree::Spread(table, register(piece)));
                    out.push(Statement::Set(piece, rotated));
                }
            }
            EffectKind::Collect { heap, sites, into } => {
                let sites = self.set(sites);
                let registers = self.target(into);
                let heap = self.heap(&crate::expression::named(heap.clone()))?;
                let heap = self.heap_of(heap, self.seat);
                out.push(Statement::Set(SCRATCH, sites?));
                let sum = Number::Sum(heap, register(SCRATCH));
                for register in registers? {
                    let value = super::sets::arithmetic(
                        crate::syntax::Op::Add,
                        Number::Register(register),
                        sum.clone(),
                    );
                    out.push(Statement::Bounded { register, value });
                }
                out.push(Statement::Clear { heap, on: register(SCRATCH) });
            }
            EffectKind::SamePlayer => self.turn(Statement::SamePlayer, effect, out),
            EffectKind::NextPlayer => self.turn(Statement::NextPlayer, effect, out),
            EffectKind::FirstPlayer => self.turn(Statement::FirstPlayer, effect, out),
            EffectKind::ActsNext => {
                self.turn(Statement::ActsNext(self.seat as u8), effect, out);
            }
            EffectKind::DropOut => {
                self.drops = true;
                self.turn(Statement::DropOut(self.seat as u8), effect, out);
            }
            EffectKind::Show { sites, everybody } => {
                let set = self.set(sites)?;
                let Some(shown) = self.shown else {
                    self.problems.add(effect.span, "this game has no hidden pieces");
                    return None;
                };
                let is_meant = |seat: &usize| *everybody || *seat == self.seat;
                for seat in (0..self.players).filter(is_meant) {
                    let shown = shown + seat as u8;
                    out.push(Statement::Set(shown, or(&register(shown), &set)));
                }
            }
            EffectKind::PutHeap { amount, heap, on } => self.put_heap(amount, heap, on, out)?,
            EffectKind::MoveCards { cards, to } if self.is_on_heap(cards) => {
                self.move_heap(cards, to, out)?;
            }
            EffectKind::MoveCards { cards, to } => self.move_cards(cards, to, out)?,
            EffectKind::Survivor => self.result(Outcome::Survivor, None, effect, out),
            EffectKind::StopChain => self.turn(Statement::StopChain, effect, out),
            EffectKind::GoTo(phase) => {
                let Some(at) = self.phase_names.iter().position(|name| *name == phase.text) else {
                    let near =
                        did_you_mean(&phase.text, self.phase_names.iter().map(String::as_str));
                    let message = format!("unknown phase `{}`", phase.text);
                    match near {
                        Some(help) => self.problems.add_with_help(phase.span, message, help),
                        None => self.problems.add(phase.span, message),
                    }
                    return None;
                };
                self.turn(Statement::GoTo(at as u8), effect, out);
            }
            EffectKind::Let(name, value) => self.define_let(name, value, out)?,
            EffectKind::If { condition, then, otherwise }
                if matches!(&condition.kind, ExprKind::Call(Word::Has, _))
                    && self.place != Place::EndEffect =>
            {
                self.ask(condition, then, otherwise, out)?;
            }
            EffectKind::If { condition, then, otherwise } => {
                let condition = self.condition(condition);
                let (mut yes, mut no) = (Vec::new(), Vec::new());
                self.effects(then, &mut yes);
                self.effects(otherwise, &mut no);
                out.push(Statement::If(condition?, yes, no));
            }
            EffectKind::EachPlayer(effects) => {
                let seat = self.seat;
                for other in 0..self.players {
                    self.seat = other;
                    self.effects(effects, out);
                }
                self.seat = seat;
            }
            EffectKind::ForSeat(name, effects) => {
                let other = self.seat_named(name)?;
                let seat = std::mem::replace(&mut self.seat, other);
                self.effects(effects, out);
                self.seat = seat;
            }
            EffectKind::Draw => self.result(Outcome::Draw, None, effect, out),
            EffectKind::Wins { who, amount } => {
                let outcome = match self.seat_of(who)? {
                    Some(seat) => Outcome::Wins(1 << seat),
                    None => Outcome::NextWins,
                };
                self.result(outcome, amount.as_ref(), effect, out);
            }
            EffectKind::Loses { who, amount } => {
                let outcome = match self.seat_of(who)? {
                    Some(seat) => Outcome::Loses(1 << seat),
                    None => Outcome::NextLoses,
                };
                self.result(outcome, amount.as_ref(), effect, out);
            }
            EffectKind::Most { what, fewest, amount } => {
                let numbers = self.numbers_of_seats(what)?;
                let outcome = Outcome::Most { numbers, fewest: *fewest };
                self.result(outcome, amount.as_ref(), effect, out);
            }
        }
        Some(())
    }

    /// Checks a number, or the size of a set, for every seat.
    pub(super) fn numbers_of_seats(&mut self, what: &Expr) -> Option<Vec<Number>> {
        let seat = self.seat;
        let mut numbers = Vec::new();
        for other in 0..self.players {
            self.seat = other;
            numbers.push(match self.expr(what) {
                Some(Value::Set(set) | Value::Cards(set)) => Some(Number::Count(set)),
                Some(Value::Number(number)) => Some(number),
                Some(Value::Condition(_)) => {
                    self.problems.add(what.span, "expected a number or a set, found a condition");
                    None
                }
                None => None,
            });
        }
        self.seat = seat;
        numbers.into_iter().collect()
    }

    /// Adds an effect on the turn, which the start of a game cannot have.
    fn turn(&mut self, statement: Statement, effect: &Effect, out: &mut Vec<Statement>) {
        if self.place == Place::Definition {
            self.problems.add(effect.span, "nobody is to move yet");
        }
        out.push(statement);
    }

    fn result(
        &mut self,
        outcome: Outcome,
        amount: Option<&Expr>,
        effect: &Effect,
        out: &mut Vec<Statement>,
    ) {
        let amount = amount.and_then(|expr| {
            let amount = self.number(expr)?;
            let (low, high) = self.range_of(&amount);
            if low < 0 || high < 1 || high > i64::from(i16::MAX) {
                let message = format!("an amount is 0 to 32767, this is {low} to {high}");
                self.problems.add(expr.span, message);
                return None;
            }
            self.scale = self.scale.max(high);
            Some(amount)
        });
        self.turn(Statement::Result(outcome, amount), effect, out);
    }

    /// Returns the least and the greatest value that a number can have.
    pub(super) fn range_of(&self, number: &Number) -> (i64, i64) {
        match number {
            Number::Constant(value) => (i64::from(*value), i64::from(*value)),
            Number::Register(register) => {
                let holds = |def: &&NumberDef| {
                    let count = if def.each { self.players as u8 } else { 1 };
                    (def.register..def.register + count).contains(register)
                };
                let def = self.numbers.iter().find(holds);
                def.map_or((i64::from(i16::MIN), i64::from(i16::MAX)), |def| {
                    (def.low.into(), def.high.into())
                })
            }
            Number::PlayersLeft => (1, self.players as i64),
            Number::Whether(_) => (0, 1),
            Number::Worth(_) => (i64::from(i16::MIN), i64::from(i16::MAX)),
            Number::Count(_) | Number::Highest(_) => (0, crate::set::MAX_SITES as i64),
            Number::Sum(..) => (0, i64::from(i16::MAX)),
            Number::Arithmetic(op, a, b) => {
                let ((a, b), (c, d)) = (self.range_of(a), self.range_of(b));
                let all = match op {
                    Arithmetic::Add => [a + c, b + d, a + c, b + d],
                    Arithmetic::Sub => [a - d, b - c, a - d, b - c],
                    Arithmetic::Mul => [a * c, a * d, b * c, b * d],
                    Arithmetic::Div => [a.min(-a), b.min(-b), a.max(-a), b.max(-b)],
                };
                let all = all.map(|value| value.clamp(-1 << 31, 1 << 31));
                (all.into_iter().min().unwrap_or(0), all.into_iter().max().unwrap_or(0))
            }
        }
    }

    fn seat_named(&mut self, name: &Name) -> Option<usize> {
        match self.symbols.get(&name.text) {
            Some(&Symbol::Seat(seat)) if seat < self.players => Some(seat),
            _ => {
                let near = did_you_mean(&name.text, self.seat_names.iter().map(String::as_str));
                let help =
                    near.unwrap_or_else(|| "players are named by `players 2 named a, b`".into());
                let message = format!("`{}` is no player", name.text);
                self.problems.add_with_help(name.span, message, help);
                None
            }
        }
    }

    /// Returns a seat; `None` for the next player.
    fn seat_of(&mut self, who: &Who) -> Option<Option<usize>> {
        match who {
            Who::Mover => Some(Some(self.seat)),
            Who::Next => Some(None),
            Who::Seat(name) => self.seat_named(name).map(Some),
        }
    }

    /// Checks the name of a kind of pieces.
    pub(super) fn piece(&mut self, name: &Name) -> Option<usize> {
        match self.symbols.get(&name.text) {
            Some(&Symbol::Piece(piece)) => Some(piece),
            _ => {
                self.unknown(&name.text, name.span, "of a piece");
                None
            }
        }
    }

    pub(super) fn own_register(&self, piece: usize) -> u8 {
        let piece = &self.pieces[piece];
        if piece.shared { piece.register } else { piece.register + self.seat as u8 }
    }

    /// Returns the registers of a number that an effect changes.
    fn target(&mut self, target: &Target) -> Option<Vec<u8>> {
        let name = &target.name;
        let Some(&Symbol::Number(number)) = self.symbols.get(&name.text) else {
            self.unknown(&name.text, name.span, "of a number");
            return None;
        };
        let def = &self.numbers[number];
        if !def.each {
            if target.whose.is_some() {
                let message = format!("`{}` belongs to no player", name.text);
                self.problems.add(name.span, message);
            }
            return Some(vec![def.register]);
        }
        Some(self.registers_from(def.register, target))
    }

    /// Returns the registers of the seats that a target names, from that of the first seat on.
    fn registers_from(&self, first: u8, target: &Target) -> Vec<u8> {
        let is_mine = |seat: &usize| (*seat == self.seat) == (target.whose != Some(Whose::Their));
        (0..self.players).filter(is_mine).map(|seat| first + seat as u8).collect()
    }

    /// Returns the registers of a set variable that an effect changes.
    fn variable_targets(&mut self, variable: usize, target: &Target) -> Vec<u8> {
        let Variable { each, register, .. } = self.variables[variable];
        if each {
            return self.registers_from(register, target);
        }
        if target.whose.is_some() {
            let message = format!("`{}` belongs to no player", target.name.text);
            self.problems.add(target.name.span, message);
        }
        vec![register]
    }

    fn assign(&mut self, target: &Target, value: &Expr, out: &mut Vec<Statement>) -> Option<()> {
        if let Some(&Symbol::Variable(variable)) = self.symbols.get(&target.name.text) {
            let set = match self.variables[variable].cards {
                true => self.card_set(value)?,
                false => self.set(value)?,
            };
            for register in self.variable_targets(variable, target) {
                out.push(Statement::Set(register, set.clone()));
            }
            return Some(());
        }
        let value = self.number(value);
        let registers = self.target(target)?;
        let value = value?;
        for register in registers {
            out.push(Statement::Bounded { register, value: value.clone() });
        }
        Some(())
    }

    fn define_let(&mut self, name: &Name, value: &Expr, out: &mut Vec<Statement>) -> Option<()> {
        let value = self.expr(value)?;
        let count = self.lets.len() as u8;
        if count >= MAX_LETS {
            let message = format!("at most {MAX_LETS} names can be given at once");
            self.problems.add(name.span, message);
            return None;
        }
        let value = match value {
            Value::Set(set) => {
                out.push(Statement::Set(LETS + count, set));
                Value::Set(register(LETS + count))
            }
            Value::Number(number) => {
                out.push(Statement::Number(NUMBER_LETS + count, number));
                Value::Number(Number::Register(NUMBER_LETS + count))
            }
            Value::Cards(set) => {
                out.push(Statement::Set(LETS + count, set));
                Value::Cards(register(LETS + count))
            }
            Value::Condition(_) => {
                self.problems.add(name.span, "`let` names a set or a number, not a condition");
                return None;
            }
        };
        self.lets.push((name.text.clone(), value));
        Some(())
    }
}
