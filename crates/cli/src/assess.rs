//! `meeple assess`: measures whether a game is any good.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::Args;
use meeple_arena::{AssessOptions, Assessment, FindingKind, RunProgress, assess};
use meeple_bots::{BotSpec, Position};
use meeple_report::{assessment_page, assessment_rows};

use crate::args::{self, GameArgs, RunArgs};
use crate::failure::{Failure, INTERRUPTED};
use crate::{Outcome, interrupt, progress, show};

/// Measure whether a game is any good: length, fairness, chance, drama, skill
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple assess my.game --html my.html\n         \
                        meeple assess pig --config '{\"players\":3}' --games 1000")]
pub(crate) struct AssessArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Games of the bot against itself, and of each match that measures skill
    #[arg(long, value_name = "N", value_parser = args::count, default_value = "200")]
    games: u64,
    /// Games with random play
    #[arg(long, value_name = "N", value_parser = args::count, default_value = "1000")]
    random_games: u64,
    /// Simulations of the bot for each decision [default: 400]
    #[arg(long, value_name = "N", conflicts_with = "bot",
          value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    sims: Option<u32>,
    /// Bot that plays, a search [default: mcts, or mcts-ismcts where information is imperfect]
    #[arg(long, value_name = "BOT")]
    bot: Option<String>,
    /// Matches against half the simulations, then a quarter and so on
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = clap::value_parser!(u32).range(0..=20))]
    doublings: u32,
    /// Decisions after which a game counts as unfinished
    #[arg(long, value_name = "N", value_parser = args::count, default_value = "10000")]
    max_decisions: u64,
    /// Write a page with plots to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    run: RunArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &AssessArgs) -> Outcome {
    let table = args.game.open()?;
    let options = options(args, &*table)?;
    interrupt::listen()?;
    let work = RunProgress::default();
    let stop_if_asked = || {
        if interrupt::asked() {
            work.stop();
        }
    };
    let percent = || 100 * work.done() / work.total().max(1);
    let assessed = progress::watch(
        || 100,
        "% of the games",
        percent,
        stop_if_asked,
        || assess(&*table, &options, &work),
    )
    .map_err(Failure::of_bot)?;
    // The figures are printed even if the page cannot be written, and the other way round.
    let written = args.html.as_deref().map_or(Ok(()), |path| write_page(path, &assessed));
    if args.json {
        show::print_json(&assessed)?;
    } else {
        print(&assessed)?;
    }
    written?;
    if assessed.finished {
        return Ok(ExitCode::SUCCESS);
    }
    show::remark("interrupted: the figures cover the games played so far");
    Ok(ExitCode::from(INTERRUPTED))
}

fn write_page(path: &Path, assessed: &Assessment) -> Result<(), Failure> {
    meeple_files::write(path, assessment_page(assessed).as_bytes())
        .with_context(|| format!("cannot write the page {}", path.display()))?;
    Ok(())
}

fn options(args: &AssessArgs, table: &dyn Position) -> Result<AssessOptions, Failure> {
    let mut options = AssessOptions {
        games: args.games,
        random_games: args.random_games,
        doublings: args.doublings,
        max_decisions: args.max_decisions,
        seed: args.run.seed,
        threads: args.run.threads.map_or(0, usize::from),
        ..AssessOptions::new(table)
    };
    if let Some(sims) = args.sims {
        options.bot.sims = sims;
    }
    if let Some(bot) = &args.bot {
        options.bot = match bot.parse::<BotSpec>().map_err(Failure::usage)? {
            BotSpec::Search(spec) => spec,
            other => {
                let expected = "expected a search such as mcts:sims=1000";
                return Err(Failure::Usage(anyhow!("--bot {other}: {expected}")));
            }
        };
    }
    match options.problem() {
        Some(problem) => Err(Failure::Usage(anyhow!(problem))),
        None => Ok(options),
    }
}

fn print(assessed: &Assessment) -> Result<(), Failure> {
    let mut text = format!(
        "{}: {} games of the bot, {} random games, seed {}\n{}\n\n",
        assessed.game,
        show::grouped(assessed.outcomes.games),
        show::grouped(assessed.random_outcomes.games),
        assessed.seed,
        show::wrapped_label(&format!("bot: {}", assessed.bot), 80),
    );
    let rows = assessment_rows(assessed).into_iter();
    let rows = rows.map(|row| vec![row.measure, row.value, row.interval]).collect();
    text.push_str(&show::fitted(&["measure", "value", "95 % interval"], 0, rows));
    text.push('\n');
    for finding in &assessed.findings {
        let mark = match finding.kind {
            FindingKind::Good => "+",
            FindingKind::Neutral => "-",
            FindingKind::Warning => "!",
        };
        text.push_str(&show::wrapped(&format!("{mark} {}", finding.text), "  "));
    }
    show::print(&text)
}
