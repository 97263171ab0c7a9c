//! Counts over many games, which add up the same in any order of work.

use meeple_game::{MAX_PLAYERS, Payoffs, Steps};

/// What happened in a number of games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Games played to their end.
    pub games: u64,
    /// Decisions of players in all of them.
    pub decisions: u64,
    /// Chance events in all of them.
    pub chances: u64,
    /// Games that a bot lost by failing; they count as played.
    pub forfeits: u64,
    /// The results of each seat; empty seats stay at zero.
    pub seats: [SeatTally; MAX_PLAYERS],
}

/// The results of one seat.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SeatTally {
    /// Games in which it got more than every other seat.
    pub wins: u64,
    /// Games in which it shared the highest payoff.
    pub ties: u64,
    /// The sum of its payoffs.
    pub payoff: f64,
}

impl Tally {
    /// Counts a finished game.
    pub(crate) fn add(&mut self, players: usize, payoffs: &Payoffs, steps: Steps) {
        let highest = payoffs[..players].iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let winners = payoffs[..players].iter().filter(|&&payoff| payoff == highest).count();
        for (seat, &payoff) in self.seats.iter_mut().zip(&payoffs[..players]) {
            seat.payoff += f64::from(payoff);
            if payoff == highest {
                *if winners == 1 { &mut seat.wins } else { &mut seat.ties } += 1;
            }
        }
        self.games += 1;
        self.decisions += steps.decisions;
        self.chances += steps.chances;
    }

    /// Adds what was counted elsewhere.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.forfeits += other.forfeits;
        self.decisions += other.decisions;
        self.chances += other.chances;
        for (seat, other) in self.seats.iter_mut().zip(&other.seats) {
            seat.wins += other.wins;
            seat.ties += other.ties;
            seat.payoff += other.payoff;
        }
    }
}
