//! Time management: how long to search with a clock.

use std::time::Duration;

use super::Limits;

/// The moves that a clock without a number of moves to go must last for.
const MOVES_TO_GO: u32 = 30;

/// The clock of the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// The remaining time.
    pub remaining: Duration,
    /// The increment for each move.
    pub increment: Duration,
    /// The number of moves until the next time control, if there is one.
    pub moves_to_go: Option<u32>,
    /// Time lost for sending the move.
    pub overhead: Duration,
}

impl Clock {
    /// Returns the time limits of one move.
    ///
    /// The soft limit is an even share of the clock and most of the increment. The hard limit is
    /// three times as long, and never more than half of the clock: a search that changes its mind
    /// may finish a depth.
    #[must_use]
    pub fn limits<'a>(&self) -> Limits<'a> {
        let least = Duration::from_millis(1);
        let left = self.remaining.saturating_sub(self.overhead).max(least);
        let moves = self.moves_to_go.unwrap_or(MOVES_TO_GO).clamp(1, MOVES_TO_GO + 20);
        let share = left / moves + self.increment * 3 / 4;
        let cap = if moves == 1 { left * 9 / 10 } else { left / 2 };
        let hard = (share * 3).min(cap).max(least);
        let soft = (share * 6 / 10).min(hard).max(least);
        Limits { soft_time: Some(soft), hard_time: Some(hard), ..Limits::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_shared_out() {
        let millis = Duration::from_millis;
        let clock = Clock { remaining: millis(60_000), ..Clock::default() };
        let limits = clock.limits();
        assert_eq!(limits.soft_time, Some(millis(1200)));
        assert_eq!(limits.hard_time, Some(millis(6000)));
        // The last move before the time control may use nearly everything, and never more.
        let last = Clock { moves_to_go: Some(1), ..clock }.limits();
        assert_eq!(last.hard_time, Some(millis(54_000)));
        // An increment is spent, and an empty clock leaves one millisecond.
        let faster = Clock { increment: millis(1000), ..clock }.limits();
        assert!(faster.soft_time > limits.soft_time);
        let empty = Clock { overhead: millis(20), ..Clock::default() }.limits();
        assert_eq!(empty.hard_time, Some(millis(1)));
    }
}
