//! `meeple simulate`: plays many games between bots and reports the results.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::anyhow;
use clap::Args;
use meeple_arena::{
    RunProgress, SeatForfeit, Simulation, Tally, Winnings, record, signed, simulate,
};
use meeple_bots::{BotSpec, Position};
use meeple_game::Game;
use meeple_games::magic::{self, Magic, Stats};
use meeple_stats::{Interval, wilson};
use serde::Serialize;

use crate::args::{self, GameArgs, RunArgs};
use crate::failure::{Failure, INTERRUPTED};
use crate::magic::stats_text;
use crate::{Outcome, interrupt, progress, show};

/// Play many games between bots and report win rates
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple simulate connect-four --games 1e6 --bots greedy,random")]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Number of games
    #[arg(long, value_name = "N", value_parser = args::count, default_value = "10000")]
    games: u64,
    /// Bots, one per seat or one for all: name:option=value,…
    #[arg(long, value_name = "BOT,BOT", default_value = "random")]
    bots: String,
    #[command(flatten)]
    run: RunArgs,
    /// Magic: also report statistics of the first 1000 games (100 if not all bots are random)
    #[arg(long)]
    stats: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The result of a simulation, as JSON.
#[derive(Debug, Serialize)]
struct Report {
    game: &'static str,
    config: serde_json::Value,
    seed: u64,
    games: u64,
    interrupted: bool,
    seconds: f64,
    games_per_second: f64,
    decisions_per_second: f64,
    decisions_per_game: f64,
    chances_per_game: f64,
    /// Games lost by a failure of the bot.
    forfeits: u64,
    /// Games that hit a capacity limit of the implementation.
    faults: u64,
    /// The seat and reason of the first forfeit.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_forfeit: Option<SeatForfeit>,
    seats: Vec<Seat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<MagicStats>,
}

/// Magic statistics, summed over the games that were replayed.
#[derive(Debug, Serialize)]
struct MagicStats {
    games: u64,
    decisions: u64,
    #[serde(flatten)]
    stats: Stats,
}

#[derive(Debug, Serialize)]
struct Seat {
    seat: usize,
    bot: String,
    wins: u64,
    ties: u64,
    losses: u64,
    win: f64,
    #[serde(flatten)]
    interval: Interval,
    mean_payoff: f64,
    /// Winnings with their unit, in games for stakes.
    #[serde(skip_serializing_if = "Option::is_none")]
    winnings: Option<Winnings>,
}

pub(crate) fn run(args: &SimulateArgs) -> Outcome {
    let start = args.game.open()?;
    let simulation = Simulation {
        games: args.games,
        seed: args.run.seed,
        threads: args.run.threads.map_or(0, usize::from),
        bots: args::bots(&args.bots).map_err(Failure::usage)?,
    };
    let stats_config = stats_config(args.stats, &*start, &simulation)?;
    interrupt::listen()?;
    let progress = RunProgress::default();
    let started = Instant::now();
    let stop_if_asked = || {
        if interrupt::asked() {
            progress.stop();
        }
    };
    let tally = progress::watch(
        || simulation.games,
        "games",
        || progress.done(),
        stop_if_asked,
        || simulate(&*start, &simulation, &progress),
    )
    .map_err(Failure::of_bot)?;
    let seconds = started.elapsed().as_secs_f64();
    let mut report = report(&*start, &simulation, &tally, seconds);
    if let Some(config) = stats_config {
        report.stats = Some(magic_stats(&config, &*start, &simulation, report.games)?);
    }
    if args.json {
        show::print_json(&report)?
    } else {
        print(&report)?
    }
    Ok(if report.interrupted { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// Returns the Magic configuration for `--stats`; `None` if it was not given.
fn stats_config(
    requested: bool,
    start: &dyn Position,
    simulation: &Simulation,
) -> Result<Option<magic::Config>, Failure> {
    if !requested {
        return Ok(None);
    }
    let game = start.info().name;
    if game != Magic::NAME {
        return Err(Failure::Usage(anyhow!("--stats is only for magic, not {game}")));
    }
    if let Some(bot) = simulation.bots.iter().find(|bot| !bot.is_repeatable()) {
        return Err(Failure::Usage(anyhow!(
            "--stats replays the games, but {bot} is not deterministic"
        )));
    }
    Ok(Some(serde_json::from_value(start.config()).map_err(anyhow::Error::from)?))
}

/// Replays the first games and collects their statistics.
fn magic_stats(
    config: &magic::Config,
    start: &dyn Position,
    simulation: &Simulation,
    games: u64,
) -> Result<MagicStats, Failure> {
    let random = simulation.bots.iter().all(|bot| *bot == BotSpec::Random);
    let games = games.min(if random { 1000 } else { 100 });
    if random {
        let (stats, steps) = Stats::of_random_games(config, games, simulation.seed);
        return Ok(MagicStats { games, decisions: steps.decisions, stats });
    }
    let (mut stats, mut decisions) = (Stats::default(), 0);
    for index in 0..games {
        let actions = record(start, simulation, index).map_err(Failure::of_bot)?;
        decisions += stats.add_game(config, &actions);
    }
    Ok(MagicStats { games, decisions, stats })
}

fn report(start: &dyn Position, simulation: &Simulation, tally: &Tally, seconds: f64) -> Report {
    let players = start.players();
    let games = tally.games.max(1) as f64;
    let bot =
        |seat: usize| -> &BotSpec { simulation.bots.get(seat).unwrap_or(&simulation.bots[0]) };
    let seats = tally.seats[..players].iter().enumerate().map(|(seat, counts)| Seat {
        seat,
        bot: bot(seat).to_string(),
        wins: counts.wins,
        ties: counts.ties,
        losses: counts.losses(),
        win: counts.wins as f64 / games,
        interval: wilson(counts.wins, tally.games),
        mean_payoff: counts.mean_payoff(),
        winnings: start
            .stakes()
            .map(|stakes| Winnings::new(stakes, counts.mean_payoff(), counts.payoff_error())),
    });
    Report {
        game: start.info().name,
        config: start.config(),
        seed: simulation.seed,
        games: tally.games,
        interrupted: tally.games < simulation.games,
        seconds,
        games_per_second: tally.games as f64 / seconds,
        decisions_per_second: tally.decisions as f64 / seconds,
        decisions_per_game: tally.decisions as f64 / games,
        chances_per_game: tally.chances as f64 / games,
        forfeits: tally.forfeits,
        faults: tally.faults,
        first_forfeit: (tally.first_forfeit.clone())
            .map(|(seat, reason)| SeatForfeit { seat: seat.0, reason }),
        seats: seats.collect(),
        stats: None,
    }
}

fn print(report: &Report) -> Result<(), Failure> {
    let accent = show::ACCENT;
    if report.interrupted {
        show::remark("interrupted: the results cover the games played so far");
    }
    let mut text = format!(
        "{accent}{}{accent:#}: {} games in {:.2} s, {} games/s, {} decisions/s\n\
         {:.1} decisions and {:.1} chance events per game, seed {}\n\n",
        report.game,
        show::grouped(report.games),
        report.seconds,
        show::short(report.games_per_second),
        show::short(report.decisions_per_second),
        report.decisions_per_game,
        report.chances_per_game,
        report.seed,
    );
    if let Some(SeatForfeit { seat, reason }) = &report.first_forfeit {
        let games = show::grouped(report.forfeits);
        show::remark(&format!("{games} games were forfeited, the first by seat {seat}: {reason}"));
    }
    if report.faults > 0 {
        let faults = show::grouped(report.faults);
        show::remark(&format!(
            "{faults} games hit a capacity limit of the game and count as draws"
        ));
    }
    let unit = report.seats.iter().find_map(|seat| seat.winnings).map(|won| won.unit.to_string());
    let payoff = unit.as_deref().unwrap_or("payoff");
    let headings = ["seat", "bot", "won", "95 % interval", "drawn", "lost", payoff];
    let row = |seat: &Seat| {
        let share = |count: u64| show::percent(count as f64 / report.games.max(1) as f64);
        let Interval { ci_low, ci_high } = seat.interval;
        vec![
            seat.seat.to_string(),
            seat.bot.clone(),
            show::percent(seat.win),
            format!("{:.2} - {:.2} %", 100.0 * ci_low, 100.0 * ci_high),
            share(seat.ties),
            share(seat.losses),
            seat.winnings.map_or_else(|| signed(seat.mean_payoff, 4), |won| won.to_string()),
        ]
    };
    text.push_str(&show::fitted(&headings, 1, report.seats.iter().map(row).collect()));
    if let Some(MagicStats { games, decisions, stats }) = &report.stats {
        text.push_str(&stats_text(stats, *games, *decisions));
    }
    show::print(&text)
}
