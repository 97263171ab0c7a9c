//! The course of games: lead changes, drama and comebacks, by the evaluation curve of a search.
//!
//! The measures are those of Browne (2008, "Automatic Generation and Evaluation of Recombination
//! Games"; Browne and Maire 2010, "Evolutionary Game Design"). The evaluation of a seat is that of
//! its own searches at its own decisions, which know what the seat knows: its lead is its expected
//! score less that of the best other seat.

use meeple_stats::Clusters;
use serde::Serialize;

use super::Figure;
use super::outcomes::clusters;
use super::record::GameRecord;

/// The lead in expected score that counts as one: a smaller one may be noise of the search.
pub const LEAD_MARGIN: f64 = 0.1;

/// The number of points of the winner's curve.
const STEPS: usize = 10;

/// How games go.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Course {
    /// The lead that counts as one, in expected score from 0 to 1.
    pub lead_margin: f64,
    /// The mean number of lead changes of a game.
    pub lead_changes_per_game: Figure,
    /// The number of games by their lead changes, from 0.
    pub games_by_lead_changes: Vec<u64>,
    /// Browne's drama: how far the winner was behind where it was behind, by the root of its
    /// arrears, from 0 to 1. Won games count.
    pub drama: Figure,
    /// The share of won games whose winner was behind by more than the margin at a decision.
    pub comeback_share: Figure,
    /// The winner's expected score by the progress of won games, in tenths.
    pub winner_curve: Vec<CurveStep>,
}

/// A tenth of won games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CurveStep {
    /// The end of the tenth, as a share of the game's decisions.
    pub progress: f64,
    /// The mean lead of the eventual winner, from -1 to 1.
    pub winner_lead: Figure,
}

impl Course {
    /// Evaluates the curves of games; `unit` is the score that counts as 1.
    pub(crate) fn of(units: &[Vec<GameRecord>], unit: f64) -> Self {
        let changes = |game: &GameRecord| lead_changes(game, unit);
        let won: Vec<Vec<(&GameRecord, Vec<f64>)>> = units
            .iter()
            .map(|games| {
                let curve = |game| winner_curve(game, unit).map(|curve| (game, curve));
                games.iter().filter_map(curve).collect()
            })
            .collect();
        let over_won = |value: &dyn Fn(&[f64]) -> f64| {
            let mut all = Clusters::default();
            for games in &won {
                let sum = games.iter().map(|(_, curve)| value(curve)).sum();
                all.add(sum, games.len() as f64);
            }
            all
        };
        let mut counts = Vec::new();
        for game in units.iter().flatten() {
            let changes = changes(game).round() as usize;
            counts.resize(counts.len().max(changes + 1), 0);
            counts[changes] += 1;
        }
        let is_comeback = |curve: &[f64]| f64::from(curve.iter().any(|&lead| lead < -LEAD_MARGIN));
        Self {
            lead_margin: LEAD_MARGIN,
            lead_changes_per_game: Figure::of(clusters(units, &changes).estimate()),
            games_by_lead_changes: counts,
            drama: Figure::of(over_won(&drama).estimate()),
            comeback_share: Figure::of(over_won(&is_comeback).share()),
            winner_curve: winner_curves(&won, unit),
        }
    }
}

/// The lead of a seat at its searched decisions, with their numbers.
fn leads(game: &GameRecord, seat: usize, unit: f64) -> impl Iterator<Item = (usize, f64)> + '_ {
    let decisions = game.decisions.iter().enumerate().filter(move |(_, made)| made.seat == seat);
    decisions.filter_map(move |(at, made)| Some((at, made.search?.lead / unit)))
}

/// The number of lead changes. A seat gains or loses the lead when its lead passes the margin on
/// the other side; a change concerns two seats.
fn lead_changes(game: &GameRecord, unit: f64) -> f64 {
    let changes = |seat: usize| {
        let clear = leads(game, seat, unit).map(|(_, lead)| lead);
        let sides: Vec<bool> =
            clear.filter(|lead| lead.abs() > LEAD_MARGIN).map(|lead| lead > 0.0).collect();
        sides.windows(2).filter(|pair| pair[0] != pair[1]).count()
    };
    (0..game.payoffs.len()).map(changes).sum::<usize>() as f64 / 2.0
}

/// The leads of the winner; `None` without one.
fn winner_curve(game: &GameRecord, unit: f64) -> Option<Vec<f64>> {
    let winner = game.winner()?;
    Some(leads(game, winner, unit).map(|(_, lead)| lead).collect())
}

/// The mean root of the arrears where the winner is behind; 0 if it never is.
fn drama(curve: &[f64]) -> f64 {
    let behind: Vec<f64> =
        curve.iter().filter(|lead| **lead < 0.0).map(|lead| (-lead).sqrt()).collect();
    behind.iter().sum::<f64>() / behind.len().max(1) as f64
}

fn winner_curves(won: &[Vec<(&GameRecord, Vec<f64>)>], unit: f64) -> Vec<CurveStep> {
    let mut steps = vec![Clusters::default(); STEPS];
    for games in won {
        let mut totals = [[0.0; 2]; STEPS];
        for (game, _) in games {
            let Some(winner) = game.winner() else { continue };
            for (at, lead) in leads(game, winner, unit) {
                let [sum, count] = &mut totals[at * STEPS / game.decisions.len()];
                *sum += lead;
                *count += 1.0;
            }
        }
        for (step, [sum, count]) in steps.iter_mut().zip(totals) {
            step.add(sum, count);
        }
    }
    (1..)
        .zip(steps)
        .map(|(step, leads)| CurveStep {
            progress: f64::from(step) / STEPS as f64,
            winner_lead: Figure::of(leads.estimate()),
        })
        .collect()
}
