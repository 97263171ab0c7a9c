//! `meeple run`: an experiment from a file, with its results in a folder.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::Args;
use meeple_arena::{
    Conducted, Experiment, Progress, RunError, RunOptions, TableSummary, Timing, Verdict, conduct,
    read_experiment,
};
use serde::Serialize;

use crate::failure::{Failure, INTERRUPTED};
use crate::{Outcome, interrupt, progress, show};

/// Runs an experiment, or goes on with it where it was interrupted.
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple run experiments/quickstart.json\n         \
                        meeple run --schema > experiment.schema.json")]
pub(crate) struct RunArgs {
    /// The experiment
    #[arg(required_unless_present = "schema")]
    file: Option<PathBuf>,
    /// The folder of the results; that of the experiment if not given
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Threads to use; as many as there are cores if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Throw earlier results of this folder away
    #[arg(long)]
    fresh: bool,
    /// Only check the file
    #[arg(long)]
    check: bool,
    /// Print the JSON Schema of experiments
    #[arg(long, exclusive = true)]
    schema: bool,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// What is printed as JSON.
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
        show::print(&format!("{}: {} can be run\n", file.display(), experiment.name))?;
        return Ok(ExitCode::SUCCESS);
    }
    let options = RunOptions {
        folder: args.out.clone(),
        threads: args.threads.map_or(0, usize::from),
        fresh: args.fresh,
    };
    interrupt::listen()?;
    let progress = Progress::default();
    let stop_if_asked = || {
        if interrupt::asked() {
            progress.stop();
        }
    };
    let conducted = progress::watch(
        || progress.total(),
        "games",
        || progress.done(),
        stop_if_asked,
        || conduct(&experiment, &options, &progress),
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
    show::remark("interrupted: the same command goes on from here");
    Ok(ExitCode::from(INTERRUPTED))
}

/// What cannot be run as asked is a question that makes no sense; what did not
/// work out is a failure.
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
        text.push_str(&format!("{} of them were played before\n", show::grouped(*resumed)));
    }
    if summary.forfeits > 0 {
        let forfeits = show::grouped(summary.forfeits);
        text.push_str(&format!("{forfeits} forfeits, with their reasons in games.jsonl\n"));
    }
    if summary.cut > 0 {
        let cut = show::grouped(summary.cut);
        text.push_str(&format!("{cut} games were broken off at their limit, as draws\n"));
    }
    for (at, table) in summary.tables.iter().enumerate() {
        text.push('\n');
        text.push_str(&standings(at, table, timing));
    }
    if let Some(test) = &summary.test {
        let verdict = match test.verdict {
            Verdict::Open => "undecided".to_owned(),
            Verdict::AcceptElo0 => format!("not stronger, {:+} Elo is accepted", test.test.elo0),
            Verdict::AcceptElo1 => format!("stronger, {:+} Elo is accepted", test.test.elo1),
        };
        let (ratio, low, high) = (test.ratio, test.lower, test.upper);
        text.push_str(&format!(
            "\n{verdict}: ratio {ratio:.2}, decided at {low:.2} and {high:.2}\n"
        ));
    }
    if let Some(tuned) = &summary.tuned {
        text.push_str(&format!("\nbest: {}\n", tuned.found.bot));
        if let Some(duel) = &tuned.validation {
            text.push_str(&format!(
                "against the bot as it was: {} ({:.1} - {:.1} %), {:+.0} Elo\n",
                show::percent(duel.score),
                100.0 * duel.interval.ci_low,
                100.0 * duel.interval.ci_high,
                duel.elo,
            ));
        }
    }
    if let Some(samples) = summary.samples {
        let samples = show::grouped(samples);
        text.push_str(&format!("\n{samples} decisions in {}\n", folder.join("samples").display()));
    }
    text.push_str(&format!("\nresults in {}\n", folder.display()));
    show::print(&text)
}

/// The bots of a table, best first.
fn standings(at: usize, table: &TableSummary, timing: &Timing) -> String {
    let rated = table.bots.iter().any(|bot| bot.rating.is_some());
    let mut headings = vec!["bot"];
    if rated {
        headings.extend(["Elo", "95 % interval", "stronger than next"]);
    }
    headings.extend(["wins", "95 % interval", "ties", "mean payoff", "games", "time a decision"]);
    let mut rows = show::table(&headings, 1);
    for bot in &table.bots {
        let mut row = vec![bot.label.clone()];
        if let Some(rating) = bot.rating {
            row.push(format!("{:+.0}", rating.elo));
            let interval = rating.interval;
            row.push(if rating.standard_error > 0.0 {
                format!("{:+.0} - {:+.0}", interval.ci_low, interval.ci_high)
            } else {
                "anchor".into()
            });
            row.push(bot.superiority.map_or_else(String::new, show::percent));
        }
        let times = timing.bots.iter().find(|times| times.table == at && times.label == bot.label);
        row.extend([
            show::percent(bot.all.win),
            format!("{:.2} - {:.2} %", 100.0 * bot.all.ci_low, 100.0 * bot.all.ci_high),
            show::percent(bot.all.ties as f64 / bot.all.games.max(1) as f64),
            format!("{:+.4}", bot.all.mean_payoff),
            show::grouped(bot.all.games),
            times.map_or_else(String::new, |times| show::duration(times.mean_seconds)),
        ]);
        rows.add_row(row);
    }
    let (accent, games) = (show::ACCENT, show::grouped(table.games));
    format!("{accent}{}{accent:#}: {games} games\n{}", table.game, show::text_of(&rows))
}
