//! Defines boards, cards, heaps, numbers and regions.

use super::{Checker, Heap, NumberDef, Region, Symbol};
use crate::board::{Board, BoardKind};
use crate::errors::{Span, did_you_mean};
use crate::set::MAX_SITES;
use crate::syntax::{BoardShape, Expr, Name, Range, RegionOf};

impl Checker<'_> {
    pub(super) fn define_board(&mut self, shape: &BoardShape, span: Span) {
        let mut side = |expr: &Expr, least: i64| -> Option<usize> {
            let value = self.constant(expr)?;
            if !(least..=MAX_SITES as i64).contains(&value) {
                let found = super::names::literal(value);
                let message = format!("expected {least} to {MAX_SITES} here, found {found}");
                self.problems.add(expr.span, message);
                return None;
            }
            Some(value as usize)
        };
        let (sites, make): (usize, Box<dyn Fn() -> Board>) = match shape {
            BoardShape::Square { width, height, kept, blocks } => {
                let Some(width) = side(width, 1) else { return };
                let Some(height) = height.as_ref().map_or(Some(width), |height| side(height, 1))
                else {
                    return;
                };
                if let Some(blocks) = blocks {
                    let Some(blocks_side) = side(blocks, 1) else { return };
                    if width % blocks_side > 0 || height % blocks_side > 0 {
                        self.problems.add(blocks.span, "the board is not made of whole blocks");
                        return;
                    }
                    self.block = Some(blocks_side);
                }
                let kept = *kept;
                (width * height, Box::new(move || Board::square(width, height, kept)))
            }
            BoardShape::Dots { width, height } => {
                let (Some(width), Some(height)) = (side(width, 1), side(height, 1)) else { return };
                let sites = (2 * width + 1) * (2 * height + 1);
                (sites, Box::new(move || Board::dots(width, height)))
            }
            BoardShape::Rhombus(size) => {
                let Some(size) = side(size, 1) else { return };
                (size * size, Box::new(move || Board::rhombus(size)))
            }
            BoardShape::Hexagon(size) => {
                let Some(size) = side(size, 1) else { return };
                ((2 * size - 1).pow(2), Box::new(move || Board::hexagon(size)))
            }
            BoardShape::Star(side_of_point) => {
                let Some(far) = side(side_of_point, 1) else { return };
                (6 * far * (far + 1) + 1, Box::new(move || Board::star(far)))
            }
            BoardShape::Track { rows, columns, stores } => {
                let (Some(rows), Some(columns)) = (side(rows, 2), side(columns, 1)) else { return };
                if rows != 2 {
                    self.problems.add(span, "a track has 2 rows");
                }
                let stores = *stores;
                (2 * columns + 2, Box::new(move || Board::track(columns, stores)))
            }
            BoardShape::Lines(lines) => {
                let points: Vec<Vec<&str>> = lines
                    .iter()
                    .map(|line| line.iter().map(|point| point.text.as_str()).collect())
                    .collect();
                match Board::lines(&points) {
                    Ok(board) => self.board = board,
                    Err((line, at, message)) => {
                        let point = lines.get(line).and_then(|line| line.get(at));
                        self.problems.add(point.map_or(span, |point| point.span), message);
                    }
                }
                return;
            }
        };
        if sites > MAX_SITES {
            let message = format!("this board has {sites} sites, more than {MAX_SITES}");
            self.problems.add(span, message);
            return;
        }
        self.board = make();
    }

    pub(super) fn define_cards(
        &mut self,
        ranks: &[Name],
        suits: &[Name],
        worth: &[Expr],
        span: Span,
    ) {
        if !self.cards.names.is_empty() {
            self.problems.add(span, "the cards are defined twice");
            return;
        }
        for rank in ranks {
            if suits.is_empty() {
                self.cards.names.push(rank.text.clone());
            }
            for suit in suits {
                let initial: String = suit.text.chars().take(1).collect();
                self.cards.names.push(format!("{}{initial}", rank.text));
            }
        }
        self.cards.suits = suits.len().max(1);
        self.cards.ranks = ranks.iter().map(|rank| rank.text.clone()).collect();
        for (number, suit) in suits.iter().enumerate() {
            self.insert(suit, Symbol::Suit(number));
        }
        let worth = worth.iter().filter_map(|worth| self.constant_in(worth, -999, 999));
        self.cards.worth = worth.map(|worth| worth as i16).collect();
        let (given, wanted) = (self.cards.worth.len(), ranks.len());
        if given > 0 && given != wanted {
            let message = format!("{given} numbers say what {wanted} ranks are worth");
            self.problems.add(span, message);
        }
        self.cards.worth.resize(wanted, 0);
        let names = &self.cards.names;
        let lower = |name: &String| name.to_lowercase();
        if let Some(twice) = names
            .iter()
            .enumerate()
            .find(|(at, name)| names[..*at].iter().any(|other| lower(other) == lower(name)))
        {
            let message = format!("two cards are called {}", twice.1);
            self.problems.add(span, message);
        }
        if names.len() > meeple_game::MAX_OUTCOMES.min(MAX_SITES) {
            let message = format!("{} cards, expected at most 256", names.len());
            self.problems.add(span, message);
            self.cards.names.truncate(1);
        }
    }

    /// Checks the numbers of a bid: the lowest, and how many there are.
    pub(super) fn bid_range(&mut self, range: &Range) -> Option<(i16, usize)> {
        let low = self.constant_in(&range.low, -9999, 9999)?;
        let high = self.constant_in(&range.high, low, low + MAX_SITES as i64 - 1)?;
        let count = (high - low + 1) as usize;
        self.bids = self.bids.max(count);
        Some((low as i16, count))
    }

    pub(super) fn define_heap(
        &mut self,
        name: &Name,
        each: bool,
        start: Option<&Expr>,
        sites: Option<&Expr>,
    ) {
        let start = match start {
            Some(start) => self.constant_in(start, 0, i64::from(i16::MAX)),
            None => Some(0),
        };
        let filled = match sites {
            Some(sites) => self.constant_set(sites),
            None => Some(self.board.all),
        };
        if self.board.kind == BoardKind::None {
            self.problems.add(name.span, "a heap needs a `board` above it");
            return;
        }
        let (Some(start), Some(filled)) = (start, filled) else { return };
        let seats = if each { self.players } else { 1 };
        let Some(register) = self.new_numbers(seats * self.board.positions, name.span) else {
            return;
        };
        if start * self.board.positions as i64 > i64::from(i16::MAX) {
            self.problems.add(name.span, "more than 32767 things in one heap");
            return;
        }
        let start = |site| if filled.has(site) { start as i16 } else { 0 };
        let sites = (0..self.board.positions).map(start);
        let start = std::iter::repeat_n(sites, seats).flatten().collect();
        self.insert(name, Symbol::Heap(self.heaps.len()));
        self.heaps.push(Heap { name: name.text.clone(), each, register, start });
    }

    pub(super) fn define_number(
        &mut self,
        name: &Name,
        each: bool,
        range: &Range,
        start: Option<&Expr>,
        capped: bool,
    ) {
        let (least, most) = (i64::from(i16::MIN), i64::from(i16::MAX));
        let low = self.constant_in(&range.low, least, most);
        let high = self.constant_in(&range.high, least, most);
        let given = start.map(|start| self.constant_in(start, least, most));
        let (Some(low), Some(high)) = (low, high) else { return };
        let start = match given {
            Some(None) => return,
            Some(Some(start)) => start,
            None => 0.clamp(low.min(high), high),
        };
        if low >= high || !(low..=high).contains(&start) {
            let message = format!("the bounds {low}..{high} do not hold the start {start}");
            self.problems.add(name.span, message);
            return;
        }
        let count = if each { self.players } else { 1 };
        let Some(register) = self.new_numbers(count, name.span) else { return };
        self.insert(name, Symbol::Number(self.numbers.len()));
        let (low, high, start) = (low as i16, high as i16, start as i16);
        let name = name.text.clone();
        let is_hidden = false;
        self.numbers.push(NumberDef { name, each, low, high, start, capped, is_hidden, register });
    }

    pub(super) fn define_region(&mut self, name: &Name, of: &RegionOf, parts: &[Expr]) {
        let mut seats = vec![Vec::new(); self.players];
        let old = match self.symbols.get(&name.text) {
            Some(&Symbol::Region(old)) if matches!(of, RegionOf::Seat(_)) => Some(old),
            _ => None,
        };
        let chosen = match of {
            RegionOf::Seat(seat) => match self.symbols.get(&seat.text) {
                Some(&Symbol::Seat(number)) => Some(number),
                _ => {
                    let known = self.seat_names.iter().map(String::as_str);
                    let help = did_you_mean(&seat.text, known)
                        .unwrap_or_else(|| "players are named by `players 2 named a, b`".into());
                    let message = format!("`{}` is no player", seat.text);
                    self.problems.add_with_help(seat.span, message, help);
                    return;
                }
            },
            _ => None,
        };
        for (seat, region) in seats.iter_mut().enumerate() {
            let wanted = match of {
                RegionOf::Nobody | RegionOf::Each => true,
                RegionOf::Seat(_) => chosen == Some(seat),
            };
            if wanted {
                self.seat = if matches!(of, RegionOf::Each) { seat } else { 0 };
                *region = parts.iter().filter_map(|part| self.constant_set(part)).collect();
            }
        }
        self.seat = 0;
        match old {
            Some(old) => {
                // A player who is not at this table has no region.
                if let Some(parts) = chosen.and_then(|seat| seats.get(seat)) {
                    self.regions[old].seats[chosen.unwrap_or(0)].clone_from(parts);
                }
            }
            None => {
                self.insert(name, Symbol::Region(self.regions.len()));
                self.regions.push(Region { seats });
            }
        }
    }
}
