//! The command `meeple`: one module per subcommand.
//!
//! It is a library so that a program with a game or a bot of its own is the same command
//! with one more name in it; `examples/own-game` is such a program.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! # type MyGame = meeple_games::small::Pig;
//! fn main() -> ExitCode {
//!     meeple_cli::register::<MyGame>().expect("no other game has this name");
//!     meeple_cli::main()
//! }
//! ```

mod analyze;
mod args;
mod assess;
mod bench;
mod cards;
mod check;
mod equity;
mod evaluate;
mod export;
mod failure;
mod games;
mod interrupt;
mod lab;
mod legality;
mod levels;
mod magic;
mod mcp;
mod perft;
mod plan;
mod play;
mod position;
mod progress;
mod range;
mod rank;
mod replay;
mod run;
mod show;
mod simulate;
mod solve;
mod train;
mod uci;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use meeple_game::Game;
use meeple_games::registry::NameTaken;

use failure::Failure;

/// Fast games, deep search, honest results
#[derive(Debug, Parser)]
#[command(name = "meeple", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the games, or describe one
    Games(games::GamesArgs),
    /// Play many games between bots and report win rates
    Simulate(simulate::SimulateArgs),
    /// Run an experiment file: matches, SPRT or tuning, with confidence intervals and a report
    Run(run::RunArgs),
    /// Train a network by self-play
    Train(train::TrainArgs),
    /// Measure the playing strength of a network in Elo
    Evaluate(evaluate::EvaluateArgs),
    /// List the levels of play, and the bot of each in a game
    Levels(levels::LevelsArgs),
    /// Play a game in the terminal against bots
    Play(play::PlayArgs),
    /// Analyze a position with a search bot, or trace a move through the rules
    Analyze(analyze::AnalyzeArgs),
    /// Solve a position exactly, or hold'em after the flop
    Solve(solve::SolveArgs),
    /// Step through a recorded game
    Replay(replay::ReplayArgs),
    /// Convert a game record to another format
    Export(export::ExportArgs),
    /// Count the leaf nodes below a chess position, or of any game
    Perft(perft::PerftArgs),
    /// Inspect and verify the compiled rules of a game
    Plan(plan::PlanArgs),
    /// Check a game file, and play random games by it
    Check(check::CheckArgs),
    /// Measure whether a game is any good: length, fairness, chance, drama, skill
    Assess(assess::AssessArgs),
    /// Compute the equity of poker hands or ranges
    Equity(equity::EquityArgs),
    /// Rank poker hands
    Rank(rank::RankArgs),
    /// Show a range of poker hands
    Range(range::RangeArgs),
    /// Show Magic cards, and check card files
    Cards(cards::CardsArgs),
    /// Run as a UCI engine
    Uci(uci::UciArgs),
    /// Serve the web interface: play, analyze, read results
    Lab(lab::LabArgs),
    /// Serve games to agents over the Model Context Protocol
    Mcp(mcp::McpArgs),
    /// Measure speed, and compare it with a saved baseline
    Bench(bench::BenchArgs),
}

/// Adds a game of another crate to every command: play, simulation, experiments, training,
/// benchmarks and the lab.
///
/// # Errors
///
/// When another game has the same name.
pub fn register<G: Game>() -> Result<(), NameTaken> {
    meeple_train::register::<G>()?;
    meeple_bench::register::<G>()
}

/// Runs the command that the arguments of the program name.
#[must_use]
pub fn main() -> ExitCode {
    meeple_bots::on_old_name(|warning| show::remark(&format!("warning: {warning}")));
    // `--games -1` reports an invalid value, not an unknown option `-1`.
    let command = Cli::command().mut_subcommands(|command| command.allow_negative_numbers(true));
    let cli = Cli::from_arg_matches(&command.get_matches()).unwrap_or_else(|error| error.exit());
    let result = match cli.command {
        Command::Games(args) => games::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Evaluate(args) => evaluate::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Analyze(args) => analyze::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Plan(args) => plan::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Assess(args) => assess::run(&args),
        Command::Equity(args) => equity::run(&args),
        Command::Rank(args) => rank::run(&args),
        Command::Range(args) => range::run(&args),
        Command::Cards(args) => cards::run(&args),
        Command::Uci(args) => uci::run(&args),
        Command::Levels(args) => levels::run(&args),
        Command::Lab(args) => lab::run(&args),
        Command::Mcp(args) => mcp::run(&args),
        Command::Bench(args) => bench::run(&args),
    };
    match result {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

/// The exit code of a command that ran, or the reason it failed.
type Outcome = Result<ExitCode, Failure>;
