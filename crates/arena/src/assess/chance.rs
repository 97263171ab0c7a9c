//! How much chance decides: the share of the variance of results that chance events explain.
//!
//! Every unit has two games with the same chance events and other draws of the players, who are
//! equally strong. The correlation of their results is the share of the variance that chance
//! events explain by themselves, whatever the players make of them: the first-order index of
//! Sobol' (1993). Goodman, Perez-Liebana and Lucas (2024, "Measuring Randomness in Tabletop Games")
//! compare games with fixed seeds in the same way, by the spread of win rates.

use meeple_stats::intraclass_correlation;

use super::record::GameRecord;
use super::{Figure, figure};

/// Returns the share of the variance of payoffs that chance events explain.
pub(crate) fn chance_share(units: &[Vec<GameRecord>], has_chance: bool) -> Figure {
    if !has_chance {
        return Figure::Exact { value: 0.0, reason: "the game has no chance events" };
    }
    let pair = |games: &Vec<GameRecord>| match &games[..] {
        [one, other] => Some([one.payoffs.clone(), other.payoffs.clone()]),
        _ => None,
    };
    let pairs: Vec<[Vec<f64>; 2]> = units.iter().filter_map(pair).collect();
    match intraclass_correlation(&pairs) {
        Some(estimate) => Figure::Estimate(estimate),
        None if pairs.len() < 2 => Figure::missing(figure::TOO_FEW),
        None => Figure::missing("all games had the same result"),
    }
}
