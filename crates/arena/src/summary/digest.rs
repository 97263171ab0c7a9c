//! Counts the games of a run by table, bot, pair, seat and configuration.

use super::{BotSummary, DuelSummary, LengthBar, TableSummary, Tallied, TestSummary, TunedSummary};
use crate::experiment::{Model, Task};
use crate::run::{Plan, PlayedStage, Record, Run, counted};
use crate::{Pairing, duel, rate};

pub(super) fn test_of(played: &PlayedStage) -> Option<TestSummary> {
    let (test, model) = played.stage.test?;
    let scores = counted(model, &played.results);
    let [lower, upper] = test.bounds();
    let (ratio, verdict) = (test.ratio(&scores), test.verdict(&scores));
    Some(TestSummary { test, model, ratio, lower, upper, verdict })
}

pub(super) fn tuned_of(run: &Run<'_>) -> Option<TunedSummary> {
    let Plan::Tuning(tuner) = &run.plan else { return None };
    let last = run.stages.last().filter(|_| tuner.is_validating());
    let validation = last.map(|played| {
        let block = played.stage.matches[0].block();
        duel(&counted(Model::Pentanomial, &played.results), block)
    });
    Some(TunedSummary { found: tuner.found(), validation })
}

pub(super) fn summarize(run: &Run<'_>, at: usize) -> TableSummary {
    let table = &run.setup.tables[at];
    let records: Vec<&Record> =
        run.ledger.records.iter().filter(|record| record.table as usize == at).collect();
    let games = records.len().max(1) as f64;
    let mean = |count: fn(&Record) -> u64| {
        records.iter().map(|record| count(record)).sum::<u64>() as f64 / games
    };
    let mut by_seat = vec![Tallied::default(); table.seats];
    for record in &records {
        (0..table.seats).for_each(|seat| by_seat[seat].add(record, seat));
    }
    by_seat.iter_mut().for_each(Tallied::conclude);
    let duels = duels(run, at);
    let mut bots = bots(run, at, &records);
    let (anchor, drawn_games_added) = match &run.setup.experiment.task {
        Task::Tournament(task) => {
            let entries = run.setup.experiment.bots_of(at);
            let anchor = task.anchor.clone().unwrap_or_else(|| entries[0].label.clone());
            let added = rate_bots(&mut bots, &duels, &anchor);
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
        games: records.len() as u64,
        decisions_per_game: mean(|record| record.decisions),
        chances_per_game: mean(|record| record.chances),
        lengths: lengths(&records),
        by_seat,
        bots,
        duels,
        anchor,
        drawn_games_added,
    }
}

/// The bots that played at a table.
fn bots(run: &Run<'_>, at: usize, records: &[&Record]) -> Vec<BotSummary> {
    let table = &run.setup.tables[at];
    let mut bots: Vec<BotSummary> = (run.pool.0.iter())
        .map(|entry| BotSummary {
            label: entry.label.clone(),
            bot: entry.bot.to_string(),
            all: Tallied::default(),
            rating: None,
            superiority: None,
            by_seat: vec![Tallied::default(); table.seats],
            by_config: vec![Tallied::default(); table.texts.len()],
        })
        .collect();
    for record in records {
        for (seat, label) in record.bots.iter().enumerate() {
            let bot = bots.iter_mut().find(|bot| bot.label == *label);
            let bot = bot.expect("who plays is of the pool");
            bot.all.add(record, seat);
            bot.by_seat[seat].add(record, seat);
            bot.by_config[record.config as usize].add(record, seat);
        }
    }
    bots.retain(|bot| bot.all.games > 0);
    for bot in &mut bots {
        bot.all.conclude();
        bot.by_seat.iter_mut().for_each(Tallied::conclude);
        bot.by_config.iter_mut().for_each(Tallied::conclude);
    }
    bots
}

/// The pairs that met at a table.
fn duels(run: &Run<'_>, table: usize) -> Vec<DuelSummary> {
    let mut duels = Vec::new();
    for (stage, played) in run.stages.iter().enumerate() {
        for (contest, result) in played.stage.matches.iter().zip(&played.results) {
            let Some([first, second]) = contest.duel.filter(|_| contest.table == table) else {
                continue;
            };
            let count = |wanted: fn(f64) -> bool| {
                result
                    .games
                    .iter()
                    .filter(|(score, _)| wanted(*score))
                    .map(|(_, count)| count)
                    .sum()
            };
            duels.push(DuelSummary {
                stage,
                first: run.pool.label(first).to_owned(),
                second: run.pool.label(second).to_owned(),
                games: result.games.len(),
                wins: count(|score| score > 0.5),
                draws: count(|score| score == 0.5),
                losses: count(|score| score < 0.5),
                blocks: result.blocks.len(),
                block_scores: result.blocks.iter().collect(),
                duel: duel(&result.blocks, contest.block()),
            });
        }
    }
    duels
}

/// Rates the bots and sorts them by their strength; says whether drawn games
/// had to be added.
fn rate_bots(bots: &mut [BotSummary], duels: &[DuelSummary], anchor: &str) -> bool {
    let number = |label: &str| bots.iter().position(|bot| bot.label == label);
    let Some(anchor) = number(anchor) else { return false };
    let pairings: Vec<Pairing> = (duels.iter())
        .filter_map(|met| {
            Some(Pairing {
                bots: [number(&met.first)?, number(&met.second)?],
                games: met.games as f64,
                points: met.duel.score * met.games as f64,
            })
        })
        .collect();
    let ratings = rate(bots.len(), &pairings, anchor);
    let mut order: Vec<usize> = (0..bots.len()).collect();
    order.sort_by(|&a, &b| ratings.elo[b].elo.total_cmp(&ratings.elo[a].elo));
    for (bot, rating) in bots.iter_mut().zip(&ratings.elo) {
        bot.rating = Some(*rating);
    }
    for pair in order.windows(2) {
        bots[pair[0]].superiority = Some(ratings.superiority(pair[0], pair[1]));
    }
    let elo = |bot: &BotSummary| bot.rating.map_or(0.0, |rating| rating.elo);
    bots.sort_by(|a, b| elo(b).total_cmp(&elo(a)));
    ratings.drawn_games_added
}

/// Games by length, in up to twenty bars.
fn lengths(records: &[&Record]) -> Vec<LengthBar> {
    const BARS: u64 = 20;
    let lengths = || records.iter().map(|record| record.decisions);
    let (Some(shortest), Some(longest)) = (lengths().min(), lengths().max()) else {
        return Vec::new();
    };
    let width = (longest - shortest + 1).div_ceil(BARS);
    let bars = (longest - shortest) / width + 1;
    let mut counted: Vec<LengthBar> = (0..bars)
        .map(|bar| LengthBar {
            from: shortest + bar * width,
            to: shortest + (bar + 1) * width - 1,
            games: 0,
        })
        .collect();
    lengths().for_each(|length| counted[((length - shortest) / width) as usize].games += 1);
    counted
}
