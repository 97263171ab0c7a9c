//! Merging of reports on the same root, for root parallelization and ensembles.

use meeple_game::{Action, MAX_PLAYERS, Player};

use crate::SearchReport;
use crate::budget::StopReason;
use crate::report::{ActionReport, TableReport};

/// Merges reports of workers that searched the same state for `seat`. Visits are summed,
/// values are weighted by visits, and policies of sequential halving are averaged. A proof
/// by one worker holds for all, so a proven value replaces the other workers' mean values.
pub(crate) fn merge(reports: &[SearchReport], seat: Player) -> SearchReport {
    let mut merged = sum_reports(reports);
    for entry in &mut merged.actions {
        if let Some(proven) = entries_of(entry.action, reports).find(|part| part.solved) {
            entry.solved = true;
            entry.values = proven.values;
        }
    }
    finish(&mut merged, reports);
    prefer_proven(&mut merged, reports, seat.index());
    merged.variations = variations_of(merged.best, reports);
    merged
}

/// Merges reports on different determinizations of a root. Like [`merge`], but a proof in
/// one determinization says nothing about the others.
pub(crate) fn merge_determinizations(reports: &[SearchReport]) -> SearchReport {
    let mut merged = sum_reports(reports);
    merged.stop_reason = reports.last().map_or(merged.stop_reason, |last| last.stop_reason);
    finish(&mut merged, reports);
    merged
}

/// The variations of the first report whose best action is `best`.
pub(crate) fn variations_of(best: Action, reports: &[SearchReport]) -> Vec<Vec<Action>> {
    let agreeing = reports.iter().find(|report| report.best == best);
    agreeing.or(reports.first()).map_or_else(Vec::new, |report| report.variations.clone())
}

/// Sums counts and averages action values.
fn sum_reports(reports: &[SearchReport]) -> SearchReport {
    let Some(first) = reports.first() else { return SearchReport::default() };
    let mut merged = SearchReport { stop_reason: first.stop_reason, ..SearchReport::default() };
    let sum = |part: fn(&SearchReport) -> u64| reports.iter().map(part).sum::<u64>();
    merged.simulations = sum(|report| report.simulations);
    merged.nodes = sum(|report| report.nodes);
    merged.bytes = sum(|report| report.bytes);
    merged.evaluations = sum(|report| report.evaluations);
    merged.depth = reports.iter().map(|report| report.depth).max().unwrap_or(0);
    let steps: f64 =
        reports.iter().map(|report| f64::from(report.mean_depth) * report.simulations as f64).sum();
    merged.mean_depth = (steps / merged.simulations.max(1) as f64) as f32;
    merged.table = merge_tables(reports.iter().filter_map(|report| report.table));
    merged.cache = merge_tables(reports.iter().filter_map(|report| report.cache));
    merged.actions = first.actions.iter().map(|entry| average(entry.action, reports)).collect();
    merged
}

/// Derives the best action, policy and values. After sequential halving, visits do not rank
/// actions, so the averaged policies do.
fn finish(merged: &mut SearchReport, reports: &[SearchReport]) {
    merged.finish();
    merged.halved = reports.iter().any(|report| report.halved);
    if !merged.halved {
        return;
    }
    for entry in &mut merged.actions {
        let parts = entries_of(entry.action, reports);
        entry.policy = parts.map(|part| part.policy).sum::<f32>() / reports.len() as f32;
    }
    let survived = |entry: &&ActionReport| reports.iter().any(|report| report.best == entry.action);
    let survivors = merged.actions.iter().filter(survived);
    let best =
        survivors.reduce(|best, entry| if entry.policy > best.policy { entry } else { best });
    merged.best = best.map_or(merged.best, |entry| entry.action);
}

/// Corrects the best action by what the workers have proven, individually or together.
fn prefer_proven(merged: &mut SearchReport, reports: &[SearchReport], seat: usize) {
    // A worker that has proven the root also knows which actions are at least a draw, which
    // the entries do not show.
    if let Some(solved) = reports.iter().find(|report| report.stop_reason == StopReason::Solved) {
        merged.best = solved.best;
        merged.values = solved.values;
        merged.stop_reason = StopReason::Solved;
        return;
    }
    let highest = merged.actions.iter().map(|entry| entry.values[seat]).reduce(f32::max);
    if let Some(highest) = highest.filter(|_| merged.actions.iter().all(|entry| entry.solved)) {
        let best = merged.most_visited(|entry| entry.values[seat] >= highest).cloned();
        if let Some(best) = best {
            merged.best = best.action;
            merged.values = best.values;
            merged.stop_reason = StopReason::Solved;
        }
        return;
    }
    // No worker answers with an action that it has proven lost.
    if reports.iter().all(|report| report.best == merged.best) {
        return;
    }
    let is_drawn = |entry: &ActionReport| entry.solved && entry.values[seat] == 0.0;
    let is_lost = |entry: &ActionReport| entry.solved && entry.values[seat] <= -1.0;
    let is_unproven =
        |entry: &ActionReport| entry.visits > 0 && !is_drawn(entry) && !is_lost(entry);
    merged.respect_proofs(seat, is_unproven, is_drawn);
}

/// The entries of `action` in all reports.
fn entries_of(action: Action, reports: &[SearchReport]) -> impl Iterator<Item = &ActionReport> {
    let entries = reports.iter().flat_map(|report| &report.actions);
    entries.filter(move |entry| entry.action == action)
}

fn average(action: Action, reports: &[SearchReport]) -> ActionReport {
    let mut merged = ActionReport { action, ..ActionReport::default() };
    let mut values = [0.0f64; MAX_PLAYERS];
    let mut prior = 0.0f64;
    for entry in entries_of(action, reports) {
        merged.visits += entry.visits;
        merged.available += entry.available;
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

#[cfg(test)]
mod tests {
    use super::*;

    const SEAT: Player = Player(1);

    fn entry(action: u16, visits: u64, value: f32, solved: bool) -> ActionReport {
        let mut values = [0.0; MAX_PLAYERS];
        (values[0], values[1]) = (0.0 - value, value);
        ActionReport { action: Action(action), visits, values, solved, ..ActionReport::default() }
    }

    /// A report with this best action.
    fn report(best: u16, actions: &[ActionReport]) -> SearchReport {
        let mut report = SearchReport { actions: actions.to_vec(), ..SearchReport::default() };
        report.finish();
        report.best = Action(best);
        report.variations = vec![vec![Action(best)]];
        report.stop_reason = StopReason::Simulations;
        report
    }

    #[test]
    fn a_proven_value_replaces_mean_values() {
        let one = report(1, &[entry(0, 10, -1.0, true), entry(1, 30, 0.1, false)]);
        let other = report(0, &[entry(0, 90, 0.5, false), entry(1, 10, 0.3, false)]);
        for reports in [[one.clone(), other.clone()], [other, one]] {
            let merged = merge(&reports, SEAT);
            let [lost, open] = &merged.actions[..] else { panic!("two actions") };
            assert_eq!((lost.visits, lost.solved, lost.values[1]), (100, true, -1.0));
            assert!((open.values[1] - 0.15).abs() < 1e-6 && !open.solved, "{open:?}");
            assert_eq!(merged.best, Action(1), "a proven loss is not played, whatever its visits");
            assert_eq!(merged.variations, [[Action(1)]]);
        }
    }

    #[test]
    fn a_proven_draw_is_played_if_nothing_looks_better() {
        let draw = report(0, &[entry(0, 10, 0.0, true), entry(1, 5, -0.4, false)]);
        for (value, best) in [(-0.2, 0), (0.2, 1)] {
            let other = report(1, &[entry(0, 10, 0.1, false), entry(1, 200, value, false)]);
            assert_eq!(merge(&[draw.clone(), other], SEAT).best, Action(best));
        }
    }

    #[test]
    fn workers_prove_the_root_together() {
        let one = report(1, &[entry(0, 10, -1.0, true), entry(1, 30, 0.1, false)]);
        let other = report(0, &[entry(0, 90, 0.5, false), entry(1, 10, 0.0, true)]);
        let merged = merge(&[one, other], SEAT);
        assert_eq!((merged.stop_reason, merged.best), (StopReason::Solved, Action(1)));
        assert_eq!(merged.values[..2], [0.0, 0.0]);
    }

    #[test]
    fn a_proof_in_one_determinization_does_not_carry_over() {
        let one = report(1, &[entry(0, 10, -1.0, true), entry(1, 30, 0.1, false)]);
        let other = report(0, &[entry(0, 30, 1.0, true), entry(1, 10, 0.1, false)]);
        let merged = merge_determinizations(&[one, other]);
        assert!(merged.actions.iter().all(|entry| !entry.solved));
        assert_eq!(merged.actions[0].values[1], 0.5);
    }
}
