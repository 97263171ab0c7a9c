//! `meeple plan`: inspects the compiled rules of a game and verifies them against the rule tree.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::{Args, Subcommand};
use meeple_game::Rng;
use meeple_games::described::{Compared, Described, Lockstep, VisitRules, with_rules};
use meeple_plan::Stages;
use serde::Serialize;

use crate::args;
use crate::failure::{Failure, INTERRUPTED};
use crate::{Outcome, interrupt, progress, show};

/// Inspect and verify the compiled rules of a game
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple plan explain chess\n         \
                        meeple plan check backgammon --games 10")]
pub(crate) struct PlanArgs {
    #[command(subcommand)]
    command: PlanCommand,
}

#[derive(Debug, Subcommand)]
enum PlanCommand {
    /// Compare the compiled plan with its rule tree on random games
    #[command(after_help = "Example: meeple plan check backgammon --games 10")]
    Check(CheckArgs),
    /// Print the plan as a table, with warnings and signature
    #[command(after_help = "Example: meeple plan explain chess")]
    Explain(ExplainArgs),
}

#[derive(Debug, Args)]
struct CheckArgs {
    /// Name of a rule-based game, such as chess
    game: String,
    /// Number of games
    #[arg(long, value_name = "N", value_parser = args::count, default_value = "10")]
    games: u64,
    /// Random seed
    #[arg(long, value_name = "N", value_parser = crate::args::seed, default_value = "0")]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct ExplainArgs {
    /// Name of a rule-based game, such as chess
    game: String,
}

/// The result of a check, as JSON.
#[derive(Debug, Serialize)]
struct Report {
    game: &'static str,
    seed: u64,
    #[serde(flatten)]
    checked: Compared,
    stage_combinations: usize,
    interrupted: bool,
    seconds: f64,
}

pub(crate) fn run(args: &PlanArgs) -> Outcome {
    match &args.command {
        PlanCommand::Check(args) => with_rules(&args.game, Check(args)).map_err(Failure::usage)?,
        PlanCommand::Explain(args) => with_rules(&args.game, Explain).map_err(Failure::usage)?,
    }
}

struct Check<'a>(&'a CheckArgs);

impl VisitRules for Check<'_> {
    type Out = Outcome;

    fn visit<R: Described>(self) -> Outcome {
        let report = check(self.0, &Lockstep::<R>::new())?;
        if self.0.json {
            show::print_json(&report)?;
        } else {
            print(&report)?;
        }
        Ok(if report.interrupted { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
    }
}

/// Plays random games; fails at the first difference between plan and tree.
fn check<R: Described>(args: &CheckArgs, check: &Lockstep<R>) -> Result<Report, Failure> {
    interrupt::listen()?;
    let start = Instant::now();
    let (root, done) = (Rng::new(args.seed), AtomicU64::new(0));
    let play = || -> Result<Compared, Failure> {
        let mut checked = Compared::default();
        for index in (0..args.games).take_while(|_| !interrupt::asked()) {
            let played = check.play(&R::Config::default(), &mut root.split(index));
            checked += played.map_err(|mismatch| {
                let game = R::plan().name();
                Failure::Failed(anyhow::anyhow!("{game}, game {index}: {mismatch}"))
            })?;
            done.store(index + 1, Ordering::Relaxed);
        }
        Ok(checked)
    };
    let checked =
        progress::watch(|| args.games, "games", || done.load(Ordering::Relaxed), || {}, play)?;
    Ok(Report {
        game: R::plan().name(),
        seed: args.seed,
        checked,
        stage_combinations: Stages::combinations().len(),
        interrupted: checked.games < args.games,
        seconds: start.elapsed().as_secs_f64(),
    })
}

fn print(report: &Report) -> Result<(), Failure> {
    let Compared { games, states, events } = report.checked;
    if report.interrupted {
        show::remark("interrupted: the results cover the games checked so far");
    }
    show::print(&format!(
        "{}: plan and tree agree, seed {}\n\
         {} games in {:.2} s\n\
         {} states: the generated events equal the legal events of the tree, with equal successors\n\
         {} events: the same verdict and successor with all {} combinations of stages\n",
        report.game,
        report.seed,
        show::grouped(games),
        report.seconds,
        show::grouped(states),
        show::grouped(events),
        report.stage_combinations,
    ))
}

struct Explain;

impl VisitRules for Explain {
    type Out = Outcome;

    fn visit<R: Described>(self) -> Outcome {
        let plan = R::plan();
        let mut text = plan.explain();
        match plan.warnings() {
            [] => text.push_str("no warnings\n"),
            warnings => {
                let lines = warnings.iter().map(|warning| format!("warning: {warning}\n"));
                text.extend(lines);
            }
        }
        text.push_str(&format!("signature {:016x}\n", plan.signature()));
        show::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_games::described::TicTacToeRules;

    #[test]
    fn a_faulty_plan_fails_with_the_difference() {
        let faulty = Lockstep::<TicTacToeRules>::new()
            .with_fault(|board| *board = TicTacToeRules::start(&Default::default()));
        let args = CheckArgs { game: "tic-tac-toe".into(), games: 1, seed: 0, json: false };
        let Err(Failure::Failed(error)) = check(&args, &faulty) else {
            panic!("the fault is detected")
        };
        let error = error.to_string();
        for part in
            ["game 0: plan and tree differ on Place(", "entry place", "stage forced", "squares["]
        {
            assert!(error.contains(part), "{part} in {error}");
        }
    }
}
