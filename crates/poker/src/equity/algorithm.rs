//! The choice of algorithm: the cheapest exact one, or sampling.

use super::seats::{Seat, Seats};
use super::tally::Tally;
use super::{
    EquityError, EquityOptions, EquityProgress, Method, enumerate, matchups, merge, patterns,
    sample,
};
use crate::{CardSet, Variant};

/// An algorithm for equities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Algorithm {
    /// Sums over the table of match-ups: two players preflop.
    Table,
    /// Rank patterns for every combination of hands: preflop.
    Patterns,
    /// Hands sorted by strength on every board: two players.
    Merge,
    /// Exhaustive enumeration: every combination of hands on every board.
    Enumerate,
    /// Monte Carlo sampling.
    Sample,
}

/// `Method::Auto` is exact up to this many ranked hands: about a tenth of a second.
const MAX_AUTO_STEPS: f64 = 3e7;
/// `Method::Exact` is an error above this many ranked hands: an hour or more.
const MAX_EXACT_STEPS: f64 = 1e13;

impl Algorithm {
    pub(crate) fn choose(seats: &Seats, options: &EquityOptions) -> Result<Self, EquityError> {
        let (exact, steps) = Self::cheapest_exact(seats, options);
        match options.method {
            Method::Auto if steps <= MAX_AUTO_STEPS => Ok(exact),
            Method::Exact if steps <= MAX_EXACT_STEPS => Ok(exact),
            Method::Exact => Err(EquityError::TooLarge { steps: steps as u64 }),
            Method::Auto | Method::Sample => {
                if (1..=EquityOptions::MAX_DEALS).contains(&options.deals) {
                    Ok(Self::Sample)
                } else {
                    Err(EquityError::Deals { found: options.deals })
                }
            }
        }
    }

    /// The exact algorithm with the lowest estimated cost, and that cost in ranked
    /// hands.
    fn cheapest_exact(seats: &Seats, options: &EquityOptions) -> (Self, f64) {
        let counts: Vec<f64> = seats.seats.iter().map(|seat| seats.hand_count(seat)).collect();
        let (sum, product) = (counts.iter().sum::<f64>(), counts.iter().product::<f64>());
        let boards = seats.board_count();
        let holdem = seats.variant == Variant::Holdem;
        let (heads_up, preflop) = (counts.len() == 2, seats.board.is_empty());
        // The cost of ranking a hand, relative to hold'em.
        let cost = match seats.variant {
            Variant::Holdem => 1.0,
            Variant::ShortDeck => 2.0,
            Variant::Omaha => 40.0,
            Variant::Omaha5 => 70.0,
        };
        let enumerate = if product == 1.0 {
            boards * cost * counts.len() as f64
        } else {
            boards * (2.0 * cost * sum + 2.0 * product)
        };
        let mut candidates = vec![(Self::Enumerate, enumerate)];
        if holdem && heads_up {
            candidates.push((Self::Merge, boards * (500.0 + 4.0 * sum)));
        }
        if holdem && preflop {
            candidates.push((Self::Patterns, product * 60_000.0 * counts.len() as f64));
            if heads_up && options.dead.is_empty() && !options.categories {
                candidates.push((Self::Table, 5.0 * product));
            }
        }
        candidates
            .into_iter()
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap_or((Self::Enumerate, enumerate))
    }

    pub(crate) fn run(
        self,
        seats: &Seats,
        options: &EquityOptions,
        progress: &EquityProgress,
    ) -> Result<(Tally, Method), EquityError> {
        if self == Self::Sample {
            return Ok((sample::sample(seats, options, progress)?, Method::Sample));
        }
        let tally = match self {
            Self::Table => matchups::sum_table(&pair_of_hands(seats)),
            Self::Merge => merge::count(seats, &pair_of_hands(seats), options, progress),
            Self::Patterns => patterns::count(seats, options, progress),
            Self::Enumerate | Self::Sample => enumerate::count(seats, options, progress),
        };
        if progress.is_stopped() {
            return Err(EquityError::Stopped);
        }
        Ok((tally, Method::Exact))
    }
}

/// The hands of two players.
fn pair_of_hands(seats: &Seats) -> [Vec<(CardSet, f64)>; 2] {
    let hands = |seat: Option<&Seat>| seat.map_or_else(Vec::new, |seat| seats.hands(seat));
    [hands(seats.seats.first()), hands(seats.seats.get(1))]
}
