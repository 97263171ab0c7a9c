//! How strong networks are: what they met, and the Elo that follows.

use meeple_arena::MatchTally;
use meeple_stats::{Interval, Pairing, rate};
use serde::{Deserialize, Serialize};

/// What a network did against an opponent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchResult {
    /// The network, by the iterations it has learned for.
    pub network: u64,
    /// The opponent: a bot, or another network.
    pub opponent: String,
    /// Games played.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Points taken, one for a win and a half for a draw.
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
    /// The iterations it has learned for, if it is a network of the run.
    pub network: Option<u64>,
    /// Elo above the first opponent of the ladder.
    pub elo: f64,
    /// Its 95 % interval.
    #[serde(flatten)]
    pub interval: Interval,
    /// Games played.
    pub games: u64,
}

/// The name of a network of a run.
#[must_use]
pub fn network_name(iterations: u64) -> String {
    format!("network {iterations}")
}

/// Rates all who met, by one model, such that `anchor` has 0; the strongest
/// first.
#[must_use]
pub fn ratings(met: &[MatchResult], anchor: &str) -> Vec<LadderRating> {
    let mut names: Vec<(String, Option<u64>)> = vec![(anchor.to_owned(), None)];
    let mut number = |name: String, network: Option<u64>| {
        names.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
            names.push((name, network));
            names.len() - 1
        })
    };
    let pairings: Vec<Pairing> = met
        .iter()
        .map(|met| {
            let first = number(network_name(met.network), Some(met.network));
            let network = met.opponent.strip_prefix("network ").and_then(|text| text.parse().ok());
            let second = number(met.opponent.clone(), network);
            Pairing { bots: [first, second], games: met.games as f64, points: met.points }
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
        let met = |network, opponent: &str, points| MatchResult {
            network,
            opponent: opponent.into(),
            games: 110,
            wins: 0,
            losses: 0,
            points,
        };
        let all = [met(10, "random", 100.0), met(20, "network 10", 55.0), met(20, "mcts", 10.0)];
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
