//! `meeple equity`: the equity of poker hands and ranges.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::anyhow;
use clap::Args;
use meeple_poker::{
    CardSet, Category, Equity, EquityOptions, EquityProgress, Holding, Method, PlayerEquity,
    equity_with_progress,
};
use serde::Serialize;

use crate::args::{self, PokerGame, RunArgs};
use crate::failure::{Failure, INTERRUPTED};
use crate::{Outcome, interrupt, progress, show};

/// Compute the equity of each player, with wins and ties
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple equity AhAs KdKc\n         \
                        meeple equity \"QQ+,AKs\" \"22+,A2s+\" --board 2c7h9d\n         \
                        meeple equity AhAs --opponents 5 --sims 1e7")]
pub(crate) struct EquityArgs {
    /// Hand or range of each player: AhAs, "QQ+,AKs:0.5", "top 15%", random
    #[arg(required = true, value_name = "HAND|RANGE")]
    players: Vec<String>,
    /// Community cards
    #[arg(long, value_name = "CARDS", default_value = "")]
    board: String,
    /// Dead cards
    #[arg(long, value_name = "CARDS", default_value = "")]
    dead: String,
    /// Number of further players with random hands
    #[arg(long, value_name = "N", default_value_t = 0)]
    opponents: u8,
    /// Enumerate all deals
    #[arg(long, conflicts_with = "sims")]
    exact: bool,
    /// Sample this many deals [default: enumerate, or sample 1e6 if that takes long]
    #[arg(long, value_name = "N", value_parser = args::count)]
    sims: Option<u64>,
    /// Also report the distribution of hand categories
    #[arg(long)]
    categories: bool,
    /// Poker variant
    #[arg(long, value_name = "GAME", default_value = "holdem")]
    game: PokerGame,
    #[command(flatten)]
    run: RunArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The result in JSON; the top-level numbers are those of the first player.
#[derive(Debug, Serialize)]
struct Report {
    equity: f64,
    win: f64,
    tie: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    ci_low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ci_high: Option<f64>,
    method: Method,
    deals: f64,
    seconds: f64,
    board: String,
    players: Vec<Player>,
}

#[derive(Clone, Debug, Serialize)]
struct Player {
    hand: String,
    equity: f64,
    win: f64,
    tie: f64,
    loss: f64,
    wins: f64,
    ties: f64,
    losses: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    ci_low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ci_high: Option<f64>,
    /// The probability of each category, the worst first.
    #[serde(skip_serializing_if = "Option::is_none")]
    categories: Option<serde_json::Map<String, serde_json::Value>>,
}

pub(crate) fn run(args: &EquityArgs) -> Outcome {
    let variant = args.game.variant();
    let mut names = args.players.clone();
    names.extend(std::iter::repeat_n("random".to_owned(), usize::from(args.opponents)));
    if let [alone] = &names[..] {
        let found = match alone.split_whitespace().count() {
            0 | 1 => String::new(),
            several => format!(" with {several} hands in it"),
        };
        return Err(Failure::Usage(anyhow!(
            "expected 2 to 10 players, found 1{found}: give each player as a separate \
             argument, as in meeple equity AhAs KdKc"
        )));
    }
    let mut players = Vec::new();
    for (player, text) in (1..).zip(&names) {
        let holding = Holding::parse(text, variant);
        players.push(holding.map_err(|error| Failure::Usage(anyhow!("player {player}: {error}")))?);
    }
    let board = args::cards("--board", &args.board)?;
    let options = EquityOptions {
        variant,
        method: match (args.exact, args.sims) {
            (true, _) => Method::Exact,
            (false, Some(_)) => Method::Sample,
            (false, None) => Method::Auto,
        },
        deals: args.sims.unwrap_or(EquityOptions::default().deals),
        dead: args::cards("--dead", &args.dead)?,
        categories: args.categories,
        seed: args.run.seed,
        threads: args.run.threads.map_or(0, usize::from),
    };
    interrupt::listen()?;
    let start = Instant::now();
    let progress = EquityProgress::default();
    let stop_if_asked = || {
        if interrupt::asked() {
            progress.stop();
            if !progress.is_sampling() {
                show::remark(
                    "interrupted: an exact count has no partial result; use --sims to sample",
                );
                std::process::exit(i32::from(INTERRUPTED));
            }
        }
    };
    let found = progress::watch(
        || options.deals,
        "deals",
        || progress.done(),
        stop_if_asked,
        || equity_with_progress(&players, board, &options, &progress),
    )
    .map_err(Failure::usage)?;
    let interrupted = progress.is_sampling() && progress.done() < options.deals;
    if interrupted {
        show::remark("interrupted: the results cover the deals sampled so far");
    }
    let report = report(&found, &names, board, start.elapsed().as_secs_f64());
    if args.json {
        show::print_json(&report)?;
    } else {
        show::print(&text(&report, &found, args.run.seed))?;
    }
    Ok(if interrupted { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

fn report(found: &Equity, names: &[String], board: CardSet, seconds: f64) -> Report {
    let player = |(name, player): (&String, &PlayerEquity)| {
        let interval = player.confidence_interval();
        let share = |count: f64| count / found.deals;
        let categories = player.categories.map(|counts| {
            let named = Category::ALL.iter().zip(counts).rev();
            named.map(|(category, count)| (key(*category), share(count).into())).collect()
        });
        Player {
            hand: name.clone(),
            equity: player.equity(),
            win: player.win_rate(),
            tie: player.tie_rate(),
            loss: share(player.losses),
            wins: player.wins,
            ties: player.ties,
            losses: player.losses,
            ci_low: interval.map(|interval| interval.0),
            ci_high: interval.map(|interval| interval.1),
            categories,
        }
    };
    let players: Vec<Player> = names.iter().zip(&found.players).map(player).collect();
    Report {
        equity: players[0].equity,
        win: players[0].win,
        tie: players[0].tie,
        ci_low: players[0].ci_low,
        ci_high: players[0].ci_high,
        method: found.method,
        deals: found.deals,
        seconds,
        board: board.to_string(),
        players,
    }
}

/// The JSON key of a category, such as `four_of_a_kind`.
fn key(category: Category) -> String {
    category.name().replace(' ', "_")
}

fn text(report: &Report, found: &Equity, seed: u64) -> String {
    let accent = show::ACCENT;
    let board = match report.board.as_str() {
        "" => "preflop".to_owned(),
        board => format!("board {board}"),
    };
    let deals = if found.deals.fract() == 0.0 {
        format!("{} deals", show::grouped(found.deals as u64))
    } else {
        format!("deals of weight {:.2}", found.deals)
    };
    let how = match found.method {
        Method::Sample => format!("{deals} sampled, seed {seed}"),
        Method::Auto | Method::Exact => format!("{deals}, exact"),
    };
    let mut text = format!("{accent}{board}{accent:#}: {how}\n\n");
    let sampled = found.method == Method::Sample;
    let mut headings = vec!["player", "hand", "equity", "win", "tie"];
    if sampled {
        headings.push("95 % interval");
    }
    let mut table = show::table(&headings, 2);
    for (number, player) in (1..).zip(&report.players) {
        let mut cells = vec![
            number.to_string(),
            player.hand.clone(),
            show::percent(player.equity),
            show::percent(player.win),
            show::percent(player.tie),
        ];
        if let (Some(low), Some(high)) = (player.ci_low, player.ci_high) {
            cells.push(format!("{:.2} - {:.2} %", 100.0 * low, 100.0 * high));
        }
        table.add_row(cells);
    }
    text.push_str(&show::text_of(&table));
    if found.players.iter().any(|player| player.categories.is_some()) {
        text.push_str(&categories(report, found));
    }
    text
}

/// Formats the hand categories of each player as bars, the best first.
fn categories(report: &Report, found: &Equity) -> String {
    let heading = show::HEADING;
    let mut text = String::new();
    for (player, counts) in report.players.iter().zip(&found.players) {
        text.push_str(&format!("\n{heading}{}{heading:#}\n", player.hand));
        let counts = counts.categories.unwrap_or_default();
        for (category, count) in Category::ALL.iter().zip(counts).rev() {
            let share = count / found.deals;
            let line = format!(
                "{:<16}{:>9}  {}",
                category.name(),
                show::percent(share),
                show::bar(share, 40)
            );
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}
