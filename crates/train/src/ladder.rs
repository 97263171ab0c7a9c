//! The ladder: match results of networks, and the Elo ratings that follow.

use meeple_arena::MatchTally;
use meeple_stats::{Interval, Pairing, rate};
use serde::{Deserialize, Serialize};

/// The result of a network against an opponent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchResult {
    /// The network, identified by its number of training iterations.
    pub network: u64,
    /// The opponent: a bot, or another network.
    pub opponent: String,
    /// Games played.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Points scored: 1 for a win and ½ for a draw.
    pub points: f64,
}

impl MatchResult {
    pub(crate) fn new(network: u64, opponent: String, tally: &MatchTally) -> Self {
        let (wins, losses, points) = (tally.wins(), tally.losses(), tally.points());
        Self { network, opponent, games: tally.games.len(), wins, losses, points }
    }
}

/// A rated player of the ladder.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LadderRating {
    /// Its name.
    pub name: String,
    /// The number of training iterations, if it is a network of the run.
    pub network: Option<u64>,
    /// Elo above the first opponent of the ladder.
    pub elo: f64,
    /// The 95 % interval of the rating.
    #[serde(flatten)]
    pub interval: Interval,
    /// Games played.
    pub games: u64,
}

/// Returns the name of a network of a run.
#[must_use]
pub fn network_name(iterations: u64) -> String {
    format!("network {iterations}")
}

/// Rates all players by one Elo model with `anchor` at 0; the strongest first.
#[must_use]
pub fn ratings(results: &[MatchResult], anchor: &str) -> Vec<LadderRating> {
    let mut names: Vec<(String, Option<u64>)> = vec![(anchor.to_owned(), None)];
    let mut number = |name: String, network: Option<u64>| {
        names.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
            names.push((name, network));
            names.len() - 1
        })
    };
    let pairings: Vec<Pairing> = results
        .iter()
        .map(|result| {
            let first = number(network_name(result.network), Some(result.network));
            let network =
                result.opponent.strip_prefix("network ").and_then(|text| text.parse().ok());
            let second = number(result.opponent.clone(), network);
            Pairing { bots: [first, second], games: result.games as f64, points: result.points }
        })
        .collect();
    if pairings.is_empty() {
        return Vec::new();
    }
    let ratings = rate(names.len(), &pairings, 0);
    let games = |bot: usize| -> f64 {
        pairings.iter().filter(|pair| pair.bots.contains(&bot)).map(|pair| pair.games).sum()
    };
    let mut ratings: Vec<LadderRating> = names
        .into_iter()
        .enumerate()
        .map(|(bot, (name, network))| {
            let rating = ratings.elo[bot];
            let games = games(bot) as u64;
            LadderRating { name, network, elo: rating.elo, interval: rating.interval, games }
        })
        .collect();
    ratings.sort_by(|one, other| other.elo.total_cmp(&one.elo));
    ratings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_and_bots_are_rated_together() {
        let result = |network, opponent: &str, points| MatchResult {
            network,
            opponent: opponent.into(),
            games: 110,
            wins: 0,
            losses: 0,
            points,
        };
        let all =
            [result(10, "random", 100.0), result(20, "network 10", 55.0), result(20, "mcts", 10.0)];
        let ratings = ratings(&all, "random");
        let names: Vec<&str> = ratings.iter().map(|rating| rating.name.as_str()).collect();
        assert_eq!(names[0], "mcts");
        assert_eq!(names[3], "random");
        let elo = |name: &str| ratings.iter().find(|one| one.name == name).unwrap().elo;
        assert!((elo("network 10") - 400.0).abs() < 1e-3);
        assert!((elo("network 20") - 400.0).abs() < 1e-3);
        assert!((elo("mcts") - 800.0).abs() < 1e-3);
        assert_eq!(ratings[3].elo, 0.0);
        assert!(ratings[0].interval.ci_low < 800.0 && ratings[0].interval.ci_high > 800.0);
    }
}
