//! A game of chess so far: the position, and what can still be repeated.

use super::position::Position;

/// Positions that can be repeated: after a hundred half moves without a pawn
/// move or capture the game is drawn anyway.
const REMEMBERED: usize = 100;

/// A position with the keys of those before it that can still be repeated.
#[derive(Clone, Copy, Debug)]
pub struct State {
    pub(super) position: Position,
    /// The keys since the last pawn move or capture, without the present one.
    keys: [u64; REMEMBERED],
    known: u8,
    /// The sum of the scrambled keys, to hash the history.
    sum: u64,
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.position == other.position && self.history() == other.history()
    }
}

impl Eq for State {}

impl State {
    pub(super) fn new(position: Position) -> Self {
        Self { position, keys: [0; REMEMBERED], known: 0, sum: 0 }
    }

    fn history(&self) -> &[u64] {
        &self.keys[..usize::from(self.known)]
    }

    /// How often the position was there before, as far as it counts: 0, 1 or 2.
    #[inline]
    pub(super) fn repetitions(&self) -> u8 {
        if self.known < 4 {
            return 0;
        }
        let key = self.position.key();
        // The key tells whose move it is, so every other entry differs anyway.
        let seen = self.history().iter().rev().skip(1).step_by(2).filter(|&&past| past == key);
        seen.take(2).count() as u8
    }

    /// Passes the turn, and remembers the position unless it cannot come back.
    #[inline]
    pub(super) fn end_turn(&mut self, reversible: bool) {
        let position = &mut self.position;
        if reversible {
            position.clock = position.clock.saturating_add(1).min(100);
        } else {
            position.clock = 0;
            self.known = 0;
            self.sum = 0;
        }
        if position.mover() == 1 {
            position.number = position.number.saturating_add(1);
        }
        position.pass_turn();
    }

    /// Remembers the position as it is before a move.
    #[inline]
    pub(super) fn remember(&mut self) {
        let key = self.position.key();
        if usize::from(self.known) < REMEMBERED {
            self.keys[usize::from(self.known)] = key;
            self.known += 1;
            self.sum = self.sum.wrapping_add(meeple_game::mix(key));
        }
    }

    /// A hash of all that matters: the position, the clock and what can be
    /// repeated.
    pub(super) fn key(&self) -> u64 {
        let rest = self.sum ^ u64::from(self.position.clock);
        self.position.key() ^ meeple_game::mix(rest)
    }
}
