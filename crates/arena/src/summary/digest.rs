//! Aggregates the games of a run by table, bot, pairing, seat and configuration.

use std::collections::BTreeMap;

use meeple_game::Steps;

use super::{
    BotSummary, LengthBar, PairingSummary, TableSummary, Tallied, TestSummary, TunedSummary,
};
use crate::experiment::{Model, Scoring, Task};
use crate::run::{OpenTable, PlayedStage, Record, Run, StagePlan, counted};
use crate::{MatchTally, SeatTally, Tally, Winnings};
use meeple_stats::{Moments, normalized_score};
use meeple_stats::{Pairing, Sprt, rate};

pub(super) fn test_of(run: &Run<'_>, played: &PlayedStage) -> Option<TestSummary> {
    let (test, model) = played.stage.test?;
    let counted = counted(&played.results);
    let [lower, upper] = test.bounds();
    let ratio = counted.ratio(&test, model);
    let verdict = test.verdict(ratio);
    Some(TestSummary {
        test,
        model,
        ratio,
        lower,
        upper,
        verdict,
        games: counted.games.len(),
        estimate: counted.paired_result(),
        block_scores: block_scores(&counted),
        curve: curve(run, played, &test, model),
    })
}

/// Returns the log-likelihood ratio by number of games, in the order of play.
fn curve(run: &Run<'_>, played: &PlayedStage, test: &Sprt, model: Model) -> Vec<(u64, f64)> {
    const POINTS: usize = 200;
    let blocks: Vec<&[Record]> = run.ledger.records.chunk_by(is_same_block).collect();
    let every = blocks.len().div_ceil(POINTS).max(1);
    let mut all = MatchTally::new(run.setup.tables[0].scoring);
    let mut points = Vec::with_capacity(POINTS);
    for (at, block) in blocks.iter().enumerate() {
        let pairing = &played.stage.matches[block[0].r#match as usize];
        let Some([first, second]) = pairing.pair else { continue };
        let (first, second) = (run.pool.label(first), run.pool.label(second));
        let scores: Vec<f64> =
            block.iter().map(|record| record.score(first, second, all.scoring)).collect();
        all.add(&scores);
        if (at + 1).is_multiple_of(every) || at + 1 == blocks.len() {
            points.push((all.games.len(), all.ratio(test, model)));
        }
    }
    points
}

fn is_same_block(one: &Record, other: &Record) -> bool {
    let block = |record: &Record| (record.stage, record.r#match, record.block);
    block(one) == block(other)
}

/// Returns the histogram of block scores. Empty if payoffs are scored, which are rarely equal.
fn block_scores(tally: &MatchTally) -> Vec<(f64, u64)> {
    match tally.scoring {
        Scoring::Wins => tally.blocks.iter().collect(),
        Scoring::Payoff => Vec::new(),
    }
}

pub(super) fn tuned_of(run: &Run<'_>) -> Option<TunedSummary> {
    let StagePlan::Tuning(tuner) = &run.plan else { return None };
    let last = run.stages.last().filter(|_| tuner.is_validating());
    let validation = last.map(|played| counted(&played.results).paired_result());
    Some(TunedSummary { found: tuner.found(), validation })
}

/// Returns the records of a table.
fn records_of<'a>(run: &'a Run<'_>, at: usize) -> impl Iterator<Item = &'a Record> {
    run.ledger.records.iter().filter(move |record| record.table as usize == at)
}

/// Tallies the games of a table.
pub(super) fn tally_of(run: &Run<'_>, at: usize) -> Tally {
    let mut tally = Tally::default();
    for record in records_of(run, at) {
        let steps = Steps { decisions: record.decisions, chances: record.chances };
        tally.add(&record.payoffs, steps, record.ending());
    }
    tally
}

pub(super) fn summarize(run: &Run<'_>, at: usize, tally: &Tally) -> TableSummary {
    let table = &run.setup.tables[at];
    let records: Vec<&Record> = records_of(run, at).collect();
    let games = tally.games.max(1) as f64;
    let pairings = pairings(run, at);
    let mut bots = bots(run, at, &records);
    let (anchor, drawn_games_added) = match &run.setup.experiment.task {
        Task::Tournament(task) => {
            let entries = run.setup.experiment.bots_of(at);
            let anchor = task.anchor.clone().unwrap_or_else(|| entries[0].label.clone());
            let deviation = (table.scoring == Scoring::Payoff).then(|| deviation(run, at));
            let added = rate_bots(&mut bots, &pairings, &anchor, deviation);
            (Some(anchor), added)
        }
        _ => {
            bots.sort_by(|a, b| b.all.mean_payoff.total_cmp(&a.all.mean_payoff));
            (None, false)
        }
    };
    TableSummary {
        game: table.game.clone(),
        seats: table.seats,
        configs: table.texts.clone(),
        games: tally.games,
        decisions_per_game: tally.decisions as f64 / games,
        chances_per_game: tally.chances as f64 / games,
        lengths: LengthBar::histogram(records.iter().map(|record| record.decisions)),
        by_seat: tally.seats[..table.seats].iter().map(Tallied::from).collect(),
        bots,
        pairings,
        stakes: table.stakes,
        scoring: table.scoring,
        anchor,
        drawn_games_added,
    }
}

/// Returns the results of the bots of a table.
fn bots(run: &Run<'_>, at: usize, records: &[&Record]) -> Vec<BotSummary> {
    let table = &run.setup.tables[at];
    let numbers: BTreeMap<&str, usize> =
        (0..run.pool.0.len()).rev().map(|bot| (run.pool.label(bot), bot)).collect();
    let counts = |of: usize| vec![vec![SeatTally::default(); of]; run.pool.0.len()];
    let (mut all, mut by_seat, mut by_config) =
        (counts(1), counts(table.seats), counts(table.texts.len()));
    for record in records {
        for (seat, label) in record.bots.iter().enumerate() {
            let bot = *numbers.get(label.as_str()).expect("who plays is of the pool");
            all[bot][0].add(&record.payoffs, seat);
            by_seat[bot][seat].add(&record.payoffs, seat);
            by_config[bot][record.config as usize].add(&record.payoffs, seat);
        }
    }
    let by_block = by_block(run, &numbers, records);
    let tallied = |counts: &[SeatTally]| counts.iter().map(Tallied::from).collect();
    (run.pool.0.iter().enumerate())
        .filter(|(bot, _)| all[*bot][0].games > 0)
        .map(|(bot, entry)| BotSummary {
            label: entry.label.clone(),
            bot: entry.bot.to_string(),
            all: Tallied::from(&all[bot][0]),
            winnings: table.stakes.map(|stakes| {
                let payoff = all[bot][0].mean_payoff();
                Winnings::new(stakes, payoff, by_block[bot].standard_error())
            }),
            rating: None,
            superiority: None,
            by_seat: tallied(&by_seat[bot]),
            by_config: tallied(&by_config[bot]),
        })
        .collect()
}

/// Returns the moments of each bot's mean payoff in a block. Games of a block share their chance
/// events, so only blocks are independent.
fn by_block(run: &Run<'_>, numbers: &BTreeMap<&str, usize>, records: &[&Record]) -> Vec<Moments> {
    let mut moments = vec![Moments::default(); run.pool.0.len()];
    for games in records.chunk_by(|one, other| is_same_block(one, other)) {
        let mut sums: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for record in games {
            for (label, &payoff) in record.bots.iter().zip(&record.payoffs) {
                let (sum, count) = sums.entry(numbers[label.as_str()]).or_default();
                (*sum, *count) = (*sum + f64::from(payoff), *count + 1.0);
            }
        }
        for (bot, (sum, count)) in sums {
            moments[bot].add(sum / count);
        }
    }
    moments
}

/// Returns the standard deviation of the score of one game, pooled over all pairings of a table.
fn deviation(run: &Run<'_>, table: usize) -> f64 {
    let (mut sum, mut games) = (0.0, 0.0);
    for played in &run.stages {
        for (pairing, result) in played.stage.matches.iter().zip(&played.results) {
            if pairing.table == table && pairing.pair.is_some() {
                sum += result.deviation().powi(2) * result.games.len() as f64;
                games += result.games.len() as f64;
            }
        }
    }
    (sum / f64::max(games, 1.0)).sqrt()
}

/// Returns the results of the pairings of a table.
fn pairings(run: &Run<'_>, table: usize) -> Vec<PairingSummary> {
    let OpenTable { seats, stakes, scoring, .. } = run.setup.tables[table];
    let stakes = stakes.filter(|_| scoring == Scoring::Payoff);
    let mut pairings = Vec::new();
    for (stage, played) in run.stages.iter().enumerate() {
        for (pairing, result) in played.stage.matches.iter().zip(&played.results) {
            let Some([first, second]) = pairing.pair.filter(|_| pairing.table == table) else {
                continue;
            };
            pairings.push(PairingSummary {
                stage,
                first: run.pool.label(first).to_owned(),
                second: run.pool.label(second).to_owned(),
                games: result.games.len(),
                wins: result.wins(),
                draws: result.draws(),
                losses: result.losses(),
                blocks: result.blocks.len(),
                winnings: stakes.map(|stakes| result.winnings(stakes, seats)),
                block_scores: block_scores(result),
                result: result.paired_result(),
            });
        }
    }
    pairings
}

/// Rates the bots and sorts them by rating. Returns whether drawn games were added.
///
/// With `deviation`, scores are payoffs, which are normalized by the standard deviation of one
/// game.
fn rate_bots(
    bots: &mut [BotSummary],
    summaries: &[PairingSummary],
    anchor: &str,
    deviation: Option<f64>,
) -> bool {
    let share = |score: f64| match deviation {
        None => score,
        Some(deviation) if deviation > 0.0 => normalized_score(score, deviation).clamp(0.0, 1.0),
        Some(_) => 0.5,
    };
    let number = |label: &str| bots.iter().position(|bot| bot.label == label);
    let Some(anchor) = number(anchor) else { return false };
    let pairings: Vec<Pairing> = (summaries.iter())
        .filter_map(|summary| {
            Some(Pairing {
                bots: [number(&summary.first)?, number(&summary.second)?],
                games: summary.games as f64,
                points: share(summary.result.score) * summary.games as f64,
            })
        })
        .collect();
    let ratings = rate(bots.len(), &pairings, anchor);
    let mut order: Vec<usize> = (0..bots.len()).collect();
    // Sorts by rating. Ties, which occur with few games, are broken by payoff.
    order.sort_by(|&a, &b| {
        let payoff = |bot: usize| bots[bot].all.mean_payoff;
        let strength = ratings.elo[b].elo.total_cmp(&ratings.elo[a].elo);
        strength.then_with(|| payoff(b).total_cmp(&payoff(a)))
    });
    for (bot, rating) in bots.iter_mut().zip(&ratings.elo) {
        bot.rating = Some(*rating);
    }
    for pair in order.windows(2) {
        bots[pair[0]].superiority = Some(ratings.superiority(pair[0], pair[1]));
    }
    let sorted: Vec<BotSummary> = order.iter().map(|&bot| bots[bot].clone()).collect();
    bots.clone_from_slice(&sorted);
    ratings.drawn_games_added
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bot(label: &str, mean_payoff: f64) -> BotSummary {
        BotSummary {
            label: label.into(),
            bot: label.into(),
            all: Tallied { mean_payoff, ..Tallied::default() },
            winnings: None,
            rating: None,
            superiority: None,
            by_seat: Vec::new(),
            by_config: Vec::new(),
        }
    }

    /// Bots with equal ratings are ranked by payoff.
    #[test]
    fn equal_ratings_are_ranked_by_payoff() {
        let mut bots = [bot("a", -0.5), bot("b", 0.25), bot("c", 0.75)];
        rate_bots(&mut bots, &[], "a", None);
        assert_eq!(bots.each_ref().map(|bot| bot.label.as_str()), ["c", "b", "a"]);
        assert!(bots.iter().all(|bot| bot.rating.is_some_and(|rating| rating.elo == 0.0)));
    }
}
