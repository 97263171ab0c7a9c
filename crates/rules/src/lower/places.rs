//! Rows and columns of sites, by numbers that are known while playing, and back; and effects on heaps.

use std::rc::Rc;

use super::sets::arithmetic;
use super::{Checker, Value};
use crate::set::{Bits, Set};
use crate::syntax::{Expr, ExprKind, Op, Target, Word};
use crate::tree::{
    MAX_LETS, NUMBER_LETS, Number, SCRATCH, SetTree, Statement, constant, minus, register,
};

impl Checker<'_> {
    /// Returns the sites of a row or a column as the seat sees it, counted from 0.
    fn line(&self, is_row: bool, number: i16) -> Bits {
        self.seen(self.board.at(|x, y| if is_row { y == number } else { x == number }))
    }

    /// Returns the number of rows or columns.
    fn lines(&self, is_row: bool) -> usize {
        let (columns, rows) = self.board.size();
        if is_row { rows } else { columns }
    }

    /// Checks `row N` and `column N` whose number is known while playing only.
    pub(super) fn line_at(&mut self, is_row: bool, number: Number, whole: &Expr) -> Option<Value> {
        let count = self.lines(is_row);
        let mut table: Vec<Bits> = (0..count).map(|at| self.line(is_row, at as i16)).collect();
        table.resize(self.board.positions.max(count), Bits::NONE);
        let table = self.table(table, whole.span)?;
        // The first of those that are above the number before.
        let before = Box::new(arithmetic(Op::Sub, number, Number::Constant(1)));
        let from = Rc::new(SetTree::Above { value: before, low: 1, count: count as u16 });
        let mut next = vec![Bits::NONE; self.board.positions.max(count)];
        for at in 1..count {
            next[at - 1] = Set::one(at);
        }
        let next = self.table(next, whole.span)?;
        let one = minus(&from, &Rc::new(SetTree::Spread(next, from.clone())));
        Some(Value::Set(Rc::new(SetTree::Spread(table, one))))
    }

    /// Checks `rows of S` and `columns of S`.
    pub(super) fn lines_of(&mut self, word: Word, of: &Expr, whole: &Expr) -> Option<Value> {
        let of = self.set(of)?;
        let is_row = word == Word::RowsOf;
        let line = |at: usize| {
            let (x, y) = self.board.places[at];
            self.board.at(|other_x, other_y| if is_row { other_y == y } else { other_x == x })
        };
        let table: Vec<Bits> = (0..self.board.positions).map(line).collect();
        if let SetTree::Constant(set) = *of {
            let all = set.sites().fold(Bits::NONE, |all, site| all.or(table[site]));
            return Some(Value::Set(constant(all)));
        }
        let table = self.table(table, whole.span)?;
        Some(Value::Set(Rc::new(SetTree::Spread(table, of))))
    }

    /// Checks `row number of S` and `column number of S`: 0 where there is nothing in the set.
    pub(super) fn line_number(&mut self, word: Word, of: &Expr) -> Option<Value> {
        let span = of.span;
        let of = self.set(of)?;
        let is_row = word == Word::RowNumber;
        // Each site stands for as many things as the number of its line.
        let mut table = vec![Bits::NONE; self.board.positions];
        for at in 0..self.lines(is_row) {
            for site in self.line(is_row, at as i16).sites() {
                table[site] = Set::of(0..=at);
            }
        }
        let table = self.table(table, span)?;
        Some(Value::Number(Number::Count(Rc::new(SetTree::Spread(table, of)))))
    }

    /// Checks `put N HEAP on S`.
    pub(super) fn put_heap(
        &mut self,
        amount: &Expr,
        heap: &Target,
        on: &Expr,
        out: &mut Vec<Statement>,
    ) -> Option<()> {
        let by = self.number(amount);
        let on = self.set(on);
        for heap in self.heaps_of(heap)? {
            out.push(Statement::AddToHeap { heap, on: on.clone()?, by: by.clone()? });
        }
        Some(())
    }

    /// Returns the first registers of the heaps that a target names.
    fn heaps_of(&mut self, target: &Target) -> Option<Vec<u8>> {
        let kind = match target.whose {
            Some(whose) => ExprKind::Of(whose, target.name.clone()),
            None => ExprKind::Name(target.name.text.clone()),
        };
        let found = self.heaps_named(&Expr { kind, span: target.name.span });
        if found.is_none() {
            self.unknown(&target.name.text, target.name.span, "of a heap");
        }
        found
    }

    /// Returns whether an expression is what a heap has on sites, as in `their seeds on it`.
    pub(super) fn is_on_heap(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Binary(Op::And, heap, _) => self.heaps_named(heap).is_some(),
            _ => false,
        }
    }

    /// Checks `move HEAP on S to T`: all that is on the sites goes to another one.
    pub(super) fn move_heap(
        &mut self,
        what: &Expr,
        to: &Target,
        out: &mut Vec<Statement>,
    ) -> Option<()> {
        let ExprKind::Binary(_, heap, sites) = &what.kind else { return None };
        let sites = self.set(sites);
        let kind = match to.whose {
            Some(whose) => ExprKind::Of(whose, to.name.clone()),
            None => ExprKind::Name(to.name.text.clone()),
        };
        let to = self.set(&Expr { kind, span: to.name.span });
        let heaps = self.heaps_named(heap)?;
        let (sites, to) = (sites?, to?);
        let used = self.lets.len() as u8;
        if used >= MAX_LETS {
            self.problems.add(what.span, format!("more than {MAX_LETS} names of `let` at once"));
            return None;
        }
        let amount = NUMBER_LETS + used;
        out.push(Statement::Set(SCRATCH, sites));
        for heap in heaps {
            out.push(Statement::Number(amount, Number::Sum(heap, register(SCRATCH))));
            out.push(Statement::Clear { heap, on: register(SCRATCH) });
            let by = Number::Register(amount);
            out.push(Statement::AddToHeap { heap, on: to.clone(), by });
        }
        Some(())
    }
}
