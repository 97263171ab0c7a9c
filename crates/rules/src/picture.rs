//! Pictures of states: the board by its coordinates, and numbers and piles beside it.

use std::collections::BTreeSet;
use std::ops::Range;

use meeple_game::{BoardPiece, CardPile, Cell, CellShape, Counter, Label, Picture, Player};

use crate::board::{Board, BoardKind, NOWHERE};
use crate::hidden;
use crate::state::FileGame;

impl<const WORDS: usize> FileGame<WORDS> {
    /// Returns the picture that a player sees or, without one, of the whole state.
    pub(crate) fn picture(&self, player: Option<Player>) -> Picture {
        let rules = &self.program().rules;
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
        let (cells, labels) = if rules.board_each {
            self.boards_of_players(player)
        } else {
            (self.cells(player, is_turned), Vec::new())
        };
        Picture {
            cells,
            labels,
            lines: lines(&rules.board),
            counters: counters.collect(),
            piles: piles.collect(),
            caption: self.caption(),
        }
    }

    /// Returns the boards of all players side by side, that of the viewer first. The names of
    /// actions lead to the board on which the player to move acts.
    fn boards_of_players(&self, viewer: Option<Player>) -> (Vec<Cell>, Vec<Label>) {
        let rules = &self.program().rules;
        let (board, control) = (&rules.board, self.control());
        let acts_on_own = rules.phases[usize::from(control.phase)].acts_on_own;
        let first = viewer.map_or(0, Player::index);
        let (columns, rows) = board.size();
        let (mut cells, mut labels) = (Vec::new(), Vec::new());
        for number in 0..rules.players {
            let owner = (first + number) % rules.players;
            let right = (number * (columns + 1)) as f32;
            let is_named = (owner == usize::from(control.mover)) == acts_on_own;
            for site in board.all.sites() {
                let (x, y) = centre(board, site);
                cells.push(Cell {
                    name: if is_named { board.names[site].clone() } else { String::new() },
                    piece: self.on_board_of(owner, site, viewer),
                    x: x + right,
                    ..empty_cell(board, (x, y), false)
                });
            }
            let x = right + (columns as f32 - 1.0) / 2.0;
            labels.push(Label { text: self.seat_name(owner), x, y: 1.0 - rows as f32 - 0.8 });
        }
        (cells, labels)
    }

    /// Returns what a viewer sees on a site of a player's own board; a cross is where others have
    /// looked.
    fn on_board_of(&self, owner: usize, site: usize, viewer: Option<Player>) -> Option<BoardPiece> {
        let rules = &self.program().rules;
        let is_shown_to = |seat: usize| {
            let is_told =
                !rules.is_shown_secretly || viewer.is_none_or(|viewer| viewer.index() == seat);
            rules.shown.is_some_and(|shown| is_told && self.set(shown + seat as u8).has(site))
        };
        let is_shown = (0..rules.players).any(|seat| seat != owner && is_shown_to(seat));
        let cross = || if is_shown { "×".to_owned() } else { String::new() };
        let found = rules.pieces.iter().find(|piece| {
            self.set(piece.register + owner as u8).has(site)
                && self.sees_piece(piece, owner, site, viewer)
        });
        match found {
            Some(piece) => {
                let letter = if is_shown { cross() } else { initial(&piece.name) };
                Some(BoardPiece { seat: Some(owner as u8), kind: piece.name.clone(), letter })
            }
            None if is_shown => {
                Some(BoardPiece { seat: None, kind: "nothing".into(), letter: cross() })
            }
            None => None,
        }
    }

    /// The cells in the order of the board's positions, so that lines find them.
    fn cells(&self, viewer: Option<Player>, is_turned: bool) -> Vec<Cell> {
        let rules = &self.program().rules;
        let board = &rules.board;
        if board.kind == BoardKind::None {
            return Vec::new();
        }
        let heap = rules.heaps.first();
        let number = |seat: usize, site: usize| {
            let first = heap.map_or(0, |heap| usize::from(heap.register));
            self.number(first + seat * board.positions + site)
        };
        // Things of a player look like a piece with a number.
        let owner = |site: usize| {
            let owners = heap.filter(|heap| heap.each).map_or(0, |_| rules.players);
            (0..owners).find(|&seat| number(seat, site) > 0)
        };
        let thing = |site: usize| {
            let seat = owner(site)? as u8;
            let kind = heap.map_or_else(String::new, |heap| heap.name.clone());
            Some(BoardPiece { seat: Some(seat), kind, letter: String::new() })
        };
        let cell = |site: usize| {
            let (x, y) = centre(board, site);
            Cell {
                name: board.names[site].clone(),
                piece: self
                    .piece_on(site, viewer)
                    .or_else(|| thing(site))
                    .or_else(|| self.mark_on(site)),
                count: match heap {
                    Some(heap) if heap.each => owner(site).map(|seat| number(seat, site)),
                    Some(_) => Some(number(0, site)),
                    None => None,
                },
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
        if board.kind == BoardKind::Dots {
            // Points where edges meet.
            let (columns, rows) = board.size();
            let points =
                (0..rows).step_by(2).flat_map(|y| (0..columns).step_by(2).map(move |x| (x, y)));
            let centre = |(x, y): (usize, usize)| (x as f32 / 2.0, y as f32 / 2.0);
            cells.extend(points.map(|point| empty_cell(board, centre(point), is_turned)));
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
            let initial = initial(&piece.name);
            Some(BoardPiece {
                seat: (!piece.shared).then_some(seat),
                kind: piece.name.clone(),
                letter: if owned > 1 && !piece.shared { initial } else { String::new() },
            })
        })
    }

    /// Returns the sites of variables as pieces, where a file has no others: the seats of those that
    /// have a site, and the first letters of what is shared.
    fn mark_on(&self, site: usize) -> Option<BoardPiece> {
        let rules = &self.program().rules;
        if !rules.pieces.is_empty() || !rules.heaps.is_empty() {
            return None;
        }
        let (mut kinds, mut seats, mut letters) = (Vec::new(), Vec::new(), String::new());
        for variable in rules.variables.iter().filter(|variable| !variable.cards) {
            let owners = if variable.each { rules.players as u8 } else { 1 };
            for owner in (0..owners).filter(|&owner| self.set(variable.register + owner).has(site))
            {
                kinds.push(variable.name.clone());
                if variable.each {
                    seats.push(owner);
                    letters.push_str(&(owner + 1).to_string());
                } else {
                    letters.push_str(&initial(&variable.name));
                }
            }
        }
        kinds.dedup();
        let seat = match seats[..] {
            [seat] if kinds.len() == 1 => Some(seat),
            _ => None,
        };
        (!kinds.is_empty()).then(|| BoardPiece { seat, kind: kinds.join(" and "), letter: letters })
    }
}

/// Returns the first letter of a name in upper case.
fn initial(name: &str) -> String {
    name.chars().next().map_or_else(String::new, |letter| letter.to_uppercase().collect())
}

/// Returns a cell without a name at a place, to the right and upwards.
fn empty_cell(board: &Board, (x, y): (f32, f32), is_turned: bool) -> Cell {
    Cell {
        name: String::new(),
        shape: shape(board.kind, (x, y)),
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
        BoardKind::Rhombus | BoardKind::Hexagon | BoardKind::Star => {
            (x + y / 2.0, y * 3f32.sqrt() / 2.0)
        }
        // Stores stand between the rows.
        // Squares have their edges between them.
        BoardKind::Dots => (x / 2.0, y / 2.0),
        BoardKind::Track if board.names[site].starts_with("store") => (x, 0.5),
        _ => (x, y),
    }
}

fn shape(kind: BoardKind, (x, y): (f32, f32)) -> CellShape {
    let is_between = |at: f32| at.fract() == 0.0;
    match kind {
        BoardKind::Dots => match (is_between(x), is_between(y)) {
            (false, false) => CellShape::Square,
            (false, true) => CellShape::HorizontalEdge,
            (true, false) => CellShape::VerticalEdge,
            (true, true) => CellShape::Point,
        },
        BoardKind::Square | BoardKind::None => CellShape::Square,
        BoardKind::Rhombus | BoardKind::Hexagon | BoardKind::Star => CellShape::Hexagon,
        BoardKind::Track => CellShape::Pit,
        BoardKind::Lines => CellShape::Point,
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
