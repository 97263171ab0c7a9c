//! Pictures of states: the board by its coordinates, and numbers and piles beside it.

use std::collections::BTreeSet;
use std::ops::Range;

use meeple_game::{BoardPiece, CardPile, Cell, CellShape, Counter, Picture, Player};

use crate::board::{Board, BoardKind, NOWHERE};
use crate::hidden;
use crate::state::FileGame;

impl<const WORDS: usize> FileGame<WORDS> {
    /// Returns the picture that a player sees or, without one, of the whole state. Games with a
    /// board for each player have none.
    pub(crate) fn picture(&self, player: Option<Player>) -> Option<Picture> {
        let rules = &self.program().rules;
        if rules.board_each {
            return None;
        }
        let is_turned = rules.facing && player.is_some_and(|player| player.index() % 2 == 1);
        let number = |register: u8, seat: usize| self.number(usize::from(register) + seat);
        let counters = rules.numbers.iter().map(|counter| {
            let seats = if counter.each { rules.players } else { 1 };
            let values = |seats: Range<usize>| {
                seats.map(|seat| number(counter.register, seat)).collect::<Vec<_>>()
            };
            match player.filter(|_| counter.is_hidden) {
                Some(owner) => Counter {
                    name: format!("your {}", counter.name),
                    values: values(owner.index()..owner.index() + 1),
                },
                None => Counter { name: counter.name.clone(), values: values(0..seats) },
            }
        });
        let piles = self.piles().map(|(pile, register, owner)| {
            let is_seen = player.is_none_or(|player| hidden::is_seen(pile, owner, player));
            let cards = self.set(register);
            let names = cards.sites().map(|card| rules.cards.names[card].clone());
            CardPile {
                name: pile.name.clone(),
                seat: owner.map(|owner| owner.0),
                cards: if is_seen { names.collect() } else { Vec::new() },
                face_down: if is_seen { 0 } else { cards.count() as usize },
            }
        });
        Some(Picture {
            cells: self.cells(player, is_turned),
            lines: lines(&rules.board),
            counters: counters.collect(),
            piles: piles.collect(),
            caption: self.caption(),
        })
    }

    /// The cells in the order of the board's positions, so that lines find them.
    fn cells(&self, viewer: Option<Player>, is_turned: bool) -> Vec<Cell> {
        let rules = &self.program().rules;
        let board = &rules.board;
        if board.kind == BoardKind::None {
            return Vec::new();
        }
        let heap = rules.heaps.first().map(|heap| usize::from(heap.register));
        let cell = |site: usize| {
            let (x, y) = centre(board, site);
            Cell {
                name: board.names[site].clone(),
                piece: self.piece_on(site, viewer),
                count: heap.map(|register| self.number(register + site)),
                ..empty_cell(board, (x, y), is_turned)
            }
        };
        let sites = (0..board.positions).filter(|&site| board.all.has(site));
        let mut cells: Vec<Cell> = sites.clone().map(cell).collect();
        if board.kind == BoardKind::Square {
            // Squares that are no sites complete the board.
            let taken: BTreeSet<(i16, i16)> = sites.map(|site| board.places[site]).collect();
            let (columns, rows) = board.size();
            let squares = (0..rows as i16).flat_map(|y| (0..columns as i16).map(move |x| (x, y)));
            let free = squares.filter(|square| !taken.contains(square));
            let centre = |(x, y): (i16, i16)| (f32::from(x), f32::from(y));
            cells.extend(free.map(|square| empty_cell(board, centre(square), is_turned)));
        }
        cells
    }

    fn piece_on(&self, site: usize, viewer: Option<Player>) -> Option<BoardPiece> {
        let rules = &self.program().rules;
        let owned = rules.pieces.iter().filter(|piece| !piece.shared).count();
        rules.pieces.iter().find_map(|piece| {
            let seats = if piece.shared { 1 } else { rules.players as u8 };
            let seat = (0..seats).find(|&seat| {
                self.set(piece.register + seat).has(site)
                    && self.sees_piece(piece, usize::from(seat), site, viewer)
            })?;
            let initial = piece
                .name
                .chars()
                .next()
                .map_or_else(String::new, |letter| letter.to_uppercase().collect());
            Some(BoardPiece {
                seat: (!piece.shared).then_some(seat),
                kind: piece.name.clone(),
                letter: if owned > 1 && !piece.shared { initial } else { String::new() },
            })
        })
    }
}

/// Returns a cell without a name at a place, to the right and upwards.
fn empty_cell(board: &Board, (x, y): (f32, f32), is_turned: bool) -> Cell {
    Cell {
        name: String::new(),
        shape: shape(board.kind),
        // A zero has no sign.
        x: if is_turned { -x } else { x } + 0.0,
        y: if is_turned { y } else { -y } + 0.0,
        is_dark: board.kind == BoardKind::Square && (x + y) % 2.0 == 0.0,
        piece: None,
        count: None,
    }
}

/// Returns the centre of a position, to the right and upwards.
fn centre(board: &Board, site: usize) -> (f32, f32) {
    let (column, row) = board.places[site];
    let (x, y) = (f32::from(column), f32::from(row));
    match board.kind {
        BoardKind::Rhombus | BoardKind::Hexagon => (x + y / 2.0, y * 3f32.sqrt() / 2.0),
        // Stores stand between the rows.
        BoardKind::Track if board.names[site].starts_with("store") => (x, 0.5),
        _ => (x, y),
    }
}

fn shape(kind: BoardKind) -> CellShape {
    match kind {
        BoardKind::Square | BoardKind::None => CellShape::Square,
        BoardKind::Rhombus | BoardKind::Hexagon => CellShape::Hexagon,
        BoardKind::Track => CellShape::Pit,
        BoardKind::Lines | BoardKind::Dots => CellShape::Point,
    }
}

/// Returns the lines between neighbouring points, each once.
fn lines(board: &Board) -> Vec<[usize; 2]> {
    if board.kind != BoardKind::Lines {
        return Vec::new();
    }
    let neighbours = |site: usize| {
        let next = board.ways().map(move |way| board.next[way][site]);
        next.filter(|to| *to != NOWHERE).map(move |to| [site, usize::from(to)])
    };
    (0..board.positions).flat_map(neighbours).filter(|[one, other]| one < other).collect()
}
