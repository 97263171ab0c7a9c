//! How much skill there is: Elo gained per doubling of the simulations of a search.
//!
//! A game is deep if a chain of ever stronger players is long (Lantz, Isaksen, Jaffe, Nealen and
//! Togelius 2017, "Depth in Strategic Games"). The chain here is one search with ever more
//! simulations; each link is a match, rated by Elo (1978).

use meeple_bots::{BotSpec, Entrant, Error, Position};
use meeple_game::Rng;
use meeple_stats::{Estimate, Interval, mean_estimate};
use serde::Serialize;

use super::{AssessOptions, Figure};
use crate::{Match, MatchTally, RunProgress};

/// The strength gained by searching more.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Skill {
    /// The mean Elo gained per doubling of the simulations.
    pub elo_per_doubling: Figure,
    /// The number of doublings that were measured.
    pub doublings: u64,
    /// Each doubling.
    pub matches: Vec<Doubling>,
}

/// A match between a search and one with twice its simulations.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Doubling {
    /// The simulations of the weaker search.
    pub low_sims: u32,
    /// The simulations of the stronger search.
    pub high_sims: u32,
    /// The number of games.
    pub games: u64,
    /// The score of the stronger search, from 0 to 1.
    pub score: Figure,
    /// Its Elo above the weaker one; normalized Elo in games for stakes.
    pub elo: Figure,
}

/// Plays the matches, as far as they are not stopped.
pub(crate) fn measure(
    table: &dyn Position,
    options: &AssessOptions,
    seed: &Rng,
    progress: &RunProgress,
) -> Result<Skill, Error> {
    if options.doublings == 0 {
        return Ok(Skill::missing("no doubling was asked for"));
    }
    let mut matches = Vec::new();
    for rung in 1..=options.doublings {
        let tally = play(table, options, rung, seed.split(rung.into()), progress)?;
        let (low_sims, high_sims) = (options.sims(rung - 1), options.sims(rung));
        matches.push(Doubling::of(low_sims, high_sims, &tally));
        if progress.is_stopped() {
            break;
        }
    }
    let measured: Vec<Estimate> =
        matches.iter().filter_map(|met: &Doubling| met.elo.estimate()).collect();
    Ok(Skill {
        elo_per_doubling: Figure::of(mean_estimate(&measured)),
        doublings: measured.len() as u64,
        matches,
    })
}

impl Skill {
    /// Nothing was measured.
    pub(crate) const fn missing(reason: &'static str) -> Self {
        Self { elo_per_doubling: Figure::missing(reason), doublings: 0, matches: Vec::new() }
    }
}

impl Doubling {
    fn of(low_sims: u32, high_sims: u32, tally: &MatchTally) -> Self {
        let (result, games) = (tally.paired_result(), tally.games.len());
        let figure = |value, ci_low, ci_high| {
            let estimate = Estimate { value, interval: Interval { ci_low, ci_high } };
            Figure::of((tally.blocks.len() > 1).then_some(estimate))
        };
        let score = figure(result.score, result.interval.ci_low, result.interval.ci_high);
        let elo = figure(result.elo, result.elo_low, result.elo_high);
        Self { low_sims, high_sims, games, score, elo }
    }
}

/// Plays the match of a rung against the one below; returns the blocks so far if it is stopped.
fn play(
    table: &dyn Position,
    options: &AssessOptions,
    rung: u32,
    seed: Rng,
    progress: &RunProgress,
) -> Result<MatchTally, Error> {
    let [high, low] = [rung, rung - 1].map(|rung| BotSpec::Search(options.rung(rung)));
    let (game, config) = (table.info().name, table.config());
    let versus = Match {
        game,
        table: &config,
        first: Entrant { bot: &high, network: None },
        others: Entrant { bot: &low, network: None },
        games: options.games,
        openings: 0,
        max_decisions: Some(options.max_decisions),
        seed,
        threads: options.threads,
        stop: progress.switch().clone(),
    };
    let mut known = MatchTally::default();
    let weight = weight(options, rung);
    versus.play(&mut |tally| {
        progress.add_done((tally.games.len() - known.games.len()) * weight);
        known = tally.clone();
        false
    })?;
    Ok(known)
}

/// The work of all matches, in simulations per decision and game.
pub(crate) fn work(options: &AssessOptions, seats: usize) -> u64 {
    // Whole blocks, in which the stronger search plays every seat once.
    let games = options.games.next_multiple_of(seats as u64);
    (1..=options.doublings).map(|rung| games * weight(options, rung)).sum()
}

fn weight(options: &AssessOptions, rung: u32) -> u64 {
    u64::from(options.sims(rung) + options.sims(rung - 1)).div_ceil(2)
}
