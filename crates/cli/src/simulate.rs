//! `meeple simulate`: many games between bots, counted.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::anyhow;
use clap::Args;
use meeple_arena::{
    BotSpec, Interval, Position, Progress, SeatForfeit, Simulation, Tally, Winnings, signed, wilson,
};
use meeple_game::Game;
use meeple_games::magic::{self, Magic, Stats};
use serde::Serialize;

use crate::args::{self, GameArgs, RunArgs};
use crate::failure::{Failure, INTERRUPTED};
use crate::magic::stats_text;
use crate::{Outcome, interrupt, progress, show};

/// Plays many games and counts the results.
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple simulate connect-four --games 1e6 --bots greedy,random")]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Games to play
    #[arg(long, value_name = "N", value_parser = args::count, default_value = "10000")]
    games: u64,
    /// A bot for each seat, or one for all: name:option=value,…
    #[arg(long, value_name = "BOT,BOT", default_value = "random")]
    bots: String,
    #[command(flatten)]
    run: RunArgs,
    /// Magic: count what happens too, in the first 1000 games, or 100 if bots think
    #[arg(long)]
    stats: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What a simulation found.
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
    /// Games that a bot lost by failing.
    forfeits: u64,
    /// Games that met a bound of the game.
    faults: u64,
    /// Who lost the first of them, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_forfeit: Option<SeatForfeit>,
    seats: Vec<Seat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<Counted>,
}

/// What happened in games of Magic, added up over all that were watched.
#[derive(Debug, Serialize)]
struct Counted {
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
    /// What it wins, in games for stakes.
    #[serde(skip_serializing_if = "Option::is_none")]
    winnings: Option<Winnings>,
}

pub(crate) fn run(args: &SimulateArgs) -> Outcome {
    let table = args.game.open()?;
    let simulation = Simulation {
        games: args.games,
        seed: args.run.seed,
        threads: args.run.threads.map_or(0, usize::from),
        bots: args::bots(&args.bots).map_err(Failure::usage)?,
    };
    let watched = watched(args.stats, &*table, &simulation)?;
    interrupt::listen()?;
    let progress = Progress::default();
    let start = Instant::now();
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
        || table.simulate(&simulation, &progress),
    )
    .map_err(Failure::of_bot)?;
    let seconds = start.elapsed().as_secs_f64();
    let mut report = report(&*table, &simulation, &tally, seconds);
    if let Some(config) = watched {
        report.stats = Some(count(&config, &*table, &simulation, report.games)?);
    }
    if args.json {
        show::print_json(&report)?
    } else {
        print(&report)?
    }
    Ok(if report.interrupted { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// The table of Magic whose games are to be watched, if any are.
fn watched(
    asked: bool,
    table: &dyn Position,
    simulation: &Simulation,
) -> Result<Option<magic::Config>, Failure> {
    if !asked {
        return Ok(None);
    }
    let game = table.info().name;
    if game != Magic::NAME {
        return Err(Failure::Usage(anyhow!("--stats is for magic, not {game}")));
    }
    if let Some(bot) = simulation.bots.iter().find(|bot| !bot.is_repeatable()) {
        return Err(Failure::Usage(anyhow!("--stats plays games again, which {bot} may not")));
    }
    Ok(Some(serde_json::from_value(table.config()).map_err(anyhow::Error::from)?))
}

/// Plays the first games again and counts what happens.
fn count(
    config: &magic::Config,
    table: &dyn Position,
    simulation: &Simulation,
    games: u64,
) -> Result<Counted, Failure> {
    let random = simulation.bots.iter().all(|bot| *bot == BotSpec::Random);
    let games = games.min(if random { 1000 } else { 100 });
    if random {
        let (stats, steps) = Stats::of_random_games(config, games, simulation.seed);
        return Ok(Counted { games, decisions: steps.decisions, stats });
    }
    let (mut stats, mut decisions) = (Stats::default(), 0);
    for index in 0..games {
        let actions = table.record(simulation, index).map_err(Failure::of_bot)?;
        decisions += stats.add_game(config, &actions);
    }
    Ok(Counted { games, decisions, stats })
}

fn report(table: &dyn Position, simulation: &Simulation, tally: &Tally, seconds: f64) -> Report {
    let players = table.players();
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
        winnings: table
            .stakes()
            .map(|stakes| Winnings::new(stakes, counts.mean_payoff(), counts.payoff_error())),
    });
    Report {
        game: table.info().name,
        config: table.config(),
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
        show::remark("interrupted: these are the games played so far");
    }
    let mut text = format!(
        "{accent}{}{accent:#}: {} games in {:.2} s, {} games/s, {} decisions/s\n\
         {:.1} decisions and {:.1} chance events a game, seed {}\n\n",
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
        show::remark(&format!("{faults} games met a bound of the game and count as draws"));
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
    if let Some(Counted { games, decisions, stats }) = &report.stats {
        text.push_str(&stats_text(stats, *games, *decisions));
    }
    show::print(&text)
}
