//! The course of games: lead changes, drama and comebacks, by the evaluation curve of a search.
//!
//! The measures are those of Browne (2008, "Automatic Generation and Evaluation of Recombination
//! Games"; Browne and Maire 2010, "Evolutionary Game Design"). The evaluation of a seat is that of
//! its own searches at its own decisions, which know what the seat knows: its lead is its expected
//! score less that of the best other seat.

use meeple_stats::Clusters;
use serde::Serialize;

use super::Figure;
use super::outcomes::each;
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
    pub(crate) fn of(games: &[GameRecord], unit: f64) -> Self {
        let changes = |game: &GameRecord| lead_changes(game, unit);
        let mut counts = Vec::new();
        for game in games {
            let changes = changes(game).round() as usize;
            counts.resize(counts.len().max(changes + 1), 0);
            counts[changes] += 1;
        }
        let won = || games.iter().filter(|game| game.winner().is_some());
        let drama = |game: &GameRecord| drama(&winner_leads(game, unit));
        let is_comeback = |game: &GameRecord| {
            let is_behind = |(_, lead): &(usize, f64)| *lead < -LEAD_MARGIN;
            f64::from(winner_leads(game, unit).iter().any(is_behind))
        };
        Self {
            lead_margin: LEAD_MARGIN,
            lead_changes_per_game: Figure::of(each(games, &changes).estimate()),
            games_by_lead_changes: counts,
            drama: Figure::of(each(won(), &drama).estimate()),
            comeback_share: Figure::of(each(won(), &is_comeback).share()),
            winner_curve: winner_curve(won(), unit),
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

/// The leads of the winner at its searched decisions, with their numbers.
fn winner_leads(game: &GameRecord, unit: f64) -> Vec<(usize, f64)> {
    game.winner().map_or_else(Vec::new, |winner| leads(game, winner, unit).collect())
}

/// The mean root of the arrears where the winner is behind; 0 if it never is.
fn drama(leads: &[(usize, f64)]) -> f64 {
    let behind = leads.iter().filter(|(_, lead)| *lead < 0.0);
    let roots: Vec<f64> = behind.map(|(_, lead)| (-lead).sqrt()).collect();
    roots.iter().sum::<f64>() / roots.len().max(1) as f64
}

fn winner_curve<'a>(won: impl Iterator<Item = &'a GameRecord>, unit: f64) -> Vec<CurveStep> {
    let mut steps = vec![Clusters::default(); STEPS];
    for game in won {
        let mut totals = [[0.0; 2]; STEPS];
        for (at, lead) in winner_leads(game, unit) {
            let [sum, count] = &mut totals[at * STEPS / game.decisions.len()];
            *sum += lead;
            *count += 1.0;
        }
        for (step, [sum, count]) in steps.iter_mut().zip(totals) {
            step.add(sum, count);
        }
    }
    let progress = |step: usize| (step + 1) as f64 / STEPS as f64;
    (steps.iter().enumerate())
        .map(|(step, leads)| CurveStep {
            progress: progress(step),
            winner_lead: Figure::of(leads.estimate()),
        })
        .collect()
}
