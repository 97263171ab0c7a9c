//! Small games with known solutions, used as test beds for search and learning algorithms.

pub mod connect_four;
pub mod knockout_whist;
pub mod kuhn;
pub mod leduc;
pub mod pig;
pub mod tic_tac_toe;

pub use connect_four::ConnectFour;
pub use knockout_whist::KnockoutWhist;
pub use kuhn::Kuhn;
pub use leduc::Leduc;
pub use pig::Pig;
pub use tic_tac_toe::TicTacToe;

use meeple_game::{MAX_PLAYERS, Payoffs};
use serde::{Deserialize, Serialize};

/// The configuration of a game without options: `{}`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoOptions {}

/// Zero-sum payoffs of two players, given that of the first.
const fn zero_sum(first: f32) -> Payoffs {
    let mut payoffs = [0.0; MAX_PLAYERS];
    // `0.0 + x` and `0.0 - x` never yield -0.0, which payoffs must not contain.
    payoffs[0] = 0.0 + first;
    payoffs[1] = 0.0 - first;
    payoffs
}

/// The index of the `nth` set bit, counted from the lowest, from 0.
#[inline]
const fn nth_bit(mut bits: u64, nth: usize) -> u32 {
    let mut left = nth;
    while left > 0 {
        bits &= bits - 1;
        left -= 1;
    }
    bits.trailing_zeros()
}
