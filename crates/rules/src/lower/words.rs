//! Checks the functions that are written with words, such as `row 1` and `line of 3`.

use std::rc::Rc;

use super::{Checker, Place, Symbol, Value};
use crate::board::BoardKind;
use crate::set::Set;
use crate::syntax::{Expr, ExprKind, Way, Whose, Word};
use crate::tree::{Condition, Number, SetTree, and, constant, or, step};

impl Checker<'_> {
    pub(super) fn call(&mut self, word: Word, arguments: &[Expr], whole: &Expr) -> Option<Value> {
        let set = |tree: SetTree| Some(Value::Set(Rc::new(tree)));
        match word {
            Word::Rows | Word::Columns => {
                if arguments[0].span == arguments[1].span
                    && let number = self.number(&arguments[0])?
                    && !matches!(number, Number::Constant(_))
                {
                    return self.line_at(word == Word::Rows, number, whole);
                }
                let low = self.constant(&arguments[0]);
                let high = self.constant(&arguments[1]);
                let (low, high) = (low?, high?);
                let (columns, rows) = self.board.size();
                let most = if word == Word::Rows { rows } else { columns } as i64;
                if low < 1 || high > most || low > high {
                    let what = if word == Word::Rows { "rows" } else { "columns" };
                    let message = format!("the board has {what} 1 to {most}, not {low}..{high}");
                    self.problems.add(whole.span, message);
                    return None;
                }
                let range = low as i16 - 1..=high as i16 - 1;
                let found = match word {
                    Word::Rows => {
                        let pits = self.board.positions;
                        let stores: Vec<usize> = (0..pits)
                            .filter(|&at| self.board.names[at].starts_with("store"))
                            .collect();
                        self.board.at(|_, y| range.contains(&y)).minus(Set::of(stores))
                    }
                    _ => self.board.at(|x, _| range.contains(&x)),
                };
                Some(Value::Set(constant(self.seen(found))))
            }
            Word::RowsOf | Word::ColumnsOf => self.lines_of(word, &arguments[0], whole),
            Word::RowNumber | Word::ColumnNumber => self.line_number(word, &arguments[0]),
            Word::DiceLeft | Word::DiceTotal | Word::DiceShowing | Word::Doubles | Word::Pairs => {
                self.dice_word(word, arguments, whole)
            }
            Word::Edge(way) => {
                let (width, height) = self.board.size();
                let (width, height) = (width as i16, height as i16);
                let offset = match way {
                    Way::Compass(x, y) if self.board.kind != BoardKind::Hexagon => (x, y),
                    _ => (0, 0),
                };
                let edge = match offset {
                    (0, 1) => self.board.at(|_, y| y == height - 1),
                    (0, -1) => self.board.at(|_, y| y == 0),
                    (1, 0) => self.board.at(|x, _| x == width - 1),
                    (-1, 0) => self.board.at(|x, _| x == 0),
                    _ => {
                        self.problems.add(whole.span, "this board has no such edge");
                        return None;
                    }
                };
                Some(Value::Set(constant(edge)))
            }
            Word::Around => {
                let of = self.set(&arguments[0])?;
                set(SetTree::Around(of))
            }
            Word::Opposite => {
                let of = self.set(&arguments[0])?;
                if self.board.kind == BoardKind::Star {
                    return Some(Value::Set(self.across(&of, whole.span)?));
                }
                self.needs_track(true, whole)?;
                set(SetTree::Opposite(of))
            }
            Word::Point(way) => {
                let Way::Compass(x, y) = way else { return self.no_point(whole) };
                match self.board.star_point((x, y)) {
                    Some(point) => Some(Value::Set(constant(point))),
                    None => self.no_point(whole),
                }
            }
            Word::Neighbour(way) => {
                let of = self.set(&arguments[0])?;
                let way = self.way(way, whole.span)?;
                Some(Value::Set(step(way, &of)))
            }
            Word::Count if let Some(pile) = self.whole_pile(&arguments[0]) => {
                Some(Value::Number(Number::Count(pile)))
            }
            Word::Count => match self.expr(&arguments[0])? {
                Value::Set(of) | Value::Cards(of) => Some(Value::Number(Number::Count(of))),
                other => self.wrong_type(&arguments[0], "a set", &other),
            },
            Word::Highest => {
                let of = self.card_set(&arguments[0])?;
                Some(Value::Number(Number::Highest(of)))
            }
            Word::SameRank => {
                let of = self.card_set(&arguments[0])?;
                Some(Value::Cards(Rc::new(SetTree::SameRank(of))))
            }
            Word::Line => {
                let length = self.constant_in(&arguments[0], 2, 64)?;
                let of = match arguments.get(1) {
                    Some(of) => self.set(of)?,
                    None => self.mine(),
                };
                self.needs_track(false, whole)?;
                self.longest_line = self.longest_line.max(length as usize);
                set(SetTree::Line { of, length: length as u8, members: true })
            }
            Word::Reach => {
                let (from, through) = (self.set(&arguments[0]), self.set(&arguments[1]));
                self.needs_track(false, whole)?;
                set(SetTree::Reach { from: from?, through: through? })
            }
            Word::RunBack => {
                let (from, through) = (self.set(&arguments[0]), self.set(&arguments[1]));
                self.needs_track(true, whole)?;
                set(SetTree::RunBack { from: from?, through: through? })
            }
            Word::Flanking => {
                let on = self.set(&arguments[0]);
                let enemy = self.set(&arguments[1]);
                self.needs_track(false, whole)?;
                let flank = Rc::new(SetTree::Flank { own: self.mine(), enemy: enemy? });
                Some(Value::Set(and(&flank, &on?)))
            }
            Word::With => {
                let of = self.set(&arguments[0]);
                let low = self.constant_in(&arguments[1], 0, i64::from(i16::MAX));
                let high = self.constant_in(&arguments[2], 0, i64::from(i16::MAX));
                let Some(heaps) = self.heaps_named(&arguments[3]) else {
                    self.heap(&arguments[3])?;
                    return None;
                };
                let (of, low, high) = (of?, low? as i16, high? as i16);
                let with = |heap| Rc::new(SetTree::With { of: of.clone(), heap, low, high });
                heaps.into_iter().map(with).reduce(|a, b| or(&a, &b)).map(Value::Set)
            }
            Word::All => {
                let heap = self.heap(&arguments[0])?;
                let all: i32 = self.heaps[heap].start.iter().map(|&start| i32::from(start)).sum();
                Some(Value::Number(Number::Constant(all)))
            }
            Word::Stuck | Word::EverybodyStuck => {
                if self.place != Place::End {
                    self.problems.add(whole.span, "only an end can ask who is stuck");
                    return None;
                }
                let everybody = word == Word::EverybodyStuck;
                let stuck =
                    if everybody { Condition::EverybodyStuck } else { Condition::NextStuck };
                Some(Value::Condition(stuck))
            }
            Word::BoardFull => {
                let full = Condition::Not(Box::new(Condition::Any(self.empty())));
                Some(Value::Condition(full))
            }
            Word::Joins => self.joins(&arguments[0], &arguments[1]),
            Word::Block | Word::BlockFor => {
                let of = self.set(&arguments[0]);
                let table = self.block_table(word == Word::BlockFor, whole)?;
                set(SetTree::Spread(table, of?))
            }
            Word::Enclosed => {
                let (of, by) = (self.set(&arguments[0]), self.set(&arguments[1]));
                set(SetTree::Enclosed { of: of?, by: by? })
            }
            Word::Has => {
                if self.pile_named(&arguments[0]).is_none() {
                    self.problems.add(arguments[0].span, "expected the name of a pile");
                    return None;
                }
                let (pile, of) = (self.card_set(&arguments[0]), self.card_set(&arguments[1]));
                Some(Value::Condition(Condition::Any(and(&pile?, &of?))))
            }
            Word::SameSuit => {
                let of = self.card_set(&arguments[0])?;
                Some(Value::Cards(Rc::new(SetTree::SameSuit(of))))
            }
            Word::Best => {
                let of = self.card_set(&arguments[0]);
                let by = self.card_set(&arguments[1]);
                let then = match arguments.get(2) {
                    Some(then) => self.card_set(then),
                    None => Some(constant(Set::NONE)),
                };
                let (of, by) = (of?, [by?, then?]);
                Some(Value::Cards(Rc::new(SetTree::Best { of, by })))
            }
            Word::Worth => {
                let of = self.card_set(&arguments[0])?;
                Some(Value::Number(Number::Worth(of)))
            }
            Word::Rank => {
                let ExprKind::Name(rank) = &arguments[0].kind else { return None };
                let Some(rank) = self.cards.ranks.iter().position(|known| known == rank) else {
                    self.problems.add(whole.span, format!("no card has the rank `{rank}`"));
                    return None;
                };
                let suits = self.cards.suits;
                let cards = (0..suits).map(|suit| rank * suits + suit);
                Some(Value::Cards(constant(Set::of(cards))))
            }
            Word::PlayersLeft => Some(Value::Number(Number::PlayersLeft)),
            Word::OneLeft => Some(Value::Condition(Condition::OneLeft)),
            Word::Whether => {
                let condition = self.condition(&arguments[0])?;
                Some(Value::Number(Number::Whether(Box::new(condition))))
            }
            Word::Total => {
                let numbers = self.numbers_of_seats(&arguments[0])?;
                let sum = |a, b| super::sets::arithmetic(crate::syntax::Op::Add, a, b);
                numbers.into_iter().reduce(sum).map(Value::Number)
            }
            Word::Attacked(whose) => Some(Value::Set(self.attacked(whose, whole)?)),
            Word::Repeated => {
                if self.history.is_none() {
                    let help = "`history 400` has room for 400 changes of sites";
                    let message = "the file keeps no history of positions";
                    self.problems.add_with_help(whole.span, message, help);
                    return None;
                }
                if self.shown.is_some() {
                    let message = "positions are not compared where pieces are hidden";
                    self.problems.add(whole.span, message);
                    return None;
                }
                Some(Value::Condition(Condition::Repeated))
            }
        }
    }

    /// Checks `S joins REGION`: a part of the set touches every part of the region.
    fn joins(&mut self, set: &Expr, region: &Expr) -> Option<Value> {
        let within = self.set(set);
        let (name, seat) = match &region.kind {
            ExprKind::Name(name) => (name.clone(), self.seat),
            ExprKind::Of(Whose::My, name) => (name.text.clone(), self.seat),
            ExprKind::Of(Whose::Their, name) if self.players == 2 => {
                (name.text.clone(), 1 - self.seat)
            }
            _ => (String::new(), 0),
        };
        let Some(&Symbol::Region(region_at)) = self.symbols.get(&name) else {
            self.problems.add(region.span, "expected the name of a region with several parts");
            return None;
        };
        let parts = self.regions[region_at].seats[seat].clone();
        if parts.len() < 2 {
            self.problems.add(region.span, "this region has one part, expected two or more");
            return None;
        }
        let within = within?;
        let first = and(&within, &constant(parts[0]));
        if parts.len() == 2 {
            let flood = Rc::new(SetTree::Flood { seed: first, within });
            return Some(Value::Condition(Condition::Any(and(&flood, &constant(parts[1])))));
        }
        self.problems.add(region.span, "a region that is joined has exactly two parts for now");
        None
    }

    fn no_point<T>(&mut self, whole: &Expr) -> Option<T> {
        let message = "a `board star` has points to the north, northeast, southeast and so on";
        self.problems.add(whole.span, message);
        None
    }

    fn needs_track(&mut self, wanted: bool, whole: &Expr) -> Option<()> {
        if (self.board.kind == BoardKind::Track) == wanted {
            return Some(());
        }
        let message =
            if wanted { "this needs a `board track`" } else { "a track has no such lines" };
        self.problems.add(whole.span, message);
        None
    }

    /// Returns the index of a direction as the seat sees it.
    pub(super) fn way(&mut self, way: Way, span: crate::errors::Span) -> Option<usize> {
        let sign = if self.is_turned() { -1 } else { 1 };
        let offset = match way {
            Way::Compass(x, y) => (x, y),
            Way::Ahead => (0, sign),
            Way::Back => (0, -sign),
        };
        let ways = self.board.ways();
        let found = self.board.directions[ways].iter().position(|known| *known == offset);
        if found.is_none() {
            self.problems.add(span, "this board has no such direction");
        }
        found
    }
}
