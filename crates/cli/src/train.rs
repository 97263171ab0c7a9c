//! `meeple train`: a network learns a game by playing itself.

use std::fs;
use std::io::{IsTerminal, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;
use meeple_arena::signed;
use meeple_games::files::{is_path, read_table};
use meeple_stats::Interval;
use meeple_train::{
    Ended, TdConfig, TdTrained, TrainConfig, TrainError, TrainOptions, TrainProgress, Trained,
    TrainingFile, is_td_run, read_training, resume, resume_td, show_dashboard, train, train_td,
};

use crate::failure::{Failure, INTERRUPTED};
use crate::{Outcome, interrupt, show};

/// How often lines and Ctrl-C are looked for.
const TICK: Duration = Duration::from_millis(100);

/// Trains a network by self-play, or resumes a run that was stopped.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: meeple train --config experiments/train-connect-four.json\n         \
                        meeple train --resume runs/train-connect-four"
)]
pub(crate) struct TrainArgs {
    /// The game, to train it with the usual settings
    #[arg(conflicts_with = "config", required_unless_present_any = ["config", "resume", "schema"])]
    game: Option<String>,
    /// A file that says what is trained and how
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Go on with the run in this folder
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["game", "out"])]
    resume: Option<PathBuf>,
    /// The folder of the run; that of the file if not given
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Threads that play; as many as there are cores if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Stop after so many iterations, whatever the file says
    #[arg(long, value_name = "N")]
    iterations: Option<u64>,
    /// Stop after so many minutes of all parts of the run, whatever the file says
    #[arg(long, value_name = "N")]
    minutes: Option<f64>,
    /// Log lines even where there is a terminal
    #[arg(long)]
    plain: bool,
    /// Only check the file
    #[arg(long, requires = "config")]
    check: bool,
    /// Print the JSON Schema of training files
    #[arg(long, exclusive = true)]
    schema: bool,
    /// Print the result of the run as JSON, and no log lines
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &TrainArgs) -> Outcome {
    if args.schema {
        show::print_json(&TrainConfig::json_schema())?;
        return Ok(ExitCode::SUCCESS);
    }
    let file = read(args)?;
    if let (Some(file), true) = (&args.config, args.check) {
        show::print(&format!("{} can be run\n", file.display()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut config = match (file, &args.resume) {
        (Some(TrainingFile::Td(config)), _) => return run_td(args, Some(&config)),
        (None, Some(folder)) if is_td_run(folder) => return run_td(args, None),
        (Some(TrainingFile::SelfPlay(config)), _) => Some(*config),
        (None, _) => None,
    };
    if let (None, Some(folder)) = (&config, &args.resume) {
        let has_limits = args.iterations.is_some() || args.minutes.is_some();
        if has_limits {
            config = Some(meeple_train::saved_config(folder).map_err(failure)?);
        }
    }
    if let Some(config) = &mut config {
        config.limit.iterations = args.iterations.or(config.limit.iterations);
        config.limit.minutes = args.minutes.or(config.limit.minutes);
    }
    let threads = args.threads.map_or(0, usize::from);
    let options = TrainOptions { folder: args.out.clone(), threads };
    interrupt::listen()?;
    let progress = TrainProgress::default();
    let trained = watch(args, &progress, true, || match (&args.resume, &config) {
        (Some(folder), config) => resume(folder, config.as_ref(), &options, &progress),
        (None, Some(config)) => train(config, &options, &progress),
        (None, None) => unreachable!("the arguments name a game, a file or a folder"),
    })?;
    let trained = trained.map_err(failure)?;
    if args.json {
        show::print_json(&trained)?;
    } else {
        print(&trained)?;
    }
    Ok(ended(trained.ended, &trained.folder))
}

/// Runs temporal-difference learning, from a file or in the folder to go on with.
fn run_td(args: &TrainArgs, config: Option<&TdConfig>) -> Outcome {
    if args.iterations.is_some() || args.minutes.is_some() {
        return Err(Failure::Usage(anyhow!(
            "--iterations and --minutes: a run by temporal differences ends after the games of \
             its file, expected none of both"
        )));
    }
    if let (Some(_), Some(folder)) = (config, &args.resume) {
        let folder = folder.display();
        return Err(Failure::Usage(anyhow!(
            "--config: the run in {folder} has its settings, which stay the same; expected \
             --resume {folder} alone"
        )));
    }
    let threads = args.threads.map_or(0, usize::from);
    let options = TrainOptions { folder: args.out.clone(), threads };
    interrupt::listen()?;
    let progress = TrainProgress::default();
    let trained = watch(args, &progress, false, || match (&args.resume, config) {
        (Some(folder), _) => resume_td(folder, &options, &progress),
        (None, Some(config)) => train_td(config, &options, &progress),
        (None, None) => unreachable!("the arguments name a file or a folder"),
    })?;
    let trained = trained.map_err(failure)?;
    if args.json {
        show::print_json(&trained)?;
    } else {
        print_td(&trained)?;
    }
    Ok(ended(trained.ended, &trained.folder))
}

fn print_td(trained: &TdTrained) -> Result<(), Failure> {
    show::print(&format!(
        "{} games, {:.1} min, {:.1} min of processor\nnetwork {}, hash {}\n",
        show::grouped(trained.games),
        trained.seconds / 60.0,
        trained.processor_seconds / 60.0,
        trained.network.display(),
        trained.hash,
    ))
}

/// The exit code of a run, with a remark on how to go on with one that was stopped.
fn ended(ended: Ended, folder: &Path) -> ExitCode {
    match ended {
        Ended::Finished => ExitCode::SUCCESS,
        Ended::Stopped => {
            let folder = folder.display();
            show::remark(&format!("stopped: meeple train --resume {folder} goes on from here"));
            ExitCode::from(INTERRUPTED)
        }
    }
}

/// What the arguments say is to be trained; nothing if the folder says it.
fn read(args: &TrainArgs) -> Result<Option<TrainingFile>, Failure> {
    if let Some(game) = &args.game {
        let mut config = TrainConfig::of(game);
        if is_path(game) {
            config.table = read_table(game.trim().as_ref(), None).map_err(Failure::usage)?;
        }
        return Ok(Some(TrainingFile::SelfPlay(Box::new(config))));
    }
    let Some(file) = &args.config else { return Ok(None) };
    let text = fs::read_to_string(file)
        .with_context(|| format!("cannot read the training file {}", file.display()));
    read_training(file, &text.map_err(Failure::Usage)?).map(Some).map_err(Failure::usage)
}

/// Does `work` while it is shown: as a dashboard if it draws on the board, as lines, or not at all.
fn watch<T: Send>(
    args: &TrainArgs,
    progress: &TrainProgress,
    may_draw: bool,
    work: impl FnOnce() -> T + Send,
) -> Result<T, Failure> {
    let is_over = AtomicBool::new(false);
    let has_dashboard = may_draw && stdout().is_terminal() && !args.plain && !args.json;
    thread::scope(|scope| {
        let listener = scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                thread::sleep(TICK);
                if interrupt::asked() {
                    progress.stop();
                }
                if !has_dashboard {
                    say(args, progress)?;
                }
            }
            Ok::<(), Failure>(())
        });
        let dashboard = has_dashboard.then(|| {
            scope.spawn(|| {
                let shown = show_dashboard(progress, &is_over);
                if shown.is_err() {
                    // Nobody would see it go on.
                    progress.stop();
                }
                shown
            })
        });
        let result = work();
        is_over.store(true, Ordering::Relaxed);
        if let Some(dashboard) = dashboard {
            let shown = dashboard.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            shown.context("cannot draw in this terminal, try --plain")?;
        }
        let said = listener.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        said.and_then(|()| say(args, progress))?;
        Ok(result)
    })
}

/// Prints the lines that were said; a reader who went away ends the run.
fn say(args: &TrainArgs, progress: &TrainProgress) -> Result<(), Failure> {
    let lines = progress.take_lines();
    if args.json || lines.is_empty() {
        return Ok(());
    }
    let printed = show::print(&(lines.join("\n") + "\n"));
    if printed.is_err() {
        progress.stop();
    }
    printed
}

/// What makes no sense as asked is a question of usage; the rest are failures.
fn failure(error: TrainError) -> Failure {
    match error {
        TrainError::UnknownGame(_)
        | TrainError::Setting { .. }
        | TrainError::NoRun { .. }
        | TrainError::Exists { .. }
        | TrainError::Occupied { .. }
        | TrainError::Version { .. }
        | TrainError::Changed { .. } => Failure::usage(error),
        TrainError::Bot(error) => Failure::of_bot(error),
        _ => Failure::Failed(anyhow!(error)),
    }
}

fn print(trained: &Trained) -> Result<(), Failure> {
    let state = &trained.state;
    let mut text = format!(
        "{} iterations, {} games, {:.1} min, {:.1} min of processor\n",
        show::grouped(state.iterations),
        show::grouped(state.games),
        state.seconds / 60.0,
        state.processor_seconds / 60.0,
    );
    if !trained.ratings.is_empty() {
        let mut rows = show::table(&["player", "Elo", "95 % interval", "games"], 1);
        for rating in &trained.ratings {
            let Interval { ci_low, ci_high } = rating.interval;
            rows.add_row(vec![
                rating.name.clone(),
                signed(rating.elo, 0),
                format!("{} to {}", signed(ci_low, 0), signed(ci_high, 0)),
                show::grouped(rating.games),
            ]);
        }
        text.push_str(&show::text_of(&rows));
    }
    let folder = trained.folder.display();
    text.push_str(&format!("\nnetwork {folder}/model.safetensors, report {folder}/report.html\n"));
    show::print(&text)
}
