//! Boards and numbers as text for the terminal.

use std::fmt;

use meeple_game::Player;

use crate::board::BoardKind;
use crate::hidden;
use crate::machine::Standing;
use crate::state::FileGame;

/// The letters of seats in games with one kind of pieces.
const SEATS: [char; 6] = ['X', 'O', 'A', 'B', 'C', 'D'];

impl<const WORDS: usize> FileGame<WORDS> {
    /// Returns the letter of what a viewer sees on a site, on the board of one seat or of all.
    fn letter(&self, site: usize, viewer: Option<Player>, board: Option<usize>) -> String {
        let rules = &self.program.rules;
        let owned = rules.pieces.iter().filter(|piece| !piece.shared).count();
        for piece in &rules.pieces {
            let initial = piece.name.chars().next().unwrap_or('?');
            if piece.shared {
                if self.set(piece.register).has(site) {
                    return "#".into();
                }
                continue;
            }
            for (seat, letter) in SEATS.iter().enumerate().take(rules.players) {
                if board.is_some_and(|board| board != seat)
                    || !self.sees_piece(piece, seat, site, viewer)
                {
                    continue;
                }
                if !self.set(piece.register + seat as u8).has(site) {
                    continue;
                }
                return match (owned, rules.players, seat) {
                    (1, ..) => letter.to_string(),
                    (_, 2, 0) => initial.to_uppercase().collect(),
                    (_, 2, _) => initial.to_lowercase().collect(),
                    _ => format!("{initial}{}", seat + 1),
                };
            }
        }
        let heap = rules.heaps.first();
        // A site that the viewer has seen to be empty looks other than one that may be taken.
        let is_known = viewer.zip(rules.shown).is_some_and(|(viewer, shown)| {
            board != Some(viewer.index()) && self.set(shown + viewer.0).has(site)
        });
        let Some(heap) = heap else { return if is_known { "-".into() } else { ".".into() } };
        let number = |seat: usize| {
            self.number(usize::from(heap.register) + seat * rules.board.positions + site)
        };
        if !heap.each {
            return number(0).to_string();
        }
        let owners = (0..rules.players).filter(|&seat| number(seat) > 0);
        let text: String = owners.map(|seat| format!("{}{}", number(seat), SEATS[seat])).collect();
        if text.is_empty() { ".".into() } else { text }
    }

    /// Returns how a seat is called.
    pub(crate) fn seat_name(&self, seat: usize) -> String {
        let given = self.program.rules.seat_names.get(seat);
        given.cloned().unwrap_or_else(|| format!("seat {seat}"))
    }

    fn write_board(
        &self,
        f: &mut fmt::Formatter<'_>,
        viewer: Option<Player>,
        owner: Option<usize>,
    ) -> fmt::Result {
        let board = &self.program.rules.board;
        if board.kind == BoardKind::None {
            return Ok(());
        }
        let (columns, rows) = board.size();
        let left = board.places.iter().map(|place| place.0).min().unwrap_or(0);
        for y in (0..rows as i16).rev() {
            let indent = if board.is_hex() { y as usize } else { 0 };
            write!(f, "{:>2}{}", y + 1, " ".repeat(indent))?;
            for x in left..columns as i16 {
                let at = board.places.iter().position(|&place| place == (x, y));
                let cell = match at.filter(|&at| board.all.has(at)) {
                    Some(at) => self.letter(at, viewer, owner),
                    None => String::new(),
                };
                let width = match self.program.rules.heaps.first() {
                    None => 2,
                    Some(heap) => 3 + 2 * usize::from(heap.each),
                };
                write!(f, "{cell:>width$}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl<const WORDS: usize> fmt::Display for FileGame<WORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_table(f, None)
    }
}

/// A state as one player sees it.
pub(crate) struct Seen<'a, const WORDS: usize>(pub(crate) &'a FileGame<WORDS>, pub(crate) Player);

impl<const WORDS: usize> fmt::Display for Seen<'_, WORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write_table(f, Some(self.1))
    }
}

impl<const WORDS: usize> FileGame<WORDS> {
    /// Writes the table as a player sees it or, without one, as it is.
    fn write_table(&self, f: &mut fmt::Formatter<'_>, player: Option<Player>) -> fmt::Result {
        let rules = &self.program.rules;
        if rules.board_each {
            for seat in 0..rules.players {
                writeln!(f, "board of {}", self.seat_name(seat))?;
                self.write_board(f, player, Some(seat))?;
            }
        } else {
            self.write_board(f, player, None)?;
        }
        for number in &rules.numbers {
            let count = if number.each { rules.players } else { 1 };
            let is_seen = |seat: usize| {
                !number.is_hidden || player.is_none_or(|player| player.index() == seat)
            };
            let value = |seat: usize| match is_seen(seat) {
                true => self.number(usize::from(number.register) + seat).to_string(),
                false => "?".into(),
            };
            let values: Vec<String> = (0..count).map(value).collect();
            writeln!(f, "{}: {}", number.name, values.join(" "))?;
        }
        for (pile, register, owner) in self.piles() {
            let whose = owner
                .map_or_else(String::new, |owner| format!(" of {}", self.seat_name(owner.index())));
            let is_seen = player.is_none_or(|player| hidden::is_seen(pile, owner, player));
            writeln!(f, "{}{whose}: {}", pile.name, self.pile_text(register, is_seen))?;
        }
        for variable in rules.variables.iter().filter(|variable| variable.cards) {
            let count = if variable.each { rules.players as u8 } else { 1 };
            let values: Vec<String> =
                (0..count).map(|seat| self.pile_text(variable.register + seat, true)).collect();
            writeln!(f, "{}: {}", variable.name, values.join("; "))?;
        }
        write!(f, "{}", self.caption())
    }

    /// Returns whose turn it is, or how the game ended.
    pub(crate) fn caption(&self) -> String {
        let rules = &self.program.rules;
        let control = self.control();
        let named = |seats: u8| {
            let seats = (0..rules.players).filter(|seat| seats >> seat & 1 == 1);
            seats.map(|seat| self.seat_name(seat)).collect::<Vec<_>>().join(", ")
        };
        match control.standing {
            Standing::Open if rules.phases.len() > 1 => {
                let phase = &rules.phases[usize::from(control.phase)].name;
                format!("{}, {phase}", self.seat_name(control.mover.into()))
            }
            Standing::Open => format!("{} to move", self.seat_name(control.mover.into())),
            Standing::Draw => "draw".into(),
            Standing::Won(seats) => format!("{} won", named(seats)),
            Standing::Lost(seats) => format!("{} lost", named(seats)),
            Standing::Fault(_) => self.broken().unwrap_or_default().into(),
        }
    }
}
