//! `meeple check`: checks a game file and plays random games by it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use anyhow::anyhow;
use clap::Args;
use meeple_game::{ActionList, Game, Rng, Turn};
use meeple_games::files::{LargeFileConfig, LargeFileGame, read_table};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::failure::{Failure, INTERRUPTED};
use crate::{Outcome, interrupt, show};

/// Check a game file, and play random games by it
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple check my.game\n         \
                        meeple check my.game --config '{\"size\":5}' --watch")]
pub(crate) struct CheckArgs {
    /// Path of the game file
    file: PathBuf,
    /// Options of the game as JSON, e.g. '{"size":5}'
    #[arg(long, value_name = "JSON", default_value = "{}")]
    config: String,
    /// Number of random games
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Check again whenever the file is saved, until Ctrl-C
    #[arg(long, conflicts_with = "json")]
    watch: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The decisions after which a random game is broken off.
const MAX_DECISIONS: u64 = 10_000;

/// How often a watched file is looked at.
const POLL: Duration = Duration::from_millis(150);

/// The result in JSON.
#[derive(Debug, Serialize)]
struct Report {
    game: &'static str,
    players: usize,
    options: Value,
    actions: usize,
    observation_cells: usize,
    state_bytes: usize,
    games: u64,
    /// Games won by each seat: its payoff is greater than that of every other seat.
    wins: Vec<u64>,
    draws: u64,
    /// Games that did not end within [`MAX_DECISIONS`].
    unfinished: u64,
    mean_decisions: f64,
    max_decisions: u64,
    mean_legal_actions: f64,
    /// What the author may not mean.
    warnings: Vec<String>,
}

pub(crate) fn run(args: &CheckArgs) -> Outcome {
    interrupt::listen()?;
    if !args.watch {
        show_report(args)?;
        return Ok(if interrupt::asked() {
            ExitCode::from(INTERRUPTED)
        } else {
            ExitCode::SUCCESS
        });
    }
    let mut seen = None;
    while !interrupt::asked() {
        let saved = modified(&args.file);
        if saved != seen {
            seen = saved;
            if let Err(failure) = show_report(args) {
                let _ = failure.report();
            }
            show::remark("watching for changes, Ctrl-C ends it");
        }
        std::thread::sleep(POLL);
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns when a file was saved; the time since the epoch is never that of a missing file.
fn modified(file: &Path) -> Option<SystemTime> {
    let time = fs::metadata(file).and_then(|about| about.modified());
    Some(time.unwrap_or(SystemTime::UNIX_EPOCH))
}

fn show_report(args: &CheckArgs) -> Result<(), Failure> {
    let options: Value = serde_json::from_str(&args.config)
        .map_err(|error| Failure::Usage(anyhow!("--config: {error}")))?;
    let table = read_table(&args.file, Some(&options)).map_err(Failure::usage)?;
    let config = LargeFileConfig::deserialize(&table).map_err(Failure::usage)?;
    let mut report = play(&config, args.games, args.seed);
    let warnings = config.warnings(&args.file.display().to_string(), args.games, args.seed);
    report.warnings = warnings.messages().to_vec();
    if args.json {
        return show::print_json(&report);
    }
    print(&args.file, &report)?;
    if warnings.count() > 0 { show::print(&format!("\n{warnings}\n")) } else { Ok(()) }
}

/// Plays random games and counts how they end.
fn play(config: &LargeFileConfig, games: u32, seed: u64) -> Report {
    let start = LargeFileGame::new(config);
    let info = start.info();
    let mut report = Report {
        game: info.name,
        players: info.players,
        options: serde_json::json!(config.program().options()),
        actions: info.actions,
        observation_cells: info.observation.len(),
        state_bytes: 8 * (1 + config.program().words()),
        games: 0,
        wins: vec![0; info.players],
        draws: 0,
        unfinished: 0,
        mean_decisions: 0.0,
        max_decisions: 0,
        mean_legal_actions: 0.0,
        warnings: Vec::new(),
    };
    let (mut all_decisions, mut all_choices) = (0, 0);
    let mut actions = ActionList::new();
    for number in 0..games {
        if interrupt::asked() {
            break;
        }
        let (mut state, mut rng) = (start, Rng::new(seed).split(number.into()));
        let (mut decisions, mut chances) = (0, 0);
        // A game in which only chance acts need not end either.
        while decisions.max(chances) < MAX_DECISIONS {
            match state.turn() {
                Turn::Over => break,
                Turn::Chance => {
                    chances += 1;
                    state.apply(state.sample_chance(&mut rng));
                }
                Turn::Player(_) => {
                    state.legal_actions(&mut actions);
                    all_choices += actions.len() as u64;
                    (decisions, chances) = (decisions + 1, 0);
                    state.apply(actions[rng.below(actions.len())]);
                }
            }
        }
        report.games += 1;
        all_decisions += decisions;
        report.max_decisions = report.max_decisions.max(decisions);
        if state.turn() != Turn::Over {
            report.unfinished += 1;
            continue;
        }
        let payoffs = &state.payoffs()[..info.players];
        let best = payoffs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        match payoffs.iter().filter(|payoff| **payoff == best).count() {
            1 => {
                let winner = payoffs.iter().position(|payoff| *payoff == best);
                report.wins[winner.expect("one is the best")] += 1;
            }
            _ => report.draws += 1,
        }
    }
    report.mean_decisions = all_decisions as f64 / report.games.max(1) as f64;
    report.mean_legal_actions = all_choices as f64 / all_decisions.max(1) as f64;
    report
}

fn print(file: &Path, report: &Report) -> Result<(), Failure> {
    let heading = show::HEADING;
    let mut text = format!(
        "{heading}{}{heading:#} ({}): no errors\n  {} players, {} action ids, {} observation \
         cells, {} bytes a state\n",
        report.game,
        file.display(),
        report.players,
        report.actions,
        report.observation_cells,
        report.state_bytes
    );
    if let Some(options) = report.options.as_object().filter(|options| !options.is_empty()) {
        let options: Vec<String> =
            options.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        text.push_str(&format!("  options: {}\n", options.join(", ")));
    }
    let share = |count: u64| format!("{:.1} %", 100.0 * count as f64 / report.games.max(1) as f64);
    let mut ends: Vec<String> = report
        .wins
        .iter()
        .enumerate()
        .map(|(seat, wins)| format!("seat {seat} wins {}", share(*wins)))
        .collect();
    ends.push(format!("drawn {}", share(report.draws)));
    text.push_str(&format!(
        "  {} random games: {}\n  {:.1} decisions a game (at most {}), {:.1} legal actions each\n",
        report.games,
        ends.join(", "),
        report.mean_decisions,
        report.max_decisions,
        report.mean_legal_actions
    ));
    show::print(&text)
}
