//! Decisions: how many actions there are, and how often the choice matters.

use meeple_stats::Clusters;
use serde::Serialize;

use super::Figure;
use super::record::{Decision, GameRecord};

/// The difference in expected score by which a decision matters.
pub const STAKE_MARGIN: f64 = 0.05;

/// What the decisions of games are like.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Decisions {
    /// The number of decisions.
    pub decisions: u64,
    /// The branching factor: the mean number of legal actions of a decision.
    pub legal_actions_per_decision: Figure,
    /// The greatest number of legal actions.
    pub max_legal_actions: u64,
    /// The share of decisions with one legal action.
    pub forced_share: Figure,
    /// The expected score, from 0 to 1, that a random action costs, by the values of the search.
    pub stake_per_decision: Figure,
    /// The difference in expected score by which a decision matters.
    pub stake_margin: f64,
    /// The share of searched decisions at which a random action costs more than the margin, and
    /// more than the search may err by.
    pub important_share: Figure,
    /// The mean number of legal actions by the number of the decision, for as long as at least
    /// half of the games last.
    pub legal_actions_by_decision: Vec<f64>,
}

impl Decisions {
    /// Evaluates the decisions of games; `unit` is the score that counts as 1.
    pub(crate) fn of(games: &[GameRecord], unit: f64) -> Self {
        let all = || games.iter().flat_map(|game| &game.decisions);
        let is_important = |decision: &Decision| {
            let search = decision.search?;
            let stake = search.stake / unit;
            Some(f64::from(stake > STAKE_MARGIN && stake > search.noise))
        };
        let stake = |decision: &Decision| Some(decision.search?.stake / unit);
        let legal = |decision: &Decision| Some(decision.legal as f64);
        let forced = |decision: &Decision| Some(f64::from(decision.legal == 1));
        Self {
            decisions: all().count() as u64,
            legal_actions_per_decision: Figure::of(clusters(games, &legal).estimate()),
            max_legal_actions: all().map(|decision| decision.legal as u64).max().unwrap_or(0),
            forced_share: Figure::of(clusters(games, &forced).share()),
            stake_per_decision: Figure::of(clusters(games, &stake).estimate()),
            stake_margin: STAKE_MARGIN,
            important_share: Figure::of(clusters(games, &is_important).share()),
            legal_actions_by_decision: branching_curve(games),
        }
    }
}

/// The values of decisions, in clusters by game.
fn clusters(games: &[GameRecord], value: &dyn Fn(&Decision) -> Option<f64>) -> Clusters {
    let mut clusters = Clusters::default();
    for game in games {
        let values: Vec<f64> = game.decisions.iter().filter_map(value).collect();
        clusters.add(values.iter().sum(), values.len() as f64);
    }
    clusters
}

fn branching_curve(games: &[GameRecord]) -> Vec<f64> {
    let mut totals: Vec<(usize, usize)> = Vec::new();
    for game in games {
        totals.resize(totals.len().max(game.decisions.len()), (0, 0));
        for ((sum, count), decision) in totals.iter_mut().zip(&game.decisions) {
            *sum += decision.legal;
            *count += 1;
        }
    }
    let half = games.len().div_ceil(2).max(1);
    let common = totals.iter().take_while(|(_, count)| *count >= half);
    common.map(|(sum, count)| *sum as f64 / *count as f64).collect()
}
