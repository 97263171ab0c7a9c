//! Several reports on one root made into one.

use meeple_game::{Action, MAX_PLAYERS};

use crate::SearchReport;
use crate::budget::Ended;
use crate::report::{ActionReport, TableReport};

/// Adds up reports on the same root, in their order: visits are summed and
/// values weighted by them; policies of halved roots are averaged.
pub(crate) fn merge(reports: &[SearchReport]) -> SearchReport {
    let Some(first) = reports.first() else { return SearchReport::default() };
    let mut merged = SearchReport { ended: first.ended, ..SearchReport::default() };
    let sum = |part: fn(&SearchReport) -> u64| reports.iter().map(part).sum::<u64>();
    merged.iterations = sum(|report| report.iterations);
    merged.nodes = sum(|report| report.nodes);
    merged.bytes = sum(|report| report.bytes);
    merged.evaluations = sum(|report| report.evaluations);
    merged.depth = reports.iter().map(|report| report.depth).max().unwrap_or(0);
    let steps: f64 =
        reports.iter().map(|report| f64::from(report.mean_depth) * report.iterations as f64).sum();
    merged.mean_depth = (steps / merged.iterations.max(1) as f64) as f32;
    merged.table = merge_tables(reports.iter().filter_map(|report| report.table));
    merged.cache = merge_tables(reports.iter().filter_map(|report| report.cache));
    let actions: Vec<Action> = first.actions.iter().map(|entry| entry.action).collect();
    merged.actions = actions.iter().map(|&action| merge_action(action, reports)).collect();
    conclude(&mut merged, reports);
    // Who has proven the root knows best.
    if let Some(solved) = reports.iter().find(|report| report.ended == Ended::Solved) {
        merged.best = solved.best;
        merged.values = solved.values;
        merged.ended = Ended::Solved;
    }
    if first.ended == Ended::Forced {
        merged.best = first.best;
    }
    let agrees = |report: &&SearchReport| report.best == merged.best;
    let lines = reports.iter().find(agrees).unwrap_or(first);
    merged.variations.clone_from(&lines.variations);
    merged
}

/// Fills what follows from the actions of `merged` and, where visits do not tell
/// which is best, from the policies of the reports that it was made from.
pub(crate) fn conclude(merged: &mut SearchReport, reports: &[SearchReport]) {
    merged.conclude();
    merged.halved = reports.iter().any(|report| report.halved);
    if !merged.halved {
        return;
    }
    for entry in &mut merged.actions {
        let parts = reports.iter().flat_map(|report| &report.actions);
        let of_action = parts.filter(|part| part.action == entry.action);
        entry.policy = of_action.map(|part| part.policy).sum::<f32>() / reports.len() as f32;
    }
    let survived = |entry: &&ActionReport| reports.iter().any(|report| report.best == entry.action);
    let survivors = merged.actions.iter().filter(survived);
    let best =
        survivors.reduce(|best, entry| if entry.policy > best.policy { entry } else { best });
    merged.best = best.map_or(merged.best, |entry| entry.action);
}

fn merge_action(action: Action, reports: &[SearchReport]) -> ActionReport {
    let mut merged = ActionReport { action, ..ActionReport::default() };
    let mut values = [0.0f64; MAX_PLAYERS];
    let mut prior = 0.0f64;
    for report in reports {
        let found = report.actions.iter().find(|entry| entry.action == action);
        let Some(entry) = found else { continue };
        merged.visits += entry.visits;
        merged.available += entry.available;
        merged.solved |= entry.solved;
        prior += f64::from(entry.prior);
        for (value, &part) in values.iter_mut().zip(&entry.values) {
            *value += entry.visits as f64 * f64::from(part);
        }
    }
    merged.prior = (prior / reports.len() as f64) as f32;
    merged.values = values.map(|value| (value / merged.visits.max(1) as f64) as f32);
    merged
}

fn merge_tables(tables: impl Iterator<Item = TableReport>) -> Option<TableReport> {
    tables.reduce(|one, other| TableReport {
        capacity: one.capacity + other.capacity,
        used: one.used + other.used,
        lookups: one.lookups + other.lookups,
        hits: one.hits + other.hits,
        evicted: one.evicted + other.evicted,
    })
}
