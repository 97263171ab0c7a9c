//! Small games with known answers: what an algorithm is proved on first.

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

/// The configuration of a game that is always played the same way: `{}`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoOptions {}

/// What two players get when one wins what the other loses.
const fn zero_sum(first: f32) -> Payoffs {
    let mut payoffs = [0.0; MAX_PLAYERS];
    // Sums and differences with 0 are never -0.
    payoffs[0] = 0.0 + first;
    payoffs[1] = 0.0 - first;
    payoffs
}

/// The number of the `nth` bit that is set, counted from the lowest.
#[inline]
const fn nth_bit(mut bits: u64, nth: usize) -> u32 {
    let mut left = nth;
    while left > 0 {
        bits &= bits - 1;
        left -= 1;
    }
    bits.trailing_zeros()
}
