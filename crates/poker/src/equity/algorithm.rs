//! Chooses how to find an equity: the cheapest exact way, or sampling.

use super::seats::{Seat, Seats};
use super::tally::Tally;
use super::{
    EquityError, EquityOptions, Method, Progress, enumerate, matchups, merge, patterns, sample,
};
use crate::{CardSet, Variant};

/// A way to find an equity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// Sums of the table of match-ups: two players before the flop.
    Table,
    /// Rank patterns for every choice of hands: before the flop.
    Patterns,
    /// Hands sorted by strength on every board: two players.
    Merge,
    /// Every choice of hands on every board.
    Enumerate,
    /// Random deals.
    Sample,
}

/// Exact counts up to this many ranked hands are made without being asked for:
/// about a tenth of a second.
const CHEAP: f64 = 3e7;
/// Exact counts above this many ranked hands are refused: an hour or more.
const HOPELESS: f64 = 1e13;

impl Plan {
    pub(crate) fn choose(seats: &Seats, options: &EquityOptions) -> Result<Self, EquityError> {
        let (plan, steps) = Self::cheapest_exact(seats, options);
        match options.method {
            Method::Auto if steps <= CHEAP => Ok(plan),
            Method::Exact if steps <= HOPELESS => Ok(plan),
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

    /// The exact way that ranks the fewest hands, and about how many.
    fn cheapest_exact(seats: &Seats, options: &EquityOptions) -> (Self, f64) {
        let counts: Vec<f64> = seats.seats.iter().map(|seat| seats.hand_count(seat)).collect();
        let (sum, product) = (counts.iter().sum::<f64>(), counts.iter().product::<f64>());
        let boards = seats.board_count();
        let holdem = seats.variant == Variant::Holdem;
        let (heads_up, preflop) = (counts.len() == 2, seats.board.is_empty());
        let effort = match seats.variant {
            Variant::Holdem => 1.0,
            Variant::ShortDeck => 2.0,
            Variant::Omaha => 40.0,
            Variant::Omaha5 => 70.0,
        };
        let enumerate = if product == 1.0 {
            boards * effort * counts.len() as f64
        } else {
            boards * (2.0 * effort * sum + 2.0 * product)
        };
        let mut plans = vec![(Self::Enumerate, enumerate)];
        if holdem && heads_up {
            plans.push((Self::Merge, boards * (500.0 + 4.0 * sum)));
        }
        if holdem && preflop {
            plans.push((Self::Patterns, product * 60_000.0 * counts.len() as f64));
            if heads_up && options.dead.is_empty() && !options.categories {
                plans.push((Self::Table, 5.0 * product));
            }
        }
        plans.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((Self::Enumerate, enumerate))
    }

    pub(crate) fn run(
        self,
        seats: &Seats,
        options: &EquityOptions,
        progress: &Progress,
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
