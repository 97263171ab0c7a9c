//! How games end: length, decisiveness, draws, and the advantage of each seat.

use meeple_stats::Clusters;
use serde::Serialize;

use super::Figure;
use super::record::GameRecord;
use crate::LengthBar;
use crate::tally::Ending;

/// How the games of one kind of player went.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcomes {
    /// The number of games.
    pub games: u64,
    /// The mean number of decisions of a game.
    pub decisions_per_game: Figure,
    /// The smallest number of decisions, the quartiles, and the greatest number.
    pub decisions_quartiles: [u64; 5],
    /// The number of games by their number of decisions.
    pub decisions_histogram: Vec<LengthBar>,
    /// The mean number of chance events of a game.
    pub chance_events_per_game: Figure,
    /// The share of games that one seat won alone.
    pub decided_share: Figure,
    /// The share of games that ended by the rules with several seats in front.
    pub drawn_share: Figure,
    /// The share of games that did not end within the limit of decisions.
    pub unfinished_share: Figure,
    /// The share of games that exceeded a bound of the game's implementation, or in which the
    /// rules do not say what a player does.
    pub faulty_share: Figure,
    /// The results of each seat.
    pub seats: Vec<SeatOutcome>,
}

/// The results of a seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeatOutcome {
    /// The seat, from 0.
    pub seat: usize,
    /// The share of wins that fall to the seat; a shared win counts in equal parts, and so does
    /// a game without a result.
    pub win_share: Figure,
    /// The share that each seat of a fair game has.
    pub fair_share: f64,
    /// The mean payoff.
    pub mean_payoff: Figure,
}

impl Outcomes {
    /// Evaluates games.
    pub(crate) fn of(games: &[GameRecord], seats: usize) -> Self {
        let mean_of = |value: &dyn Fn(&GameRecord) -> f64| each(games, value);
        let ended = |ending: Ending| move |game: &GameRecord| f64::from(game.ending == ending);
        let is_decided = |game: &GameRecord| f64::from(game.winner().is_some());
        let is_drawn =
            |game: &GameRecord| f64::from(game.ending == Ending::Rules && game.winner().is_none());
        let mut lengths: Vec<u64> = games.iter().map(|game| game.decisions.len() as u64).collect();
        lengths.sort_unstable();
        let quartile = |part: usize| {
            let last = lengths.len().saturating_sub(1);
            lengths.get(last * part / 4).copied().unwrap_or(0)
        };
        let share = |value: &dyn Fn(&GameRecord) -> f64| Figure::of(mean_of(value).share());
        let mean = |value: &dyn Fn(&GameRecord) -> f64| Figure::of(mean_of(value).estimate());
        Self {
            games: games.len() as u64,
            decisions_per_game: mean(&|game| game.decisions.len() as f64),
            decisions_quartiles: [0, 1, 2, 3, 4].map(quartile),
            decisions_histogram: LengthBar::histogram(lengths.iter().copied()),
            chance_events_per_game: mean(&|game| game.chances as f64),
            decided_share: share(&is_decided),
            drawn_share: share(&is_drawn),
            unfinished_share: share(&ended(Ending::Limit)),
            faulty_share: share(&ended(Ending::Fault)),
            seats: (0..seats)
                .map(|seat| SeatOutcome {
                    seat,
                    win_share: share(&|game| game.shares[seat]),
                    fair_share: 1.0 / seats as f64,
                    mean_payoff: mean(&|game| game.payoffs[seat]),
                })
                .collect(),
        }
    }
}

/// The values of games.
pub(crate) fn each<'a>(
    games: impl IntoIterator<Item = &'a GameRecord>,
    value: &dyn Fn(&GameRecord) -> f64,
) -> Clusters {
    let mut clusters = Clusters::default();
    games.into_iter().for_each(|game| clusters.add(value(game), 1.0));
    clusters
}
