//! A synthetic benchmark game: 35 legal actions in every state of 512 bytes.

use std::fmt;
use std::ops::RangeInclusive;

use meeple_game::{Action, ActionList, Field, Game, ObservationSpec, Payoffs, Player, Turn, mix};

const MOVES: u16 = 35;
const WORDS: usize = 62;
/// The length of a game: longer than any tree is deep.
const LAST: u64 = 1000;

/// A state whose moves update a hash and two of its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wide {
    hash: u64,
    moves: u64,
    words: [u64; WORDS],
}

static OBSERVATION: ObservationSpec =
    ObservationSpec::new(1, &[Field::count("moves", LAST as i32)]);

impl Game for Wide {
    type Config = ();
    const NAME: &'static str = "wide";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const ACTIONS: usize = MOVES as usize;
    const CHANCE: bool = false;
    const IMPERFECT_INFORMATION: bool = false;

    fn new((): &()) -> Self {
        Self { hash: 1, moves: 0, words: [7; WORDS] }
    }

    fn players(&self) -> usize {
        2
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.moves == LAST { Turn::Over } else { Turn::Player(Player((self.moves % 2) as u8)) }
    }

    #[inline]
    fn legal_actions(&self, out: &mut ActionList) {
        out.clear();
        if self.moves < LAST {
            out.extend((0..MOVES).map(Action));
        }
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        self.hash = mix(self.hash ^ (u64::from(action.0) + 1));
        self.moves += 1;
        let (one, other) = ((self.hash >> 33) as usize % WORDS, (self.hash >> 13) as usize % WORDS);
        self.words[one] = self.words[one].wrapping_add(self.hash);
        self.words[other] ^= self.hash;
    }

    fn payoffs(&self) -> Payoffs {
        Payoffs::default()
    }

    fn observation(&self) -> &'static ObservationSpec {
        &OBSERVATION
    }

    fn observe(&self, _: Player, out: &mut [i32]) {
        out[0] = self.moves as i32;
    }

    #[inline]
    fn key(&self) -> u64 {
        self.hash
    }

    fn action_name(&self, action: Action) -> String {
        action.0.to_string()
    }

    fn is_consistent(&self) -> bool {
        self.moves <= LAST
    }
}

impl fmt::Display for Wide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x} after {} moves", self.hash, self.moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_conforms() {
        assert_eq!(size_of::<Wide>(), 512);
        meeple_game::conform::check::<Wide>(&(), 2, 1);
    }
}
