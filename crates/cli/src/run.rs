//! `meeple run`: runs an experiment file and writes its results to a folder.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::Args;
use meeple_arena::{
    BotSummary, Conducted, Experiment, RunError, RunOptions, RunProgress, TableSummary,
    TestSummary, Timing, conduct, read_experiment, signed,
};
use meeple_report::experiment_page;
use meeple_stats::PairedResult;
use serde::Serialize;

use crate::failure::{Failure, INTERRUPTED};
use crate::{Outcome, interrupt, progress, show};

/// Run an experiment, or resume it where it was interrupted
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple run experiments/quickstart.json\n         \
                        meeple run --schema > experiment.schema.json")]
pub(crate) struct RunArgs {
    /// Experiment file
    #[arg(required_unless_present = "schema")]
    file: Option<PathBuf>,
    /// Result folder [default: as the experiment file says]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Discard earlier results in the folder
    #[arg(long)]
    fresh: bool,
    /// Check the file without running it
    #[arg(long)]
    check: bool,
    /// Print the JSON Schema of experiment files
    #[arg(long, exclusive = true)]
    schema: bool,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// The result in JSON.
#[derive(Serialize)]
struct Report<'a> {
    folder: String,
    resumed_games: u64,
    summary: &'a meeple_arena::Summary,
    timing: &'a Timing,
}

pub(crate) fn run(args: &RunArgs) -> Outcome {
    let Some(file) = &args.file else {
        show::print_json(&Experiment::json_schema())?;
        return Ok(ExitCode::SUCCESS);
    };
    let text = fs::read_to_string(file)
        .with_context(|| format!("cannot read the experiment {}", file.display()));
    let experiment = read_experiment(file, &text.map_err(Failure::Usage)?);
    let experiment = experiment.map_err(Failure::usage)?;
    if args.check {
        show::print(&format!("{}: {} is valid\n", file.display(), experiment.name))?;
        return Ok(ExitCode::SUCCESS);
    }
    let options = RunOptions {
        folder: args.out.clone(),
        threads: args.threads.map_or(0, usize::from),
        fresh: args.fresh,
    };
    interrupt::listen()?;
    let progress = RunProgress::default();
    let stop_if_asked = || {
        if interrupt::asked() {
            progress.stop();
        }
    };
    let conducted = progress::watch(
        || progress.total(),
        "games",
        || progress::Done { all: progress.done(), before: progress.resumed() },
        stop_if_asked,
        || conduct(&experiment, &options, &progress, experiment_page),
    )
    .map_err(failure)?;
    if args.json {
        show::print_json(&Report {
            folder: conducted.folder.display().to_string(),
            resumed_games: conducted.resumed,
            summary: &conducted.summary,
            timing: &conducted.timing,
        })?;
    } else {
        print(&conducted)?;
    }
    if conducted.summary.finished {
        return Ok(ExitCode::SUCCESS);
    }
    show::remark("interrupted: run the same command again to resume");
    Ok(ExitCode::from(INTERRUPTED))
}

/// Classifies errors: an experiment that cannot be run as given is a usage error, the rest
/// are runtime errors.
fn failure(error: RunError) -> Failure {
    match error {
        RunError::Version { .. }
        | RunError::Different { .. }
        | RunError::Occupied { .. }
        | RunError::Bot(_) => Failure::usage(error),
        RunError::Write { .. }
        | RunError::Read { .. }
        | RunError::Locked { .. }
        | RunError::Damaged { .. }
        | RunError::Game { .. } => Failure::Failed(anyhow!(error)),
    }
}

fn print(conducted: &Conducted) -> Result<(), Failure> {
    let Conducted { folder, summary, timing, resumed } = conducted;
    let accent = show::ACCENT;
    let mut text = format!(
        "{accent}{}{accent:#}: {} games in {:.1} s, {} games/s, seed {}\n",
        summary.name,
        show::grouped(summary.games),
        timing.seconds,
        show::short(timing.games_per_second),
        summary.seed,
    );
    if *resumed > 0 {
        text.push_str(&format!("{} of them from an earlier run\n", show::grouped(*resumed)));
    }
    for entry in &summary.forfeit_causes {
        text.push_str(&format!("{entry}\n"));
    }
    if summary.cut > 0 {
        let cut = show::grouped(summary.cut);
        text.push_str(&format!("{cut} games reached the length limit and count as draws\n"));
    }
    if summary.faults > 0 {
        let faults = show::grouped(summary.faults);
        text.push_str(&format!(
            "{faults} games hit a capacity limit of the game and count as draws; reasons in games.jsonl\n"
        ));
    }
    for (at, table) in summary.tables.iter().enumerate() {
        text.push('\n');
        text.push_str(&standings(at, table, timing));
    }
    if let Some(test) = &summary.test {
        text.push('\n');
        text.push_str(&sprt_text(test));
    }
    if let Some(tuned) = &summary.tuned {
        text.push_str(&format!("\n{}\n", tuned.sentence()));
        text.push_str(&tuned.evidence().map_or(String::new(), |evidence| evidence + "\n"));
    }
    if let Some(samples) = summary.samples {
        let samples = show::grouped(samples);
        text.push_str(&format!("\n{samples} decisions in {}\n", folder.join("samples").display()));
    }
    text.push_str(&format!("\nresults in {}\n", folder.display()));
    show::print(&text)
}

/// Formats the result of an SPRT: verdict, LLR with bounds and curve, Elo, pentanomial counts.
fn sprt_text(test: &TestSummary) -> String {
    let PairedResult { elo, elo_low, elo_high, superiority, .. } = test.estimate;
    let mut text = format!(
        "{}\n{}\nLLR {} ({} to {}) after {} games\n",
        test.hypotheses(),
        test.sentence(),
        signed(test.ratio, 2),
        signed(test.lower, 2),
        signed(test.upper, 2),
        show::grouped(test.games),
    );
    let every = test.curve.len().div_ceil(60).max(1);
    let curve: Vec<f64> = test.curve.iter().rev().step_by(every).map(|point| point.1).collect();
    let curve: Vec<f64> = curve.into_iter().rev().collect();
    if !curve.is_empty() {
        text.push_str(&format!(
            "LLR by games  {}\n",
            show::sparkline(&curve, [test.lower, test.upper])
        ));
    }
    text.push_str(&format!(
        "Elo {} ({} to {}, 95 %), LOS {:.1} %\n",
        signed(elo, 1),
        signed(elo_low, 1),
        signed(elo_high, 1),
        100.0 * superiority,
    ));
    if let Some(counts) = test.pentanomial() {
        let counts = counts.map(show::grouped).join(" / ");
        text.push_str(&format!("pairs with 0 / ½ / 1 / 1½ / 2 points: {counts}\n"));
    }
    text
}

/// Formats the standings of a table, the best bot first.
fn standings(at: usize, table: &TableSummary, timing: &Timing) -> String {
    let rated = table.bots.iter().any(|bot| bot.rating.is_some());
    let unit = table.bots.iter().find_map(|bot| bot.winnings).map(|won| won.unit.to_string());
    let mut headings = vec!["bot"];
    headings.extend(unit.as_deref());
    if rated {
        headings.extend(["Elo", "LOS"]);
    }
    if unit.is_none() || !rated {
        headings.extend(["won", "drawn"]);
    }
    if unit.is_none() && !rated {
        headings.extend(["payoff"]);
    }
    headings.extend(["games", "time/move"]);
    let row = |bot: &BotSummary| {
        let mut row = vec![bot.label.clone()];
        row.extend(bot.winnings.map(|winnings| winnings.to_string()));
        if let Some(rating) = bot.rating {
            let half = rating.interval.ci_high - rating.elo;
            row.push(if rating.standard_error > 0.0 {
                format!("{} ± {half:.0}", signed(rating.elo, 0))
            } else {
                "0, anchor".into()
            });
            row.push(bot.superiority.map_or_else(String::new, percent));
        }
        if unit.is_none() || !rated {
            row.push(percent(bot.all.win));
            row.push(percent(bot.all.ties as f64 / bot.all.games.max(1) as f64));
        }
        if unit.is_none() && !rated {
            row.push(signed(bot.all.mean_payoff, 4));
        }
        let times = timing.bots.iter().find(|times| times.table == at && times.label == bot.label);
        row.push(show::grouped(bot.all.games));
        row.push(times.map_or_else(String::new, |times| show::duration(times.mean_seconds)));
        row
    };
    let rows = show::fitted(&headings, 0, table.bots.iter().map(row).collect());
    let (accent, games) = (show::ACCENT, show::grouped(table.games));
    format!("{accent}{}{accent:#}: {games} games\n{rows}", table.game)
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
